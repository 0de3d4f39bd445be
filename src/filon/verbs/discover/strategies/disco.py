"""DISCO: search, rank, go on from the best (Pham, Santos, Freire, WWW 2019).

Algorithm 1, with UCB1 over four operators. As in the authors' code an operator never starts from
the same page twice; unlike there, one that brings nothing is charged for it, and the run goes on
while any other can. What was discovered is ranked by likeness to the examples (section 4.1).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from filon.core import Find, Response, Summary, UserError
from filon.core.forms import KEYS, TUPLE, each
from filon.core.state import Stateful, stored
from filon.learn.rank import ENSEMBLES, RANKERS, Ensemble, Ranker
from filon.learn.rank.ensemble import MEMBERS
from filon.learn.rank.rankers import Scores, Text
from filon.learn.rank.vectors import grams
from filon.verbs.discover.strategies import operators
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.operators import OPERATORS, Discoverer, Turns, bandit
from filon.verbs.discover.strategies.page import PAGE, Page, frequent, meta_words
from filon.verbs.discover.strategies.tasks import Task

#: Rankers that must be shown what is not of the kind. An ensemble does without them where nobody
#: shows it; who asks for one of them gets it.
_NEED_OTHERS = frozenset({"binomial", "pu"})
#: Others beyond this many for each example are not looked at: the authors' code takes two.
OTHERS_EACH = 2


def ranker_named(name: str, has_others: bool) -> Ranker:
    """Return a ranker, or an ensemble of all that can work with what is given."""
    if name in ENSEMBLES:
        able = [one for one in MEMBERS if has_others or one not in _NEED_OTHERS]
        return Ensemble(name, able)
    if name not in RANKERS:
        raise UserError(
            f"There is no ranker {name!r}: known are {', '.join([*ENSEMBLES, *RANKERS])}."
        )
    return _borrowing(RANKERS[name]) if name in _NEED_OTHERS and not has_others else RANKERS[name]


def _borrowing(ranker: Ranker) -> Ranker:
    """Return a ranker that takes the candidates least like the examples for something else."""

    def rank(
        examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]
    ) -> Scores:
        likeness = RANKERS["cosine"](examples, others, candidates)
        count = min(OTHERS_EACH * len(examples), len(candidates) // 2)
        last = np.argsort(np.round(likeness, 9), kind="stable")[:count]
        borrowed = [candidates[int(number)] for number in sorted(last)]
        return ranker(examples, borrowed, candidates) if borrowed else likeness

    return rank


class Pool(Stateful):
    """Pages and their order, best first. The examples never change."""

    STATE = (
        stored("examples", each(PAGE)),
        stored("pages", each(PAGE)),
        "order",
        "scores",
    )

    def __init__(self, ranker: str, others: Sequence[str]) -> None:
        self._rank = ranker_named(ranker, bool(others))
        self._others_told = others
        self.examples: list[Page] = []
        self.pages: list[Page] = []
        self.order: list[int] = []
        self.scores: list[float] = []
        self._texts: list[list[str]] = []
        self._shared: frozenset[str] = frozenset()
        self._known: list[list[str]] = []
        self._others: list[list[str]] = []

    def begin(self) -> None:
        """Read the examples, which are complete now."""
        self._known = [grams(page.words) for page in self.examples]
        most = OTHERS_EACH * max(1, len(self.examples))
        self._others = [grams(text) for text in self._others_told[:most]]
        held = (gram for text in (*self._known, *self._others) for gram in text)
        self._shared = frozenset(gram for gram in held if " " in gram)

    def add(self, page: Page) -> int:
        """Take a page in, unranked; return its number."""
        self.pages.append(page)
        self._texts.append(self._grams(page))
        return len(self.pages) - 1

    def _grams(self, page: Page) -> list[str]:
        """Return words and pairs; pairs that only candidates have tell no ranker anything."""
        return grams(page.words, self._shared)

    def rank(self) -> None:
        """Order all pages anew: the scores of old ones depend on the new."""
        if self.pages:
            self.order, self.scores = self._ranking()

    def _ranking(self) -> tuple[list[int], list[float]]:
        if not self.examples:
            return list(range(len(self.pages))), [0.0] * len(self.pages)
        scores = self._rank(self._known, self._others, self._texts)
        # Equal to nine digits is equal: sums differ in the last one between machines.
        order = np.argsort(-np.round(scores, 9), kind="stable")
        return [int(one) for one in order], [float(one) for one in scores]

    def standing(self, *, fresh: bool) -> tuple[list[int], list[float]]:
        """Return the order and the scores of all pages, also of those that wait to be ranked.

        fresh: they are ranked for it, which takes a while; else they come last.
        """
        late = range(len(self.scores), len(self.pages))
        if late and fresh:
            return self._ranking()
        least = min(self.scores, default=0.0)
        return [*self.order, *late], [*self.scores, *[least] * len(late)]

    def places(self) -> dict[int, int]:
        """Return the place of each ranked page, 0 for the best."""
        return {number: place for place, number in enumerate(self.order)}

    def best(self) -> list[Page]:
        """Return the examples, then what was ranked: the examples are the likest of all."""
        return [*self.examples, *(self.pages[number] for number in self.order)]

    def restored(self) -> None:
        """Read the texts again."""
        self.begin()
        self._texts = [self._grams(page) for page in self.pages]


#: mode: "bandit", or the only operator to use; ranker: an ensemble or one of its members;
#: count: what the bandit counts: "pulls", as UCB1 has it, or "pages", as the paper says: then what
#: is due to an operator that was tried little is soon nothing, and fewer sites are found.
DEFAULTS: dict[str, float | str] = {"mode": "bandit", "ranker": "mean-rank", "count": "pulls"}
MODES = ("bandit", "keyword", "related", "forward", "backward")
#: Sites that the summary names.
MOST_TOLD = 1_000


class Disco(Discoverer):
    """`disco`: rounds of one operator each, and UCB1 to choose it.

    Clubs (of 11) and repositories (of 6) that it finds on a small web with 30
    requests, and by keywords alone:

    >>> from filon.testing.discovery import tried
    >>> tried(Disco, 30), tried(Disco, 30, mode="keyword")
    ((10, 0), (7, 4))

    Reference: K. Pham, A. Santos and J. Freire, "Bootstrapping Domain-Specific Content Discovery on
    the Web", WWW 2019, doi:10.1145/3308558.3313709, Algorithm 1; the reward of an operator is its
    equation 8.
    """

    STATE = (
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
        options = DEFAULTS | dict(brief.options)
        if options["mode"] not in MODES:
            raise UserError(f"There is no mode {options['mode']!r}: known are {', '.join(MODES)}.")
        arms = OPERATORS if options["mode"] == "bandit" else (str(options["mode"]),)
        super().__init__(brief)
        self.pool = Pool(str(options["ranker"]), brief.others)
        self.bandit = bandit(arms, options["count"])
        self._turns = Turns(self.tasks, self.bandit, arms, self.pool.best)
        self._arm = ""  # of the round that is under way; "": the examples are being read
        self._batch: list[tuple[int, bool]] = []  # pages of this round, and whether of a new site
        self._dead = 0  # what the operator returned in this round and is not there
        self._terms: dict[str, None] = {}  # keywords that were searched for
        self._ended = False
        for url in brief.seeds:
            self.tasks.want(url, Task(kind="seed"))

    def advance(self) -> bool:
        """Rank what was found, reward the operator, and begin another round."""
        if not self._ended:
            self._close()
            self._arm = self._turns.open(self._awake, self._queries)
            self._ended = not self._arm
        return not self._ended

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

    def _awake(self, arm: str) -> bool:
        if not self._turns.served(arm):
            topic = self.brief.topic.strip()  # registries alone can be asked for that, once
            return arm == "keyword" and not self._terms and self.tasks.searching.lists(topic)
        first = arm == "keyword" and not self._terms and bool(self.brief.topic)
        return first or bool(self._turns.unused(arm))

    def _queries(self, arm: str, pages: list[Page]) -> list[str]:
        """Return the seed keyword with each of the words that pages say most of themselves."""
        if arm != "keyword":
            return []
        topic = self.brief.topic.strip()
        skipped = [*self._terms, *topic.lower().split()]
        most = self.brief.limits.terms
        terms = frequent(pages, meta_words, skipped, most)
        if topic and not self._terms:
            terms = ["", *terms][:most]  # at first, the seed keyword alone
        self._terms.update(dict.fromkeys(terms))
        return [f"{topic} {term}".strip() for term in terms]

    def read(self, task: Task, page: Page | None, response: Response) -> list[Find]:
        """Take in an example, or a page to be ranked."""
        if page is None:
            self._dead += not response.redirects and task.kind != "seed"
            return []
        if task.kind == "seed":
            self.tasks.settle(page.site)
            self.pool.examples.append(page)
            return []
        if task.kind == "hub":
            operators.forward(self.tasks, page, task.operator)
        finds = self.tasks.discovers(page)
        kept = replace(page, within=(), files=())  # tens of thousands are kept
        self._batch.append((self.pool.add(kept), bool(finds)))
        return finds

    def ranked(self, most: int = 0) -> list[Found]:
        """Return the sites that were found, best first, each by its best page; 0: all.

        What this round has brought is ranked for it where all are asked for; else it comes last.
        """
        order, scores = self.pool.standing(fresh=not most)
        sites: dict[str, Found] = {}
        known = {page.site for page in self.pool.examples}
        for number in order:
            page = self.pool.pages[number]
            if page.site in known or page.site in sites:
                continue
            if most and len(sites) >= most:
                break
            sites[page.site] = found_site(page, scores[number])
        return list(sites.values())

    def summary(self) -> Summary:
        """Say what was found and which operator brought it."""
        found = [one.row() for one in self.ranked(MOST_TOLD)]
        summary = {**self.tasks.summary(), "arms": self.bandit.summary(), "found": found}
        return summary | {"queries": len(self._terms)}
