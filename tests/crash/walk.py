"""A small web and a strategy for it whose choices depend on everything it was ever asked."""

import asyncio
import json
import os
import random
from pathlib import Path
from typing import Any

from filon.core import Find, Reason, Request, Response, Step

ROOT = "http://maze.test"


class Walk:
    """Picks at random among the known URLs; being asked in vain changes what comes next."""

    def __init__(self, root: str = ROOT) -> None:
        self.known = [f"{root}/0"]
        self.parents = {f"{root}/0": ""}
        self.seen = 0
        self.idles = 0
        self.random = random.Random(7)

    def propose(self) -> Step | None:
        if not self.known:
            self.idles += 1
            self.random.random()
            return None
        url = self.known.pop(self.random.randrange(len(self.known)))
        reason = Reason(kind="link", arm=url[-1], score=self.random.random(), text="of chance")
        return Step(request=Request(url=url), reason=reason, parent=self.parents[url])

    def observe(self, step: Step, response: Response) -> list[Find]:
        self.seen += len(response.body) + response.status
        if response.mime == "text/csv":
            name = step.request.url.rpartition("/")[2] + ".csv"
            mime, parent = "text/csv", step.parent
            return [Find(kind="file", url=response.url, name=name, mime=mime, parent=parent)]
        links = json.loads(response.body)["links"] if response.mime == "text/html" else []
        for link in [*links, *([response.header("location")] if response.redirects else [])]:
            if link not in self.parents:
                self.parents[link] = response.url
                self.known.append(link)
        return []

    def state(self) -> dict[str, Any]:
        version, numbers, _ = self.random.getstate()
        return {
            "version": 1,
            "known": list(self.known),
            "parents": dict(self.parents),
            "seen": self.seen,
            "idles": self.idles,
            "random": [version, list(numbers)],
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.known = list(state["known"])
        self.parents = dict(state["parents"])
        self.seen, self.idles = state["seen"], state["idles"]
        version, numbers = state["random"]
        self.random.setstate((version, tuple(numbers), None))

    def summary(self) -> dict[str, Any]:
        return {"arms": [], "skipped": {}, "known": len(self.parents)}


def answer(number: int, size: int, root: str = ROOT) -> Response:
    """What stands at a number: mostly pages, some files, a few redirects and failures."""
    url = f"{root}/{number}"
    chance = random.Random(number)
    kind = chance.choice(["page"] * 6 + ["file"] * 3 + ["redirect", "missing", "closed"])
    if number < size // 8 or kind == "page":
        numbers = [n for n in (2 * number + 1, 2 * number + 2) if n < size]
        links = [f"{root}/{n}" for n in [*numbers, chance.randrange(size)]]
        body = json.dumps({"links": links, "text": chance.randbytes(2000).hex()}).encode()
        return _ok(url, "text/html", body)
    if kind == "file":
        # Some files are the same, so that one copy must do for several finds.
        return _ok(url, "text/csv", random.Random(number % 50).randbytes(5000))
    if kind == "redirect":
        headers = (("Location", f"{root}/{chance.randrange(size)}"),)
        return Response(url=url, status=302, headers=headers)
    if kind == "missing":
        return Response(url=url, status=404, headers=(("Content-Type", "text/plain"),), body=b"no")
    return Response(url=url, error="closed", detail="in the middle")


def _ok(url: str, mime: str, body: bytes) -> Response:
    size = len(body)
    headers = (("Content-Type", mime), ("Content-Length", str(size)))
    return Response(
        url=url, status=200, headers=headers, body=body, size_bytes=size, wire_bytes=size
    )


class Maze:
    """Answers from `answer`, some sooner and some later, and logs what it was asked."""

    def __init__(self, size: int, log: Path | None = None, wait_s: float = 0.004) -> None:
        self.size = size
        self.wait_s = wait_s
        self._log = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT) if log else None

    async def fetch(self, request: Request) -> Response:
        if self._log is not None:
            os.write(self._log, f"{request.url}\n".encode())
        await asyncio.sleep(random.random() * self.wait_s)
        return answer(int(request.url.rpartition("/")[2]), self.size)

    async def close(self) -> None:
        if self._log is not None:
            os.close(self._log)


class Turns(Maze):
    """Answers one after the other, so that a test knows what is in flight."""

    def __init__(self, size: int) -> None:
        super().__init__(size, wait_s=0)
        self._turn = asyncio.Lock()

    async def fetch(self, request: Request) -> Response:
        async with self._turn:
            await asyncio.sleep(0.001)
            return await super().fetch(request)
