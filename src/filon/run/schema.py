"""The tables of ledger.sqlite. It opens in Datasette as it is."""

from filon.core.response import Sent

VERSION = 3
#: The columns of the finds, as they were in version 1.
FINDS = (
    *("find", "step", "kind", "url", "name", "mime", "parent"),
    *("size_bytes", "sha256", "at_s"),
)
#: What the finds have since version 2; "" where nothing tells it, and in older runs.
CONTEXT = ("link_text", "around", "page_title", "headings", "licence", "modified")
#: Blocks of long states, each of which several checkpoints may share; since version 3.
PIECES = "CREATE TABLE pieces (piece INTEGER PRIMARY KEY, state BLOB NOT NULL)"
#: How a ledger of the version before becomes one of a version.
UPGRADES = {
    2: [f"ALTER TABLE finds ADD COLUMN {name} TEXT NOT NULL DEFAULT ''" for name in CONTEXT],
    3: [PIECES],
}
#: What stands for the seconds of an answer to a request that did not leave, by `Response.sent`.
NOT_SENT: dict[Sent, float] = {"cached": -1.0, "withheld": -2.0}

#: Keys of the table meta that hold bytes which stand in no step.
BESIDES = ("held_bytes", "extra_bytes")

SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- version; stopped ('' while it runs); seconds; summary (JSON, of the last checkpoint);
-- outlook (what was expected of the rest when the last step left, in words);
-- held_bytes (of answers that the run's time cut off); extra_bytes (headers, framing, TLS)

CREATE TABLE steps (
    step INTEGER PRIMARY KEY,          -- order in which the steps were proposed, from 1
    answer INTEGER UNIQUE,             -- order in which the answers came, from 1; NULL: in flight
    after INTEGER NOT NULL,            -- how many answers were in when it was proposed
    idle INTEGER NOT NULL DEFAULT 0,   -- 1: the strategy had no step just before this answer
    sends INTEGER NOT NULL DEFAULT 1,  -- how often it left; 2: after a crash, 0: it did not leave
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    parent TEXT NOT NULL,              -- URL of the answer that led to it
    kind TEXT NOT NULL,                -- of the reason: start, link, target, redirect, head, …
    arm TEXT NOT NULL,
    score REAL NOT NULL,
    expected REAL NOT NULL,
    why TEXT NOT NULL,
    status INTEGER,                    -- NULL: no answer yet; 0: none came
    error TEXT,
    detail TEXT,
    cut TEXT,
    mime TEXT,                         -- as claimed
    location TEXT,                     -- where it redirects to
    size_bytes INTEGER,
    wire_bytes INTEGER,
    at_s REAL,                         -- Unix time of the answer
    took_s REAL,                       -- seconds; -1: was at hand, -2: was withheld
    run_s REAL,                        -- how long the run had lasted by then, in all sessions
    body_bytes INTEGER,                -- how much of the body the strategy was given
    warc TEXT,                         -- file in archive/ with the record; NULL: no HTTP answer
    warc_offset INTEGER,
    warc_bytes INTEGER,                -- of the gzip member: where it ends, the next one begins
    sha256 TEXT                        -- body in files/ where it is a find; else it is in the WARC
);
CREATE INDEX steps_url ON steps (url);

CREATE TABLE finds (
    find INTEGER PRIMARY KEY,
    step INTEGER NOT NULL REFERENCES steps (step),
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    name TEXT NOT NULL,                -- the original name, with an ending
    mime TEXT NOT NULL,                -- as found
    parent TEXT NOT NULL,              -- the page that led to it
    size_bytes INTEGER NOT NULL,
    sha256 TEXT,                       -- NULL: no file belongs to it
    at_s REAL NOT NULL,
    link_text TEXT NOT NULL DEFAULT '',  -- the words of the link that led to it
    around TEXT NOT NULL DEFAULT '',     -- of its row or item, where they say nothing
    page_title TEXT NOT NULL DEFAULT '', -- of the page with the link
    headings TEXT NOT NULL DEFAULT '',   -- above the link, the outermost first: A > B
    licence TEXT NOT NULL DEFAULT '',    -- an address or a name, where the page tells it
    modified TEXT NOT NULL DEFAULT ''    -- Last-Modified (UTC), or as the portal writes it
);

CREATE TABLE checkpoints (
    checkpoint INTEGER PRIMARY KEY,
    steps INTEGER NOT NULL,            -- steps and answers that it covers
    answers INTEGER NOT NULL,
    at_s REAL NOT NULL,
    state BLOB NOT NULL                -- the strategy's state and the steps in flight, packed
);

{PIECES}; -- parts of these states that are long, packed
"""
