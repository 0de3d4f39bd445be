"""What became of a page that was asked for, as the goals tell it to the strategy."""

from dataclasses import dataclass

from filon.core import Find
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.scout.frontier import Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The end of a candidate.

    page: None where there was none.
    good: from 0 to 1, what the next such page is judged by; below 0: it says nothing.
    gain: what the arm is paid for it: a new one of the kind. weight: how sure that is.
    words: what else is known of the site, for queries. site: where it is.
    """

    candidate: Candidate
    page: Page | None
    site: str
    good: float
    gain: float = 0.0
    weight: float = 1.0
    words: str = ""
    finds: tuple[Find, ...] = ()
