"""`revisit`: looks again where change is expected, and follows what is new.

A look costs one request, and so does a new link: the next request is the one from which most is
expected. Of a file that is the chance that it has changed since it was seen; of a page, the new
files on it; of a new link, what the site's own strategy says, which has learnt from all rounds
before what links lead to. How often things change is learnt for each section of the site.
"""

import hashlib
from collections import Counter, deque
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.core import Find, Reason, Request, Response, Step, Strategy, Summary
from filon.core.abilities import Guard, Reread, Rereads, able
from filon.core.forms import TUPLE, each, flat, maybe, parts
from filon.core.state import Stateful, stored, version
from filon.core.step import STEP
from filon.page.sitemap import dates
from filon.page.url import host, join
from filon.run.history import FILE, LIST, PAGE, Thing
from filon.run.seen import NOT_THERE, page_gist
from filon.run.text import duration
from filon.verbs.refresh.outlook import Known, Outlook
from filon.verbs.refresh.told import by_dates

#: Redirects that are followed in a row.
MOST_HOPS = 5
#: Looks at a host that fail in a row, after which it is left alone: each may cost minutes.
MOST_FAILED = 10
#: New links of which less is expected are left for a run that is resumed.
LEAST_EXPECTED = 0.02
#: Looks between two ratings of all that waits, at least, and as a part of all looks so far.
RATED_AFTER, RATED_PART = 10, 0.1


