"""What the run of a site asks: which hosts have to be taken first, and what becomes of requests."""

import asyncio
from collections.abc import Collection
from dataclasses import replace

import pytest

from filon.core import Request, Response
from filon.fleet.asked_hosts import AskedHosts, addresses_of
from filon.fleet.site_list import site_of

ADDRESSES = {
    "www.a.test": ["10.0.0.1"],
    "data.a.test": ["10.0.0.2"],
    "cdn.test": ["10.0.0.3"],
    "many.test": ["10.0.0.1", "10.0.0.4", "2001:db8::4"],
}


class Network:
    """A network that notes what it is asked, in the store and in the web; both say yes or no."""

    def __init__(self, *, free: bool = True) -> None:
        self.free = free
        self.taken: list[list[str]] = []
        self.looked_up: list[str] = []
        self.asked: list[Request] = []

    async def hold(self, places: Collection[str]) -> bool:
        self.taken.append(list(places))
        return self.free

    async def addresses_of(self, name: str) -> list[str]:
        self.looked_up.append(name)
        return ADDRESSES.get(name, [])

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request)
        return Response(url=request.url, status=200)

    async def close(self) -> None:
        return


def ask(
    network: Network, start: str, *urls: str, address: str = "10.0.0.1", by_name: bool = False
) -> list[Response]:
    site = replace(site_of(start), address=address)
    web = AskedHosts(network, site, network.hold, delay_s=100.0, by_name=by_name)

    async def live() -> list[Response]:
        return [await web.fetch(Request(url=url)) for url in urls]

    return asyncio.run(live())


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    network = Network()
    monkeypatch.setattr("filon.fleet.asked_hosts.addresses_of", network.addresses_of)
    return network


def test_what_is_known_costs_nothing(network: Network) -> None:
    start = "http://a.test/"
    ask(network, start, start, "https://a.test/b", "http://www.a.test/", "http://www.a.test/2")
    assert network.taken == []
    assert network.looked_up == ["www.a.test"]
    assert [request.not_before_s for request in network.asked] == [0.0] * 4


def test_another_host_is_taken_once_with_its_address_and_asked_after_a_pause(
    network: Network,
) -> None:
    ask(network, "http://a.test/", *("http://data.a.test/1", "http://data.a.test/2"))
    ask(network, "http://a.test/", "http://cdn.test/1")
    assert network.taken == [["10.0.0.2"], ["10.0.0.3", "cdn.test"]]
    first, second, other = (request.not_before_s for request in network.asked)
    assert min(first, other) > 100.0
    assert second == 0.0


def test_what_another_site_has_is_not_asked_and_no_failure(network: Network) -> None:
    network.free = False
    (answer,) = ask(network, "http://a.test/", "http://cdn.test/1")
    assert network.asked == []
    assert (answer.sent, answer.cut) == ("withheld", "time")


def test_what_a_lease_began_with_is_not_taken_again(network: Network) -> None:
    urls = "http://cdn.test/1", "http://data.a.test/1"
    ask(network, "http://a.test/", *urls, address="10.0.0.1 10.0.0.3 cdn.test")
    assert network.taken == [["10.0.0.2"]]


def test_on_loopback_each_port_is_taken_for_itself(network: Network) -> None:
    urls = "http://127.0.0.1:8000/a", "http://127.0.0.1:8001/a"
    ask(network, "http://127.0.0.1:8000/", *urls, address="")
    assert network.taken == [["127.0.0.1:8001"]]


def test_behind_a_proxy_domains_are_taken_and_nothing_is_looked_up(network: Network) -> None:
    urls = "http://a.test/", "http://data.a.test/", "http://cdn.test/"
    ask(network, "http://a.test/", *urls, address="", by_name=True)
    assert network.taken == [["cdn.test"]]
    assert network.looked_up == []


def test_all_addresses_of_a_host_are_taken(network: Network) -> None:
    ask(network, "http://a.test/", "http://many.test/1")
    assert network.taken == [["10.0.0.4", "2001:db8::4", "many.test"]]


def test_a_host_resolves_to_all_its_addresses_but_those_of_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = ["10.0.0.2", "127.0.0.1", "fe80::1%lo", "10.0.0.1", "::1", "10.0.0.2"]

    def look_up(name: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        if name != "2001:db8::1":
            raise OSError
        return [(0, 0, 0, "", (address, 0)) for address in answers]

    monkeypatch.setattr("socket.getaddrinfo", look_up)
    assert asyncio.run(addresses_of("[2001:db8::1]")) == ["10.0.0.1", "10.0.0.2", "fe80::1"]
    assert asyncio.run(addresses_of("nowhere.test")) == []
