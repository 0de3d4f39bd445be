"""A discovery with its parts: the services that are asked, the strategy, and the web between.

Those services are asked that the user named, else all that can be. One is given as NAME or as
NAME:key=value,key=value, where NAME may be a TOML file that describes one. Keys of services are
never given here.
"""

import os
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from filon.core import Find, Request, Response, Step, Strategy, UserError, Web
from filon.core.abilities import TellsServices, able
from filon.core.loop import Watch
from filon.guards.stack import guarded
from filon.page.url import host, origin
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.run import readonly
from filon.run.disk import writing
from filon.run.folder import RunFolder
from filon.run.text import counted
from filon.services.describe import is_file, text_of
from filon.services.search import AT_HAND, SEARCHERS, SearchService
from filon.services.search import build as build_service
from filon.services.search.athand import AtHand, Mentions
from filon.verbs.discover import DiscoverSettings
from filon.verbs.discover.found import numbered
from filon.verbs.discover.listing import ranked, write_found
from filon.verbs.discover.strategies import Brief, build
from filon.verbs.discover.summary import discovered, failures, trouble
from filon.verbs.job import Job, about, agent, keyed, live_options, secrets_of
from filon.web.cached import Cache, Cached, QuotaCount, cache_path
from filon.web.live import Live
from filon.web.polite import Polite
from filon.web.split import Local, Split

#: Lists of a service are read whole; pages have a bound of their own.
MEMORY_BYTES = 64 * 1024 * 1024
#: The kind of a step that calls a search service, and of one that calls it again.
SEARCH, RETRY = "search", "retry"
_PAGES_READ = """
SELECT COUNT(*) FROM steps WHERE status BETWEEN 200 AND 299 AND kind NOT IN ('search', 'robots')
"""
#: Strategies that get nowhere without an operator that few services have.
NEEDS = {
    "related": "related",
    "rl+ol": "related",
    "backward": "backlinks",
    "bl+ol": "backlinks",
    "bipartite": "backlinks",
}

#: A comma within a value is part of it, unless another key follows.
_COMMA = re.compile(r",(?=[A-Za-z_]+=)")
_USERINFO = re.compile(r"//[^/?#\s]*@")
#: A description of the user's own, and its parameters.
_OWN = re.compile(r"([^=]+?\.toml)(?::(.*))?", re.S)
#: What a module holds, by its dotted path, and its parameters.
_PATH = re.compile(r"([A-Za-z_]\w*(?:\.\w+)+:[A-Za-z_]\w*)(?::(.*))?", re.S)
_SHIPPED = re.compile(r"^The source [\w-]+ ")
#: Parameters that are paths on this machine.
_PATHS = ("path", "index")


@dataclass(frozen=True, slots=True)
class Services:
    """The services, how each was told, and which others are not asked and why."""

    searchers: tuple[SearchService, ...]
    specs: tuple[str, ...]
    unasked: tuple[str, ...] = ()

    def can_begin(self, topic: str) -> bool:
        """Say whether any can be asked for words."""
        operators = ("keyword", "seeds")
        return any(one.takes(each, topic) for one in self.searchers for each in operators)


def choose_services(
    search: Sequence[str], local: Sequence[str | Path] = (), registry: str | Path = ""
) -> Services:
    """Return the services to ask.

    search: those that the user named; empty: all that need no key, or whose key is known.
    local, registry: what else is at hand.
    """
    at_hand = []
    if local:
        at_hand.append(f"local:path={os.pathsep.join(map(str, local))}")
    if registry:
        at_hand.append(f"registry:path={registry}")
    specs, unasked = (list(search), []) if search else _able()
    return opened_services([*at_hand, *specs], unasked)


def opened_services(
    specs: Sequence[str], unasked: Sequence[str] = (), folder: Path | None = None
) -> Services:
    """Return the services of a list; one sentence where one of them cannot be asked.

    folder: of a run that goes on; the descriptions that it has kept are those of the user's files.
    """
    asked = [_absolute(*parse_spec(spec)) for spec in specs]
    names = [name for name, _ in asked]
    _refuse_twins(names)
    kept = [_kept(folder, n) if folder and is_file(name) else name for n, name in enumerate(names)]
    pairs = zip(kept, asked, strict=True)
    searchers = [_built(str(name), parameters) for name, (_, parameters) in pairs]
    _refuse_twins([one.name for one in searchers])
    return Services(tuple(searchers), tuple(_spec(*each) for each in asked), tuple(unasked))


