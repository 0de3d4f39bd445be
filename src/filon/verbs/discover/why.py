"""Why a site is in the list of a discovery: what led to it, and what was verified."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from filon.run import readonly
from filon.run.chain import spellings
from filon.run.text import count, plain
from filon.verbs.discover.found import Site, is_discovered, read_sites


def why_site(run_path: Path, ledger: sqlite3.Connection, wanted: str) -> tuple[str, str]:
    """Return lines about a site by its address, its name or that of a mirror, and its address."""
    sites = read_sites(run_path, ledger)
    found = _among(sites, wanted)
    return (_told(found, len(sites)), found.url) if found else ("", wanted)


def site_of(run_path: Path, wanted: str) -> dict[str, Any]:
    """Return the same as plain data; nothing where there is no such site, or no discovery."""
    if not is_discovered(run_path):
        return {}
    with readonly.reading(run_path) as ledger:
        found = _among(read_sites(run_path, ledger), wanted)
    return found.told() if found else {}


def _among(sites: Sequence[Site], wanted: str) -> Site | None:
    names = {wanted.strip().lower(), *spellings(wanted.strip())}
    return next((site for site in sites if names & _names(site)), None)


def _names(site: Site) -> set[str]:
    return {site.url, site.site, *site.mirrors}


def _told(site: Site, number: int) -> str:
    kind = "a repository" if site.kind == "repository" else "a site"
    verdict = f"; you have {site.verdict} it" if site.verdict else ""
    lines = [
        plain(site.url),
        f"  is {kind}, number {count(site.rank)} of {count(number)}{verdict}",
        f"  because {plain(site.why)}",
        f"  verified: {plain(site.verified) or 'nothing was looked for'}",
        f"  score {site.score:.4g}, which orders the list of this run",
    ]
    if site.rank != site.place:
        lines.append(f"  number {count(site.place)} before your review")
    if site.mirrors:
        lines.append(f"  the same as {plain(', '.join(site.mirrors[:5]))}")
    return "\n".join([*lines, "", ""])
