from collections.abc import Callable
from pathlib import Path

import pytest

from filon.core import UserError
from filon.verbs.session import place


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_folder_is_named_after_the_host_and_numbered() -> None:
    assert place(None, "https://www.example.org/a") == Path("filon-runs/www.example.org-001")
    Path("filon-runs/www.example.org-001").mkdir(parents=True)
    assert place(None, "https://www.example.org/a") == Path("filon-runs/www.example.org-002")


def test_a_host_cannot_name_another_place() -> None:
    assert place(None, "http://[::1]:80/") == Path("filon-runs/--1-001")


def test_a_place_is_chosen_and_not_made() -> None:
    place("out", "http://a.test/")
    place(None, "http://a.test/")
    assert not list(Path().iterdir())


def test_an_empty_folder_is_taken() -> None:
    Path("out").mkdir()
    assert place("out", "http://a.test/") == Path("out")


def fill(folder: Path) -> None:
    folder.mkdir()
    (folder / "mine.txt").touch()


@pytest.mark.parametrize("make", [fill, Path.touch])
def test_what_exists_is_never_written_to(make: Callable[[Path], None]) -> None:
    make(Path("out"))
    with pytest.raises(UserError, match="exists already"):
        place("out", "http://a.test/")


def test_a_dangling_link_counts_as_there() -> None:
    Path("out").symlink_to("nowhere")
    with pytest.raises(UserError, match="exists already"):
        place("out", "http://a.test/")
