"""Why a site is in the list of a discovery: what led to it, and what was verified."""

import sqlite3
from pathlib import Path

from filon.run.chain import spellings
from filon.run.found import Site, read_sites
from filon.run.plain import count, plain


def why_site(run_path: Path, ledger: sqlite3.Connection, wanted: str) -> tuple[str, str]:
    """Return lines about a site by its address, its name or that of a mirror, and its address."""
    sites = read_sites(run_path, ledger)
    names = {wanted.strip().lower(), *spellings(wanted.strip())}
    found = next((site for site in sites if names & _names(site)), None)
    return (_told(found, len(sites)), found.url) if found else ("", wanted)


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
