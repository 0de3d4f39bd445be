"""What a run may cost, before it begins: requests, time at its pace, money; how polite it is."""

from dataclasses import dataclass, fields
from typing import Any

from filon.dispatch.hosts import reach
from filon.verbs.registry import VERBS
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb

#: An answer takes about so long, where hosts are not waited for.
_ANSWER_S = 0.3
#: Fewer calls tell nothing of a table, however short.
_LEAST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run may cost.

    requests: at most; None: without bound. seconds: about so long at its pace; None: nobody knows.
    bytes, finds: other bounds. delay_s: between requests to a host. parallel: hosts at a time.
    price: of all calls, in `currency`; 0: nothing. quota: what the service allows, as it says it.
    deviations: where it is less polite or less safe than the defaults, in sentences.
    """

    requests: int | None
    seconds: float | None
    bytes: int | None
    finds: int | None
    delay_s: float
    parallel: int
    robots: bool
    price: float = 0.0
    currency: str = ""
    quota: str = ""
    terms: str = ""
    deviations: tuple[str, ...] = ()


def usual_budget(verb: str, rows: int | None = None) -> str:
    """Return the budget that is proposed for a verb; rows: of the table that is enriched.

    >>> usual_budget("harvest")
    '500'
    """
    most = VERBS.get(verb, Verb).usual_requests
    return str(most if rows is None else max(_LEAST, min(most, rows)))


def estimate(settings: Settings, source: Any = None) -> Estimate:
    """Return what a run under these settings may cost. source: the service that it would call."""
    bound = settings.bound()
    seconds = bound.requests * _each_s(settings) if bound.requests else None
    if bound.seconds is not None:
        seconds = min(seconds, bound.seconds) if seconds is not None else bound.seconds
    limits = source.description.limits if source else None
    return Estimate(
        requests=bound.requests,
        seconds=seconds,
        bytes=bound.bytes,
        finds=bound.finds,
        delay_s=max(0.0, settings.delay),
        parallel=settings.parallel,
        robots=settings.robots,
        price=limits.price * (bound.requests or 0) if limits else 0.0,
        currency=limits.currency if limits else "",
        quota=limits.quota if limits else "",
        terms=source.description.terms if source else "",
        deviations=_deviations(settings),
    )


def _deviations(settings: Settings) -> tuple[str, ...]:
    """Return where it is less polite than usual: what its verb always does is no news."""
    usual = {entry.name: entry.default for entry in fields(settings)}
    always = settings.changed(robots=True) if usual["robots"] is False else settings
    return tuple(always.deviations())


def _each_s(settings: Settings) -> float:
    """Return the time between two requests: a host is spaced, and several may be asked in turn."""
    answer_s, delay_s = _ANSWER_S, max(0.0, settings.delay)
    if reach(settings.config()).roams:
        return max(delay_s, answer_s) / settings.parallel
    return max(delay_s, answer_s / settings.parallel)
