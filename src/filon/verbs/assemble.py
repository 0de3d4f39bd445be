"""Puts the parts of a harvest together: strategy, web and account, from the settings."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from filon.core import Account, Spent, Strategy, Web
from filon.page.types import Types
from filon.providers.portals import ADAPTERS
from filon.providers.portals.fingerprint import guess, places
from filon.strategies.harvest import build
from filon.strategies.harvest.brief import Brief
from filon.strategies.harvest.portal import Enumerated
from filon.strategies.harvest.territory import Territory
from filon.strategies.patience import Patient
from filon.strategies.robots import Obedient
from filon.verbs.network import Network
from filon.verbs.settings import Settings
from filon.verbs.urlrules import url_rules
from filon.web.live import Live
from filon.web.options import Options, user_agent
from filon.web.polite import Polite

#: Markup and sitemaps are on the pages that a strategy reads anyway; the records of OAI-PMH and
#: CSW seldom name files.
_PORTALS = {
    name: adapter
    for name, adapter in ADAPTERS.items()
    if name not in ("schema.org", "sitemap", "oai-pmh", "csw")
}


def strategy(settings: Settings) -> Strategy:
    """Return the strategy, with an eye for portals, obedient to robots.txt, and patient.

    Patience is outermost: a robots.txt that fails is asked for again like any page. It waits in
    proportion to the delay: who asks hundreds of times a second cannot do without a page for long.
    """
    brief = Brief(
        start=settings.url,
        types=Types.parse(settings.types),
        seed=settings.seed,
        stop=settings.stop,
        options=settings.options,
        rules=url_rules(settings.url_rules),
        cost=settings.cost(),
    )
    chosen = build(settings.strategy, brief)
    if settings.portals:
        chosen = with_portals(chosen)
    if settings.robots:
        chosen = Obedient(chosen, agent(settings))
    return Patient(chosen, 1 + settings.retries, base_s=settings.delay_s)


def with_portals(chosen: Strategy) -> Strategy:
    """Return a harvest strategy with an eye for portals."""
    territory = getattr(chosen, "territory", None)
    if not isinstance(territory, Territory):  # it knows the site beforehand, and all its files
        return chosen
    return Enumerated(chosen, territory, _PORTALS, lambda response: places(guess(response)))


def web(settings: Settings, spool_dir: Path) -> Web:
    """Return the live web, with the spacing that was asked for."""
    options = live_options(settings, settings.url, spool_dir)
    if settings.max_bytes:
        options = replace(options, max_bytes=settings.max_bytes)
    return Polite(Live(options), delay_s=settings.delay_s, per_host=settings.parallel)


def live_options(settings: Network, url: str, spool_dir: Path) -> Options:
    """Return how the live web is used; the user's headers go to the host of `url` only."""
    timeout_s = settings.timeout_s
    return Options(
        user_agent=agent(settings),
        connect_to=settings.connect_to,
        allow_hosts=(urlsplit(url).hostname or "",),
        origin=url,
        headers=settings.secret_headers(),
        cookies=settings.cookie_jar,
        proxy=settings.proxy_url(),
        ca_file=settings.ca_file,
        insecure=not settings.verify_tls,
        connect_s=timeout_s / 2,
        idle_s=timeout_s,
        head_s=2 * timeout_s,
        spool_dir=str(spool_dir.absolute()),
        connections_per_host=settings.parallel,
    )


def account(settings: Network, spent: Spent) -> Account:
    """Return the account of the budget, with what earlier sittings have spent."""
    return Account(settings.bound(), settings.parallel, spent)


def agent(settings: Network) -> str:
    """Return what the run calls itself."""
    return settings.user_agent or user_agent(settings.contact)
