"""The goal of finding sites like the examples: one good page of a site is enough.

How much a site is still wanted is the chance that none of its pages so far was of the kind. A site
whose software is known is asked for its datasets too, and told as a repository if it has some.
"""

from dataclasses import replace
from typing import Any

from filon.core import Find, Response
from filon.core.forms import KEYS, LIST, pairs, table
from filon.core.state import Stateful, stored
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.scout.check import CHECK, Check
from filon.verbs.discover.strategies.scout.clues import address_words
from filon.verbs.discover.strategies.scout.errand import Errand
from filon.verbs.discover.strategies.scout.errands import Errands
from filon.verbs.discover.strategies.scout.frontier import Candidate
from filon.verbs.discover.strategies.scout.haul import HAUL, Haul
from filon.verbs.discover.strategies.scout.kind import Kind
from filon.verbs.discover.strategies.scout.mirrors import Mirrors
from filon.verbs.discover.strategies.scout.outcome import Outcome
from filon.verbs.discover.strategies.scout.verifying import Verifier

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
        stored("_told", KEYS),
        stored("_checks", pairs(CHECK)),
        stored("_hauls", pairs(HAUL)),
        stored("_copies", table(LIST)),
    )

    kind = "site"

    def __init__(self, brief: Brief, errands: Errands) -> None:
        self._verifier = Verifier(brief, errands)
        self.judge = Kind(brief.others)
        self._mirrors = Mirrors()
        self._lacking: dict[str, float] = {}  # the chance that none of its pages was of the kind
        self._told: dict[str, None] = {}
        self._checks: dict[str, Check] = {}
        self._hauls: dict[str, Haul] = {}
        self._copies: dict[str, list[str]] = {}

    def __len__(self) -> int:
        return len(self._told)

    def wanted(self, site: str) -> float:
        """Return how much another page of a site is wanted."""
        return self._lacking.get(site, 1.0)

    def cost(self, chance: float) -> float:
        """Return the requests that a page takes."""
        return 1.0

    def prior(self, url: str, text: str) -> float:
        """Return what the words of a link say, in the light of the examples."""
        if not text:
            return 0.0
        margin = LINK_WORDS * self.judge.margin(f"{text} {' '.join(address_words(url))}")
        return max(-MOST_PRIOR, min(MOST_PRIOR, margin))

    def value(self, text: str) -> float:
        """Return what a good page of such a title is worth: all are worth the same."""
        return 1.0

    def example(self, page: Page, good: bool) -> None:
        """Take in a page that the user gave."""
        (self.judge.examples if good else self.judge.rejected).append(page)
        self._lacking[page.site] = 0.0

    def take(self, candidate: Candidate, page: Page, response: Response) -> list[Outcome]:
        """Judge a page."""
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
        if chance >= GOOD and page.site not in self._told:
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
        self._told[page.site] = None
        self._mirrors.add(page.site, page.title, page.words.lower().split(), ())
        check = Check(page, candidate)
        self._verifier.look(check, response)
        if check.haul.markup:
            self._hauls[page.site] = check.haul
        if self._verifier.ask(check):
            self._checks[page.site] = check
        return Find(kind="site", url=page.url, name=page.title or page.site, parent=page.parent)

    def best(self) -> tuple[str, float]:
        """Return nothing: sites are not read on in."""
        return "", 0.0

    def go_on(self, site: str) -> list[Outcome]:
        """Do nothing."""
        return []

    def read(self, errand: Errand, page: Page | None, response: Response) -> list[Outcome]:
        """Do nothing."""
        return []

    def heard(self, errand: Errand, response: Response) -> list[Outcome]:
        """Take in what a portal's API says: it is a repository, or only a site."""
        check = self._checks.get(errand.query)
        if check is None:
            return []
        said = self._verifier.heard(check, errand, response)
        if said != "wait":
            del self._checks[errand.query]
        if said == "yes":
            self._hauls[errand.query] = check.haul
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
        told: dict[str, Found] = {}
        for at in sorted(range(len(scores)), key=lambda at: -scores[at]):
            page = pages[at]
            if page.site in told or page.site in examples or page.url in folded:
                continue
            if len(told) >= most:
                break
            told[page.site] = self._one(page, scores[at], page.site in known)
        return list(told.values())

    def _one(self, page: Page, score: float, known: bool) -> Found:
        site = replace(
            found_site(page, score), known=known, mirrors=tuple(self._copies.get(page.site, ()))
        )
        haul = self._hauls.get(page.site)
        if haul is None:
            return site
        return replace(site, kind="repository" if haul.enough else "site", **haul.told())

    def summary(self) -> dict[str, Any]:
        """Return counts for people."""
        return {"of the kind": len(self._told), "mirrors": sum(map(len, self._copies.values()))}
