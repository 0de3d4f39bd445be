import asyncio
import http.client
import socket
from collections.abc import Iterator

import pytest

from filon.demo.server import LOOPBACK, Server, serving
from filon.demo.sites import answer
from patience import PATIENCE_S

HOME = "http://statistics.test/en/"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def ask(
    connection: http.client.HTTPConnection, method: str, path: str, host: str = "statistics.test"
) -> tuple[http.client.HTTPResponse, bytes]:
    connection.request(method, path, headers={"Host": host, "User-Agent": "test"})
    response = connection.getresponse()
    return response, response.read()


@pytest.fixture
def connection(server: Server) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(LOOPBACK, server.port, timeout=PATIENCE_S)
    yield connection
    connection.close()


def raw(server: Server, sent: bytes) -> bytes:
    with socket.create_connection((LOOPBACK, server.port), timeout=PATIENCE_S) as wire:
        wire.sendall(sent)
        return b"".join(iter(lambda: wire.recv(65536), b""))


def test_a_page_comes_as_it_was_made(connection: http.client.HTTPConnection) -> None:
    response, body = ask(connection, "GET", "/en/")
    assert response.status == 200
    assert response.getheader("Content-Type") == "text/html; charset=utf-8"
    assert body == answer(HOME).body


def test_head_says_the_length_and_sends_nothing(connection: http.client.HTTPConnection) -> None:
    response, body = ask(connection, "HEAD", "/en/")
    assert response.getheader("Content-Length") == str(len(answer(HOME).body))
    assert body == b""


def test_a_connection_serves_several_requests(
    server: Server, connection: http.client.HTTPConnection
) -> None:
    for method, path in (("GET", "/"), ("HEAD", "/en/"), ("GET", "/nowhere"), ("GET", "/fr/")):
        ask(connection, method, path)
    assert [(visit.method, visit.target, visit.status) for visit in server.log] == [
        ("GET", "/", 200),
        ("HEAD", "/en/", 200),
        ("GET", "/nowhere", 404),
        ("GET", "/fr/", 200),
    ]
    assert {visit.connection for visit in server.log} == {1}
    assert {visit.agent for visit in server.log} == {"test"}


def test_the_host_header_tells_the_sites_apart(
    server: Server, connection: http.client.HTTPConnection
) -> None:
    bodies = [
        ask(connection, "GET", "/", host)[1]
        for host in ("statistics.test", "clearwater.test:80", "datanotes.test", "127.0.0.1")
    ]
    assert b"Clear Water Watch" in bodies[1]
    assert b"Data Notes" in bodies[2]
    assert bodies[3] == bodies[0], "a browser on the bare address sees the portal"
    assert server.log[1].url == "http://clearwater.test/"


def test_a_visitor_who_asks_for_it_is_let_go(server: Server) -> None:
    request = b"GET /en/ HTTP/1.1\r\nHost: statistics.test\r\nConnection: close\r\n\r\n"
    assert b"Connection: close" in raw(server, request)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"POST / HTTP/1.0\r\nHost: statistics.test\r\n\r\n", b"405"),
        (b"GET / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd", b"400"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000, b"431"),
    ],
)
def test_what_makes_no_sense_is_refused(server: Server, sent: bytes, status: bytes) -> None:
    assert raw(server, sent).split(b" ")[1] == status


def test_nothing_listens_after_the_block() -> None:
    with serving() as server:
        port = server.port
        idle = http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
        ask(idle, "GET", "/")
    assert idle.sock.recv(1) == b"", "connections in waiting are closed"
    idle.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((LOOPBACK, port), timeout=PATIENCE_S)


def test_a_taken_port_is_said_at_once(server: Server) -> None:
    with pytest.raises(OSError, match="in use"), serving(server.port):
        pass


def test_it_runs_in_an_event_loop_too() -> None:
    async def visit() -> bytes:
        async with Server() as server:
            reader, writer = await asyncio.open_connection(LOOPBACK, server.port)
            writer.write(b"GET /robots.txt HTTP/1.0\r\nHost: statistics.test\r\n\r\n")
            body = await reader.read()
            writer.close()
            assert server.connect_to == f"::127.0.0.1:{server.port}"
            return body

    assert asyncio.run(visit()).endswith(b"Sitemap: http://statistics.test/sitemap.xml\n")
