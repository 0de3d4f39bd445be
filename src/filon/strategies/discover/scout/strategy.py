"""scout: the default way to discover. Every request goes where it is likeliest to pay.

Three things can be done with a request: ask a search service (asking.py), read a page that waits
(frontier.py), or go on with the check of a site (repositories.py). Each says what it expects to
bring for a request, and the best is done. What counts is decided by the goal: repositories, checked
by their own APIs where they have one, or sites like the examples.
"""

import sys
from typing import Any

from filon.core import Find, Response, State, Step, Summary, UserError
from filon.learn.discounted import CHOICES, Discounted
from filon.page.url import parse
from filon.strategies.discover.brief import Brief
from filon.strategies.discover.found import Found
from filon.strategies.discover.page import Page, site_of
from filon.strategies.discover.scout import frontier
from filon.strategies.discover.scout.asking import Asking
from filon.strategies.discover.scout.errands import Errand, Errands, arm_named, arm_of
from filon.strategies.discover.scout.frontier import Candidate, Frontier
from filon.strategies.discover.scout.hubs import Hubs
from filon.strategies.discover.scout.outcome import Outcome
from filon.strategies.discover.scout.queries import Queries
from filon.strategies.discover.scout.repositories import Repositories
from filon.strategies.discover.scout.sites import Sites
from filon.strategies.discover.scout.sources import Sources

MODES = ("auto", "repositories", "sites")
#: mode: what is looked for; auto: sites where examples are given, else repositories.
#: choice: how arms are chosen. fade: what remains of an arm's past after a search.
#: dollar: the requests that a dollar is worth. audit: the share of rejected pages that are checked
#: all the same. focus: how much of a repository's reward hangs on its nearness to the topic.
DEFAULTS: dict[str, float | str] = {
    "mode": "auto",
    "choice": "thompson",
    "fade": 0.98,
    "dollar": 200.0,
    "audit": 0.07,
    "focus": 0.3,
}
#: The service whose catalogues are known before anything is found.
REGISTRY = "registry"
FORWARD = "forward"
#: Results that the summary names.
MOST_TOLD = 1_000
#: A page this good is asked about: what is like it, who links to it; and its links are followed.
ASKED_ABOUT = 0.5


