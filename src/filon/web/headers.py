"""What is sent with a request, and to whom: no secret leaves its origin."""

import base64

from aiohttp import CookieJar
from multidict import CIMultiDict
from yarl import URL

from filon.core import Request
from filon.web.decode import ACCEPTED
from filon.web.options import Options


class Sender:
    """Makes the headers of requests, and keeps the cookies of one run."""

    def __init__(self, options: Options) -> None:
        self._always = (
            ("User-Agent", options.user_agent),
            ("Accept", "*/*"),
            ("Accept-Encoding", ACCEPTED),
        )
        self._own = options.headers
        self._origin = URL(options.origin) if options.origin else None
        # Cookies of bare addresses and for other domains are refused by the jar itself.
        self._jar = CookieJar(quote_cookie=False) if options.cookies else None

    def headers(self, request: Request, url: URL) -> CIMultiDict[str]:
        """Return the headers of a request; what it brings itself wins."""
        headers = CIMultiDict(self._always)
        if self._jar and (cookies := self._jar.filter_cookies(url)):
            pairs = (f"{name}={cookie.value}" for name, cookie in cookies.items())
            headers["Cookie"] = "; ".join(pairs)
        if self._own and self._is_own(url):
            headers.update(self._own)
        if request.headers:
            headers.update(request.headers)
        if "@" in url.raw_authority and "Authorization" not in headers:
            secret = f"{url.user or ''}:{url.password or ''}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(secret).decode()}"
        return headers

    def remember(self, set_cookies: list[str], url: URL) -> None:
        """Keep the cookies that an answer sets, except for a whole top-level domain."""
        if self._jar is not None:
            honest = [text for text in set_cookies if not _is_super(text, url.raw_host or "")]
            self._jar.update_cookies_from_headers(honest, url)

    def _is_own(self, url: URL) -> bool:
        origin = self._origin
        if origin is None or origin.raw_host != url.raw_host:
            return False
        if (origin.scheme, origin.port) == (url.scheme, url.port):
            return True
        upgraded = origin.scheme == "http" and url.scheme == "https"
        return upgraded and origin.is_default_port() and url.is_default_port()


def _is_super(set_cookie: str, host: str) -> bool:
    """Say whether a cookie is for every host under a name without a dot, such as "org"."""
    for attribute in set_cookie.split(";")[1:]:
        name, _, value = attribute.partition("=")
        if name.strip().lower() == "domain":
            domain = value.strip().strip(".").lower()
            return "." not in domain and domain != host
    return False