def _kept(folder: Path, number: int) -> Path:
    return folder / f"search-{number + 1}.toml"


def _refuse_twins(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"{name} was named twice: name each search service once.")


def parse_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Read a service as it is told.

    >>> parse_spec("searxng:url=http://localhost:8888,engines=brave,mojeek,language=fr")
    ('searxng', {'url': 'http://localhost:8888', 'engines': 'brave,mojeek', 'language': 'fr'})
    >>> parse_spec("my_package.engines:Mine:language=fr")
    ('my_package.engines:Mine', {'language': 'fr'})
    """
    name, colon, rest = spec.strip().partition(":")
    # A drive has a colon too.
    if own := _OWN.fullmatch(spec.strip()) or _PATH.fullmatch(spec.strip()):
        name, colon, rest = own[1], own[2] or "", own[2] or ""
    parts = [part.partition("=") for part in _COMMA.split(rest)] if colon else []
    for key, equals, value in parts:
        if not (key.strip() and equals and value.strip()):
            raise UserError(
                f"--search {spec!r} is not understood: "
                "write NAME or FILE.toml, or NAME:key=value with commas between."
            )
        if _USERINFO.search(value):
            raise UserError(
                f"The address of {name} holds a user name or password, which would stand in the "
                "run folder."
            )
    return name, {key.strip(): value.strip() for key, _, value in parts}


def _spec(name: str, parameters: dict[str, str]) -> str:
    given = ",".join(f"{key}={value}" for key, value in parameters.items())
    return f"{name}:{given}" if given else name


def _absolute(name: str, parameters: dict[str, str]) -> tuple[str, dict[str, str]]:
    """A run is gone on with from another folder: its paths must hold there too."""
    if is_file(name):
        return os.path.abspath(name), parameters
    if name not in AT_HAND:
        return name, parameters
    paths = {
        key: os.pathsep.join(
            os.path.abspath(part) for part in parameters[key].split(os.pathsep) if part
        )
        for key in _PATHS
        if key in parameters
    }
    return name, parameters | paths


def _built(name: str, parameters: dict[str, str]) -> SearchService:
    try:
        searcher = build_service(name, parameters)
    except UserError as error:  # the user knows the service by its name, not by our file
        raise UserError(_SHIPPED.sub(f"{name} ", str(error))) from None
    if isinstance(searcher, AtHand) and "outlinks" in searcher.operators:
        return Mentions(searcher)
    return searcher


def _able() -> tuple[list[str], list[str]]:
    """Return the services that can be asked without a word, those with a key first, and others."""
    keyed: list[str] = []
    free: list[str] = []
    unasked: list[str] = []
    for name in sorted(SEARCHERS):
        if name in AT_HAND:
            continue
        try:
            searcher = _built(name, {})
        except UserError as error:  # it must be told more
            unasked.append(str(error).rstrip("."))
            continue
        try:
            (keyed if secrets_of(searcher) else free).append(name)
        except UserError:
            unasked.append(f"{name} needs a key: {' or '.join(searcher.secrets)}")
    return [*keyed, *free], unasked


class DiscoverJob(Job):
    """What is to be discovered, and who is asked for it, ready to begin."""

    settings: DiscoverSettings

    def __init__(self, settings: DiscoverSettings, services: Services) -> None:
        super().__init__(settings)
        self.services = services
        self._free: Callable[[Request], bool] = lambda request: False
        topic = settings.topic
        names = ", ".join(one.name for one in services.searchers) or "nobody"
        mode = str(settings.set.get("mode", settings.strategy))
        need = NEEDS.get(mode) or NEEDS.get(settings.strategy, "")
        if need and not any(need in one.operators for one in services.searchers):
            raise UserError(
                f"The strategy {mode} asks services for {need}, and none of those asked has them "
                f"({names}): name one that has with --search, or search your own with --local."
            )
        if settings.seeds or services.can_begin(topic):
            return
        raise UserError(
            f"Who could be asked for “{topic}”? Of {names}, none takes words: name another service "
            "with --search, or give examples with --seeds."
        )

    def brief(self) -> Brief:
        """Return what the strategy is asked to do."""
        settings = self.settings
        return Brief(
            topic=settings.topic,
            seeds=settings.seeds,
            searchers=self.services.searchers,
            seed=settings.seed,
            sites=settings.sites,
            calls=settings.bound().requests or 0,
            accepted=settings.accepted,
            rejected=settings.rejected,
            languages=settings.language,
            at_least=settings.at_least,
            portals=ADAPTERS,
            recognise=lambda response: places(guess(response)),
            options=settings.set,
        )

    def choose(self) -> Strategy:
        """Return the strategy that was asked for."""
        return build(self.settings.strategy, self.brief())

    def guard(self, chosen: Strategy) -> Strategy:
        """Return it keeping to robots.txt and to what services allow, with retries."""
        settings = self.settings
        return guarded(
            chosen,
            robots=agent(settings) if settings.robots else "",
            unasked=[SEARCH],
            retries=settings.retries,
            retry_s=settings.delay,
            homes=settings.seeds,
            host_backoff=True,
            questions=[SEARCH],
            quota={one.origin: one.meter for one in self._called()},
            calls=[SEARCH, RETRY],
        )

    def web(self, spool_dir: Path) -> Web:
        """Return the web: what is at hand and in the cache, and the network behind it."""
        settings, called = self.settings, self._called()
        pages = replace(
            live_options(settings, settings.url, spool_dir),
            allow_hosts=tuple(dict.fromkeys(map(origin, settings.seeds))),
            memory_bytes=MEMORY_BYTES,
            connections_per_host=settings.per_host,
        )
        # A service that the user named may be on his own machine; a page may not lead there.
        asked = replace(pages, allow_hosts=tuple(one.origin for one in called))
        origins = [one.origin for one in called]
        spaced = partial(Polite, delay_s=settings.delay, per_host=settings.per_host)
        if self.network:
            polite: Web = Split(self.network, spaced(Live(asked)), origins)
        else:
            polite = spaced(Split(Live(pages), Live(asked), origins))
        web = DiscoverWeb(settings, self.services.searchers, keyed(polite, *called))
        self._free = web.is_free
        return web

    def keep(self, folder: Path) -> None:
        """Copy the user's own descriptions of services: the files may change or go."""
        for number, spec in enumerate(self.settings.search):
            if is_file(name := parse_spec(spec)[0]):
                with writing(folder):
                    _kept(folder, number).write_text(text_of(name), "utf-8")

    def is_free(self, request: Request) -> bool:
        """Say whether a request is answered without a call."""
        return self._free(request)

    def watch(self, run: RunFolder, shown: Watch | None) -> Sequence[Watch | None]:
        """Return the watch for the progress line."""
        return [shown and _telling(run, self.chosen, shown)]

    def complaint(self, folder: Path) -> str:
        """Say so where nothing was read at all because every service failed."""
        discovery = discovered(folder)
        asked = [one for one in discovery.searchers if one.get("calls")]
        answered = [one for one in asked if sum(failures(one).values()) < one["calls"]]
        with readonly.reading(folder) as ledger:
            read = ledger.execute(_PAGES_READ).fetchone()[0]
        if answered or read or not asked:
            return ""
        return f"Nobody could be asked: {'; '.join(map(trouble, asked))}."

    def wrap_up(self, folder: Path) -> bool:
        """Write the list as the strategy at hand orders it."""
        write_found(folder, numbered(ranked(self.chosen)))
        return True

    @property
    def what(self) -> str:
        """What is looked for, in words."""
        return about(self.settings, "sites like", "example", self.settings.seeds)

    @property
    def greeting(self) -> Sequence[str]:
        """Who is asked, and who is not and why."""
        asked, *others = self._asked("nobody, links are followed")
        return [f"{asked}.", *(f"{other}." for other in others)]

    @property
    def terms(self) -> Sequence[str]:
        """The same for a dry run."""
        return self._asked()

    def _asked(self, nobody: str = "") -> list[str]:
        names = ", ".join(one.name for one in self.services.searchers)
        others = self.services.unasked
        return [
            f"Asked: {names or nobody}",
            *([f"Not asked: {'; '.join(others)}"] if others else []),
        ]

    def _called(self) -> list[SearchService]:
        """Return the services that are on the network."""
        return [one for one in self.services.searchers if not isinstance(one, AtHand)]


