"""scout: the default way to discover. Every request goes where it is likeliest to pay.

Three things can be done with a request: ask a search service (queries.py), read a page that waits
(frontier.py), or go on with the check of a site (repositories.py). Each says what it expects to
bring for a request, and the best is done. What counts is decided by the goal: repositories, checked
by their own APIs where they have one, or sites like the examples.
"""

import sys
from collections.abc import Iterable, Sequence

from filon.core import Find, Response, Step, Summary, UserError
from filon.core.forms import KEYS, keyed
from filon.core.service import Hit
from filon.core.state import Stateful, group, stored, version
from filon.learn.discounted import CHOICES, Discounted
from filon.page.url import parse
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found
from filon.verbs.discover.strategies.page import Page, site_of
from filon.verbs.discover.strategies.scout.frontier import (
    CANDIDATE,
    Candidate,
    Frontier,
    Hubs,
    Outcome,
    Sources,
)
from filon.verbs.discover.strategies.scout.queries import Asking, Queries
from filon.verbs.discover.strategies.scout.repositories import Repositories
from filon.verbs.discover.strategies.scout.sites import Sites
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, ScoutTasks, arm_named, arm_of

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


def checked(brief: Brief) -> dict[str, float | str]:
    """Return the options; wrong ones get a sentence."""
    told = DEFAULTS | dict(brief.options)
    if told["mode"] not in MODES:
        raise UserError(f"There is no mode {told['mode']!r}: known are {', '.join(MODES)}.")
    if told["choice"] not in CHOICES:
        raise UserError(f"Arms are chosen by {' or '.join(CHOICES)}, not by {told['choice']!r}.")
    for name in ("fade", "audit", "focus", "dollar"):
        _check_number(name, told[name], most=1e9 if name == "dollar" else 1.0)
    if not brief.topic.strip() and not brief.seeds:
        raise UserError("Say in a few words what is looked for, or give examples of it.")
    if told["mode"] == "sites" and not (brief.seeds or brief.accepted):
        raise UserError("To find sites like some, give examples: the option is --seeds.")
    return told


def _check_number(name: str, value: float | str, most: float) -> None:
    try:
        fits = 0 <= float(value) <= most
    except ValueError:
        fits = False
    if not fits:
        bound = f"between 0 and {most:g}" if most == 1 else "of 0 or more"
        raise UserError(f"The option {name} is a number {bound}, not {value!r}.")


#: The arms that need nobody: links of good pages, and links of pages that link to good ones.
FORWARD, HUBS = "forward", "hubs"
#: The service whose catalogues are known before anything is found.
REGISTRY = "registry"
#: Of a title and a snippet.
MOST_TEXT = 400


