"""The list of what was discovered: sites.json, and sites.csv and harvest.txt made from it.

It is made anew whenever a session ends, a review is over or a kill came in between.
"""

import csv
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

from filon.run import readonly
from filon.run.disk import replace_text
from filon.run.text import cell
from filon.verbs.discover.found.dcat import catalogue
from filon.verbs.discover.found.site import COLUMNS, Site

SITES, TABLE, HARVEST, CATALOGUE = "sites.json", "sites.csv", "harvest.txt", "catalog.ttl"
#: The second list: what was found and does not belong on the first.
OTHERS = "others.csv"
VERSION = 1


def read_sites(run_path: Path, ledger: sqlite3.Connection) -> list[Site]:
    """Return the list of a run, best first."""
    return [site for site in read_found(run_path, ledger) if not site.apart]


def read_found(run_path: Path, ledger: sqlite3.Connection) -> list[Site]:
    """Return all that a run has found: the list, best first, and what stands beside it.

    That is the whole list of the last session that ended; of one that goes on, or was cut short,
    the best as the last checkpoint tells them.
    """
    whole = _stored(run_path)
    stored = [Site.of(each) for each in (*whole.get("sites", ()), *whole.get("others", ()))]
    if whole and whole.get("answers") == _answers(ledger):
        return stored
    rows = readonly.learnt(ledger).get("found")
    found = [one for one in rows if isinstance(one, dict)] if isinstance(rows, list) else []
    return numbered(map(Site.of, found)) if found or not whole else stored


def numbered(sites: Iterable[Site]) -> list[Site]:
    """Return sites with their places as the strategy ordered them."""
    return [replace(site, rank=n, place=n) for n, site in enumerate(sites, start=1)]


def is_listed(run_path: Path, ledger: sqlite3.Connection) -> bool:
    """Say whether the list is that of all answers: a kill may come between the two."""
    whole = _stored(run_path)
    there = all((run_path / name).is_file() for name in (TABLE, HARVEST, CATALOGUE))
    return there and bool(whole) and whole.get("answers") == _answers(ledger)


def write_sites(run_path: Path, sites: Sequence[Site]) -> None:
    """Write the list in all its forms, in place of earlier ones, and what stands beside it."""
    others = [site for site in sites if site.apart]
    sites = [site for site in sites if not site.apart]
    with readonly.reading(run_path) as ledger:
        answers = _answers(ledger)
    config = readonly.config(run_path)
    whole = {
        "version": VERSION,
        "topic": config.get("topic", ""),
        "seeds": config.get("seeds", []),
        "answers": answers,
        "sites": [site.row() for site in sites],
    }
    if others:
        whole["others"] = [site.row() for site in others]
    wanted = [site.url for site in sites if site.wanted]
    texts = {
        TABLE: as_csv(sites),
        HARVEST: "".join(f"{_bare(url)}\n" for url in wanted),
        CATALOGUE: as_catalogue(run_path, sites),
        **({OTHERS: as_csv(others)} if others or (run_path / OTHERS).exists() else {}),
        # Last: it says that the others are whole.
        SITES: json.dumps(whole, ensure_ascii=False, indent=1) + "\n",
    }
    for name, text in texts.items():
        replace_text(run_path / name, text, errors="replace")


def as_csv(sites: Iterable[Site]) -> str:
    """Return the list as a table in which no cell is a formula."""
    out = StringIO(newline="")
    writer = csv.writer(out)
    sites = list(sites)
    names = (*COLUMNS, "why", *(["apart"] if any(site.apart for site in sites) else []))
    writer.writerow(names)
    for site in sites:
        row = site.row()
        writer.writerow([_cell(row[name]) for name in names])
    return out.getvalue()


def as_catalogue(run_path: Path, sites: Iterable[Site]) -> str:
    """Return the list as DCAT, without what the user turned down."""
    with readonly.reading(run_path) as ledger:
        at_s = _last_s(ledger)
    kept = [site for site in sites if site.verdict != "rejected"]
    return catalogue(kept, run_path.name, readonly.config(run_path), at_s)


def _cell(value: Any) -> Any:
    if isinstance(value, tuple | list):
        value = " ".join(value)
    if isinstance(value, bool):
        return "yes" if value else ""
    return cell(value) if isinstance(value, str) else value


def _bare(url: str) -> str:
    """Return an address in which nothing is a quotation mark to xargs or a shell's read."""
    return "".join(quote(one, safe="") if one in "'\"\\ \t" else one for one in url)


def _stored(run_path: Path) -> dict[str, Any]:
    try:
        with closing((run_path / SITES).open(encoding="utf-8")) as file:
            whole = json.load(file)
    except (OSError, ValueError):
        return {}
    sound = isinstance(whole, Mapping) and isinstance(whole.get("sites"), list)
    return dict(whole) if sound else {}


def _answers(ledger: sqlite3.Connection) -> int:
    return int(ledger.execute("SELECT COUNT(answer) FROM steps").fetchone()[0])


def _last_s(ledger: sqlite3.Connection) -> float:
    return float(ledger.execute("SELECT COALESCE(MAX(at_s), 0) FROM steps").fetchone()[0])
