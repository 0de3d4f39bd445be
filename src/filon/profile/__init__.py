"""What is in a found file: its format, its tables, their columns, and what they cover.

Files are strangers' files: each is read in a worker process with bounds on time and memory
(`worker.py`); what is broken, cut, encrypted or meant to do harm is a profile with a problem.
"""