class Candidates(Stateful):
    """Lets pages and questions wait."""

    STATE = ("_hubs", stored("known", KEYS))

    def __init__(
        self,
        brief: Brief,
        tasks: ScoutTasks,
        goal: Repositories | Sites,
        frontier: Frontier,
        asking: Asking,
        bandit: Discounted,
        sources: Sources,
    ) -> None:
        self._by = brief.sites
        self._tasks, self._goal, self._frontier = tasks, goal, frontier
        self._asking, self._bandit, self._sources = asking, bandit, sources
        self._hubs = Hubs(brief.sites)
        self.known: dict[str, None] = {}  # sites that the registry has
        bandit.add(FORWARD)
        bandit.add(HUBS)

    def results(self, task: ScoutTask, hits: Sequence[Hit]) -> float:
        """Let the results of a search wait; return what is expected of them."""
        arm = arm_named(task.operator, task.searcher)
        hub = task.operator == "backward"
        own = site_of(task.query, self._by) if hub else ""
        gain = 0.0
        for hit in hits:
            url = parse(hit.url)
            site = site_of(url, self._by) if url else own
            if task.searcher == REGISTRY and url:
                self.known[site] = None
            if site == own:
                continue
            # Not every service tells more than the address.
            text = f"{hit.title} {hit.snippet}".strip()
            one = Candidate(url, site, text[:MOST_TEXT], task.operator, task.searcher)
            one.query, one.parent, one.hub = task.query, task.parent or task.query, hub
            one.origins = [(arm, f"{arm} {task.query}")]
            gain += self._add(one)
        return gain

    def _add(self, one: Candidate) -> float:
        """Let a page wait; return what is expected of it."""
        wanted = self._goal.wanted(one.site)
        if not wanted or self._tasks.met(one.url):
            return 0.0
        if not one.hub:
            one.prior = self._goal.prior(one.url, one.text)
            one.value = self._goal.value(one.text)
        return self._frontier.add(one) * wanted

    def read(self, page: Page, hub_of: str) -> None:
        """Follow the links of a hub, or of a page that turns out to be one. hub_of: its arm."""
        if hub_of or self._hubs.remember(page):
            self._hub(page.url, _links(page), hub_of or HUBS)

    def good(self, page: Page, expected: float) -> None:
        """Go on from a good page: ask what is like it and who links to it, follow its links."""
        home = page.url[: page.url.find("/", 8) + 1] or page.url
        self._asking.offer("related", home, expected, page.url)
        self._asking.offer("backward", home, expected, page.url)
        self._asking.offer("backward", page.url, expected, page.url)
        self._bandit.pull(FORWARD, 0.0)
        self._follow(page.url, _links(page), FORWARD)
        for url, links in self._hubs.good(page.site):
            self._hub(url, links, HUBS)

    def bad(self, site: str) -> None:
        """Take note of a site that is not good: its hubs are the worse for it."""
        self._hubs.bad(site)

    def _hub(self, url: str, links: list[tuple[str, str]], arm: str) -> None:
        """Follow the links of a hub, which is judged by those that are known already."""
        self._sources.believe(url, *self._hubs.standing(links))
        if arm == HUBS:
            self._bandit.pull(HUBS, 0.0)
        self._follow(url, links, arm)

    def _follow(self, source: str, links: Iterable[tuple[str, str]], arm: str) -> None:
        """Let the links of a page wait."""
        operator, _, searcher = arm.partition(" · ")
        for url, text in links:
            one = Candidate(url, site_of(url, self._by), text, operator, searcher)
            one.parent, one.origins = source, [(arm, source)]
            self._add(one)


def _links(page: Page) -> list[tuple[str, str]]:
    return list(zip(page.abroad, page.anchors, strict=True))


#: Results that the summary names.
MOST_TOLD = 1_000
#: A page this good is asked about: what is like it, who links to it; and its links are followed.
ASKED_ABOUT = 0.5
#: What a word of the topic alone promises to registries, against the whole topic; and how much
#: less each further query of a batch does.
ONE_WORD, FURTHER = 0.6, 0.05
#: The arm of pages that the user gave.
GIVEN = "given"


