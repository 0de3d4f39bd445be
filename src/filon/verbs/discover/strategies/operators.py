"""The ways from known pages to new ones, and whose turn it is: section 4.2 of DISCO and of DSDD.

An operator turns pages into tasks; `results` and `forward` turn what their answers bring into more.
UCB1 chooses among the operators that can go on; an operator never starts from a page twice.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from filon.core import Find, Response, Step, Summary, UserError
from filon.core.state import Fields, Stateful, stored, version
from filon.learn.ucb import Ucb
from filon.page.url import origin
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.tasks import SEARCH_OF, Task, Tasks

OPERATORS = ("related", "backward", "keyword", "forward")


def run(operator: str, tasks: Tasks, pages: Sequence[Page], queries: Iterable[str]) -> int:
    """Start an operator on pages; return how many tasks wait for it. queries: for keyword."""
    if operator == "keyword":
        listed = tasks.list_sites(tasks.brief.topic.strip())
        return listed + sum(tasks.search("keyword", query, operator) for query in queries)
    if operator == "related":
        homes = ((_home(page.url), page.url) for page in pages)
        return sum(tasks.search("related", home, operator, url) for home, url in homes)
    if operator == "backward":
        # Few link to a page deep within a site: who links to its home page is asked for too.
        asked = ((url, page.url) for page in pages for url in (page.url, _home(page.url)))
        return sum(tasks.search("backlinks", url, operator, parent) for url, parent in asked)
    return sum(forward(tasks, page, operator) for page in pages)


def forward(tasks: Tasks, page: Page, arm: str) -> int:
    """Let a page's links to sites that are not known yet wait; return how many."""
    wanted = 0
    for url in page.abroad:
        if wanted >= tasks.brief.limits.links:
            break
        if not tasks.knows(url):
            task = Task(kind="page", operator=arm, query=page.query, parent=page.url)
            wanted += tasks.want(url, task)
    return wanted


def results(tasks: Tasks, task: Task, found: Iterable[str]) -> None:
    """Let what a search brought wait: hubs, which are read for their links too, or candidates."""
    if task.operator == "outlinks":
        for url in found:
            if not tasks.knows(url):
                tasks.want(url, Task(kind="page", operator="backward", parent=task.parent))
        return
    kind = "hub" if task.operator == "backward" else "page"
    for url in found:
        if kind == "hub" and tasks.open_hub(task, url):
            continue
        tasks.want(url, task.brought(kind, task.parent or task.query))


def _home(url: str) -> str:
    return f"{origin(url)}/"


def bandit(arms: Sequence[str], count: str | float) -> Ucb:
    """Return the bandit; count: what it counts."""
    if count not in ("pages", "pulls"):
        raise UserError(f"The bandit counts pages or pulls, not {count!r}.")
    return Ucb(arms, str(count))


class Turns:
    """Rounds, and the pages from which each operator has started.

    best: the pages to start from, best first; limits.k of the brief of them make a round.
    """

    def __init__(
        self, tasks: Tasks, chooser: Ucb, arms: Sequence[str], best: Callable[[], Iterable[Page]]
    ) -> None:
        self._tasks, self._bandit, self._best = tasks, chooser, best
        self._used: dict[str, dict[str, None]] = {arm: {} for arm in arms}

    def open(
        self, awake: Callable[[str], bool], queries: Callable[[str, list[Page]], list[str]]
    ) -> str:
        """Begin a round and return its operator; "": enough was read, or none is awake."""
        if self._tasks.full:
            return ""
        self._tasks.searching.wake()
        arm = self._bandit.choose(arm for arm in self._used if awake(arm))
        if not arm and self._tasks.searching.renew():
            arm = self._bandit.choose(arm for arm in self._used if awake(arm))
        if arm:
            pages = self.unused(arm)[: self._tasks.brief.limits.k]
            self._used[arm].update(dict.fromkeys(page.url for page in pages))
            run(arm, self._tasks, pages, queries(arm, pages))
        return arm

    def served(self, arm: str) -> bool:
        """Say whether an operator needs no service, or one is left that can be asked."""
        return arm not in SEARCH_OF or self._tasks.searching.serves(SEARCH_OF[arm])

    def unused(self, arm: str) -> list[Page]:
        """Return the pages from which an operator has not started, in their order."""
        used = self._used[arm]
        return [page for page in self._best() if page.url not in used]

    def state(self) -> dict[str, Any]:
        """Return plain data; the bandit's is not in it."""
        # By hand: its keys are the arms.
        return {arm: list(used) for arm, used in self._used.items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._used = {arm: dict.fromkeys(used) for arm, used in state.items()}


class Discoverer(Stateful, ABC):
    """A strategy whose tasks come in rounds: the next begins when all answers are in."""

    STATE: ClassVar[Fields] = (version(1), stored("tasks", key="ground"))

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.tasks = Tasks(brief)

    def propose(self) -> Step | None:
        """Return the next step of the round; with all answers in, go on to another."""
        while True:
            if step := self.tasks.propose():
                return step
            if not self.tasks.idle or not self.advance():
                return None

    @abstractmethod
    def advance(self) -> bool:
        """Take stock, and let something wait; False: this is the end."""

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Take in what a search or a page brought."""
        task = self.tasks.landed(step)
        if task.kind == "search":
            self.searched(task, response)
            return []
        return self.read(task, self.tasks.read(task, response), response)

    def searched(self, task: Task, response: Response) -> None:
        """Let what a search brought wait."""
        results(self.tasks, task, self.tasks.results(task, response))

    @abstractmethod
    def read(self, task: Task, page: Page | None, response: Response) -> list[Find]:
        """Take in a page; None: there is none, or it has moved."""

    def elsewhere(self, step: Step) -> bool:
        """Say whether what a step asks can be asked of another service."""
        return self.tasks.elsewhere(step)

    def services(self) -> list[Summary]:
        """Return the services that were asked, for people."""
        return self.tasks.searching.summary()
