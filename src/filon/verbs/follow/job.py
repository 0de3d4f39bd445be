"""A run that follows Linked Data, with its parts."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from filon.core import Find, Response, Step, Strategy, Web
from filon.core.abilities import CountsTriples, able
from filon.core.loop import Watch
from filon.guards.stack import guarded
from filon.page.url import host, origin
from filon.run.folder import RunFolder
from filon.run.text import counted
from filon.verbs.follow import FollowSettings
from filon.verbs.follow.first_seed import FirstSeed
from filon.verbs.follow.strategies import Brief, Scope, build
from filon.verbs.job import Job, agent, live_options
from filon.web.live import Live
from filon.web.polite import Polite

#: A document is read whole: what strategies ask for is not longer. A dump beyond is a file.
MEMORY_BYTES = 64 * 1024 * 1024


class FollowJob(Job):
    """What is to be followed, ready to begin."""

    settings: FollowSettings

    def __init__(self, settings: FollowSettings) -> None:
        super().__init__(settings)
        self.beginning = FirstSeed(settings.seeds)

    def choose(self) -> Strategy:
        """Return the strategy that was asked for."""
        settings = self.settings
        brief = Brief(
            seeds=settings.seeds,
            seed=settings.seed,
            roles=settings.follow,
            scope=Scope(within=settings.within, prefixes=settings.prefix, depth=settings.depth),
            calls=settings.bound().requests,
            shortcuts=settings.shortcuts,
            stop=settings.stop,
            per_host=settings.per_host,
            options=settings.set,
        )
        return build(settings.strategy, brief)

    def guard(self, chosen: Strategy) -> Strategy:
        """Return it keeping to robots.txt, with retries, and leaving hosts alone that ask so."""
        settings = self.settings
        return guarded(
            chosen,
            robots=agent(settings) if settings.robots else "",
            retries=settings.retries,
            retry_s=settings.delay,
            homes=settings.seeds,
            host_backoff=True,
            spacing=True,
        )

    def web(self, spool_dir: Path) -> Web:
        """Return the live web: only hosts of seeds may have a private address."""
        settings = self.settings
        options = replace(
            live_options(settings, settings.url, spool_dir),
            allow_hosts=tuple(dict.fromkeys(map(origin, settings.seeds))),
            memory_bytes=MEMORY_BYTES,
            connections_per_host=settings.per_host,
        )
        return Polite(Live(options), delay_s=settings.delay, per_host=settings.per_host)

    def watch(self, run: RunFolder, shown: Watch | None) -> Sequence[Watch | None]:
        """Return the watch for the progress line."""
        return [shown and _telling(run, self.chosen, shown)]

    @property
    def what(self) -> str:
        """What is followed, in words."""
        seeds = self.settings.seeds
        return f"follow {self.settings.url if len(seeds) == 1 else counted(len(seeds), 'URI')}"


def _telling(run: RunFolder, chosen: Strategy, shown: Watch) -> Watch:
    """Return a watch that is told how many triples there are, and from how many hosts."""
    hosts = {host(find.url) for find in run}
    counter = able(chosen, CountsTriples)

    def tell(step: Step, response: Response, finds: Sequence[Find]) -> None:
        hosts.update(host(find.url) for find in finds)
        triples = counter.triples if counter else 0
        parts = [counted(triples, "triple"), counted(len(hosts), "host"), step.reason.outlook]
        reason = replace(step.reason, outlook=" · ".join(filter(None, parts)))
        shown(replace(step, reason=reason), response, finds)

    return tell
