"""`filon follow`: the RDF of the Linked Data web around seed URIs."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from filon.core import UserError
from filon.core.plugins import Registry
from filon.page.url import parse, split
from filon.verbs.follow.strategies import DEFAULT, KNOWN
from filon.verbs.follow.strategies.brief import ROLES
from filon.verbs.lines import read_lines
from filon.verbs.option import Option, commas, option, refuse_password, texts
from filon.verbs.settings import Settings, in_flight, one_of
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    from filon.run.export.format import Export, Kinds
    from filon.run.frame import Frame
    from filon.run.summary import Outcome
    from filon.verbs.job import Job

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.I)
#: More than a run can ask for: it is some other file.
MOST_SEEDS = 1_000_000


def seed_uri(text: str) -> str:
    """Return a URI that can be followed, without the white space round it.

    >>> seed_uri(" http://example.org/id#me ")
    'http://example.org/id#me'
    """
    uri = text.strip()
    scheme = _SCHEME.match(uri)
    if scheme and not uri.lower().startswith(("http://", "https://")) and not _is_host(uri):
        raise UserError(f"Only http:// and https:// URIs can be followed, not {scheme[1]}: {uri}")
    if not scheme or not parse(uri) or re.search(r"\s", uri) or not split(uri).hostname:
        raise UserError(f"{text!r} is not a URI: write it in full, like http://example.org/id/7.")
    refuse_password(uri, "A URI")
    return uri


def _is_host(uri: str) -> bool:
    """Say whether what looks like a scheme is a host with its port."""
    return bool(re.match(r"[^/?#:]*:\d+([/?#]|$)", uri))


def distinct(uris: Iterable[str]) -> tuple[str, ...]:
    """Return the seeds, checked, each once."""
    seeds = tuple(dict.fromkeys(seed_uri(uri) for uri in uris))
    if not seeds:
        raise UserError("Where to start? Name a URI, or a file of them with --seeds.")
    if len(seeds) > MOST_SEEDS:
        raise UserError(
            f"{len(seeds):,} seeds are more than a run can hold: {MOST_SEEDS:,} at most."
        )
    return seeds


Within = Literal["any", "domain", "host"]
Stop = Literal["auto", "never"]
Graphs = Literal["document", "original"]
_SCOPE = "How far to go"


def _seeds(value: Any) -> tuple[str, ...]:
    """Return URIs: those that are given, and those of files, which have one a line."""
    given = texts(value)
    lists = ([one] if "://" in str(one) else read_lines(Path(one), seed_uri) for one in given)
    return tuple(uri for uris in lists for uri in uris)


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
    graphs: the names of graphs in graph.nq: of each triple the "document" that says it, or the
        "original" one where a document has graphs with names.
    parallel: requests in flight in all. per_host: to one host.

    >>> FollowSettings(seeds=("http://example.org/id/7",)).url
    'http://example.org/id/7'
    """

    seeds: tuple[str, ...] = option(
        (),
        "Where to start.",
        metavar="URI",
        read=texts,
        argument=True,
        also=Option(
            help="More URIs to start from, one a line.", metavar="FILE", kind=Path, read=_seeds
        ),
    )
    url: str = ""
    verb: str = "follow"
    strategy: str = option(DEFAULT, f"How URIs are chosen; {DEFAULT} by default.", metavar="NAME")
    follow: tuple[str, ...] = option(
        ROLES,
        "The places of a triple whose URIs are followed, of subject,object,predicate,type; "
        "all by default.",
        metavar="LIST",
        panel=_SCOPE,
        kind=str,
        read=commas,
    )
    within: Within = option(
        "any",
        "Stay at the domains or the hosts of the seeds; any by default.",
        panel=_SCOPE,
        noun="bound",
    )
    prefix: tuple[str, ...] = option(
        (), "Follow only URIs that begin so; may be repeated.", metavar="URI", panel=_SCOPE
    )
    depth: int = option(
        0,
        "How many documents away from a seed; 0, the default, is without bound.",
        metavar="N",
        panel=_SCOPE,
    )
    shortcuts: bool = option(
        True,
        "Ask for documents only: use no catalogues, dumps, endpoints and links in headers.",
        panel=_SCOPE,
    )
    stop: Stop = option(
        "auto",
        "auto (default) ends when nothing was found for long and what is left promises next "
        "to nothing, if the strategy is lode; never goes on to the last URI.",
        noun="way to stop",
    )
    graphs: Graphs = option(
        "document",
        "What names the graphs of graph.nq: each document (default), or original, the names that "
        "documents give their graphs, where they do.",
        noun="name of graphs",
    )
    parallel: int = in_flight("in all")
    per_host: int = in_flight("to one host")

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


class Follow(Verb[FollowSettings]):
    """Collect the RDF of the Linked Data web around seed URIs, with the fewest requests.

    Which URIs lead to RDF is learnt on the way: those like the ones that did are asked for first.
    The run folder holds graph.nq (N-Quads, a graph a document, with its provenance), an archive of
    all answers, a ledger of every step and a report.

    Example: filon follow http://dbpedia.org/resource/Quartz --budget 5000req --parallel 8
    """

    name = "follow"
    settings = FollowSettings
    writer = "filon.verbs.follow.graph:write_graph"
    written = "filon.verbs.follow.graph:is_written"
    reporter = "filon.verbs.follow.report:page"
    compared = "filon.verbs.follow.changes:documents"
    usual_export = "nquads"
    nouns = ("request", "RDF document")
    usual_requests = 600

    def prepare(self, settings: FollowSettings) -> "Job":
        """Return a run that could begin."""
        from filon.verbs.follow.job import FollowJob

        return FollowJob(settings)

    def roams(self, config: Mapping[str, Any]) -> bool:
        """Say whether it follows URIs to any host."""
        return config.get("within") not in ("host", "domain")

    def strategies(self) -> Registry[Any]:
        """Return the strategies that it knows."""
        return KNOWN

    def rows(self) -> "Kinds":
        """Return its documents as finds, and its triples."""
        from filon.verbs.follow.export import quads

        return {**super().rows(), "quads": quads}

    def formats(self) -> "Mapping[str, Export]":
        """Return the formats of its triples."""
        from filon.verbs.follow.export import NQUADS, OXIGRAPH

        return {"nquads": NQUADS, "oxigraph": OXIGRAPH}

    def frames(self) -> "Mapping[str, Callable[[Path], Frame]]":
        """Return its triples."""
        from filon.verbs.follow.graph.frame import graph_frame

        return {"graph": graph_frame}

    def again(self, settings: FollowSettings) -> FollowSettings:
        """Return settings with which new URIs are followed to the last, without shortcuts."""
        own = settings.set if settings.strategy == DEFAULT else {}
        return settings.changed(strategy=DEFAULT, set=own, stop="never", shortcuts=False, budget="")

    def outcome(self, folder: Path) -> "Outcome":
        """Return what a run cost and brought."""
        from filon.verbs.follow.summary import followed

        return followed(folder)
