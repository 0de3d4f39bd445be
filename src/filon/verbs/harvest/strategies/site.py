"""The site as a harvest strategy sees it: what an answer is, and which links are new.

Every harvest strategy stands on this, so they all agree on the boundary of the site, on what
counts as a target, on what is never asked for, and on what a guard skips.

Files on other hosts that pages of the site link to are counted by host (`Elsewhere`), or asked for
where the user wants them: as files only, so that no page beyond the site is ever read.

Which addresses are one page is partly learnt, by strategies that want to. Not worth a request is

- /x, where a site answers it with a redirect to /x/ (`SlashRule`). Learnt by folder: a site may do
  so in one place and serve /x in another. Where /x/ fails, /x is tried, so no page is lost; as many
  failures as successes end the rule, one dead link does not.
- A URL that differs from a known one in a parameter that changes nothing (`Noise` of the traps).

A redirect to another address of the same page is followed all the same: a server that gives each
visitor a session id, or knows the page at another host only, answers nothing at the first one.
"""

import time
from array import array
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import mmh3
import numpy as np
from numpy.typing import NDArray

from filon.core import Find, Reason, Request, Response, Step
from filon.core.blocks import blocks
from filon.core.response import BREAKS_OFF
from filon.core.state import Stateful, stored, version
from filon.learn.arrays import NUMBERS
from filon.page.links import Link
from filon.page.mime import file_name, sniff
from filon.page.refusal import is_refusal
from filon.page.traps import Loops, Traps
from filon.page.url import Site, host, join, key, masked
from filon.verbs.harvest.strategies.brief import Brief

#: Statuses that bring a whole resource; 206 is a part, 204 nothing.
WHOLE = (200, 203)
#: A longer chain of redirects has no end; browsers give up here too.
MOST_HOPS = 20
#: Addresses that are known to be nothing new, so that the menu of every page is soon passed over.
MOST_OLD = 20_000
#: Addresses whose names are remembered: those of the latest pages, each asked for several times.
MOST_NAMES = 5_000
#: Numbers of pages that a checkpoint writes together.
BLOCK = 8192
#: Files on other hosts that are told apart, and hosts: no page names more of them for people.
MOST_ELSEWHERE, MOST_HOSTS, TOLD_HOSTS = 100_000, 1_000, 100
#: Why an address is not asked for, by the bounds that the user has set.
NOT_INCLUDED, EXCLUDED, TOO_DEEP = "not in --include", "in --exclude", "beyond --depth"
OFF, REDIRECT_OFF, NOWHERE = "off the site", "redirect off the site", "redirect to no address"
MANY_HOSTS = f"beyond {MOST_HOSTS:,} other hosts"
#: Redirects that make a slash rule.
ENOUGH_REDIRECTS = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """What a response turned out to be.

    kind: "html", "target", "redirect", "other" (a resource that nobody asked for) or "error".
    goal: where a redirect leads, if it is a new place on the site.
    known: where a redirect leads, if it is a place on the site seen before.
    """

    kind: str
    mime: str = ""
    goal: str = ""
    known: str = ""


class Elsewhere(Stateful):
    """Counts files on other hosts, each once, by host."""

    STATE = (version(1), "hosts", stored("_seen", NUMBERS))

    def __init__(self) -> None:
        self.hosts: Counter[str] = Counter()
        self._seen: set[int] = set()

    def note(self, url: str) -> bool:
        """Count a file; False where its host is one too many."""
        name, number = host(url), _hash(url.encode())
        if name not in self.hosts and len(self.hosts) >= MOST_HOSTS:
            return False
        if number not in self._seen and len(self._seen) < MOST_ELSEWHERE:
            self._seen.add(number)
            self.hosts[name] += 1
        return True


