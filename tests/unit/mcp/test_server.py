"""Who is let in over HTTP."""

import asyncio
from typing import Any

import pytest

from filon.core import MachineError
from filon.mcp.server import Admitted, _listening

OWN = [(b"host", b"127.0.0.1:80"), (b"authorization", b"Bearer word")]


def status(headers: list[tuple[bytes, bytes]], kind: str = "http") -> int:
    sent: list[Any] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("it reads on")

    app = Admitted(inner, ["127.0.0.1:80", "localhost:80"], "word")
    asyncio.run(app({"type": kind, "headers": headers}, receive, send))
    return sent[0]["status"] if sent else 0


@pytest.mark.parametrize(
    ("headers", "told"),
    [
        (OWN, 200),
        (OWN[:1], 401),
        (OWN[1:], 421),
        ([(b"host", b"evil.test"), OWN[1]], 421),
        ([(b"host", b"127.0.0.1:81"), OWN[1]], 421),
        ([OWN[0], OWN[0], OWN[1]], 421),
        ([*OWN, (b"origin", b"http://127.0.0.1:80")], 403),
        ([*OWN, (b"origin", b"null")], 403),
        ([OWN[0], (b"authorization", b"Bearer words")], 401),
        ([OWN[0], (b"authorization", b"bearer word")], 401),
        ([*OWN, (b"authorization", b"Bearer x")], 401),
    ],
)
def test_only_who_has_the_token_and_comes_from_no_page(
    headers: list[tuple[bytes, bytes]], told: int
) -> None:
    assert status(headers) == told


def test_nothing_but_http_is_answered() -> None:
    assert status(OWN[:1], "websocket") == 0


def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    with _listening(0) as taken:
        taken.listen()
        with pytest.raises(MachineError, match="Choose another with --port"):
            _listening(taken.getsockname()[1])
