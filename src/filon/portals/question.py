"""Portals that are known by their answer to one question in JSON."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from filon.core import Request, Response
from filon.portals.addresses import ask, before
from filon.portals.tolerant import parsed
from filon.portals.trouble import trouble


class Questioned(ABC):
    """Asks the question, and finds the portal's root by where it was answered.

    api: the path behind the root. question: the rest of the path. asked: its parameters.
    """

    api: ClassVar[str]
    question: ClassVar[str] = ""
    asked: ClassVar[Mapping[str, int]] = {}

    def confirm(self, root: str) -> Request:
        """Ask the question at a root."""
        return ask(f"{root}{self.api}{self.question}", **self.asked)

    def confirmed(self, response: Response) -> str:
        """Return the root of the portal; "" where another answered."""
        reply = parsed(response) if not trouble(response) else None
        return before(response.url, self.api) if self.fits(reply) else ""

    @abstractmethod
    def fits(self, reply: Any) -> bool:
        """Say whether this software answers so; None: it was no answer."""