class Seen:
    """A set of numbers of pages that only grows: what is old in its state stays as it was.

    >>> pages = Seen()
    >>> pages.add(7), pages.add(3), 3 in pages, len(pages)
    (None, None, True, 2)
    >>> pages.state()
    [array([7, 3], dtype=uint64)]
    """

    __slots__ = ("_numbers", "_order")

    def __init__(self) -> None:
        self._numbers: set[int] = set()
        self._order = array("Q")

    def __contains__(self, number: int) -> bool:
        return number in self._numbers

    def __len__(self) -> int:
        return len(self._order)

    def add(self, number: int) -> None:
        """Add a number that is not there yet."""
        self._numbers.add(number)
        self._order.append(number)

    def state(self) -> Any:
        """Return plain data; a block has changed when it is longer."""
        ends = range(BLOCK, len(self) + BLOCK, BLOCK)
        return blocks(self, "pages", [min(end, len(self)) for end in ends], self._block)

    def _block(self, place: int) -> NDArray[np.uint64]:
        return np.array(self._order[place * BLOCK : (place + 1) * BLOCK], dtype=np.uint64)

    def restore(self, state: Any) -> None:
        """Go on from a state; those of old are one array."""
        parts = [state] if isinstance(state, np.ndarray) else state
        self._order = array("Q", [number for part in parts for number in NUMBERS.read(part)])
        self._numbers = set(self._order)


class Again(Protocol):
    """Tells which links that were seen before are of interest once more."""

    def awaits(self, url: str) -> bool:
        """Tell by the URL alone."""

    def may_differ(self, url: str, path: str, text: str) -> bool:
        """Tell by the tag path and the text too, before what is around the link is known."""


