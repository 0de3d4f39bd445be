"""A recorded run answers as the server did when it was asked."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import filon.web.recorded as module
from filon.core import Find, Request, Response, Step, UserError
from filon.run.folder import RunFolder
from filon.web.recorded import Recorded

SITE = "http://example.org"
PAGE = Response(
    url=f"{SITE}/page",
    status=200,
    headers=(("Content-Type", "text/html"), ("Content-Encoding", "gzip")),
    body=b"<p>page</p>",
    size_bytes=11,
    wire_bytes=9,
    at_s=1.7e9,
    took_s=0.5,
)


def told(url: str, **changes: Any) -> Response:
    return Response(**{"url": SITE + url, "status": 200, **changes})


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunFolder]:
    csv = (("Content-Type", "text/csv"),)
    with RunFolder.create(tmp_path / "run", {}) as run:
        keep(run, PAGE)
        keep(run, told("/data", headers=csv, body=b"a,b\n", size_bytes=4, wire_bytes=4), file=True)
        keep(run, told("/gone", status=0, error="timeout", detail="too slow"))
        keep(run, told("/moved", status=301, headers=(("Location", f"{SITE}/page"),)))
        keep(run, told("/late", status=503))
        keep(run, told("/late", body=b"there now", size_bytes=9))
        keep(run, told("/late", status=0, error="connect"))
        keep(run, told("/page", headers=(("X-Was", "head"),)), method="HEAD")
        run.commit()
        yield run


def keep(run: RunFolder, response: Response, *, file: bool = False, method: str = "GET") -> None:
    step = Step(request=Request(url=response.url, method=method))
    finds = [Find(kind="file", url=response.url)] if file else []
    run.record(run.begin(step), step, response, finds, idle=False)


def fetch(run: RunFolder, url: str, spool_dir: Path | None = None, **request: Any) -> Response:
    async def go() -> Response:
        web = Recorded(run.path, spool_dir)
        try:
            return await web.fetch(Request(url=SITE + url, **request))
        finally:
            await web.close()

    return asyncio.run(go())


def test_a_page_is_answered_exactly_as_it_was(run: RunFolder) -> None:
    assert fetch(run, "/page") == PAGE


def test_the_body_of_a_find_comes_from_its_file(run: RunFolder) -> None:
    answer = fetch(run, "/data")
    assert (answer.body, answer.mime, answer.status) == (b"a,b\n", "text/csv", 200)


def test_failures_and_redirects_come_again(run: RunFolder) -> None:
    gone, moved = fetch(run, "/gone"), fetch(run, "/moved")
    assert (gone.status, gone.error, gone.detail) == (0, "timeout", "too slow")
    assert moved.redirects
    assert moved.header("location") == f"{SITE}/page"


def test_what_was_never_asked_is_not_there(run: RunFolder) -> None:
    assert fetch(run, "/unknown").status == 404
    assert fetch(run, "/page", method="POST").status == 404


def test_of_several_answers_the_last_whole_one_counts(run: RunFolder) -> None:
    assert fetch(run, "/late").body == b"there now"


def test_another_spelling_of_a_url_finds_its_page(run: RunFolder) -> None:
    answer = fetch(run, "/page?utm_source=mail")
    assert (answer.status, answer.body) == (200, PAGE.body)
    assert answer.url == f"{SITE}/page?utm_source=mail"


def test_a_head_has_no_body_and_prefers_a_recorded_head(run: RunFolder) -> None:
    assert fetch(run, "/page", method="HEAD").header("x-was") == "head"
    answer = fetch(run, "/data", method="HEAD")
    assert (answer.status, answer.mime, answer.body, answer.wire_bytes) == (200, "text/csv", b"", 0)


@pytest.mark.parametrize("unwanted", ["text/", "text/csv"])
def test_an_unwanted_type_is_cut_after_the_headers(run: RunFolder, unwanted: str) -> None:
    answer = fetch(run, "/data", unwanted=("image/", unwanted))
    assert (answer.cut, answer.body, answer.wire_bytes) == ("type", b"", 0)
    assert fetch(run, "/data", unwanted=("text/cs", "csv")).cut == ""


def test_a_bound_in_bytes_is_kept(run: RunFolder) -> None:
    answer = fetch(run, "/page", max_bytes=5)
    assert (answer.cut, answer.body, answer.wire_bytes) == ("budget", b"", 5)
    assert fetch(run, "/page", max_bytes=11).body == PAGE.body


def test_a_long_file_is_handed_out_as_a_spool_that_may_be_taken(
    run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MEMORY_BYTES", 2)
    answer = fetch(run, "/data", tmp_path / "spool")
    assert answer.body == b"a,"
    assert Path(answer.spool).read_bytes() == b"a,b\n"
    with RunFolder.create(tmp_path / "copy", {}) as copy:
        keep(copy, answer, file=True)
        assert [find.path.read_bytes() for find in copy if find.path] == [b"a,b\n"]
    assert not Path(answer.spool).exists()
    assert fetch(run, "/data").body == b"a,b\n"


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a run"):
        Recorded(tmp_path)
