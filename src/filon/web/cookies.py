"""Cookies of a run: those that hosts set, and those that the user gave."""

import time
from http.cookiejar import LoadError, MozillaCookieJar

from aiohttp import CookieJar
from yarl import URL

from filon.core import UserError


class Cookies:
    """Keeps cookies for the hosts that set them, never for others.

    The jar refuses cookies for other domains and of bare addresses, and bounds their number.

    file: those to begin with, in Netscape's format.
    """

    def __init__(self, file: str = "") -> None:
        self._jar: CookieJar | None = None  # it wants a running loop, so it is made when needed
        self._given = _stored_cookies(file) if file else []

    @property
    def given(self) -> list[tuple[str, str]]:
        """Those to begin with, as headers that a person might have given."""
        return [("Cookie", text.partition(";")[0]) for text, _ in self._given]

    def header(self, url: str) -> str:
        """Return the Cookie header for a URL, or the empty string."""
        if self._given:
            given, self._given = self._given, []
            for text, place in given:
                self.keep([text], place)
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


def _stored_cookies(file: str) -> list[tuple[str, str]]:
    """Return the cookies of a file as a host would set them, with a URL of that host."""
    jar = MozillaCookieJar()
    try:
        # Browsers write 0 for "until I am closed", which the jar would take for 1970.
        jar.load(file, ignore_discard=True, ignore_expires=True)
    except LoadError as error:
        raise UserError(
            f"The file {file} holds no cookies in Netscape's format, as browsers and curl write."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", "") or "it is no text"
        raise UserError(f"The file of cookies {file} cannot be read: {why}.") from error
    found = []
    for cookie in jar:
        if cookie.expires and cookie.expires < time.time():
            continue
        parts = [f"{cookie.name}={cookie.value or ''}", f"Path={cookie.path}"]
        parts += ["Secure"] if cookie.secure else []
        parts += [f"Domain={cookie.domain}"] if cookie.domain.startswith(".") else []
        scheme = "https" if cookie.secure else "http"
        found.append(("; ".join(parts), f"{scheme}://{cookie.domain.lstrip('.')}{cookie.path}"))
    return found


def _is_super(set_cookie: str, host: str) -> bool:
    """Say whether a cookie is for every host under a name without a dot, such as "org"."""
    for attribute in set_cookie.split(";")[1:]:
        name, _, value = attribute.partition("=")
        if name.strip().lower() == "domain":
            domain = value.strip().strip(".").lower()
            return "." not in domain and domain != host
    return False
