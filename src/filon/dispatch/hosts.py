"""Which hosts a run asks, so that no two runs ask one at the same time.

Some runs say beforehand where they go. Others go where links lead, as their verb says: what these
have asked so far is in their ledgers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.core import FilonError
from filon.page.url import origin, parse
from filon.run import readonly
from filon.verbs.registry import verb_in

#: Settings that hold addresses.
_ADDRESSES = ("url", "more_urls", "seeds", "sites")


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
    addresses = [one for name in _ADDRESSES for one in _texts(config.get(name))]
    hosts = frozenset(filter(None, map(host, addresses)))
    return Reach(hosts, _roams(config))


def _roams(config: Mapping[str, Any]) -> bool:
    try:
        return verb_in(config).roams(config)
    except FilonError:  # of a package that is not here: it may go anywhere
        return True


def host(url: str) -> str:
    """Return the host of an address, with its port where that is not the usual one.

    >>> host("http://127.0.0.1:8080/a"), host("https://example.org:443/")
    ('127.0.0.1:8080', 'example.org')
    """
    return origin(parse(url)).partition("://")[2]


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
