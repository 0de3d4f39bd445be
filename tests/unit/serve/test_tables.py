import io
from pathlib import Path

import pytest

from filon.core import MachineError, UserError
from filon.serve import tables
from filon.serve.tables import Manner, dropped, keep, kept, listed, own_source, sources
from filon.services.describe import text_of
from filon.verbs.enrich import pairs


def test_the_same_file_is_kept_once_and_another_of_its_name_beside_it(tmp_path: Path) -> None:
    first = keep(tmp_path, "a.csv", io.BytesIO(b"x,y\n1,2\n"))
    assert keep(tmp_path, "a.csv", io.BytesIO(b"x,y\n1,2\n")) == first
    second = keep(tmp_path, "a.csv", io.BytesIO(b"x,y\n3,4\n"))
    assert second != first
    assert kept(tmp_path, first).read_bytes() == b"x,y\n1,2\n"
    assert kept(tmp_path, second).name == "a.csv"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where a folder should be", "utf-8")
    with pytest.raises(MachineError, match="The file cannot be kept in"):
        keep(tmp_path / "home", "a.csv", io.BytesIO(b"x,y\n1,2\n"))


def test_all_that_is_dropped_has_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_KEPT_BYTES", 20)
    first = keep(tmp_path, "a.csv", io.BytesIO(b"x,y\n1,2\n3,4\n"))
    with pytest.raises(UserError, match="delete some of it in"):
        keep(tmp_path, "b.csv", io.BytesIO(b"x,y\n5,6\n7,8\n"))
    assert keep(tmp_path, "a.csv", io.BytesIO(b"x,y\n1,2\n3,4\n")) == first


@pytest.mark.parametrize("name", ["../../up.csv", "/etc/passwd", "a\0b.csv", "", "..", "con"])
def test_no_name_leads_elsewhere(name: str, tmp_path: Path) -> None:
    place = keep(tmp_path, name, io.BytesIO(b"x"))
    path = kept(tmp_path, place)
    assert path.resolve().is_relative_to(tmp_path.resolve() / ".filon-serve" / "dropped")
    assert path.read_bytes() == b"x"


@pytest.mark.parametrize("place", ["", "nothing", "../queue.sqlite", "a/../../queue.sqlite"])
def test_only_what_was_dropped_is_found(place: str, tmp_path: Path) -> None:
    keep(tmp_path, "a.csv", io.BytesIO(b"x,y\n1,2\n"))
    with pytest.raises(UserError, match="drop it again"):
        kept(tmp_path, place)


def test_columns_are_shown_with_their_first_rows(tmp_path: Path) -> None:
    head = ",".join(f"c{number}" for number in range(50))
    rows = "".join(",".join([str(row)] * 50) + "\n" for row in range(20))
    file = tmp_path / "wide.csv"
    file.write_text(f"{head}\n{rows}", "utf-8")
    seen = dropped(file)
    assert (seen.rows, len(seen.columns), seen.more_columns) == (20, 40, 10)
    assert seen.columns[0].sample == ("0", "1", "2", "3", "4")


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("1,Ulm\n2,Bonn\n", True),
        ("2024-01-05,7\n2024-01-06,8\n", True),
        ("place,2023,2024\nUlm,12,13\n", False),
        ("id,place\n1,Ulm\n", False),
    ],
)
def test_a_first_row_like_the_others_is_doubted(text: str, doubtful: bool, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(text, "utf-8")
    assert dropped(file).is_doubtful == doubtful
    assert not dropped(file, Manner(header_row=False)).is_doubtful


def test_services_that_may_not_be_asked_are_not_offered() -> None:
    found = {one.name: one for one in sources()}
    assert "nominatim" not in found
    assert found["openlibrary"].fields
    assert found["ckan"].asks.keys() == {"url"}
    assert found["openalex"].price > 0


def test_names_are_listed_as_they_are_read() -> None:
    names = ["title", "name, full", "a=b"]
    assert list(pairs(listed(names))) == names


def test_a_file_of_the_users_own_is_a_service_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text_of("openlibrary"), "utf-8")
    own = own_source(str(file))
    assert own
    assert own.fields
    assert own_source("openlibrary") is None
    assert own_source(str(tmp_path / "nothing.toml")) is None
