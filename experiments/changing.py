"""A recorded site that changes from round to round, and knows what has changed.

Rates are drawn by section, the longest part of the address that many files share: in all 5 % of
the files and pages change in a round, 2 % are new, 1 % vanish, some move. A new file, or a new page
with files, is linked from a page that lists the section; what vanishes or moves takes its links
along. Every answer that is a page tells the time and counts its visitors. The same seed gives the
same history, whoever asks for what.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from random import Random
from typing import NamedTuple

from experiments.edits import at_end, edited, linked
from filon.compare.replica import BEGAN_S, Replica
from filon.compare.static import StaticSite
from filon.core import Request, Response
from filon.core.web import hand_out
from filon.page.url import join, split

WEEK_S = 7 * 86_400.0
#: Of all files, or pages, in a round.
CHANGED, NEW, VANISHED, MOVED = 0.05, 0.02, 0.01, 0.003
#: New files that come with a page of their own, and how many such a page has.
ON_PAGES, PER_PAGE = 0.25, (1, 1, 2, 3)
#: How unlike sections are: rates are drawn from a Gamma distribution of this shape.
SHAPE = 0.25
MOST_CHANCE = 0.9
#: A section has no more of all files than this, where their names tell them apart.
LARGEST, SMALLEST = 0.2, 4
#: No file is older.
MOST_WEEKS = 500
#: Pages of a section that new links are put on.
LISTS = 3
_TOKENS = re.compile(r"[^-_. ]*[-_. ]+|[^-_. ]+")
_HREF = re.compile(rb"""(\bhref\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)""", re.IGNORECASE)
_NEW_PAGE = b"<html><title>News</title><body><h1>New figures</h1><ul></ul></body></html>"
_CLOCKS = (
    "<p>This page was generated on {date}. You are visitor number {count}.</p>",
    "<div class=footer>Server time: {time} &middot; {count} visitors</div>",
    "<p class=small>Last updated: {date} | Page views: {count}</p>",
)


class Asked(NamedTuple):
    """One request, as the server's log has it."""

    round: int
    url: str
    status: int
    conditional: bool
    size_bytes: int


@dataclass(slots=True)
class Truth:
    """What happened to a site in one round: addresses of files, and of pages."""

    changed: set[str] = field(default_factory=set)
    new: set[str] = field(default_factory=set)
    vanished: set[str] = field(default_factory=set)
    moved: dict[str, str] = field(default_factory=dict)
    pages_changed: set[str] = field(default_factory=set)
    pages_new: set[str] = field(default_factory=set)
    pages_vanished: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Thing:
    """A file or a page as it stands.

    path: what it is known by; up to a question mark, that of the recorded body.
    changes, at_s: how often it has changed, and when it did last.
    links: on a page, what was put there. away: what it does not link to any more, with where else
    it links now. stamp: how often its links changed.
    """

    url: str
    path: str
    mime: str
    is_page: bool
    section: str = ""
    changes: int = 0
    at_s: float = BEGAN_S
    is_gone: bool = False
    links: list[str] = field(default_factory=list)
    away: dict[str, str] = field(default_factory=dict)
    stamp: int = 0


