from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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


def test_a_place_that_is_claimed_is_made_and_taken_by_nobody_else() -> None:
    places = [place(None, "http://a.test/", claim=True) for _ in range(3)]
    assert [folder.name for folder in places] == ["a.test-001", "a.test-002", "a.test-003"]
    assert all(folder.is_dir() for folder in places)


def test_runs_that_begin_at_the_same_time_claim_places_of_their_own() -> None:
    with ThreadPoolExecutor(16) as pool:
        places = list(pool.map(lambda _: place(None, "http://a.test/", claim=True), range(64)))
    assert len(set(places)) == 64


def test_a_file_where_the_runs_should_be_is_told() -> None:
    Path("filon-runs").touch()
    with pytest.raises(UserError, match="cannot be made"):
        place(None, "http://a.test/", claim=True)
