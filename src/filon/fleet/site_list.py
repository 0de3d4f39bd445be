"""The sites of a fleet, from a file with an address a line.

A name is made of the address alone, so that who adds the same list again adds nothing. What is to
be asked for one site at a time is the registered domain: a site has the hosts below its own too.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path

from filon.core import UserError
from filon.fleet.model import Site
from filon.page.domain import registered_domain
from filon.page.url import host, split
from filon.verbs.option import start_url

_ODD = re.compile(r"[^a-z0-9.-]+")


def site_of(url: str) -> Site:
    """Return the site that starts at an address; its host stands for the whole domain.

    >>> site_of("https://www.Example.org/").name, site_of("http://a.org:8080/data/?q").name
    ('example.org', 'a.org-8080-e1b706')
    >>> site_of("https://data.example.org/").host
    'example.org'
    """
    parts, name = split(url), host(url).lower()
    bare = _ODD.sub("-", name.removeprefix("www."))[:80].strip("-.") or "site"
    if parts.port and parts.port not in (80, 443):
        bare = f"{bare}-{parts.port}"
    if parts.path not in ("", "/") or parts.query or _ODD.search(name):
        whole = f"{parts.path}?{parts.query} {name}"
        bare = f"{bare}-{sha256(whole.encode()).hexdigest()[:6]}"
    return Site(name=bare, url=url, host=place_of(url))


def place_of(url: str) -> str:
    """Return what is asked for one site at a time: a domain, or a server on this machine.

    >>> place_of("https://data.example.org/a"), place_of("http://127.0.0.1:8000/")
    ('example.org', '127.0.0.1:8000')
    """
    name = host(url).lower()
    if not is_loopback(name):
        return registered_domain(name)
    port = split(url).port
    return f"{name}:{port}" if port else name


def is_loopback(name: str) -> bool:
    """Say whether a host is an address of this machine itself."""
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def read_sites(path: Path) -> Iterator[Site]:
    """Yield the sites of a file, each once; empty lines and lines that begin with # are none."""
    known: set[str] = set()
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip() or line.lstrip().startswith("#"):
                    continue
                try:
                    site = site_of(start_url(line.strip().removeprefix("<").removesuffix(">")))
                except UserError as error:
                    raise UserError(f"Line {number} of {path}: {error}") from None
                if site.name not in known:
                    known.add(site.name)
                    yield site
    except OSError as error:
        raise UserError(f"The file {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise UserError(f"The file {path} is not a text with one address a line.") from None
    if not known:
        raise UserError(f"The file {path} holds no address.")
