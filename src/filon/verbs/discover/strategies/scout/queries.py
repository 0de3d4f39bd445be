"""What search services are asked for, and which of them is asked next.

The user's own words come first. Learnt words are those of the topic's profile where repositories
are wanted (topic.py). Where sites like the examples are, a word counts by how much oftener good
pages have it than rejected ones, as the logarithm of that ratio, times how many good ones do: a
word of one page brings that page again.

The arms are every operator with every service that serves it. A bandit chooses the arm
(learn/discounted.py); within it the question of which most is expected is asked. Of a
further page of results as much is expected as the page before brought, against what first pages of
this arm bring. A service that fails puts its own arms to sleep, and no others.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from filon.core import Response
from filon.core.forms import KEYS, each, pairs, record
from filon.core.service import Hit, Searcher
from filon.core.state import Stateful, stored
from filon.learn.discounted import Discounted
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.page import Page, meta_words, shipped, words_of
from filon.verbs.discover.strategies.scout.languages import (
    WORDS,
    language_holds,
    language_of,
)
from filon.verbs.discover.strategies.scout.tasks import LAST, ScoutTask, ScoutTasks, arm_named
from filon.verbs.discover.strategies.tasks import SEARCH_OF

#: Words that are kept of each side; the rarest are forgotten first.
MOST_WORDS = 30_000
#: Of a long page, so many of its words.
PAGE_WORDS = 300
#: New queries that are made at a time, and languages besides the user's.
EACH, MOST_LANGUAGES = 6, 4
#: A language must have been met on so many good sites.
MET = 2

#: Returns words that tell the topic, without those used, the most telling first: so many at most,
#: and also where hardly anything was read yet.
Telling = Callable[[Mapping[str, None], int, bool], list[str]]


class Queries(Stateful):
    """The queries that were made, and the words that more can be made of.

    others: texts of something else.
    telling: who knows the words of the topic, where repositories are wanted; queries then end with
        a word for data. Without it words are learnt from the pages that were good and those that
        were not.
    """

    STATE = (
        stored("_good", pairs()),
        stored("_bad", pairs()),
        "_pages",
        stored("_languages", pairs()),
        stored("_used", KEYS),
        stored("_spoken", KEYS),
        "_dry",
    )

    def __init__(
        self,
        topic: str,
        languages: tuple[str, ...],
        others: Sequence[str] = (),
        telling: Telling | None = None,
    ) -> None:
        self._topic, self._telling = topic.strip(), telling
        self._good: Counter[str] = Counter()
        self._bad: Counter[str] = Counter()
        self._pages = [0, 0]
        self._languages: Counter[str] = Counter(dict.fromkeys(languages, MET))
        self._used: dict[str, None] = dict.fromkeys(self._topic.lower().split())
        if telling:
            self._used.update(dict.fromkeys([*shipped()["stop"], "data", "datasets"]))
        self._spoken: dict[str, None] = {}
        self._dry = -1  # good pages by the time that no word was left
        for text in others:
            self._bad.update(sorted(set(words_of(text)[:PAGE_WORDS])))
            self._pages[1] += 1

    def first(self) -> list[str]:
        """Return the queries to begin with: the user's own words, alone and with words for data."""
        if not self._topic:
            return []
        if not self._telling:
            return [self._topic]
        return [self._topic, f"{self._topic} data", f"{self._topic} datasets", *self._translated()]

    def learn(self, page: Page, more: str, good: float) -> None:
        """Take in the words of a page that was good, from 0 to 1. more: what its API listed."""
        if good >= 0.5:
            self._pages[0] += 1
            top = page.site.rpartition(".")[2]
            self._languages[language_of(top, page.text.lower().split()[:400])] += 1
        else:
            self._pages[1] += 1
        if self._telling:
            return
        words = {*meta_words(page), *words_of(f"{page.text} {more}")[:PAGE_WORDS]}
        (self._good if good >= 0.5 else self._bad).update(sorted(words))
        for counts in (self._good, self._bad):
            if len(counts) > MOST_WORDS:
                kept = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
                counts.clear()
                counts.update(dict(kept[: MOST_WORDS // 2]))

    def more(self) -> list[str]:
        """Return some queries that were never made; none if no word is left."""
        if self._pages[0] == self._dry:
            return []
        queries = self._translated()
        queries += self._new(early=False)
        if not queries:
            self._dry = self._pages[0]
        return queries

    def last(self) -> list[str]:
        """Return queries for when nothing else is left to do, the same ones again among them.

        They are of each of the user's words, and of words that few sites speak for.
        """
        if not self._telling:
            return []
        own = [word for word in words_of(self._topic) if word not in shipped()["stop"]]
        return [*(f"{word} data" for word in dict.fromkeys(own)), *self._new(early=True)]

    def _new(self, early: bool) -> list[str]:
        telling = self._telling
        words = telling(self._used, EACH, early) if telling else self._best(EACH)
        self._used.update(dict.fromkeys(words))
        return [self._query(word) for word in words]

    def _query(self, word: str) -> str:
        if not self._telling:
            return f"{self._topic} {word}".strip()
        language = self._languages.most_common(1)[0][0] if self._languages else "en"
        last = WORDS.get(language, WORDS["en"])[0] if language_holds(word, language) else "data"
        return f"{word} {last}"

    def _best(self, most: int) -> list[str]:
        """Return the words that speak most for a good page and were not used, the first first."""
        good, bad = self._pages
        scores: list[tuple[float, int, str]] = []
        for word, count in self._good.items():
            if word in self._used or count < min(2, good):
                continue
            lift = math.log((count + 0.5) / (good + 1)) - math.log(
                (self._bad[word] + 0.5) / (bad + 1)
            )
            scores.append((-round(lift * math.log(1 + count), 9), len(scores), word))
        return [word for score, _, word in sorted(scores)[:most] if score < 0]

    def _translated(self) -> list[str]:
        """Return queries in languages that were met and not used yet."""
        if not self._telling:
            return []
        met = [name for name, count in self._languages.most_common() if count >= MET]
        queries = []
        for name in met[: MOST_LANGUAGES + 1]:
            if name in WORDS and name != "en" and name not in self._spoken:
                self._spoken[name] = None
                queries += [f"{self._topic} {word}" for word in WORDS[name][:2] if self._topic]
        return queries


#: Questions that an arm keeps; the least promising are dropped.
MOST_QUESTIONS = 2_000
#: A page of results is worth less than the one before it: the best come first.
FURTHER, MOST_EXPECTED = 0.8, 1.5
#: How much the last first page counts in what is expected of the next: they bring less and less.
LATELY = 0.2
#: Answers that are not as documented, after which an operator of a service is left alone.
MOST_WRONG = 3
#: Pages in a row without results after which no more is asked for.
MOST_EMPTY = 3


@dataclass(slots=True)
class Question:
    """Something to ask.

    expected: what its results are expected to bring, against those of other questions.
    cursor: which page of the results; "" for the first. got: results so far.
    empty: pages in a row that had none.
    opening: pages of results that are asked for before anything else; 0: it competes.
    """

    expected: float
    number: int
    query: str
    parent: str = ""
    cursor: str = ""
    got: int = 0
    empty: int = 0
    opening: int = 0


_QUESTIONS = each(record(Question, {"expected": "promise"}))


def _place(one: Question | ScoutTask) -> dict[str, Any]:
    """Return what a question and the task that asks it have in common, as keywords."""
    return {name: getattr(one, name) for name in ("query", "parent", "cursor", "got", "opening")}


@dataclass(slots=True)
class Arm:
    """An operator and who serves it.

    mean, firsts: what was expected of the first pages of results lately, and how many there were.
    wrong: answers that were not as documented.
    """

    operator: str
    searcher: Searcher
    questions: list[Question] = field(default_factory=list)
    mean: float = 0.0
    firsts: int = 0
    wrong: int = 0

    @property
    def has_new(self) -> bool:
        """A question is left that was not asked at all."""
        return any(not question.cursor for question in self.questions)

    def put(self, question: Question) -> None:
        """Keep a question."""
        if question.empty >= MOST_EMPTY:
            return
        self.questions.append(question)
        if len(self.questions) > MOST_QUESTIONS:
            self.questions.sort(key=lambda one: (-one.expected, one.number))
            del self.questions[MOST_QUESTIONS // 2 :]

    def take(self) -> Question:
        """Return the question of which most is expected, the oldest among equals."""
        best = min(self.questions, key=lambda one: (-one.opening, -one.expected, one.number))
        self.questions.remove(best)
        return best

    def further(self, gain: float) -> float:
        """Return what is expected of the page after one that was worth so much."""
        return min(MOST_EXPECTED, FURTHER * gain / max(0.05, self.mean))

    def first(self, gain: float) -> None:
        """Take note of what a first page was worth."""
        self.firsts += 1
        self.mean += (gain - self.mean) * max(1 / self.firsts, LATELY)

    def state(self) -> list[Any]:
        """Return plain data."""
        # By hand: it is a list.
        return [_QUESTIONS.write(self.questions), self.mean, self.firsts, self.wrong]

    def restore(self, state: list[Any]) -> None:
        """Go on from there."""
        self.questions = _QUESTIONS.read(state[0])
        self.mean, self.firsts, self.wrong = state[1:]


#: The operators that services are asked for; links are followed without them.
OPERATORS = ("keyword", "related", "backward", "outlinks", "seeds")
#: Searches that may be made before anything else.
MOST_OPENING = 15
#: Answers after which services that were down are tried again.
WAKE_AFTER = 25

#: Lets results wait, and says what is expected of them.
Take = Callable[[ScoutTask, Sequence[Hit]], float]


class Asking:
    """All arms that ask."""

    def __init__(self, brief: Brief, tasks: ScoutTasks, bandit: Discounted, dollar: float) -> None:
        self._limits = brief.limits
        self._tasks, self._bandit, self._dollar = tasks, bandit, dollar
        self._arms: dict[str, Arm] = {}
        for operator in OPERATORS:
            for searcher in brief.searchers:
                if SEARCH_OF[operator] in searcher.operators:
                    name = arm_named(operator, searcher.name)
                    self._arms[name] = Arm(operator, searcher)
                    bandit.add(name)
        self._offered: dict[str, None] = {}
        self._numbers = 0
        self._answers = 0
        self._opened = 0

    def _awake(self, arm: Arm) -> bool:
        return arm.wrong < MOST_WRONG and self._tasks.searching.answers(arm.searcher.name)

    def lacks(self, operator: str) -> bool:
        """Say whether an arm of an operator that could ask has no question that is new."""
        return any(
            arm.operator == operator and self._awake(arm) and not arm.has_new
            for arm in self._arms.values()
        )

    def offer(
        self, operator: str, query: str, expected: float, parent: str = "", opening: int = 0
    ) -> bool:
        """Give all arms of an operator a question, each once; say whether it was new.

        opening: as of a Question.
        """
        name = f"{operator} {query}"
        if name in self._offered or not query:
            return False
        self._offered[name] = None
        for arm in self._arms.values():
            if arm.operator == operator and arm.searcher.takes(SEARCH_OF[operator], query):
                self._numbers += 1
                arm.put(Question(expected, self._numbers, query, parent, opening=opening))
        return True

    def opening(self) -> str:
        """Return the arm that has a question to begin with; "": none has, or enough were asked."""
        if self._opened >= MOST_OPENING:
            return ""
        first = {
            name: max((one.opening for one in arm.questions), default=0)
            for name, arm in self._arms.items()
            if self._awake(arm)
        }
        best = max(first, key=lambda name: first[name], default="")
        if not best or not first[best]:
            return ""
        self._opened += 1
        return best

    def rate(self) -> float:
        """Return what the best arm is expected to bring for a request."""
        awake = (name for name, arm in self._arms.items() if arm.questions and self._awake(arm))
        return max(map(self._bandit.rate, awake), default=0.0)

    def best(self) -> tuple[str, float]:
        """Return the arm to use next and what it is expected to bring; "" if none can ask."""
        awake = [name for name, arm in self._arms.items() if arm.questions and self._awake(arm)]
        return self._bandit.choose(awake)

    def ask_spent(self) -> bool:
        """Ask one service whose quota is spent, as nothing else is left to do; False: none is.

        The question waits in a guard until there are calls again: of each service one does.
        """
        for name, arm in self._arms.items():
            service = arm.searcher.name
            if not self._tasks.searching.is_spent(service) or self._tasks.waits_for(service):
                continue
            while arm.questions:
                if self.ask(name, 0.0, LAST):
                    return True
        return False

    def ask(self, name: str, score: float, role: str = "") -> bool:
        """Put the best question of an arm in line; False: it was asked before."""
        arm = self._arms[name]
        question = arm.take()
        asked = {"operator": arm.operator, "searcher": arm.searcher.name, **_place(question)}
        task = ScoutTask(kind="search", **asked, depth=question.empty, role=role, score=score)
        if not self._tasks.search(task):
            return False
        self._bandit.pull(name, 1 + self._dollar * arm.searcher.cost)
        return True

    def hear(self, task: ScoutTask, response: Response, take: Take) -> None:
        """Take the results of a search; the page after them waits, valued by them."""
        self._answers += 1
        if self._answers % WAKE_AFTER == 0:
            self._tasks.searching.wake()
        name, search = arm_named(task.operator, task.searcher), SEARCH_OF[task.operator]
        spent = self._tasks.searching.is_spent(task.searcher)
        self._tasks.searching.note(task.searcher, "calls", int(task.role == LAST))
        answer = self._tasks.searching.hear(task.searcher, search, response)
        if response.sent != "yes":  # nothing was spent
            self._bandit.spend(name, -1.0)
        if answer.problem in ("quota", "down"):
            self._keep(task)
            if answer.problem == "quota" and spent and task.role == LAST:
                self._tasks.searching.give_up(task.searcher)
        if answer.problem:
            self._excuse(name, task.searcher, answer.problem)
            return
        listed = search in ("seeds", "outlinks")
        most = self._limits.keyword if listed else self._limits.results(search)
        hits = answer.hits[: most - task.got]
        self._tasks.searching.note(task.searcher, "results", len(hits))
        gain = take(task, hits)
        got = task.got + len(hits)
        if not task.cursor and hits:
            self._arms[name].first(gain)
        if answer.more and got < most:
            self._further(self._arms[name], task, answer.more, got, gain if hits else -1.0)

    def _excuse(self, name: str, searcher: str, problem: str) -> None:
        """Hold it against an operator, not its service, that it does not answer as documented."""
        if problem != "schema":
            return
        self._arms[name].wrong += 1
        arms = [arm for arm in self._arms.values() if arm.searcher.name == searcher]
        if any(arm.wrong < MOST_WRONG for arm in arms):
            self._tasks.searching.forgive(problem, searcher)

    def _keep(self, task: ScoutTask) -> None:
        """Let a question wait again that was refused for a quota, or that nobody answered."""
        self._tasks.refused(task)
        arm = self._arms[arm_named(task.operator, task.searcher)]
        self._numbers += 1
        expected = max((one.expected for one in arm.questions), default=1.0)
        arm.put(Question(expected, self._numbers, **_place(task), empty=task.depth))

    def _further(self, arm: Arm, task: ScoutTask, cursor: str, got: int, gain: float) -> None:
        """Keep the next page of results. gain: below 0 where there were none to judge by."""
        expected = arm.further(gain) if gain >= 0 else 1.0  # some lists begin with a number only
        next_page = {"cursor": cursor, "got": got, "opening": max(0, task.opening - 1)}
        empty = task.depth + 1 if gain < 0 else 0
        self._numbers += 1
        arm.put(Question(expected, self._numbers, **_place(task) | next_page, empty=empty))

    def summary(self) -> list[dict[str, Any]]:
        """Return the arms for people: what each brought, and how many questions are left."""
        left = {name: len(arm.questions) for name, arm in self._arms.items()}
        return [{**arm, "left": left.get(arm["arm"], 0)} for arm in self._bandit.summary()]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: a state may tell of arms that are no more.
        return {
            "arms": {name: arm.state() for name, arm in self._arms.items()},
            "offered": list(self._offered),
            "counts": [self._numbers, self._answers, self._opened],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there; a service that is new since has nothing to ask yet."""
        for name, arm in state["arms"].items():
            if name in self._arms:
                self._arms[name].restore(arm)
        self._offered = dict.fromkeys(state["offered"])
        self._numbers, self._answers, self._opened = state["counts"]
