"""Why a site is in the list of a discovery: what led to it, and what was verified."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from filon.run import readonly
from filon.run import why as run_why
from filon.run.chain import matches, spellings
from filon.run.text import count, plain
from filon.verbs.discover.found import Site, read_found


def why(run_path: Path, wanted: str) -> str:
    """Tell why a site is on the list or beside it, and its way.

    wanted: its address, its name or that of a mirror. What is in no list is told as of any run.
    """
    with readonly.reading(run_path) as ledger:
        sites = read_found(run_path, ledger)
        found = _among(sites, wanted)
        if not found:
            return run_why.why(run_path, wanted)
        steps = matches(ledger, found.url)
        site = _sentence(found, len(sites))
        return site + run_why.way(ledger, steps, named=False) if steps else site.rstrip()


def site_of(run_path: Path, wanted: str) -> dict[str, Any]:
    """Return the same as plain data; nothing where there is no such site."""
    with readonly.reading(run_path) as ledger:
        found = _among(read_found(run_path, ledger), wanted)
    return found.row() if found else {}


def _among(sites: Sequence[Site], wanted: str) -> Site | None:
    names = {wanted.strip().lower(), *spellings(wanted.strip())}
    return next((site for site in sites if names & _names(site)), None)


def _names(site: Site) -> set[str]:
    return {site.url, site.site, *site.mirrors}


def _sentence(site: Site, number: int) -> str:
    kind = "a repository" if site.kind == "repository" else "a site"
    if site.apart:
        kind = f"beside the list: {site.apart}"
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
