"""The live web over aiohttp: one request out, one Response back, whatever happens.

Redirects are not followed and nothing is sent twice: each hop and each retry is a step that the
loop sees and pays for. What failed has no body: only what came whole, or was cut on purpose.
`Origins` says where the requests for an origin go and what is sent with them, `Cookies` keeps what
it sets: no secret leaves its origin. `Options` are how it is used: identity, bounds, guards; the
defaults are the polite and safe ones.
"""

import asyncio
import base64
import errno
import os
import re
import ssl
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Self
from urllib.request import getproxies

import ada_url
import aiohttp
from aiohttp import ClientHandlerType, ClientRequest, ClientResponse, ClientTimeout
from multidict import CIMultiDict
from yarl import URL

from filon.core import Request, Response, UserError
from filon.core.response import BREAKS_OFF
from filon.core.version import __version__
from filon.page.url import origin as origin_of
from filon.page.url import split
from filon.web.address import Resolver, is_private, literal
from filon.web.body import Parts
from filon.web.connection import Connector, current
from filon.web.cookies import Cookies
from filon.web.decode import ACCEPTED
from filon.web.exchange import FAILURES, Exchange, LostError, NoRoomError, explain, receive
from filon.web.machine import lacking, raise_if_machine, raise_if_no_descriptor
from filon.web.masking import MASK, Mask, secrets_of

if TYPE_CHECKING:  # most processes have none
    from filon.web.fence import Fence

MIB = 1024 * 1024
#: Names the hosts that a process may ask at the most: see `filon.web.fence`.
ONLY_HOSTS = "FILON_ONLY_HOSTS"
_HOST = r"(\[[^\]]*\]|[^:\[\]]*)"
_RULE = re.compile(rf"{_HOST}:(\d*):{_HOST}:(\d*)")


def user_agent(contact: str = "") -> str:
    """Return an honest User-Agent: the project's name, its version, and whom to write to.

    >>> user_agent("mailto:me@example.org")  # doctest: +ELLIPSIS
    'filon/... (+mailto:me@example.org)'
    """
    name = f"filon/{__version__}"
    contact = " ".join(contact.split()).strip("()+ ")
    return f"{name} (+{contact})" if contact else name


def _fence() -> "Fence | None":
    """Return the fence round this process; None where there is none."""
    text = os.environ.get(ONLY_HOSTS)
    if text is None:
        return None
    from filon.web.fence import Fence

    return Fence.parse(text)


