import asyncio
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from filon.core import MachineError, Request, Response
from filon.web.body import MOST_PARTS, Body
from filon.web.live import Live, Options


def test_a_short_body_stays_in_memory(tmp_path: Path) -> None:
    body = Body(10, str(tmp_path))
    for piece in (b"abc", b"defghij"):
        body.add(piece)
    body.close()
    assert (body.beginning, body.size_bytes, body.spool) == (b"abcdefghij", 10, "")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("pieces", [[b"abcdefghijk"], [b"abc", b"defgh", b"ijk"], [b"x"] * 25])
def test_a_long_body_is_a_file_and_its_beginning_in_memory(
    pieces: list[bytes], tmp_path: Path
) -> None:
    body, whole = Body(10, str(tmp_path)), b"".join(pieces)
    for piece in pieces:
        body.add(piece)
    body.close()
    assert (body.beginning, body.size_bytes) == (whole[:10], len(whole))
    assert Path(body.spool).read_bytes() == whole
    assert Path(body.spool).parent == tmp_path


def test_a_body_that_is_discarded_leaves_nothing(tmp_path: Path) -> None:
    body = Body(2, str(tmp_path))
    body.add(b"abcdef")
    body.discard()
    assert not list(tmp_path.iterdir())
    assert body.spool == ""


def test_a_full_disk_is_the_machines_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = Body(2, str(tmp_path))
    real = os.fdopen

    def full(handle: int, *_: object, **__: object) -> object:
        return real(os.open("/dev/full", os.O_WRONLY), "wb", buffering=0)

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(MachineError, match="No space left on device"):
        body.add(b"abcdef")
    body.discard()
    assert not list(tmp_path.iterdir())


FILE = bytes(range(256)) * 1200
#: How long the beginning is that comes at first.
BROKEN = 200_000
CSV = "Content-Type: text/csv\r\n"


@dataclass
class Shaky:
    """A server whose answers break off; it notes the ranges that it was asked for.

    answer: given the number of the request and its range ("" for none), returns head and body.
    """

    answer: Callable[[int, str], tuple[str, bytes]]
    asked: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        ranges = re.findall(r"(?im)^range: (.*?)\r$", head)
        self.asked.append(ranges[0] if ranges else "")
        self.conditions += re.findall(r"(?im)^if-range: (.*?)\r$", head)
        told, body = self.answer(len(self.asked) - 1, self.asked[-1])
        writer.write(f"HTTP/1.1 {told}\r\nConnection: close\r\n\r\n".encode() + body)
        writer.close()


