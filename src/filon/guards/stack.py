"""The one place that builds the stack of guards round a strategy.

Each verb says by plain arguments which guards it wants; the order is always this:

                 the loop
      propose │            ▲ observe
              │            │
    ┌─────────▼────────────┴─────────┐  a quota is the affair of all calls, not of one: outermost,
    │ QuotaGuard                     │  so that a retry is counted, and a call that is refused for
    │ ┌────────────────────────────┐ │  the quota is not tried again within
    │ │ HostBackoff                │ │  a host that says "later" is left alone, and others are asked
    │ │ ┌────────────────────────┐ │ │
    │ │ │ OutageGuard            │ │ │  what fails while a host is down does not count as tried
    │ │ │ ┌────────────────────┐ │ │ │
    │ │ │ │ RetryGuard         │ │ │ │  what failed in passing is sent again: a robots.txt too
    │ │ │ │ ┌────────────────┐ │ │ │ │
    │ │ │ │ │ RobotsGuard    │ │ │ │ │  no page without its host's permission
    │ │ │ │ │ ┌────────────┐ │ │ │ │ │
    │ │ │ │ │ │the strategy│ │ │ │ │ │
    └─┴─┴─┴─┴─┴────────────┴─┴─┴─┴─┴─┘

A step goes outward through the guards, and each may hold it, delay it or answer it itself
(`Response.sent` is then "withheld"). An answer goes inward, and each may keep it for itself and
ask again. Every step of the strategy is answered once.
"""

from collections.abc import Collection, Mapping

from filon.core import Strategy
from filon.core.service import Meter
from filon.guards.host_backoff import HostBackoff
from filon.guards.outage import OutageGuard
from filon.guards.quota import QuotaGuard
from filon.guards.retry import RetryGuard
from filon.guards.robots import RobotsGuard
from filon.page.url import origin


def guarded(
    strategy: Strategy,
    *,
    robots: str = "",
    unasked: Collection[str] = (),
    retries: int = 0,
    retry_s: float = 1.0,
    homes: Collection[str] = (),
    host_backoff: bool = False,
    spacing: bool = False,
    questions: Collection[str] = (),
    quota: Meter | Mapping[str, Meter] | None = None,
    calls: Collection[str] = (),
) -> Strategy:
    """Return a strategy within the guards that are asked for.

    robots: the User-Agent whose rules of robots.txt are obeyed; "": robots.txt is not asked.
    unasked: kinds of steps that need no permission, as calls of a service that the user named.
    retries: how often a step that failed in passing is sent again. retry_s: the first wait, which
        is the delay between requests: who asks hundreds of times a second waits less.
    homes: URLs of the hosts without which the run makes no sense: it never ends without them.
    host_backoff: leave hosts alone that ask for it, and go on with others.
    spacing: the same for hosts that name a time between requests (Crawl-delay), until it is over.
    questions: kinds of steps that may as well be asked of another host.
    quota: what services allow, by origin; or what the only service does.
    calls: kinds of steps that count for it; empty: all.
    """
    if robots:
        strategy = RobotsGuard(strategy, robots, exempt=unasked)
    strategy = RetryGuard(strategy, 1 + retries, base_s=retry_s)
    # What failed at the only service, and is not tried again, is waited for like any page.
    alone = isinstance(quota, Mapping) and len(quota) < 2
    elsewhere = () if alone and not retries else questions
    strategy = OutageGuard(
        strategy, map(origin, homes), elsewhere, base_s=retry_s, retried=retries > 0
    )
    if host_backoff:
        strategy = HostBackoff(strategy, questions, spacing=spacing)
    return strategy if quota is None else QuotaGuard(strategy, quota, calls)
