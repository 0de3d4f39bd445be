"""Which addresses a crawl may connect to, decided on the address itself.

A name is resolved once, and the addresses that pass are the ones connected to: an answer that
changes between the check and the connection (DNS rebinding) gains nothing.
"""

import asyncio
import errno
import socket
from collections.abc import Set
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from aiohttp.abc import AbstractResolver, ResolveResult

from filon.web.machine import lacking

# Networks of IPv6 that carry an IPv4 address: what counts is the address inside.
_NAT64 = IPv6Network("64:ff9b::/96")
# Deprecated or local forms that `is_global` takes for public ones.
_NEVER = (IPv6Network("::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("fec0::/10"))


class PrivateAddressError(OSError):
    """A name leads only to addresses that the user did not ask for."""


def literal(host: str) -> str:
    """Return the IP address that a URL's host is, without brackets, or the empty string.

    >>> literal("[::1]"), literal("example.org")
    ('::1', '')
    """
    try:
        return str(ip_address(host.strip("[]")))
    except ValueError:
        return ""


def is_private(address: str) -> bool:
    """Say whether an address lies outside the public internet.

    >>> is_private("169.254.169.254"), is_private("::ffff:10.0.0.1"), is_private("1.1.1.1")
    (True, True, False)
    """
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        inner = _inner(ip)
        if inner:
            return is_private(str(inner))
        if any(ip in network for network in _NEVER):
            return True
    return ip.is_multicast or not ip.is_global


def _inner(ip: IPv6Address) -> IPv4Address | None:
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour


class Resolver(AbstractResolver):
    """Resolves names, and keeps private addresses back except for what is exempt.

    exempt: hosts with the port at which they are; 0 for all ports.
    """

    def __init__(self, exempt: Set[tuple[str, int]], timeout_s: float) -> None:
        self._exempt = exempt
        self._timeout_s = timeout_s

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a host that may be connected to."""
        found = await self._look_up(host, port, family)
        if self._exempt.isdisjoint({(host.lower(), port), (host.lower(), 0)}):
            found = [result for result in found if not is_private(result["host"])]
        if not found:
            raise PrivateAddressError(f"{host} has only private addresses")
        return found

    async def _look_up(
        self, host: str, port: int, family: socket.AddressFamily
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._timeout_s):
                infos = await loop.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
        except RuntimeError as problem:  # no thread could be started to ask in
            raise lacking(errno.ENOMEM) from problem
        except UnicodeError as problem:  # a label that no DNS can hold
            raise socket.gaierror(socket.EAI_NONAME, "not a name that DNS can hold") from problem
        except TimeoutError as problem:
            raise socket.gaierror(socket.EAI_AGAIN, "no answer from DNS") from problem
        return [
            ResolveResult(
                hostname=host, host=str(where[0]), port=port, family=kind, proto=proto, flags=0
            )
            for kind, _, proto, _, where in infos
        ]

    async def close(self) -> None:
        """Nothing to let go of."""
