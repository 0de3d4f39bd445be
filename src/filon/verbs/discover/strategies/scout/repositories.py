"""The goal of finding dataset repositories: sites are checked, and those that have data are told.

A site is entered at its home page, and judged by all that is known of it: what searches and links
say, and every page that was read (topic.py). What is on the topic and has enough files is on the
list; what has them and is off the topic, or is on the topic and has too few, is told apart.
"""

from collections.abc import Container
from dataclasses import replace
from typing import Any

from filon.core import Find, Response
from filon.core.forms import KEYS, LIST, pairs, table
from filon.core.state import Stateful, stored
from filon.page.links import Link
from filon.page.url import origin
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.page import Mirrors, all_words, portal_score
from filon.verbs.discover.strategies.scout.check import (
    CHECK,
    ONWARD,
    Check,
    Evidence,
    LinkModel,
    Verifier,
)
from filon.verbs.discover.strategies.scout.frontier import Candidate, Outcome, address_words
from filon.verbs.discover.strategies.scout.reading import Reading
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, ScoutTasks
from filon.verbs.discover.strategies.scout.topic import Topic

#: What stands apart from the list, and why.
OFF_TOPIC, TOO_FEW = "off the topic", "too few files"
#: What a site whose page was dead is still wanted for another, and how often it is tried.
AGAIN, MOST_TRIES = 0.3, 3
#: Requests after the first page that a check takes: what is believed at first, if it ends well or
#: not, and how many checks stand for that. One is for robots.txt.
TAKES_GOOD, TAKES_BAD, SURE = 2.0, 0.5, 5.0
ROBOTS = 1.0
#: How much the words of a link that are those of portals count before anything was learnt.
LINK_WORDS = 0.3
#: A check ends whose best link has less of a chance to lead to files.
HOPELESS = 0.01
#: Sites that are being checked at a time, and that are remembered for having too few files.
MOST_CHECKS, MOST_NEAR_MISSES = 300, 300


