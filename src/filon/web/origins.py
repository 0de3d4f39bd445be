"""Where the requests for an origin go, and what is sent with them: no secret leaves its origin."""

import base64
from dataclasses import dataclass
from urllib.parse import urlsplit
from urllib.request import getproxies

from yarl import URL

from filon.web.address import is_private, literal
from filon.web.decode import ACCEPTED
from filon.web.options import Options

#: Origins are remembered, so that a request costs no more than a look-up; a few suffice.
MAX_ORIGINS = 10_000

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """What is the same for all requests to one origin.

    prefix: the origin that is really asked. host: the name that a certificate must be for, where
    a rule of `--connect-to` leads elsewhere. private: an address that the user did not name.
    """

    prefix: str
    host: str | None
    headers: Headers
    private: bool


class Origins:
    """Every origin that a run asks, each worked out once."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._rules = options.rules()
        self._allowed = frozenset(host.strip("[]").lower() for host in options.allow_hosts)
        self._origin = URL(options.origin) if options.origin else None
        self._known: dict[str, Origin] = {}

    def find(self, prefix: str) -> Origin:
        """Return an origin by the scheme and the authority of a WHATWG URL."""
        origin = self._known.get(prefix)
        if origin is None:
            if len(self._known) >= MAX_ORIGINS:
                self._known.clear()
            origin = self._known[prefix] = self._make(URL(prefix, encoded=True))
        return origin

    @property
    def exempt(self) -> frozenset[str]:
        """The names that the user gave: they may lead to a private address."""
        proxies = [self._options.proxy] if self._options.proxy else []
        if self._options.trust_env:
            proxies += getproxies().values()
        hosts = {urlsplit(proxy).hostname or "" for proxy in proxies}
        return self._allowed | {rule.to_host for rule in self._rules} | hosts

    def _make(self, url: URL) -> Origin:
        headers = self._headers(url)
        host, port = url.raw_host or "", url.port or 0
        for rule in self._rules:
            if target := rule.target(host, port):
                there = f"[{target[0]}]" if ":" in target[0] else target[0]
                headers = (("Host", url.host_port_subcomponent or ""), *headers)
                return Origin(f"{url.scheme}://{there}:{target[1]}", host, headers, False)
        private = bool(literal(host)) and host not in self._allowed and is_private(host)
        return Origin(f"{url.scheme}://{url.host_port_subcomponent}", None, headers, private)

    def _headers(self, url: URL) -> Headers:
        headers = {
            "User-Agent": self._options.user_agent,
            "Accept": "*/*",
            "Accept-Encoding": ACCEPTED,
        }
        if "@" in url.raw_authority:
            secret = f"{url.user or ''}:{url.password or ''}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(secret).decode()}"
        own = self._options.headers if self._is_own(url) else ()
        given = {name.lower() for name, _ in own}
        return (*((n, v) for n, v in headers.items() if n.lower() not in given), *own)

    def _is_own(self, url: URL) -> bool:
        """Say whether the user's own headers are for this origin, or for it before https."""
        origin = self._origin
        if origin is None or origin.raw_host != url.raw_host:
            return False
        if (origin.scheme, origin.port) == (url.scheme, url.port):
            return True
        upgraded = origin.scheme == "http" and url.scheme == "https"
        return upgraded and origin.is_default_port() and url.is_default_port()
