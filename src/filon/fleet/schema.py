"""The tables of a store, and how one that is at work gets those of a newer version.

Every step only adds: a column with a default, a table, an index. Workers of the version before
name the columns that they know, and so do not notice. A step that is out is never changed, and
does no harm when it is taken again after it broke off.
"""

#: What finds have, as in a ledger and besides, and how each is kept.
FIND = {
    **dict.fromkeys(("find", "step"), "BIGINT"),
    **dict.fromkeys(("kind", "url", "name", "mime", "parent"), "TEXT"),
    "size_bytes": "BIGINT",
    "sha256": "TEXT",
    "at_s": "DOUBLE PRECISION",
    **dict.fromkeys(("link_text", "around", "page_title"), "TEXT"),
    **dict.fromkeys(("headings", "licence", "modified"), "TEXT"),
    "words": "TEXT",  # by which it is found: see `filon.fleet.search_words`
}
#: The same, with what came later: what a worker saw in the file, as JSON.
ALL = {**FIND, "profile": "TEXT"}
_FIRST = (
    """CREATE TABLE IF NOT EXISTS fleet (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    settings TEXT NOT NULL,              -- JSON
    is_paused INTEGER NOT NULL DEFAULT 0,
    budget_requests BIGINT, budget_bytes BIGINT, budget_finds BIGINT,   -- NULL: no bound
    budget_seconds DOUBLE PRECISION,
    elapsed_s DOUBLE PRECISION NOT NULL DEFAULT 0,  -- in which any worker was there …
    at_s DOUBLE PRECISION NOT NULL       -- … up to this moment
)""",
    """CREATE TABLE IF NOT EXISTS workers (
    name TEXT PRIMARY KEY,
    node TEXT NOT NULL,
    term BIGINT NOT NULL,                -- its life: how often it has joined
    is_gone INTEGER NOT NULL DEFAULT 0,  -- it left, or was taken for dead
    is_draining INTEGER NOT NULL DEFAULT 0,
    can_send INTEGER NOT NULL DEFAULT 0, -- it has something left of what it drew
    seen_s DOUBLE PRECISION NOT NULL,
    lease_until_s DOUBLE PRECISION NOT NULL,
    drawn_requests BIGINT NOT NULL DEFAULT 0, drawn_bytes BIGINT NOT NULL DEFAULT 0,
    used_requests BIGINT NOT NULL DEFAULT 0, used_bytes BIGINT NOT NULL DEFAULT 0,
    lost_requests BIGINT NOT NULL DEFAULT 0, lost_bytes BIGINT NOT NULL DEFAULT 0,  -- earlier lives
    finds BIGINT NOT NULL DEFAULT 0,
    figures TEXT NOT NULL DEFAULT '{{}}' -- JSON
) {loose}""",
    """CREATE TABLE IF NOT EXISTS sites (
    name TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    address TEXT NOT NULL,               -- '': not known yet
    promise DOUBLE PRECISION NOT NULL,
    expected DOUBLE PRECISION NOT NULL,  -- of the next request; of a new site what it promises
    state TEXT NOT NULL DEFAULT '',      -- '': may go on; else why it ended
    note TEXT NOT NULL DEFAULT '',
    owner TEXT NOT NULL DEFAULT '',      -- the worker that has it; '': nobody
    parked TEXT NOT NULL DEFAULT '',     -- the host or address of another site that it waits for
    epoch BIGINT NOT NULL DEFAULT 0,
    piece BIGINT NOT NULL DEFAULT 0, piece_epoch BIGINT NOT NULL DEFAULT 0,
    losses INTEGER NOT NULL DEFAULT 0,   -- how many workers died with it, one after the other
    requests BIGINT NOT NULL DEFAULT 0, bytes BIGINT NOT NULL DEFAULT 0,
    finds BIGINT NOT NULL DEFAULT 0,
    new_requests BIGINT NOT NULL DEFAULT 0, new_bytes BIGINT NOT NULL DEFAULT 0,
    new_finds BIGINT NOT NULL DEFAULT 0, -- of the last commit alone
    cpu_s DOUBLE PRECISION NOT NULL DEFAULT 0,
    stored_bytes BIGINT NOT NULL DEFAULT 0,
    changed_s DOUBLE PRECISION NOT NULL DEFAULT 0
) {loose}""",
    "CREATE INDEX IF NOT EXISTS sites_free ON sites (expected DESC, name)"
    " WHERE state = '' AND owner = '' AND parked = ''",
    "CREATE INDEX IF NOT EXISTS sites_held ON sites (owner) WHERE owner <> ''",
    "CREATE INDEX IF NOT EXISTS sites_parked ON sites (parked, expected DESC, name)"
    " WHERE parked <> ''",
    """CREATE TABLE IF NOT EXISTS holds (
    what TEXT PRIMARY KEY,               -- a host or an address that is asked for one site …
    site TEXT NOT NULL,
    owner TEXT NOT NULL                  -- … by one worker
) {loose}""",
    "CREATE INDEX IF NOT EXISTS holds_owner ON holds (owner)",
    f"""CREATE TABLE IF NOT EXISTS finds (
    number {{serial}},
    site TEXT NOT NULL,
    {", ".join(f"{name} {kind}" for name, kind in FIND.items())},
    UNIQUE (site, find)
)""",
    """CREATE TABLE IF NOT EXISTS events (
    number {serial},
    at_s DOUBLE PRECISION NOT NULL,
    worker TEXT NOT NULL,
    site TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL
)""",
)
_PROFILE = ("ALTER TABLE finds ADD COLUMN {if_missing} profile TEXT",)
#: An index that broke off is there and of no use: it is made anew.
_SEARCH = (
    "DROP INDEX IF EXISTS finds_text",
    "CREATE INDEX CONCURRENTLY finds_text ON finds USING gin (string_to_array(words, ' '))",
)
#: By version: the statements that make its tables of those of the version before.
STEPS: dict[int, tuple[str, ...]] = {1: _FIRST, 2: _PROFILE, 3: ()}
#: The same, of one kind of database alone.
BESIDES: dict[str, dict[int, tuple[str, ...]]] = {"postgresql": {3: _SEARCH}}
VERSION = max(STEPS)
