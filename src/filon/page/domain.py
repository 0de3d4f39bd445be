"""The registered domain of a host: whom a crawler is a guest of."""

import ipaddress
from functools import lru_cache

from publicsuffixlist import PublicSuffixList

_SUFFIXES = PublicSuffixList()


@lru_cache(maxsize=65_536)
def registered_domain(host: str) -> str:
    """Return the part of a host's name that somebody has registered; an address is its own.

    >>> registered_domain("data.bnf.fr"), registered_domain("a.github.io")
    ('bnf.fr', 'a.github.io')
    >>> registered_domain("127.0.0.1"), registered_domain("localhost")
    ('127.0.0.1', 'localhost')
    """
    try:
        return str(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        return _SUFFIXES.privatesuffix(host) or host
