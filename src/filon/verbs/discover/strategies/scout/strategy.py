"""scout: the default way to discover. Every request goes where it is likeliest to pay.

Three things can be done with a request: ask a search service (queries.py), read a page that waits
(frontier.py), or go on with the check of a site (repositories.py). Each says what it expects to
bring for a request, and the best is done. What counts is decided by the goal: repositories, checked
by their own APIs where they have one, or sites like the examples.
"""

import sys
from dataclasses import replace

from filon.core import Find, Response, Step, Summary, UserError
from filon.core.forms import keyed
from filon.core.state import Stateful, group, stored, version
from filon.learn.discounted import CHOICES, Discounted
from filon.page.url import parse
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found
from filon.verbs.discover.strategies.page import Met, site_of
from filon.verbs.discover.strategies.scout.candidates import Candidates
from filon.verbs.discover.strategies.scout.frontier import (
    CANDIDATE,
    Candidate,
    Frontier,
    Outcome,
    Sources,
)
from filon.verbs.discover.strategies.scout.queries import Asking, Queries
from filon.verbs.discover.strategies.scout.reading import Reading
from filon.verbs.discover.strategies.scout.repositories import Repositories
from filon.verbs.discover.strategies.scout.sites import Sites
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, ScoutTasks, arm_of

MODES = ("auto", "repositories", "sites")
#: mode: what is looked for; auto: sites where examples are given, else repositories.
#: choice: how arms are chosen. fade: what remains of an arm's past after a search.
#: dollar: the requests that a dollar is worth.
DEFAULTS: dict[str, float | str] = {
    "mode": "auto",
    "choice": "thompson",
    "fade": 0.98,
    "dollar": 200.0,
}


def checked(brief: Brief) -> dict[str, float | str]:
    """Return the options; wrong ones get a sentence."""
    options = DEFAULTS | dict(brief.options)
    if options["mode"] not in MODES:
        raise UserError(f"There is no mode {options['mode']!r}: known are {', '.join(MODES)}.")
    if options["choice"] not in CHOICES:
        raise UserError(f"Arms are chosen by {' or '.join(CHOICES)}, not by {options['choice']!r}.")
    for name in ("fade", "dollar"):
        _check_number(name, options[name], most=1e9 if name == "dollar" else 1.0)
    if not brief.topic.strip() and not brief.seeds:
        raise UserError("Say in a few words what is looked for, or give examples of it.")
    if options["mode"] == "sites" and not (brief.seeds or brief.accepted):
        raise UserError("To find sites like some, give examples: the option is --seeds.")
    return options


def _check_number(name: str, value: float | str, most: float) -> None:
    try:
        fits = 0 <= float(value) <= most
    except ValueError:
        fits = False
    if not fits:
        bound = f"between 0 and {most:g}" if most == 1 else "of 0 or more"
        raise UserError(f"The option {name} is a number {bound}, not {value!r}.")


#: What is believed of an arm that was not tried, where repositories are wanted: one in ten.
FIRST_GAIN, FIRST_COST = 0.5, 5.0
#: A page whose links to other sites are worth so many repositories is as good as one.
A_LIST = 1.0
#: Results that the summary names.
MOST_TOLD = 1_000
#: A page this good is asked about: what is like it, who links to it; and its links are followed.
ASKED_ABOUT = 0.5
#: What a word of the topic alone promises to registries, against the whole topic; and how much
#: less each further query of a batch does.
ONE_WORD, FURTHER = 0.6, 0.05
#: Pages of results that are asked for before anything else: of the user's own words, of those
#: with a word for data, and of others.
OPENING = (4, 2, 2)
#: Below so many repositories for each request, so many times in a row, a topic is exhausted.
EXHAUSTED, ROW = 0.02, 20
#: How much a page that is not there teaches of others.
DEAD = 0.5
#: The arm of pages that the user gave.
GIVEN = "given"


