"""What the user's metadata.json says of the plugin: the folder of runs, sources, the most calls.

{"plugins": {"datasette-filon": {
    "folder": "filon-runs",
    "sources": ["openalex", {"source": "ckan", "set": {"url": "https://demo.ckan.org"}}],
    "budget": 500
}}}
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from filon.catalog.open_catalog import OpenCatalog
from filon.contrib.datasette import NAME
from filon.core import UserError
from filon.core.suggest import did_you_mean
from filon.run import readonly
from filon.services.describe import find, shipped
from filon.verbs.enrich import Enrich
from filon.verbs.session import RUNS

_KNOWN = ("folder", "sources", "budget", "delay", "allow")
#: The catalogs of the Datasettes of this process.
_SHELVES: "WeakKeyDictionary[Any, tuple[Path, OpenCatalog]]" = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A source that a table may be enriched from. set: its own parameters."""

    source: str
    set: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the user has chosen.

    folder: of the runs. budget: the most calls that anybody may ask for.
    delay: seconds between calls; None: what a source allows.
    """

    folder: Path
    sources: Mapping[str, Offered]
    budget: int
    delay: float | None = None


def choices(datasette: Any) -> Choices:
    """Return what the user has chosen; a UserError where that makes no sense."""
    given = datasette.plugin_config(NAME) or {}
    if not isinstance(given, dict):
        raise UserError(f"{NAME} in the metadata must be an object, as {{'folder': 'filon-runs'}}.")
    for name in given:
        if name not in _KNOWN:
            raise UserError(f"{NAME} has no setting {name!r}: {did_you_mean(name, _KNOWN)}")
    budget, delay = given.get("budget", Enrich.usual_requests), given.get("delay")
    if not isinstance(budget, int) or isinstance(budget, bool) or budget < 1:
        raise UserError(f"The budget of {NAME} is a number of calls from 1 on, not {budget!r}.")
    if delay is not None and (not isinstance(delay, int | float) or delay < 0):
        raise UserError(f"The delay of {NAME} is a number of seconds, not {delay!r}.")
    return Choices(
        folder=Path(str(given.get("folder", RUNS))).absolute(),
        sources=_sources(given.get("sources")),
        budget=budget,
        delay=delay,
    )


def allowed(datasette: Any) -> Any:
    """Return who may see the pages, as Datasette's allow blocks say it; None: all."""
    given = datasette.plugin_config(NAME) or {}
    return given.get("allow") if isinstance(given, dict) else None


@cache
def _usual() -> Mapping[str, Offered]:
    """Return the sources that come with Filon and need to be told nothing."""
    described = [find(name) for name in shipped()]
    return {
        one.name: Offered(source=one.name)
        for one in described
        if not one.forbidden and not any(p.required for p in one.parameters.values())
    }


def _sources(given: Any) -> Mapping[str, Offered]:
    """Return the sources by their names."""
    if given is None:
        return _usual()
    if not isinstance(given, list):
        raise UserError(f"The sources of {NAME} are a list of names or files.")
    found: dict[str, Offered] = {}
    for one in given:
        offered = _offered(one)
        name = find(offered.source).name
        found[name if name not in found else f"{name} ({len(found) + 1})"] = offered
    return found


def _offered(given: Any) -> Offered:
    if isinstance(given, str):
        return Offered(source=given)
    if isinstance(given, dict) and isinstance(given.get("source"), str):
        told = given.get("set") or {}
        return Offered(source=given["source"], set={str(k): str(v) for k, v in told.items()})
    raise UserError(f"A source of {NAME} is a name, or an object with source and set: {given!r}.")


def open_catalog(datasette: Any) -> OpenCatalog:
    """Return the catalog of the runs, one for each Datasette."""
    folder = choices(datasette).folder
    held = _SHELVES.get(datasette)
    if held is None or held[0] != folder:
        held = folder, OpenCatalog(folder)
        _SHELVES[datasette] = held
    return held[1]


def run_path(folder: Path, name: str) -> Path:
    """Return where a run is that an address names; a UserError where it is not in the folder."""
    path = (folder / name).resolve()
    if not name or not path.is_relative_to(folder.resolve()):
        raise UserError(f"There is no run {name!r}.")
    if not (path / readonly.CONFIG).is_file():
        raise UserError(f"There is no run {name!r}.")
    return path
