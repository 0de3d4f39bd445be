"""URLs as browsers see them, and a key on top under which equal pages meet.

Parsing is the WHATWG standard's (ada). Everything that goes beyond it, and so may be wrong for
some site, is a rule of `KeyRules` that can be switched off. Knows no page.
"""

import re
import string
from collections.abc import Iterable
from dataclasses import dataclass, fields
from fnmatch import translate
from functools import lru_cache
from typing import Self
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from ada_url import join_url, normalize_url

from filon.core import UserError

#: Servers refuse longer addresses, and a record of the archive is not to be longer than one.
MAX_URL = 8_000
#: Hosts of which it is remembered whether they belong to a site.
MOST_HOSTS = 1_000
#: Stands where a secret stood.
MASK = "***"
_OWN_USERINFO = re.compile(r"^([a-z][a-z0-9+.-]*:)//[^/?#\s]*@", re.IGNORECASE)
_ANY_USERINFO = re.compile(r"\b([a-z][a-z0-9+.-]*:)//[^/?#\s@]*@", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_NOWHERE = SplitResult("", "", "", "", "")


def split(url: str) -> SplitResult:
    """Return the parts of any text as a URL; all are empty where it is none. It never raises.

    >>> split("http://a.org:8080/b?c").netloc, split("http://[bad").netloc
    ('a.org:8080', '')
    """
    try:
        return urlsplit(url)
    except ValueError:
        return _NOWHERE


def resolve(base: str, reference: str) -> str:
    """Return what a reference means as it is written, of any scheme; "" if nothing does.

    Unlike `join` it encodes nothing and leaves the fragment: for identifiers and templates.

    >>> resolve("http://a.org/b", "?q={words}"), resolve("http://a.org/b", "http://[bad")
    ('http://a.org/b?q={words}', '')
    """
    try:
        return urljoin(base, reference)
    except ValueError:
        return ""


def join(base: str, href: str) -> str:
    """Return the absolute URL that a link means, without its fragment; "" if there is none.

    Only http and https count: nothing else can be fetched. One beyond MAX_URL is none, be it that
    of a link, of a redirect or of a hit.

    >>> join("http://example.org/a/b", "../c.csv#top")
    'http://example.org/c.csv'
    >>> join("http://example.org/", "mailto:me@example.org")
    ''
    """
    try:
        url = join_url(base, href)
    except ValueError:
        return ""
    return _web(url)


def parse(url: str) -> str:
    """Return a lone URL as a browser writes it, without its fragment; "" if it is none.

    >>> parse("HTTP://Example.ORG:80/a/../b#c")
    'http://example.org/b'
    """
    try:
        return _web(normalize_url(url))
    except ValueError:
        return ""


def _web(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        return ""
    url = url.partition("#")[0] if "#" in url else url
    return url if len(url) <= MAX_URL else ""


def host(url: str) -> str:
    """Return the host of an absolute URL as `join` returns it, without port and user.

    >>> host("http://user@[::1]:8080/a")
    '[::1]'
    """
    name = url[url.find("://") + 3 :].partition("/")[0]
    if "@" in name:
        name = name.rpartition("@")[2]
    if ":" in name:
        return name[: name.find("]") + 1] if name[0] == "[" else name.partition(":")[0]
    return name


# A host whose last label begins with a letter is no address, and stands for itself.
_PLAIN_ORIGIN = re.compile(r"https?://(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?=[/?#]|$)")


def origin(url: str) -> str:
    """Return scheme, host and port of an HTTP URL: what one robots.txt, key or quota is for.

    It is the origin of the WHATWG standard, so what the live web connects to: lower-case, without
    user and default port. Of what no browser would fetch, it is what stands there; else "".

    >>> origin("https://me:secret@Example.org:443/a?b"), origin("http://127.1:8888/")
    ('https://example.org', 'http://127.0.0.1:8888')
    >>> origin("mailto:me@example.org")
    ''
    """
    if match := _PLAIN_ORIGIN.match(url):
        return match[0]
    slash = url.find("/", 8)
    return _odd_origin(url if slash < 0 else url[: slash + 1])


@lru_cache(maxsize=1024)
def _odd_origin(url: str) -> str:
    scheme, _, rest = (parse(url) or url).partition("://")
    if scheme.lower() not in ("http", "https"):
        return ""
    authority = re.split(r"[/?#\\]", rest, maxsplit=1)[0]
    return f"{scheme}://{authority.rpartition('@')[2]}".lower()


@lru_cache(maxsize=1024)  # of the links of a page it is asked for several times each
def extension(url: str) -> str:
    """Return the extension of the last path segment, lower-case and without its dot.

    >>> extension("http://example.org/v1.2/Table.CSV?download=1")
    'csv'
    >>> extension("http://example.org/v1.2/")
    ''
    """
    path = url.partition("#")[0].partition("?")[0]
    after = path.find("://") + 3
    slash = path.find("/", after)
    if slash < 0:
        return ""
    name = path[path.rfind("/") + 1 :].partition(";")[0]
    return name.rpartition(".")[2].lower() if "." in name else ""


def masked(url: str) -> str:
    """Return a URL without its scheme, its numbers made alike: the kind of page it is.

    >>> masked("http://a.org/2024/05/report-7")
    'a.org/0/0/report-0'
    """
    return _DIGITS.sub("0", url.partition("://")[2])


@dataclass(frozen=True, slots=True)
class KeyRules:
    """What makes two URLs one page, a rule each.

    drop_fragment: `#part` names a place in a page, not a page.
    drop_default_port: `:80` for http and `:443` for https say nothing.
    drop_session: session ids: PHPSESSID, jsessionid (also as `;jsessionid=`), ASPSESSIONID*,
        CFID, CFTOKEN, osCsid, zenid, sessionid and their like, `/(S(...))/` of ASP.NET; `sid`,
        `s` and `session` only where their value looks like a random token; `sid` also where it
        is a number, as sites give that count their visitors.
    drop_tracking: what campaigns and advertisers append: utm_*, mtm_*, gclid, fbclid, mc_cid...
    sort_query: parameters in any order are one page.
    drop_index: `index.html` and its like are the folder.
    drop_trailing_slash: `/a/` is `/a`.
    drop_scheme: http and https are one page.
    drop_www: a leading `www.` says nothing.
    """

    drop_fragment: bool = True
    drop_default_port: bool = True
    drop_session: bool = True
    drop_tracking: bool = True
    sort_query: bool = False
    drop_index: bool = False
    drop_trailing_slash: bool = False
    drop_scheme: bool = False
    drop_www: bool = False

    @classmethod
    def switched(cls, switches: Iterable[str]) -> Self:
        """Return the default rules with some of them switched, as a person writes it.

        >>> KeyRules.switched(["drop_www=on"]).drop_www
        True
        """
        names = [entry.name for entry in fields(cls)]
        rules: dict[str, bool] = {}
        for switch in switches:
            name, _, position = switch.partition("=")
            if name not in names or position not in ("on", "off"):
                raise UserError(
                    f"The URL rule {switch!r} is not understood: "
                    f"NAME=on or =off of {', '.join(names)}."
                )
            rules[name] = position == "on"
        return cls(**rules)

    @property
    def plain(self) -> bool:
        """Only rules about queries and path parameters are on."""
        return not (
            self.sort_query
            or self.drop_index
            or self.drop_trailing_slash
            or self.drop_scheme
            or self.drop_www
        )


DEFAULT_RULES = KeyRules()

# Names that are session ids whatever their value.
_SESSION_NAMES = """
    phpsessid jsessionid sessionid session_id sessid cfid cftoken oscsid zenid xtcsid
"""
_SESSION = frozenset(_SESSION_NAMES.split())
# Names that also stand for series, stations or searches: a session only with a token as value.
_MAYBE_SESSION = frozenset({"sid", "s", "session"})
_TOKEN = re.compile(r"(?=[^&]*\d)(?=[^&]*[a-zA-Z])(?:[0-9a-fA-F]{8,}|[0-9A-Za-z_,-]{16,})")
_TRACKING_NAMES = """
    gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid twclid ttclid igshid mc_cid mc_eid
    _ga _gl _hsenc _hsmi mkt_tok li_fat_id vero_id oly_enc_id oly_anon_id _openstat s_kwcid
    ef_id xtor pk_campaign pk_kwd pk_source pk_medium pk_content pk_cid piwik_campaign piwik_kwd
"""
_TRACKING = frozenset(_TRACKING_NAMES.split())
# A parameter that might have to go: one search settles the usual query.
_SUSPECT = re.compile(
    r"[?&](?:utm_|mtm_|aspsessionid|(?:"
    + "|".join(sorted(_SESSION | _MAYBE_SESSION | _TRACKING))
    + r")=)",
    re.IGNORECASE,
)
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?;]*", re.IGNORECASE)
_ASP_SESSION = re.compile(r"/\((?:[A-Z]\([0-9a-zA-Z]{20,}\))+\)(?=/)")
_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php\d?|aspx?|jsp|cgi)$", re.IGNORECASE)


