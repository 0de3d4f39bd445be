"""`filon enrich` as a process of its own beside Datasette, which pauses and goes on."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.dispatch.child import INTERRUPTED, apart, interrupt
from filon.run import readonly
from filon.run.listing import entry

#: How often it is asked whether the run is still wanted.
LOOK_S = 0.5
#: How long a Datasette that ends waits for a run that saves itself.
SAVE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a run ended. told: what it said of itself. paused: before its end, as it was wanted."""

    code: int
    told: dict[str, Any]
    paused: bool = False

    @property
    def error(self) -> str:
        """What went wrong, in a sentence; "" where nothing did."""
        if self.code in (0, INTERRUPTED):
            return ""
        return str(self.told.get("error") or f"filon enrich ended with exit code {self.code}.")


def is_begun(run: Path) -> bool:
    """Say whether there is a run already, which goes on."""
    return (run / readonly.CONFIG).is_file()


def is_ended(run: Path) -> bool:
    """Say whether a run has done what it was asked for."""
    return is_begun(run) and entry(run).stopped not in ("", "interrupted", "outage")


async def left_alone(run: Path, is_wanted: Callable[[], Awaitable[bool]]) -> bool:
    """Wait for the process of a Datasette that was killed; say whether the run is ours then."""
    while is_begun(run) and readonly.running(run):
        if not await is_wanted():
            return False
        await asyncio.sleep(LOOK_S)
    return True


async def enriched(
    run: Path, arguments: Sequence[str], is_wanted: Callable[[], Awaitable[bool]]
) -> Ended:
    """Begin an enrichment, or go on with it; return when it has ended.

    arguments: of `filon enrich`, without the folder. is_wanted: asked now and then; where it is
    not, the run saves itself.
    """
    words = ["resume", str(run)] if is_begun(run) else ["enrich", *arguments, "--out", str(run)]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "filon", *words, "--json", "--quiet"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        **apart(),
    )
    output = asyncio.create_task(_read(process))
    paused = False
    try:
        while not output.done():
            await asyncio.wait([output], timeout=LOOK_S)
            if not output.done() and not paused and not await is_wanted():
                paused = True
                interrupt(process.pid, own=True)
        code = await process.wait()
    except BaseException:  # Datasette ends: the run saves itself, too
        with suppress(ProcessLookupError, TimeoutError):
            interrupt(process.pid, own=True)
            async with asyncio.timeout(SAVE_S):
                await process.wait()
        raise
    return Ended(code=code, told=_told(await output), paused=paused)


async def _read(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None  # noqa: S101 - it was asked for above
    return await process.stdout.read()


def _told(output: bytes) -> dict[str, Any]:
    """Return the object in the last line."""
    lines = output.decode("utf-8", "replace").strip().splitlines()
    try:
        told = json.loads(lines[-1]) if lines else {}
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
