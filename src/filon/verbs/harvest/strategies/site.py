"""The site as a harvest strategy sees it: what an answer is, and which links are new.

Every harvest strategy stands on this, so they all agree on the boundary of the site, on what
counts as a target, on what is never asked for, and on what a guard skips.

Which addresses are one page is partly learnt, by strategies that want to. Not worth a request is

- /x, where a site answers it with a redirect to /x/ (`SlashRule`). Learnt by folder: a site may do
  so in one place and serve /x in another. Where /x/ fails, /x is tried, so no page is lost; as many
  failures as successes end the rule, one dead link does not.
- A URL that differs from a known one in a parameter that changes nothing (`Noise`): session ids
  under any name, tracking, sort orders. Two URLs that differ in the value of one parameter only,
  and whose answers say the same, are evidence; a pair of files that differ, or of pages that lead
  elsewhere, is proof of the contrary. Pages that only say something else, the time perhaps, are
  neither. Answers that all say the same, "not found" or "please log in", count once.
"""

import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import mmh3

from filon.core import Find, Reason, Request, Response, Step
from filon.core.forms import KEYS, LIST, TUPLE, flat, table
from filon.core.state import Stateful, stored, version
from filon.learn.arrays import NUMBERS
from filon.page.links import Link
from filon.page.mime import file_name, sniff
from filon.page.traps import Loops, Traps
from filon.page.url import Site, join, key, masked, split
from filon.verbs.harvest.strategies.brief import Brief

#: Statuses that bring a whole resource; 206 is a part, 204 nothing.
WHOLE = (200, 203)
#: A longer chain of redirects has no end; browsers give up here too.
MOST_HOPS = 20
#: Addresses that are known to be nothing new, so that the menu of every page is soon passed over.
MOST_OLD = 20_000
#: Redirects that make a slash rule.
ENOUGH_REDIRECTS = 3
#: Answers that make a parameter noise, all different from each other.
ENOUGH_ANSWERS = 3
#: Answers that are remembered for comparison, and parameters of a URL that are looked at.
MOST_ANSWERS = 5_000
MOST_PARAMETERS = 6
#: Parameters that are told apart.
MOST_NAMES = 1_000

