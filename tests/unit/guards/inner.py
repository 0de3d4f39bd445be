"""A tiny strategy to wrap, a loop without a socket, and the checks that wrappers share."""

import json
import random
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from filon.core import Find, Reason, Request, Response, State, Step, Strategy, Summary


class Listed:
    """Proposes a list of URLs in order and remembers all answers."""

    def __init__(self, urls: Sequence[str], method: str = "GET") -> None:
        self._urls = list(urls)
        self._method = method
        self.proposed: list[Step] = []
        self.seen: list[tuple[Step, Response]] = []
        self.count = 0

    def propose(self) -> Step | None:
        if self.count == len(self._urls):
            return None
        url = self._urls[self.count]
        self.count += 1
        request = Request(url=url, method=self._method, unwanted=("image/",))
        reason = Reason(kind="link", arm="7", score=0.5, text="it was listed")
        self.proposed.append(Step(request=request, reason=reason, parent="http://p.org/"))
        return self.proposed[-1]

    def observe(self, step: Step, response: Response) -> list[Find]:
        self.seen.append((step, response))
        return [Find(kind="file", url=response.url)] if response.ok else []

    def state(self) -> State:
        return {"version": 1, "count": self.count}

    def restore(self, state: State) -> None:
        self.count = state["count"]

    def summary(self) -> Summary:
        return {"inner": "listed", "skipped": {"traps": 1}}


def answer(step: Step, says: Mapping[str, Response], at_s: float = 1.0) -> Response:
    """What was written down for a URL; robots.txt is missing and all else a success."""
    url = step.request.url
    default = 404 if url.endswith("/robots.txt") else 200
    return says.get(url) or Response(url=url, status=default, at_s=at_s)


def run(
    strategy: Strategy,
    says: Mapping[str, Response],
    *,
    parallel: int = 1,
    chance: random.Random | None = None,
    most: int = 1000,
) -> list[Step]:
    """Drive a strategy to its end, answers in any order; return its steps."""
    steps: list[Step] = []
    flying: list[Step] = []
    while len(steps) < most:
        while len(flying) < parallel and (step := strategy.propose()):
            steps.append(step)
            flying.append(step)
        if not flying:
            return steps
        step = flying.pop(chance.randrange(len(flying)) if chance else 0)
        strategy.observe(step, answer(step, says, at_s=float(len(steps))))
    raise AssertionError("the strategy does not end")


def thawed(state: State) -> State:
    """A state after a visit to the disk: only plain data survives it."""

    def freeze(thing: Any) -> Any:
        if isinstance(thing, bytes):
            return {"bytes": b64encode(thing).decode()}
        raise TypeError(f"not plain data: {thing!r}")

    def thaw(thing: dict[str, Any]) -> Any:
        return b64decode(thing["bytes"]) if set(thing) == {"bytes"} else thing

    restored: State = json.loads(json.dumps(state, default=freeze), object_hook=thaw)
    return restored
