"""Exports to WARC and WACZ: what a run was answered, read back as a replay tool does."""

import hashlib
import json
import zipfile
from bisect import bisect_left
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

import validators
from filon.core import Find, MachineError, Reason, Request, Response, Step
from filon.page.surt import surt
from filon.run.export import export, write
from filon.run.export.format import Kinds
from filon.run.export.warc import answers
from filon.run.folder import RunFolder

SITE = "https://www.example.org/"
PAGE = b"<!doctype html><title>all</title><a href=Data.CSV?b=1&a=2>table</a>"
TABLE = b"a,b\n" + b"1,2\n" * 100_000
AT_S = 1_763_200_800.25


def answered(
    folder: RunFolder,
    path: str,
    body: bytes,
    mime: str,
    *,
    find: bool = False,
    kind: str = "link",
    method: str = "GET",
    **more: Any,
) -> None:
    url = f"{SITE}{path}"
    step = Step(request=Request(url=url, method=method), reason=Reason(kind=kind))
    headers = (("Content-Type", mime), ("Content-Encoding", "gzip"), ("Content-Length", "7"))
    told = {"status": 200, "headers": headers, "body": body, "at_s": AT_S, **more}
    finds = [Find(kind="file", url=url, name=path, mime=mime, parent=SITE)] if find else []
    folder.record(folder.begin(step), step, Response(url=url, **told), finds, idle=False)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "run"
    config = {"verb": "harvest", "url": SITE, "strategy": "bfs", "version": 1}
    spool = tmp_path / "long"
    spool.write_bytes(TABLE)
    with RunFolder.create(path, config) as folder:
        answered(folder, "robots.txt", b"", "text/plain", kind="robots", status=404)
        answered(folder, "", PAGE, "text/html", kind="start")
        answered(folder, "Data.CSV?b=1&a=2", b"", "text/csv", method="HEAD")
        long: dict[str, Any] = {"spool": str(spool), "size_bytes": len(TABLE)}
        answered(folder, "Data.CSV?b=1&a=2", TABLE[:100], "text/csv", find=True, **long)
        answered(folder, "same.csv", TABLE, "text/csv", find=True)
        answered(folder, "empty.csv", b"", "text/csv", find=True)
        answered(folder, "cut.csv", b"a,", "text/csv", find=True, cut="size")
        answered(folder, "list", b"<ul></ul>", "text/html")
        answered(folder, "no", b"", "", status=0, error="timeout")
    return path


def records(data: bytes) -> Iterator[tuple[Any, bytes]]:
    for record in ArchiveIterator(BytesIO(data), check_digests="raise"):
        yield record, record.content_stream().read()


def replay(wacz: Path, url: str) -> tuple[Any, bytes]:
    """Look a URL up as the tools do: its key in the index, then one record of the archive."""
    with zipfile.ZipFile(wacz) as package:
        index = package.read("indexes/index.cdx").decode().splitlines()
        line = index[bisect_left(index, f"{surt(url)} ")]
        key, _, entry = line.split(" ", 2)
        assert key == surt(url)
        told = json.loads(entry)
        with package.open(f"archive/{told['filename']}") as warc:
            warc.seek(int(told["offset"]))
            ((record, body),) = records(warc.read(int(told["length"])))
    assert record.rec_headers["WARC-Target-URI"] == told["url"]
    assert record.http_headers.get_statuscode() == told["status"]
    assert record.rec_headers["WARC-Payload-Digest"] == told["digest"]
    return record, body


def test_a_warc_has_pages_and_found_files_with_their_bytes(run: Path) -> None:
    out = export(run, "warc")
    assert out.name == "run.warc.gz"
    (info, _), *found = records(out.read_bytes())
    assert info.rec_type == "warcinfo"
    assert info.rec_headers["WARC-Filename"] == "run.warc.gz"
    bodies = {r.rec_headers["WARC-Target-URI"].removeprefix(SITE): body for r, body in found}
    assert bodies == {
        "robots.txt": b"",
        "": PAGE,
        "Data.CSV?b=1&a=2": TABLE,
        "same.csv": TABLE,
        "empty.csv": b"",
        "cut.csv": b"a,",
        "list": b"<ul></ul>",
    }
    assert {record.rec_type for record, _ in found} == {"response"}
    assert {record.rec_headers.protocol for record, _ in found} == {"WARC/1.1"}
    ids = [record.rec_headers["WARC-Record-ID"] for record, _ in found]
    assert len(set(ids)) == len(ids)


def test_only_what_came_cut_off_is_told_to_be(run: Path) -> None:
    told = {
        record.rec_headers["WARC-Target-URI"].removeprefix(SITE): reason
        for record, _ in records(export(run, "warc").read_bytes())
        if (reason := record.rec_headers["WARC-Truncated"])
    }
    assert told == {"cut.csv": "length"}


