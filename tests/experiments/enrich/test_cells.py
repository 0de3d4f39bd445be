from pathlib import Path

import pytest

from experiments.enrich.cells import (
    FROM,
    JUDGED,
    TABLES,
    TO,
    Cell,
    lines,
    measure,
    settings,
)
from experiments.enrich.datasets import COLUMNS
from experiments.enrich.experiments import Setting


def cell(before: float, ours: float, ideal: float) -> Cell:
    found = {FROM: [before - 1, before + 1], JUDGED: [ours], TO: [ideal, ideal]}
    return Cell(setting=Setting(label="x"), found=found)


def test_there_are_sixty_cells() -> None:
    found = list(settings())
    assert len(found) == len({each.label for each in found}) == 60
    assert set(TABLES) <= set(COLUMNS)


def test_the_way_is_counted_from_the_papers_strategy_to_the_ideal() -> None:
    assert cell(20, 40, 60).way == pytest.approx(0.5)
    assert cell(20, 70, 60).way == 1.0
    assert cell(20, 10, 60).way < 0
    assert not cell(95, 96, 100).counts
    told = list(lines([cell(20, 40, 60), cell(20, 10, 60), cell(96, 97, 99)]))
    assert told[-1].endswith("Half-way in 1 of 2 cells, below `smartcrawl-b` in 1.")


def test_what_does_not_change_is_kept_in_a_file(shared: Path, tmp_path: Path) -> None:
    cells = settings(["walmart-amazon"])
    wanted = [one for one in cells if one.joins == "and" and one.k == 50 and one.budget <= 0.1]
    kept = tmp_path / "kept.json"
    first = measure(shared / "data/enrich", wanted, 1, 1, kept)
    assert [each.setting for each in first] == wanted
    assert all(each.way > 0 for each in first)
    told = kept.read_text()
    assert JUDGED not in told
    again = measure(shared / "data/enrich", wanted, 1, 1, kept)
    assert [each.found for each in again] == [each.found for each in first]
    assert kept.read_text() == told
