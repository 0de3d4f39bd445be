"""The goal of finding sites like the examples: one good page of a site is enough.

Whether a page is of the kind that the examples are: between two looks at everything it is judged by
a regression of the examples against pages of other kinds; pages that were met count faintly as
others, since most of them are. The order of the result is the rank fusion of all
(learn/rank/fusion.py).

How much a site is still wanted is the chance that none of its pages so far was of the kind. A site
whose software is known is asked for its datasets too, and told as a repository if it has some.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.core import Find, Response
from filon.core.forms import KEYS, LIST, each, pairs, table
from filon.core.state import Stateful, stored
from filon.learn.rank.fusion import Fusion
from filon.learn.rank.linear import Vector, logistic
from filon.learn.rank.vectors import Matrix, Vocabulary, grams, tokens
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.page import PAGE, Mirrors, Page
from filon.verbs.discover.strategies.scout.check import CHECK, EVIDENCE, Check, Evidence, Verifier
from filon.verbs.discover.strategies.scout.frontier import Candidate, Outcome, address_words
from filon.verbs.discover.strategies.scout.reading import Reading
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, ScoutTasks

#: A page that was met counts this much as one of another kind, a page that is surely good this
#: much as an example; and above this chance it is sure.
FAINT, HALF_SURE, SURE = 0.1, 0.5, 0.9
#: Pages after which the judgement is formed anew: at first often, then as they grow by a share.
FIRST, GROWTH = 10, 1.25
#: Pages that the regression looks at, the newest, and that the fusion ranks.
MOST_MET, MOST_RANKED = 600, 4_000
#: The share of examples below the border of good, and the parts in which it is looked for.
BORDER, PARTS = 0.25, 3
#: What is surely of another kind (the middle of the others, or this share of what was met) is
#: this far below the border, as a logarithm of odds; margins are stretched at most so much.
FAR_BELOW, PLAIN, MOST_SCALE = 3.0, 0.2, 8.0
#: Others beyond so many for each example are not looked at.
OTHERS_EACH = 4
#: Pages that were met and are surely of another kind, for each example of the fusion.
HARD_EACH = 2


Labels = NDArray[np.bool_]

PAGES = each(PAGE)


class Kind:
    """Examples, others, and the pages that were met."""

    def __init__(self, others: Sequence[str]) -> None:
        self._given_others = others
        self.examples: list[Page] = []
        self.rejected: list[Page] = []
        self.pages: list[Page] = []
        self._next = FIRST
        self._words = Vocabulary({}, np.zeros(0))
        self._weights = np.zeros(0)
        self._intercept = 0.0
        self._unpack()
        self._ranked: tuple[int, list[float]] = (-1, [])

    def begin(self) -> None:
        """Form a first judgement: the examples are complete."""
        self._fit()

    def add(self, page: Page) -> float:
        """Take a page in; return the chance that it is of the kind."""
        self.pages.append(page)
        if len(self.pages) >= self._next:
            self._fit()
            self._next = max(len(self.pages) + FIRST, int(GROWTH * len(self.pages)))
        return self.chance(page.words)

    def chance(self, text: str) -> float:
        """Return the chance that a text is of the kind; one half if nothing is known."""
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.margin(text)))))

    def margin(self, text: str) -> float:
        """Return the logarithm of the odds."""
        if not len(self._weights):
            return 0.0
        # One row of `Vocabulary.weighted`, without the matrices: this is asked for every link.
        length = total = 0.0
        for word, count in Counter(tokens(text)).items():
            if (number := self._words.numbers.get(word)) is not None:
                value = (1 + math.log(count)) * self._idf[number]
                length += value * value
                total += value * self._each[number]
        return self._intercept + (total / math.sqrt(length) if length else 0.0)

    def _others(self) -> list[str]:
        most = OTHERS_EACH * max(1, len(self.examples))
        return [*self._given_others[:most], *(page.words for page in self.rejected[:most])]

    def _worst(self) -> list[str]:
        """Return the pages that were met and are surely of another kind: the hardest teachers."""
        most = HARD_EACH * len(self.examples)
        margins = [(self.margin(page.words), page.words) for page in self.pages[:MOST_RANKED]]
        return [words for margin, words in sorted(margins)[:most] if margin < -FAR_BELOW / 2]

    def _fit(self) -> None:
        """Regress: examples and what is surely good against others and, faintly, all that was met.

        Either side weighs the same in all. Since some that was met is good, the examples
        themselves tell where good begins: each part of them is judged by a fit without it.
        """
        met = [page.words for page in self.pages[-MOST_MET:]]
        sure = [bool(len(self._weights)) and self.chance(text) > SURE for text in met]
        good, bad = [page.words for page in self.examples], self._others()
        if not good or not (bad or met):
            return
        texts = [tokens(text) for text in (*good, *bad, *met)]
        self._words = Vocabulary.learn(texts, 2)
        matrix = self._words.weighted(texts, sublinear=True)
        labels = np.array([True] * len(good) + [False] * len(bad) + sure)
        weights = np.array(
            [1.0] * (len(good) + len(bad)) + [HALF_SURE if yes else FAINT for yes in sure]
        )
        found, intercept = _regress(matrix, labels, weights)
        border = self._border(matrix, labels, weights, len(good))
        margins = np.asarray(matrix[len(good) :] @ found + intercept).ravel()
        plain = np.median(margins[: len(bad)]) if bad else np.quantile(margins, PLAIN)
        scale = float(np.clip(FAR_BELOW / max(1e-6, border - plain), 1.0, MOST_SCALE))
        self._weights = np.round(scale * found, 9)
        self._intercept = scale * (intercept - border)
        self._unpack()

    def _unpack(self) -> None:
        """Lay out what `margin` needs: arrays are slow one by one."""
        self._idf: list[float] = self._words.idf.tolist()
        self._each: list[float] = self._weights.tolist()

    def _border(self, matrix: Matrix, labels: Labels, weights: Vector, examples: int) -> float:
        """Return the margin above which most examples are that a fit has not seen."""
        if examples < 2:
            return 0.0
        parts = min(PARTS, examples)
        margins: list[float] = []
        for part in range(parts):
            out = np.arange(part, examples, parts)
            kept = np.setdiff1d(np.arange(len(labels)), out)
            found, intercept = _regress(matrix[kept], labels[kept], weights[kept])
            margins += np.asarray(matrix[out] @ found + intercept).ravel().tolist()
        return float(np.quantile(margins, BORDER))

    def scores(self) -> list[float]:
        """Return the fused score of every page that was met; the first ones, if they are many."""
        pages = self.pages[:MOST_RANKED]
        if self._ranked[0] != len(self.pages):
            known = [grams(page.words) for page in self.examples]
            others = [grams(text) for text in (*self._others(), *self._worst())]
            texts = [grams(page.words) for page in pages]
            fused = Fusion()(known, others, texts) if known and texts else np.zeros(len(texts))
            self._ranked = len(self.pages), [float(one) for one in np.round(fused, 9)]
        return self._ranked[1]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: the parts of a fit that never change stand among its own.
        return {
            "examples": PAGES.write(self.examples),
            "rejected": PAGES.write(self.rejected),
            "pages": PAGES.write(self.pages),
            "next": self._next,
            "words": list(self._words.numbers),
            "idf": np.array(self._words.idf),
            "weights": np.array(self._weights),
            "intercept": self._intercept,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.examples = PAGES.read(state["examples"])
        self.rejected = PAGES.read(state["rejected"])
        self.pages = PAGES.read(state["pages"])
        self._next = state["next"]
        numbers = {word: number for number, word in enumerate(state["words"])}
        self._words = Vocabulary(numbers, np.array(state["idf"], float))
        self._weights = np.array(state["weights"], float)
        self._intercept = float(state["intercept"])
        self._unpack()
        self._ranked = (-1, [])


def _regress(matrix: Matrix, labels: Labels, weights: Vector) -> tuple[Vector, float]:
    """Fit, with either side of the same weight."""
    positive = float(weights[labels].sum())
    negative = float(weights.sum()) - positive
    even = np.where(labels, negative / positive if positive and negative else 1.0, 1.0)
    return logistic(matrix, labels.tolist(), c=10.0, weights=(weights * even).tolist())


#: A page of this chance is told as a find. Examples are more alike than all that is of their kind,
#: so the border that they draw is strict; for saving requests it is right, for telling it is not.
GOOD = 0.3
#: How much the words of a link count before anything was learnt, and at most.
LINK_WORDS, MOST_PRIOR = 0.5, 1.5


class Sites(Stateful):
    """Pages that were met, and how sure it is of each site that it is of the kind."""

    STATE = (
        "judge",
        "_mirrors",
        "_lacking",
        stored("_reported", KEYS),
        stored("_checks", pairs(CHECK)),
        stored("_evidence", pairs(EVIDENCE), key="hauls"),
        stored("_copies", table(LIST)),
    )

    kind = "site"

    def __init__(self, brief: Brief, tasks: ScoutTasks) -> None:
        self._verifier, self._least = Verifier(brief, tasks), brief.at_least
        self.judge = Kind(brief.others)
        self._mirrors = Mirrors()
        self._lacking: dict[str, float] = {}  # the chance that none of its pages was of the kind
        self._reported: dict[str, None] = {}
        self._checks: dict[str, Check] = {}
        self._evidence: dict[str, Evidence] = {}
        self._copies: dict[str, list[str]] = {}

    def __len__(self) -> int:
        return len(self._reported)

    def wanted(self, site: str) -> float:
        """Return how much another page of a site is wanted."""
        return self._lacking.get(site, 1.0)

    def cost(self, chance: float) -> float:
        """Return the requests that a page takes."""
        return 1.0

    def target(self, url: str) -> str:
        """Return the page to ask for: the very one that was named."""
        return url

    def hear(self, site: str, text: str) -> None:
        """Do nothing: pages are judged, not sites."""

    def prior(self, one: Candidate) -> float:
        """Return what the words of a link say, in the light of the examples."""
        if not one.text:
            return 0.0
        margin = LINK_WORDS * self.judge.margin(f"{one.text} {' '.join(address_words(one.url))}")
        return max(-MOST_PRIOR, min(MOST_PRIOR, margin))

    def example(self, page: Page, good: bool) -> None:
        """Take in a page that the user gave."""
        (self.judge.examples if good else self.judge.rejected).append(page)
        self._lacking[page.site] = 0.0

    def take(self, candidate: Candidate, reading: Reading, response: Response) -> list[Outcome]:
        """Judge a page."""
        page = reading.page
        kept = replace(page, within=(), files=(), abroad=(), anchors=())
        chance = self.judge.add(kept)
        lacking = self._lacking.get(page.site, 1.0)
        copied = self._mirrors.of_text(page.title, page.words.lower().split())
        if copied and copied != page.site:
            self._copies.setdefault(copied, []).append(page.url)
            self._lacking[page.site] = 0.0
            return [Outcome(candidate=candidate, page=page, site=page.site, good=-1.0)]
        self._lacking[page.site] = lacking * (1 - chance)
        finds: tuple[Find, ...] = ()
        if chance >= GOOD and page.site not in self._reported:
            finds = (self._find(page, response, candidate),)
        return [
            Outcome(
                candidate=candidate,
                page=page,
                site=page.site,
                good=chance,
                gain=chance * lacking,
                finds=finds,
            )
        ]

    def _find(self, page: Page, response: Response, candidate: Candidate) -> Find:
        self._reported[page.site] = None
        self._mirrors.add(page.site, page.title, page.words.lower().split(), ())
        check = Check(page, candidate, evidence=Evidence(least=self._least))
        self._verifier.look(check, response)
        if check.evidence.markup:
            self._evidence[page.site] = check.evidence
        if self._verifier.ask(check):
            self._checks[page.site] = check
        return Find(kind="site", url=page.url, name=page.title or page.site, parent=page.parent)

    def best(self) -> tuple[str, float]:
        """Return nothing: sites are not read on in."""
        return "", 0.0

    def go_on(self, site: str) -> list[Outcome]:
        """Do nothing."""
        return []

    def read(self, task: ScoutTask, reading: Reading | None, response: Response) -> list[Outcome]:
        """Do nothing."""
        return []

    def finds(self) -> list[Find]:
        """Return nothing: what was told stays told."""
        return []

    def heard(self, task: ScoutTask, response: Response) -> list[Outcome]:
        """Take in what a portal's API says: it is a repository, or only a site."""
        check = self._checks.get(task.query)
        if check is None:
            return []
        verdict = self._verifier.heard(check, task, response)
        if verdict != "wait":
            del self._checks[task.query]
        if verdict == "yes":
            self._evidence[task.query] = check.evidence
        return []

    def dead(self, candidate: Candidate, good: float) -> Outcome:
        """Tell that there is no such page. good: what that says of others, as in an Outcome."""
        return Outcome(candidate=candidate, page=None, site=candidate.site, good=good)

    def reject(self, site: str) -> None:
        """Take note that the user does not want a site."""
        self._lacking[site] = 0.0

    def found(self, known: dict[str, None], most: int) -> list[Found]:
        """Return the sites by their best pages, best first."""
        scores, pages = self.judge.scores(), self.judge.pages
        examples = {page.site for page in (*self.judge.examples, *self.judge.rejected)}
        folded = {url for urls in self._copies.values() for url in urls}
        ranked: dict[str, Found] = {}
        for at in sorted(range(len(scores)), key=lambda at: -scores[at]):
            page = pages[at]
            if page.site in ranked or page.site in examples or page.url in folded:
                continue
            if len(ranked) >= most:
                break
            ranked[page.site] = self._one(page, scores[at], page.site in known)
        return list(ranked.values())

    def _one(self, page: Page, score: float, known: bool) -> Found:
        site = replace(
            found_site(page, score), known=known, mirrors=tuple(self._copies.get(page.site, ()))
        )
        evidence = self._evidence.get(page.site)
        if evidence is None:
            return site
        return replace(site, kind="repository" if evidence.enough else "site", **evidence.figures())

    def summary(self) -> dict[str, Any]:
        """Return counts for people."""
        return {"of the kind": len(self._reported), "mirrors": sum(map(len, self._copies.values()))}
