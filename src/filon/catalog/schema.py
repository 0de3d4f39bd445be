"""The tables of catalog.sqlite."""

from filon.catalog import index, overlap

#: A catalog of another version is made anew.
VERSION = 5
SCHEMA = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE runs (
    run TEXT PRIMARY KEY,         -- its folder, seen from the catalog's
    stamp TEXT NOT NULL,          -- by which a run that went on is known
    version INTEGER NOT NULL,     -- by what its profiles were made
    finds INTEGER NOT NULL        -- the last that was taken in
) WITHOUT ROWID""",
    """CREATE TABLE files (
    file INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,      -- the SHA-256 of its bytes
    title TEXT NOT NULL,          -- what the first page that links to it calls it
    format TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    problem TEXT NOT NULL,
    detail TEXT NOT NULL,
    encoding TEXT NOT NULL,
    tables INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    same_as TEXT NOT NULL DEFAULT '', -- the id of the file that a person chose before this one
    newer TEXT NOT NULL DEFAULT '',  -- the id of what is at its addresses since
    gone TEXT NOT NULL DEFAULT ''    -- the day on which nothing was there any more
)""",
    "CREATE INDEX files_same_as ON files (same_as) WHERE same_as != ''",
    """CREATE TABLE sightings (
    file INTEGER NOT NULL REFERENCES files (file),
    run TEXT NOT NULL,
    site TEXT NOT NULL,
    url TEXT NOT NULL,
    name TEXT NOT NULL,
    parent TEXT NOT NULL,
    found_s REAL NOT NULL,
    link_text TEXT NOT NULL, around TEXT NOT NULL, page_title TEXT NOT NULL,
    headings TEXT NOT NULL, licence TEXT NOT NULL, modified TEXT NOT NULL
)""",
    "CREATE INDEX sightings_file ON sightings (file)",
    "CREATE INDEX sightings_run ON sightings (run)",
    "CREATE INDEX sightings_url ON sightings (url)",
    """CREATE TABLE tables (
    "table" INTEGER PRIMARY KEY AUTOINCREMENT,
    file INTEGER NOT NULL REFERENCES files (file),
    number INTEGER NOT NULL,      -- among those of the file, from 0 on
    name TEXT NOT NULL,
    header_row INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    places TEXT NOT NULL,
    box TEXT NOT NULL             -- west, south, east, north in degrees, or nothing
)""",
    "CREATE INDEX tables_file ON tables (file)",
    """CREATE TABLE columns (
    "table" INTEGER NOT NULL REFERENCES tables ("table"),
    number INTEGER NOT NULL,
    name TEXT NOT NULL, label TEXT NOT NULL, kind TEXT NOT NULL, unit TEXT NOT NULL,
    filled INTEGER NOT NULL, missing INTEGER NOT NULL, "distinct" INTEGER NOT NULL,
    least TEXT NOT NULL, most TEXT NOT NULL, examples TEXT NOT NULL,
    sketch BLOB NOT NULL,
    PRIMARY KEY ("table", number)
) WITHOUT ROWID""",
    *index.SCHEMA,
    *overlap.SCHEMA,
)