class Revisit(Stateful, Guard):
    """The strategy of a round."""

    STATE = (
        version(1, of="revisit"),
        "inner",
        "outlook",
        "_waits",
        "_values",
        "_counts",
        "_rated",
        stored("_held", maybe(STEP)),
        stored("_ways", each(parts(STEP))),
        stored("_flying", flat(TUPLE, keys=STEP)),
        "_goals",
        "_failed",
    )

    def __init__(self, inner: Strategy, known: Known) -> None:
        super().__init__(inner)
        self._most_pages = known.pages
        self.outlook = Outlook(known)
        self._things = self.outlook.things
        self._counts: Counter[str] = Counter()
        self._waits = np.ones(len(self._things), dtype=bool)
        self._values: NDArray[np.float64] = np.zeros(len(self._things))
        self._rated = -1  # looks when all was rated last
        self._held: Step | None = None  # the inner strategy's best
        self._ways: deque[tuple[Step, int, int]] = deque()  # redirects: the thing, how many so far
        self._flying: dict[Step, tuple[int, int]] = {}
        self._failed: Counter[str] = Counter()  # by host: looks that failed in a row
        self._goals: set[str] = set()  # of redirects: each is asked for once

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Take up a round from before goals and failures were kept."""
        return {"goals": [], "failed": {}, **state}

    # Choosing.

    def propose(self) -> Step | None:
        """Return the look or the new link from which most is expected."""
        if self._ways:
            step, thing, hops = self._ways.popleft()
            self._flying[step] = (thing, hops)
            return step
        if self._held is None:
            self._held = self.inner.propose()
        thing, value = self._best()
        held = self._held
        if held and (_is_urgent(held) or held.reason.expected >= max(value, LEAST_EXPECTED)):
            self._held = None
            self._counts["followed"] += 1
            return held
        return self._look(thing, value) if thing >= 0 else None

    def _best(self) -> tuple[int, float]:
        """Return the thing that is most worth a look, and how much; -1: none is left."""
        looks = self._counts["looks"]
        if self._rated < 0 or looks - self._rated >= max(RATED_AFTER, RATED_PART * looks):
            self._rated = looks
            self._values = self.outlook.values()
        if not self._waits.any():
            return -1, 0.0
        best = int(np.argmax(np.where(self._waits, self._values, -1.0)))
        return best, float(self._values[best])

    def _look(self, number: int, value: float) -> Step:
        thing = self._things[number]
        self._waits[number] = False
        self._counts["looks"] += 1
        if thing.kind == PAGE:
            self._counts["pages"] += 1
            if self._counts["pages"] >= self._most_pages:
                self._waits &= [one.kind != PAGE for one in self._things]
        reader = able(self.inner, Rereads)
        request = reader.asking(thing.url) if reader else Request(url=thing.url)
        step = Step(
            request=replace(request, headers=(*request.headers, *conditions(thing))),
            reason=Reason(
                kind="look",
                arm=self.outlook.groups[number],
                score=value,
                expected=value,
                text=self._why(number, value),
            ),
            parent=thing.parent,
        )
        self._flying[step] = (number, 0)
        return step

    def _why(self, number: int, value: float) -> str:
        thing = self._things[number]
        seen = f"it was seen {duration(float(self.outlook.ages_s[number]))} ago"
        if thing.is_gone:
            return f"{seen}, when it was gone: it may be back"
        if self.outlook.is_named(number):
            return f"{seen}, and a list says that it has changed since"
        if thing.kind == FILE:
            return f"{seen}, and {value:.0%} of such files change in that time"
        return f"{seen}, and {value:.2f} new files a request are expected of it"

    # Learning.

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Compare what is there with what was; follow what is new."""
        if step not in self._flying:
            finds = self.inner.observe(step, response)
            self._counts["new"] += len(finds)
            return finds
        number, hops = self._flying.pop(step)
        thing = self._things[number]
        if response.redirects and hops < MOST_HOPS:
            self._follow(step, response, number, hops + 1)
            return []
        if response.cut or not (response.ok or response.status in (304, *NOT_THERE)):
            self._fail(thing, response)
            return []  # it tells nothing
        self._failed.pop(host(thing.url), None)
        if response.status == 304:
            self.outlook.saw(number, changed=False)
            return []
        if not response.ok:
            self.outlook.saw(number, changed=thing.kind == FILE and not thing.is_gone)
            return []
        if not hops and self._is_same(thing, response):
            self.outlook.saw(number, changed=False)
            return []
        return self._changed(number, step, response)

    def _fail(self, thing: Thing, response: Response) -> None:
        """Leave a host alone that only fails: its things are looked at in the next round."""
        if response.error or response.status == 429 or response.status >= 500:
            name = host(thing.url)
            self._failed[name] += 1
            if self._failed[name] == MOST_FAILED:
                self._waits &= [host(one.url) != name for one in self._things]

    def hear_changes(self, changed: Collection[str], same: Collection[str]) -> None:
        """Look first at what a portal says has changed, and not at what it says has not.

        changed: addresses, and pages that stand for all that they lead to.
        """
        said, changed, same = dict[int, bool](), frozenset(changed), frozenset(same)
        for number, thing in enumerate(self._things):
            if thing.url in changed or (thing.kind == FILE and thing.parent in changed):
                said[number] = True
            elif thing.url in same and not thing.is_gone:
                said[number] = self._waits[number] = False
        self.outlook.hear(said)
        for number in (number for number, has_changed in said.items() if not has_changed):
            self.outlook.saw(number, changed=False)
        self._rated = -1

    def _changed(self, number: int, step: Step, response: Response) -> list[Find]:
        reader = able(self.inner, Rereads)
        now = reader.reread(step, response) if reader else Reread([])
        self._counts["changed"] += 1
        if self._things[number].kind == FILE:
            self.outlook.saw(number, changed=True)
            return now.finds
        if self._things[number].kind == LIST:
            self.outlook.hear(by_dates(self._things, dates(response.body, response.url)))
            self._rated = -1
        self.outlook.saw(number, changed=now.expected >= 0.5)
        return now.finds

    def _is_same(self, thing: Thing, response: Response) -> bool:
        """Tell whether an answer is what was there; a long one is known when it is stored."""
        if response.spool or thing.is_gone:
            return False
        if thing.kind == FILE:
            return hashlib.sha256(response.body).hexdigest() == thing.sha256
        return thing.gist == page_gist(response)

    def _follow(self, step: Step, response: Response, number: int, hops: int) -> None:
        goal = join(response.url, response.header("location"))
        is_known = self._things[number].kind != FILE and goal in self.outlook.known
        if not goal or goal in self._goals or is_known:
            self.outlook.saw(number, changed=False)
            return
        self._goals.add(goal)
        reason = Reason(kind="redirect", arm=step.reason.arm, text="the address before leads here")
        request = replace(step.request, url=goal, headers=())
        moved = Step(request=request, reason=reason, parent=response.url)
        self._ways.append((moved, number, hops))

    # Keeping.

    def summary(self) -> Summary:
        """Say what was looked at, and how often things change."""
        inner = {key: told for key, told in self.inner.summary().items() if key != "forecast"}
        left = {"looks": self._counts["looks"], "left": int(self._waits.sum())}
        rates = {"rates": self.outlook.rates.summary()}
        return {**inner, "stopped": "", "arms": []} | left | rates


def conditions(thing: Thing) -> tuple[tuple[str, str], ...]:
    """Return the headers by which a server says that nothing has changed.

    >>> conditions(Thing(url="http://a.org/", kind="file", at_s=0.0, etag='"7"'))
    (('If-None-Match', '"7"'),)
    """
    pairs = (("If-None-Match", thing.etag), ("If-Modified-Since", thing.modified))
    return tuple((name, value) for name, value in pairs if value and not thing.is_gone)


def _is_urgent(step: Step) -> bool:
    """Tell whether a strategy asks for it before anything is expected of it: a redirect."""
    return not step.reason.expected
