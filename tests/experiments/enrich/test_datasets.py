"""Datasets made from tables of a folder, and errors put into them."""

from pathlib import Path

import pytest

from experiments.enrich.datasets import Wish, load, with_errors
from filon.core import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "dblp-scholar"
    where.mkdir()
    head = "id,title,authors,venue,year\n"
    local = [f"d{row},title {row} common,author{row % 3},venue,2000\n" for row in range(20)]
    hidden = [f"s{row},title {row} common,author{row % 3},,{1990 + row}\n" for row in range(15)]
    (where / "dblp.csv").write_text(head + "".join(local), "utf-8")
    (where / "scholar.csv").write_text(head + "".join(hidden), "utf-8")
    gold = "".join(f"d{row},s{row}\n" for row in range(15)) + "d1,s0\n"
    (where / "gold.csv").write_text("dblp_id,scholar_id\n" + gold, "utf-8")
    return tmp_path


def test_gold_tells_which_rows_a_record_matches(folder: Path) -> None:
    data = load(folder, Wish(table="dblp-scholar"))
    by_id = {record.id: record for record in data.hidden}
    assert data.size == 20
    assert data.matchable == frozenset(range(15))
    assert list(data.rows(by_id["s0"])) == [0, 1]
    assert list(data.columns) == ["title", "authors", "venue"]


def test_the_newest_are_ranked_first(folder: Path) -> None:
    data = load(folder, Wish(table="dblp-scholar"))
    assert [record.id for record in data.hidden] == [f"s{row}" for row in reversed(range(15))]


def test_a_sample_is_drawn_under_a_seed(folder: Path) -> None:
    data = load(folder, Wish(table="dblp-scholar"))
    drawn = data.sample(0.2, 1)
    assert len(drawn.records) == 3
    assert drawn.ratio == pytest.approx(3 / 15)
    assert drawn == data.sample(0.2, 1)
    assert drawn != data.sample(0.2, 2)


def test_errors_are_put_into_as_many_rows_as_asked_for() -> None:
    columns = {"title": [f"a{row} b{row} c{row}" for row in range(100)]}
    spoilt = with_errors(columns, 0.3, seed=1)["title"]
    pairs = zip(columns["title"], spoilt, strict=True)
    changed = [(old, new) for old, new in pairs if old != new]
    assert len(changed) == 30
    lengths = {len(new.split()) for _, new in changed}
    assert lengths == {2, 3, 4}  # a word removed, replaced, added
    assert spoilt == with_errors(columns, 0.3, seed=1)["title"]


def test_mistakes_are_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no dataset 'imdb'"):
        load(folder, Wish(table="imdb"))
    with pytest.raises(UserError, match="cannot be read"):
        load(tmp_path / "nowhere", Wish(table="walmart-amazon"))