_TAG = re.compile(rb"<[^<>]*>")
_HREF = re.compile(rb"\bhref\s{0,9}=\s{0,9}[\"']?([^\"'>\s]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a response turned out to be.

    kind: "html", "target", "redirect", "other" (a resource that nobody asked for) or "error".
    goal: where a redirect leads, if it is a new place on the site.
    known: where a redirect leads, if it is a place on the site seen before.
    """

    kind: str
    mime: str = ""
    goal: str = ""
    known: str = ""


class SiteState(Stateful):
    """Scope, seen URLs, types, guards."""

    STATE = (
        version(1),
        stored("_seen", NUMBERS),
        "skipped",
        "mimes",
        "traps",
        stored("loops", key="circles"),
        "_hops",
    )

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.scope = Site(brief.start)
        self.traps = Traps(brief.start)
        self.loops = Loops()
        self.skipped: Counter[str] = Counter()
        self.mimes: Counter[str] = Counter()
        self.alias: Callable[[str], str] = str  # the same page's name, as far as it was learnt
        self._seen: set[int] = set()
        self._old: dict[str, str] = {}  # addresses that links led to, and why they are skipped
        self._hops: dict[str, int] = {}  # of goals under way: redirects that led there in a row
        self._unwanted = brief.types.unwanted

    def request(self, url: str, method: str = "GET") -> Request:
        """Return a request whose body is not downloaded where its type is on the blocklist."""
        return Request(url=url, method=method, unwanted=self._unwanted)

    def step(self, url: str, parent: str, reason: Reason, method: str = "GET") -> Step:
        """Return a step to a URL that was found on a page."""
        return Step(request=self.request(url, method), parent=parent, reason=reason)

    def name(self, url: str) -> str:
        """Return the name that all URLs of one page share, as far as it is known."""
        return key(self.alias(url), self.brief.rules)

    def number(self, url: str) -> int:
        """Return a number that stands for all URLs of one page: it takes less room."""
        return mmh3.hash64(self.name(url).encode(), signed=False)[0]

    def claim(self, url: str) -> bool:
        """Mark a URL as seen; True if it was new."""
        number = self.number(url)
        if number in self._seen:
            return False
        self._seen.add(number)
        return True

    def read(self, response: Response) -> Answer:
        """Say what an answer is."""
        hops = self._hops.pop(response.url, 0)
        if response.redirects:
            return self._redirect(response, hops + 1)
        if not response.ok:
            return Answer("error")
        mime = claimed = response.mime
        if not response.cut or (response.cut == "size" and response.body):
            disposition = response.header("content-disposition")
            mime = sniff(response.body, claimed, response.url, disposition)
        self.mimes[mime] += 1
        if "html" in mime:
            return Answer("html", mime)
        whole = response.status in WHOLE and not response.cut and response.size_bytes > 0
        if whole and self.brief.types.wants(mime, response.url, claimed):
            return Answer("target", mime)
        return Answer("other", mime)

    def find(self, step: Step, response: Response, answer: Answer) -> Find:
        """Return a target as a find."""
        self.loops.paid(step.parent)
        self.loops.paid(response.url)
        name = file_name(response.url, response.header("content-disposition"))
        return Find(kind="file", url=response.url, name=name, mime=answer.mime, parent=step.parent)

    def new_links(self, response: Response, *, around: bool = False) -> list[Link]:
        """Return the links of a page that lead to a place on the site not seen before.

        around: with the text round each.
        """
        read = self.brief.read(response, around=around, wanted=self._is_new)
        links = self._admitted(read, response.at_s)
        if self.loops.catches(response.url, [link.url for link in links]):
            self.skipped["endless folder"] += len(links)
            return []
        return links

    def admit(self, links: list[Link], at_s: float) -> list[Link]:
        """Return those links that lead to a place on the site not seen before, and mark them."""
        return self._admitted([link for link in links if self._is_new(link.url)], at_s)

    def _admitted(self, links: list[Link], at_s: float) -> list[Link]:
        year = time.gmtime(at_s).tm_year
        return [link for link in links if self._admits(link.url, year)]

    def _is_new(self, url: str) -> bool:
        """Tell whether a URL is on the site and was not seen before; mark it."""
        why = self._old.get(url)
        if why is None:
            outside = url not in self.scope
            if not outside and self.claim(url):
                return True
            why = "off the site" if outside else ""
            self._remember(url, why)
        if why:
            self.skipped[why] += 1
        return False

    def _remember(self, url: str, why: str) -> None:
        if "?" in url:
            return  # whose name may change when more is known of its parameters
        if len(self._old) >= MOST_OLD:
            self._old.clear()
        self._old[url] = why

    def _admits(self, url: str, year: int) -> bool:
        if self.brief.types.blocks(url):
            self.skipped["multimedia"] += 1
            return False
        if reason := self.traps.catches(url, year):
            self.skipped[reason] += 1
            return False
        return True

    def _redirect(self, response: Response, hops: int) -> Answer:
        goal = join(response.url, response.header("location"))
        if not goal or goal not in self.scope:
            self.skipped["redirect off the site"] += 1
            return Answer("redirect")
        if not self.claim(goal):
            return Answer("redirect", known=goal)
        if hops > MOST_HOPS:
            self.skipped["redirect without end"] += 1
            return Answer("redirect")
        self._hops[goal] = hops
        return Answer("redirect", goal=goal)

    def summary(self) -> dict[str, Any]:
        """Say what was skipped and which types were seen."""
        return {
            "skipped": dict(self.skipped.most_common()),
            "mimes": dict(self.mimes.most_common(20)),
            "known": len(self._seen),
        }


class SlashRule(Stateful):
    """Counts redirects that add a slash; `apply` uses what it knows."""

    STATE = (version(1), "_adds")

    def __init__(self) -> None:
        self._adds: dict[
            str, int
        ] = {}  # by folder: redirects less failures, or -1 where it does not hold

    def note(self, url: str, goal: str) -> None:
        """Take note of where a redirect leads; goal "": the URL was answered as it is."""
        if not _bare(url):
            return
        folder = _folder(url)
        known = self._adds.get(folder, 0)
        if goal == f"{url}/" and known >= 0:
            self._adds[folder] = known + 1
        elif not goal:
            self._adds[folder] = -1

    def apply(self, url: str) -> str:
        """Return the address that a URL is known to redirect to, or the URL itself."""
        if _bare(url) and self._adds.get(_folder(url), 0) >= ENOUGH_REDIRECTS:
            return f"{url}/"
        return url

    def tried(self, url: str, *, failed: bool) -> None:
        """Take note of how an address by the rule was answered."""
        folder = _folder(url.removesuffix("/"))
        known = self._adds.get(folder, 0)
        if known >= 0:
            self._adds[folder] = max(known - 1, 0) if failed else known + 1


def _bare(url: str) -> bool:
    """A last segment without a dot, no slash after it, no query."""
    parts = split(url)
    last = parts.path.rpartition("/")[2]
    return bool(last) and "." not in last and not parts.query


def _folder(url: str) -> str:
    return masked(url).rpartition("/")[0]


class Noise(Stateful):
    """Compares answers; `without` leaves out what is known to be noise."""

    STATE = (
        version(1),
        stored("_same", table(LIST)),
        stored("_matters", KEYS),
        stored("_answers", flat(TUPLE)),
    )

    def __init__(self) -> None:
        self._same: dict[str, list[int]] = {}  # by parameter: answers that it did not change
        self._matters: dict[str, None] = {}  # parameters that change an answer
        self._answers: OrderedDict[str, tuple[str, int, int]] = OrderedDict()

    def note(self, url: str, body: bytes, *, is_page: bool) -> list[str]:
        """Compare an answer with others that differ in one parameter; return what it shows."""
        path, _, query = url.partition("?")
        pieces = query.split("&") if query else []
        if not pieces or len(pieces) > MOST_PARAMETERS:
            return []
        before, content = self.names, _hash(_content(body) if is_page else body)
        leads = b"\n".join(sorted(_HREF.findall(body))) if is_page else b""
        for place, piece in enumerate(pieces):
            name, _, value = piece.partition("=")
            rest = "&".join(pieces[:place] + pieces[place + 1 :])
            goals = _hash(_stripped(leads, name)) if is_page else content
            self._compare(f"{path}?{rest}#{name}", name, (value, content, goals))
        return [name for name in self.names if name not in before]

    def _compare(self, group: str, name: str, answer: tuple[str, int, int]) -> None:
        known = self._answers.setdefault(group, answer)
        if len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)
        if known[0] == answer[0] or name in self._matters:
            return
        if known[1:] == answer[1:]:
            if len(self._same) < MOST_NAMES or name in self._same:
                prints, content = self._same.setdefault(name, []), answer[1] ^ answer[2] >> 1
                if len(prints) < ENOUGH_ANSWERS and content not in prints:
                    prints.append(content)
        elif known[2] != answer[2] and len(self._matters) < MOST_NAMES:
            self._matters[name] = None
            self._same.pop(name, None)

    def without(self, url: str) -> str:
        """Return a URL without the parameters that are known to be noise."""
        if not self._same or "?" not in url:
            return url
        path, _, query = url.partition("?")
        kept = [p for p in query.split("&") if not self._is_noise(p.partition("=")[0])]
        return f"{path}?{'&'.join(kept)}" if kept else path

    def met(self, name: str) -> Iterator[str]:
        """Return the URLs with a parameter that were answered, without it."""
        for group in self._answers:
            url, _, parameter = group.rpartition("#")
            if parameter == name:
                yield url.removesuffix("?")

    def _is_noise(self, name: str) -> bool:
        return len(self._same.get(name, ())) >= ENOUGH_ANSWERS

    @property
    def names(self) -> list[str]:
        """The parameters that are known to be noise."""
        return sorted(filter(self._is_noise, self._same))


def has(url: str, name: str) -> bool:
    """Tell whether a URL has a parameter."""
    return any(p.partition("=")[0] == name for p in url.partition("?")[2].split("&"))


def _content(body: bytes) -> bytes:
    """Return what a page says, in an order that no sort order changes."""
    first, *scripts = body.split(b"<script")
    seen = [first, *(script.partition(b"</script")[2] for script in scripts)]
    return b"\n".join(sorted(map(bytes.strip, _TAG.split(b" ".join(seen)))))


def _stripped(leads: bytes, name: str) -> bytes:
    """Return links without a parameter's value."""
    return re.sub(rb"(?<=[?&;])" + re.escape(name.encode()) + rb"=[^&\n]*", b"", leads)


def _hash(text: bytes) -> int:
    return mmh3.hash64(text, signed=False)[0]
