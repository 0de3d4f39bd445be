"""`filon demo`: from a topic to a table that did not exist before, in five stages.

Each stage is a command as a user would type it, and what it says is what that command says.
"""

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.text import Text

from filon.catalog.handle import Catalog
from filon.demo.country import SEARCH, TOPIC
from filon.demo.country.register import SOURCE
from filon.demo.place import activation, typed
from filon.demo.server import serving
from filon.verbs.look import open_run

#: Runs a command line and returns its exit code.
Run = Callable[[Sequence[str]], int]
BUDGET, CALLS = 800, 40
CACHE = "FILON_CACHE"
#: What is made one table of: the files of all agencies on this.
WORDS = ("nitrate", "rivers")
WATER, TABLE, ENRICHED = "water", "nitrate.csv", "enriched"
VIEW = "nitrate"
_QUERY = (
    "SELECT river, COUNT(DISTINCT station) AS stations, MIN(year) AS since, MAX(year) AS until, "
    "ROUND(AVG(value)) AS nitrate FROM nitrate GROUP BY river ORDER BY nitrate DESC LIMIT 5"
)


def story(run: Run, console: Console, folder: Path) -> int:
    """Go through the stages; return the exit code of the first command that fails, or 0."""
    folder.mkdir(parents=True)
    with serving() as server, _own_answers(folder):
        console.print(f"A small web of some sixty sites is up on 127.0.0.1:{server.port}.")
        (folder / "demo.toml").write_text(f'connect-to = "{server.connect_to}"\ndelay = 0\n')
        (folder / "register.toml").write_text(SOURCE, "utf-8")
        for number, (title, commands) in enumerate(STAGES.items(), start=1):
            console.print(Text(f"\n{number}. {title}", "bold"))
            for command in commands(folder):
                console.print(Text(f"$ {shlex.join(['filon', *command])}", "cyan"), soft_wrap=True)
                if code := run(command):
                    return code
    _go_on(console, folder)
    return 0


@contextmanager
def _own_answers(folder: Path) -> Iterator[None]:
    """Keep answers of services apart from the user's: what they know would not be asked."""
    before = os.environ.get(CACHE)
    os.environ[CACHE] = str(folder / "answers.sqlite")
    try:
        yield
    finally:
        os.environ.pop(CACHE)
        if before is not None:
            os.environ[CACHE] = before


def _topic(folder: Path) -> Iterator[list[str]]:
    how = ["--budget", f"{BUDGET}", "--search", f"searxng:url={SEARCH},rate=500/s"]
    yield ["acquire", TOPIC, *how, "--out", f"{folder / WATER}", *_config(folder)]


def _sites(folder: Path) -> Iterator[list[str]]:
    yield ["why", f"{folder / WATER}", _one_that_waits(folder / WATER)]


def _files(folder: Path) -> Iterator[list[str]]:
    yield ["catalog", "search", *WORDS, "--limit", "3", *_in(folder)]


def _union(folder: Path) -> Iterator[list[str]]:
    table = ["--as", VIEW, "--out", f"{folder / TABLE}"]
    yield ["catalog", "union", *_alike(folder / WATER), *table, *_in(folder)]
    yield ["catalog", "sql", _QUERY, *_in(folder)]


def _columns(folder: Path) -> Iterator[list[str]]:
    source = ["--from", f"{folder / 'register.toml'}", "--match", "station,river"]
    how = ["--add", "altitude,catchment", "--budget", f"{CALLS}", "--out", f"{folder / ENRICHED}"]
    yield ["enrich", f"{folder / TABLE}", *source, *how, *_config(folder)]


#: By title: the commands of a stage. A later one is made from what an earlier one brought.
STAGES: dict[str, Callable[[Path], Iterator[list[str]]]] = {
    "A topic: who has data on it is found and harvested, under one budget": _topic,
    "Its sites: each gets what it promises, and says why": _sites,
    "Their files: profiled as they came, and searched": _files,
    "A table that did not exist: the same columns of many agencies and years": _union,
    "More columns for it, from a register that only has a search box": _columns,
}


def _config(folder: Path) -> list[str]:
    return ["--config", f"{folder / 'demo.toml'}"]


def _in(folder: Path) -> list[str]:
    return ["--in", f"{folder / WATER}"]


def _one_that_waits(folder: Path) -> str:
    """Return the site that may go on and has had most for least; else the last one."""
    sites = [site for site in open_run(folder).sites() if site["url"]]
    waiting = [site for site in sites if not site["state"]] or sites
    return str(max(waiting, key=lambda site: site["requests"] / (1 + site["finds"]))["url"])


def _alike(folder: Path) -> list[str]:
    """Return the best file of each site on the words, by the first letters of its id."""
    found = Catalog(folder).search(" ".join(WORDS), limit=100)
    best: dict[str, str] = {}
    for hit in found:
        if all(word in hit["title"].lower() for word in WORDS):
            best.setdefault(hit["site"], hit["id"][:8])
    return list(best.values())


def _go_on(console: Console, folder: Path) -> None:
    ways = {
        "The report": f"{folder / 'water/report.html'}",
        "The table": f"{folder / 'enriched/enriched.csv'}",
        "Your topic": 'filon acquire "your topic" --budget 2000req,1GiB',
        "Much more": "filon demo --all",
    }
    lines = [f"{name:<12}{typed(way)}" for name, way in ways.items()]
    if typed("filon") != "filon":
        lines.append(f"{'To type':<12}filon alone: {activation()}")
    console.print(Text("\n".join(["", *lines])), soft_wrap=True)
