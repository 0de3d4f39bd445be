"""Files of the old Office, told apart; their chains are walked, each sector once."""

from pathlib import Path

import pytest

from filon.profile.ole import ole_format
from filon.profile.source import UnreadableError
from unit.profile.hostile import ole


@pytest.mark.parametrize(
    ("stream", "format"),
    [
        ("Workbook", "xls"),
        ("Book", "xls"),
        ("WordDocument", "doc"),
        ("PowerPoint Document", "ppt"),
        ("EncryptedPackage", "encrypted"),
        ("Anything", "ole"),
    ],
)
def test_the_streams_tell_what_it_is(tmp_path: Path, stream: str, format: str) -> None:
    (tmp_path / "a").write_bytes(ole({"Other": b"x", stream: b"y" * 9000}))
    assert ole_format(tmp_path / "a") == format


@pytest.mark.parametrize("kept", [8, 600, 4000, 9000])
def test_what_is_cut_is_damaged(tmp_path: Path, kept: int) -> None:
    (tmp_path / "a").write_bytes(ole({"Workbook": b"y" * 9000})[:kept])
    with pytest.raises(UnreadableError, match="no whole file"):
        ole_format(tmp_path / "a")


def test_a_chain_in_a_circle_ends(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(ole({"Workbook": b"y" * 9000}, loop=True))
    with pytest.raises(UnreadableError):
        ole_format(tmp_path / "a")
