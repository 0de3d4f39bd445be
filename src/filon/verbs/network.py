"""How settings become the live web and the account of a run: what every verb does the same."""

from pathlib import Path

from filon.core import Account, Spent
from filon.page.url import split
from filon.verbs.settings import Settings
from filon.web.options import Options, user_agent


def live_options(settings: Settings, url: str, spool_dir: Path) -> Options:
    """Return how the live web is used; the user's headers go to the host of `url` only."""
    timeout_s = settings.timeout
    return Options(
        user_agent=agent(settings),
        connect_to=settings.connect_to,
        allow_hosts=(split(url).hostname or "",),
        origin=url,
        headers=settings.secret_headers(),
        cookies=settings.cookies,
        proxy=settings.proxy_url(),
        ca_file=settings.ca_file,
        insecure=settings.insecure,
        connect_s=timeout_s / 2,
        idle_s=timeout_s,
        head_s=2 * timeout_s,
        spool_dir=str(spool_dir.absolute()),
        connections_per_host=settings.parallel,
    )


def account(settings: Settings, spent: Spent) -> Account:
    """Return the account of the budget, with what earlier sessions have spent."""
    return Account(settings.bound(), settings.parallel, spent)


def agent(settings: Settings) -> str:
    """Return what the run calls itself."""
    return settings.user_agent or user_agent(settings.contact)
