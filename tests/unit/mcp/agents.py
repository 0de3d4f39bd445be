"""An agent on the SDK's own client, before a workspace whose processes are only written down."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client, MCPError
from mcp.types import TextContent

from filon.mcp.limits import Limits
from filon.mcp.server import FilonServer
from filon.mcp.workspace import Workspace
from patience import PATIENCE_S

R = TypeVar("R")
_MARKED = re.compile(r"⟦web-data (\w+)⟧\n(.*)\n⟦end of web-data \1⟧", re.S)


class Process:
    """A process that is at work until it is told otherwise."""

    code: int | None

    def __init__(self, words: Sequence[str]) -> None:
        self.words, self.code = list(words), None
        self.pid = 2**30  # nobody's

    def poll(self) -> int | None:
        return self.code


class Answer:
    """What a tool said: ours is our own text, data what is between the marks."""

    def __init__(self, texts: Sequence[str], is_error: bool) -> None:
        self.text, self.is_error = "\n".join(texts), is_error
        self.ours = _MARKED.sub("", self.text)
        marked = _MARKED.search(self.text)
        self.data: Any = json.loads(marked[2]) if marked else None


class Agent:
    """Calls tools and reads resources, as any client does."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> Answer:
        told = await self.client.call_tool(tool, arguments)
        texts = [one.text for one in told.content if isinstance(one, TextContent)]
        return Answer(texts, bool(told.is_error))

    async def read(self, uri: str) -> Answer:
        try:
            told = await self.client.read_resource(uri)
        except MCPError as error:
            return Answer([str(error)], True)
        return Answer([getattr(one, "text", "") for one in told.contents], False)


class House:
    """A workspace with limits, the commands that were begun, and what an agent gets out of it."""

    def __init__(self, folder: Path, **said: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        said = {"folder": "runs", "hosts": ["a.test"], **said}
        self.limits = Limits.read(said, folder / "mcp.toml")
        self.begun: list[Process] = []
        waits = {"query_s": PATIENCE_S, "patience_s": PATIENCE_S}
        self.workspace = Workspace(self.limits, self._begin, **waits)

    def _begin(self, words: Sequence[str], log: Path) -> Process:
        self.begun.append(Process(words))
        return self.begun[-1]

    @property
    def commands(self) -> list[str]:
        return [" ".join(process.words) for process in self.begun]

    def budgets(self) -> list[str]:
        return [one.words[one.words.index("--budget") + 1] for one in self.begun]

    def asked(self, visit: Callable[[Agent], Awaitable[R]]) -> R:
        """Return what an agent finds out over the SDK's client, within this process."""

        async def go() -> R:
            async with Client(FilonServer(self.workspace)) as client:
                return await visit(Agent(client))

        return asyncio.run(go())

    def call(self, tool: str, **arguments: Any) -> Answer:
        return self.asked(lambda agent: agent.call(tool, **arguments))

    def read(self, uri: str) -> Answer:
        return self.asked(lambda agent: agent.read(uri))
