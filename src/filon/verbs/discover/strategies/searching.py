"""Asking search services: who is asked, for how many pages of results, and what went wrong.

A service that fails is told apart from one that finds nothing: its question goes to the next.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from filon.core import Request, Response
from filon.core.forms import Form, table
from filon.core.service import Hits, Searcher
from filon.core.state import Stateful, stored
from filon.page.url import origin, parse
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.task import Task

#: Problems that the next question will meet too.
_LASTING = frozenset({"key", "quota"})
#: So many other problems in a row, and a service is left alone: for good, or where it was only
#: down, until the next round; and so many such rests are enough.
PATIENCE, MOST_RESTS = 3, 5
#: A registry may name a site a page; so many pages in a row without a result, and it has no more.
MOST_BARREN = 10


class Searching(Stateful):
    """The services, which of them still answer, and how often each was asked."""

    STATE = (
        "_failures",
        "_rests",
        "_out",
        "_details",
        stored("_told", table(Form(dict, Counter))),
    )

    def __init__(self, brief: Brief) -> None:
        self._limits = brief.limits
        self._searchers: dict[str, Searcher] = {one.name: one for one in brief.searchers}
        self._failures = dict.fromkeys(self._searchers, 0)
        self._rests = dict.fromkeys(self._searchers, 0)
        self._out: dict[str, str] = {}
        self._told = {name: Counter[str]() for name in self._searchers}
        self._details: dict[str, str] = {}  # what the last failure of each was

    def serves(self, operator: str) -> bool:
        """Say whether a service is left that can be asked this."""
        return any(operator in self._searchers[name].operators for name in self._awake())

    def lists(self, topic: str) -> bool:
        """Say whether a registry can be asked for the sites of a topic."""
        return bool(topic and self.able("seeds", topic))

    def opens(self, name: str, hub: str) -> bool:
        """Say whether a service lists the links of this page, which is its own: of a wiki's."""
        searcher = self._searchers[name]
        if not searcher.takes("outlinks", hub):
            return False
        return origin(searcher.request("outlinks", hub).url) == origin(hub)

    def _awake(self, after: str = "") -> list[str]:
        names = list(self._searchers)
        start = names.index(after) + 1 if after else 0
        return [name for name in names[start:] if name not in self._out]

    def able(self, operator: str, query: str, after: str = "") -> list[str]:
        """Return the services that take such a question, in their order."""
        return [name for name in self._awake(after) if self._searchers[name].takes(operator, query)]

    def _next(self, operator: str, query: str, after: str = "") -> str:
        return next(iter(self.able(operator, query, after)), "")

    def task(self, operator: str, query: str, arm: str, parent: str = "") -> Task | None:
        """Return the search for the first service that can do it; None: there is none."""
        name = self._next(operator, query)
        if not name:
            return None
        return Task(kind="search", operator=arm, searcher=name, query=query, parent=parent)

    def routed(self, task: Task, operator: str) -> Task | None:
        """Return a search that waited, for whoever answers by now; None: nobody does."""
        if task.searcher not in self._out:
            return task
        return self._elsewhere(task, operator)

    def _elsewhere(self, task: Task, operator: str) -> Task | None:
        """Return a search for the next service; None: there is none after the one it was for."""
        other = self._next(operator, task.query, task.searcher)
        return replace(task, searcher=other, cursor="", barren=0) if other else None

    def request(self, task: Task, operator: str) -> Request:
        """Return the request of a search."""
        self._told[task.searcher]["calls"] += 1
        return self._searchers[task.searcher].request(operator, task.query, task.cursor)

    def answers(self, name: str) -> bool:
        """Say whether a service still does."""
        return name not in self._out

    def note(self, name: str, what: str, count: int = 1) -> None:
        """Count calls or results for `told`."""
        self._told[name][what] += count

    def hear(self, name: str, operator: str, response: Response) -> Hits:
        """Return what a service says, and take note of how it goes with it."""
        answer = self._searchers[name].parse(operator, response)
        if answer.problem:
            self._told[name][f"failed: {answer.problem}"] += 1
            self._details[name] = answer.detail
            self._failed(name, answer.problem)
        else:
            self._failures[name] = 0
            if self._out.get(name) == "down":  # a question that waited for it was answered
                del self._out[name]
        return answer

    def read(
        self, task: Task, operator: str, response: Response
    ) -> tuple[Sequence[str], Task | None]:
        """Return the addresses that a search brought, and the search to go on with, if any."""
        name, told = task.searcher, self._told[task.searcher]
        answer = self.hear(name, operator, response)
        if answer.problem:
            if answer.more and name not in self._out:  # one of many pages: others may be there
                return (), self._further(task, answer.more, 0, operator)
            return (), self._elsewhere(task, operator)
        room = self._limits.results(operator) - task.got
        found = [url for hit in answer.hits if (url := parse(hit.url))][:room]
        told["results"] += len(found)
        return found, self._further(task, answer.more, len(found), operator)

    def _further(self, task: Task, more: str, found: int, operator: str) -> Task | None:
        """Return the search for the next page; None: there is none, or there was enough."""
        got, barren = task.got + found, 0 if found else task.barren + 1
        if not more or got >= self._limits.results(operator) or barren >= MOST_BARREN:
            return None
        return replace(task, cursor=more, got=got, barren=barren)

    def _failed(self, name: str, problem: str) -> None:
        if problem == "query":
            return  # the question was wrong for it, not the service
        self._failures[name] += 1
        if problem in _LASTING or self._failures[name] >= PATIENCE:
            self._out[name] = problem
            self._rests[name] += 1

    def wake(self) -> None:
        """Begin a round: a service that was down may be up again."""
        for name, problem in list(self._out.items()):
            if problem == "down" and self._rests[name] < MOST_RESTS:
                del self._out[name]
                self._failures[name] = 0

    def told(self) -> list[dict[str, Any]]:
        """Return the services for people; "out" says why one is asked no more."""
        return [
            {
                "searcher": name,
                **dict(sorted(told.items())),
                "out": self._out.get(name, ""),
                "detail": self._details.get(name, ""),
            }
            for name, told in self._told.items()
        ]

    def restored(self) -> None:
        """Begin to count for services that are new since."""
        nothing = dict.fromkeys(self._searchers, 0)
        self._failures, self._rests = nothing | self._failures, nothing | self._rests
        self._told = {name: self._told.get(name, Counter()) for name in self._searchers}
