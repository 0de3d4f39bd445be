"""Who may ask: on every route, whatever its handler does.

A request passes in this order, or is refused with a sentence:

    Host      names this server; a name of a stranger that leads here (DNS rebinding) does not
    origin    what a page of another site sends is refused, also of another port of this machine
    session   a cookie that the token of the first address, or the password, was exchanged for;
              /api takes the token itself too (Authorization: Bearer TOKEN)
    body      bounded in bytes, fields, files and time, and read here
    CSRF      whatever changes something carries a word that only our own pages know

Sessions live in memory and end with the server. Secrets are compared in constant time.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from aiohttp import BodyPartReader, MultipartReader, web

from filon.page.url import split
from filon.run.text import size
from filon.serve.password import Password
from filon.serve.words import t

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
H = TypeVar("H", bound=Handler)

#: What a form or a request of the API may hold: a long SQL query is a hundredth of it.
FORM_BYTES = 1 << 20
#: How long a form may take to arrive, and an upload: a megabyte a second is a slow line.
FORM_S, UPLOAD_S = 15.0, 300.0
#: Browsers that are in at the same time; the one that came first has to enter again.
MOST_SESSIONS = 1000
#: How long the address with which a browser is opened by us lets it in.
TICKET_S = 120.0
#: The names of this machine on itself.
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
#: Paths that need no session: what the page of the password is made of, and the feed, whose address
#: holds a secret of its own, as readers of feeds have no cookies.
_OPEN = re.compile(r"/enter|/(static|feed)/[^/]*")
_SAFE = ("GET", "HEAD")
#: Of a part of a path: longer names of files there are on no system.
LONGEST_NAME = 255
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Refusal(Exception):  # noqa: N818 - it is an answer, not a fault
    """A request is not answered; the sentence is for a person."""

    def __init__(self, status: int, sentence: str, headers: Mapping[str, str] | None = None):
        super().__init__(sentence)
        self.status, self.sentence, self.headers = status, sentence, dict(headers or {})


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that is in, or a program with the token; the csrf word of a program is ""."""

    csrf: str


@dataclass(slots=True, kw_only=True)
class Access:
    """Who may ask one server.

    port: known once it listens; cookies are named by it, so that two servers do not fight.
    names: that the Host header may have besides those of this machine; with any port.
    literals: any numeric address will do as a name: it cannot be a stranger's.
    secure: the server speaks TLS itself.
    """

    port: int = 0
    names: Collection[str] = ()
    literals: bool = False
    password: Password | None = None
    secure: bool = False
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    _secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    _sessions: OrderedDict[str, None] = field(default_factory=OrderedDict)
    _tickets: dict[str, float] = field(default_factory=dict)

    @property
    def cookie(self) -> str:
        """The name of the cookie."""
        return f"{'__Host-' if self.secure else ''}filon-{self.port}"

    def ticket(self) -> str:
        """Return a token that lets one browser in, once and soon: for a command line of ours."""
        made = secrets.token_urlsafe(32)
        self._tickets[_hash(made)] = time.monotonic() + TICKET_S
        return made

    def admits(self, token: str) -> bool:
        """Say whether a token of an address lets a browser in; with a password none does."""
        if self.password is not None:
            return False
        until = self._tickets.pop(_hash(token), 0.0)
        return time.monotonic() < until or self.is_token(token)

    def is_token(self, token: str) -> bool:
        """Say whether that is the token of this server."""
        return hmac.compare_digest(token.encode(), self.token.encode())

    def enter(self, response: web.StreamResponse) -> None:
        """Let the browser in that gets this answer."""
        made = secrets.token_urlsafe(32)
        self._sessions[_hash(made)] = None
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        response.set_cookie(
            self.cookie, made, path="/", httponly=True, samesite="Strict", secure=self.secure
        )

    def leave(self, request: web.Request, response: web.StreamResponse) -> None:
        """End the session of a browser."""
        self._sessions.pop(_hash(request.cookies.get(self.cookie, "")), None)
        # A browser takes a cookie of TLS away only where it is told so over TLS as well.
        response.del_cookie(
            self.cookie, path="/", httponly=True, samesite="Strict", secure=self.secure
        )

    def session(self, request: web.Request) -> Session | None:
        """Return the session of a request; None where it has none."""
        given = request.cookies.get(self.cookie, "")
        # By hash, so that how long a comparison takes tells nothing.
        if _hash(given) in self._sessions:
            return Session(hmac.new(self._secret, given.encode(), "sha256").hexdigest())
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        is_api = request.path == "/api" or request.path.startswith("/api/")
        if is_api and kind.lower() == "bearer" and self.is_token(token.strip()):
            return Session("")
        return None

    def knows(self, host: str) -> bool:
        """Say whether a Host header names this server.

        >>> Access(port=80).knows("localhost:80"), Access(port=80).knows("evil.example:80")
        (True, False)
        """
        name, _, port = host.lower().rpartition(":")
        if not name or not port.isdigit():
            name, port = host.lower(), "443" if self.secure else "80"
        if name in self.names or (self.literals and _is_literal(name)):
            return True
        return name in LOOPBACK and port == str(self.port)