@pytest.mark.parametrize(
    ("path", "body"),
    [("", PAGE), ("data.csv?a=2&b=1", TABLE), ("same.csv", TABLE), ("empty.csv", b"")],
)
def test_a_wacz_replays_pages_and_found_files(run: Path, path: str, body: bytes) -> None:
    record, found = replay(export(run, "wacz"), f"{SITE}{path}")
    assert found == body
    headers = record.http_headers
    assert headers.get_header("Content-Length") == str(len(body))
    assert headers.get_header("Content-Encoding") is None
    assert headers.get_header("X-Crawler-Content-Encoding") == "gzip"
    assert record.rec_headers["WARC-Date"].startswith("2025-11-15T10:00:00")


def test_a_wacz_describes_itself(run: Path) -> None:
    with zipfile.ZipFile(export(run, "wacz")) as package:
        about = json.loads(package.read("datapackage.json"))
        listed = {resource["path"]: resource for resource in about["resources"]}
        assert {*listed, "datapackage.json", "datapackage-digest.json"} == {*package.namelist()}
        for path, resource in listed.items():
            data = package.read(path)
            assert resource["bytes"] == len(data)
            assert resource["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
            assert resource["name"] == path.rpartition("/")[2].lower()
        digest = json.loads(package.read("datapackage-digest.json"))
        whole = hashlib.sha256(package.read("datapackage.json")).hexdigest()
        assert digest == {"path": "datapackage.json", "hash": f"sha256:{whole}"}
        archive = package.getinfo("archive/data.warc.gz")
        assert archive.compress_type == zipfile.ZIP_STORED
    assert about["profile"] == "data-package"
    assert about["wacz_version"] == "1.1.1"
    assert about["mainPageUrl"] == SITE
    assert about["mainPageDate"] == "2025-11-15T10:00:00Z"


def test_the_pages_of_a_wacz_are_the_start_and_the_finds(run: Path) -> None:
    with zipfile.ZipFile(export(run, "wacz")) as package:
        head, *pages = map(json.loads, package.read("pages/pages.jsonl").splitlines())
        _, *others = map(json.loads, package.read("pages/extraPages.jsonl").splitlines())
    assert head["format"] == "json-pages-1.0"
    names = ["", "Data.CSV?b=1&a=2", "same.csv", "empty.csv", "cut.csv"]
    assert [page["url"] for page in pages] == [SITE + name for name in names]
    assert pages[2]["title"] == "same.csv"
    assert [page["url"] for page in others] == [f"{SITE}list"]
    assert len({page["id"] for page in pages + others}) == 6


def test_a_wacz_of_many_runs_replays_them_all(run: Path, tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "other", {}) as folder:
        answered(folder, "new", PAGE, "text/html", kind="start")
        answered(folder, "new.csv", TABLE[:8], "text/csv", find=True)
    kinds: Kinds = {"answers": lambda folder: answers(folder, (run, tmp_path / "other"))}
    out = write(tmp_path, "wacz", tmp_path / "many.wacz", kinds)
    for path, body in (("", PAGE), ("new", PAGE), ("new.csv", TABLE[:8]), ("same.csv", TABLE)):
        assert replay(out, f"{SITE}{path}")[1] == body
    with zipfile.ZipFile(out) as package:
        about = json.loads(package.read("datapackage.json"))
        pages = [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()]
        package.extractall(tmp_path / "unpacked")
    assert about["title"] == f"filon catalog: {tmp_path.name}"
    assert about["mainPageUrl"] == SITE
    assert len({page["id"] for page in pages}) == 1 + 5 + 2
    assert validators.frictionless(tmp_path / "unpacked")["valid"]


def test_a_warc_of_many_runs_has_them_all(run: Path, tmp_path: Path) -> None:
    kinds: Kinds = {"answers": lambda folder: answers(folder, (run, run))}
    out = write(tmp_path, "warc", tmp_path / "many.warc.gz", kinds)
    assert len(list(records(out.read_bytes()))) == 2 * (1 + 7)


def test_the_index_is_sorted(run: Path) -> None:
    with zipfile.ZipFile(export(run, "wacz")) as package:
        lines = package.read("indexes/index.cdx").splitlines()
    assert lines == sorted(lines)
    assert len(lines) == 7


def test_a_find_whose_file_is_gone_is_left_out(run: Path) -> None:
    sha256 = hashlib.sha256(TABLE).hexdigest()
    (run / "files" / sha256[:2] / sha256).unlink()
    found = [r.rec_headers["WARC-Target-URI"] for r, _ in records(export(run, "warc").read_bytes())]
    assert f"{SITE}same.csv" not in found
    assert f"{SITE}empty.csv" in found


def test_a_damaged_archive_is_one_sentence(run: Path) -> None:
    (warc,) = (run / "archive").iterdir()
    warc.write_bytes(b"\0" * warc.stat().st_size)
    with pytest.raises(MachineError, match="cannot be read"):
        export(run, "warc")
    assert sorted(path.name for path in run.parent.iterdir()) == ["run"]


def test_a_run_without_answers_is_an_archive_without_records(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "run", {"verb": "harvest"}).close()
    ((info, _),) = records(export(tmp_path / "run", "warc").read_bytes())
    assert info.rec_type == "warcinfo"
    with zipfile.ZipFile(export(tmp_path / "run", "wacz")) as package:
        assert package.read("indexes/index.cdx") == b""
