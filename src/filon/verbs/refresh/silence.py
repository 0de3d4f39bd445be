"""Whether anything answered in a round at all: where nothing did, there was no look."""

from collections.abc import Sequence

from filon.core import Find, Response, Step
from filon.verbs.unreachable import phrase, unreachable


class Silence:
    """Follows the answers of a round until one tells something."""

    def __init__(self) -> None:
        self._robots: Response | None = None
        self._failed: Response | None = None
        self._is_over = False

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Take note of an answer."""
        if response.url.endswith("/robots.txt"):
            self._robots = response
        elif response.error or response.status >= 500:
            self._failed = self._failed or response
        else:
            self._is_over = True

    def complaint(self) -> str:
        """Say why nothing could be looked at; empty where something was."""
        failed = self._failed or self._robots
        if self._is_over or failed is None:
            return ""
        if failed.error:
            return unreachable(failed)
        told = f"{failed.url} answers {failed.status}{phrase(failed.status)}"
        if failed is not self._robots:
            return f"{told}, and nothing else is to be had either."
        if failed.status >= 500 or failed.status == 429:
            return f"{told}, which forbids everything."
        return f"{failed.url} forbids all that was known." if failed.ok else ""
