"""The hosts that a process may ask, at the very most, whatever it is told to do.

Who begins a process for somebody who is not to be trusted says so in its environment, in
FILON_ONLY_HOSTS with commas or spaces between (empty: nothing gets out), and nothing within can
widen it: every request leaves through the live web, redirects and services too. A host
is named as example.org, which is its ports 80 and 443, example.org:8080 for another one,
*.example.org for those below it, or * for all. Only who is named in full may be at a private
address: a name below one that is allowed may lead anywhere.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import ada_url

from filon.core import UserError
from filon.page.url import split

_USUAL = frozenset({80, 443})
_WORD = re.compile(r"(\*|(?:\*\.)?[^\s,/?#@:*\[\]]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?")


@dataclass(frozen=True, slots=True)
class Fence:
    """Hosts with their ports; names: those in full, below: the domains whose hosts are allowed.

    >>> fence = Fence.parse("example.org, *.data.test:8080")
    >>> fence.lets("example.org", 443), fence.lets("example.org", 8080), fence.lets("a.test", 80)
    (True, False, False)
    >>> fence.lets("a.data.test", 8080), fence.names("a.data.test", 8080)
    (True, False)
    """

    hosts: frozenset[tuple[str, int]] = frozenset()
    below: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a list of hosts; a UserError where one is none."""
        return cls.of(text.replace(",", " ").split())

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """Read hosts; a UserError where one is none."""
        hosts: set[tuple[str, int]] = set()
        below: set[tuple[str, int]] = set()
        for word in words:
            name, ports = _read(word)
            kind = below if name.startswith("*") else hosts
            kind.update((name.removeprefix("*").removeprefix("."), port) for port in ports)
        return cls(frozenset(hosts), frozenset(below))

    def names(self, host: str, port: int) -> bool:
        """Say whether a host is named in full."""
        return (host, port) in self.hosts

    def lets(self, host: str, port: int) -> bool:
        """Say whether a host may be asked."""
        if self.names(host, port):
            return True
        parts = host.split(".")
        above = (".".join(parts[at:]) for at in range(1, len(parts)))
        return any((name, port) in self.below for name in (*above, ""))

    def lets_url(self, url: str) -> bool:
        """Say whether what a URL names may be asked."""
        try:
            parts = split(ada_url.normalize_url(url))
            port = parts.port or {"http": 80, "https": 443}[parts.scheme]
        except (ValueError, KeyError):
            return False
        return self.lets(parts.hostname or "", port)


def _read(word: str) -> tuple[str, frozenset[int]]:
    """Return a host as URLs have it, and its ports."""
    match = _WORD.fullmatch(word)
    port = int(match[2]) if match and match[2] else 0
    if not match or port > 65535:
        raise UserError(
            f"{word!r} is no host: write it like example.org, *.example.org or example.org:8080."
        )
    stars = "*." if match[1].startswith("*.") else ""
    name = match[1].removeprefix("*.")
    if name != "*":
        try:
            name = split(ada_url.normalize_url(f"http://{name}/")).hostname or ""
        except ValueError:
            raise UserError(f"{word!r} is no host: write it like example.org.") from None
    return stars + name, frozenset({port}) if port else _USUAL
