import errno
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

import filon.run.archive as module
from filon.core import MachineError, Response
from filon.run.archive import Archive, Files, Place, read_record

URL = "http://example.org/page"


def page(body: bytes = b"<p>hi</p>", **changes: Any) -> Response:
    headers = (("Content-Type", "text/html"), ("X-Odd", "caf\udce9"))
    told = {"url": URL, "status": 200, "headers": headers, "body": body, "at_s": 1.7e9}
    return Response(**{**told, **changes})


class Make:
    """Makes archives in a folder, and closes them in the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: list[Archive] = []

    def __call__(self, last: Place | None = None, name: str = "run") -> Archive:
        self.made.append(Archive(self.folder, name, last))
        return self.made[-1]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    make = Make(tmp_path)
    yield make
    for archive in make.made:
        archive.close()


def records(folder: Path) -> list[tuple[Any, bytes]]:
    """Every record of every file, by warcio, which checks the digests."""
    found = []
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                found.append((record, record.content_stream().read()))
    return found


def test_warcio_reads_an_answer_back_with_its_digests(tmp_path: Path, make: Make) -> None:
    make().append(page())
    (info, _), (record, body) = records(tmp_path)
    assert info.rec_type == "warcinfo"
    assert info.rec_headers["WARC-Filename"] == "run-00001.warc.gz"
    assert record.rec_type == "response"
    assert record.rec_headers["WARC-Target-URI"] == URL
    assert record.rec_headers["WARC-Date"].startswith("2023-11-14T22:13:20")
    assert record.rec_headers["WARC-Payload-Digest"].startswith("sha1:")
    assert record.rec_headers["WARC-Block-Digest"].startswith("sha1:")
    assert record.http_headers.get_statuscode() == "200"
    assert record.http_headers.statusline == "200 OK"
    assert body == b"<p>hi</p>"


@pytest.mark.parametrize("status", [204, 304, 404, 503, 999])
@pytest.mark.parametrize("body", [b"", b"\r\n\r\n", bytes(range(256)) * 1000])
def test_what_was_written_is_read_back_exactly(
    tmp_path: Path, make: Make, status: int, body: bytes
) -> None:
    headers = (
        ("content-TYPE", "text/html"),
        ("Content-Encoding", "br"),
        ("Transfer-Encoding", "chunked"),
        ("Content-Length", "17"),
        ("X-Empty", ""),
        ("X-Twice", "1"),
        ("X-Twice", "2: 3"),
        ("X-Bytes", "caf\udce9 é"),
    )
    archive = make()
    archive.append(page())
    place = archive.append(page(body, status=status, headers=headers))
    assert read_record(tmp_path, place) == (headers, body)


def test_readers_are_not_told_of_codings_that_are_gone(tmp_path: Path, make: Make) -> None:
    headers = (
        ("Content-Encoding", "gzip"),
        ("Content-Length", "17"),
        ("Transfer-Encoding", "chunked"),
    )
    make().append(page(b"decoded", headers=headers))
    record, body = records(tmp_path)[1]
    assert body == b"decoded"
    http = record.http_headers
    assert http.get_header("Content-Length") == "7"
    assert http.get_header("Content-Encoding") is None
    assert http.get_header("Transfer-Encoding") is None
    assert http.get_header("X-Crawler-Content-Encoding") == "gzip"
    assert http.get_header("X-Crawler-Content-Length") == "17"


def test_the_record_of_a_find_points_to_its_file(tmp_path: Path, make: Make) -> None:
    place = make().append(page(b"a,b\n"), file="files/ab/abc")
    record, body = records(tmp_path)[1]
    assert body == b""
    assert record.rec_headers["Filon-File"] == "files/ab/abc"
    assert record.rec_headers["WARC-Truncated"] == "unspecified"
    assert record.http_headers.get_header("Content-Length") == "0"
    assert read_record(tmp_path, place) == (page().headers, b"")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"cut": "type"}, "unspecified"),
        ({"cut": "budget"}, "length"),
        ({"cut": "time"}, "time"),
        ({"error": "closed"}, "disconnect"),
        ({"spool": "/a/file"}, "length"),
    ],
)
def test_a_body_that_is_not_whole_says_why(
    tmp_path: Path, make: Make, changes: dict[str, Any], reason: str | None
) -> None:
    make().append(page(**changes))
    assert records(tmp_path)[1][0].rec_headers.get_header("WARC-Truncated") == reason


def test_no_secret_and_no_second_header_gets_in(tmp_path: Path, make: Make) -> None:
    headers = (
        ("Set-Cookie", "sid=hunter2; Path=/"),
        ("Location", "http://me:hunter2@example.org/"),
        ("X-Split", "a\r\nX-Injected: b"),
    )
    make().append(page(url="http://me:hunter2@example.org/", headers=headers))
    record, _ = records(tmp_path)[1]
    assert "hunter2" not in str(record.rec_headers) + str(record.http_headers)
    assert record.http_headers.get_header("Set-Cookie") == "sid=***; Path=/"
    assert record.http_headers.get_header("X-Injected") is None


def test_a_new_file_begins_where_one_is_full(
    tmp_path: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LIMIT_BYTES", 2000)
    archive = make()
    bodies = [hashlib.sha512(bytes([n])).digest() * 3 for n in range(12)]
    places = [archive.append(page(body)) for body in bodies]
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[:2] == ["run-00001.warc.gz", "run-00002.warc.gz"]
    assert len(names) > 2
    assert [read_record(tmp_path, place)[1] for place in places] == bodies
    kinds = [record.rec_type for record, _ in records(tmp_path)]
    assert kinds.count("warcinfo") == len(names)
    assert kinds.count("response") == len(bodies)


def test_what_was_never_acknowledged_is_cut_off(tmp_path: Path, make: Make) -> None:
    archive = make()
    first = archive.append(page(b"first"))
    archive.append(page(b"never acknowledged"))
    archive.close()
    with (tmp_path / first.warc).open("ab") as file:
        file.write(b"\x1f\x8b torn")
    (tmp_path / "run-00002.warc.gz").write_bytes(b"\x1f\x8b torn")

    second = make(first).append(page(b"second"))
    assert second.offset == first.end
    assert [body for _, body in records(tmp_path)[1:]] == [b"first", b"second"]


def test_a_torn_beginning_is_written_anew(tmp_path: Path, make: Make) -> None:
    (tmp_path / "run-00001.warc.gz").write_bytes(b"\x1f\x8b torn")
    make(None).append(page(b"first"))
    assert [record.rec_type for record, _ in records(tmp_path)] == ["warcinfo", "response"]


def test_a_renamed_run_goes_on_in_the_same_file(tmp_path: Path, make: Make) -> None:
    archive = make(None, "old")
    last = archive.append(page())
    archive.close()
    assert make(last, "new").append(page()).warc == "old-00001.warc.gz"


def test_a_record_that_is_taken_back_leaves_no_trace(tmp_path: Path, make: Make) -> None:
    archive = make()
    archive.append(page(b"first"))
    archive.undo(archive.append(page(b"second")))
    archive.append(page(b"third"))
    assert [body for _, body in records(tmp_path)[1:]] == [b"first", b"third"]


def test_a_shorter_archive_than_acknowledged_is_told(tmp_path: Path, make: Make) -> None:
    archive = make()
    place = archive.append(page())
    archive.close()
    path = tmp_path / place.warc
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(MachineError, match="shorter than the ledger says"):
        make(place)


def test_a_damaged_record_is_told(tmp_path: Path, make: Make) -> None:
    place = make().append(page())
    for wrong in (Place(place.warc, place.offset + 3, 50), Place(place.warc, place.offset, 40)):
        with pytest.raises(MachineError, match="cannot be read"):
            read_record(tmp_path, wrong)


def test_what_somebody_has_deleted_is_told_in_a_sentence(tmp_path: Path, make: Make) -> None:
    archive, files = make(), Files(tmp_path / "files")
    place, sha256 = archive.append(page()), files.put(b"a,b\n")
    archive.close()
    (tmp_path / place.warc).unlink()
    files.path(sha256).unlink()
    with pytest.raises(MachineError, match=f"{place.warc} is missing"):
        read_record(tmp_path, place)
    with pytest.raises(MachineError, match=f"{place.warc} is missing"):
        make(place)
    with pytest.raises(MachineError, match=f"{sha256} is missing"):
        files.beginning(sha256, 4)


def stored(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_body_is_stored_under_its_hash(tmp_path: Path) -> None:
    sha256 = Files(tmp_path / "files").put(b"a,b\n")
    assert sha256 == hashlib.sha256(b"a,b\n").hexdigest()
    assert stored(tmp_path) == [f"files/{sha256[:2]}/{sha256}"]
    assert Files(tmp_path / "files").path(sha256).read_bytes() == b"a,b\n"


def test_the_same_content_is_stored_once(tmp_path: Path) -> None:
    files, spool = Files(tmp_path / "files"), tmp_path / "spool"
    spool.write_bytes(b"same")
    assert files.put(b"same") == files.put(b"same") == files.take(spool)
    assert len(stored(tmp_path)) == 1


def test_a_spooled_file_is_moved_not_copied(tmp_path: Path) -> None:
    spool = tmp_path / "spool"
    spool.write_bytes(b"x" * 3_000_000)
    inode = spool.stat().st_ino
    files = Files(tmp_path / "files")
    sha256 = files.take(spool)
    assert not spool.exists()
    assert files.path(sha256).stat().st_ino == inode
    assert sha256 == hashlib.sha256(b"x" * 3_000_000).hexdigest()
    assert files.beginning(sha256, 3) == b"xxx"


def test_a_spool_on_another_disk_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spool, replace = tmp_path / "spool", os.replace
    spool.write_bytes(b"far")

    def across(source: Path, target: Path) -> None:
        if source == spool:
            raise OSError(errno.EXDEV, "another disk")
        replace(source, target)

    monkeypatch.setattr(os, "replace", across)
    files = Files(tmp_path / "files")
    assert files.path(files.take(spool)).read_bytes() == b"far"
    assert len(stored(tmp_path)) == 1


def test_a_file_that_a_power_cut_shortened_is_written_again(tmp_path: Path) -> None:
    files = Files(tmp_path)
    path = files.path(files.put(b"whole"))
    path.write_bytes(b"wh")
    files.put(b"whole")
    assert path.read_bytes() == b"whole"


def test_a_crash_leaves_one_part_at_most_and_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = Files(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: 1 / 0)
        for body in (b"one", b"two"):
            with pytest.raises(ZeroDivisionError):
                files.put(body)
    assert stored(tmp_path) == ["part"]
    files.put(b"one")
    assert len(stored(tmp_path)) == 1
