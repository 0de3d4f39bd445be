"""SB-CLASSIFIER: Algorithms 3 and 4 of the paper, without the recursion.

A page whose links are being looked at is a `Visit` on a stack; a link predicted "Target" is
fetched at once, and if it turns out to be a page its visit goes on top, as the recursion would.
Sequentially this is the paper step by step. With several requests in flight, a visit goes on
to its next link without waiting for the files it asked for.
"""

from dataclasses import dataclass
from typing import Any

from filon.core import Find, Reason, Response, Step, Summary
from filon.core.forms import TUPLE, Form, each, flat, parts, row
from filon.core.state import Stateful, part, stored, version
from filon.learn import EarlyStop
from filon.page.links import NEAREST, Link
from filon.verbs.harvest.strategies.arms import Arms, Place
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.parameters import read_parameters
from filon.verbs.harvest.strategies.site import SiteState
from filon.verbs.harvest.strategies.urlclass import UrlClassifier

#: Statuses by which servers refuse HEAD, whatever they would answer to GET.
REFUSALS = (400, 403, 405, 500, 501)
#: HEADs in a row that the server refuses before we stop asking.
REFUSED_HEADS = 3
ROOT = -1  # the start page belongs to no action
UNMAPPED = -2  # a link predicted "Target": it gets an action only if it is a page
AT_ONCE = {
    "start": "it is the start page",
    "redirect": "the address before it leads here",
    "target": "its address looks like a data file's",
}


@dataclass(slots=True)
class Visit:
    """A fetched page with the links that are still to be looked at."""

    url: str
    arm: int
    links: list[Link]
    next: int = 0
    reward: int = 0
    asked: bool = False  # a HEAD for the next link is in flight


def _written(visit: Visit) -> list[Any]:
    links = [[k.url, k.path, k.text, k.tag, k.around] for k in visit.links[visit.next :]]
    return [visit.url, visit.arm, links, visit.reward, visit.asked]


def _read(row: list[Any]) -> Visit:
    url, arm, links, reward, asked = row
    return Visit(url, arm, [Link(*link) for link in links], 0, reward, asked)


#: What was looked at already is not stored.
VISIT = Form(_written, _read)