class Scout(Stateful):
    """`scout`: chooses between searches, pages and checks by what each brings for its cost.

    Clubs (of 11) and repositories (of 6) that it finds on a small web with 30
    requests, and with 60 where it looks for repositories:

    >>> from filon.testing.discovery import tried
    >>> tried(Scout, 30), tried(Scout, 60, mode="repositories")
    ((11, 2), (0, 5))

    Reference: docs/scout.md, it is our own. What counts as a repository is that of `Dsdd` (section
    4.5), the search for sites like some that of `Disco` (section 4.1); the bandit is `Discounted`,
    the classifiers are `Ftrl`.
    """

    STATE = (
        version(2, of="scout"),
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
        group("end", "_poor", "_note"),
    )

    modes = MODES

    def __init__(self, brief: Brief) -> None:
        options = checked(brief)
        by_sites = options["mode"] == "sites" or (options["mode"] == "auto" and bool(brief.seeds))
        self.brief = brief
        self.tasks = ScoutTasks(brief)
        self.bandit = Discounted(
            seed=brief.seed,
            fade=float(options["fade"]),
            choice=str(options["choice"]),
            **({} if by_sites else {"gain": FIRST_GAIN, "cost": FIRST_COST}),
        )
        self.asking = Asking(brief, self.tasks, self.bandit, float(options["dollar"]))
        self.goal: Repositories | Sites = (
            Sites(brief, self.tasks) if by_sites else Repositories(brief, self.tasks)
        )
        self.sources = Sources()
        self.frontier = Frontier(
            self.sources, self._wanted, self.goal.prior, self.goal.cost, self.bandit.rate
        )
        self.candidates = Candidates(
            brief, self.tasks, self.goal, self.frontier, self.asking, self.bandit, self.sources
        )
        telling = None if isinstance(self.goal, Sites) else self.goal.topic.words
        self.queries = Queries(brief.topic, brief.languages, brief.others, telling)
        self._out: dict[str, Candidate] = {}  # pages that are asked for
        self._examples = 0  # that are awaited
        self._begun = False
        self._poor = 0  # decisions in a row of which hardly anything was expected
        self._note = ""  # why it ended without anything

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
            if self._examples:
                return None
            if not self._decide():
                self._end()
                return None

    def _end(self) -> None:
        """Say so where services did not answer and nothing was found: a later session asks anew."""
        if len(self.goal) or not self.tasks.idle:
            return
        if down := self.tasks.searching.forgive("down"):
            names = " and ".join(down)
            self._note = (
                f"Nothing was found, and {names} did not answer: "
                "the run can be resumed when that is over."
            )

    def _begin(self) -> None:
        """Ask for the examples, and offer the first questions."""
        self._begun = True
        for url in dict.fromkeys((*self.brief.seeds, *self.brief.accepted)):
            self._examples += self.tasks.page(ScoutTask(kind="seed", role="good"), url)
        for url in dict.fromkeys(self.brief.rejected):
            self._reject(parse(url) or url)
        for number, query in enumerate(self.queries.first()):
            opening = OPENING[min(number, 2)] if isinstance(self.goal, Repositories) else 0
            self.asking.offer("keyword", query, 1.0, opening=opening)
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
        if arm := self.asking.opening():
            self.asking.ask(arm, 1.0)
            return True
        if isinstance(self.goal, Repositories) and self.goal.topic.due():
            self.frontier.renew()
            self.goal.renew()
        if self.asking.lacks("keyword"):
            self._offer(self.queries.more())
        site, reading = self.goal.best()
        number, page = self.frontier.best()
        arm, asking = self.asking.best()
        self._note = ""
        poor = max(reading, page, self.asking.rate()) < EXHAUSTED
        if poor or self._poor < ROW:  # an exhausted topic is so until something is found
            self._poor = self._poor + 1 if poor else 0
        if site and reading >= max(page, asking):
            for outcome in self.goal.go_on(site):
                self._settle(outcome)
        elif number >= 0 and (page >= asking or not arm):
            self._fetch(number, page)
        elif arm:
            self.asking.ask(arm, asking)
        elif self.tasks.idle and self.asking.lacks("keyword") and self._offer(self.queries.last()):
            return True
        else:
            return self.asking.ask_spent()
        return True

    def _offer(self, queries: list[str]) -> int:
        """Let queries be asked for, the first ones first; return how many of them are new."""
        return sum(
            self.asking.offer("keyword", query, 1.0 - FURTHER * number)
            for number, query in enumerate(queries)
        )

    def _fetch(self, number: int, worth: float) -> None:
        one = self.frontier.take(number)
        task = ScoutTask(
            kind="hub" if one.hub else "page",
            **one.met.way,
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
        task, by_kind = self.tasks.landed(step), isinstance(self.goal, Sites)
        if task.kind == "search":
            self.asking.hear(task, response, self.candidates.results)
            return []
        if by_kind and task.kind != "seed" and response.sent == "yes":
            self.bandit.spend(arm_of(task), 1.0)
        if response.redirects and self.tasks.follow(task, response):
            return []
        outcomes = self._brought(task, response)
        if task.kind == "seed":
            self._examples -= 1
            if not self._examples and isinstance(self.goal, Sites):
                self.goal.judge.begin()
        finds = [find for outcome in outcomes for find in self._settle(outcome)]
        return [*finds, *self.goal.finds()]

    def _brought(self, task: ScoutTask, response: Response) -> list[Outcome]:
        """Return the candidates that an answer brings to an end."""
        if task.kind == "call":
            return self.goal.heard(task, response)
        reading = self.tasks.reading_in(task, response)
        if task.kind == "look":
            if reading is not None:
                self.candidates.read(reading, "")
            return self.goal.read(task, reading, response)
        if task.kind == "seed":
            return self._example(task, reading, response) if reading is not None else []
        return self._page(task, reading, response)

    def _example(self, task: ScoutTask, reading: Reading, response: Response) -> list[Outcome]:
        """Learn from a page that the user gave; as a repository it is checked like any other."""
        good, page = task.role == "good", reading.page
        if isinstance(self.goal, Sites):
            self.goal.example(page, good)
            self.queries.learn(page, "", float(good))
        if good:
            self.candidates.good(page, 1.0)
        if isinstance(self.goal, Sites):
            return []
        self.goal.topic.judge(page.site, True)
        self.candidates.read(reading, "")
        return self.goal.take(_given(page.url, page.site), reading, response)

    def _page(self, task: ScoutTask, reading: Reading | None, response: Response) -> list[Outcome]:
        """Take in a page that waited."""
        one = self._out.pop(task.entry)
        self.frontier.touch(one.site)
        if reading is None:
            # What leads to a page that was read says nothing new.
            good = -1.0 if response.redirects else 0.0
            outcome = self.goal.dead(one, good)
            if isinstance(self.goal, Repositories) and not response.redirects:
                # A dead address says something of such addresses, nothing of who led there.
                self.frontier.learn(replace(one, origins=[]), 0.0, DEAD)
            self.candidates.again(one)
            return [outcome]
        expected = self.candidates.read(reading, arm_of(task) if task.kind == "hub" else "")
        if isinstance(self.goal, Sites):
            return self.goal.take(one, reading, response)
        if one.hub:  # it is wanted for its links alone
            return []
        outcomes = self.goal.take(one, reading, response)
        if expected >= A_LIST:
            outcomes = [
                replace(each, good=max(each.good, 1.0)) if not each.gain else each
                for each in outcomes
            ]
        return outcomes

    def _settle(self, outcome: Outcome) -> list[Find]:
        """Learn from an end: the arm, the classifier, the queries; go on from a good page."""
        one, page = outcome.candidate, outcome.page
        by_kind = isinstance(self.goal, Sites)
        if outcome.good >= 0 and not one.hub:
            self.frontier.learn(one, outcome.good)
        if outcome.good >= 0 and page is not None:
            self.queries.learn(page, outcome.words, outcome.good)
        if outcome.gain:
            self._poor = 0
        if outcome.gain and by_kind:
            self.bandit.gain(one.origins[0][0], outcome.gain)
        self.frontier.touch(outcome.site)
        if one.site != outcome.site:
            self.frontier.touch(one.site)
        if page is not None and outcome.good >= ASKED_ABOUT and (outcome.gain or by_kind):
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

    def telling(self) -> dict[str, float]:
        """Return the words that tell the topic, by how much each says of it."""
        return {} if isinstance(self.goal, Sites) else self.goal.topic.telling()

    def promises(self) -> dict[str, float]:
        """Return how sure it is of each repository that it is on the topic, by its address."""
        return {} if isinstance(self.goal, Sites) else self.goal.promises()

    def ranked(self, most: int = 0) -> list[Found]:
        """Return what was found, best first, and why; 0: all."""
        return self.found(most or sys.maxsize)

    def summary(self) -> Summary:
        """Say what was found and which arm brought it."""
        found = self.found()
        ended = {"stopped": "outage", "note": self._note} if self._note else {}
        return {
            **ended,
            "pages": self.tasks.pages,
            "requests": self.tasks.requests,
            "arms": self.asking.summary(),
            "searchers": self.tasks.searching.summary(),
            "troubles": dict(sorted(self.tasks.troubles.items())),
            "found": [one.row() for one in found],
            "outside the registry": sum(not (one.known or one.apart) for one in found),
            "exhausted": self._poor >= ROW,
            "waiting": len(self.frontier),
            **self.goal.summary(),
        }


def _given(url: str, site: str) -> Candidate:
    return Candidate(url, site, met=Met(operator=GIVEN), origins=[(GIVEN, GIVEN)])
