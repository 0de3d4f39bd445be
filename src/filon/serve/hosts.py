"""Which hosts a run asks, so that no two runs ask one at the same time.

A harvest or an enrichment says beforehand where it goes. A discovery, an acquisition or a run that
follows Linked Data goes where links lead: what it has asked so far is in its ledger.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.core import FilonError
from filon.page.url import split
from filon.run import readonly

#: Verbs that stay where they begin.
_BOUND = frozenset({"harvest", "replicate", "enrich", "refresh"})
#: Settings that hold addresses.
_ADDRESSES = ("url", "more_urls", "seeds", "sites")
_USUAL = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a run goes.

    hosts: those that are known beforehand. roams: it may go elsewhere too.
    """

    hosts: frozenset[str]
    roams: bool = False

    def meets(self, other: "Reach") -> bool:
        """Say whether two runs would ask the same host, or may do so anywhere."""
        return bool(self.hosts & other.hosts) or (self.roams and other.roams)


def reach(config: Mapping[str, Any]) -> Reach:
    """Return where a run goes, of its settings as run.toml has them.

    >>> sorted(reach({"verb": "harvest", "url": "https://Example.org/data"}).hosts)
    ['example.org']
    """
    verb = str(config.get("verb") or "harvest")
    within = config.get("within") in ("host", "domain")
    addresses = [one for name in _ADDRESSES for one in _texts(config.get(name))]
    hosts = frozenset(filter(None, map(host, addresses)))
    return Reach(hosts, roams=verb not in _BOUND and not within)


def host(url: str) -> str:
    """Return the host of an address, with its port where that is not the usual one.

    >>> host("http://127.0.0.1:8080/a"), host("https://example.org:443/")
    ('127.0.0.1:8080', 'example.org')
    """
    try:
        parts = split(url)
        name, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return ""
    return name if port in (None, _USUAL.get(parts.scheme)) else f"{name}:{port}"


def has_asked(run: Path, hosts: Iterable[str]) -> bool:
    """Say whether a run has asked one of these hosts so far; of one that is made of parts, any."""
    try:
        return any(_has_asked(part, hosts) for part in (run, *readonly.parts(run)))
    except FilonError:
        return False


def _has_asked(run: Path, hosts: Iterable[str]) -> bool:
    with readonly.reading(run) as ledger:
        for scheme in ("http", "https"):
            for one in hosts:
                start = f"{scheme}://{one}/"  # the index on addresses answers it
                row = ledger.execute(
                    "SELECT 1 FROM steps WHERE url >= ? AND url < ? LIMIT 1",
                    (start, f"{start[:-1]}0"),
                ).fetchone()
                if row:
                    return True
    return False


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(one) for one in value] if isinstance(value, list | tuple) else []
