import errno
import hashlib
import os
from pathlib import Path

import pytest

from filon.run.files import Files


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