class Scout(Stateful):
    """`scout`: chooses between searches, pages and checks by what each brings for its cost.

    Clubs (of 11) and repositories (of 6) that it finds on a small web with 30
    requests, and with 60 where it looks for repositories:

    >>> from filon.testing.discovery import tried
    >>> tried(Scout, 30), tried(Scout, 60, mode="repositories")
    ((10, 2), (0, 4))

    Reference: docs/scout.md, it is our own. What counts as a repository is that of `Dsdd` (section
    4.5), the search for sites like some that of `Disco` (section 4.1); the bandit is `Discounted`,
    the classifiers are `Ftrl`.
    """

    STATE = (
        version(1),
        stored("tasks", key="errands"),
        "bandit",
        "asking",
        "goal",
        "sources",
        "frontier",
        stored("candidates", key="leads"),
        "queries",
        stored("_out", keyed(CANDIDATE, lambda one: one.url)),
        group("examples", "_examples", "_begun"),
    )

    modes = MODES

    def __init__(self, brief: Brief) -> None:
        told = checked(brief)
        by_sites = told["mode"] == "sites" or (told["mode"] == "auto" and bool(brief.seeds))
        self.brief = brief
        self.tasks = ScoutTasks(brief)
        self.bandit = Discounted(
            seed=brief.seed, fade=float(told["fade"]), choice=str(told["choice"])
        )
        self.asking = Asking(brief, self.tasks, self.bandit, float(told["dollar"]))
        self.goal: Repositories | Sites = (
            Sites(brief, self.tasks)
            if by_sites
            else Repositories(brief, self.tasks, float(told["audit"]), float(told["focus"]))
        )
        self.sources = Sources()
        self.frontier = Frontier(self.sources, self._wanted, self.goal.cost, self.bandit.rate)
        self.candidates = Candidates(
            brief, self.tasks, self.goal, self.frontier, self.asking, self.bandit, self.sources
        )
        self.queries = Queries(brief.topic, brief.languages, brief.others, ends=not by_sites)
        self._out: dict[str, Candidate] = {}  # pages that are asked for
        self._examples = 0  # that are awaited
        self._begun = False

    def _wanted(self, site: str) -> float:
        busy = any(one.site == site for one in self._out.values())
        return 0.0 if busy else self.goal.wanted(site)

    # Choosing.

    def propose(self) -> Step | None:
        """Return the step that promises most; nothing else while examples are awaited."""
        if not self._begun:
            self._begin()
        while True:
            if step := self.tasks.propose(self._outlook()):
                return step
            if self._examples or not self._decide():
                return None

    def _begin(self) -> None:
        """Ask for the examples, and offer the first questions."""
        self._begun = True
        for url in dict.fromkeys((*self.brief.seeds, *self.brief.accepted)):
            self._examples += self.tasks.page(ScoutTask(kind="seed", role="good"), url)
        for url in dict.fromkeys(self.brief.rejected):
            self._reject(parse(url) or url)
        for query in self.queries.first():
            self.asking.offer("keyword", query, 1.0)
        topic = self.brief.topic.strip()
        for query in dict.fromkeys([topic, *topic.split()]):
            self.asking.offer("seeds", query, 1.0 if query == topic else ONE_WORD)

    def _reject(self, url: str) -> None:
        """Take note that the user does not want a site; its page teaches what is not wanted."""
        site = site_of(url, self.brief.sites)
        self.goal.reject(site)
        if isinstance(self.goal, Sites):
            self._examples += self.tasks.page(ScoutTask(kind="seed", role="bad"), url)
        else:
            self.frontier.learn(_given(url, site), 0.0)

    def _decide(self) -> bool:
        """Put the best of all that can be done in line; False: nothing can."""
        if self.tasks.full:
            return False
        if self.asking.lacks("keyword"):
            for number, query in enumerate(self.queries.more()):
                self.asking.offer("keyword", query, 1.0 - FURTHER * number)
        site, reading = self.goal.best()
        number, page = self.frontier.best()
        arm, asking = self.asking.best()
        if site and reading >= max(page, asking):
            for outcome in self.goal.go_on(site):
                self._settle(outcome)
        elif number >= 0 and (page >= asking or not arm):
            self._fetch(number, page)
        elif arm:
            self.asking.ask(arm, asking)
        else:
            return self.asking.ask_spent()
        return True

    def _fetch(self, number: int, worth: float) -> None:
        one = self.frontier.take(number)
        task = ScoutTask(
            kind="hub" if one.hub else "page",
            operator=one.operator,
            searcher=one.searcher,
            query=one.query,
            parent=one.parent,
            entry=one.url,
            origins=tuple(one.origins),
            score=worth,
        )
        if self.tasks.page(task, one.url):
            self._out[one.url] = one
            self.frontier.touch(one.site)

    def _outlook(self) -> str:
        count = len(self.goal)
        many = f"{self.goal.kind}s".replace("ys", "ies") if count != 1 else self.goal.kind
        return f"{count} {many}"

    # Learning.

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Take in what a search, a page or an API brought."""
        task = self.tasks.landed(step)
        if task.kind == "search":
            self.asking.hear(task, response, self.candidates.results)
            return []
        if task.kind != "seed" and response.sent == "yes":
            self.bandit.spend(arm_of(task), 1.0)
        if response.redirects and self.tasks.follow(task, response):
            return []
        outcomes = self._brought(task, response)
        if task.kind == "seed":
            self._examples -= 1
            if not self._examples and isinstance(self.goal, Sites):
                self.goal.judge.begin()
        return [find for outcome in outcomes for find in self._settle(outcome)]

    def _brought(self, task: ScoutTask, response: Response) -> list[Outcome]:
        """Return the candidates that an answer brings to an end."""
        if task.kind == "call":
            return self.goal.heard(task, response)
        page = self.tasks.page_in(task, response)
        if task.kind == "look":
            return self.goal.read(task, page, response)
        if task.kind == "seed":
            return self._example(task, page, response) if page is not None else []
        return self._page(task, page, response)

    def _example(self, task: ScoutTask, page: Page, response: Response) -> list[Outcome]:
        """Learn from a page that the user gave; as a repository it is checked like any other."""
        good = task.role == "good"
        if isinstance(self.goal, Sites):
            self.goal.example(page, good)
            self.queries.learn(page, "", float(good))
        if good:
            self.candidates.good(page, 1.0)
        if isinstance(self.goal, Sites):
            return []
        return self.goal.take(_given(page.url, page.site), page, response)

    def _page(self, task: ScoutTask, page: Page | None, response: Response) -> list[Outcome]:
        """Take in a page that waited."""
        one = self._out.pop(task.entry)
        self.frontier.touch(one.site)
        if page is None:
            # What leads to a page that was read says nothing new.
            told = -1.0 if response.redirects else 0.0
            return [self.goal.dead(one, told)]
        self.candidates.read(page, arm_of(task) if task.kind == "hub" else "")
        return self.goal.take(one, page, response)

    def _settle(self, outcome: Outcome) -> list[Find]:
        """Learn from an end: the arm, the classifier, the queries; go on from a good page."""
        one, page = outcome.candidate, outcome.page
        if outcome.good >= 0 and not one.hub:
            self.frontier.learn(one, outcome.good, outcome.weight)
        if outcome.good >= 0 and page is not None:
            self.queries.learn(page, outcome.words, outcome.good)
        if outcome.gain:
            self.bandit.gain(one.origins[0][0], outcome.gain)
        self.frontier.touch(outcome.site)
        if one.site != outcome.site:
            self.frontier.touch(one.site)
        if page is not None and outcome.good >= ASKED_ABOUT:
            self.candidates.good(page, outcome.good * min(1.0, ASKED_ABOUT + outcome.gain))
        elif outcome.good >= 0:
            self.candidates.bad(outcome.site)
        return list(outcome.finds)

    # Telling and keeping.

    def found(self, most: int = MOST_TOLD) -> list[Found]:
        """Return what was found, best first, and why."""
        return self.goal.found(self.candidates.known, most)

    def elsewhere(self, step: Step) -> bool:
        """Say whether to hear of a refusal, and ask again later."""
        return self.tasks.elsewhere(step)

    def services(self) -> list[Summary]:
        """Return the services that were asked, for people."""
        return self.tasks.searching.summary()

    def ranked(self, most: int = 0) -> list[Found]:
        """Return what was found, best first, and why; 0: all."""
        return self.found(most or sys.maxsize)

    def summary(self) -> Summary:
        """Say what was found and which arm brought it."""
        found = self.found()
        return {
            "pages": self.tasks.pages,
            "requests": self.tasks.requests,
            "arms": self.asking.summary(),
            "searchers": self.tasks.searching.summary(),
            "troubles": dict(sorted(self.tasks.troubles.items())),
            "found": [one.row() for one in found],
            "outside the registry": sum(not one.known for one in found),
            "waiting": len(self.frontier),
            **self.goal.summary(),
        }


def _given(url: str, site: str) -> Candidate:
    return Candidate(url, site, operator=GIVEN, origins=[(GIVEN, GIVEN)])