_DEFAULT_PORT = re.compile(r"http://[^/?#]*:80(?![^/?#])|https://[^/?#]*:443(?![^/?#])")


def key(url: str, rules: KeyRules = DEFAULT_RULES) -> str:
    """Return the name under which a page is known; the page itself is asked for by its URL.

    url: as `join` or `parse` return it.

    >>> key("http://example.org/a;jsessionid=1F?page=2&utm_source=x")
    'http://example.org/a?page=2'
    >>> key("http://example.org/a/index.html", KeyRules(drop_index=True, drop_scheme=True))
    '//example.org/a/'
    """
    if "#" in url and rules.drop_fragment:
        url = url.partition("#")[0]
    if rules.drop_default_port and url.find(":", 6) > 0 and _DEFAULT_PORT.match(url):
        url = parse(url) or url
    if rules.drop_session:
        if ";" in url:
            url = _PATH_SESSION.sub("", url)
        if "/(" in url:
            url = _ASP_SESSION.sub("", url)
    if "?" in url:
        url = _shorter_query(url, rules)
    return url if rules.plain else _coarser(url, rules)


def _shorter_query(url: str, rules: KeyRules) -> str:
    """Drop the parameters that say nothing; an address without them stays as it is."""
    suspect = (rules.drop_session or rules.drop_tracking) and _SUSPECT.search(url)
    if not suspect and not rules.sort_query:
        return url
    path, _, query = url.partition("?")
    pieces = query.split("&")
    if suspect:
        pieces = [piece for piece in pieces if not _says_nothing(piece, rules)]
    if rules.sort_query:
        pieces.sort()
    return f"{path}?{'&'.join(pieces)}" if pieces else path


