"""The goal of finding dataset repositories: sites are checked, and those that have data are told.

Whether a page that was read leads to data is judged by its words and its links, before more is
read. A page whose words speak against it is rejected unread, but for a few that are checked all the
same: else the judgement would never hear that it is wrong.
"""

import math
from random import Random
from typing import Any

from filon.core import Find, Response
from filon.core.forms import RANDOM, pairs
from filon.core.state import Stateful, stored
from filon.learn.ftrl import Ftrl
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.scout.check import CHECK, Check, Verifier
from filon.verbs.discover.strategies.scout.frontier import (
    SIZE,
    Candidate,
    Outcome,
    address_words,
    numbers,
)
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, ScoutTasks
from filon.verbs.discover.strategies.scout.verified import Verified
from filon.verbs.discover.strategies.words import all_words, portal_score, words_of

#: How much the words of a page count before anything was learnt, and what links and files add.
WORDS, PROMISING, FILE, MOST_FILES = 1.5, 0.8, 0.5, 2.0
USUAL = -0.5
#: What speaks against a portal whose API does not answer: pages that scripts fill show no files.
SILENT = 2.0
#: Words of a page that are looked at.
MOST_WORDS = 300


class Promise:
    """A classifier that learns from every check, on top of what is known of portals."""

    def __init__(self) -> None:
        self._model = Ftrl(SIZE, alpha=0.3, l1=0.0, l2=1.0)

    def judge(self, check: Check, words: list[str]) -> None:
        """Settle the chance that a site is a repository, by its entry page."""
        page, marked = check.entry, bool(check.evidence.markup)
        check.prior = USUAL + WORDS * portal_score(words)
        check.prior += PROMISING if page.promising else -PROMISING
        check.prior += min(MOST_FILES, FILE * len(page.files)) + marked
        told = [f"says {word}" for word in dict.fromkeys(words[:MOST_WORDS])]
        told += ["page", f"promising {min(4, page.promising)}", f"files {min(3, len(page.files))}"]
        told += [f"markup {marked}", f"links {min(5, len(page.within) // 10)}"]
        check.features = numbers(told)
        self._settle(check)

    def doubt(self, check: Check, software: str) -> None:
        """Judge a portal anew whose API does not answer."""
        check.features += numbers([f"silent {software}"])
        check.prior -= SILENT
        self._settle(check)

    def _settle(self, check: Check) -> None:
        margin = check.prior + self._model.margin(check.features)
        check.chance = 1 / (1 + math.exp(-max(-20.0, min(20.0, margin))))

    def learn(self, check: Check, good: bool, weight: float) -> None:
        """Learn how a check ended."""
        self._model.learn(check.features, float(good), weight, check.prior)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: it is the model's.
        return self._model.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._model.restore(state)


#: A page with a smaller chance is rejected.
REJECTED = 0.08
#: What a site that failed is still wanted for another of its pages, and how often it is tried.
AGAIN, MOST_TRIES = 0.3, 3
#: Requests after the first page that a check takes: what is believed at first, if it ends well or
#: not, and how many checks stand for that.
TAKES_GOOD, TAKES_BAD, SURE = 3.0, 1.0, 5.0
#: How much the words of a link count before anything was learnt.
LINK_WORDS = 1.0
#: How near to the topic a page is of which nothing is told.
UNKNOWN = 0.5
#: Sites that are being checked at a time.
MOST_CHECKS = 300


