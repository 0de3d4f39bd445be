"""Private addresses are refused at connect time, by literal, by odd notation and by DNS."""

import asyncio
import socket
from typing import Any

import pytest

from filon.core import Request, Response
from filon.web import Live, Options
from filon.web.live import Origins
from hostile.server import Server
from patience import PATIENCE_S


def fetch(url: str, **options: Any) -> tuple[Response, int]:
    """Fetch from a client with no rule that leads to the server; count what reached it."""

    async def run() -> tuple[Response, int]:
        async with Server() as server:
            port = str(server.port)
            allowed = tuple(one.replace("PORT", port) for one in options.pop("allow_hosts", ()))
            web = Live(Options(connect_s=PATIENCE_S, allow_hosts=allowed, **options))
            try:
                there = url.replace("PORT", port)
                return await web.fetch(Request(url=there)), server.connections
            finally:
                await web.close()

    return asyncio.run(run())


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "10.0.0.1",
        "169.254.169.254",
        "localhost",
    ],
)
def test_a_private_host_is_refused_before_a_connection(host: str) -> None:
    answer, connections = fetch(f"http://{host}:PORT/")
    assert (answer.error, answer.status) == ("private", 0)
    assert connections == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_private_host_that_the_user_named_is_allowed(host: str) -> None:
    answer, connections = fetch(f"http://{host}:PORT/", allow_hosts=(host,))
    assert (answer.status, connections) == (200, 1)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_private_address_that_the_user_named_is_allowed_at_its_port_alone(host: str) -> None:
    answer, connections = fetch(f"http://{host}:PORT/", allow_hosts=(f"http://{host}:PORT/x",))
    assert (answer.status, connections) == (200, 1)
    for other in (f"http://{host}/", f"https://{host}:1/x", f"http://{host}:70000/"):
        answer, connections = fetch(f"http://{host}:PORT/", allow_hosts=(other,))
        assert (answer.error, connections) == ("private", 0)


def test_a_private_host_that_was_named_without_a_port_is_allowed_with_tls() -> None:
    exempt = Origins(Options(allow_hosts=("http://Intra.test/a", "https://tls.test"))).exempt
    assert exempt == {("intra.test", 80), ("intra.test", 443), ("tls.test", 443)}


def test_allowing_one_private_host_allows_no_other() -> None:
    answer, connections = fetch("http://localhost:PORT/", allow_hosts=("127.0.0.1",))
    assert (answer.error, connections) == ("private", 0)


@pytest.mark.parametrize(
    ("rule", "allowed"),
    [
        ("named.test:80:localhost:PORT", True),
        ("named.test:PORT:localhost:", True),
        ("named.test:80:localhost:1", False),
        ("named.test:80:localhost:", False),
        ("other.test::127.0.0.1:PORT", False),
    ],
)
def test_the_target_of_a_rule_is_one_host_and_port(rule: str, allowed: bool) -> None:
    async def run() -> tuple[Response, int]:
        async with Server() as server:
            port = str(server.port)
            web = Live(Options(connect_s=PATIENCE_S, connect_to=(rule.replace("PORT", port),)))
            try:
                answer = await web.fetch(Request(url=f"http://localhost:{port}/"))
            finally:
                await web.close()
            return answer, server.connections

    answer, connections = asyncio.run(run())
    assert (answer.error, connections) == (("", 1) if allowed else ("private", 0))


def test_the_host_of_a_proxy_is_exempt_at_the_proxys_port() -> None:
    origins = Origins(Options(proxy="http://localhost:3128"))
    assert origins.exempt == {("localhost", 3128)}


def test_a_rule_that_leaves_the_host_as_it_is_leaves_it_private() -> None:
    answer, connections = fetch("http://127.0.0.1:80/", connect_to=(":80::81",))
    assert (answer.error, connections) == ("private", 0)


def test_a_redirect_to_a_private_address_is_refused_as_its_own_step() -> None:
    async def run() -> None:
        async with Server() as server:
            web = Live(Options(connect_to=(f"hostile.test::127.0.0.1:{server.port}",)))
            for vice in ("redirect-metadata", "redirect-private", "redirect-number"):
                hop = await web.fetch(Request(url=server.url(f"/vice/{vice}")))
                answer = await web.fetch(Request(url=hop.header("location")))
                assert answer.error == "private"
            await web.close()
            assert len(server.log) == 3

    asyncio.run(run())


def connections_tried(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Fetch a name that DNS answers differently each time; return the addresses tried."""
    remaining, tried = list(answers), []

    async def resolve(_: str, port: int, **__: Any) -> list[Any]:
        found = remaining.pop(0)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    async def connect(_: socket.socket, address: tuple[str, int]) -> None:
        tried.append(address[0])
        raise ConnectionRefusedError

    async def run() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
        monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", connect)
        web = Live()
        answer = await web.fetch(Request(url="http://rebind.test/"))
        await web.close()
        assert answer.error == "connect"

    asyncio.run(run())
    return tried


def test_the_address_that_was_checked_is_the_one_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert connections_tried(monkeypatch, ["1.1.1.1"], ["127.0.0.1"]) == ["1.1.1.1"]


def test_private_addresses_among_public_ones_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert connections_tried(monkeypatch, ["127.0.0.1", "1.1.1.1", "10.0.0.1"]) == ["1.1.1.1"]


def test_a_name_that_is_not_known_is_a_dns_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unknown(*_: Any, **__: Any) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    async def run() -> Response:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unknown)
        web = Live()
        answer = await web.fetch(Request(url="http://no-such-host.test/"))
        await web.close()
        return answer

    assert asyncio.run(run()).error == "dns"


def test_a_name_that_no_dns_can_hold_is_a_dns_failure() -> None:
    answer, _ = fetch(f"http://{'a' * 70}.test/")
    assert answer.error == "dns"


def test_a_port_where_nobody_listens_is_a_connect_failure() -> None:
    answer, _ = fetch("http://127.0.0.1:1/", allow_hosts=("127.0.0.1",))
    assert answer.error == "connect"