#: Where a handler finds it: `request.app[ACCESS]`.
ACCESS = web.AppKey("access", Access)
_SESSION = web.RequestKey("session", Session)
_BEGUN = web.RequestKey("begun", bool)


def session_of(request: web.Request) -> Session | None:
    """Return the session that the guard has found."""
    return request.get(_SESSION)


def is_begun(request: web.Request) -> bool:
    """Say whether the head of an answer has left already."""
    return bool(request.get(_BEGUN))


def csrf_of(request: web.Request) -> str:
    """Return the word that forms of this session carry; "" outside of one."""
    session = session_of(request)
    return session.csrf if session else ""


def uploads(most_bytes: int, files: int = 1) -> Callable[[H], H]:
    """Let a handler take files: so many, of so many bytes in all."""

    def marked(handler: H) -> H:
        setattr(handler, "takes", (most_bytes, files))  # noqa: B010 - a function has no such field
        return handler

    return marked


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Let through what may pass, and refuse the rest."""
    access = request.app[ACCESS]
    if not access.knows(request.host):
        raise Refusal(421, t("error.host"))
    _check_origin(request)
    _check_address(request)
    if (
        request.method in _SAFE
        and "token" in request.query
        and access.admits(request.query["token"])
    ):
        return _without_token(request, access)
    if session := access.session(request):
        request[_SESSION] = session
    elif not _OPEN.fullmatch(request.path):
        raise Refusal(401, t("enter.token"))
    if request.method not in _SAFE:
        request = await _read(request)
        try:
            await _check_csrf(request)
            return await handler(request)
        finally:
            await _close_files(request)
    return await handler(request)


def _check_origin(request: web.Request) -> None:
    """Refuse what a page of another site has sent; its browser says so."""
    site = request.headers.get("Sec-Fetch-Site", "none")
    origin = request.headers.get("Origin")
    mode = request.headers.get("Sec-Fetch-Mode", "navigate")
    if request.method in _SAFE and mode == "navigate" and origin is None:
        return  # a link to us: it changes nothing, and a strict cookie does not come with it
    is_ours = origin is None or split(origin).netloc.lower() == request.host.lower()
    if site not in ("same-origin", "none") or not is_ours:
        raise Refusal(403, t("error.foreign"))


def _check_address(request: web.Request) -> None:
    """Refuse names that no system has for a file: no handler need think of them."""
    names = request.path.split("/")
    is_odd = _CONTROL.search(request.path) or any("\0" in each for each in request.query.values())
    if is_odd or any(len(name.encode(errors="replace")) > LONGEST_NAME for name in names):
        raise Refusal(404, t("error.missing"))


def _without_token(request: web.Request, access: Access) -> web.Response:
    """Answer the first address: a cookie, and the same address without its token."""
    rest = request.rel_url.without_query_params("token")
    # One slash: two would name another host.
    answer = web.Response(status=303, headers={"Location": f"/{str(rest).lstrip('/')}"})
    access.enter(answer)
    return answer


async def _read(request: web.Request) -> web.Request:
    """Return the request with its body read, within the bounds of its handler."""
    most_bytes, files = getattr(request.match_info.handler, "takes", (FORM_BYTES, 0))
    in_parts = request.content_type.startswith("multipart/")
    if not in_parts:
        most_bytes = FORM_BYTES  # it is held in memory; files come in parts, and go to the disk
    if (request.content_length or 0) > most_bytes:
        raise Refusal(413, t("error.large", size=size(most_bytes)))
    request = request.clone(client_max_size=most_bytes)
    try:
        async with asyncio.timeout(UPLOAD_S if files else FORM_S):
            if in_parts:
                await _check_parts(request, files)
            else:
                await request.read()
    except TimeoutError:
        raise Refusal(408, t("error.slow"), {"Connection": "close"}) from None
    except web.HTTPRequestEntityTooLarge:
        raise Refusal(413, t("error.large", size=size(most_bytes))) from None
    except (ValueError, LookupError):  # not of the form or the charset that it claims
        raise Refusal(400, t("error.malformed")) from None
    return request


async def _check_parts(request: web.Request, most_files: int) -> None:
    """Refuse more files than a handler takes, and texts that are longer than a form."""
    setattr(request, "multipart", partial(_parts, request))  # noqa: B010 - `post` reads by it
    if len(await _files(request)) > most_files:
        await _close_files(request)
        raise Refusal(413, t("error.files", n=most_files))


async def _parts(request: web.Request) -> MultipartReader:
    """Return the parts of a form; texts, which are held in memory, are refused while being read."""
    left, sentence = FORM_BYTES, t("error.large", size=size(FORM_BYTES))

    class Part(BodyPartReader):
        async def read_chunk(self, size: int = BodyPartReader.chunk_size) -> bytes:
            nonlocal left
            chunk = await super().read_chunk(size)
            left -= 0 if self.filename else len(chunk)
            if left < 0:
                raise Refusal(413, sentence)
            return chunk

    class Parts(MultipartReader):
        part_reader_cls = Part

    return Parts(request.headers, request.content)


async def _files(request: web.Request) -> list[web.FileField]:
    form = await request.post()
    return [value for value in form.values() if isinstance(value, web.FileField)]


async def _close_files(request: web.Request) -> None:
    """Let go of what was uploaded: it lies in temporary files that nobody else closes."""
    if request.content_type.startswith("multipart/"):
        for each in await _files(request):
            each.file.close()


async def _check_csrf(request: web.Request) -> None:
    session = session_of(request)
    if session is None or not session.csrf:
        return  # nobody's authority is borrowed: no cookie is what let it in
    given = request.headers.get("X-CSRF-Token", "")
    if not given:
        try:
            given = str((await request.post()).get("csrf", ""))
        except (ValueError, LookupError):
            raise Refusal(400, t("error.malformed")) from None
    if not hmac.compare_digest(given.encode(), session.csrf.encode()):
        raise Refusal(403, t("error.csrf"))


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Put on every answer what a browser must not do with it."""
    request[_BEGUN] = True
    own = response.headers.get(CSP, "")
    response.headers.update(HEADERS)
    if _is_strict(own):
        response.headers[CSP] = f"{own}; {_UNFRAMED}" if _UNFRAMED not in own else own
    response.headers.setdefault("Cache-Control", "no-store")
    if request.app[ACCESS].secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"


def _is_strict(policy: str) -> bool:
    """Say whether a page may have its own policy: all is forbidden first, and so are its scripts.

    >>> _is_strict("sandbox; default-src 'none'"), _is_strict("sandbox; script-src *")
    (True, False)
    """
    parts = [part.strip() for part in policy.split(";")]
    scripts = [part for part in parts if part.startswith("script-src")]
    only_ours = f"script-src {POLICY['script-src']}"
    forbids = "default-src 'none'" in parts and policy.startswith("sandbox")
    return forbids and all(part == only_ours for part in scripts)


#: Scripts, styles and data come from this server only, and none stands within a page.
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
_UNFRAMED = "frame-ancestors 'none'"
CSP = "Content-Security-Policy"
HEADERS = {
    "Server": "Filon",
    CSP: "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With no-referrer a browser would call the origin of our own forms null.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _is_literal(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
