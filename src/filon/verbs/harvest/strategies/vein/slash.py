"""Learns where a site answers /x with a redirect to /x/, and asks for /x/ at once.

By folder: a site may do so in one place and serve /x in another. Where /x/ fails, /x is tried, so
no page is lost; as many failures as successes end the rule, one dead link does not.
"""

from urllib.parse import urlsplit

from filon.core.state import Stateful, version
from filon.verbs.harvest.strategies.vein.features import masked

#: Redirects that make a rule.
ENOUGH = 3


class SlashRule(Stateful):
    """Counts redirects that add a slash; `apply` uses what it knows."""

    STATE = (version(1), "_adds")

    def __init__(self) -> None:
        self._adds: dict[
            str, int
        ] = {}  # by folder: redirects less failures, or -1 where it does not hold

    def note(self, url: str, goal: str) -> None:
        """Take note of where a redirect leads; goal "": the URL was answered as it is."""
        if not _bare(url):
            return
        folder = _folder(url)
        known = self._adds.get(folder, 0)
        if goal == f"{url}/" and known >= 0:
            self._adds[folder] = known + 1
        elif not goal:
            self._adds[folder] = -1

    def apply(self, url: str) -> str:
        """Return the address that a URL is known to redirect to, or the URL itself."""
        if _bare(url) and self._adds.get(_folder(url), 0) >= ENOUGH:
            return f"{url}/"
        return url

    def tried(self, url: str, *, failed: bool) -> None:
        """Take note of how an address by the rule was answered."""
        folder = _folder(url.removesuffix("/"))
        known = self._adds.get(folder, 0)
        if known >= 0:
            self._adds[folder] = max(known - 1, 0) if failed else known + 1


def _bare(url: str) -> bool:
    """A last segment without a dot, no slash after it, no query."""
    parts = urlsplit(url)
    last = parts.path.rpartition("/")[2]
    return bool(last) and "." not in last and not parts.query


def _folder(url: str) -> str:
    return masked(url).rpartition("/")[0]