class Repositories(Stateful):
    """Sites by how their check ended or stands."""

    STATE = (
        stored("_random", RANDOM, key="dice"),
        "_promise",
        "_good",
        stored("_checks", pairs(CHECK)),
        "_failed",
        "_takes",
        "_audited",
    )

    kind = "repository"

    def __init__(self, brief: Brief, tasks: ScoutTasks, audit: float, focus: float) -> None:
        self._brief, self._tasks = brief, tasks
        self._audit, self._focus = audit, focus
        self._verifier = Verifier(brief, tasks)
        self._random = Random(brief.seed)
        self._promise = Promise()
        self._good = Verified(brief.topic)
        self._checks: dict[str, Check] = {}
        self._failed: dict[str, int] = {}
        self._takes = [TAKES_GOOD * SURE, SURE, TAKES_BAD * SURE, SURE]
        self._audited = [0, 0]

    def __len__(self) -> int:
        return len(self._good)

    # What the frontier wants to know.

    def wanted(self, site: str) -> float:
        """Return how much another page of a site is wanted."""
        if site in self._good or site in self._checks:
            return 0.0
        tries = self._failed.get(site, 0)
        return float(AGAIN**tries) if tries < MOST_TRIES else 0.0

    def cost(self, chance: float) -> float:
        """Return the requests that a page of this chance will take."""
        good, goods, bad, bads = self._takes
        return 1 + chance * good / goods + (1 - chance) * bad / bads

    def prior(self, url: str, text: str) -> float:
        """Return what the words of a link say beforehand."""
        return LINK_WORDS * portal_score([*address_words(url), *text.lower().split()])

    def value(self, text: str) -> float:
        """Return what a repository of such a title and snippet is worth: less off the topic."""
        near = self._good.topic.near(words_of(text)) if text else UNKNOWN
        return 1 - self._focus + self._focus * near

    # Pages.

    def take(self, candidate: Candidate, page: Page, response: Response) -> list[Outcome]:
        """Begin to check a site by one of its pages."""
        if page.site in self._good or page.site in self._checks:
            return [Outcome(candidate=candidate, page=page, site=page.site, good=-1.0)]
        check = Check(page, candidate)
        words = all_words(page)
        if copied := self._good.mirrors.of_text(page.title, words):
            return [self._fold(check, copied)]
        self._verifier.look(check, response)
        check.read(page, 0)
        self._promise.judge(check, words)
        if check.evidence.enough:
            return [self._verified(check)]
        self._checks[page.site] = check
        self._good.mirrors.add(page.site, page.title, words, ())
        if self._verifier.ask(check):
            return []
        return self._open(check)

    def _open(self, check: Check) -> list[Outcome]:
        """Read on in a site, or reject it."""
        if check.chance < REJECTED:
            check.audited = self._random.randrange(10_000) < 10_000 * self._audit
            if not check.audited:
                return [self._fail(check, 0.5)]
            self._audited[0] += 1
            check.chance = 0.5
        if self._ends(check):
            return [self._fail(check)]
        check.weigh()
        if len(self._checks) > MOST_CHECKS:
            return [self._fail(min(self._checks.values(), key=lambda one: one.worth))]
        return []

    # Going on.

    def best(self) -> tuple[str, float]:
        """Return the site that is worth reading on in most, and that worth."""
        idle = [(check.worth, site) for site, check in self._checks.items() if not check.busy]
        worth, site = max(idle, default=(0.0, ""), key=lambda one: one[0])
        return site, worth

    def go_on(self, site: str) -> list[Outcome]:
        """Put the next page of a site in line; return how its check ends, if it does."""
        check = self._checks[site]
        while not check.hopeless:
            depth, url = check.next_link()
            task = ScoutTask(
                kind="look",
                entry=check.entry.url,
                query=site,
                depth=depth,
                parent=check.entry.url,
                origins=tuple(check.candidate.origins[:1]),
                score=check.worth,
            )
            if self._tasks.page(task, url):
                check.busy = True
                check.pages += 1
                return []
        return [self._fail(check)] if self._ends(check) else []

    def read(self, task: ScoutTask, page: Page | None, response: Response) -> list[Outcome]:
        """Take in a page of a site."""
        check = self._checks.get(task.query)
        if check is None:
            return []
        check.busy, check.spent = False, check.spent + 1
        if page is None or page.site != check.entry.site:
            check.dull += 1
        else:
            check.read(page, task.depth)
            self._verifier.mark(check, response)
        check.weigh()
        if check.evidence.enough:
            return [self._verified(check)]
        return [self._fail(check)] if self._ends(check) else []

    def _ends(self, check: Check) -> bool:
        """Say whether all hope is lost, after a last look at the sitemap of a likely site."""
        likely = check.chance >= 0.5 and not check.evidence.total
        return check.hopeless and not (likely and self._verifier.sitemap(check))

    def heard(self, task: ScoutTask, response: Response) -> list[Outcome]:
        """Take in an answer of an API."""
        check = self._checks.get(task.query)
        if check is None:
            return []
        check.spent += 1
        said = self._verifier.heard(check, task, response)
        if said == "yes":
            return [self._verified(check)]
        if said == "no":
            return [self._fail(check)]
        if said == "unknown" and task.role != "sitemap":
            self._promise.doubt(check, task.software)
        return self._open(check) if said == "unknown" else []

    # Ends.

    def _verified(self, check: Check) -> Outcome:
        entry = check.entry
        self._checks.pop(entry.site, None)
        self._learn(check, True)
        if copied := self._good.copy_of(check):
            return self._fold(check, copied)
        near = self._good.add(check)
        self._audited[1] += check.audited
        name = entry.title or entry.site
        find = Find(kind="repository", url=check.home, name=name, parent=entry.parent)
        return Outcome(
            candidate=check.candidate,
            page=entry,
            site=entry.site,
            good=1.0,
            gain=1 - self._focus + self._focus * near,
            words=check.evidence.words,
            finds=(find,),
        )

    def _fold(self, check: Check, copied: str) -> Outcome:
        self._good.fold(check, copied)
        self._failed[check.entry.site] = MOST_TRIES
        return Outcome(
            candidate=check.candidate, page=check.entry, site=check.entry.site, good=-1.0
        )

    def _fail(self, check: Check, weight: float = 1.0) -> Outcome:
        site = check.entry.site
        self._checks.pop(site, None)
        self._failed[site] = self._failed.get(site, 0) + 1
        self._good.forget(site)
        if weight == 1.0:
            self._learn(check, False)
        self._good.topic.turn_down(check.entry)
        return Outcome(
            candidate=check.candidate, page=check.entry, site=site, good=0.0, weight=weight
        )

    def _learn(self, check: Check, good: bool) -> None:
        """Learn from an end; one that was audited stands for all that were not."""
        weight = min(5.0, 1 / self._audit) if check.audited else 1.0
        self._promise.learn(check, good, weight)
        at = 0 if good else 2
        self._takes[at] += check.spent - 1
        self._takes[at + 1] += 1

    def dead(self, candidate: Candidate, good: float) -> Outcome:
        """Tell that there is no such page. good: what that says of others, as in an Outcome."""
        self._failed[candidate.site] = self._failed.get(candidate.site, 0) + 1
        return Outcome(candidate=candidate, page=None, site=candidate.site, good=good)

    def reject(self, site: str) -> None:
        """Take note that the user does not want a site."""
        self._failed[site] = MOST_TRIES

    # Telling.

    def found(self, known: dict[str, None], most: int) -> list[Found]:
        """Return the repositories, best first."""
        return self._good.found(known, most)

    def summary(self) -> dict[str, Any]:
        """Return counts for people."""
        checked, right = self._audited
        audit = {"checked": checked, "were repositories": right}
        return {**self._good.summary(), "rejected": len(self._failed), "audit": audit}
