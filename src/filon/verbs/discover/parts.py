"""A discovery with its parts: the strategy, the services that are asked, and the web between."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from filon.core import Request, Response, Strategy, UserError, Web
from filon.guards.host_backoff import HostBackoff
from filon.guards.rationed import Rationed
from filon.guards.retry import RetryGuard
from filon.guards.robots import RobotsGuard, origin
from filon.page.url import host
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.services.search import SearchService
from filon.services.search.athand import AtHand
from filon.verbs import network
from filon.verbs.discover.services import Services
from filon.verbs.discover.settings import DiscoverSettings
from filon.verbs.discover.strategies import Brief, build
from filon.verbs.secrets import keyed
from filon.web.cached import Cache, Cached, cache_path
from filon.web.live import Live
from filon.web.local import Local
from filon.web.polite import Polite
from filon.web.quota import QuotaCount
from filon.web.split import Split

#: Lists of a service are read whole; pages have a bound of their own.
MEMORY_BYTES = 64 * 1024 * 1024
#: The kind of a step that calls a search service, and of one that calls it again.
SEARCH, RETRY = "search", "retry"
#: Strategies that get nowhere without an operator that few services have.
NEEDS = {
    "related": "related",
    "rl+ol": "related",
    "backward": "backlinks",
    "bl+ol": "backlinks",
    "bipartite": "backlinks",
}


@dataclass(frozen=True, slots=True)
class Expedition:
    """What is to be discovered, and who is asked for it."""

    quest: DiscoverSettings
    services: Services

    def __post_init__(self) -> None:
        topic = self.quest.topic
        names = ", ".join(one.name for one in self.services.searchers) or "nobody"
        mode = str(self.quest.options.get("mode", self.quest.strategy))
        need = NEEDS.get(mode) or NEEDS.get(self.quest.strategy, "")
        if need and not any(need in one.operators for one in self.services.searchers):
            raise UserError(
                f"The strategy {mode} asks services for {need}, and none of those asked has them "
                f"({names}): name one that has with --search, or search your own with --local."
            )
        if self.quest.seeds or self.services.can_begin(topic):
            return
        raise UserError(
            f"Who could be asked for “{topic}”? Of {names}, none takes words: name another service "
            "with --search, or give examples with --seeds."
        )

    def brief(self) -> Brief:
        """Return what the strategy is asked to do."""
        quest = self.quest
        return Brief(
            topic=quest.topic,
            seeds=quest.seeds,
            searchers=self.services.searchers,
            seed=quest.seed,
            sites=quest.sites,
            calls=quest.bound().requests or 0,
            accepted=quest.accepted,
            rejected=quest.rejected,
            languages=quest.languages,
            portals=ADAPTERS,
            recognise=lambda response: places(guess(response)),
            options=quest.options,
        )

    def strategy(self) -> Strategy:
        """Return the strategy as it was chosen."""
        return build(self.quest.strategy, self.brief())

    def dressed(self, chosen: Strategy) -> Strategy:
        """Return a strategy that obeys robots.txt, is patient, and keeps to what services allow.

        The services come outermost: a spent quota is the affair of all calls, not of one.
        """
        quest = self.quest
        if quest.robots:
            chosen = RobotsGuard(chosen, network.agent(quest), exempt=[SEARCH])
        patient = RetryGuard(chosen, 1 + quest.retries, base_s=quest.delay_s)
        rested = HostBackoff(patient, questions=[SEARCH])
        meters = {one.origin: one.meter for one in self._called()}
        return Rationed(rested, meters, kinds=[SEARCH, RETRY])

    def web(self, spool_dir: Path) -> "Ways":
        """Return the web, and what is answered in it without a call."""
        quest, called = self.quest, self._called()
        pages = replace(
            network.live_options(quest, quest.url, spool_dir),
            allow_hosts=tuple(dict.fromkeys(map(host, quest.seeds))),
            memory_bytes=MEMORY_BYTES,
            connections_per_host=quest.per_host,
        )
        # A service that the user named may be on his own machine; a page may not lead there.
        asked = replace(pages, allow_hosts=tuple(host(f"{one.origin}/") for one in called))
        split = Split(Live(pages), Live(asked), [one.origin for one in called])
        polite = Polite(split, delay_s=quest.delay_s, per_host=quest.per_host)
        return Ways(quest, self.services.searchers, keyed(polite, *called))

    def _called(self) -> list[SearchService]:
        """Return the services that are on the network."""
        return [one for one in self.services.searchers if not isinstance(one, AtHand)]


class Ways:
    """The web of a discovery: what is at hand, then the cache, then keys, spacing, the network."""

    def __init__(
        self, quest: DiscoverSettings, searchers: tuple[SearchService, ...], web: Web
    ) -> None:
        path = Path(quest.cache) if quest.cache else cache_path()
        at_hand = {host(one.origin): one.respond for one in searchers if isinstance(one, AtHand)}
        self._called = {one.origin: one for one in searchers if not isinstance(one, AtHand)}
        self._at_hand = frozenset(at_hand)
        self._cached = Cached(
            QuotaCount(web, path, _quotas(self._called)),
            Cache(path),
            good=self._is_answer,
            since_s=quest.since_s,
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


def _quotas(called: Mapping[str, SearchService]) -> dict[str, tuple[int, float]]:
    """Return what services allow by our own count: those that tell what is left know better."""
    meters = {origin: one.meter for origin, one in called.items()}
    return {
        origin: (meter.quota, meter.window_s)
        for origin, meter in meters.items()
        if meter.quota and not meter.tells
    }
