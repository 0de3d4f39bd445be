"""The live web over aiohttp: one request out, one Response back, whatever happens.

Redirects are not followed and nothing is sent twice: each hop and each retry is a step that the
loop sees and pays for. What failed has no body: only what came whole, or was cut on purpose.
"""

import asyncio
import ssl
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING

import ada_url
import aiohttp
from aiohttp import ClientHandlerType, ClientRequest, ClientResponse, ClientTimeout
from multidict import CIMultiDict
from yarl import URL

from filon.core import Request, Response, UserError
from filon.web.address import Resolver
from filon.web.cookies import Cookies
from filon.web.exchange import Exchange, receive
from filon.web.failure import FAILURES, LostError, explain
from filon.web.options import Options
from filon.web.origins import Origin, Origins

if TYPE_CHECKING:
    from aiohttp.connector import Connection
    from aiohttp.tracing import Trace

#: Content-Security-Policy alone goes beyond 8 KiB on real sites; nothing honest needs more.
FIELD_BYTES, FIELDS = 64 * 1024, 256
#: An address is looked up again after this time, within a run of hours.
DNS_S = 60

#: The exchange of the running task: the connector notes on it when the request leaves.
_current: ContextVar[Exchange] = ContextVar("exchange")


class Live:
    """The web, live. It must be used and closed within one event loop."""

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        self._origins = Origins(self.options)
        self._cookies = Cookies() if self.options.cookies else None
        self._tls = _tls(self.options)
        self._session: aiohttp.ClientSession | None = None

    async def fetch(self, request: Request) -> Response:
        """Answer a request. A remote failure is a Response, never an exception."""
        exchange = Exchange(request)
        _current.set(exchange)
        head_s = exchange.began_s + self.options.head_s
        try:
            async with asyncio.timeout_at(min(head_s, exchange.end_s)) as exchange.clock:
                return await self._send(exchange)
        except FAILURES as problem:
            if exchange.status and exchange.is_over():  # the run's own time is up: nobody's failure
                return exchange.end(cut="time", size_bytes=exchange.announced_bytes)
            error, detail = explain(problem)
            return exchange.end(error=error, detail=detail)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._session:
            await self._session.close()

    async def _send(self, exchange: Exchange) -> Response:
        request = exchange.request
        try:
            url = ada_url.normalize_url(request.url).partition("#")[0]
            path_at = url.index("/", len("https://"))
            origin = self._origins.find(url[:path_at])
        except ValueError:
            return exchange.end(error="protocol", detail="This is not a URL that can be fetched.")
        if origin.private:
            return exchange.end(error="private", detail="The host is a private address.")
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
            exchange.begin(answer.status, answer.raw_headers)
            return await receive(exchange, answer, self.options)
        finally:
            answer.release()  # an answer that was not read to its end closes its connection

    def _headers(self, request: Request, origin: Origin, url: str) -> CIMultiDict[str]:
        headers = CIMultiDict(origin.headers)
        if self._cookies and (cookies := self._cookies.header(url)):
            headers["Cookie"] = cookies
        if request.headers:
            headers.update(request.headers)
        return headers

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            options = self.options
            self._session = aiohttp.ClientSession(
                connector=_Connector(
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


class _Connector(aiohttp.TCPConnector):
    async def connect(
        self,
        req: ClientRequest,
        traces: "list[Trace]",
        timeout: ClientTimeout,  # noqa: ASYNC109  (aiohttp's own signature)
    ) -> "Connection":
        connection = await super().connect(req, traces, timeout)
        _current.get().left_s = time.monotonic()
        return connection


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
