"""Pages that lead to good pages are good too: index and pagination pages earn by their children.

The label of a page is what it brought itself, or the discounted mean of that and of what the
pages behind it brought, whichever is more. A new label changes those of the pages above. A link
that was counted by its chance counts as one as soon as it is known to be a target.
"""

from collections.abc import Callable
from dataclasses import dataclass

from filon.core.forms import flat, row
from filon.core.state import Stateful, stored, version
from filon.learn.ridge import Vector

#: What a page's children say of the page, against what the page says itself.
DISCOUNT = 0.7
#: How far up a new label is felt.
LEVELS = 3


@dataclass(slots=True)
class Page:
    """A page that was fetched: its own yield, and its children's labels."""

    own: float
    rest: float  # what its targets were counted too low for, each
    above: str
    outcome: int
    behind: float = 0.0  # the sum of the children's labels
    children: int = 0  # links of the page that were followed
    label: float = 0.0


class Credit(Stateful):
    """Labels of pages, kept up to date as their children come in.

    relabel: called with the number of an outcome and its new label.
    """

    STATE = (version(1), stored("_pages", flat(row(Page))))

    def __init__(self, relabel: Callable[[int, float], None]) -> None:
        self._relabel = relabel
        self._pages: dict[str, Page] = {}

    def earn(self, url: str, chances: Vector, above: str, outcome: int) -> None:
        """Enter a page that was reached from another one.

        chances: of those of its new links that may be targets.
        """
        own, rest = float(chances.sum()), 1.0 - float(chances.mean() if len(chances) else 0.0)
        page = self._pages[url] = Page(own, rest, above, outcome)
        if parent := self._pages.get(above):
            parent.children += 1
        self._update(page, LEVELS)

    def spend(self, above: str) -> None:
        """Count a link of a page that led to nothing."""
        if parent := self._pages.get(above):
            parent.children += 1
            self._update(parent, LEVELS)

    def confirm(self, above: str) -> None:
        """Count a link of a page as one target, whatever it was counted for."""
        if parent := self._pages.get(above):
            parent.own += parent.rest
            self._update(parent, LEVELS)

    def deny(self, above: str, chance: float) -> None:
        """Take back what a link of a page was counted for, when it may not be followed."""
        if parent := self._pages.get(above):
            parent.own = max(parent.own - chance, 0.0)
            self._update(parent, LEVELS)

    def _update(self, page: Page, levels: int) -> None:
        mean = (page.own + page.behind) / (1 + page.children)
        label = max(page.own, DISCOUNT * mean)
        change, page.label = label - page.label, label
        self._relabel(page.outcome, label)
        parent = self._pages.get(page.above)
        if parent and levels:
            parent.behind += change
            self._update(parent, levels - 1)
