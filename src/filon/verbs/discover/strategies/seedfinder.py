"""SEEDFINDER: queries that learn from what they brought (Vieira, Barbosa, Silva, Freire 2016).

A baseline of DISCO (section 5.3). A query is asked page of results by page of results while half
of each is of the kind. One that was precise teaches the relevance model the words of its pages;
the words of any query are then worth as much less as it was imprecise. The next query has the best
words and one that was never tried: one word more if the last was imprecise, one less if it was
precise and brought little that is new.

Other than the released code, which has slips here: a word counts by its share of a page, not by
its square; the thresholds and the share of new results are really used; a query is as long as
meant. Ours: the examples teach the model first, so that a bad first query is not the end; a page
teaches once; a query has at most ten words, and one less after a query that brought nothing.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from filon.core import Find, Response, Summary, UserError
from filon.core.forms import KEYS, maybe
from filon.core.state import Stateful, group, stored
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.crawl import Judge, needs_examples, whole
from filon.verbs.discover.strategies.found import Found
from filon.verbs.discover.strategies.operators import Discoverer
from filon.verbs.discover.strategies.page import Page, words_of
from filon.verbs.discover.strategies.tasks import TASK, Task

#: What a word of a query is worth that no page had.
UNKNOWN = 0.01
#: Words that are kept: the best.
MOST_TERMS = 20_000


class Relevance(Stateful):
    """Words with what they are worth. What pages teach waits until it is kept or dropped.

    >>> model = Relevance()
    >>> model.teach(["bee", "hive", "bee"], good=True)
    >>> model.keep()
    >>> model.best(1, used=())
    ['bee']
    """

    STATE = ("_worth", "_lesson")

    def __init__(self) -> None:
        self._worth: dict[str, float] = {}
        self._lesson: dict[str, float] = {}

    def teach(self, words: Sequence[str], good: bool) -> None:
        """Let the words of a page gain, or lose, by their share of it."""
        for word, count in Counter(words).items():
            gain = count / len(words)
            self._lesson[word] = self._lesson.get(word, 0.0) + (gain if good else -gain)

    def keep(self) -> None:
        """Learn what was taught since; of too many words the worst are forgotten."""
        for word, gain in self._lesson.items():
            self._worth[word] = self._worth.get(word, 0.0) + gain
        self._lesson = {}
        if len(self._worth) > MOST_TERMS:
            self._worth = {word: self._worth[word] for word in self._order()[:MOST_TERMS]}

    def drop(self) -> None:
        """Forget what was taught since."""
        self._lesson = {}

    def charge(self, query: Iterable[str], precision: float) -> None:
        """Let the words of a query be worth as much less as it was imprecise."""
        for word in query:
            self._worth[word] = self._worth.get(word, UNKNOWN) * precision

    def best(self, size: int, used: Iterable[str]) -> list[str]:
        """Return the best words, the last of them one that is not used; none if there is none."""
        order, tried = self._order(), set(used)
        new = next((word for word in order if word not in tried), "")
        if not new or self._worth[new] <= 0:
            return []
        return [*[word for word in order[:size] if word != new][: size - 1], new]

    def _order(self) -> list[str]:
        # Equal to nine digits is equal: sums differ in the last one by the order of answers.
        return sorted(self._worth, key=lambda word: (-round(self._worth[word], 9), word))


#: queries: that are asked in all. precision: the share of results that must be of the kind, of a
#: page of them and of all. new: the share that must be new.
DEFAULTS: dict[str, float | str] = {"queries": 100, "precision": 0.5, "new": 0.5}
#: Some services take no longer ones, and few pages have all of so many words.
MOST_WORDS = 10


class SeedFinder(Discoverer):
    """`seedfinder`: one query after the other.

    Clubs (of 11) and repositories (of 6) that it finds on a small web with 30 requests:

    >>> from filon.testing.discovery import tried
    >>> tried(SeedFinder, 30)
    (8, 4)

    Reference: K. Vieira, L. Barbosa, A. S. da Silva, J. Freire and E. Moura, "Finding seeds to
    bootstrap focused crawlers", World Wide Web 19(3), 2016, doi:10.1007/s11280-015-0331-7; a
    baseline in section 5.3 of DISCO.
    """

    STATE = (
        "judge",
        "model",
        group("query", "_query", "_size", "_asked"),
        stored("_used", KEYS),
        "_verdicts",
        group("results", "_hits", "_tally"),
        stored("_held", maybe(TASK)),
    )

    modes: tuple[str, ...] = ()

    def __init__(self, brief: Brief) -> None:
        needs_examples("seedfinder", brief)
        options = DEFAULTS | dict(brief.options)
        super().__init__(brief)
        self.judge = Judge(self.tasks)
        self.model = Relevance()
        self._topic = list(dict.fromkeys(brief.topic.lower().split()))
        self._most = whole(options, "queries")
        self._precise, self._fresh = _share(options["precision"]), _share(options["new"])
        self._query: list[str] = []
        self._size = max(1, min(MOST_WORDS, len(self._topic)))
        self._asked = 0  # queries
        self._used: dict[str, None] = {}  # words that were in one
        self._verdicts: dict[str, bool] = {}  # by the address that a service gave
        self._hits: list[str] = []  # of this page of results
        self._tally = [0, 0, 0]  # results of this query, of the kind, new
        self._held: Task | None = None  # the next page of results
        for url in brief.seeds:
            self.tasks.want(url, Task(kind="seed"))

    def advance(self) -> bool:
        """Go on to more results or to another query; False: this is the end."""
        if not self.judge.ready:
            self.judge.begin()
            for text in self.judge.examples:
                self.model.teach(words_of(text), good=True)
            self.model.keep()
        elif self._query and self._more():
            return True
        return not self.tasks.full and self._ask()

    def _more(self) -> bool:
        """Ask for more results if these were precise; else the query is over."""
        good = sum(self._verdicts.get(url, False) for url in self._hits)
        precise = bool(self._hits) and good / len(self._hits) >= self._precise
        self._tally[0] += len(self._hits)
        self._tally[1] += good
        held, self._held, self._hits = self._held, None, []
        if held and precise and not self.tasks.full:
            self.tasks.resume(held)
            return True
        self._close()
        return False

    def _close(self) -> None:
        """Learn from a query, and decide how long the next one is."""
        results, good, new = self._tally
        query, self._query, self._tally = self._query, [], [0, 0, 0]
        if not results:  # too long for the service, or it failed: the words are not to blame
            self._size = max(1, self._size - 1)
            return
        precision = good / results
        if precision >= self._precise:
            self.model.keep()
            if new / results < self._fresh:
                self._size = max(1, self._size - 1)
        else:
            self.model.drop()
            self._size = min(MOST_WORDS, self._size + 1)
        self.model.charge(query, precision)

    def _ask(self) -> bool:
        """Ask the next query; False: enough were asked, nobody answers, or no word is left."""
        searching = self.tasks.searching
        searching.wake()
        while self._asked < self._most and (searching.serves("keyword") or searching.renew()):
            first = [] if self._asked else self._topic
            words = first or self.model.best(self._size, self._used)
            if not words:
                return False
            self._asked += 1
            self._used.update(dict.fromkeys(words))
            if self.tasks.search("keyword", " ".join(words), "keyword"):
                self._query = words
                return True
        return False

    def read(self, task: Task, page: Page | None, response: Response) -> list[Find]:
        """Judge a page: what it says is learnt from."""
        if page is None:
            return []
        if task.kind == "seed":
            self.judge.learn(page)
            return []
        score, finds = self.judge.take(page)
        self._verdicts[task.entry] = score > 0
        self.model.teach(words_of(page.words), good=score > 0)
        return finds

    def searched(self, task: Task, response: Response) -> None:
        """Let results wait; the page after them is held until these are judged."""
        found, further = self.tasks.brought(task, response)
        if further and not found:
            self.tasks.resume(further)  # another service is asked instead
            return
        self._held, self._hits = further, list(dict.fromkeys(found))
        for url in self._hits:
            self._tally[2] += self.tasks.want(url, task.brought("page", task.query, url))

    def ranked(self, most: int = 0) -> list[Found]:
        """Return the sites that were found, best first; 0: all."""
        return self.judge.ranked(most)

    def summary(self) -> Summary:
        """Say what was found, and how many queries were asked."""
        summary = {**self.tasks.summary(), **self.judge.summary()}
        return summary | {"queries": self._asked, "words": len(self._used)}


def _share(value: float | str) -> float:
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise UserError(f"A share is a number from 0 to 1, not {value!r}.")
    return share
