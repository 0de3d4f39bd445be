"""The site as a harvest strategy sees it: what an answer is, and which links are new.

Every harvest strategy stands on this, so they all agree on the boundary of the site, on what
counts as a target, on what is never asked for, and on what a guard skips.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mmh3

from filon.core import Find, Reason, Request, Response, Step
from filon.core.state import Stateful, stored, version
from filon.learn.arrays import NUMBERS
from filon.page.links import Link
from filon.page.mime import file_name, sniff
from filon.page.traps import Loops, Traps
from filon.page.url import Site, join, key
from filon.verbs.harvest.strategies.brief import Brief

#: Statuses that bring a whole resource; 206 is a part, 204 nothing.
WHOLE = (200, 203)
#: A longer chain of redirects has no end; browsers give up here too.
MOST_HOPS = 20
#: Addresses that are known to be nothing new, so that the menu of every page is soon passed over.
MOST_OLD = 20_000


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


class Territory(Stateful):
    """Scope, seen URLs, types, guards."""

    STATE = (
        version(1),
        stored("_seen", NUMBERS),
        "skipped",
        "mimes",
        "traps",
        stored("loops", key="circles"),
        "_hops",
    )

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.site = Site(brief.start)
        self.traps = Traps(brief.start)
        self.loops = Loops()
        self.skipped: Counter[str] = Counter()
        self.mimes: Counter[str] = Counter()
        self.alias: Callable[[str], str] = str  # the same page's name, as far as it was learnt
        self._seen: set[int] = set()
        self._old: dict[str, str] = {}  # addresses that links led to, and why they are skipped
        self._hops: dict[str, int] = {}  # of goals under way: redirects that led there in a row
        self._unwanted = brief.types.unwanted

    def request(self, url: str, method: str = "GET") -> Request:
        """Return a request whose body is not downloaded where its type is on the blocklist."""
        return Request(url=url, method=method, unwanted=self._unwanted)

    def step(self, url: str, parent: str, reason: Reason, method: str = "GET") -> Step:
        """Return a step to a URL that was found on a page."""
        return Step(request=self.request(url, method), parent=parent, reason=reason)

    def name(self, url: str) -> str:
        """Return the name that all URLs of one page share, as far as it is known."""
        return key(self.alias(url), self.brief.rules)

    def number(self, url: str) -> int:
        """Return a number that stands for all URLs of one page: it takes less room."""
        return mmh3.hash64(self.name(url).encode(), signed=False)[0]

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
        if response.redirects:
            return self._redirect(response, hops + 1)
        if not response.ok:
            return Answer("error")
        mime = claimed = response.mime
        if not response.cut:
            disposition = response.header("content-disposition")
            mime = sniff(response.body, claimed, response.url, disposition)
        self.mimes[mime] += 1
        if "html" in mime:
            return Answer("html", mime)
        whole = response.status in WHOLE and not response.cut and response.size_bytes > 0
        if whole and self.brief.types.wants(mime, response.url, claimed):
            return Answer("target", mime)
        return Answer("other", mime)

    def find(self, step: Step, response: Response, answer: Answer) -> Find:
        """Return a target as a find."""
        self.loops.paid(step.parent)
        self.loops.paid(response.url)
        name = file_name(response.url, response.header("content-disposition"))
        return Find(kind="file", url=response.url, name=name, mime=answer.mime, parent=step.parent)

    def new_links(self, response: Response, *, around: bool = False) -> list[Link]:
        """Return the links of a page that lead to a place on the site not seen before.

        around: with the text round each.
        """
        read = self.brief.read(response, around=around, wanted=self._is_new)
        links = self._admitted(read, response.at_s)
        if self.loops.catches(response.url, [link.url for link in links]):
            self.skipped["endless folder"] += len(links)
            return []
        return links

    def admit(self, links: list[Link], at_s: float) -> list[Link]:
        """Return those links that lead to a place on the site not seen before, and mark them."""
        return self._admitted([link for link in links if self._is_new(link.url)], at_s)

    def _admitted(self, links: list[Link], at_s: float) -> list[Link]:
        year = time.gmtime(at_s).tm_year
        return [link for link in links if self._admits(link.url, year)]

    def _is_new(self, url: str) -> bool:
        """Tell whether a URL is on the site and was not seen before; mark it."""
        why = self._old.get(url)
        if why is None:
            outside = url not in self.site
            if not outside and self.claim(url):
                return True
            why = "off the site" if outside else ""
            self._remember(url, why)
        if why:
            self.skipped[why] += 1
        return False

    def _remember(self, url: str, why: str) -> None:
        if "?" in url:
            return  # whose name may change when more is known of its parameters
        if len(self._old) >= MOST_OLD:
            self._old.clear()
        self._old[url] = why

    def _admits(self, url: str, year: int) -> bool:
        if self.brief.types.blocks(url):
            self.skipped["multimedia"] += 1
            return False
        if reason := self.traps.catches(url, year):
            self.skipped[reason] += 1
            return False
        return True

    def _redirect(self, response: Response, hops: int) -> Answer:
        goal = join(response.url, response.header("location"))
        if not goal or goal not in self.site:
            self.skipped["redirect off the site"] += 1
            return Answer("redirect")
        if not self.claim(goal):
            return Answer("redirect", known=goal)
        if hops > MOST_HOPS:
            self.skipped["redirect without end"] += 1
            return Answer("redirect")
        self._hops[goal] = hops
        return Answer("redirect", goal=goal)

    def summary(self) -> dict[str, Any]:
        """Say what was skipped and which types were seen."""
        return {
            "skipped": dict(self.skipped.most_common()),
            "mimes": dict(self.mimes.most_common(20)),
            "known": len(self._seen),
        }