class SleepingBandit(Stateful):
    """`sb`, the crawler SB-CLASSIFIER: learns which groups of links lead to pages with files.

    Links are grouped by the tag paths that lead to them; a sleeping bandit chooses the group whose
    next link is followed, and a page's reward is the number of new files that it links to.

    Requests for 100 data files of the bundled small portal:

    >>> from filon.demo.sites import to_files
    >>> to_files(SleepingBandit, 100)
    170

    Reference: A. Gauquier, I. Manolescu and P. Senellart, "Efficient Crawling for Scalable Web Data
    Acquisition", EDBT 2026 (extended version: arXiv:2602.11874), Algorithms 1 to 4, sections 3.2 to
    3.4.
    """

    STATE = (
        version(1),
        stored("site", key="territory"),
        "arms",
        "classifier",
        part("stop"),
        "t",
        "targets",
        stored("rewards", each(TUPLE)),
        stored("_visits", each(VISIT)),
        stored("_urgent", each(parts(row(Place)))),
        stored("_flying", flat(parts(row(Place)))),
        "_refused_heads",
        "_stopped",
    )

    def __init__(self, brief: Brief) -> None:
        options = read_parameters(brief)
        self.site = SiteState(brief)
        self.arms = Arms(
            alpha=float(options["alpha"]),
            n=int(options["n"]),
            theta=float(options["theta"]),
            m=int(options["m"]),
            w=int(options["w"]),
            seed=brief.seed,
        )
        self.classifier = UrlClassifier(
            str(options["model"]), str(options["features"]), int(options["b"])
        )
        self.stop = None if brief.stop == "never" else EarlyStop()
        self.t = 0  # crawling step: pages, files, redirects and errors asked for by GET
        self.targets = 0
        self.rewards: list[tuple[int, int]] = []  # of each finished visit: action, new targets
        self._visits: list[Visit] = []
        self._urgent: list[tuple[Place, int, str]] = []  # fetched at once: place, action, kind
        self._flying: dict[str, tuple[Place, int]] = {}  # in flight, by method and URL
        self._refused_heads = 0
        self._stopped = ""
        for start in reversed(self.site.starts()):
            self._urgent.append((Place(start, ""), ROOT, "start"))

    # Algorithm 3 -----------------------------------------------------------------

    def propose(self) -> Step | None:
        """Fetch what cannot wait, else go on with the page at hand, else pull an arm."""
        while self._visits and not self._urgent:
            visit = self._visits[-1]
            if visit.asked:
                return None
            if visit.next == len(visit.links):
                self._finish(self._visits.pop())
            elif step := self._look(visit):
                return step
        if self._urgent:
            place, arm, kind = self._urgent.pop()
            expected = float(kind == "target")
            reason = Reason(kind=kind, arm=self._named(arm), expected=expected, text=AT_ONCE[kind])
            return self._get(place, arm, reason)
        if self.stop and self.stop.look(self.t, self.targets):
            self._stopped = "early-stop"
            return None
        return self._pull()

    def _pull(self) -> Step | None:
        """Choose an action by its score and one of its links at random."""
        drawn = self.arms.draw(max(self.t, 1))
        if drawn is None:
            return None
        arm, place, score = drawn
        mean, pulls = float(self.arms.bandit.means[arm]), self.arms.bandit.pulls[arm] - 1
        like = "1 link" if pulls == 1 else f"{pulls:.0f} links"
        known = f"{like} like it brought {mean:.2f} new files each"
        text = f"of all groups of links its group looked best: {known if pulls else 'untried'}"
        name = self._named(arm)
        reason = Reason(kind="link", arm=name, score=score, expected=mean, text=text)
        return self._get(place, arm, reason)

    # Algorithm 4, the loop over the links of a page -------------------------------

    def _look(self, visit: Visit) -> Step | None:
        """Classify the next link of a page; return a step if the server must be asked."""
        link = visit.links[visit.next]
        self.classifier.update()
        if self.classifier.needs_head:
            visit.asked = True
            place = self._place(link, visit.url)
            self._flying[f"HEAD {link.url}"] = place, visit.arm
            reason = Reason(kind="head", text="the first links are labelled by asking the server")
            return self.site.step(link.url, visit.url, reason, "HEAD")
        self._settle(visit, self._predict(link))
        return None

    def _predict(self, link: Link) -> str:
        """Return the class of a link: Algorithm 2 after its initial phase."""
        target = self.classifier.is_target(self.classifier.features(link))
        return "target" if target else "html"

    def _settle(self, visit: Visit, label: str) -> None:
        """Go past a link whose class is known: to the frontier, or fetch it at once."""
        link = visit.links[visit.next]
        visit.next += 1
        place = self._place(link, visit.url)
        if label == "html":
            self.arms.put(self.arms.of(link.path), place)
        elif label == "target":
            visit.reward += 1
            self._urgent.append((place, UNMAPPED, "target"))

    def _finish(self, visit: Visit) -> None:
        """Reward the action that led to a page: the last line of Algorithm 4."""
        if visit.arm >= 0:
            self.arms.bandit.reward(visit.arm, visit.reward)
            self.rewards.append((visit.arm, visit.reward))

    # Algorithm 4, the answer --------------------------------------------------------

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Learn the class of a URL; open a page, return a target, follow a redirect."""
        method, url = step.request.method, step.request.url
        place, arm = self._flying.pop(f"{method} {url}")
        if method == "HEAD":
            self._head(place, response)
            return []
        self.t += 1
        answer = self.site.read(response)
        if answer.goal:
            goal = place._replace(url=answer.goal, parent=response.url)
            self._urgent.append((goal, arm, "redirect"))
        if answer.kind in ("html", "target"):
            self.classifier.label(self._features(place), answer.kind == "target")
        if answer.kind == "html":
            self._open(place, arm, response)
        if answer.kind == "target":
            self.targets += 1
            return [self.site.find(step, response, answer)]
        return []

    def _open(self, place: Place, arm: int, response: Response) -> None:
        """Put a page on the stack; a file that was a page gets an action, and it counts."""
        if arm == UNMAPPED:
            arm = self.arms.of(place.path)
            self.arms.bandit.pull(arm)
        links = self.site.new_links(response, around=NEAREST if self.classifier.context else "")
        self._visits.append(Visit(response.url, arm, links))

    def _head(self, place: Place, response: Response) -> None:
        """Label a link by the answer to HEAD, in the initial phase of Algorithm 2."""
        visit = next(v for v in reversed(self._visits) if v.asked)
        visit.asked = False
        if response.error == "robots":  # nobody was asked, and nobody may be
            self._settle(visit, "")
            return
        refused = response.status in REFUSALS or bool(response.error)
        self._refused_heads = self._refused_heads + 1 if refused else 0
        if self._refused_heads >= REFUSED_HEADS:
            self.classifier.skip_heads()
        label = "html" if refused or response.redirects else self._kind_of_head(response)
        if label and not refused:
            self.classifier.label(self._features(place), label == "target")
        self._settle(visit, label)

    def _kind_of_head(self, response: Response) -> str:
        """Return "html", "target" or "" by status and type alone."""
        if not response.ok:
            return ""
        if "html" in response.mime or not response.mime:
            return "html" if self.site.reads(response.url) else ""
        mime, wants = response.mime, self.site.brief.types.wants
        return "target" if wants(mime, response.url, mime) else ""

    # ----------------------------------------------------------------------------------

    def _named(self, arm: int) -> str:
        return self.arms.name(arm) if arm >= 0 else ""

    def _get(self, place: Place, arm: int, reason: Reason) -> Step:
        self._flying[f"GET {place.url}"] = place, arm
        return self.site.step(place.url, place.parent, reason)

    def _place(self, link: Link, parent: str) -> Place:
        if self.classifier.context:
            return Place(link.url, parent, link.path, link.text, link.around)
        return Place(link.url, parent, link.path)

    def _features(self, place: Place) -> Any:
        return self.classifier.features(Link(place.url, place.path, place.text, "a", place.around))

    def summary(self) -> Summary:
        """Say which arms paid, and why it stopped."""
        return {
            **self.site.summary(),
            "arms": self.arms.summary(),
            "left": len(self.arms),
            "stopped": self._stopped,
        }
