"""What the machine lacks is told as such, whichever part of a fetch meets it."""

import asyncio
import errno
import socket
import sys
from collections.abc import Callable
from typing import Any

import pytest

from command import start_python
from filon.core import MachineError, Request
from filon.web.live import Live, Options
from filon.web.machine import raise_if_machine
from patience import PATIENCE_S

HERE = Options(allow_hosts=("127.0.0.1", "here.test"))


def fetch(url: str) -> Any:
    async def run() -> Any:
        web = Live(HERE)
        try:
            return await web.fetch(Request(url=url))
        finally:
            await web.close()

    return asyncio.run(run())


@pytest.mark.parametrize(
    "number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.ENOSPC]
)
def test_a_connection_that_cannot_be_made_here_is_not_blamed_on_the_host(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_socket(*_: object, **__: object) -> socket.socket:
        raise OSError(number, "no socket")

    monkeypatch.setattr("aiohttp.connector.aiohappyeyeballs.start_connection", no_socket)
    with pytest.raises(MachineError, match=r"nothing that came in is lost.*filon resume"):
        fetch("http://127.0.0.1:9/")


@pytest.mark.parametrize("problem", [MemoryError(), RuntimeError("can't start new thread")])
def test_a_name_that_cannot_be_looked_up_for_want_of_memory_is_not_unknown(
    problem: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> Any:
        raise problem

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", fails)
    with pytest.raises(MachineError, match="memory"):
        fetch("http://here.test/")


def test_a_refusal_is_the_host_s() -> None:
    raise_if_machine(ConnectionRefusedError(errno.ECONNREFUSED, "refused"))
    assert fetch("http://127.0.0.1:9/").error == "connect"


def test_a_silent_dns_is_no_unknown_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def answering(number: int) -> Callable[..., Any]:
        async def fails(*_: object, **__: object) -> Any:
            raise socket.gaierror(number, "no")

        return fails

    for number, error in ((socket.EAI_AGAIN, "connect"), (socket.EAI_NONAME, "dns")):
        monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", answering(number))
        assert fetch("http://here.test/").error == error


SCRIPT = """
import asyncio, os, resource
from filon.core import MachineError, Request
from filon.web.live import Live, Options


async def main():
    web = Live(Options(allow_hosts=("127.0.0.1",)))
    print((await web.fetch(Request(url="http://127.0.0.1:9/"))).error)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    try:
        while True:
            os.open(os.devnull, os.O_RDONLY)
    except OSError:
        pass
    for url in ("http://127.0.0.1:9/", "http://nowhere.invalid/"):
        try:
            print(await web.fetch(Request(url=url)))
        except MachineError as error:
            print(error)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_without_a_descriptor_neither_addresses_nor_names_are_blamed(tmp_path: Any) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    out, err = start_python(tmp_path, script).communicate(timeout=PATIENCE_S)
    first, *others = out.splitlines()
    assert first == "connect", err
    assert len(others) == 2
    assert all("too many files are open" in told for told in others), out
