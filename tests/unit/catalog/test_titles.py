"""What a file is called, in the catalog as in exports."""

import sqlite3

import pytest

from filon.catalog.titles import Titles

COLUMNS = ("file", "url", "name", "link_text", "around", "headings", "page_title")


def sightings(*rows: dict[str, str]) -> list[sqlite3.Row]:
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    select = "SELECT " + ", ".join(f"? AS {name}" for name in COLUMNS)
    return [
        db.execute(
            select, [{"file": str(number), **row}.get(name, "") for name in COLUMNS]
        ).fetchone()
        for number, row in enumerate(rows)
    ]


@pytest.mark.parametrize(
    ("seen", "title"),
    [
        ({"link_text": "Births by region (CSV, 3 kB)"}, "Births by region"),
        ({"link_text": "Download", "headings": "Work > Hours worked"}, "Hours worked"),
        ({"link_text": "English PDF 1.6MB", "page_title": "Falling short | ABC"}, "Falling short"),
        ({"name": "births.csv"}, "births.csv"),
        ({"url": "http://a.test/?7"}, "http://a.test/?7"),
    ],
)
def test_the_nearest_words_that_say_something_are_the_title(
    seen: dict[str, str], title: str
) -> None:
    (row,) = sightings(seen)
    assert Titles([row]).of(row) == title


def test_words_that_many_files_share_are_not_a_title() -> None:
    rows = sightings(
        *({"link_text": "All figures", "headings": f"Topic {n}", "name": "a"} for n in "abcd")
    )
    titles = Titles(rows)
    assert [titles.of(row) for row in rows] == ["Topic a", "Topic b", "Topic c", "Topic d"]


def test_where_all_is_shared_the_name_tells_files_apart() -> None:
    rows = sightings(*({"link_text": "All figures", "name": f"births-{n}.csv"} for n in range(4)))
    assert Titles(rows).of(rows[2]) == "All figures · births-2.csv"