class ChangingWeb:
    """Answers as the site does in the round that it is in; `advance` goes to the next one.

    file: the recorded site. etags: the server knows versions, by ETag and Last-Modified; a page's
    is weak, as its clock moves.
    """

    def __init__(self, file: Path, seed: int = 0, *, etags: bool = True) -> None:
        self._site = StaticSite(file)
        self.replica = _replica(file)
        self.start, self.name, self._etags = self._site.start, self._site.name, etags
        self._seed = seed
        self._random = Random(f"{seed} {self.name}")
        self.round = 0
        self._now_s = BEGAN_S
        self._count = self._random.randrange(1000, 50_000)
        self._clock = self._random.choice(_CLOCKS)
        self.log: list[Asked] = []
        self._truths = [Truth()]
        self._things: dict[str, Thing] = {}  # by path
        self._places: dict[str, Thing] = {}  # what was not there from the beginning, by URL
        self._ways: dict[str, set[str]] = defaultdict(set)  # pages that link to a path
        self._bodies: dict[tuple[str, int, int], bytes] = {}
        self._read()
        self.rates = {
            what: self._rates(share)
            for what, share in (("changed", CHANGED), ("new", NEW), ("vanished", VANISHED))
        }
        self._lists = self._listing()
        self._date()

    # Answering.

    @property
    def now_s(self) -> float:
        """What the clock says."""
        return self._now_s

    async def fetch(self, request: Request) -> Response:
        """Answer a request at once."""
        return self.answer(request)

    async def close(self) -> None:
        """Stay open for the next round."""

    def answer(self, request: Request) -> Response:
        """Answer a request, and write it down."""
        self._now_s += 1
        response = self._answer(request)
        conditional = any(name.lower().startswith("if-") for name, _ in request.headers)
        self.log.append(
            Asked(self.round, request.url, response.status, conditional, response.wire_bytes)
        )
        return response

    def _answer(self, request: Request) -> Response:
        url = request.url
        thing = self.thing(url)
        if thing is None or thing.is_gone:
            head = self._site.look(url)
            if thing is None and head.location:
                headers = (("Location", head.location),)
                return Response(url=url, status=head.status, headers=headers, at_s=self._now_s)
            if thing is None and head.status == 200:
                body = self._site.load(head).data
                return self._whole(request, 200, head.mime, body, ())
            status = 410 if thing and thing.changes % 2 else 404
            page = b"<html><title>Not found</title><h1>Not found</h1></html>"
            return self._whole(request, status, "text/html", page, ())
        validators = self._validators(thing) if self._etags else ()
        if validators and _is_known(request, dict(validators)):
            return Response(url=url, status=304, headers=validators, at_s=self._now_s)
        return self._whole(request, 200, thing.mime, self._body(thing), validators)

    def _whole(
        self,
        request: Request,
        status: int,
        mime: str,
        body: bytes,
        more: tuple[tuple[str, str], ...],
    ) -> Response:
        headers = (("Content-Type", mime), ("Content-Length", str(len(body))), *more)
        whole = Response(
            url=request.url,
            status=status,
            headers=headers,
            body=body,
            size_bytes=len(body),
            wire_bytes=len(body),
            at_s=self._now_s,
        )
        return hand_out(request, whole)

    def thing(self, url: str) -> Thing | None:
        """Return what an address leads to; None: nothing that ever changes."""
        plain = url.partition("#")[0].partition("?")[0]
        if plain in self._places:
            return self._places[plain]
        head = self._site.look(url)
        return self._things.get(head.path) if head.path else None

    def version(self, url: str) -> str:
        """Return a name for what an address holds now; "" where there is nothing."""
        thing = self.thing(url)
        return f"{thing.path} {thing.changes}" if thing and not thing.is_gone else ""

    def _validators(self, thing: Thing) -> tuple[tuple[str, str], ...]:
        marks = (thing.path, thing.changes, thing.stamp)
        tag = f'"{blake2b(repr(marks).encode(), digest_size=6).hexdigest()}"'
        modified = formatdate(thing.at_s, usegmt=True)
        return (("ETag", f"W/{tag}" if thing.is_page else tag), ("Last-Modified", modified))

    def _body(self, thing: Thing) -> bytes:
        key = (thing.url, thing.changes, thing.stamp)
        body = self._bodies.get(key)
        if body is None:
            body = self._bodies[key] = self._made(thing)
        if not thing.is_page:
            return body
        self._count += 1
        date = formatdate(self._now_s, usegmt=True)
        clock = self._clock.format(date=date[5:], time=date[17:25], count=self._count)
        return at_end(body, clock.encode())

    def _made(self, thing: Thing) -> bytes:
        head = self._site.look(f"http://{self.name}.test/{thing.path}")
        body = self._site.load(head).data if head.status == 200 else _NEW_PAGE
        if not thing.is_page:
            return edited(body, thing.path, thing.mime, thing.changes)
        if thing.away:
            body = _HREF.sub(lambda match: self._way(thing, match), body)
        for number, link in enumerate(thing.links):
            body = linked(body, link, number)
        if thing.changes:
            note = f"<p>Note {thing.changes}: the figures of {thing.changes * 7} towns are in.</p>"
            body = at_end(body, note.encode())
        return body

    def _way(self, thing: Thing, match: re.Match[bytes]) -> bytes:
        """Return an attribute of a link as it is now."""
        href = match[2].strip(b"\"'").decode("utf-8", "replace")
        goal = self.thing(join(thing.url, href))
        if goal is None or goal.path not in thing.away:
            return match[0]
        return match[1] + f'"{thing.away[goal.path]}"'.encode() if thing.away[goal.path] else b""

    def things(self) -> list[Thing]:
        """Return all files and pages that are or were there."""
        return [*self._things.values()]

    @property
    def lists(self) -> dict[str, list[tuple[str, float]]]:
        """The pages that list each section of files, with the shares of its new ones."""
        return {
            section: [(self._things[path].url, share) for path, share in found]
            for section, found in self._lists.items()
        }

    # Changing.

    def truth(self, number: int) -> Truth:
        """Return what happened in a round; of round 0, when the site was first seen, nothing."""
        return self._truths[number]

    def advance(self) -> Truth:
        """Go to the next round, a week later."""
        self.round += 1
        self._now_s = BEGAN_S + self.round * WEEK_S
        truth = Truth()
        for thing in [*self._things.values()]:
            if not thing.is_gone:
                self._happen(thing, truth)
        self._add_files(truth)
        self._truths.append(truth)
        return truth

    def _happen(self, thing: Thing, truth: Truth) -> None:
        """Let a thing change, vanish or move, or none of it."""
        chance = self._random.random()
        gone = self.rates["vanished"][thing.section]
        changed = self.rates["changed"][thing.section]
        if chance < gone:
            if thing.is_page and (self._leads_to_files(thing) or thing.path in self._listed):
                return
            thing.is_gone, thing.at_s = True, self._now_s
            (truth.pages_vanished if thing.is_page else truth.vanished).add(thing.url)
            self._relink(thing, "")
        elif chance < gone + MOVED and not thing.is_page:
            self._move(thing, truth)
        elif chance > 1 - changed:
            thing.changes, thing.at_s = thing.changes + 1, self._now_s
            (truth.pages_changed if thing.is_page else truth.changed).add(thing.url)

    def _move(self, thing: Thing, truth: Truth) -> None:
        place = PurePosixPath(thing.url.partition("://")[2])
        url = f"http://{place.parent}/moved-{self.round}-{place.name}"
        old = thing.url
        truth.moved[old] = url
        self._relink(thing, url)
        there = Thing(url, thing.path, thing.mime, False, thing.section, thing.changes, thing.at_s)
        self._places[url] = there
        gone = Thing(old, thing.path, thing.mime, False, thing.section, is_gone=True)
        self._places[old] = gone
        self._things[thing.path] = there

    def _relink(self, thing: Thing, url: str) -> None:
        for path in self._ways[thing.path]:
            page = self._things[path]
            page.away[thing.path] = url
            page.links = [link for link in page.links if link != thing.url] + [url] * (
                bool(url) and thing.url in page.links
            )
            page.at_s, page.stamp = self._now_s, page.stamp + 1

    def expected_new(self) -> dict[str, float]:
        """Return how many new files each section is expected to have in a round: 2 % in all."""
        files = [thing for thing in self._things.values() if not thing.is_page]
        counts = Counter(thing.section for thing in files if not thing.is_gone)
        drawn = {name: counts[name] * self.rates["new"][name] for name in sorted(counts)}
        factor = NEW * sum(counts.values()) / sum(drawn.values())
        return {name: factor * number for name, number in drawn.items()}

    def _add_files(self, truth: Truth) -> None:
        files_a_time = 1 - ON_PAGES + ON_PAGES * sum(PER_PAGE) / len(PER_PAGE)
        for section, expected in self.expected_new().items():
            for _ in range(_drawn(expected / files_a_time, self._random)):
                self._add(section, truth)

    def _add(self, section: str, truth: Truth) -> None:
        lists = self._lists.get(section)
        if not lists:
            return
        paths, weights = zip(*lists, strict=True)
        page = self._things[self._random.choices(paths, weights)[0]]
        siblings = [
            thing
            for thing in self._things.values()
            if thing.section == section and not thing.is_page
        ]
        files = 1
        if self._random.random() < ON_PAGES:
            page, files = self._add_page(page, truth), self._random.choice(PER_PAGE)
        for _ in range(files):
            truth.new.add(self._copy(self._random.choice(siblings), page).url)

    def _add_page(self, listing: Thing, truth: Truth) -> Thing:
        place = listing.url.rpartition("/")[0]
        number = len(self._places) + 1
        url = f"{place}/new-page-{number}.html"
        made = Thing(url, f"new page {number}", "text/html", True, listing.section, 0, self._now_s)
        self._put(made, listing)
        truth.pages_new.add(url)
        return made

    def _copy(self, like: Thing, page: Thing) -> Thing:
        number = len(self._places) + 1
        place = PurePosixPath(like.url.partition("://")[2])
        url = f"http://{place.parent}/new-{number}{place.suffix}"
        path = f"{like.path.partition('?')[0]}?{number}"
        made = Thing(url, path, like.mime, False, like.section, number, self._now_s)
        self._put(made, page)
        return made

    def _put(self, made: Thing, page: Thing) -> None:
        self._places[made.url] = self._things[made.path] = made
        self._ways[made.path].add(page.path)
        page.links.append(made.url)
        page.at_s, page.stamp = self._now_s, page.stamp + 1

    # The site as it was recorded.

    def _read(self) -> None:
        for url, kind in self.replica.census.kinds.items():
            if kind not in ("html", "target"):
                continue
            head = self._site.look(url)
            if head.path and head.path not in self._things:
                plain = url.partition("?")[0]
                self._things[head.path] = Thing(plain, head.path, head.mime, kind == "html")
        for name, is_page in (("pages", True), ("files", False)):
            some = [thing for thing in self._things.values() if thing.is_page == is_page]
            for thing, section in zip(some, sections([t.url for t in some]), strict=True):
                thing.section = f"{name} {section}"
        for page in [thing for thing in self._things.values() if thing.is_page]:
            for link in self.replica.leads(page.url):
                goal = self.thing(link)
                if goal is not None and goal is not page:
                    self._ways[goal.path].add(page.path)

    def _date(self) -> None:
        """Let things have changed before as often as they do: so their dates tell something."""
        random = Random(f"{self._seed} dates")
        for thing in self._things.values():
            rate = -math.log1p(-self.rates["changed"][thing.section])
            weeks = min(MOST_WEEKS, random.expovariate(max(rate, 1e-6)))
            thing.at_s = BEGAN_S - weeks * WEEK_S

    def _rates(self, share: float) -> dict[str, float]:
        """Draw how often things of each section change, so that in all it is the share."""
        sizes = Counter(thing.section for thing in self._things.values())
        rates: dict[str, float] = {}
        for kind in ("pages", "files"):
            mine = {name: n for name, n in sizes.items() if name.startswith(kind)}
            drawn = {name: self._random.gammavariate(SHAPE, 1.0) + 1e-3 for name in sorted(mine)}
            factor = share
            for _ in range(20):  # no chance is above one, so the others make up for it
                chances = {name: min(MOST_CHANCE, factor * one) for name, one in drawn.items()}
                mean = sum(chances[name] * mine[name] for name in mine) / sum(mine.values())
                factor *= share / mean
            rates |= chances
        return rates

    def _listing(self) -> dict[str, list[tuple[str, float]]]:
        """Return the pages that list each section of files, with how much they do.

        A page lists a section that links to many files of it, or to pages with such files, and to
        little else: a menu is on all pages.
        """
        held: dict[str, set[str]] = defaultdict(set)  # sections of the files that a page links to
        leads: dict[str, set[str]] = defaultdict(set)  # what a page links to
        for path, ways in self._ways.items():
            for page in ways:
                leads[page].add(path)
                if not self._things[path].is_page:
                    held[page].add(self._things[path].section)
        scores: dict[str, dict[str, float]] = defaultdict(dict)
        for page in sorted(leads):
            counts: Counter[str] = Counter()
            for path in leads[page]:
                thing = self._things[path]
                counts.update(held[path] if thing.is_page else [thing.section])
            for section, number in counts.items():
                scores[section][page] = number**2 / len(leads[page])
        lists = {name: _largest(scores[name]) for name in sorted(scores)}
        self._listed = {path for found in lists.values() for path, _ in found}
        return lists

    def _leads_to_files(self, page: Thing) -> bool:
        return any(
            page.path in self._ways[thing.path]
            for thing in self._things.values()
            if not thing.is_page
        )


