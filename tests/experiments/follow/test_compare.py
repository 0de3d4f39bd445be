from pathlib import Path

import pytest

from experiments.follow.compare import compare
from experiments.follow.trial import Trial
from filon.core import UserError


def test_writes_a_table_of_each_of_the_paper_s_measures(shared: Path, tmp_path: Path) -> None:
    told: list[str] = []
    written = compare(
        shared / "data/follow",
        "lode:model=off,gain=off,bfs",
        1,
        tmp_path,
        1,
        lambda done, all_runs, last: told.append(last),
        hosts=40,
        things=150,
    )
    text = written.read_text()
    assert "| lode:model=off,gain=off |" in text
    assert "ms a selection | ECE |" in text
    assert "F+t+r+p" in text
    assert told == ["web 1"]
    rows = (tmp_path / "follow.csv").read_text().splitlines()
    assert [row.split(",")[0].strip('"').partition(":")[0] for row in rows[1:]] == ["lode", "bfs"]


@pytest.mark.parametrize(
    ("strategies", "seeds", "sentence"),
    [
        ("nosuch", 1, "There is no strategy"),
        ("bfs", 0, "compares nothing"),
        (",", 1, "No strategy"),
    ],
)
def test_wrong_wishes_are_told(
    shared: Path, tmp_path: Path, strategies: str, seeds: int, sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence):
        compare(shared / "data/follow", strategies, seeds, tmp_path)


def test_a_folder_without_graphs_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no graphs"):
        compare(tmp_path, "bfs", 1, tmp_path)


def test_chances_that_come_true_as_often_as_they_say_have_no_error() -> None:
    trial = Trial("lode", 1, 1, 1)
    assert trial.calibration_error is None
    trial.guesses = [(0.25, True), (0.25, False), (0.25, False), (0.25, False), (0.95, True)]
    assert trial.calibration_error == pytest.approx(0.01)
    trial.guesses = [(0.9, False)]
    assert trial.calibration_error == pytest.approx(0.9)
