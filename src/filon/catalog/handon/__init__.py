"""The catalog in formats that other tools take: of all runs of a folder, of some files, of one run.

    dataset.py   what is handed on: datasets with their files and tables, as the catalog knows them
    rows.py      the same as rows of an export (run/export), so that a format works for both
    package.py   folders with files and tables in them, by names of our own
    a file a format; formats.py names them

Nothing is invented: what nobody said of a file, such as a licence, is left out.
"""
