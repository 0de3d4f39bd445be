"""What a harvest strategy is asked to do."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from filon.core import Response
from filon.page.types import Types
from filon.page.url import Globs, KeyRules

if TYPE_CHECKING:  # a brief is known before any page is read
    from filon.page.links import Link, Placed, Wanted
    from filon.verbs.harvest.strategies.vein.site_prior import SitePrior


class Reader(Protocol):
    """Reads the links off a page.

    around: with what stands around each. wanted: tells of each link's URL whether it is of
    interest. placed: tells whether it still is, by where it stands; nobody has to ask. heads: the
    kinds of `link` in its head that count, and DESCRIBED; to the papers none does. See
    `filon.page.links.links`.
    """

    def __call__(
        self,
        response: Response,
        *,
        around: str = "",
        wanted: "Wanted | None" = None,
        placed: "Placed | None" = None,
        heads: Collection[str] = (),
    ) -> "list[Link]":
        """Return the links of a page."""


def read(
    response: Response,
    *,
    around: str = "",
    wanted: "Wanted | None" = None,
    placed: "Placed | None" = None,
    heads: Collection[str] = (),
) -> "list[Link]":
    """Return the links of a page."""
    from filon.page.links import links

    return links(
        response.body,
        response.url,
        response.header("content-type"),
        around=around,
        wanted=wanted,
        placed=placed,
        heads=heads,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """The start page, the types that count, and how to go about it.

    more: further pages of the site to start from; `SiteState.starts` has all of them.
    include, exclude: what is asked for, if anything is named, and what is not. depth: how many
        links away from a start; 0: no bound. linked_hosts: files on other hosts that pages of the
        site link to are asked for too. `SiteState` holds a strategy to all of these.
    stop: "auto" for the strategy's own rule, "paper" for the early stopping of section 4.8 of
        SB-CLASSIFIER, or "never".
    cost: what is to be saved, "requests" or "bytes".
    options: a strategy's own parameters by name.
    rules: when two URLs are one page.
    read: how links are read off a page; comparisons hand in one that remembers.
    prior: tells what links mean on other sites, if a strategy wants to know.
    """

    start: str
    types: Types
    seed: int = 0
    stop: str = "auto"
    cost: str = "requests"
    options: Mapping[str, str | float] = field(default_factory=dict)
    rules: KeyRules = field(default_factory=KeyRules)
    read: Reader = read
    more: tuple[str, ...] = ()
    include: Globs = field(default_factory=Globs)
    exclude: Globs = field(default_factory=Globs)
    depth: int = 0
    linked_hosts: bool = False
    prior: "Callable[[], SitePrior] | None" = None
