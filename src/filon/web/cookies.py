"""The cookies of one run."""

from aiohttp import CookieJar
from yarl import URL


class Cookies:
    """Keeps cookies for the hosts that set them, never for others.

    The jar refuses cookies for other domains and of bare addresses, and bounds their number.
    """

    def __init__(self) -> None:
        self._jar: CookieJar | None = None  # it wants a running loop, so it is made when needed

    def header(self, url: str) -> str:
        """Return the Cookie header for a URL, or the empty string."""
        if self._jar is None:
            return ""
        cookies = self._jar.filter_cookies(URL(url, encoded=True))
        return "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())

    def keep(self, set_cookies: list[str], url: str) -> None:
        """Keep the cookies that an answer sets."""
        if self._jar is None:
            self._jar = CookieJar(quote_cookie=False)
        place = URL(url, encoded=True)
        honest = [text for text in set_cookies if not _is_super(text, place.raw_host or "")]
        self._jar.update_cookies_from_headers(honest, place)


def _is_super(set_cookie: str, host: str) -> bool:
    """Say whether a cookie is for every host under a name without a dot, such as "org"."""
    for attribute in set_cookie.split(";")[1:]:
        name, _, value = attribute.partition("=")
        if name.strip().lower() == "domain":
            domain = value.strip().strip(".").lower()
            return "." not in domain and domain != host
    return False
