"""Sending requests for one host to another: `--connect-to`, as in curl."""

import re
from dataclasses import dataclass
from typing import Self

from filon.core import UserError

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
