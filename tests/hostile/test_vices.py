"""Every vice of the hostile server costs one answer: bounded in time and memory, never a crash."""

import time
import tracemalloc
from pathlib import Path

import pytest

from filon.core import Request
from filon.web import Live
from hostile.server import Server
from hostile.site import FILES
from hostile.vices import LINKS, MIB, VICES, build_bombs
from hostile.visits import LOOPS, play, visit

#: Vices that end as a failure: the kind, and the status where a head came first.
FAILURES = {
    "silent": ("timeout", 0),
    "drip-body": ("timeout", 200),
    "drip-head": ("timeout", 0),
    "stall": ("timeout", 200),
    "continue-for-ever": ("headers", 0),
    "close-at-once": ("closed", 0),
    "reset": ("closed", 200),
    "close-in-body": ("closed", 200),
    "chunks-cut-off": ("closed", 200),
    "chunks-broken": ("protocol", 200),
    "chunks-broken-at-once": ("protocol", 0),
    "trailers-endless": ("closed", 200),
    "chunk-line-endless": ("timeout", 200),
    "length-too-short": ("protocol", 0),
    "length-negative": ("protocol", 0),
    "length-twice": ("protocol", 0),
    "http-0.9": ("protocol", 0),
    "binary-junk": ("protocol", 0),
    "headers-endless": ("headers", 0),
    "header-huge": ("headers", 0),
    "header-line-endless": ("headers", 0),
    "bomb-gzip": ("bomb", 200),
    "bomb-brotli": ("bomb", 200),
    "bomb-zstd": ("bomb", 200),
    "bomb-deflate": ("bomb", 200),
    "bomb-nested": ("bomb", 200),
    "gzip-five-times": ("bomb", 200),
    "gzip-not": ("protocol", 200),
    "gzip-cut-off": ("protocol", 200),
}
#: Of these are pages that break off: what came of them is handed out.
BEGUN = {
    *("drip-body", "stall", "reset", "close-in-body", "chunks-cut-off", "chunks-broken"),
    *("trailers-endless", "chunk-line-endless", "gzip-cut-off"),
}
#: Vices that end as a good answer, odd as it may be: the status and the body.
ODDITIES = {
    "headers-odd": (200, b"ok"),
    "gzip-twice": (200, b"twice"),
    "coding-unknown": (200, b"<html>plain</html>"),
    "charset-wrong": (200, "<p>café</p>".encode("latin-1")),
    "nul-bytes": (200, b"<a\0 href='/x\0y'>\0</a>"),
    "utf8-invalid": (200, b"<p>\xff\xfe\xc3(</p>"),
    "html-named.csv": (200, b"<html><body>Error</body></html>"),
    "csv-typed-html": (200, b"a,b\n1,2\n"),
    "type-none": (200, b"a,b\n1,2\n"),
    "empty": (200, b""),
    "204": (204, b""),
    "206": (206, b"part"),
    "304": (304, b""),
    "999": (999, b"denied"),
    "429": (429, b""),
    "429-retry-after": (429, b""),
    "503": (503, b""),
    "500": (500, b"<h1>Error</h1>"),
    "cookies": (200, b""),
    "redirect-loop": (302, b""),
    "redirect-scheme": (302, b""),
    "redirect-file": (302, b""),
    "redirect-metadata": (302, b""),
    "redirect-private": (302, b""),
    "redirect-number": (302, b""),
    "redirect-chain": (301, b""),
}
#: Vices with a test of their own below.
ENDLESS = {"endless", "endless-untyped", "endless-csv", "endless-compressed"}
SPECIAL = {*ENDLESS, "links-10mb", "length-huge", "upgrade"}


def test_every_vice_has_a_test() -> None:
    assert {*FAILURES, *ODDITIES, *SPECIAL} == set(VICES)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("name", FAILURES)
def test_a_vice_is_a_failed_answer_in_bounded_time_and_memory(
    name: str, loop: str, tmp_path: Path
) -> None:
    build_bombs()  # so that the client's time and memory are measured, not the server's
    tracemalloc.start()
    began_s = time.process_time()
    try:
        answer = visit("/vice/" + name, spool_dir=tmp_path, loop=loop)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (answer.error, answer.status) == FAILURES[name], answer.detail
    assert answer.detail.endswith(".")
    assert (answer.cut, answer.spool) == ("", "")
    assert bool(answer.body) == (name in BEGUN)
    assert not list(tmp_path.iterdir()), "no file is left behind"
    assert time.process_time() - began_s < 5
    assert peak_bytes < 32 * MIB


