"""The site as a harvest strategy sees it: what an answer is, and which links are new.

Every harvest strategy stands on this, so they all agree on the boundary of the site, on what
counts as a target, on what is never asked for, and on what a guard skips.
"""

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

import mmh3
import numpy as np

from filon.core import Find, Reason, Request, Response, Step
from filon.page.circles import Circles
from filon.page.links import Link
from filon.page.mime import file_name, sniff
from filon.page.site import Site
from filon.page.traps import Traps
from filon.page.url import join, key
from filon.strategies.harvest.brief import Brief

#: Statuses that bring a whole resource; 206 is a part, 204 nothing.
WHOLE = (200, 203)
#: A longer chain of redirects has no end; browsers give up here too.
MOST_HOPS = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """What a response turned out to be.

    kind: "html", "target", "redirect", "other" (a resource that nobody asked for) or "error".
    goal: where a redirect leads, if it is a new place on the site.
    """

    kind: str
    mime: str = ""
    goal: str = ""


class Territory:
    """Scope, seen URLs, types, guards."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.site = Site(brief.start)
        self.traps = Traps(brief.start)
        self.circles = Circles()
        self.skipped: Counter[str] = Counter()
        self.mimes: Counter[str] = Counter()
        self._seen: set[int] = set()
        self._hops: dict[str, int] = {}  # of goals under way: redirects that led there in a row
        self._unwanted = brief.types.unwanted

    def request(self, url: str, method: str = "GET") -> Request:
        """Return a request whose body is not downloaded where its type is on the blocklist."""
        return Request(url=url, method=method, unwanted=self._unwanted)

    def step(self, url: str, parent: str, reason: Reason, method: str = "GET") -> Step:
        """Return a step to a URL that was found on a page."""
        return Step(request=self.request(url, method), parent=parent, reason=reason)

    def claim(self, url: str) -> bool:
        """Mark a URL as seen; True if it was new."""
        number = mmh3.hash64(key(url, self.brief.rules).encode(), signed=False)[0]
        if number in self._seen:
            return False
        self._seen.add(number)
        return True

    def read(self, response: Response) -> Answer:
        """Say what an answer is."""
        hops = self._hops.pop(response.url, 0)
        if response.redirects:
            return Answer("redirect", goal=self._goal(response, hops + 1))
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
        self.circles.paid(step.parent)
        self.circles.paid(response.url)
        name = file_name(response.url, response.header("content-disposition"))
        return Find(kind="file", url=response.url, name=name, mime=answer.mime, parent=step.parent)

    def new_links(self, response: Response, *, around: bool = False) -> list[Link]:
        """Return the links of a page that lead to a place on the site not seen before.

        around: with the text round each.
        """
        year = time.gmtime(response.at_s).tm_year
        found = self.brief.read(response, around=around)
        links = [link for link in found if self._admits(link.url, year)]
        if self.circles.catches(response.url, [link.url for link in links]):
            self.skipped["endless folder"] += len(links)
            return []
        return links

    def _admits(self, url: str, year: int) -> bool:
        if url not in self.site:
            self.skipped["off the site"] += 1
            return False
        number = mmh3.hash64(key(url, self.brief.rules).encode(), signed=False)[0]
        if number in self._seen:
            return False
        self._seen.add(number)
        if self.brief.types.blocks(url):
            self.skipped["multimedia"] += 1
            return False
        if reason := self.traps.catches(url, year):
            self.skipped[reason] += 1
            return False
        return True

    def _goal(self, response: Response, hops: int) -> str:
        goal = join(response.url, response.header("location"))
        if not goal or goal not in self.site:
            self.skipped["redirect off the site"] += 1
            return ""
        if not self.claim(goal):
            return ""
        if hops > MOST_HOPS:
            self.skipped["redirect without end"] += 1
            return ""
        self._hops[goal] = hops
        return goal

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        seen = np.fromiter(self._seen, dtype=np.uint64, count=len(self._seen))
        return {
            "version": 1,
            "seen": np.sort(seen),
            "skipped": dict(self.skipped),
            "mimes": dict(self.mimes),
            "traps": self.traps.state(),
            "circles": self.circles.state(),
            "hops": dict(self._hops),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._seen = set(state["seen"].tolist())
        self.skipped = Counter(state["skipped"])
        self.mimes = Counter(state["mimes"])
        self.traps.restore(state["traps"])
        self.circles.restore(state["circles"])
        self._hops = dict(state["hops"])

    def summary(self) -> dict[str, Any]:
        """Say what was skipped and which types were seen."""
        return {
            "skipped": dict(self.skipped.most_common()),
            "mimes": dict(self.mimes.most_common(20)),
            "known": len(self._seen),
        }
