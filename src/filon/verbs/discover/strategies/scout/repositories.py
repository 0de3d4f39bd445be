"""The goal of finding dataset repositories: sites are checked, and those that have data are told.

A page whose words speak against it is rejected unread, but for a few that are checked all the same:
else the judgement would never hear that it is wrong.

The order is by how near a repository is to the topic: by the words of its entry page and of its
datasets. BM25 tells who speaks of the topic. How rare a word is, is counted over all pages that
were checked, those that failed too: among repositories on water the word water is no rare one, and
would count for nothing. Who speaks of it most is an example for the rank fusion, which finds those
that say the same in other words; pages that looked like repositories and were none are its hard
negatives.
"""

import math
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from filon.core import Find, Response
from filon.core.forms import LIST, RANDOM, each, pairs, table
from filon.core.state import Stateful, stored
from filon.learn.rank.bm25 import K1, B
from filon.learn.rank.ensemble import positions
from filon.learn.rank.fusion import Fusion
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.page import Mirrors, Page, all_words, portal_score, words_of
from filon.verbs.discover.strategies.scout.check import CHECK, Check, EntryClassifier, Verifier
from filon.verbs.discover.strategies.scout.frontier import (
    Candidate,
    Outcome,
    address_words,
)
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, ScoutTasks

#: Words that are kept of a repository, and of a page that failed.
KEPT_WORDS, FAILED_WORDS = 1_500, 300
#: Words that begin with the same so many letters are taken for forms of one.
STEM = 6
#: Failed pages that are kept, the newest.
MOST_FAILED = 60
#: What the fusion counts in the score, and the examples that it needs and takes at most.
FUSED, FEWEST, MOST_EXAMPLES = 0.3, 3, 15


