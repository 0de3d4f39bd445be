"""How the live web is used: identity, bounds, guards. The defaults are the polite and safe ones.

`Rule` sends requests for one host to another: `--connect-to`, as in curl.
"""

import re
from dataclasses import dataclass, field
from typing import Self

from filon.core import UserError
from filon.core.version import __version__
from filon.page.url import split

MIB = 1024 * 1024


def user_agent(contact: str = "") -> str:
    """Return an honest User-Agent: the project's name, its version, and whom to write to.

    >>> user_agent("mailto:me@example.org")  # doctest: +ELLIPSIS
    'filon/... (+mailto:me@example.org)'
    """
    name = f"filon/{__version__}"
    contact = " ".join(contact.split()).strip("()+ ")
    return f"{name} (+{contact})" if contact else name


_HOST = r"(\[[^\]]*\]|[^:\[\]]*)"
_RULE = re.compile(rf"{_HOST}:(\d*):{_HOST}:(\d*)")


@dataclass(frozen=True, slots=True)
class Rule:
    """Requests for the first host and port go to the second; empty parts match all, or stay.

    >>> Rule.parse("a.org:80:127.0.0.1:8080").target("a.org", 80)
    ('127.0.0.1', 8080)
    >>> Rule.parse("::[::1]:").target("a.org", 80)
    ('::1', 80)
    """

    host: str
    port: int
    to_host: str
    to_port: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `HOST1:PORT1:HOST2:PORT2`, IPv6 addresses in brackets."""
        match = _RULE.fullmatch(text.strip())
        ports = [int(port or 0) for port in (match[2], match[4])] if match else [65536]
        if not match or max(ports) > 65535:
            raise UserError(
                f"The rule --connect-to {text!r} is not understood: "
                "write it like HOST1:PORT1:HOST2:PORT2, each part may be empty."
            )
        names = [match[i].strip("[]").lower() for i in (1, 3)]
        return cls(names[0], ports[0], names[1], ports[1])

    def target(self, host: str, port: int) -> tuple[str, int] | None:
        """Return where a request for a host and port goes; None: the rule is not about it."""
        if self.host not in ("", host) or self.port not in (0, port):
            return None
        return self.to_host or host, self.to_port or port


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of the live web.

    connect_to: rules `HOST1:PORT1:HOST2:PORT2`; the first that matches counts.
    allow_hosts: hosts that may have a private address: those that the user named.
    origin, headers: the user's own headers, and the URL they were given for. They go to no other
        host, and not from https to http.
    proxy: the URL of an HTTP proxy; with `trust_env` it is taken from the environment.
    ca_file: root certificates in addition to the system's. insecure: no certificate is checked.
    connect_s, idle_s, head_s: the longest for a connection, between bytes, until the headers end.
    total_s: the longest for a body, plus a second for each 64 KiB of it: slow is not hostile.
    slow_bytes_s, slow_s: a body that brings fewer bytes a second over that time is given up.
    memory_bytes: what is held of a body in memory; the whole is in a file in `spool_dir`.
    max_bytes: the longest body; without `spool_dir`, `memory_bytes` is.
    connections_per_host: 0 for as many as there are requests in flight.
    """

    user_agent: str = field(default_factory=user_agent)
    connect_to: tuple[str, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    origin: str = ""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: bool = True
    proxy: str = field(default="", repr=False)
    trust_env: bool = False
    ca_file: str = ""
    insecure: bool = False
    connect_s: float = 15.0
    idle_s: float = 30.0
    head_s: float = 60.0
    total_s: float = 300.0
    slow_bytes_s: float = 100.0
    slow_s: float = 60.0
    memory_bytes: int = 8 * MIB
    spool_dir: str = ""
    max_bytes: int = 2048 * MIB
    connections_per_host: int = 0

    def __post_init__(self) -> None:
        self.rules()
        if self.headers and not self.origin:
            raise ValueError("headers without the origin that they are for")
        for text in (self.user_agent, *(part for pair in self.headers for part in pair)):
            if not text or not text.isprintable():
                raise UserError("A header's name or value is empty or has control characters.")
        if self.proxy and split(self.proxy).scheme not in ("http", "https"):
            raise UserError("The proxy is not understood: write it like http://HOST:PORT.")

    def rules(self) -> tuple[Rule, ...]:
        """Return the rules of `connect_to`, read."""
        return tuple(Rule.parse(text) for text in self.connect_to)

    @property
    def bound_bytes(self) -> int:
        """The longest body that is taken."""
        return self.max_bytes if self.spool_dir else min(self.memory_bytes, self.max_bytes)
