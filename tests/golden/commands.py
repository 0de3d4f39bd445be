"""Every command that ends with one JSON object, on the small web, and the shape of the object."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from golden.folders import say
from golden.play import SEARCH, SEED, SOURCE, START, TOPIC, reading_list, serving

SITE = "http://clearwater.test/"
#: Keys whose values are held too: the others tell times, places and sentences.
HELD = frozenset(
    {
        *("verb", "strategy", "stopped", "requests", "finds", "rows", "calls", "at_hand", "spent"),
        *("documents", "triples", "hosts", "repositories", "sites", "answers", "dry_run", "to"),
        *("first_requests", "forgotten", "types", "turned_down"),
    }
)
_BOOKS = ("enrich", "books.csv", "--from", "library.toml", "--match", "title,authors")
#: The runs that are made, in this order; the others look at what they leave.
RUNS: dict[str, tuple[object, ...]] = {
    "harvest": ("harvest", START, "--budget", "120req"),
    "discover": ("discover", TOPIC, "--search", f"searxng:url={SEARCH},rate=500/s",
                 "--budget", "60req"),
    "follow": ("follow", SEED, "--budget", "120req"),
    "enrich": (*_BOOKS, "--add", "year,publisher,isbn", "--budget", "20req"),
    "replicate": ("replicate", SITE, "--budget", "60req"),
}  # fmt: skip
LOOKS: dict[str, tuple[object, ...]] = {
    **{f"report {name}": ("report", name) for name in RUNS},
    **{f"export {name}": ("export", name, "--to", "jsonl") for name in RUNS},
    "export follow as quads": ("export", "follow", "--to", "nquads"),
    "why harvest": ("why", "harvest", START),
    "why discover": ("why", "discover", "http://upper-lakes-water-agency.test/"),
    "why follow": ("why", "follow", SEED),
    "why enrich": ("why", "enrich", "1"),
    "why replicate": ("why", "replicate", SITE),
    "review discover": ("review", "discover"),
    "review enrich": ("review", "enrich"),
    "compare": ("compare", "replicate", "--strategies", "bfs,vein", "--seeds", 1,
                "--processes", 1, "--out", "tables"),
    "cache": ("cache",),
    "cache --clear": ("cache", "--clear"),
    "source list": ("source", "list"),
}  # fmt: skip


def objects(folder: Path) -> dict[str, object]:
    """Run all commands in an empty folder; return what each ended with."""
    told: dict[str, object] = {}
    with serving() as server, working_in(folder):
        here = ("--connect-to", server.connect_to, "--delay", 0)
        for name, words in RUNS.items():
            told[f"{name} --dry-run"] = end(*words, *here, "--dry-run", "--out", name)
            told[name] = end(*words, *here, "--out", name)
        for name, words in LOOKS.items():
            told[name] = end(*words)
        for name in RUNS:
            told[f"resume {name}"] = end("resume", name, *here, "--budget", "140req")
        told["source check"] = end("source", "check", "library.toml", *here)
    return told


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Work in a folder with a table and a source, a cache of its own, and three answers."""
    before, cache, typed = Path.cwd(), os.environ.get("FILON_CACHE"), sys.stdin
    (folder / "books.csv").write_text(reading_list(), "utf-8")
    (folder / "library.toml").write_text(SOURCE, "utf-8")
    os.chdir(folder)
    os.environ["FILON_CACHE"] = "answers.sqlite"
    try:
        yield
    finally:
        os.chdir(before)
        sys.stdin = typed
        del os.environ["FILON_CACHE"]
        if cache is not None:
            os.environ["FILON_CACHE"] = cache


def end(*words: object) -> object:
    """Run a command; return its exit code, and the shape of the object that it ends with."""
    sys.stdin = StringIO("y\nn\nq\n")
    code, said = say(*words, "--json")
    if code:
        return [code]
    ended = json.loads(said.splitlines()[-1])
    return [code, {key: _held(key, value) for key, value in ended.items()}]


def _held(key: str, value: Any) -> object:
    return {"is": value} if key in HELD else shape(value)


def shape(value: Any) -> object:
    """Return the keys and types of a value; of a list, those of its first entry."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value[:1]]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    return {str: "text", bool: "bool", type(None): "null"}[type(value)]
