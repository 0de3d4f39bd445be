"""`vein`: the harvest strategy that learns per link instead of per group of links.

A link is worth the targets it brings for each request that brings none: p / (1 - p) for being a
target itself with chance p, plus the new targets expected behind it. Both are predicted by
regressions over all that was followed so far, and every link in the frontier is rated anew as
they learn. There is one queue for pages and files, no HEAD phase and no random exploration.
"""

from functools import cached_property, partial
from typing import Any

import numpy as np

from filon.core import Find, Reason, Request, Response, Step, Summary
from filon.core.abilities import Reread
from filon.core.forms import each, keyed, parts, row
from filon.core.state import Stateful, part, stored, version
from filon.learn import EarlyStop
from filon.learn.arrays import NUMBERS
from filon.learn.ridge import Vector
from filon.page.links import ALONE, ALTERNATE, DESCRIBED, FEED, STEP, Link
from filon.page.sitemap import MAX_PLACES, is_index, names_text, places
from filon.page.traps import Noise, has
from filon.page.url import join
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import Answer, SiteState, SlashRule
from filon.verbs.harvest.strategies.vein.features import (
    GROUPS,
    WIDTH,
    Features,
    Tracks,
    Twins,
    padded,
)
from filon.verbs.harvest.strategies.vein.frontier import Candidate, Frontier, Kinds, Slots
from filon.verbs.harvest.strategies.vein.sightings import Sightings
from filon.verbs.harvest.strategies.vein.site_prior import SitePrior
from filon.verbs.harvest.strategies.vein.value import Credit, Forecast, Outcomes, Prior

#: Parts that can be switched off one by one.
PARTS = (
    "hints",
    "hubs",
    "slash",
    "sitemaps",
    "noise",
    "doubt",
    "warmup",
    "twins",
    "sightings",
)
DEFAULTS: dict[str, float | str] = dict.fromkeys((*GROUPS, *PARTS), "on")
#: Answers between two refits; links that are rated anew at each, since rating a million takes a
#: third of a second; and shelves of the rest that are rated when the best of them is to be taken.
REFIT_EVERY, RATED_AT_ONCE, RATED_WHEN_DUE = 20, 20_480, 8
#: Answers for each request in flight beyond the first: who knows little asks one thing at a time.
WARM_AFTER = 20
#: Less likely targets do not count towards a page's yield: sums of tiny chances are no reward.
LEAST_CHANCE = 0.1
#: Of the state: raised whenever what is kept in it changes.
VERSION = 2
#: Frames of a page: they are the page. And new links of the kind that led to it by which a page of
#: a chain leads on: there, and back.
MOST_FRAMES, LINKS_OF_CHAIN = 20, 2
#: Kinds of `link` in the head that count, and what is described to machines; on a start page the
#: site's feed too.
HEADS = (STEP, ALTERNATE, DESCRIBED)
SITEMAP = "/sitemap/loc"  # where links of a sitemap stand
SITEMAP_NAME = "/sitemap.xml"  # under this name no sitemap counts as data
_TABLES = ("text/csv", "text/tab-separated-values")  # what a text of addresses may look like


