"""What the web answered. A failure is an answer too."""

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal, get_args

#: Why there is no (whole) answer. "fenced", "robots" and "private" were never sent.
ERRORS = frozenset(
    {
        "",
        "bomb",  # decompresses to far more than it should
        "bug",  # it came, and Filon itself failed on it
        "closed",  # the connection ended within the body
        "connect",  # refused, unreachable
        "dns",  # no such host
        "fenced",  # a host that this process may not ask
        "headers",  # too many or too long
        "private",  # an address that the user did not name
        "protocol",  # not HTTP, broken chunks or compression
        "robots",  # robots.txt forbids it
        "timeout",
        "tls",
    }
)
#: The errors that a page may break off with: it has what came of it.
BREAKS_OFF = frozenset({"closed", "protocol", "timeout"})
#: Why a body was not downloaded whole although the server would have sent it.
#: "time": the run's own time was over, or that of the request. Where nothing was sent for it, it
#: was withheld: the loop keeps the step for another session.
CUTS = frozenset({"", "type", "size", "budget", "time"})
#: Whether the request left: "yes", and it is paid for; "cached", the answer was at hand from an
#: earlier run or is on this machine; "withheld", a guard did not let it go (robots.txt, a quota, a
#: host that asked to be left alone). Of the last two nothing was sent, and nothing is spent.
Sent = Literal["yes", "cached", "withheld"]
SENT: tuple[Sent, ...] = get_args(Sent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The answer to one request.

    status: 0 where no HTTP answer came.
    body: decoded; only its beginning where `spool` names a file with the whole; of a page that
        broke off (BREAKS_OFF), what came of it.
    error, cut: one of ERRORS, one of CUTS; `detail` says more, for people.
    size_bytes: the whole body, decoded; the announced length where it was cut after the headers.
    wire_bytes: body bytes received, as sent.
    extra_bytes: what else came in: headers, framing, the handshake of TLS. A budget in bytes counts
        both.
    at_s, took_s: Unix time when the answer was complete; seconds since the request left.
    sent: whether the request left, one of SENT.
    final: a guard has done what can be done about a refusal: nobody within is to ask again.

    >>> Response(url="http://example.org/", headers=(("Content-Type", "text/CSV; x=y"),)).mime
    'text/csv'
    """

    url: str
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    error: str = ""
    detail: str = ""
    cut: str = ""
    size_bytes: int = 0
    wire_bytes: int = 0
    extra_bytes: int = 0
    at_s: float = 0.0
    took_s: float = 0.0
    spool: str = ""
    sent: Sent = "yes"
    final: bool = False

    def __post_init__(self) -> None:
        if self.error not in ERRORS or self.cut not in CUTS:
            raise ValueError(f"unknown error or cut: {self.error!r}, {self.cut!r}")
        if self.sent not in SENT:
            raise ValueError(f"neither sent nor cached nor withheld: {self.sent!r}")

    @property
    def ok(self) -> bool:
        """A success that came whole, or was cut on purpose."""
        return 200 <= self.status < 300 and not self.error

    @property
    def redirects(self) -> bool:
        """The server names another address."""
        return self.status in (300, 301, 302, 303, 307, 308) and bool(self.header("location"))

    @property
    def mime(self) -> str:
        """The media type that the header claims, lower-case, without parameters."""
        return self.header("content-type").partition(";")[0].strip().lower()

    @property
    def retry_after_s(self) -> float | None:
        """The seconds that the server asks to be left alone for; None where it does not say.

        A date is taken by the server's own clock where it tells that: ours may be wrong.
        """
        value = self.header("retry-after").strip()
        if value.isascii() and value.isdigit():
            return float(value)
        until_s, now_s = _date_s(value), _date_s(self.header("date"))
        if until_s is None:
            return None
        return max(0.0, until_s - (self.at_s if now_s is None else now_s))

    def header(self, name: str) -> str:
        """Return the first header of that name (lower-case), or the empty string."""
        for key, value in self.headers:
            if key.lower() == name:
                return value
        return ""


def _date_s(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
