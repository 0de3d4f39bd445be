"""DISCO: search, rank, go on from the best (Pham, Santos, Freire, WWW 2019).

Algorithm 1, with UCB1 over four operators. As in the authors' code an operator never starts from
the same page twice; unlike there, one that brings nothing is charged for it, and the run goes on
while any other can.
"""

from dataclasses import replace

from filon.core import Find, Response, Step, Summary, UserError
from filon.core.forms import KEYS, TUPLE, each
from filon.core.state import Stateful, stored, version
from filon.verbs.discover.strategies import operators
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.ground import Ground
from filon.verbs.discover.strategies.operators import OPERATORS, SEARCH_OF
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.pool import Pool
from filon.verbs.discover.strategies.task import Task
from filon.verbs.discover.strategies.turns import Turns, bandit

#: mode: "bandit", or the only operator to use; ranker: an ensemble or one of its members;
#: count: what the bandit counts: "pulls", as UCB1 has it, or "pages", as the paper says: then what
#: is due to an operator that was tried little is soon nothing, and fewer sites are found.
DEFAULTS: dict[str, float | str] = {"mode": "bandit", "ranker": "mean-rank", "count": "pulls"}
MODES = ("bandit", "keyword", "related", "forward", "backward")
#: Sites that the summary names.
MOST_TOLD = 1_000


class Disco(Stateful):
    """Rounds of one operator each."""

    STATE = (
        version(1),
        "ground",
        "pool",
        "bandit",
        "_arm",
        stored("_batch", each(TUPLE)),
        "_dead",
        "_turns",
        stored("_terms", KEYS),
        "_ended",
    )

    modes = MODES

    def __init__(self, brief: Brief) -> None:
        told = DEFAULTS | dict(brief.options)
        if told["mode"] not in MODES:
            raise UserError(f"There is no mode {told['mode']!r}: known are {', '.join(MODES)}.")
        arms = OPERATORS if told["mode"] == "bandit" else (str(told["mode"]),)
        self.brief = brief
        self.ground = Ground(brief)
        self.pool = Pool(str(told["ranker"]), brief.others)
        self.bandit = bandit(arms, told["count"])
        self._turns = Turns(self.bandit, arms, brief.limits.k)
        self._arm = ""  # of the round that is under way; "": the examples are being read
        self._batch: list[tuple[int, bool]] = []  # pages of this round, and whether of a new site
        self._dead = 0  # what the operator returned in this round and is not there
        self._terms: dict[str, None] = {}  # keywords that were searched for
        self._ended = False
        for url in brief.seeds:
            self.ground.want(url, Task(kind="seed"))

    def propose(self) -> Step | None:
        """Return the next step of the round; with all answers in, rank and begin another."""
        while True:
            if step := self.ground.propose():
                return step
            if self._ended or not self.ground.idle:
                return None
            self._close()
            self._ended = not self._open()

    def _close(self) -> None:
        """Rank all, and reward the operator for where its new sites stand."""
        if not self._arm:
            self.pool.begin()
            return
        if self._batch:
            self.pool.rank()
        self.bandit.learn(self._arm, self._reward(), len(self._batch) + self._dead)
        self._batch, self._dead = [], 0

    def _reward(self) -> float:
        """Equation 8: the mean of 1 - place / length, none for a known site or a dead link."""
        places, length = self.pool.places(), len(self.pool.pages)
        gains = [1 - places[number] / length for number, new in self._batch if new]
        return sum(gains) / (len(self._batch) + self._dead) if gains else 0.0

    def _open(self) -> bool:
        """Begin a round; False: no operator can go on."""
        if self.ground.full:
            return False
        self._arm = self._turns.open(self.ground, self._awake, self.pool.best, self._queries)
        return bool(self._arm)

    def _awake(self, arm: str) -> bool:
        if arm in SEARCH_OF and not self.ground.searching.serves(SEARCH_OF[arm]):
            topic = self.brief.topic.strip()  # registries alone can be asked for that, once
            return arm == "keyword" and not self._terms and self.ground.searching.lists(topic)
        first = arm == "keyword" and not self._terms and bool(self.brief.topic)
        return first or bool(self._turns.unused(arm, self.pool.best()))

    def _queries(self, arm: str, pages: list[Page]) -> list[str]:
        """Return the seed keyword with each of the words that pages say most of themselves."""
        if arm != "keyword":
            return []
        topic = self.brief.topic.strip()
        skipped = [*self._terms, *topic.lower().split()]
        most = self.brief.limits.terms
        terms = operators.frequent(pages, operators.meta_words, skipped, most)
        if topic and not self._terms:
            terms = ["", *terms][:most]  # at first, the seed keyword alone
        self._terms.update(dict.fromkeys(terms))
        return [f"{topic} {term}".strip() for term in terms]

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Take in what a search or a page brought."""
        task = self.ground.landed(step)
        if task.kind == "search":
            operators.results(self.ground, task, self.ground.results(task, response))
            return []
        page = self.ground.read(task, response)
        if page is None:
            self._dead += not response.redirects and task.kind != "seed"
            return []
        if task.kind == "seed":
            self.ground.settle(page.site)
            self.pool.examples.append(page)
            return []
        if task.kind == "hub":
            operators.forward(self.ground, page, task.operator)
        finds = self.ground.discovers(page)
        kept = replace(page, within=(), files=())  # tens of thousands are kept
        self._batch.append((self.pool.add(kept), bool(finds)))
        return finds

    def services(self) -> list[Summary]:
        """Return the services that were asked, for people."""
        return self.ground.searching.told()

    def ranked(self, most: int = 0) -> list[Found]:
        """Return the sites that were found, best first, each by its best page; 0: all.

        What this round has brought is ranked for it where all are asked for; else it comes last.
        """
        order, scores = self.pool.standing(fresh=not most)
        told: dict[str, Found] = {}
        known = {page.site for page in self.pool.examples}
        for number in order:
            page = self.pool.pages[number]
            if page.site in known or page.site in told:
                continue
            if most and len(told) >= most:
                break
            told[page.site] = found_site(page, scores[number])
        return list(told.values())

    def summary(self) -> Summary:
        """Say what was found and which operator brought it."""
        found = [one.told() for one in self.ranked(MOST_TOLD)]
        told = {**self.ground.summary(), "arms": self.bandit.told(), "found": found}
        return told | {"queries": len(self._terms)}
