"""What a harvest strategy is asked to do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from filon.core import Response
from filon.page.links import Link, links
from filon.page.types import Types
from filon.page.url import KeyRules


class Truth(Protocol):
    """What a recorded site really holds: for oracles, never for a live site."""

    def kind(self, url: str) -> str:
        """Return "html", "target", "other", "error" or "redirect"."""

    def targets(self) -> Iterable[str]:
        """Return the URLs of all targets."""


class Reader(Protocol):
    """Reads the links off a page; around: with the text round each."""

    def __call__(self, response: Response, *, around: bool = False) -> list[Link]:
        """Return the links of a page."""


def read(response: Response, *, around: bool = False) -> list[Link]:
    """Return the links of a page."""
    mime = response.header("content-type")
    return links(response.body, response.url, mime, around=around)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """The start page, the types that count, and how to go about it.

    stop: "paper" for the early stopping of section 4.8, or "never".
    options: a strategy's own parameters by name.
    rules: when two URLs are one page.
    read: how links are read off a page; comparisons hand in one that remembers.
    """

    start: str
    types: Types
    seed: int = 0
    stop: str = "paper"
    options: Mapping[str, str | float] = field(default_factory=dict)
    rules: KeyRules = field(default_factory=KeyRules)
    truth: Truth | None = None
    read: Reader = read
