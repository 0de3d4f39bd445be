"""The hand check of profiles: its answers are well formed, and what is right gets its marks."""

import re
from pathlib import Path

import pytest

from experiments.profile.__main__ import _share, answers_of
from experiments.profile.files import SALTS, Drawn, _by_kind, _by_source, _shuffled, recorded_files
from experiments.profile.readers import READERS

_KINDS = re.compile(r"(?:[tindDcbew?]|\[[tindDcbe]+\])+")


@pytest.mark.parametrize("draw", SALTS)
def test_every_answer_can_be_read(draw: str) -> None:
    for answer in answers_of(draw).values():
        assert ("none" in answer) != ("tables" in answer)
        for header, kinds in answer.get("tables", {}).values():
            assert header is None or isinstance(header, (int, list))
            assert _KINDS.fullmatch(kinds), kinds


def test_no_file_is_in_two_draws() -> None:
    keys = [key for draw in SALTS for key in answers_of(draw)]
    assert len(keys) == len(set(keys))


def test_the_answers_are_those_of_the_files_that_are_drawn(shared: Path) -> None:
    files = list(recorded_files(shared / "data/harvest"))
    taken: set[str] = set()
    for name, (salt, most, a_site, _) in SALTS.items():
        chosen = _by_source(_shuffled(files, salt, taken), a_site, most)
        taken |= {one.key for one in chosen}
        assert {one.key for one in chosen} <= set(answers_of(name))


def test_a_draw_takes_kinds_in_turn_and_no_file_twice() -> None:
    names = ["a.xls", "b.xls", "c.xls", "d.dta", "e.parquet"]
    files = [Drawn("p==1", name, name.encode()) for name in (*names, "a.xls")]
    drawn = _by_kind(_shuffled(files, "x", set()), 4)
    assert {one.name[2:] for one in drawn[:3]} == {"xls", "dta", "parquet"}
    assert len(_by_kind(_shuffled(files, "x", set()), 60)) == 5


@pytest.mark.parametrize(
    ("kinds", "found", "share"),
    [
        ("itn", "itn", 1),
        ("w[dD]?e", "nDtt", 1),
        ("it", "ii", 0.5),
        ("it", "itt", 2 / 3),
        ("i", "", 0),
    ],
)
def test_a_share_is_that_of_columns_of_the_right_kind(kinds: str, found: str, share: float) -> None:
    assert _share(kinds, found) == pytest.approx(share)


def test_three_readers_say_the_same_of_a_plain_table(tmp_path: Path) -> None:
    pytest.importorskip("frictionless")
    path = tmp_path / "a.csv"
    path.write_text("name,year,value\nx,2019,1.5\ny,2020,2.5\nz,2021,3.5\n")
    for reader in READERS.values():
        described = reader(path, [""])
        assert (described.delimiter, described.tables) == (",", {"": (1, "tin")})