@dataclass(frozen=True, slots=True)
class Rule:
    """Requests for the first host and port go to the second, by --connect-to, as in curl.

    Empty parts match all, or stay.

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
    allow_hosts: what may have a private address, as the user named it: a URL, which stands for its
        host and port (of http without one, that of https too), or a host, for all of its ports.
    origin, headers: the user's own headers, and the URL they were given for. They go to no other
        host, and not from https to http.
    cookie_file: cookies to begin with, as browsers and curl write them (Netscape's format).
    proxy: the URL of an HTTP proxy; with `trust_env` it is taken from the environment.
    ca_file: root certificates in addition to the system's. insecure: no certificate is checked.
    connect_s, idle_s, head_s: the longest for a connection, between bytes, until the headers end.
    total_s: the longest for a body, plus a second for each 64 KiB of it: slow is not hostile.
    slow_bytes_s, slow_s: a body that brings fewer bytes a second over that time is given up.
    memory_bytes: what is held of a body in memory; the whole is in a file in `spool_dir`.
    max_bytes: the longest body; without `spool_dir`, `memory_bytes` is.
    connections_per_host: 0 for as many as there are requests in flight.
    fence: the hosts that may be asked at the most; None: all.
    gate: called just before a request leaves; what it raises keeps it from that, and is raised.
    """

    user_agent: str = field(default_factory=user_agent)
    connect_to: tuple[str, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    origin: str = ""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: bool = True
    cookie_file: str = ""
    proxy: str = field(default="", repr=False)
    trust_env: bool = False
    ca_file: str = ""
    insecure: bool = False
    connect_s: float = 15.0
    idle_s: float = 30.0
    head_s: float = 60.0
    total_s: float = 300.0
    max_bytes: int = 2048 * MIB
    slow_bytes_s: float = 100.0
    slow_s: float = 60.0
    memory_bytes: int = 8 * MIB
    spool_dir: str = ""
    connections_per_host: int = 0
    fence: "Fence | None" = field(default_factory=_fence)
    gate: Callable[[], None] | None = None

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


#: Content-Security-Policy alone goes beyond 8 KiB on real sites; nothing honest needs more.
FIELD_BYTES, FIELDS = 64 * 1024, 256
#: An address is looked up again after this time, within a run of hours.
DNS_S = 60
#: Origins are remembered, so that a request costs no more than a look-up; a few suffice.
MAX_ORIGINS = 10_000

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """What is the same for all requests to one origin.

    prefix: the origin that is really asked. host: the name that a certificate must be for, where
    a rule of `--connect-to` leads elsewhere. private: an address that the user did not name.
    fenced: it may not be asked by this process.
    """

    prefix: str
    host: str | None
    headers: Headers
    private: bool
    fenced: bool = False


class Live:
    """The web, live. It must be used and closed within one event loop."""

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        self._origins = Origins(self.options)
        if self.options.cookies and self.options.cookie_file:
            self._cookies = Cookies(self.options.cookie_file)  # a damaged file is told at once
        self._tls = _tls(self.options)
        self._session: aiohttp.ClientSession | None = None

    @cached_property
    def _cookies(self) -> Cookies | None:
        return Cookies() if self.options.cookies else None

    @cached_property
    def _parts(self) -> Parts:
        return Parts()

    @cached_property
    def _mask(self) -> Mask:
        """Made before the first request leaves: the jar has taken over the given cookies then."""
        given = [*self.options.headers, *(self._cookies.given if self._cookies else ())]
        return Mask(dict.fromkeys(secrets_of(given, self.options.proxy), MASK))

    async def fetch(self, request: Request) -> Response:
        """Answer a request. A remote failure is a Response, never an exception."""
        mask = self._mask
        return mask.response(await self._fetch(request))

    async def _fetch(self, request: Request) -> Response:
        exchange = Exchange(request)
        current.set(exchange)
        head_s = exchange.began_s + self.options.head_s
        try:
            async with asyncio.timeout_at(min(head_s, exchange.end_s)) as exchange.clock:
                return await self._send(exchange)
        except MemoryError as problem:
            raise lacking(errno.ENOMEM) from problem
        except FAILURES as problem:
            raise_if_machine(problem)
            if isinstance(problem, aiohttp.ClientConnectorDNSError):
                raise_if_no_descriptor()
            is_over = exchange.is_over()
            if exchange.status and is_over:  # the run's own time is up: nobody's failure
                return exchange.end(cut="time", size_bytes=exchange.announced_bytes)
            error, detail = explain(problem)
            cut = "budget" if isinstance(problem, NoRoomError) else ""
            stayed = is_over and not exchange.has_left  # there was no connection in time
            begun = exchange.begun if error in BREAKS_OFF else b""
            return exchange.end(
                body=begun,
                size_bytes=max(exchange.announced_bytes, len(begun)) if begun else 0,
                error=error,
                detail=detail,
                cut="time" if is_over else cut,
                sent="withheld" if error == "private" or stayed else "yes",
            )

    def allow(self, url: str) -> None:
        """Let a host that the user named later have a private address: see `Options`."""
        self._origins.allow(url)

    async def close(self) -> None:
        """Let go of the connections, and of what is kept."""
        self._parts.close()
        if self._session:
            await self._session.close()

    async def _send(self, exchange: Exchange) -> Response:
        request = exchange.request
        try:
            url = ada_url.normalize_url(request.url).partition("#")[0]
            path_at = url.index("/", len("https://"))
            origin = self._origins.find(url[:path_at])
        except ValueError:
            return exchange.end(
                error="protocol", detail="This is not a URL that can be fetched.", sent="withheld"
            )
        if origin.fenced:
            return exchange.end(
                error="fenced", detail="The host is not among the allowed ones.", sent="withheld"
            )
        if origin.private:
            return exchange.end(
                error="private", detail="The host is a private address.", sent="withheld"
            )
        answer = await self._open().request(
            request.method,
            URL(origin.prefix + url[path_at:], encoded=True),
            headers=self._headers(request, origin, url),
            data=request.body or None,
            allow_redirects=False,
            server_hostname=origin.host,
        )
        try:
            if self._cookies and "Set-Cookie" in answer.headers:
                self._cookies.keep(answer.headers.getall("Set-Cookie"), url)
            exchange.begin(answer.status, answer.raw_headers, answer.content)
            return await receive(exchange, answer, self.options, self._parts)
        finally:
            answer.release()  # an answer that was not read to its end closes its connection

    def _headers(self, request: Request, origin: Origin, url: str) -> CIMultiDict[str]:
        headers = CIMultiDict(origin.headers)
        if self._cookies and (cookies := self._cookies.header(url)):
            headers["Cookie"] = cookies
        if request.headers:
            headers.update(request.headers)
        headers.update(self._parts.asking(request))
        return headers

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            options = self.options
            self._session = aiohttp.ClientSession(
                connector=Connector(
                    self.options.gate,
                    resolver=Resolver(self._origins.exempt, options.connect_s),
                    ssl=self._tls,
                    limit=0,
                    limit_per_host=options.connections_per_host,
                    ttl_dns_cache=DNS_S,
                ),
                timeout=ClientTimeout(
                    total=None, sock_connect=options.connect_s, sock_read=options.idle_s
                ),
                cookie_jar=aiohttp.DummyCookieJar(),  # ours goes by the host's real name
                auto_decompress=False,
                proxy=options.proxy or None,
                trust_env=options.trust_env,
                max_line_size=FIELD_BYTES,
                max_field_size=FIELD_BYTES,
                max_headers=FIELDS,
                middlewares=(_once,),
            )
        return self._session


async def _once(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    """Keep aiohttp from sending a request again by itself: the server would count two."""
    try:
        return await send(request)
    except (aiohttp.ClientConnectorError, TimeoutError):
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as problem:
        raise LostError from problem


def _tls(options: Options) -> ssl.SSLContext | bool:
    if options.insecure:
        return False
    if not options.ca_file:
        return True
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_verify_locations(options.ca_file)
    except OSError as problem:  # ssl.SSLError is one
        raise UserError(
            f"The root certificates in {options.ca_file!r} cannot be read: "
            f"{problem.strerror or 'not PEM'}."
        ) from None
    return context


class Origins:
    """Every origin that a run asks, each worked out once."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._rules = options.rules()
        named = frozenset(chain.from_iterable(map(_places, options.allow_hosts)))
        fence = options.fence
        self._allowed = {place for place in named if not fence or fence.names(*place)}
        self._exempt: set[tuple[str, int]] | None = None
        self._origin = URL(options.origin) if options.origin else None
        self._known: dict[str, Origin] = {}

    def allow(self, url: str) -> None:
        """Let what a URL stands for have a private address; unless a fence is in between."""
        fence = self._options.fence
        places = {place for place in _places(url) if not fence or fence.names(*place)}
        if places <= self._allowed:
            return
        self._allowed |= places
        self._known.clear()
        if self._exempt is not None:
            self._exempt |= places

    def find(self, prefix: str) -> Origin:
        """Return an origin by the scheme and the authority of a WHATWG URL."""
        origin = self._known.get(prefix)
        if origin is None:
            if len(self._known) >= MAX_ORIGINS:
                self._known.clear()
            url = URL(prefix, encoded=True)
            origin = self._fenced(url) or self._make(url)
            self._known[prefix] = origin
        return origin

    def _fenced(self, url: URL) -> Origin | None:
        """Return an origin that may not be asked; None where it may."""
        fence = self._options.fence
        if fence is None or fence.lets(url.raw_host or "", url.port or 0):
            return None
        return Origin(str(url), None, (), private=False, fenced=True)

    @property
    def exempt(self) -> Set[tuple[str, int]]:
        """The hosts that the user named, which may be at a private address, and at which port.

        The target of a rule is one service of its host: what else is there was not meant.
        """
        if self._exempt is None:
            proxies = [self._options.proxy] if self._options.proxy else []
            if self._options.trust_env:
                proxies += getproxies().values()
            targets = {(rule.to_host, rule.to_port or rule.port) for rule in self._rules}
            self._exempt = self._allowed | targets | set(map(_listening, proxies))
        return self._exempt

    def _make(self, url: URL) -> Origin:
        headers = self._headers(url)
        host, port = url.raw_host or "", url.port or 0
        for rule in self._rules:
            if target := rule.target(host, port):
                there = f"[{target[0]}]" if ":" in target[0] else target[0]
                headers = (("Host", url.host_port_subcomponent or ""), *headers)
                private = not rule.to_host and self._is_private(host, target[1])
                return Origin(f"{url.scheme}://{there}:{target[1]}", host, headers, private)
        there = f"{url.scheme}://{url.host_port_subcomponent}"
        return Origin(there, None, headers, self._is_private(host, port))

    def _is_private(self, host: str, port: int) -> bool:
        """Say whether a host is a private address that nobody named, at this port."""
        named = not self._allowed.isdisjoint({(host, port), (host, 0)})
        return bool(literal(host)) and not named and is_private(host)

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


def _places(named: str) -> set[tuple[str, int]]:
    """Return host and ports that an item of `allow_hosts` stands for; 0 for all ports."""
    if "://" not in named:
        return {(named.strip("[]").lower(), 0)}
    try:
        url = URL(origin_of(named))
        host, port = url.raw_host or "", url.port or 0
    except ValueError:  # nothing that could be asked
        return set()
    return {(host, port), (host, 443 if port == 80 else port)}


def _listening(proxy: str) -> tuple[str, int]:
    """Return the host and port of a proxy."""
    parts = split(proxy)
    try:
        return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:  # no port that can be
        return "", 0