@pytest.mark.parametrize("name", ODDITIES)
def test_an_oddity_is_an_answer_like_any_other(name: str) -> None:
    answer = visit("/vice/" + name)
    assert (answer.error, answer.cut) == ("", ""), answer.detail
    assert (answer.status, answer.body) == ODDITIES[name]
    assert answer.size_bytes == len(answer.body)


def test_an_endless_page_is_cut_at_the_bound() -> None:
    answer = visit("/vice/endless", memory_bytes=MIB)
    assert (answer.status, answer.error, answer.cut) == (200, "", "size")
    assert answer.wire_bytes == answer.size_bytes == len(answer.body) == MIB


@pytest.mark.parametrize("name", ["endless", "endless-untyped", "endless-compressed"])
def test_an_endless_page_ends_at_the_limit_of_pages_and_needs_no_file(
    name: str, tmp_path: Path
) -> None:
    answer = visit(f"/vice/{name}", spool_dir=tmp_path, memory_bytes=MIB)
    assert (answer.cut, answer.size_bytes, answer.spool) == ("size", MIB, "")
    assert len(answer.body) == MIB
    assert not list(tmp_path.iterdir())


def test_an_endless_file_is_cut_and_removed(tmp_path: Path) -> None:
    answer = visit("/vice/endless-csv", spool_dir=tmp_path, memory_bytes=MIB, max_bytes=3 * MIB)
    assert (answer.cut, answer.wire_bytes, answer.spool) == ("size", 3 * MIB, "")
    assert not list(tmp_path.iterdir())


def test_ten_megabytes_of_links_are_cut_after_the_headers_where_there_is_no_room() -> None:
    answer = visit("/vice/links-10mb")
    assert (answer.status, answer.error, answer.cut) == (200, "", "size")
    assert (answer.body, answer.wire_bytes, answer.size_bytes) == (b"", 0, len(LINKS))


def test_ten_megabytes_of_links_come_whole_into_a_file(tmp_path: Path) -> None:
    answer = visit("/vice/links-10mb", spool_dir=tmp_path)
    assert (answer.status, answer.error, answer.cut) == (200, "", "")
    assert len(LINKS) == answer.size_bytes > 10**7
    assert answer.body == LINKS[: 8 * MIB]
    assert Path(answer.spool).read_bytes() == LINKS


def test_a_huge_announcement_is_not_waited_for(tmp_path: Path) -> None:
    answer = visit("/vice/length-huge", spool_dir=tmp_path)
    assert (answer.cut, answer.size_bytes, answer.wire_bytes) == ("size", 999_999_999_999, 0)


def test_an_upgrade_that_nobody_asked_for_leads_nowhere() -> None:
    answer = visit("/vice/upgrade")
    assert answer.status in (0, 101)
    assert not answer.body


def test_odd_headers_are_text_that_can_be_stored() -> None:
    answer = visit("/vice/headers-odd")
    assert (answer.header("x-latin"), answer.header("x-utf")) == ("café", "café")
    assert all(name.encode() and value.encode() for name, value in answer.headers)


def test_a_missing_type_is_no_type() -> None:
    assert visit("/vice/type-none").mime == ""


def test_a_redirect_is_never_followed() -> None:
    async def scene(server: Server, web: Live) -> None:
        url, hops = server.url("/vice/redirect-chain"), 0
        while (answer := await web.fetch(Request(url=url))).redirects:
            url, hops = server.url(answer.header("location")), hops + 1
        assert (hops, answer.status) == (51, 200)
        assert len(server.log) == 52

    play(scene)


def test_a_redirect_to_a_file_cannot_even_be_asked_for() -> None:
    location = visit("/vice/redirect-file").header("location")
    with pytest.raises(ValueError, match="not an HTTP URL"):
        Request(url=location)


def test_all_thirty_files_come_past_all_vices_with_one_client() -> None:
    async def scene(server: Server, web: Live) -> None:
        build_bombs()
        quick = [name for name in FAILURES if FAILURES[name][0] != "timeout"]
        for name in quick:
            assert (await web.fetch(Request(url=server.url(f"/vice/{name}")))).error
        for path in FILES:
            answer = await web.fetch(Request(url=server.url(path)))
            assert answer.ok
            assert answer.body.startswith(b"row,value\n")
        assert len(server.log) == len(quick) + len(FILES)

    play(scene)
