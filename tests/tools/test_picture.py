import struct
from pathlib import Path

import pytest

from tools import picture


def test_the_picture_is_as_large_as_the_window() -> None:
    head = picture.PICTURE.read_bytes()[:24]
    assert struct.unpack(">II", head[16:]) == (picture.WIDTH, picture.HEIGHT)


def test_a_browser_shows_the_report_of_the_demo_s_harvest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    monkeypatch.setattr(picture, "harvest", lambda folder: folder / "report.html")
    monkeypatch.setattr(picture, "take", lambda *what: shown.append(what))
    monkeypatch.setattr("shutil.which", lambda name: "/bin/b" if name == "chrome" else None)
    assert picture.main() == 0
    ((browser, page, where),) = shown
    assert (browser, page.name, where) == ("/bin/b", "report.html", picture.PICTURE)


def test_without_a_browser_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert picture.main() == 1
    assert "There is no browser" in capsys.readouterr().err