def _says_nothing(piece: str, rules: KeyRules) -> bool:
    name, _, value = piece.partition("=")
    name = name.lower()
    if rules.drop_tracking and (name in _TRACKING or name.startswith(("utm_", "mtm_"))):
        return True
    if not rules.drop_session:
        return False
    if name in _SESSION or name.startswith("aspsessionid"):
        return True
    if name == "sid" and value.isdecimal():
        return True
    return name in _MAYBE_SESSION and _TOKEN.fullmatch(value) is not None


def _coarser(url: str, rules: KeyRules) -> str:
    """Apply the rules that are off by default."""
    head, mark, query = url.partition("?")
    if rules.drop_index:
        head = _INDEX.sub("/", head)
    if rules.drop_trailing_slash and head.count("/") > 3:
        head = head.rstrip("/")
    scheme, _, rest = head.partition("://")
    if rules.drop_www:
        rest = rest.removeprefix("www.")
    return ("//" if rules.drop_scheme else f"{scheme}://") + rest + mark + query


class Site:
    """All URLs whose host is that of a start or a subdomain of it.

    One leading "www." counts on neither side; scheme and port are ignored.

    >>> site = Site("https://www.a.b.com/index.php")
    >>> "https://www.c.a.b.com/page.html" in site, "https://www.b.com/page.php" in site
    (True, False)
    """

    __slots__ = ("_dotted", "_known", "_names", "name")

    def __init__(self, start: str, *more: str) -> None:
        names = [_bare(host(url)) for url in (start, *more)]
        self.name = names[0]
        self._names = frozenset(names)
        self._dotted = tuple(f".{name}" for name in names if name)
        self._known: dict[str, bool] = {}  # of late, by scheme and host

    def __contains__(self, url: str) -> bool:
        end = url.find("/", 8)
        name = url[:end] if end > 0 else url
        known = self._known.get(name)
        if known is None:
            if len(self._known) >= MOST_HOSTS:
                self._known.clear()
            known = self._known[name] = self._holds(_bare(host(url)))
        return known

    def _holds(self, name: str) -> bool:
        return name in self._names or name.endswith(self._dotted)


