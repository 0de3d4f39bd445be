"""The ways from known pages to new ones, and whose turn it is: section 4.2 of DISCO and of DSDD.

An operator turns pages into tasks; `results` and `forward` turn what their answers bring into more.
UCB1 chooses among the operators that can go on; an operator never starts from a page twice.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from filon.core import UserError
from filon.learn.ucb import Ucb
from filon.page.url import origin
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.tasks import Task, Tasks

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
        parent = task.parent or task.query
        wanted = Task(
            kind=kind,
            operator=task.operator,
            searcher=task.searcher,
            query=task.query,
            parent=parent,
        )
        tasks.want(url, wanted)


def _home(url: str) -> str:
    return f"{origin(url)}/"


def bandit(arms: Sequence[str], count: str | float) -> Ucb:
    """Return the bandit; count: what it counts."""
    if count not in ("pages", "pulls"):
        raise UserError(f"The bandit counts pages or pulls, not {count!r}.")
    return Ucb(arms, str(count))


class Turns:
    """Rounds, and the pages from which each operator has started. k: pages of a round."""

    def __init__(self, chooser: Ucb, arms: Sequence[str], k: int) -> None:
        self._bandit = chooser
        self._k = k
        self._used: dict[str, dict[str, None]] = {arm: {} for arm in arms}

    def begin(
        self, awake: Callable[[str], bool], best: Callable[[], Iterable[Page]]
    ) -> tuple[str, list[Page]]:
        """Return the operator of the next round and its pages; "": none is awake."""
        arm = self._bandit.choose(arm for arm in self._used if awake(arm))
        if not arm:
            return "", []
        pages = self.unused(arm, best())[: self._k]
        self._used[arm].update(dict.fromkeys(page.url for page in pages))
        return arm, pages

    def open(
        self,
        tasks: Tasks,
        awake: Callable[[str], bool],
        best: Callable[[], Iterable[Page]],
        queries: Callable[[str, list[Page]], list[str]],
    ) -> str:
        """Begin a round and return its operator; "": none can go on."""
        tasks.searching.wake()
        arm, pages = self.begin(awake, best)
        if arm:
            run(arm, tasks, pages, queries(arm, pages))
        return arm

    def unused(self, arm: str, best: Iterable[Page]) -> list[Page]:
        """Return the pages from which an operator has not started, in their order."""
        used = self._used[arm]
        return [page for page in best if page.url not in used]

    def state(self) -> dict[str, Any]:
        """Return plain data; the bandit's is not in it."""
        # By hand: its keys are the arms.
        return {arm: list(used) for arm, used in self._used.items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._used = {arm: dict.fromkeys(used) for arm, used in state.items()}
