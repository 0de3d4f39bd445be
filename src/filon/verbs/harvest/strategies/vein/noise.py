"""Learns which URL parameters change nothing: session ids under any name, tracking, sort orders.

Two URLs that differ in the value of one parameter only, and whose answers say the same, are
evidence; a pair of files that differ, or of pages that lead elsewhere, is proof of the contrary.
Pages that only say something else, the time perhaps, are neither. Answers that all say the same,
"not found" or "please log in", count once.
"""

import re
from collections import OrderedDict
from collections.abc import Iterator

import mmh3

from filon.core.forms import KEYS, LIST, TUPLE, flat, table
from filon.core.state import Stateful, stored, version

#: Answers that make a rule, all different from each other.
ENOUGH = 3
#: Answers that are remembered for comparison, and parameters of a URL that are looked at.
MOST_ANSWERS = 5_000
MOST_PARAMETERS = 6
#: Parameters that are told apart.
MOST_NAMES = 1_000

_TAG = re.compile(rb"<[^<>]*>")
_HREF = re.compile(rb"\bhref\s{0,9}=\s{0,9}[\"']?([^\"'>\s]+)", re.IGNORECASE)


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
        before, said = self.names, _hash(_said(body) if is_page else body)
        leads = b"\n".join(sorted(_HREF.findall(body))) if is_page else b""
        for place, piece in enumerate(pieces):
            name, _, value = piece.partition("=")
            rest = "&".join(pieces[:place] + pieces[place + 1 :])
            goals = _hash(_stripped(leads, name)) if is_page else said
            self._compare(f"{path}?{rest}#{name}", name, (value, said, goals))
        return [name for name in self.names if name not in before]

    def _compare(self, group: str, name: str, answer: tuple[str, int, int]) -> None:
        known = self._answers.setdefault(group, answer)
        if len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)
        if known[0] == answer[0] or name in self._matters:
            return
        if known[1:] == answer[1:]:
            if len(self._same) < MOST_NAMES or name in self._same:
                prints, said = self._same.setdefault(name, []), answer[1] ^ answer[2] >> 1
                if len(prints) < ENOUGH and said not in prints:
                    prints.append(said)
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
            url, _, told = group.rpartition("#")
            if told == name:
                yield url.removesuffix("?")

    def _is_noise(self, name: str) -> bool:
        return len(self._same.get(name, ())) >= ENOUGH

    @property
    def names(self) -> list[str]:
        """The parameters that are known to be noise."""
        return sorted(filter(self._is_noise, self._same))


def has(url: str, name: str) -> bool:
    """Tell whether a URL has a parameter."""
    return any(p.partition("=")[0] == name for p in url.partition("?")[2].split("&"))


def _said(body: bytes) -> bytes:
    """Return what a page says, in an order that no sort order changes."""
    first, *scripts = body.split(b"<script")
    seen = [first, *(script.partition(b"</script")[2] for script in scripts)]
    return b"\n".join(sorted(map(bytes.strip, _TAG.split(b" ".join(seen)))))


def _stripped(leads: bytes, name: str) -> bytes:
    """Return links without a parameter's value."""
    return re.sub(rb"(?<=[?&;])" + re.escape(name.encode()) + rb"=[^&\n]*", b"", leads)


def _hash(text: bytes) -> int:
    return mmh3.hash64(text, signed=False)[0]