class Scout:
    """Chooses between searches, pages and checks by what each brings for its cost."""

    modes = MODES

    def __init__(self, brief: Brief) -> None:
        told = _checked(brief)
        by_sites = told["mode"] == "sites" or (told["mode"] == "auto" and bool(brief.seeds))
        self.brief = brief
        self.errands = Errands(brief)
        self.bandit = Discounted(
            seed=brief.seed, fade=float(told["fade"]), choice=str(told["choice"])
        )
        self.asking = Asking(brief, self.errands, self.bandit, float(told["dollar"]))
        self.bandit.add(FORWARD)
        self.goal: Repositories | Sites = (
            Sites(brief, self.errands)
            if by_sites
            else Repositories(brief, self.errands, float(told["audit"]), float(told["focus"]))
        )
        self.sources = Sources()
        self.frontier = Frontier(self.sources, self._wanted, self.goal.cost, self.bandit.rate)
        self.hubs = Hubs(brief.sites)
        self.queries = Queries(brief.topic, brief.languages, ends=not by_sites)
        self._out: dict[str, Candidate] = {}  # pages that are asked for
        self._known: dict[str, None] = {}
        self._examples = 0  # that are awaited
        self._begun = False

    def _wanted(self, site: str) -> float:
        busy = any(one.site == site for one in self._out.values())
        return 0.0 if busy else self.goal.wanted(site)

    # Choosing.

    def propose(self) -> Step | None:
        """Return the step that promises most."""
        if not self._begun:
            self._begin()
        while True:
            if step := self.errands.propose(self._outlook()):
                return step
            if self._examples or not self._decide():
                return None

    def _begin(self) -> None:
        """Ask for the examples; what is offered to search services waits until they are read."""
        self._begun = True
        for url in dict.fromkeys((*self.brief.seeds, *self.brief.accepted)):
            self._examples += self.errands.page(Errand(kind="seed", role="good"), url)
        for url in dict.fromkeys(self.brief.rejected):
            self.goal.reject(site_of(parse(url) or url, self.brief.sites))
            if isinstance(self.goal, Sites):
                self._examples += self.errands.page(Errand(kind="seed", role="bad"), url)
        for query in self.queries.first():
            self.asking.offer("keyword", query, 1.0)
        for query in dict.fromkeys([self.brief.topic.strip(), *self.brief.topic.split()]):
            self.asking.offer("seeds", query, 1.0 if query == self.brief.topic.strip() else 0.6)

    def _decide(self) -> bool:
        """Put the best of all that can be done in line; False: nothing can."""
        if self.asking.lacks("keyword"):
            for number, query in enumerate(self.queries.more()):
                self.asking.offer("keyword", query, 1.0 - 0.05 * number)
        site, reading = self.goal.best()
        number, page = self.frontier.best()
        arm, asking = self.asking.best()
        if self.errands.full:
            return False
        if site and reading >= max(page, asking):
            for outcome in self.goal.go_on(site):
                self._settle(outcome)
        elif number >= 0 and (page >= asking or not arm):
            self._fetch(number, page)
        elif arm:
            self.asking.ask(arm, asking)
        else:
            return False
        return True

    def _fetch(self, number: int, worth: float) -> None:
        one = self.frontier.take(number)
        errand = Errand(
            kind="hub" if one.hub else "page",
            operator=one.operator,
            searcher=one.searcher,
            query=one.query,
            parent=one.parent,
            entry=one.url,
            origins=tuple(one.origins),
            score=worth,
        )
        if self.errands.page(errand, one.url):
            self._out[one.url] = one
            self.frontier.touch(one.site)

    def _outlook(self) -> str:
        return f"{len(self.goal)} {self.goal.kind}{'s' if len(self.goal) != 1 else ''} so far"

    # Learning.

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Take in what a search, a page or an API brought."""
        errand = self.errands.landed(step)
        if errand.kind == "search":
            self._search(errand, response)
            return []
        if errand.kind != "seed":
            self.bandit.spend(arm_of(errand), 1.0)
        if response.redirects and self.errands.follow(errand, response):
            return []
        if errand.kind == "call":
            outcomes = self.goal.heard(errand, response)
        elif errand.kind == "look":
            outcomes = self.goal.read(errand, self.errands.read(errand, response))
        elif errand.kind == "seed":
            outcomes = self._example(errand, response)
        else:
            outcomes = self._page(errand, response)
        return [find for outcome in outcomes for find in self._settle(outcome)]

    def _search(self, errand: Errand, response: Response) -> None:
        """Let results wait."""
        arm = arm_named(errand.operator, errand.searcher)
        hits = self.asking.hear(errand, response)
        source = f"{arm} {errand.query}"
        own = site_of(errand.query, self.brief.sites) if errand.operator == "backward" else ""
        gain = 0.0
        for hit in hits:
            url = parse(hit.url)
            if not url or site_of(url, self.brief.sites) == own:
                continue
            if errand.searcher == REGISTRY:
                self._known[site_of(url, self.brief.sites)] = None
            # Not every service tells more than the address.
            text = f"{getattr(hit, 'title', '')} {getattr(hit, 'snippet', '')}".strip()
            gain += self._add(
                Candidate(
                    url,
                    site_of(url, self.brief.sites),
                    text[:400],
                    errand.operator,
                    errand.searcher,
                    errand.query,
                    errand.parent or errand.query,
                    errand.operator == "backward",
                    origins=[(arm, source)],
                )
            )
        self.asking.worth(errand, gain, not hits)

    def _add(self, one: Candidate) -> float:
        """Let a page wait; return what it promises."""
        if not self.errands.fresh(one.url) or not self.goal.wanted(one.site):
            return 0.0
        one.prior = 0.0 if one.hub else self.goal.prior(one.url, one.text)
        return self.frontier.add(one) * self.goal.wanted(one.site)

    def _example(self, errand: Errand, response: Response) -> list[Outcome]:
        self._examples -= 1
        page = self.errands.read(errand, response)
        if page is not None and isinstance(self.goal, Sites):
            self.goal.example(page, errand.role == "good")
            self.queries.learn(page, "", float(errand.role == "good"))
            if errand.role == "good":
                self._ask_about(page, 1.0)
                self._spread(page.url, page, FORWARD)
        elif page is not None:
            return self.goal.take(self._given(page), page, response)
        if not self._examples and isinstance(self.goal, Sites):
            self.goal.judge.begin()
        return []

    def _given(self, page: Page) -> Candidate:
        return Candidate(page.url, page.site, operator="given", origins=[("given", "given")])

    def _page(self, errand: Errand, response: Response) -> list[Outcome]:
        """Take in a page that waited; a hub's links wait now."""
        one = self._out.pop(errand.entry)
        self.frontier.touch(one.site)
        page = self.errands.read(errand, response)
        if page is None:
            return [self.goal.dead(one)]
        if errand.kind == "hub":
            self._spread(page.url, page, arm_of(errand))
        elif self.hubs.remember(page):
            self._spread(page.url, page, FORWARD)
        return self.goal.take(one, page, response)

    def _settle(self, outcome: Outcome) -> list[Find]:
        """Learn from an end: the arm, the classifier, the queries; go on from a good page."""
        one, page = outcome.candidate, outcome.page
        arm = one.origins[0][0]
        if outcome.good >= 0:
            if not one.hub:
                self.frontier.learn(one, outcome.good, outcome.weight)
            if page is not None:
                self.queries.learn(page, outcome.words, outcome.good)
        if outcome.gain:
            self.bandit.gain(arm, outcome.gain)
        self.frontier.touch(outcome.site)
        self.frontier.touch(one.site)
        if page is not None and outcome.good >= ASKED_ABOUT:
            self._ask_about(page, outcome.good * min(1.0, 0.5 + outcome.gain))
            self._spread(page.url, page, FORWARD)
            for url, links in self.hubs.good(page.site):
                self._follow(url, links, FORWARD)
        return list(outcome.finds)

    def _ask_about(self, page: Page, promise: float) -> None:
        """Let it be asked what is like a good page, and who links to it."""
        home = page.url[: page.url.find("/", 8) + 1] or page.url
        self.asking.offer("related", home, promise, page.url)
        self.asking.offer("backward", home, promise, page.url)
        if page.url != home:
            self.asking.offer("backward", page.url, promise, page.url)

    def _spread(self, source: str, page: Page, arm: str) -> None:
        self._follow(source, list(zip(page.abroad, page.anchors, strict=True)), arm)

    def _follow(self, source: str, links: list[tuple[str, str]], arm: str) -> None:
        """Let the links of a page wait."""
        operator, _, searcher = arm.partition(" · ")
        for url, text in links:
            one = Candidate(
                url,
                site_of(url, self.brief.sites),
                text,
                operator,
                searcher,
                parent=source,
                origins=[(arm, source)],
            )
            self._add(one)

    # Telling and keeping.

    def found(self, most: int = MOST_TOLD) -> list[Found]:
        """Return what was found, best first, and why."""
        return self.goal.found(self.queries.terms, self._known, most)

    def ranked(self, most: int = 0) -> list[Found]:
        """Return what was found, best first, and why; 0: all."""
        return self.found(most or sys.maxsize)

    def summary(self) -> Summary:
        """Say what was found and which arm brought it."""
        found = self.found()
        return {
            "pages": self.errands.pages,
            "requests": self.errands.requests,
            "arms": self.asking.told(),
            "searchers": self.errands.searching.told(),
            "troubles": dict(sorted(self.errands.troubles.items())),
            "found": [one.told() for one in found],
            "outside the registry": sum(not one.known for one in found),
            "waiting": len(self.frontier),
            **self.goal.summary(),
        }

    def state(self) -> State:
        """Return plain data."""
        return {
            "version": 1,
            "errands": self.errands.state(),
            "bandit": self.bandit.state(),
            "asking": self.asking.state(),
            "goal": self.goal.state(),
            "sources": self.sources.state(),
            "frontier": self.frontier.state(),
            "hubs": self.hubs.state(),
            "queries": self.queries.state(),
            "out": [frontier.packed(one) for one in self._out.values()],
            "known": list(self._known),
            "examples": [self._examples, self._begun],
        }

    def restore(self, state: State) -> None:
        """Go on from there."""
        self.errands.restore(state["errands"])
        self.bandit.restore(state["bandit"])
        self.asking.restore(state["asking"])
        self.goal.restore(state["goal"])
        self.sources.restore(state["sources"])
        self.frontier.restore(state["frontier"])
        self.hubs.restore(state["hubs"])
        self.queries.restore(state["queries"])
        self._out = {row[0]: frontier.unpacked(row) for row in state["out"]}
        self._known = dict.fromkeys(state["known"])
        self._examples, self._begun = state["examples"]


def _checked(brief: Brief) -> dict[str, Any]:
    """Return the options; wrong ones get a sentence."""
    told = DEFAULTS | dict(brief.options)
    if told["mode"] not in MODES:
        raise UserError(f"There is no mode {told['mode']!r}: known are {', '.join(MODES)}.")
    if told["choice"] not in CHOICES:
        raise UserError(f"Arms are chosen by {' or '.join(CHOICES)}, not by {told['choice']!r}.")
    for name, most in (("fade", 1.0), ("audit", 1.0), ("focus", 1.0)):
        if not 0 <= float(told[name]) <= most:
            raise UserError(f"The option {name} lies between 0 and {most:g}, not at {told[name]}.")
    if not brief.topic.strip() and not brief.seeds:
        raise UserError("Say in a few words what is looked for, or give examples of it.")
    return told