class DiscoverWeb:
    """The web of a discovery: what is at hand, then the cache, then keys, spacing, the network."""

    def __init__(
        self, settings: DiscoverSettings, searchers: tuple[SearchService, ...], web: Web
    ) -> None:
        path = Path(settings.cache) if settings.cache else cache_path()
        at_hand = {host(one.origin): one.respond for one in searchers if isinstance(one, AtHand)}
        self._called = {one.origin: one for one in searchers if not isinstance(one, AtHand)}
        self._at_hand = frozenset(at_hand)
        self._cached = Cached(
            QuotaCount(web, path, _quotas(self._called)),
            Cache(path),
            good=self._is_answer,
            since_s=settings.since_s,
        )
        self._web = Local(self._cached, at_hand)

    async def fetch(self, request: Request) -> Response:
        """Answer a request."""
        return await self._web.fetch(request)

    async def close(self) -> None:
        """Close all within."""
        await self._web.close()

    def is_free(self, request: Request) -> bool:
        """Say whether a request is answered without a call."""
        return host(request.url) in self._at_hand or self._cached.holds(request)

    def _is_answer(self, response: Response) -> bool:
        """Say whether this is worth keeping: a service's own answer, and no page."""
        searcher = self._called.get(origin(response.url))
        if searcher is None:
            return False
        asked = sorted(searcher.operators)
        return any(not searcher.parse(operator, response).problem for operator in asked)


