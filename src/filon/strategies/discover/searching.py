"""Asking search services: who is asked, for how many pages of results, and what went wrong.

A service that fails is told apart from one that finds nothing: its question goes to the next.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from filon.core import Request, Response
from filon.page.url import parse
from filon.strategies.discover.brief import Brief, Hits, Searcher
from filon.strategies.discover.task import Task

#: Problems that the next question will meet too.
_LASTING = frozenset({"key", "quota"})
#: So many other problems in a row, and a service is left alone: for good, or where it was only
#: down, until the next round; and so many such rests are enough.
PATIENCE, MOST_RESTS = 3, 5


class Searching:
    """The services, which of them still answer, and how often each was asked."""

    def __init__(self, brief: Brief) -> None:
        self._limits = brief.limits
        self._searchers: dict[str, Searcher] = {one.name: one for one in brief.searchers}
        self._failures = dict.fromkeys(self._searchers, 0)
        self._rests = dict.fromkeys(self._searchers, 0)
        self._out: dict[str, str] = {}
        self._told = {name: Counter[str]() for name in self._searchers}

    def serves(self, operator: str) -> bool:
        """Say whether a service is left that can be asked this."""
        return bool(self._next(operator))

    def _next(self, operator: str, after: str = "") -> str:
        names = list(self._searchers)
        start = names.index(after) + 1 if after else 0
        for name in names[start:]:
            if operator in self._searchers[name].operators and name not in self._out:
                return name
        return ""

    def task(self, operator: str, query: str, arm: str, parent: str = "") -> Task | None:
        """Return the search for the first service that can do it; None: there is none."""
        name = self._next(operator)
        if not name:
            return None
        return Task(kind="search", operator=arm, searcher=name, query=query, parent=parent)

    def routed(self, task: Task, operator: str) -> Task | None:
        """Return a search that waited, for whoever answers by now; None: nobody does."""
        if task.searcher not in self._out:
            return task
        other = self._next(operator, task.searcher)
        return replace(task, searcher=other, cursor="") if other else None

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
            self._failed(name, answer.problem)
        else:
            self._failures[name] = 0
        return answer

    def read(
        self, task: Task, operator: str, response: Response
    ) -> tuple[Sequence[str], Task | None]:
        """Return the addresses that a search brought, and the search to go on with, if any."""
        name, told = task.searcher, self._told[task.searcher]
        answer = self.hear(name, operator, response)
        if answer.problem:
            other = self._next(operator, name)
            return (), replace(task, searcher=other, cursor="") if other else None
        room = self._limits.results(operator) - task.got
        found = [url for hit in answer.hits if (url := parse(hit.url))][:room]
        told["results"] += len(found)
        got = task.got + len(found)
        if not answer.more or not found or got >= self._limits.results(operator):
            return found, None
        return found, replace(task, cursor=answer.more, got=got)

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
            {"searcher": name, **dict(sorted(told.items())), "out": self._out.get(name, "")}
            for name, told in self._told.items()
        ]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "failures": dict(self._failures),
            "rests": dict(self._rests),
            "out": dict(self._out),
            "told": {name: dict(told) for name, told in self._told.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._failures = dict.fromkeys(self._searchers, 0) | dict(state["failures"])
        self._rests = dict.fromkeys(self._searchers, 0) | dict(state["rests"])
        self._out = dict(state["out"])
        told = state["told"]
        self._told = {name: Counter(told.get(name, {})) for name in self._searchers}
