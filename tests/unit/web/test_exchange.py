import os
from pathlib import Path

import pytest

from filon.core import MachineError
from filon.web.exchange import Body


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