class SiteState(Stateful):
    """Scope, seen URLs, types, guards."""

    STATE = (
        version(1),
        "_seen",
        "skipped",
        "mimes",
        "traps",
        stored("loops", key="circles"),
        "_hops",
        stored("_left", NUMBERS),
        "_roots",
        "_depths",
        "elsewhere",
    )

    def __init__(self, brief: Brief) -> None:
        starts = (brief.start, *brief.more)
        self.brief = brief
        self.scope = Site(*starts)
        self.traps = Traps(max(starts, key=len))
        self.loops = Loops()
        self.skipped: Counter[str] = Counter()
        self.mimes: Counter[str] = Counter()
        self.elsewhere = Elsewhere()
        self.alias: Callable[[str], str] = str  # the same page's name, as far as it was learnt
        self._names: dict[str, tuple[str, int]] = {}  # of addresses of late, and their numbers
        self._seen = Seen()
        self._old: dict[str, str] = {}  # addresses that links led to, and why they are skipped
        self._hops: dict[str, int] = {}  # of goals under way: redirects that led there in a row
        self._left: set[int] = set()  # addresses that redirect to another one of the same page
        self._roots = set(starts)  # and where they redirect to: what is asked for in any case
        self._depths: dict[str, int] = {}  # under a bound: of what waits, links from a start
        self._away = 0  # under a bound: of the links that are looked at
        self._unwanted = brief.types.unwanted

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state with the bounds of a run, and with what is left; once there were none."""
        fresh = {"roots": sorted(self._roots), "depths": {}, "elsewhere": Elsewhere().state()}
        return fresh | {"left": NUMBERS.write(self._left)} | state

    def starts(self) -> list[str]:
        """Return the pages to start from, the first one first, and mark them.

        A strategy that only knows of the brief's own gets the others as links of its first page.
        """
        return [url for url in (self.brief.start, *self.brief.more) if self.claim(url)]

    def request(self, url: str, method: str = "GET") -> Request:
        """Return a request whose body is not downloaded where its type is on the blocklist."""
        return Request(url=url, method=method, unwanted=self._unwanted)

    def step(self, url: str, parent: str, reason: Reason, method: str = "GET") -> Step:
        """Return a step to a URL that was found on a page."""
        return Step(request=self.request(url, method), parent=parent, reason=reason)

    def name(self, url: str) -> str:
        """Return the name that all URLs of one page share, as far as it is known."""
        return (self._names.get(url) or self._named(url))[0]

    def number(self, url: str) -> int:
        """Return a number that stands for all URLs of one page: it takes less room."""
        return (self._names.get(url) or self._named(url))[1]

    def _named(self, url: str) -> tuple[str, int]:
        name = key(self.alias(url), self.brief.rules)
        named = name, mmh3.hash64(name, signed=False)[0]
        if len(self._names) >= MOST_NAMES:
            self._names.clear()
        self._names[url] = named
        return named

    def rename(self) -> None:
        """Another parameter is known to change nothing, or not to: names may be others now."""
        self._names.clear()
        self._old = {url: why for url, why in self._old.items() if why or "?" not in url}

    def claim(self, url: str) -> bool:
        """Mark a URL as seen; True if it was new."""
        number = self.number(url)
        if number in self._seen:
            return False
        self._seen.add(number)
        return True

    def read(self, response: Response) -> Answer:
        """Say what an answer is."""
        hops = self._hops.pop(response.url, 0)
        answer = self._redirect(response, hops + 1) if response.redirects else self._kind(response)
        if answer.kind != "html":
            self._depths.pop(response.url, None)
        return answer

    def _kind(self, response: Response) -> Answer:
        if not response.ok:
            return Answer("html" if self._has_begun(response) else "error")
        mime = claimed = response.mime
        if not response.cut or (response.cut == "size" and response.body):
            disposition = response.header("content-disposition")
            mime = sniff(response.body, claimed, response.url, disposition)
        self.mimes[mime] += 1
        if "html" in mime:
            return Answer("html" if self.reads(response.url) else "other", mime)
        whole = response.status in WHOLE and not response.cut and response.size_bytes > 0
        types = self.brief.types
        if whole and types.wants(mime, response.url, claimed):
            refused = "paper" not in types.words and is_refusal(response.body, mime)
            return Answer("error" if refused else "target", mime)
        return Answer("other", mime)

    def _has_begun(self, response: Response) -> bool:
        """Say whether a page broke off each time: what came of it is read, as browsers do."""
        came = response.status in WHOLE and response.error in BREAKS_OFF and response.body
        if not came or not self.reads(response.url):
            return False
        return "html" in sniff(response.body, response.mime, response.url)

    def find(self, step: Step, response: Response, answer: Answer) -> Find:
        """Return a target as a find."""
        self.loops.paid(step.parent)
        self.loops.paid(response.url)
        name = file_name(response.url, response.header("content-disposition"))
        return Find(kind="file", url=response.url, name=name, mime=answer.mime, parent=step.parent)

    def reads(self, url: str) -> bool:
        """Say whether what an answer links to or lists counts; a file of another host is a file."""
        return not self.brief.linked_hosts or url in self.scope

    def new_links(
        self, response: Response, *, around: str = "", heads: Collection[str] = ()
    ) -> list[Link]:
        """Return the links of a page, see `Reader`, that lead to a place not seen before."""
        return self.links(response, around=around, heads=heads)[0]

    def links(
        self,
        response: Response,
        *,
        around: str = "",
        heads: Collection[str] = (),
        again: Again | None = None,
    ) -> tuple[list[Link], list[Link]]:
        """Return the same, and of all other links those that are of interest once more.

        again: tells whether a link that was seen before is. The page's own new links are.
        """
        late = [Link(url, "", "", "start") for url in self.starts()] if self.brief.more else []
        self._away = 1 + self._depth(response.url)
        self._depths.pop(response.url, None)
        fresh: set[str] = set()

        def is_wanted(url: str) -> bool:
            if self._is_new(url):
                fresh.add(url)
                return True
            return again is not None and (url in fresh or again.awaits(url))

        def is_placed(url: str, path: str, text: str) -> bool:
            return again is None or url in fresh or again.may_differ(url, path, text)

        placed = is_placed if again else None
        read = self.brief.read(
            response, around=around, wanted=is_wanted, placed=placed, heads=heads
        )
        new, known = list[Link](), list[Link]()
        for link in read:
            (new if link.url in fresh else known).append(link)
            fresh.discard(link.url)
        links = late + self._admitted(new, response.at_s)
        if self.loops.catches(response.url, [link.url for link in links], response.body):
            self.skipped["endless folder"] += len(links)
            return [], []
        return links, known

    def admit(self, links: list[Link], at_s: float) -> list[Link]:
        """Return those links that lead to a place on the site not seen before, and mark them.

        They stand on no page: under a bound on the depth they are beyond it.
        """
        self._away = 1 + self.brief.depth
        return self._admitted([link for link in links if self._is_new(link.url)], at_s)

    def admit_file(self, url: str) -> bool:
        """Say the same of a file that is known to be of a wanted type, wherever it is; mark it."""
        why = self._bound(url) if url in self.scope else self._abroad(url)
        if why:
            self.skipped[why] += 1
        return not why and self.claim(url)

    def moves(self, url: str, goal: str, *, waits: bool) -> bool:
        """Say whether an address, new or one that waits, may be asked for in place of another."""
        if why := self._bound(goal):
            self.skipped[why] += 1
        if why or not (self.claim(goal) or waits):
            return False
        self._reached(goal, self._depth(url))
        return True

    def _admitted(self, links: list[Link], at_s: float) -> list[Link]:
        return [link for link in links if self.admits(link.url, at_s)]

    def _is_new(self, url: str) -> bool:
        """Tell whether a URL may be asked for and was not seen before; mark it."""
        why = self._old.get(url)
        if why is None:
            if self.brief.depth and self._is_too_deep(url):
                return False  # from here; another page may lead there by a shorter way
            why = self._why_not(url)
            if len(self._old) >= MOST_OLD:
                self._old.clear()
            self._old[url] = why
            if not why and self.claim(url):
                self._reached(url, self._away)
                return True
        if why:
            self.skipped[why] += 1
        elif url in self._depths:
            self._reached(url, self._away)
        return False

    def _why_not(self, url: str) -> str:
        """Say why a link is not followed, whoever links to it; "": it may be."""
        if url in self.scope:
            return self._bound(url)
        return self._abroad(url) if self.brief.types.names(url) else OFF

    def _bound(self, url: str) -> str:
        """Say which bound of the user's a URL of the site is beyond; "": none."""
        exclude, include = self.brief.exclude, self.brief.include
        if url in self._roots or not (exclude or include):
            return ""
        if exclude.fits(url):
            return EXCLUDED
        return NOT_INCLUDED if include and not include.fits(url) else ""

    def _abroad(self, url: str) -> str:
        """Say why a file on another host is not asked for, and count it; "": it may be.

        A glob for paths says which part of the site is meant: others have paths of their own.
        """
        brief = self.brief
        if brief.exclude.fits(url):
            return EXCLUDED
        if brief.include.of_hosts and not brief.include.fits(url, whole_only=True):
            return NOT_INCLUDED
        has_room = self.elsewhere.note(key(url, brief.rules))
        if not brief.linked_hosts:
            return OFF
        return "" if has_room else MANY_HOSTS

    def _depth(self, url: str) -> int:
        """Return how many links a page is away from a start, as far as a bound asks for it.

        What came by no way that is known, as an address that somebody made up, leads no further.
        """
        return 0 if url in self._roots else self._depths.get(url, self.brief.depth)

    def _reached(self, url: str, depth: int) -> None:
        if self.brief.depth:
            self._depths[url] = min(depth, self._depths.get(url, depth))

    def _is_too_deep(self, url: str) -> bool:
        if self._away <= self.brief.depth:
            return False
        if self.number(url) not in self._seen:
            self.skipped[TOO_DEEP] += 1
        return True

    def admits(self, url: str, at_s: float) -> bool:
        """Say whether an address is none of those that are never asked for."""
        if self.brief.types.blocks(url):
            self.skipped["multimedia"] += 1
            return False
        if reason := self.traps.catches(url, _year(at_s)):
            self.skipped[reason] += 1
            return False
        return True

    def _redirect(self, response: Response, hops: int) -> Answer:
        goal = join(response.url, response.header("location"))
        if why := self._leads_out(response.url, goal):
            self.skipped[why] += 1
            return Answer("redirect")
        is_new = self.claim(goal)
        if is_new or goal in self._depths:
            self._reached(goal, self._depth(response.url))
        if not (is_new or self._is_renamed(response.url, goal)):
            return Answer("redirect", known=goal)
        if hops > MOST_HOPS:
            self.skipped["redirect without end"] += 1
            return Answer("redirect")
        self._hops[goal] = hops
        return Answer("redirect", goal=goal)

    def _is_renamed(self, url: str, goal: str) -> bool:
        """Tell whether a page redirects to itself by an address that it has not left before."""
        if goal == url or self.number(goal) != self.number(url):
            return False
        self._left.add(_hash(url.encode()))
        return _hash(goal.encode()) not in self._left

    def _leads_out(self, url: str, goal: str) -> str:
        """Say why a redirect is not followed; "": it is. A file may be sent on to any host."""
        if goal and goal in self.scope:
            if url in self._roots:
                self._roots.add(goal)
            return self._bound(goal)
        is_file = bool(goal) and (url not in self.scope or self.brief.types.names(goal))
        why = self._abroad(goal) if is_file else OFF
        return (REDIRECT_OFF if goal else NOWHERE) if why == OFF else why

    def summary(self) -> dict[str, Any]:
        """Say what was skipped, on which other hosts files were left out, which types were seen."""
        hosts = () if self.brief.linked_hosts else self.elsewhere.hosts.most_common(TOLD_HOSTS)
        left_out = dict(hosts)
        return {
            "skipped": dict(self.skipped.most_common()),
            "mimes": dict(self.mimes.most_common(20)),
            "known": len(self._seen),
            **({"elsewhere": left_out} if left_out else {}),
        }


