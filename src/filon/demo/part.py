"""A part of `filon demo`: runs of one verb, with the strategies that are compared."""

from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.core.loop import Watch
from filon.run.handle import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One run of a part.

    folder: of the whole demo. name: of the run, in its folder's name and in the output.
    connect_to: leads to the small web.
    """

    folder: Path
    name: str
    connect_to: str
    watch: Watch | None = None

    def settings(self, what: str, strategy: str = "") -> dict[str, Any]:
        """Return what every run of the demo is told. what: its folder's name begins with it."""
        return {
            "strategy": strategy or self.name,
            "out": self.folder / f"{what}{self.name}",
            "delay": 0,
            "connect_to": (self.connect_to,),
            "watch": self.watch,
        }

    def cache(self, what: str) -> str:
        """Return where answers are kept: not with the user's, so that figures stay the same."""
        return str(self.folder / f"{what}-{self.name}.sqlite")


async def ended(run: Awaitable[Run]) -> Path:
    """Return the folder of a run when it has ended."""
    done = await run
    done.close()
    return done.path
