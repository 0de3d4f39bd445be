"""What is watched, how often, and when not: the file of `filon watch`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from math import inf
from pathlib import Path
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from filon.core import Budget, UserError
from filon.core.suggest import unknown
from filon.page.url import host, parse
from filon.verbs.option import table_in
from filon.verbs.refresh.lengths import seconds

_HOURS = re.compile(r"(\d{1,2}):(\d\d)\s*-\s*(\d{1,2}):(\d\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """One site that is watched.

    url: where it begins; "": it is a run that is there. run: its folder.
    interval_s: seconds from the beginning of a round to that of the next.
    budget: of a round. first: of the harvest that it begins with. pages: as for a round.
    quiet: hours in which nothing is asked. zone: of these; "": this machine's.
    """

    run: Path
    url: str = ""
    interval_s: float = 86_400.0
    budget: str = ""
    first: str = ""
    pages: float | None = None
    quiet: str = ""
    zone: str = ""

    def due_s(self, last_s: float, now_s: float) -> float:
        """Return when it is to be looked at next, no earlier than now.

        last_s: when the last round began; 0: there was none. One that lies further ahead than an
            interval was told by a clock that has been set back since.
        """
        if last_s > now_s + self.interval_s:
            last_s = 0.0
        due_s = max(now_s, last_s + self.interval_s if last_s else now_s)
        return self._after_quiet(due_s)

    def until_quiet_s(self, at_s: float) -> float:
        """Return how many seconds are left until quiet hours begin; 0 within them."""
        if not self.quiet:
            return inf
        if self._after_quiet(at_s) > at_s:
            return 0.0
        begins, _ = _hours(self.quiet)
        here = datetime.fromtimestamp(at_s, ZoneInfo(self.zone) if self.zone else None)
        return _next(here, begins).timestamp() - at_s

    def _after_quiet(self, at_s: float) -> float:
        if not self.quiet:
            return at_s
        begins, ends = _hours(self.quiet)
        zone = ZoneInfo(self.zone) if self.zone else None
        here = datetime.fromtimestamp(at_s, zone)
        clock = here.time().replace(tzinfo=None)
        is_quiet = begins <= clock < ends if begins < ends else clock >= begins or clock < ends
        if not is_quiet:
            return at_s
        return _next(here, ends).timestamp()


def _next(here: datetime, clock: time) -> datetime:
    """Return when a clock on the wall shows a time next."""
    then = here.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
    return then if then > here else then + timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A file of sites to watch.

    feed: the Atom feed that is written; None: none. hook: a command that hears of changes.
    """

    sites: tuple[Watched, ...]
    feed: Path | None = None
    hook: str = ""
    title: str = ""

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file; a UserError says what is wrong with it."""
        table = table_in(path)
        try:
            return cls.of(table, path.parent, path.stem)
        except UserError as error:
            raise UserError(f"{path}: {error}") from error

    @classmethod
    def of(cls, table: Mapping[str, Any], base: Path, title: str = "") -> Self:
        """Return what a table says; paths in it are relative to a folder.

        >>> one = {"url": "http://a.org/", "interval": "6h"}
        >>> Schedule.of({"site": [one]}, Path("here")).sites[0].run.as_posix()
        'here/watched/a.org'
        """
        general = {name: value for name, value in table.items() if name in _DEFAULTS}
        for name in table:
            if name not in (*_DEFAULTS, *_OWN):
                raise unknown("word", name, (*_DEFAULTS, *_OWN))
        folder = base / _text(table, "folder", "watched")
        listed = table.get("site", [])
        if not isinstance(listed, list) or not listed:
            raise UserError("it names no site: begin each with [[site]] and its url.")
        sites: dict[Path, Watched] = {}
        for one in listed:
            if not isinstance(one, dict):
                raise UserError(f"a site is a table with a url, not {one!r}.")
            site = _site({**general, **one}, folder, base)
            if site.run in sites:
                raise UserError(f"two sites are to be kept in {site.run}: name the run of one.")
            sites[site.run] = site
        feed = _text(table, "feed")
        return cls(
            sites=tuple(sites.values()),
            feed=base / feed if feed else None,
            hook=_text(table, "hook").strip(),
            title=_text(table, "title", title),
        )


#: Words that a site may have, and that stand for all sites where they are said above them.
_DEFAULTS = ("interval", "budget", "first", "pages", "quiet", "zone")
#: Words for the file as a whole, and for a site alone.
_OWN, _SITE = ("folder", "feed", "hook", "title", "site"), ("url", "run")


def _site(words: Mapping[str, Any], folder: Path, base: Path) -> Watched:
    for name in words:
        if name not in (*_DEFAULTS, *_SITE):
            raise unknown("word of a site", name, (*_DEFAULTS, *_SITE))
    url, run = _text(words, "url"), _text(words, "run")
    if url and not parse(url):
        raise UserError(f"{url} is not a web address.")
    if not (url or run):
        raise UserError("a site needs a url, or the run that is there of it.")
    site = Watched(
        url=url,
        run=base / run if run else folder / (host(url) or "site"),
        interval_s=seconds(_text(words, "interval", "1d")),
        budget=_text(words, "budget"),
        first=_text(words, "first"),
        quiet=_text(words, "quiet"),
        zone=_text(words, "zone"),
    )
    for budget in filter(None, (site.budget, site.first)):
        Budget.parse(budget)
    if site.quiet:
        _hours(site.quiet)
    if site.zone:
        _check_zone(site.zone)
    pages = words.get("pages")
    if pages is not None and not (isinstance(pages, int | float) and 0 <= pages <= 1):
        raise UserError(f"pages is a share from 0 to 1, not {pages!r}.")
    return replace(site, pages=pages)


def _hours(text: str) -> tuple[time, time]:
    found = _HOURS.fullmatch(text.strip())
    try:
        if found:
            numbers = [int(part) for part in found.groups()]
            begins, ends = time(numbers[0], numbers[1]), time(numbers[2], numbers[3])
            if begins != ends:
                return begins, ends
    except ValueError:
        pass
    raise UserError(f"the quiet hours {text!r} are not understood: write them like 08:00-18:00.")


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UserError(f"the zone {name!r} is not known: name one like Europe/Paris.") from None


def _text(words: Mapping[str, Any], name: str, default: str = "") -> str:
    value = words.get(name, default)
    if isinstance(value, int) and name in ("budget", "first"):
        value = str(value)
    if not isinstance(value, str):
        raise UserError(f"{name} must be a text, not {value!r}.")
    return value
