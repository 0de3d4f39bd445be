"""One catalog over many runs: every found file, what it holds, and where it is from.

catalog.sqlite lies beside the runs and is made from them; it can be deleted at any time.
"""
