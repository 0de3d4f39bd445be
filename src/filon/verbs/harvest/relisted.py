"""A portal's own lists, asked again: what they say has changed since a harvest.

A round of a run whose site was a portal asks no file that the lists name one by one. The calls come
first; what they bring that is new is fetched at once, and the strategy within is told which files
belong to datasets that were modified, and which do not.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from filon.core import Response, Step, Strategy
from filon.core.abilities import HearsChanges, able
from filon.core.portal import File, Listing, Portal, TellsChanges
from filon.core.state import Fields
from filon.page.url import host
from filon.portals.since import OVERLAP, changes, first, is_refused
from filon.run import readonly
from filon.verbs.harvest.portal import Enumerated, said_of
from filon.verbs.harvest.strategies.site import SiteState


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What is known of a portal from a harvest of it and its rounds.

    name, base: the software, and where its API is.
    since_s: when its lists were last asked for, and read to the end.
    listed: the files that they named. dates: when the datasets of these were modified, as they
        said then.
    """

    name: str
    base: str
    since_s: float
    listed: frozenset[str] = frozenset()
    dates: Mapping[str, str] = field(default_factory=dict)


def before(folders: Sequence[Path]) -> Before | None:
    """Return what a harvest knows of its portal; None: it is none, or its lists were cut short.

    folders: of the harvest, and of its rounds, the oldest first.
    """
    known: Before | None = None
    for folder in folders:
        with readonly.reading(folder) as ledger:
            portal = readonly.learnt(ledger).get("portal") or {}
            name, base = str(portal.get("software") or ""), str(portal.get("base") or "")
            if not base:
                continue
            began_s, calls = ledger.execute(
                "SELECT MIN(at_s), COUNT(*) FROM steps"
                " WHERE kind = 'portal' AND answer NOTNULL AND why LIKE 'it lists %'"
            ).fetchone()
            named = ledger.execute(
                "SELECT url FROM steps WHERE arm = ? AND kind IN ('target', 'redirect')", (name,)
            )
            listed = frozenset(row[0] for row in named)
            finds = ledger.execute(readonly.all_finds(ledger))
            dates = {find["url"]: find["modified"] for find in finds if find["url"] in listed}
        if known and known.base == base:
            listed, dates = listed | known.listed, {**known.dates, **dates}
        if calls and calls >= portal.get("calls", 0) and not portal.get("problem"):
            known = Before(name=name, base=base, since_s=began_s, listed=listed, dates=dates)
        elif known:
            known = replace(known, listed=listed, dates=dates)
    return known


class Relisted(Enumerated):
    """A look at what a portal says has changed, before the strategy within looks for itself."""

    STATE: ClassVar[Fields] = ("_changed", "_named", "_is_over")

    def __init__(
        self,
        inner: Strategy,
        site: SiteState,
        portals: Mapping[str, Portal],
        known: Before,
    ) -> None:
        super().__init__(inner, site, portals, lambda _: ())
        self._known = known
        self._looks = self._tries = 0
        self._name, self._base = known.name, known.base
        self._moment = datetime.fromtimestamp(known.since_s, UTC) - OVERLAP
        self._changed: set[str] = set()
        self._named: set[str] = set()  # where a list names all, its files
        self._is_over = False
        if known.name in portals:
            self._ask([first(portals[known.name], known.base, self._moment)], known.base)
        else:
            self._is_over = True

    def propose(self) -> Step | None:
        """Return the next call or new file; the strategy within waits for the last list."""
        if not self._ready and not self._is_over and self._flying:
            return None
        return super().propose()

    def _purpose(self) -> str:
        return f"it lists what has changed at {self._base} since {self._moment:%Y-%m-%d %H:%M}"

    def _list(self, step: Step, response: Response) -> None:
        portal = self._portals[self._name]
        listing = changes(portal, response, self._moment)
        if self._calls == 1 and is_refused(listing):
            self._ask([portal.begin(self._base)], response.url)
        else:
            self._problem = self._problem or (listing.detail if listing.problem else "")
        self._take(listing)
        if self._is_whole:
            self._name_all(portal.read(response))
        self._ask([*([listing.more] if listing.more else []), *listing.also], response.url)
        if not any(role == "list" for role, _ in (*self._ready, *self._flying.values())):
            self._tell()

    def _take(self, listing: Listing) -> None:
        self._changed.update(listing.gone)
        for dataset in listing.datasets:
            context, files = said_of(dataset), list(self._wanted(dataset.files))
            if files and context.modified and self._is_as_dated(files, context.modified):
                continue
            if dataset.url:
                self._changed.add(dataset.url)
            for file in files:
                self._changed.add(file.url)
                self._offer(file, context, dataset.url or self._base)

    def _is_as_dated(self, files: Sequence[File], modified: str) -> bool:
        """Say whether files are known of a dataset with the same date: it was in the overlap."""
        return all(self._known.dates.get(file.url) == modified for file in files)

    @property
    def _is_whole(self) -> bool:
        portal = self._portals[self._name]
        return isinstance(portal, TellsChanges) and portal.whole

    def _name_all(self, listing: Listing) -> None:
        named = (file.url for dataset in listing.datasets for file in dataset.files)
        self._named.update(url for url in named if url in self._known.listed)

    def _tell(self) -> None:
        """Hand on what the lists say, once they have been read to the end."""
        self._is_over = True
        listener = able(self.inner, HearsChanges)
        if listener:
            missing = self._known.listed - self._named if self._is_whole else ()
            changed = self._changed.union(() if self._problem else missing)
            listener.hear_changes(changed, [] if self._problem else self._same(changed))

    def _same(self, changed: Collection[str]) -> list[str]:
        """Return the files that have not changed; of those elsewhere it knows but an address."""
        own = host(self._base)
        return sorted(url for url in self._known.listed - set(changed) if host(url) == own)
