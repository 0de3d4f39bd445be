"""The hosts that the run of a site asks: each is the site's own before its first request leaves.

A harvest leads to hosts below that of its start, and to files on others where it was told so. What
such a host belongs to (its domain, and its addresses, which may serve many) is taken in the store.
Where another site has it, the request is put off: the run closes, its site is given back, and waits
for that place.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from ipaddress import ip_address

from filon.core import Request, Response, Web
from filon.core.clock import now_s
from filon.fleet.model import Site
from filon.fleet.site_list import place_of
from filon.page.url import host, origin
from filon.web.polite import host_of

#: How long a name is looked up.
RESOLVE_S = 5.0


class AskedHosts:
    """A web for the run of one site, for as long as a worker has it.

    hold: takes places for the site; False: another site has one. delay_s: before a place is asked
    that was just taken, since another may have been asking it. by_name: no name is looked up here.
    """

    def __init__(
        self,
        web: Web,
        site: Site,
        hold: Callable[[Collection[str]], Awaitable[bool]],
        *,
        delay_s: float,
        by_name: bool,
    ) -> None:
        self._web, self._hold, self._delay_s, self._by_name = web, hold, delay_s, by_name
        self._hosts = {host_of(site.url)} if site.address else set()
        self._places = {site.host, *site.address.split()}

    async def fetch(self, request: Request) -> Response:
        """Answer a request, or withhold it: its run asks for the same later."""
        name = host_of(request.url)
        if name and name not in self._hosts:
            new = await self._places_of(origin(request.url)) - self._places
            if new and not await self._hold(sorted(new)):
                return _put_off(request)
            self._hosts.add(name)
            self._places |= new
            if new:
                start_s = now_s() + max(self._delay_s, request.delay_s)
                request = replace(request, not_before_s=max(start_s, request.not_before_s))
        return await self._web.fetch(request)

    async def close(self) -> None:
        """Close the web within."""
        await self._web.close()

    async def _places_of(self, url: str) -> set[str]:
        addresses = () if self._by_name else await addresses_of(host(url))
        return {place_of(url), *addresses} - {""}


def _put_off(request: Request) -> Response:
    return Response(
        url=request.url,
        error="timeout",
        detail="Its host or address is asked for another site now; nothing was sent.",
        cut="time",
        at_s=now_s(),
        sent="withheld",
    )


async def addresses_of(name: str) -> list[str]:
    """Return all addresses of a host, sorted, without those that are this machine's own.

    A request may go to any of them.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(RESOLVE_S):
            found = await loop.getaddrinfo(name.strip("[]"), None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):  # TimeoutError is one
        return []
    # An address of IPv6 may name its interface, and that is of no interest here.
    addresses = {str(place[4][0]).partition("%")[0] for place in found}
    return sorted(one for one in addresses if not ip_address(one).is_loopback)