class Repositories(Stateful):
    """Sites by how their check ended or stands."""

    STATE = (
        "topic",
        "model",
        "mirrors",
        stored("_found", pairs(CHECK)),
        stored("_checks", pairs(CHECK)),
        stored("_misses", pairs(CHECK)),
        stored("_copies", table(LIST)),
        stored("_reported", KEYS),
        "_failed",
        "_takes",
    )

    kind = "repository"

    def __init__(self, brief: Brief, tasks: ScoutTasks) -> None:
        self._brief, self._tasks = brief, tasks
        self._verifier = Verifier(brief, tasks)
        self.topic = Topic(brief.topic)
        self.model = LinkModel()
        self.mirrors = Mirrors()
        self._found: dict[str, Check] = {}  # checks that ended well
        self._checks: dict[str, Check] = {}
        self._misses: dict[str, Check] = {}  # that ended with a file or two
        self._copies: dict[str, list[str]] = {}
        self._reported: dict[str, None] = {}  # repositories that were reported as finds
        self._failed: dict[str, int] = {}
        self._takes = [TAKES_GOOD * SURE, SURE, TAKES_BAD * SURE, SURE]

    def __len__(self) -> int:
        return len(self._reported)

    # What the frontier wants to know.

    def target(self, url: str) -> str:
        """Return the page to begin with: the home page of a site."""
        return f"{origin(url)}/"

    def hear(self, site: str, text: str) -> None:
        """Take in what is said of a site."""
        if text:
            self.topic.hear(site, text)

    def wanted(self, site: str) -> float:
        """Return how much another page of a site is wanted."""
        if site in self._found or site in self._checks:
            return 0.0
        tries = self._failed.get(site, 0)
        return float(AGAIN**tries) if tries < MOST_TRIES else 0.0

    def cost(self, chance: float) -> float:
        """Return the requests that a page of this chance will take."""
        good, goods, bad, bads = self._takes
        return 1 + ROBOTS + chance * good / goods + (1 - chance) * bad / bads

    def prior(self, one: Candidate) -> float:
        """Return what is known of a page beforehand: by the words of its address and its topic."""
        words = [*address_words(one.url), *one.text.lower().split()]
        return LINK_WORDS * portal_score(words) + self.topic.odds(one.site)

    # Pages.

    def take(self, candidate: Candidate, reading: Reading, response: Response) -> list[Outcome]:
        """Begin to check a site by one of its pages."""
        page = reading.page
        if page.site in self._found or page.site in self._checks:
            return [Outcome(candidate=candidate, page=page, site=page.site, good=-1.0)]
        check = Check(page, candidate, evidence=Evidence(least=self._brief.at_least))
        words = all_words(page)
        if copied := self.mirrors.of_text(page.title, words):
            return [self._fold(check, copied)]
        self.topic.read(page.site, page.words)
        self._verifier.look(check, response)
        check.read(reading, 0)
        check.meet([Link(url, "/hit", "", "a") for url in candidate.pages], 1)
        self._checks[page.site] = check
        self.mirrors.add(page.site, page.title, words, ())
        if check.evidence.enough:
            return [self._verified(check)]
        if self._verifier.ask(check):
            return []
        return self._go_or_end(check)

    def _weigh(self, check: Check) -> None:
        check.weigh(self.model, self.topic.chance(check.entry.site))

    def _go_or_end(self, check: Check) -> list[Outcome]:
        """Settle what a site is worth; return how its check ends, or what is learnt of it so far.

        A site that is off the topic is not read on in while there is anything better, but what is
        known of the topic may change.
        """
        self._weigh(check)
        if check.chance < HOPELESS:
            none = not check.evidence.count and self._likely(check)
            return [] if none and self._verifier.sitemap(check) else [self._fail(check)]
        if len(self._checks) > MOST_CHECKS:
            idle = [one for one in self._checks.values() if not one.busy]
            return [self._fail(min(idle or [check], key=lambda one: one.worth))]
        if check.settled or self.topic.chance(check.entry.site) >= 0.5:
            return []
        check.settled = True
        return [self._outcome(check, 0.0)]

    def _likely(self, check: Check) -> bool:
        """Say whether a site is on the topic and has the words of portals."""
        near = self.topic.chance(check.entry.site) >= 0.5
        return near and portal_score(all_words(check.entry)) > 0

    def renew(self) -> None:
        """Weigh all checks anew: what is known of the topic has changed."""
        for check in self._checks.values():
            self._weigh(check)

    # Going on.

    def best(self) -> tuple[str, float]:
        """Return the site that is worth reading on in most, and that worth."""
        idle = {site: check for site, check in self._checks.items() if not check.busy}
        while idle:
            site = max(idle, key=lambda one: idle[one].worth)
            check, before = idle[site], idle[site].worth
            self._weigh(check)  # other sites have taught the model since
            if check.worth >= before or check.worth >= max(one.worth for one in idle.values()):
                return site, check.worth
        return "", 0.0

    def go_on(self, site: str) -> list[Outcome]:
        """Put the next page of a site in line; return how its check ends, if it does."""
        check = self._checks[site]
        while check.links and check.chance >= HOPELESS:
            link = check.next_link(self.model)
            if self._tasks.page(check.task("look", check.worth, depth=link.depth), link.url):
                check.busy, check.reading = True, [link]
                check.pages += 1
                return []
            self._weigh(check)
        return self._go_or_end(check)

    def read(self, task: ScoutTask, reading: Reading | None, response: Response) -> list[Outcome]:
        """Take in a page of a site."""
        check = self._checks.get(task.query)
        if check is None:
            return []
        check.busy, check.spent = False, check.spent + 1
        links, check.reading = check.reading, []
        good = 0.0
        if reading is not None and reading.page.site == check.entry.site:
            new, onward = check.read(reading, task.depth)
            self._verifier.mark(check, response)
            self.topic.read(check.entry.site, reading.page.words)
            good = 1.0 if new else ONWARD * max(self.model.chances(onward), default=0.0)
        else:
            check.barren += 1
        for link in links:
            self.model.learn(link, good)
        if check.evidence.enough:
            return [self._verified(check)]
        return self._go_or_end(check)

    def heard(self, task: ScoutTask, response: Response) -> list[Outcome]:
        """Take in an answer of an API."""
        check = self._checks.get(task.query)
        if check is None:
            return []
        check.spent += 1
        verdict = self._verifier.heard(check, task, response)
        if verdict != "wait" and check.evidence.words:
            self.topic.read(check.entry.site, check.evidence.words)
        if verdict == "yes":
            return [self._verified(check)]
        if verdict == "no":
            return [self._fail(check)]
        return self._go_or_end(check) if verdict == "unknown" else []

    # Ends.

    def _verified(self, check: Check) -> Outcome:
        entry = check.entry
        self._checks.pop(entry.site, None)
        self._learn(check, True)
        copied = self.mirrors.of_titles(check.evidence.titles.values())
        if copied and copied != entry.site:
            return self._fold(check, copied)
        check.links, check.met = [], {}
        self._found[entry.site] = check
        self.mirrors.add(entry.site, entry.title, all_words(entry), check.evidence.titles.values())
        near = self.topic.chance(entry.site)
        return Outcome(
            candidate=check.candidate,
            page=entry,
            site=entry.site,
            good=float(near >= 0.5),
            gain=float(near >= 0.5),
            words=check.evidence.words,
            finds=tuple(self.finds()),
        )

    def finds(self) -> list[Find]:
        """Return the repositories that are on the topic and were not told yet."""
        new = []
        for site, check in self._found.items():
            if site not in self._reported and self.topic.chance(site) >= 0.5:
                self._reported[site] = None
                name = check.entry.title or site
                find = Find(kind="repository", url=check.home, name=name, parent=check.entry.parent)
                new.append(find)
        return new

    def _fold(self, check: Check, copied: str) -> Outcome:
        site = check.entry.site
        if copied != site:
            self.mirrors.forget(site)
        self._copies.setdefault(copied, []).append(check.entry.url)
        self._checks.pop(site, None)
        self._failed[site] = MOST_TRIES
        return self._outcome(check, -1.0)

    def _fail(self, check: Check) -> Outcome:
        """End a check without enough files; one with some says nothing against others like it."""
        site = check.entry.site
        self._checks.pop(site, None)
        self._failed[site] = MOST_TRIES
        self.mirrors.forget(site)
        self._copies.pop(site, None)
        self._learn(check, False)
        some = bool(check.evidence.count)
        if some:
            check.links, check.met = [], {}
            self._misses[site] = check
            if len(self._misses) > MOST_NEAR_MISSES:
                del self._misses[next(iter(self._misses))]
        silent = check.settled or (some and self.topic.chance(site) >= 0.5)
        return self._outcome(check, -1.0 if silent else 0.0)

    def _outcome(self, check: Check, good: float) -> Outcome:
        return Outcome(
            candidate=check.candidate, page=check.entry, site=check.entry.site, good=good
        )

    def _learn(self, check: Check, good: bool) -> None:
        at = 0 if good else 2
        self._takes[at] += check.spent - 1
        self._takes[at + 1] += 1

    def dead(self, candidate: Candidate, good: float) -> Outcome:
        """Tell that there is no such page, which says nothing of who led there."""
        self._failed[candidate.site] = self._failed.get(candidate.site, 0) + 1
        return Outcome(candidate=candidate, page=None, site=candidate.site, good=-1.0)

    def reject(self, site: str) -> None:
        """Take note that the user does not want a site."""
        self._failed[site] = MOST_TRIES
        self.topic.judge(site, False)

    # Telling.

    def found(self, known: Container[str], most: int) -> list[Found]:
        """Return the repositories on the topic, best first; then what stands apart from them."""
        chance = self.topic.now().chance
        sure = {site: chance(site) for site in self._found}
        found = [
            self._one(site, check, sure[site], "" if sure[site] >= 0.5 else OFF_TOPIC, known)
            for site, check in self._found.items()
        ]
        found += [
            self._one(site, check, chance(site), TOO_FEW, known)
            for site, check in {**self._misses, **self._checks}.items()
            if check.evidence.count and chance(site) >= 0.5
        ]
        return sorted(found, key=lambda one: (bool(one.apart), -one.score))[:most]

    def promises(self) -> dict[str, float]:
        """Return by its address how sure it is of each repository that it is on the topic."""
        return {check.home: self.topic.promise(site) for site, check in self._found.items()}

    def _one(
        self, site: str, check: Check, chance: float, apart: str, known: Container[str]
    ) -> Found:
        one = replace(found_site(check.entry, chance), url=check.home)
        return replace(
            one,
            kind="repository",
            apart=apart,
            mirrors=tuple(self._copies.get(site, ())),
            known=site in known,
            **check.evidence.figures(),
        )

    def summary(self) -> dict[str, Any]:
        """Return counts for people."""
        return {
            "verified": len(self._found),
            "by their API": sum(bool(check.evidence.software) for check in self._found.values()),
            "mirrors": sum(len(urls) for site, urls in self._copies.items() if site in self._found),
            "rejected": len(self._failed),
        }