@cache
def _replica(file: Path) -> Replica:
    """Return a recorded site; its census is made once for all histories."""
    return Replica.open(file)


def sections(urls: Sequence[str]) -> list[str]:
    """Return for each address the section that it is in: folders, else how its name begins."""
    ways = [_steps(url) for url in urls]
    sizes = Counter(step for way in ways for step in way)
    most = max(SMALLEST, LARGEST * len(urls))
    found = []
    for way in ways:
        chosen = way[0]
        for step in way[1:]:
            if sizes[chosen] <= most or sizes[step] < SMALLEST:
                break
            chosen = step
        found.append(chosen)
    return found


def _steps(url: str) -> list[str]:
    *folders, name = split(url).path.split("/")[1:]
    steps = ["/"]
    for folder in folders:
        steps.append(f"{steps[-1]}{folder}/")
    for token in _TOKENS.findall(name)[:3]:
        steps.append(steps[-1] + token)
    return steps


def _largest(scores: dict[str, float]) -> list[tuple[str, float]]:
    """Return the pages that list most of a section; what lists less than half of it is no list."""
    ordered = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:LISTS]
    return [(page, score) for page, score in ordered if 2 * score >= ordered[0][1]]


def _drawn(expected: float, random: Random) -> int:
    """Return a number of a Poisson distribution."""
    number, left = 0, random.expovariate(1.0)
    while left < expected:
        number += 1
        left += random.expovariate(1.0)
    return number


def _is_known(request: Request, validators: dict[str, str]) -> bool:
    asked = {name.lower(): value for name, value in request.headers}
    if tags := asked.get("if-none-match"):
        return validators["ETag"].removeprefix("W/") in tags
    return asked.get("if-modified-since") == validators["Last-Modified"]