class SlashRule(Stateful):
    """Counts redirects that add a slash; `apply` uses what it knows."""

    STATE = (version(1), "_adds")

    def __init__(self) -> None:
        # By folder: redirects less failures, or -1 where it does not hold.
        self._adds: dict[str, int] = {}

    def note(self, url: str, goal: str) -> None:
        """Take note of where a redirect leads; goal "": the URL was answered as it is."""
        if not _bare(url):
            return
        folder = _folder(url)
        known = self._adds.get(folder, 0)
        if goal == f"{url}/" and known >= 0:
            self._adds[folder] = known + 1
        elif not goal:
            self._adds[folder] = -1

    def apply(self, url: str) -> str:
        """Return the address that a URL is known to redirect to, or the URL itself."""
        if _bare(url) and self._adds.get(_folder(url), 0) >= ENOUGH_REDIRECTS:
            return f"{url}/"
        return url

    def tried(self, url: str, *, failed: bool) -> None:
        """Take note of how an address by the rule was answered."""
        folder = _folder(url.removesuffix("/"))
        known = self._adds.get(folder, 0)
        if known >= 0:
            self._adds[folder] = max(known - 1, 0) if failed else known + 1


def _bare(url: str) -> bool:
    """A last segment without a dot, no slash after it, no query."""
    path, _, query = url.partition("#")[0].partition("?")
    last = path.partition("//")[2].partition("/")[2].rpartition("/")[2]
    return bool(last) and "." not in last and not query


def _folder(url: str) -> str:
    return masked(url).rpartition("/")[0]


@lru_cache(maxsize=1)  # one answer's links come one after the other
def _year(at_s: float) -> int:
    return time.gmtime(at_s).tm_year


def _hash(text: bytes) -> int:
    return mmh3.hash64(text, signed=False)[0]
