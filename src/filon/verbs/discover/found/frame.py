"""The ranked list of a run, as data frames take it."""

from dataclasses import fields
from pathlib import Path
from typing import Any, get_origin

from filon.run import readonly
from filon.run.frame import Frame
from filon.verbs.discover.found.listing import TABLE, read_sites
from filon.verbs.discover.found.site import COLUMNS, Site

_KINDS: dict[str, Any] = {
    entry.name: get_origin(entry.type) or entry.type for entry in fields(Site)
}


def site_frame(run_path: Path) -> Frame:
    """Return the sites and repositories, best first, with why each is there."""
    with readonly.reading(run_path) as ledger:
        sites = read_sites(run_path, ledger)
    kinds = {**{name: _KINDS[name] for name in COLUMNS}, "why": str}
    rows = [tuple(site.row()[name] for name in kinds) for site in sites]
    return Frame(kinds, lambda: rows, size=lambda: len(rows), path=run_path / TABLE)
