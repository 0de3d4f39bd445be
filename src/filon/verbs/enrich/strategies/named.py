"""Puts the words of a query into the reason of its step, so that the ledger can tell them.

A request says them too, but each service in its own way. `Heard` listens at the provider what is
asked; `Named` names the step after it.
"""

from dataclasses import replace

from filon.core import Answer, Find, Provider, Request, Response, State, Step, Strategy, Summary

#: A longer query is shortened in the ledger: the words that matter come first.
LONGEST = 200


class Heard:
    """A provider that does what another does, and remembers the words of the last queries."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self._queries: dict[Request, str] = {}

    @property
    def name(self) -> str:
        """What people call the service."""
        return self.provider.name

    @property
    def page_size(self) -> int:
        """How many records one answer brings at most."""
        return self.provider.page_size

    @property
    def joins(self) -> str:
        """How the words of a query are joined."""
        return self.provider.joins

    def takes(self, query: str) -> bool:
        """Say whether the service takes a query."""
        return self.provider.takes(query)

    def request(self, query: str, page: str = "") -> Request:
        """Return the request for a page of a query's results."""
        request = self.provider.request(query, page)
        self._queries[request] = query
        return request

    def parse(self, response: Response) -> Answer:
        """Return what an answer holds."""
        return self.provider.parse(response)

    def asked(self, request: Request) -> str:
        """Return the words of a query, once: what was only tried out is forgotten with it."""
        query = self._queries.get(request, "")
        self._queries.clear()
        return query


class Named:
    """A strategy whose steps bear the words of their queries as arms."""

    def __init__(self, inner: Strategy, heard: Heard) -> None:
        self._inner = inner
        self._heard = heard

    def propose(self) -> Step | None:
        """Return the inner strategy's step under the name of its query."""
        step = self._inner.propose()
        query = self._heard.asked(step.request) if step else ""
        if step is None or not query:
            return step
        return replace(step, reason=replace(step.reason, arm=query[:LONGEST]))

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Hand the answer on."""
        return self._inner.observe(step, response)

    def state(self) -> State:
        """Return the inner strategy's state."""
        return self._inner.state()

    def restore(self, state: State) -> None:
        """Go on from there."""
        self._inner.restore(state)

    def summary(self) -> Summary:
        """Return the inner strategy's summary."""
        return self._inner.summary()