class Topic(Stateful):
    """Repositories as lists of words, ranked by their nearness to the topic."""

    STATE = (
        stored("_words", pairs(LIST)),
        stored("_failed", each(LIST)),
        stored("_held", pairs()),
        "_pages",
    )

    def __init__(self, topic: str) -> None:
        self._topic = [word[:STEM] for word in dict.fromkeys(words_of(topic))]
        self._words: dict[str, list[str]] = {}
        self._failed: list[list[str]] = []
        self._held: Counter[str] = Counter()  # pages that hold a word of the topic
        self._pages = 0
        self._ranked: tuple[int, list[tuple[str, float]]] = (-1, [])

    def add(self, page: Page, more: str) -> float:
        """Take a repository in; return how much of the topic it has, from 0 to 1."""
        words = [*all_words(page), *words_of(more)][:KEPT_WORDS]
        stems = self._words[page.site] = [word[:STEM] for word in words]
        self._count(stems)
        return self.near(stems)

    def near(self, words: Iterable[str]) -> float:
        """Return how much of the topic some words have, from 0 to 1."""
        if not self._topic:
            return 1.0
        stems = {word[:STEM] for word in words}
        return sum(word in stems for word in self._topic) / len(self._topic)

    def turn_down(self, page: Page) -> None:
        """Take in a page that was checked and is no repository."""
        stems = [word[:STEM] for word in all_words(page)[:FAILED_WORDS]]
        self._failed = [*self._failed, stems][-MOST_FAILED:]
        self._count(stems)

    def _count(self, stems: list[str]) -> None:
        self._pages += 1
        self._held.update(sorted(set(stems).intersection(self._topic)))

    def ranked(self) -> list[tuple[str, float]]:
        """Return sites and scores from 0 to 1, best first."""
        if self._ranked[0] != self._pages:
            said = self._said()
            fused = self._fused(said)
            scores = {site: (1 - FUSED) * said[site] + FUSED * fused[site] for site in said}
            order = sorted(scores, key=lambda site: -round(scores[site], 9))
            self._ranked = self._pages, [(site, scores[site]) for site in order]
        return self._ranked[1]

    def _said(self) -> dict[str, float]:
        """Return how much each speaks of the topic: BM25, as a share of the most there can be."""
        rarity = {
            word: math.log(1 + (self._pages - self._held[word] + 0.5) / (self._held[word] + 0.5))
            for word in self._topic
        }
        most = sum(rarity.values()) * (K1 + 1) or 1.0
        mean = sum(map(len, self._words.values())) / max(1, len(self._words)) or 1.0
        told = {}
        for site, words in self._words.items():
            counts, length = Counter(words), K1 * (1 - B + B * len(words) / mean)
            found = ((rarity[word], counts[word]) for word in self._topic if counts[word])
            told[site] = sum(rare * n * (K1 + 1) / (n + length) for rare, n in found) / most
        return told

    def _fused(self, said: dict[str, float]) -> dict[str, float]:
        """Return the place of each by rank fusion, from 0 to 1; where it cannot tell, the score."""
        spoken = sorted((site for site in said if said[site] > 0), key=lambda site: -said[site])
        examples = spoken[: min(MOST_EXAMPLES, len(spoken) // 2)]
        if len(examples) < FEWEST or not self._failed:
            return said
        texts = list(self._words.values())
        scores = Fusion()([self._words[site] for site in examples], self._failed, texts)
        places = positions(np.round(scores, 9))
        return {site: 1 - (places[at] - 1) / len(texts) for at, site in enumerate(self._words)}

    def restored(self) -> None:
        """Forget what was ranked."""
        self._ranked = (-1, [])


class Verified(Stateful):
    """Checks that ended well, by site."""

    STATE = (
        "topic",
        "mirrors",
        stored("_found", pairs(CHECK)),
        stored("_copies", table(LIST)),
    )

    def __init__(self, topic: str) -> None:
        self.topic = Topic(topic)
        self.mirrors = Mirrors()
        self._found: dict[str, Check] = {}
        self._copies: dict[str, list[str]] = {}

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, site: str) -> bool:
        return site in self._found

    def add(self, check: Check) -> float:
        """Take in a repository; return how near it is to the topic. What is not told is let go."""
        entry, evidence = check.entry, check.evidence
        check.links, check.met, check.features = [], {}, []
        self._found[entry.site] = check
        self.mirrors.add(entry.site, entry.title, all_words(entry), evidence.titles.values())
        return self.topic.add(entry, evidence.words)

    def copy_of(self, check: Check) -> str:
        """Return the other site that lists the same datasets; "" if there is none."""
        copied = self.mirrors.of_titles(check.evidence.titles.values())
        return copied if copied != check.entry.site else ""

    def fold(self, check: Check, copied: str) -> None:
        """Take note of another address of a site."""
        if copied != check.entry.site:
            self.mirrors.forget(check.entry.site)
        self._copies.setdefault(copied, []).append(check.entry.url)

    def forget(self, site: str) -> None:
        """Forget a site that was no repository."""
        self.mirrors.forget(site)
        self._copies.pop(site, None)

    def found(self, known: Container[str], most: int) -> list[Found]:
        """Return the repositories, best first."""
        told = []
        for site, score in self.topic.ranked()[:most]:
            check = self._found[site]
            one = replace(found_site(check.entry, score), url=check.home, kind="repository")
            mirrors = tuple(self._copies.get(site, ()))
            figures = check.evidence.figures()
            told.append(replace(one, mirrors=mirrors, known=site in known, **figures))
        return told

    def summary(self) -> dict[str, Any]:
        """Return counts for people."""
        return {
            "verified": len(self._found),
            "by their API": sum(bool(check.evidence.software) for check in self._found.values()),
            "mirrors": sum(len(urls) for site, urls in self._copies.items() if site in self),
        }


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
        stored("_classifier", key="promise"),
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
        self._classifier = EntryClassifier()
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
        self._classifier.judge(check, words)
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
            if self._tasks.page(check.task("look", check.worth, depth=depth), url):
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
            self._classifier.doubt(check, task.software)
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
        self._classifier.learn(check, good, weight)
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
