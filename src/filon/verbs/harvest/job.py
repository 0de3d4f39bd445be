"""A harvest with its parts."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from filon.core import Find, Response, Step, Strategy, UserError, Web
from filon.core.abilities import able
from filon.guards.stack import guarded
from filon.page.types import Types
from filon.page.url import Globs, KeyRules, Site, join
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.verbs.harvest import HarvestSettings
from filon.verbs.harvest.portal import Enumerated, HasSite
from filon.verbs.harvest.prior import site_prior
from filon.verbs.harvest.relisted import Before, Relisted, before
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import SiteState
from filon.verbs.job import Job, agent, live_options
from filon.verbs.unreachable import phrase, unreachable
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
        self.beginning = FirstPage(settings.url, settings.more_urls)
        self._is_again = False
        self._before: Before | None = None

    def look_back(self, folders: Sequence[Path]) -> None:
        """Take note of the portal that was asked before: no other is looked for."""
        self._is_again, self._before = True, before(folders)

    def choose(self) -> Strategy:
        """Return the strategy that was asked for."""
        settings = self.settings
        brief = Brief(
            start=settings.url,
            types=Types.parse(settings.types),
            seed=settings.seed,
            stop=settings.stop,
            options=settings.set,
            rules=KeyRules.switched(settings.url_rule),
            cost=settings.cost(),
            more=settings.more_urls,
            include=Globs(settings.include),
            exclude=Globs(settings.exclude),
            depth=settings.depth,
            linked_hosts=settings.files_from == "linked-hosts",
            prior=partial(site_prior, settings.prior) if settings.prior_hash else None,
        )
        return build(settings.strategy, brief)

    def guard(self, chosen: Strategy) -> Strategy:
        """Return it with an eye for portals, keeping to robots.txt, with retries."""
        settings = self.settings
        if settings.portals and not settings.depth:  # a list tells of files, not how deep these are
            chosen = self._with_portals(chosen)
        abroad = settings.files_from == "linked-hosts"  # a slow host is not to hold up the site
        return guarded(
            chosen,
            robots=agent(settings) if settings.robots else "",
            retries=settings.retries,
            retry_s=settings.delay,
            host_backoff=abroad,
            spacing=abroad,
            homes=[settings.url],
        )

    def _with_portals(self, chosen: Strategy) -> Strategy:
        if not self._is_again:
            return with_portals(chosen)
        scoped = able(chosen, HasSite)
        if not (self._before and scoped and isinstance(scoped.site, SiteState)):
            return chosen
        return Relisted(chosen, scoped.site, ADAPTERS, self._before)

    def web(self, spool_dir: Path) -> Web:
        """Return the live web, with the spacing that was asked for."""
        if self.network:
            return self.network
        settings = self.settings
        options = live_options(settings, settings.url, spool_dir)
        if settings.more_urls:
            named = (*options.allow_hosts, *settings.more_urls)
            options = replace(options, allow_hosts=named)
        if settings.max_size:
            options = replace(options, max_bytes=settings.max_size)
        return Polite(Live(options), delay_s=settings.delay, per_host=settings.parallel)

    @property
    def what(self) -> str:
        """What is done, in words."""
        return " ".join([self.settings.verb, self.settings.url, *self.settings.more_urls])

    @property
    def greeting(self) -> list[str]:
        """Which scheme is tried, where none was given."""
        guessed = self.settings.guessed_scheme
        return [f"No http:// or https:// was given: trying {self.settings.url}"] if guessed else []

    def first_urls(self) -> list[str]:
        """Return the first requests: permission, and the start pages."""
        starts = [self.settings.url, *self.settings.more_urls]
        if not self.settings.robots:
            return starts
        return list(dict.fromkeys(one for url in starts for one in (join(url, "/robots.txt"), url)))


def with_portals(chosen: Strategy) -> Strategy:
    """Return a harvest strategy with an eye for portals."""
    scoped = able(chosen, HasSite)
    if not (scoped and isinstance(scoped.site, SiteState)):  # it knows the site beforehand
        return chosen
    return Enumerated(chosen, scoped.site, ADAPTERS, _recognise)


def _recognise(response: Response) -> list[tuple[str, str]]:
    return [place for place in places(guess(response)) if place[0] not in _LEFT_OUT]


#: Errors that do not pass: they are told at the first answer, without waiting for retries.
_LASTING = frozenset({"dns", "connect", "tls", "private", "fenced"})


class FirstPage:
    """Follows the start URL over robots.txt, retries and redirects to what is there.

    more: other start URLs; what they answer is no sign of life where it is an error.
    """

    def __init__(self, url: str, more: Sequence[str] = ()) -> None:
        self.url = url
        self._more = more
        self._expected = url
        self._robots: Response | None = None
        self._robots_urls: set[str] = set()  # a retry of a robots.txt is not called "robots"
        self._page: Response | None = None
        self._beyond = 0
        self._finds = 0

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Take note of an answer; an error where the host cannot be reached at all."""
        if response.error in _LASTING and not (self._robots or self._page):
            raise UserError(unreachable(response))
        self._finds += len(finds)
        if step.reason.kind == "robots":
            self._robots_urls.add(step.request.url)
        if step.request.url in self._robots_urls:
            self._robots = response
        elif step.request.url == self._expected:
            self._page = response
            if response.redirects:
                self._expected = join(response.url, response.header("location"))
        elif response.ok or step.request.url not in self._more:
            self._beyond += 1

    def complaint(self) -> str:
        """Say why nothing could be had from the start URL; empty where something was."""
        page = self._page
        if self._beyond or self._finds:
            return ""
        if page is None:
            return self._forbidden()
        if page.redirects:
            return self._redirected(page)
        if page.error:
            return unreachable(page)
        from filon.verbs.harvest.notes import barred

        if message := barred(page):
            return message
        if page.status >= 400:
            return f"The start page {page.url} answers {page.status}{phrase(page.status)}."
        if page.mime and "html" not in page.mime:
            return (
                f"{page.url} is a file of the type {page.mime}, which is not asked for: "
                f"add it with --types {page.mime}."
            )
        return ""

    def _forbidden(self) -> str:
        robots = self._robots
        if robots is None:
            return ""
        if robots.error:
            return unreachable(robots)
        if robots.ok:
            why = f"{robots.url} forbids {self.url} to Filon"
        else:
            status = f"{robots.status}{phrase(robots.status)}"
            why = f"{robots.url} answers {status}, which forbids everything"
        return f"{why}; if you have the site's leave, --no-robots harvests it anyway."

    def _redirected(self, page: Response) -> str:
        there = self._expected
        if there and there not in Site(self.url, *self._more):
            return f"{page.url} redirects to another site: try filon harvest {there}"
        return f"{page.url} redirects to {there or page.header('location')!r} and no further."
