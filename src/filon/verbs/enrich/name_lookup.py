"""Asks a service for names as they come, within a budget of calls.

What was answered before, to anybody on this machine's account, is at hand and costs nothing. A
batch for which too few calls are left is refused as a whole, before anything is sent: half an
answer would pass for "no such record".
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from filon.core import Budget, Record, Request, UserError, Web
from filon.page.words import keywords
from filon.run.text import counted, plain
from filon.services.source import Source
from filon.verbs.job import keyed
from filon.web.cached import Cache, Cached, cache_path
from filon.web.live import Live, Options, user_agent
from filon.web.polite import Polite

#: Names whose answers are kept in memory; the cache on disk has the others.
KEPT = 2000
#: Problems that pass with time, or with a budget: the client may ask again.
_LATER = ("quota", "down")


class UnaskedError(Exception):
    """A name that could not be asked for. status: as HTTP says it."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def calls_of(budget: str) -> int:
    """Return how many calls a budget allows; a UserError where it says anything else.

    >>> calls_of("200"), calls_of("50req")
    (200, 50)
    """
    bound = Budget.parse(budget)
    if bound.requests is None or bound != Budget(requests=bound.requests):
        raise UserError(f"The budget of a service is a number of calls, as 200: not {budget!r}.")
    return bound.requests


def service_web(source: Source, asked: Mapping[str, Any]) -> Web:
    """Return the network for the calls of one service, at its pace and with its key.

    asked: pace and network by the words of the settings; those that are lacking are as usual.
    """
    options = Options(
        user_agent=user_agent(asked.get("contact", "")),
        connect_to=asked.get("connect_to", ()),
        proxy=asked.get("proxy", ""),
        ca_file=asked.get("ca_file", ""),
        allow_hosts=(source.origin,),
        idle_s=asked.get("timeout", 30.0),
    )
    delay = asked.get("delay")
    pace_s = max(1.0 if delay is None else delay, source.meter.delay_s if delay is None else 0)
    return keyed(Polite(Live(options), delay_s=pace_s), source)


class NameLookup:
    """A service that is asked name by name. calls: so many at most."""

    def __init__(self, source: Source, web: Web, calls: int, cache: Path | None = None) -> None:
        self.source, self.calls, self.spent = source, calls, 0
        self._web = Cached(web, Cache(cache or cache_path()), good=self._is_good)
        self._found: dict[str, Sequence[Record]] = {}
        self._turn = asyncio.Lock()  # two batches must not spend the same call

    def _is_good(self, response: Any) -> bool:
        return not self.source.parse(response).problem

    async def open(self) -> None:
        """Read about a source that must be read about before it can be asked."""
        opening = self.source.opening()
        if opening:
            self.source = self.source.opened(await self._sent(opening))

    async def close(self) -> None:
        """End all connections."""
        await self._web.close()

    async def ask(self, names: Iterable[str]) -> dict[str, Sequence[Record]]:
        """Return the records that the service has for each name; UnaskedError where it cannot."""
        async with self._turn:
            queries = {name: self._query(name) for name in names}
            wanted = [query for query in dict.fromkeys(queries.values()) if query]
            new = [query for query in wanted if query not in self._found]
            self._afford([self.source.request(query) for query in new])
            for query in new:
                self._found[query] = await self._answered(query)
            found = {name: self._found.get(query, ()) for name, query in queries.items()}
            for query in list(self._found)[:-KEPT]:
                del self._found[query]
            return found

    def told(self) -> list[str]:
        """Say what may be spent and was, and the terms of the service."""
        terms = self.source.description.terms
        price, currency = self.source.price, self.source.description.limits.currency
        cost = f", {price * self.calls:g} {currency} at most" if price else ""
        return [
            f"{self.source.name} is asked for each name that is new: "
            f"{self.spent:,} of {counted(self.calls, 'call')} spent{cost}.",
            "What was answered before is at hand and free; suggestions, previews and added columns "
            "never cost a call.",
            *([f"Terms: {terms}"] if terms else []),
        ]

    def _query(self, name: str) -> str:
        """Return the words to ask for: as many as the service takes."""
        words = keywords(name) or name.split()
        while words and not self.source.takes(" ".join(words)):
            words.pop()
        return " ".join(words)

    def _afford(self, requests: Sequence[Request]) -> None:
        costly = [request for request in requests if not self._web.holds(request)]
        left = self.calls - self.spent
        if len(costly) > left:
            raise UnaskedError(
                f"The budget is {counted(self.calls, 'call')}, {left:,} are left, and these names "
                f"need {len(costly):,}: start the service again with a larger --budget. What was "
                "answered stays free.",
                429,
            )

    async def _answered(self, query: str) -> Sequence[Record]:
        answer = self.source.parse(await self._sent(self.source.request(query)))
        if answer.problem:
            why = plain(answer.detail or answer.problem, 200).rstrip(".")
            status = 503 if answer.problem in _LATER else 502
            raise UnaskedError(f"{self.source.name} gives no answer: {why}.", status)
        return answer.records

    async def _sent(self, request: Request) -> Any:
        if not self._web.holds(request):
            self.spent += 1  # spent when it leaves, whatever comes back
        return await self._web.fetch(request)
