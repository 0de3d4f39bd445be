"""What a recorded site really holds."""

from collections.abc import Iterable
from typing import Protocol


class Truth(Protocol):
    """Tells what no crawler of a live site can know."""

    def kind(self, url: str) -> str:
        """Return "html", "target", "other", "error" or "redirect"."""

    def targets(self) -> Iterable[str]:
        """Return the URLs of all targets."""

    def leads(self, url: str) -> Iterable[str]:
        """Return where the links of a page lead, or a redirect."""
