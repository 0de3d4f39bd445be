"""A strategy round another that asks a portal for its list of files instead of looking for them.

The first pages are looked at. Where one gives the site's software away, its API is asked whether
it is there; if it is, its lists are read, each call a step, and the files on them are fetched at
once. The inner strategy goes on with what is not on the lists. A site that gives nothing away is
harvested as if this were not here: not one request more or other.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from sys import intern
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from filon.core import Find, Reason, Request, Response, State, Step, Strategy, Summary
from filon.core.abilities import Guard
from filon.core.forms import SAME, TUPLE, each, flat, parts, row, table
from filon.core.portal import Dataset, File, Portal, Recognise
from filon.core.state import Fields, Stateful, group, stored, version
from filon.core.step import STEP
from filon.page.url import join
from filon.page.values import one_line
from filon.verbs.harvest.strategies.site import SiteState

#: The start page, and one more: portals stand behind a splash page at most.
MOST_LOOKS = 2
#: Requests that ask whether an API is there. What robots.txt forbids is not sent, and not counted.
MOST_TRIES = 2
#: Redirects of one call.
MOST_HOPS = 3
#: Calls for lists: a million datasets with a thousand a call.
MOST_CALLS = 1_000
#: Characters of a text that a portal says of a file: a million files are under way at once.
MAX_SAID = 200


@runtime_checkable
class HasSite(Protocol):
    """Keeps what it has asked for where others can: a strategy that does not know its site."""

    site: SiteState


class Said(NamedTuple):
    """What a portal says of a file that is under way; named as in a Find."""

    link_text: str
    page_title: str
    licence: str
    modified: str


def said_of(dataset: Dataset) -> Said:
    """Return what all files of a dataset share: kept once, and a licence once for all datasets."""
    title, modified = one_line(dataset.title, MAX_SAID), one_line(dataset.modified, MAX_SAID)
    return Said("", title, intern(one_line(dataset.licence, MAX_SAID)), modified)


class Enumerated(Stateful, Guard):
    """A harvest that reads a portal's own lists first.

    site: the inner strategy's, so that neither asks for what the other did.
    portals: the software that can be asked, by name.
    """

    STATE: ClassVar[Fields] = (
        version(1),
        "_looks",
        "_tries",
        stored("_places", each(TUPLE)),
        group("portal", "_name", "_base", "_problem"),
        group("counts", "_calls", "_listed"),
        stored("_asked", each(TUPLE)),
        stored("_ready", each(parts(SAME, STEP))),
        stored("_flying", flat(TUPLE, keys=STEP)),
        stored("_said", table(row(Said))),
        "inner",
    )

    def __init__(
        self,
        inner: Strategy,
        site: SiteState,
        portals: Mapping[str, Portal],
        recognise: Recognise,
    ) -> None:
        super().__init__(inner)
        self._site = site
        self._portals = portals
        self._recognise = recognise
        self._looks, self._tries = MOST_LOOKS, MOST_TRIES
        self._places: list[tuple[str, str]] = []  # where to ask, as long as nothing is confirmed
        self._name, self._base, self._problem = "", "", ""
        self._calls = self._listed = 0
        self._asked: set[tuple[str, bytes]] = set()
        self._ready: deque[tuple[str, Step]] = deque()  # "confirm", "list" or "file", and a step
        self._flying: dict[Step, tuple[str, int]] = {}  # the same, and how many redirects ago
        self._said: dict[str, Said] = {}  # of listed files that are not here yet, by address

    def propose(self) -> Step | None:
        """Return the next call or listed file, else the inner strategy's step."""
        if not self._ready:
            return self.inner.propose()
        role, step = self._ready.popleft()
        self._flying.setdefault(step, (role, 0))
        return step

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Read a list, keep a file, or hand the answer on and look at it."""
        if step not in self._flying:
            finds = self.inner.observe(step, response)
            self._look(response)
            return finds
        role, hops = self._flying.pop(step)
        if role == "file":
            return self._file(step, response)
        if response.redirects and hops < MOST_HOPS and step.request.method == "GET":
            self._follow(step, response, role, hops + 1)
        elif role == "confirm":
            self._confirm(step, response)
        else:
            self._list(step, response)
        return []

    # Is it a portal?

    def _look(self, response: Response) -> None:
        if not self._looks or response.cut or not response.ok or "html" not in response.mime:
            return
        if not self._site.reads(response.url):
            return
        self._looks -= 1
        self._places = [place for place in self._recognise(response) if place[0] in self._portals]
        if self._places:
            self._looks = 0
            self._try(response.url)

    def _try(self, parent: str) -> None:
        """Ask at the next place whether the API is there."""
        if not self._places or not self._tries:
            return
        self._tries -= 1
        self._name, root = self._places.pop(0)
        text = f"the page looks like {self._name}: its API, if it is there, lists all files"
        self._call("confirm", self._portals[self._name].confirm(root), parent, text)

    def _confirm(self, step: Step, response: Response) -> None:
        portal = self._portals[self._name]
        self._base = portal.confirmed(response)
        if not self._base:
            self._tries += response.error == "robots"
            self._problem = response.detail if response.error else "its API is not there"
            self._try(step.parent)
            return
        self._problem = ""
        first = portal.begin(self._base)
        if first == step.request:  # the whole catalogue is one document, and here it is
            self._list(step, response)
        else:
            self._ask([first], response.url)

    # Its lists.

    def _list(self, step: Step, response: Response) -> None:
        listing = self._portals[self._name].read(response)
        self._problem = self._problem or listing.detail
        for dataset in listing.datasets:
            context = said_of(dataset)
            for file in self._wanted(dataset.files):
                self._offer(file, context, dataset.url or response.url)
        self._ask([*([listing.more] if listing.more else []), *listing.also], response.url)

    def _ask(self, requests: Sequence[Request], parent: str) -> None:
        for request in requests:
            if (request.url, request.body) not in self._asked and self._calls < MOST_CALLS:
                self._calls += 1
                self._call("list", request, parent, self._purpose())

    def _purpose(self) -> str:
        """Say what a list is asked for."""
        return f"it lists files of {self._base}"

    def _call(self, role: str, request: Request, parent: str, text: str) -> None:
        if self._site.brief.exclude.fits(request.url):
            self._problem = "--exclude keeps its API out"
            return
        self._asked.add((request.url, request.body))
        self._site.claim(request.url)
        reason = Reason(kind="portal", arm=self._name, text=text)
        self._ready.append((role, Step(request=request, reason=reason, parent=parent)))

    def _follow(self, step: Step, response: Response, role: str, hops: int) -> None:
        goal = join(response.url, response.header("location"))
        if not goal:
            return
        moved = replace(step, request=replace(step.request, url=goal), parent=response.url)
        self._flying[moved] = (role, hops)
        self._ready.appendleft((role, moved))

    # Its files.

    def _wanted(self, files: Sequence[File]) -> Iterator[File]:
        """Yield the files of wanted types; of one in several formats the first that is."""
        had = False
        for file in files:
            had = had and file.again
            if not had and self._site.brief.types.wants(file.mime, file.url):
                had = True
                yield file

    def _offer(self, file: File, context: Said, parent: str) -> None:
        if self._site.admit_file(file.url):
            self._listed += 1
            text = f"the portal's own list ({self._name}) names it as a file"
            reason = Reason(kind="target", arm=self._name, score=1.0, expected=1.0, text=text)
            self._ready.append(("file", self._site.step(file.url, parent, reason)))
            self._said[file.url] = context._replace(link_text=one_line(file.name, MAX_SAID))

    def _file(self, step: Step, response: Response) -> list[Find]:
        context = self._said.pop(step.request.url, None)
        if response.error == "robots":
            return []
        answer = self._site.read(response)
        if answer.goal:
            if context:
                self._said[answer.goal] = context
            reason = Reason(kind="redirect", arm=self._name, text="the listed address leads here")
            moved = self._site.step(answer.goal, response.url, reason)
            self._ready.appendleft(("file", moved))
        if answer.kind != "target":
            return []
        find = self._site.find(step, response, answer)
        return [replace(find, **context._asdict()) if context else find]

    # Keeping.

    def upgrade(self, state: State) -> State:
        """Take up a run from before what portals say of files was kept."""
        return {"said": {}, **state}

    def summary(self) -> Summary:
        """Return the inner strategy's summary, and what the portal listed."""
        summary = self.inner.summary()
        if not self._name:
            return summary
        listing: dict[str, Any] = {
            "software": self._name,
            "base": self._base,
            "calls": self._calls,
            "files": self._listed,
            "problem": self._problem,
        }
        return {**summary, "portal": listing}