def _bare(name: str) -> str:
    """Drop "www." once, unless a top-level domain alone would be left: `www.com` is a site."""
    name = name.lower().rstrip(".")
    rest = name.removeprefix("www.")
    return rest if "." in rest else name


class Globs:
    """Patterns of URLs as people write them: `*` is any text, `?` a character, `[ab]` one of these.

    One that begins with / or * is about path and query. One with a scheme, or // for http and https
    alike, is about the whole URL. What ends with / is all that is below it. The query may be left
    out: `*.csv` fits a.csv?v=2 too.

    >>> globs = Globs(["/data/", "*.csv", "//b.org"])
    >>> [globs.fits(url) for url in ("http://a.org/data/1", "http://a.org/2.csv?v=2")]
    ['/data/', '*.csv']
    >>> [globs.fits(url) for url in ("https://b.org/x", "http://a.org/database")]
    ['//b.org', '']
    """

    __slots__ = ("_globs", "of_hosts")

    def __init__(self, globs: Iterable[str] = ()) -> None:
        self._globs = [(text, _WHOLE_GLOB.match(text), _pattern(text)) for text in globs]
        #: Whether one of them is about whole URLs.
        self.of_hosts = any(whole for _, whole, _ in self._globs)

    def __bool__(self) -> bool:
        return bool(self._globs)

    def fits(self, url: str, *, whole_only: bool = False) -> str:
        """Return the first glob that a URL fits, as it was written; "" if there is none.

        whole_only: only those about whole URLs are looked at.
        """
        head, mark, query = url.partition("?")
        path = f"/{head.partition('://')[2].partition('/')[2]}"
        for text, whole, pattern in self._globs:
            if whole_only and not whole:
                continue
            about = head if whole else path
            if pattern.match(about) or (mark and pattern.match(f"{about}?{query}")):
                return text
        return ""


# Scheme, host, and the rest.
_WHOLE_GLOB = re.compile(r"(?:(\*|https?):)?//([^/?]+)(.*)", re.IGNORECASE | re.DOTALL)


def _pattern(glob: str) -> re.Pattern[str]:
    """Return what a glob fits; an error where it is about neither a path nor a URL."""
    whole = _WHOLE_GLOB.match(glob)
    if not whole and not re.match(r"/(?!/)|\*", glob):
        raise UserError(
            f"The glob {glob!r} is not understood: it begins with / or * where it is about paths "
            "(/data/*), and with https:// or // where it is about whole URLs (//example.org/*)."
        )
    scheme, name, rest = whole.groups() if whole else ("", "", glob)
    below = "*" if (rest or "/").endswith("/") else ""
    # A browser writes what is not ASCII as this, and so do the URLs that are compared with it.
    text = quote(f"{name.lower()}{rest or '/'}{below}", safe=string.punctuation)
    if not whole:
        return re.compile(translate(text))
    known = scheme.lower() if scheme and scheme != "*" else "https?"
    return re.compile(f"{known}://{translate(text)}")


def mask_url(url: str) -> str:
    """Hide the user and password that a URL may carry.

    >>> mask_url("http://me:secret@example.org/a@b")
    'http://***@example.org/a@b'
    """
    return _OWN_USERINFO.sub(rf"\1//{MASK}@", url) if "@" in url else url


def mask_text(text: str) -> str:
    """Hide users and passwords in the URLs of a sentence, such as that of a proxy's failure.

    >>> mask_text("cannot reach http://me:secret@proxy:3128")
    'cannot reach http://***@proxy:3128'
    """
    return _ANY_USERINFO.sub(rf"\1//{MASK}@", text) if "@" in text else text