class Vein(Stateful):
    """`vein`: the default of `filon harvest`.

    A link that is a target with the chance p, and has b new targets behind it, is worth

        p / (1 - p) + b

    targets for each request that brings none; where bytes are to be saved, (p + b) a byte.

    Requests for 100 data files of the bundled small portal:

    >>> from filon.demo.sites import to_files
    >>> to_files(Vein, 100)
    143

    Reference: docs/vein.md, "The value of a link". p and b are ridge regressions: A. Hoerl and
    R. Kennard, "Ridge Regression", Technometrics 12, 1970.
    """

    STATE = (
        version(VERSION, of="vein"),
        stored("site", key="territory"),
        "outcomes",
        "kinds",
        "frontier",
        "credit",
        "slash",
        "noise",
        "forecast",
        "tracks",
        "twins",
        part("site_prior"),
        part("sightings"),
        part("slope"),
        "_stopped",
        "_outlook",
        "_fitted",
        "_rewritten",
        stored("_asked", NUMBERS),
        "_frames",
        "_chains",
        stored("_named", NUMBERS),
        stored("_urgent", each(parts(row(Candidate)))),
        stored("_flying", keyed(row(Candidate), lambda candidate: candidate.url)),
    )

    def __init__(self, brief: Brief) -> None:
        off = frozenset(name for name, value in brief.options.items() if value == "off")
        self._on = {part: part not in off for part in PARTS}
        self._on["sitemaps"] &= not brief.depth  # they tell of pages, not how deep these are
        self._in_bytes = brief.cost == "bytes"
        self.site = SiteState(brief)
        self.features = Features(off)
        self.prior = Prior(brief.types, hints=self._on["hints"])
        self.outcomes = Outcomes(doubt=self._on["doubt"])
        self.twins = Twins()
        self.kinds = Kinds()
        self.frontier = Frontier(self.kinds)
        self.credit = Credit(self.outcomes.relabel)
        self.slash = SlashRule()
        self.noise = Noise()
        self.forecast = Forecast()
        self.tracks = Tracks()
        self.slope = EarlyStop() if brief.stop == "paper" else None
        self._stops = brief.stop == "auto"
        self._stopped = ""
        self._outlook = ""
        self._explores = False
        self._fitted = 0  # links asked for at the last refit
        self._rewritten: dict[str, str] = {}  # addresses by the slash rule: as they were linked
        self._asked: set[int] = set()  # pages, by number; some of them before their turn
        self._frames: set[str] = set()  # that are asked for next
        self._chains: dict[str, int] = {}  # pages in a row: the kind of link that leads on
        self._named: set[int] = set()  # what waits and was named as a sitemap, by number
        self._urgent: list[tuple[Candidate, str]] = []  # asked for next: whom, and from where
        self._flying: dict[str, Candidate] = {}
        self.site.alias = self.noise.without
        blank = np.zeros(WIDTH, dtype=np.uint16)
        for start in reversed(self.site.starts()):
            self._urgent.append((Candidate(start, "", -1, blank, 0.0, 0.0, 0.0, 0.0), ""))

    @cached_property
    def site_prior(self) -> SitePrior | None:
        """What links mean on other sites, if that is to be used."""
        prior = self.site.brief.prior
        return prior() if prior else None

    @cached_property
    def sightings(self) -> Sightings | None:
        """Links that wait, if they are to be looked at once more.

        Without a prior the better of two sightings is mostly the one that was guessed too high.
        """
        wanted = self._on["sightings"] and self.site_prior is not None
        return Sightings(self.frontier.holds) if wanted else None

    # Choosing.

    def propose(self) -> Step | None:
        """Follow a redirect, else the link that is worth most."""
        if self._urgent:
            candidate, parent = self._urgent.pop()
            return self._step(candidate, parent, self._why_now(candidate, parent))
        if self._is_cold():
            return None  # until an answer is in
        self._refit()
        if self._is_over():
            return None
        while best := self._explore() or self._best():
            if straight := self._straight(best):
                return self._step(straight, best.parent, self._reason(best))
        return None

    def _explore(self) -> Candidate | None:
        """In a drought, take a link of the kind that tells most about what is left."""
        self._explores = self.forecast.is_dry and self.outcomes.sent % 2 == 0
        return self.frontier.best_of(self.kinds.doubtful()) if self._explores else None

    def _best(self) -> Candidate | None:
        for slots in self.frontier.doubtful(RATED_WHEN_DUE):
            self._rate(slots)
        return self.frontier.best()

    def _step(self, candidate: Candidate, parent: str, reason: Reason) -> Step:
        self._flying[candidate.url] = candidate
        if candidate.parent and self.sightings:
            self.sightings.forget(candidate.url)
        self._asked.add(self.site.number(candidate.url))
        self.outcomes.send(candidate.row)
        return self.site.step(candidate.url, parent, reason)

    def _straight(self, candidate: Candidate) -> Candidate | None:
        """Replace an address that is known to redirect by where it leads; None: it was asked."""
        if self._is_asked(candidate.url):
            return None
        name = self.site.name(candidate.url)
        goal = self.slash.apply(name)
        if goal == name or not name.startswith("http"):  # a name may be less than a URL
            return candidate
        if not self.site.moves(candidate.url, goal, waits=not self._is_asked(goal)):
            return None
        self._asked.add(self.site.number(candidate.url))
        self._rewritten[goal] = candidate.url
        return candidate._replace(url=goal)

    def _is_asked(self, url: str) -> bool:
        return self.site.number(url) in self._asked

    def _why_now(self, candidate: Candidate, parent: str) -> Reason:
        if candidate.url in self._frames:
            self._frames.discard(candidate.url)
            return Reason(kind="link", text="it is a frame of the page before it")
        if parent:
            return Reason(kind="redirect", text="the address before it leads here")
        return Reason(kind="start", text="it is the start page")

    def _reason(self, candidate: Candidate) -> Reason:
        chance, behind = candidate.chance, candidate.expected - candidate.chance
        guess = f"{chance:.0%} likely a file itself, {behind:.2f} new files expected behind it"
        choice = f"among {len(self.frontier) + 1:,} known links it was worth most"
        if self._explores:
            dry = f"nothing was found with the last {self.forecast.drought:,} requests"
            choice = f"{dry}, so kinds of links of which little is known come first"
        place = self.kinds.place(candidate.arm)
        text = f"{choice}: {guess}; {self.tracks.say(place)}"
        kind = "target" if chance > 0.5 else "link"
        return Reason(
            kind=kind,
            arm=self.tracks.name(place),
            score=candidate.value,
            expected=candidate.expected,
            text=text,
            outlook=self._outlook,
        )

    def _is_over(self) -> bool:
        forecast = self.forecast
        if self.slope and self.slope.look(forecast.requests, forecast.finds):
            self._stopped = "early-stop"
        if self._stops and forecast.is_over(len(self.frontier), self.kinds.left):
            self._stopped = "early-stop"
        return bool(self._stopped)

    def _is_cold(self) -> bool:
        """Tell whether more is in flight than the little that is known allows for."""
        warm = 1 + self.outcomes.count // WARM_AFTER
        return self._on["warmup"] and len(self._flying) >= warm

    def _refit(self) -> None:
        """Learn from the latest outcomes and rate all links anew, when it is time."""
        new = self.outcomes.sent - self._fitted
        early = 1 + self.outcomes.count // 10
        if new >= min(REFIT_EVERY, early):
            self._fitted = self.outcomes.sent
            self.outcomes.refit(costs=self._in_bytes, drought=self.forecast.drought)
            for slots in self.frontier.outdate(RATED_AT_ONCE):
                self._rate(slots)
            self._outlook = self._in_words(self.forecast.tell(self.kinds.left()))

    @staticmethod
    def _in_words(told: dict[str, float] | None) -> str:
        if told is None:
            return "left: too early to tell"
        return f"about {told['mean']:.0f} ± {told['spread']:.0f} files left"

    def _rate(self, slots: Slots) -> Vector:
        """Rate links of the frontier; return their chances."""
        rows, priors = self.frontier.look(slots)
        chances, behind, hoped = self.outcomes.predict(rows, priors)
        expected = chances + behind
        values = chances / (1 - chances) + hoped
        if self._in_bytes:
            values = (chances + hoped) / self.outcomes.bytes(rows)
        self.frontier.rate(slots, chances, expected, values)
        return chances

    # Learning.

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Learn what a link was; put the links of a page into the frontier."""
        candidate = self._flying.pop(step.request.url)
        if response.error == "robots":
            self._rewritten.pop(step.request.url, None)
            self.credit.deny(candidate.parent, candidate.chance)
            return []  # it was not asked for: nothing was spent, and nothing is learnt of it
        answer = self.site.read(response)
        if self._goes_on(candidate, response, answer):
            self.forecast.note(False)
            return []
        if answer.kind in ("html", "target"):
            self._compare(response, is_page=answer.kind == "html")
        if answer.kind == "html":
            self._open(candidate, response)
            return []
        if self._on["sitemaps"] and self._list(candidate, response, answer):
            return []
        is_target = answer.kind == "target"
        self._learn(candidate, response, is_target, 0.0, [])
        if is_target:
            self.credit.confirm(candidate.parent)
        else:
            self.credit.spend(candidate.parent)
        return [self.site.find(step, response, answer)] if is_target else []

    def _goes_on(self, candidate: Candidate, response: Response, answer: Answer) -> bool:
        """Ask elsewhere: where a redirect leads, or where a rewritten address was linked to."""
        url = response.url
        if linked := self._rewritten.pop(url, ""):
            self.slash.tried(url, failed=answer.kind == "error")
            if answer.kind == "error":
                self._urgent.append((candidate._replace(url=linked), candidate.parent))
                return True
        elif self._on["slash"]:
            redirect = answer.kind == "redirect"
            goal = join(url, response.header("location")) if redirect else ""
            if redirect or answer.kind == "html":
                self.slash.note(self.site.name(url), self.site.name(goal))
        # A page that waits leaves out of turn, by the value of the link that led there.
        known = answer.known
        waits = known and not self._is_asked(known) and self.site.admits(known, response.at_s)
        if goal := answer.goal or (known if waits else ""):
            self._urgent.append((candidate._replace(url=goal), url))
            if self._is_named(url):
                self._name([goal])
        return bool(goal)

    def _learn(
        self, candidate: Candidate, response: Response, target: bool, own: float, new: list[int]
    ) -> int:
        """Remember an outcome and return its number.

        own: the new targets that a page links to. new: the kinds of all its new links.
        """
        self.forecast.note(target)
        self.kinds.note(candidate, "" if target else response.url, target, new)
        if not candidate.parent:
            return -1
        self.tracks.note(self.kinds.place(candidate.arm), own + target)
        row, prior, size = candidate.row, candidate.prior, response.wire_bytes
        return self.outcomes.add(row, prior, target, own, size)

    def _open(self, candidate: Candidate, response: Response) -> None:
        """Queue the links of a page and credit those who led to it."""
        heads = HEADS if candidate.parent else (*HEADS, FEED)
        if self._on["twins"]:
            self._mark_twins(response.url)
        links, known = self.site.links(response, around=ALONE, heads=heads, again=self.sightings)
        chances, new = self._queue(links, response.url)
        self._meet(known, response.url)
        frames = [link.url for link in links if link.tag == "frame"][:MOST_FRAMES]
        self._frames.update(frames)
        self._urgent += [(candidate._replace(url=url), response.url) for url in reversed(frames)]
        if candidate.parent and 0 < new.count(candidate.arm) <= LINKS_OF_CHAIN:
            self._chains[response.url] = candidate.arm
        self._credit(candidate, response, chances[chances >= LEAST_CHANCE], new)
        if not candidate.parent and self._on["sitemaps"]:
            self._queue(self._sitemaps([join(response.url, SITEMAP_NAME)], response), response.url)

    def _credit(
        self, candidate: Candidate, response: Response, chances: Vector, new: list[int]
    ) -> None:
        """Learn what a page or sitemap brought, by the chances of its links that count."""
        outcome = self._learn(candidate, response, False, float(np.add.reduce(chances)), new)
        if self._on["hubs"]:
            # The pages of a chain are good or bad each for itself.
            is_chained = self._chains.get(candidate.parent) == candidate.arm
            above = "" if is_chained else candidate.parent
            self.credit.earn(response.url, chances, above, outcome)

    def _compare(self, response: Response, *, is_page: bool) -> None:
        """Look whether a parameter changes anything, and forget links that only repeat others."""
        url, body = response.url, response.body
        if not (self._on["noise"] and response.ok) or len(body) < response.size_bytes:
            return
        before, found = self.noise.changes, self.noise.note(url, body, is_page=is_page)
        if self.noise.changes > before:
            self.site.rename()
        for name in found:
            for known in self.noise.met(name):
                self.site.claim(known)
            self.frontier.drop(partial(self._repeats, name))

    def _repeats(self, name: str, url: str) -> bool:
        return has(url, name) and not self.site.claim(url)

    def _queue(self, links: list[Link], page: str) -> tuple[Vector, list[int]]:
        """Put links into the frontier; return their chances of being targets, and their kinds."""
        if not links:
            return np.zeros(0), []
        slots, kinds = self._put(links, page)
        if self.sightings:
            for slot, link in zip(slots.tolist(), links, strict=True):
                self.sightings.note(link, slot)
        return self._rate(slots), kinds

    def _meet(self, links: list[Link], page: str) -> None:
        """Know links that wait by this page where they are worth more so than by another."""
        if self.sightings and (found := self.sightings.elsewhere(links)):
            slots, _ = self._put([link for link, _ in found], page)
            self._rate(slots)
            for slot, (_, before) in zip(slots.tolist(), found, strict=True):
                self.frontier.take(self.frontier.worse(slot, before))

    def _put(self, links: list[Link], page: str) -> tuple[Slots, list[int]]:
        name = self.site.name  # session ids must not be learnt
        named = [_called(link, name(link.url)) for link in links]
        priors = [self.prior.chance(link) for link in named]
        likely = sum(prior > 0.5 for prior in priors)
        rows = self.features.rows(named, name(page), likely)
        if self.site_prior:
            priors = self.site_prior.inform(rows, priors, named, name(page))
        self.twins.mark(rows, [link.url for link in named])
        shape, number = self.kinds.shape(name(page)), self.tracks.number
        kinds = [
            self.kinds.number(number(link.path), shape, prior)
            for link, prior in zip(links, priors, strict=True)
        ]
        slots = self.frontier.put([link.url for link in links], page, kinds, rows, priors)
        for slot, link in zip(slots.tolist(), links, strict=True):
            self.twins.wait(link.url, slot)
        return slots, kinds

    def _mark_twins(self, url: str) -> None:
        """Think less of links that lead to a page that was read, by another address.

        One that led there before its turn no longer waits.
        """
        twins = self.twins.read(url)
        marked = []
        for slot, known, twin in twins:
            if self.frontier.mark(slot, known, twin):
                if self._is_asked(known):
                    self.frontier.take(slot)
                else:
                    marked.append(slot)
        if marked:
            self._rate(np.array(marked))

    # Sitemaps and feeds.

    def hear_sitemaps(self, urls: list[str], at_s: float) -> None:
        """Take note of the sitemaps that robots.txt names: links like any other."""
        if self._on["sitemaps"]:
            self._name(urls)
            links = [Link(url, SITEMAP, "", "sitemap") for url in urls if self.site.reads(url)]
            self._queue(self.site.admit(links, at_s), self.site.brief.start)

    def _list(self, candidate: Candidate, response: Response, answer: Answer) -> bool:
        """Queue what a sitemap or feed lists; tell whether it is nothing else."""
        url, named = response.url, self._is_named(response.url)
        looks = "xml" in f"{answer.mime} {url}" or names_text(url)
        if not (named or looks) or not self.site.reads(url):
            return False
        found = places(response.body, url, named=named)
        if is_index(response.body):
            self._name(found)
        chances, new = self._queue(self._sitemaps(found, response), url)
        mime = answer.mime if answer.mime not in _TABLES else "text/plain"  # commas in each line
        if not found or self.site.brief.types.wants(mime, SITEMAP_NAME, response.mime):
            return False
        self._credit(candidate, response, chances[chances > 0.5], new)
        return True

    def _name(self, urls: list[str]) -> None:
        """Take note of what is named as a sitemap: a text may be one."""
        room = MAX_PLACES - len(self._named)
        self._named.update(self.site.number(url) for url in urls[: max(room, 0)])

    def _is_named(self, url: str) -> bool:
        """Tell whether a URL was named as a sitemap; it no longer waits."""
        number = self.site.number(url)
        named = number in self._named
        self._named.discard(number)
        return named

    def _sitemaps(self, urls: list[str], response: Response) -> list[Link]:
        links = [Link(url, SITEMAP, "", "sitemap") for url in urls]
        return self.site.admit(links, response.at_s)

    # Looking again.

    def asking(self, url: str) -> Request:
        """Return the request by which something known is asked for."""
        return self.site.request(url)

    def set_aside(self) -> None:
        """Forget what waits: from now on only what is new is followed, and to its last link."""
        self.frontier.drop(lambda _: True)
        self._urgent.clear()
        self._flying.clear()
        self._stopped, self._stops, self.slope = "", False, None

    def reread(self, step: Step, response: Response) -> Reread:
        """Queue the new links of a page or list; return a file."""
        answer = self.site.read(response)
        if answer.kind == "target" and not places(response.body, response.url):
            return Reread([self.site.find(step, response, answer)])
        if answer.kind == "html":
            links = self.site.new_links(response, around=ALONE, heads=(*HEADS, FEED))
        else:
            links = self._sitemaps(places(response.body, response.url), response)
        chances, _ = self._queue(links, response.url)
        return Reread([], len(links), float(chances[chances >= LEAST_CHANCE].sum()))

    # Keeping.

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state of an older version with all that is there today."""
        if "asked" not in state:
            waiting = {self.site.number(url) for url in state["frontier"]["urls"] if url}
            seen = set(NUMBERS.read(state["territory"]["seen"]))  # a state of old: one array
            state = state | {"asked": NUMBERS.write(seen - waiting)}
        if "kinds" not in state:
            followed, brought, _ = state["tracks"]["told"]
            state = state | {"kinds": Kinds.of_places(followed, brought)}
        frontier = state["frontier"]
        wide = {"frontier": frontier | {"rows": [padded(rows) for rows in frontier["rows"]]}}
        fresh: dict[str, Any] = dict.fromkeys(("slope", "site_prior", "sightings"))
        none = {"twins": Twins().state(), "frames": [], "chains": {}, "named": NUMBERS.write(set())}
        return {**fresh, **none, **state, **wide}

    def restored(self) -> None:
        """Find the links that wait by their addresses again, and those by what is noise."""
        self.site.rename()
        for slot, url in self.frontier.waiting():
            self.twins.wait(url, slot)

    def summary(self) -> Summary:
        """Say which places paid, what is left, and why it stopped."""
        return {
            **self.site.summary(),
            "arms": self.tracks.summary(self.kinds.waiting()),
            "left": len(self.frontier),
            "forecast": self.forecast.tell(self.kinds.left()),
            "noise": self.noise.names,
            "stopped": self._stopped,
        }


def _called(link: Link, name: str) -> Link:
    """Return a link under the name of its page, mostly its own URL."""
    return link if name == link.url else link._replace(url=name)
