"""A harvest with its parts."""

from dataclasses import replace
from pathlib import Path

from filon.core import Response, Strategy, Web
from filon.core.abilities import able
from filon.core.loop import Watch
from filon.guards.stack import guarded
from filon.page.types import Types
from filon.page.url import join
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.verbs.harvest.first_page import FirstPage
from filon.verbs.harvest.portal import Enumerated, HasTerritory
from filon.verbs.harvest.settings import HarvestSettings
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.url_rules import url_rules
from filon.verbs.job import Job
from filon.verbs.network import agent, live_options
from filon.web.live import Live
from filon.web.polite import Polite

#: Markup and sitemaps are on the pages that a strategy reads anyway; the records of OAI-PMH and
#: CSW seldom name files.
_LEFT_OUT = frozenset({"schema.org", "sitemap", "oai-pmh", "csw"})


class HarvestJob(Job):
    """What is to be harvested, ready to begin."""

    settings: HarvestSettings

    def __init__(self, settings: HarvestSettings) -> None:
        super().__init__(settings)
        self._first = FirstPage(settings.url)

    def choose(self) -> Strategy:
        """Return the strategy that was asked for."""
        settings = self.settings
        brief = Brief(
            start=settings.url,
            types=Types.parse(settings.types),
            seed=settings.seed,
            stop=settings.stop,
            options=settings.set,
            rules=url_rules(settings.url_rule),
            cost=settings.cost(),
        )
        return build(settings.strategy, brief)

    def guard(self, chosen: Strategy) -> Strategy:
        """Return it with an eye for portals, keeping to robots.txt, with retries."""
        settings = self.settings
        if settings.portals:
            chosen = with_portals(chosen)
        return guarded(
            chosen,
            robots=agent(settings) if settings.robots else "",
            retries=settings.retries,
            retry_s=settings.delay,
        )

    def web(self, spool_dir: Path) -> Web:
        """Return the live web, with the spacing that was asked for."""
        settings = self.settings
        options = live_options(settings, settings.url, spool_dir)
        if settings.max_size:
            options = replace(options, max_bytes=settings.max_size)
        return Polite(Live(options), delay_s=settings.delay, per_host=settings.parallel)

    def first_answers(self) -> Watch:
        """Return a watch for whether there is a site at all."""
        return self._first.watch

    def complaint(self, folder: Path) -> str:
        """Say why nothing could be had from the start URL."""
        return self._first.complaint()

    @property
    def greeting(self) -> list[str]:
        """Which scheme is tried, where none was given."""
        guessed = self.settings.guessed_scheme
        return [f"No http:// or https:// was given: trying {self.settings.url}"] if guessed else []

    def first_urls(self) -> list[str]:
        """Return the first requests: permission, and the start page."""
        start = self.settings.url
        return [join(start, "/robots.txt"), start] if self.settings.robots else [start]


def with_portals(chosen: Strategy) -> Strategy:
    """Return a harvest strategy with an eye for portals."""
    scoped = able(chosen, HasTerritory)
    if not scoped:  # it knows the site beforehand, and all its files
        return chosen
    return Enumerated(chosen, scoped.territory, ADAPTERS, _recognise)


def _recognise(response: Response) -> list[tuple[str, str]]:
    return [place for place in places(guess(response)) if place[0] not in _LEFT_OUT]