def prepare(settings: DiscoverSettings) -> DiscoverJob:
    """Return a discovery that could begin."""
    named = [one for one in settings.search if one.strip()]
    services = choose_services(named, settings.local, settings.registry)
    for searcher in services.searchers:
        secrets_of(searcher)  # a missing key is told before anything is said or sent
    settings = settings.changed(
        search=services.specs,
        unasked=services.unasked,
        since_s=time.time() if settings.fresh else settings.since_s,
        local=(),
        registry="",
        fresh=False,
    )
    job = DiscoverJob(settings, services)
    _ = job.chosen  # it refuses what it does not understand
    return job


def reopen(folder: Path, settings: DiscoverSettings) -> DiscoverJob:
    """Return the discovery that a run folder holds."""
    return DiscoverJob(settings, opened_services(settings.search, settings.unasked, folder))


def _quotas(called: Mapping[str, SearchService]) -> dict[str, tuple[int, float]]:
    """Return what services allow by our own count: those that tell what is left know better."""
    meters = {origin: one.meter for origin, one in called.items()}
    return {
        origin: (meter.quota, meter.window_s)
        for origin, meter in meters.items()
        if meter.quota and not meter.tells
    }


def _telling(run: RunFolder, chosen: Strategy, shown: Watch) -> Watch:
    """Return a watch that is told how many sites there are, and which services are out."""
    kinds = Counter(find.kind for find in run)
    asking = able(chosen, TellsServices)

    def tell(step: Step, response: Response, finds: Sequence[Find]) -> None:
        kinds.update(find.kind for find in finds)
        services = asking.services() if asking and step.reason.kind == SEARCH else ()
        if services:
            outs[:] = [f"{one['searcher']} out ({one['out']})" for one in services if one["out"]]
        parts = [counted(kinds[kind], kind) for kind in ("repository", "site") if kinds[kind]]
        # What the strategy said of the step is older than the answer.
        told_before = [step.reason.outlook] if step.reason.outlook else []
        outlook = " · ".join([*(parts or told_before), *outs])
        reason = replace(step.reason, outlook=outlook)
        shown(replace(step, reason=reason), response, finds)

    outs: list[str] = []
    return tell