def fetch(shaky: Shaky, times: int, spool: Path, paths: int = 1, **options: int) -> list[Response]:
    async def run() -> list[Response]:
        server = await asyncio.start_server(shaky.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        how = Options(allow_hosts=("127.0.0.1",), spool_dir=str(spool), **options)  # type: ignore[arg-type]
        web = Live(how)
        try:
            requests = [
                Request(url=f"http://127.0.0.1:{port}/{number}.csv") for number in range(paths)
            ] * times
            return [await web.fetch(request) for request in requests]
        finally:
            await web.close()
            server.close()
            await server.wait_closed()

    return asyncio.run(run())


def whole(more: str = 'ETag: "1"\r\n') -> str:
    return f"200 OK\r\n{CSV}{more}Content-Length: {len(FILE)}"


def rest(asked: str, more: str = 'ETag: "1"\r\n', shift: int = 0) -> tuple[str, bytes]:
    first = int(asked.removeprefix("bytes=").rstrip("-")) + shift
    span = f"Content-Range: bytes {first}-{len(FILE) - 1}/{len(FILE)}\r\n"
    head = f"206 Partial Content\r\n{CSV}{more}{span}Content-Length: {len(FILE) - first}"
    return head, FILE[first:]


@pytest.mark.parametrize("memory_bytes", [1_000_000, 50_000])
@pytest.mark.parametrize("validator", ['ETag: "1"', "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT"])
def test_the_rest_of_a_body_that_broke_off_is_asked_for(
    tmp_path: Path, memory_bytes: int, validator: str
) -> None:
    more = f"{validator}\r\n"

    def answer(number: int, asked: str) -> tuple[str, bytes]:
        return rest(asked, more) if asked else (whole(more), FILE[:BROKEN])

    shaky = Shaky(answer)
    first, second = fetch(shaky, 2, tmp_path, memory_bytes=memory_bytes)
    assert (first.error, first.body) == ("closed", b"")
    assert shaky.asked == ["", f"bytes={BROKEN}-"]
    assert shaky.conditions == [validator.partition(": ")[2]]
    assert (second.status, second.error, second.size_bytes) == (200, "", len(FILE))
    read = Path(second.spool).read_bytes() if second.spool else second.body
    assert read == FILE
    assert second.header("content-length") == str(len(FILE))
    assert second.header("content-range") == ""
    assert (first.wire_bytes, second.wire_bytes) == (BROKEN, len(FILE) - BROKEN), "as it came"


def test_a_body_may_break_off_more_than_once(tmp_path: Path) -> None:
    def answer(number: int, asked: str) -> tuple[str, bytes]:
        head, body = rest(asked) if asked else (whole(), FILE)
        return head, body[:60_000]

    shaky = Shaky(answer)
    *failed, last = fetch(shaky, 6, tmp_path)
    assert [one.error for one in failed] == ["closed"] * 5
    assert (last.error, last.body) == ("", FILE)
    assert shaky.asked[-1] == "bytes=300000-"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("", "nothing tells that it is the same"),
        ('ETag: W/"1"\r\n', "it may differ by a byte"),
        ('ETag: "1"\r\nAccept-Ranges: none\r\n', "the server has no parts"),
    ],
)
def test_without_a_promise_the_whole_is_asked_for(tmp_path: Path, more: str, why: str) -> None:
    shaky = Shaky(lambda number, asked: (whole(more), FILE if number else FILE[:BROKEN]))
    _, second = fetch(shaky, 2, tmp_path)
    assert shaky.asked == ["", ""], why
    assert second.body == FILE


def test_a_file_that_has_changed_comes_whole(tmp_path: Path) -> None:
    new = FILE[::-1]
    shaky = Shaky(lambda number, asked: (whole(), new if number else FILE[:BROKEN]))
    _, second = fetch(shaky, 2, tmp_path)
    assert shaky.asked[1]
    assert second.body == new


@pytest.mark.parametrize("how", ["another part", "another file", "no such part", "compressed"])
def test_what_is_not_the_rest_is_never_joined(tmp_path: Path, how: str) -> None:
    def answer(number: int, asked: str) -> tuple[str, bytes]:
        if not asked:
            return whole(), FILE if number else FILE[:BROKEN]
        if how == "no such part":
            return "416 Range Not Satisfiable\r\nContent-Length: 0", b""
        etag = 'ETag: "2"\r\n' if how == "another file" else 'ETag: "1"\r\n'
        coding = "Content-Encoding: gzip\r\n" if how == "compressed" else ""
        return rest(asked, etag + coding, shift=7 * (how == "another part"))

    shaky = Shaky(answer)
    _, second, third = fetch(shaky, 3, tmp_path)
    assert second.error == "closed", "it is worth another try"
    assert shaky.asked[2] == ""
    assert third.body == FILE


def test_a_busy_server_may_have_the_rest_later(tmp_path: Path) -> None:
    def answer(number: int, asked: str) -> tuple[str, bytes]:
        if number == 1:
            return "503 Busy\r\nContent-Length: 0", b""
        return rest(asked) if asked else (whole(), FILE[:BROKEN])

    shaky = Shaky(answer)
    assert fetch(shaky, 3, tmp_path)[-1].body == FILE
    assert shaky.asked[1] == shaky.asked[2] == f"bytes={BROKEN}-"


def test_few_parts_are_kept_and_none_is_left_behind(tmp_path: Path) -> None:
    shaky = Shaky(lambda number, asked: (whole(), FILE[:BROKEN]))
    fetch(shaky, 2, tmp_path, paths=2 * MOST_PARTS, memory_bytes=50_000)
    assert not list(tmp_path.iterdir())
    shaky = Shaky(lambda number, asked: (whole(), FILE[:BROKEN]))
    fetch(shaky, 2, tmp_path, paths=MOST_PARTS, memory_bytes=50_000)
    assert sum(map(bool, shaky.asked)) == MOST_PARTS
    assert not list(tmp_path.iterdir())
