"""`filon enrich` and tables as people have them."""

import csv
from pathlib import Path

from enriching import HIDDEN, LOCAL, enrich, rows_of
from searchbox import serving, write_table


def test_a_row_without_a_word_has_nothing_to_search_by(tmp_path: Path) -> None:
    odd = [{"title": title, "author": ""} for title in ("???", "\N{GRINNING FACE}", "the", "")]
    write_table(tmp_path / "t.csv", LOCAL[:5] + odd)
    with serving(HIDDEN) as box:
        ended = enrich(tmp_path, box)
    assert ended.json["rows"] == {"filled": 5, "empty": 4}


def test_a_book_in_a_cell_is_neither_asked_for_whole_nor_in_the_way(tmp_path: Path) -> None:
    book = " ".join(f"word{number}" for number in range(20_000))
    huge = [{"title": book, "author": "Huge"}, {"title": "x" * 200_000, "author": "Huge"}]
    write_table(tmp_path / "t.csv", LOCAL[:5] + huge)
    with serving(HIDDEN) as box:
        ended = enrich(tmp_path, box)
    assert ended.code == 0, ended.err
    assert ended.json["rows"]["filled"] == 5
    assert max(len(target) for target, _ in box.log) < 8000
    assert f";{book};" in (tmp_path / "run/enriched.csv").read_text()


def test_a_table_that_is_not_utf_8_stays_what_it_is(tmp_path: Path) -> None:
    hidden = [{**row, "title": f"Über {row['title']}"} for row in HIDDEN[:40]]
    write_table(tmp_path / "t.csv", hidden[:20], "cp1252")
    with serving(hidden) as box:
        ended = enrich(tmp_path, box)
    assert ended.json["rows"] == {"filled": 20}
    after = rows_of(tmp_path / "run/enriched.csv", "cp1252")
    assert [row["title"] for row in after] == [row["title"] for row in hidden[:20]]


def test_rows_that_are_the_same_are_asked_for_once_and_all_filled(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        write_table(tmp_path / "t.csv", LOCAL[:10])
        enrich(tmp_path, box)
        once = box.calls
    with serving(HIDDEN) as box:
        box.source(tmp_path)
        write_table(tmp_path / "t.csv", [row for row in LOCAL[:10] for _ in range(5)])
        ended = enrich(tmp_path, box, "--fresh", out="five")
    assert ended.json["rows"] == {"filled": 50}
    assert box.calls == once


def test_a_users_value_is_never_overwritten_and_conflicts_are_listed(tmp_path: Path) -> None:
    lines = [f"{row['title']};{row['author']};{row['year']}" for row in LOCAL[:20]]
    lines[0] = lines[0].rpartition(";")[0] + ";1066"
    lines[1] = lines[1].rpartition(";")[0] + ";"
    (tmp_path / "t.csv").write_text("\n".join(["title;author;year", *lines, ""]))
    with serving(HIDDEN) as box:
        ended = enrich(tmp_path, box)
    after = rows_of(tmp_path / "run/enriched.csv")
    assert list(after[0])[:4] == ["title", "author", "year", "isbn"]
    assert [row["year"] for row in after[:3]] == ["1066", LOCAL[1]["year"], LOCAL[2]["year"]]
    assert ended.json["conflicts"] == 1
    with (tmp_path / "run/conflicts.csv").open() as file:
        (conflict,) = csv.DictReader(file)
    assert (conflict["row"], conflict["own"]) == ("1", "1066")
    assert conflict["found"] == LOCAL[0]["year"]


def test_a_column_called_as_one_of_ours_holds_what_it_is_asked_to(tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", LOCAL[:5])
    with serving(HIDDEN) as box:
        enrich(tmp_path, box, "--add", "filon_id=isbn")
    after = rows_of(tmp_path / "run/enriched.csv")
    assert [row["filon_id"] for row in after] == [row["isbn"] for row in LOCAL[:5]]
    assert [row["filon_id_2"] for row in after] == [row["id"] for row in LOCAL[:5]]
