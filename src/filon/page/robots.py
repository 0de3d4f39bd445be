"""robots.txt, as RFC 9309 reads it. Protego matches the patterns; what it reads otherwise than
the RFC is put right before it sees the text.

What an answer means (section 2.3.1): a success is parsed, whatever it is (a page of HTML has no
rules, so all is allowed); "unavailable" (4xx, or redirects that lead nowhere) allows all;
"unreachable" (5xx, no answer) forbids all. 429 counts as unreachable: a server that asks for less
has not said yes.
"""

import codecs
import re
from typing import Self

from protego import Protego

from filon.page.url import parse

#: The least that the RFC lets a crawler read.
MAX_BYTES = 500 * 1024
#: Sites that ask for more would be visited for years; this is as slow as a person reads.
MAX_DELAY_S = 60.0

_LINE = re.compile(r"\r\n|\r|\n")
_AGENT = re.compile(r"\s*user[-\s]?agent\s*:?\s*([^\s/#]+)", re.IGNORECASE)
# What Protego knows, its tolerated misspellings included. Other lines must not end a group.
_KNOWN = re.compile(
    r"\s*(?:dis|dia|allow|site-?map|crawl[-\s]delay|request[-\s]rate|host)", re.IGNORECASE
)


class Robots:
    """What a host lets crawlers do.

    >>> robots = Robots.parse(200, b"User-agent: *\\nDisallow: /private/\\nCrawl-delay: 2")
    >>> robots.allows("http://example.org/private/a", "filon"), robots.delay_s("filon")
    (False, 2.0)
    >>> Robots.parse(503, b"").allows("http://example.org/", "filon")
    False
    """

    __slots__ = ("_rules", "outcome")

    def __init__(self, outcome: str, rules: Protego | None = None) -> None:
        self.outcome = outcome  #: "read", "unavailable" or "unreachable"
        self._rules = rules

    @classmethod
    def parse(cls, status: int, body: bytes, *, error: str = "") -> Self:
        """Read the answer to a request for robots.txt.

        error: as in `Response.error`: why there is no whole answer.
        """
        if error or status == 0 or status == 429 or status >= 500:
            return cls("unreachable")
        if not 200 <= status < 300:
            return cls("unavailable")
        return cls("read", Protego.parse(_plain(_text(body[:MAX_BYTES]))))

    def allows(self, url: str, agent: str) -> bool:
        """Say whether a crawler may ask for a URL; robots.txt itself it always may."""
        if self._rules is None:
            return self.outcome == "unavailable"
        # Rules are compared with what goes over the wire: percent-encoded.
        return self._rules.can_fetch(parse(url) or url, _token(agent))

    def delay_s(self, agent: str) -> float:
        """Return the seconds between requests that the host asks for; 0 if it asks for none."""
        if self._rules is None:
            return 0.0
        delay_s = self._rules.crawl_delay(_token(agent)) or 0.0
        if rate := self._rules.request_rate(_token(agent)):
            delay_s = max(delay_s, rate.seconds / rate.requests)
        return min(delay_s, MAX_DELAY_S)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps that the host names, as it writes them."""
        return tuple(self._rules.sitemaps) if self._rules else ()


def _text(body: bytes) -> str:
    """Return a robots.txt as text: UTF-8, as the RFC wants it, or what its first bytes say."""
    wide = body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return body.decode("utf-16" if wide else "utf-8", "replace").removeprefix("\ufeff")


def _plain(text: str) -> str:
    """Rewrite a robots.txt so that Protego reads what the RFC does.

    A group is for a product token, compared whole: "Foo Bar" and "Foo/1.0" mean "foo", and "foo"
    does not mean "foobot". Protego looks for a part; in brackets the whole is the only part.
    """
    lines: list[str] = []
    for line in _LINE.split(text):
        if match := _AGENT.match(line):
            name = match[1].lower()
            lines.append(f"User-agent: {name if name == '*' else _bracketed(name)}")
        elif _KNOWN.match(line):
            lines.append(line)
    return "\n".join(lines)


def _token(agent: str) -> str:
    """Return a product token as Protego is to look for it; only "*" fits what is none."""
    name = agent.partition("/")[0].strip().lower()
    return _bracketed(name) if name and " " not in name else "*"


def _bracketed(name: str) -> str:
    return "<" + name.replace("*", "") + ">"
