"""The live web over aiohttp: one request out, one Response back, whatever happens.

Redirects are not followed and nothing is sent twice: each hop and each retry is a step that the
loop sees and pays for. A body is there only where it came whole.
"""

import asyncio
import ssl
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING

import ada_url
import aiohttp
from aiohttp import ClientHandlerType, ClientRequest, ClientResponse, ClientTimeout
from yarl import URL

from filon.core import Request, Response, UserError
from filon.web.address import Resolver, is_private, literal
from filon.web.failure import FAILURES, LostError, explain
from filon.web.headers import Sender
from filon.web.options import Options
from filon.web.receive import receive
from filon.web.trip import Trip

if TYPE_CHECKING:
    from aiohttp.connector import Connection
    from aiohttp.tracing import Trace

#: Content-Security-Policy alone goes beyond 8 KiB on real sites; nothing honest needs more.
FIELD_BYTES, FIELDS = 64 * 1024, 256
#: An address is looked up again after this time, within a run of hours.
DNS_S = 60


#: The trip that the running task is on: the connector notes on it when the request leaves.
_trip: ContextVar[Trip] = ContextVar("trip")


class _Connector(aiohttp.TCPConnector):
    async def connect(
        self,
        req: ClientRequest,
        traces: "list[Trace]",
        timeout: ClientTimeout,  # noqa: ASYNC109  (aiohttp's own signature)
    ) -> "Connection":
        connection = await super().connect(req, traces, timeout)
        _trip.get().left_s = time.monotonic()
        return connection


async def _once(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    """Keep aiohttp from sending a request again by itself: the server would count two."""
    try:
        return await send(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as problem:
        if isinstance(problem, TimeoutError):
            raise
        raise LostError from problem


class Live:
    """The web, live. It must be used and closed within one event loop."""

    def __init__(self, options: Options | None = None) -> None:
        self.options = options = options or Options()
        self._rules = options.rules()
        self._allowed = frozenset(host.strip("[]").lower() for host in options.allow_hosts)
        self._tls = _tls(options)
        self._sender = Sender(options)
        self._session: aiohttp.ClientSession | None = None

    async def fetch(self, request: Request) -> Response:
        """Answer a request. A remote failure is a Response, never an exception."""
        trip = Trip(request)
        _trip.set(trip)
        head_s = min(self.options.head_s, request.max_s or self.options.head_s)
        try:
            async with asyncio.timeout(head_s) as clock:
                return await self._exchange(trip, clock)
        except FAILURES as problem:
            if trip.status and clock.expired():  # the run's own time is up: nobody's failure
                return trip.end(cut="time", size_bytes=trip.announced_bytes)
            error, detail = explain(problem)
            return trip.end(error=error, detail=detail)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._session:
            await self._session.close()

    async def _exchange(self, trip: Trip, clock: asyncio.Timeout) -> Response:
        request = trip.request
        try:
            url = URL(ada_url.normalize_url(request.url), encoded=True)
        except ValueError:
            return trip.end(error="protocol", detail="This is not a URL that can be fetched.")
        headers = self._sender.headers(request, url)
        target, name = self._route(url)
        if name:
            headers["Host"] = url.host_port_subcomponent or ""
        elif literal(url.raw_host or "") and not self._may_reach(url.raw_host or ""):
            return trip.end(error="private", detail="The host is a private address.")
        answer = await self._open().request(
            request.method,
            target,
            headers=headers,
            data=request.body or None,
            allow_redirects=False,
            server_hostname=name,
        )
        try:
            if set_cookies := answer.headers.getall("Set-Cookie", None):
                self._sender.remember(set_cookies, url)
            trip.begin(answer.status, answer.raw_headers)
            clock.reschedule(trip.left_s + request.max_s if request.max_s else None)
            return await receive(trip, answer, self.options)
        finally:
            answer.release()  # an answer that was not read to its end closes its connection

    def _route(self, url: URL) -> tuple[URL, str | None]:
        """Return where a request goes, and the host's own name where that is elsewhere."""
        bare = url.with_user(None) if "@" in url.raw_authority else url
        host, port = url.raw_host or "", url.port or 0
        for rule in self._rules:
            if target := rule.target(host, port):
                return bare.with_host(target[0]).with_port(target[1]), host
        return bare, None

    def _may_reach(self, host: str) -> bool:
        return host.lower() in self._allowed or not is_private(host)

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            options = self.options
            self._session = aiohttp.ClientSession(
                connector=_Connector(
                    resolver=Resolver(self._exempt(), options.connect_s),
                    ssl=self._tls,
                    limit=0,
                    limit_per_host=options.connections_per_host,
                    ttl_dns_cache=DNS_S,
                ),
                timeout=ClientTimeout(
                    total=None, sock_connect=options.connect_s, sock_read=options.idle_s
                ),
                cookie_jar=aiohttp.DummyCookieJar(),  # the sender keeps them, by the real host
                auto_decompress=False,
                proxy=options.proxy or None,
                trust_env=options.trust_env,
                max_line_size=FIELD_BYTES,
                max_field_size=FIELD_BYTES,
                max_headers=FIELDS,
                middlewares=(_once,),
            )
        return self._session

    def _exempt(self) -> frozenset[str]:
        """Return the names that the user gave: they may lead to a private address."""
        targets = {rule.to_host for rule in self._rules}
        proxy = URL(self.options.proxy).raw_host if self.options.proxy else None
        return self._allowed | targets | ({proxy} if proxy else set())


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
