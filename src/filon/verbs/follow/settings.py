"""What a person asked to be followed, checked: all that it needs to know, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from filon.core import UserError
from filon.verbs.follow.rdf.mentions import ROLES
from filon.verbs.follow.seeds import distinct
from filon.verbs.follow.strategies import DEFAULT, KNOWN
from filon.verbs.settings import Settings, one_of

Within = Literal["any", "domain", "host"]
Stop = Literal["auto", "never"]
WITHIN: tuple[str, ...] = get_args(Within)
STOPS: tuple[str, ...] = get_args(Stop)


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowSettings(Settings):
    """One run that follows Linked Data; the rest of the fields are those of `Settings`.

    seeds: the URIs to start from. url: the first of them; the user's headers go to its host.
    follow: the places of a triple whose URIs are followed.
    within: "any", or only the "domain" or the "host" of a seed.
    prefix: where given, only URIs that begin with one of them.
    depth: how many documents away from a seed; 0: no bound.
    shortcuts: whether catalogues, dumps, endpoints and links in headers are used.
    stop: "auto" ends when nothing is to be expected any more, "never" goes on to the last URI.
    parallel: requests in flight in all. per_host: to one host.

    >>> FollowSettings(seeds=("http://example.org/id/7",)).url
    'http://example.org/id/7'
    """

    seeds: tuple[str, ...]
    url: str = ""
    verb: str = "follow"
    strategy: str = DEFAULT
    follow: tuple[str, ...] = ROLES
    within: str = "any"
    prefix: tuple[str, ...] = ()
    depth: int = 0
    shortcuts: bool = True
    stop: str = "auto"
    per_host: int = 1

    OLD: ClassVar[Mapping[str, str]] = {**Settings.OLD, "prefixes": "prefix"}

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        object.__setattr__(self, "seeds", distinct(self.seeds))
        object.__setattr__(self, "url", self.seeds[0])
        one_of("strategy", self.strategy, KNOWN)
        for role in self.follow:
            one_of("place in a triple", role, ROLES)
        if not self.follow:
            raise UserError(f"Nothing would be followed: name some of {', '.join(ROLES)}.")
        one_of("bound", self.within, WITHIN)
        one_of("way to stop", self.stop, STOPS)
        self._check_scope()

    def _check_scope(self) -> None:
        for prefix in self.prefix:
            if not prefix.startswith(("http://", "https://")):
                raise UserError(
                    f"The prefix {prefix!r} is not the beginning of a URI: "
                    "write it like http://example.org/id/."
                )
        if self.depth < 0:
            raise UserError(f"The depth cannot be {self.depth}: 1 is the seeds' neighbours.")
        if self.per_host < 1:
            raise UserError(f"{self.per_host} requests at a time to a host get nowhere.")

    def crowd(self) -> int:
        """Return how many requests may be in flight to one host."""
        return min(self.parallel, self.per_host)
