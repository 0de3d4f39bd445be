"""Thousands of sites on many machines: one store for the truth, one for the bytes, and workers.

    Store    who has which site, what was spent, what was found: SQLite, or PostgreSQL
    Blobs    what runs have written, in pieces that never change: a folder, or a bucket
    Workers  who starts and watches the processes: this one, or Ray

A site is a run like any other, in a folder on the disk of the worker that has it.
"""
