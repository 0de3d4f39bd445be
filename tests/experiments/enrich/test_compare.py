"""Comparisons of enrichment strategies, on a table of a few rows."""

import csv
import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from experiments.enrich.__main__ import main
from experiments.enrich.compare import compare, gather, trials
from experiments.enrich.datasets import Wish
from experiments.enrich.experiments import EXPERIMENTS, Experiment, Setting
from experiments.enrich.tables import at_parts, write
from experiments.enrich.trial import Course
from filon.core import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "tables" / "walmart-amazon"
    where.mkdir(parents=True)
    head = "id,title,modelno,brand\n"
    rows = [f"{row},thing {row % 7} {row % 5},m{row},brand{row % 3}\n" for row in range(40)]
    (where / "walmart.csv").write_text(head + "".join(rows), "utf-8")
    (where / "amazon.csv.gz").write_bytes(gzip.compress((head + "".join(rows[:30])).encode()))
    gold = "".join(f"{row},{row}\n" for row in range(30))
    (where / "gold.csv").write_text("walmart_id,amazon_id\n" + gold, "utf-8")
    return tmp_path / "tables"


SMALL = Experiment(
    name="small",
    title="A small table",
    settings=(
        Setting(label="k=5", wish=Wish(table="walmart-amazon"), k=5, ratio=0.2, budget=0.5),
        Setting(label="OR", wish=Wish(table="walmart-amazon"), k=5, ratio=0.2, joins="or"),
    ),
    strategies=("ideal", "smartcrawl-b", "smartcrawl-b:removal=off", "smartcrawl-b:sample=5"),
)


def test_runs_are_counted_by_the_server_and_kept_within_the_budget(folder: Path) -> None:
    found = trials(folder, [SMALL], seeds=2)
    for setting in SMALL.settings:
        for name in SMALL.strategies:
            courses = found.of(setting, name)
            assert len(courses) == 2
            for course in courses:
                assert 0 < course.calls <= course.budget == round(setting.budget * 40)
                assert len(course.coverage) == course.calls
                assert 0 < course.last <= 100
    best, biased = (found.of(SMALL.settings[0], name)[0].last for name in SMALL.strategies[:2])
    assert best >= biased


@pytest.mark.parametrize("strategy", ["prospect", "smartcrawl-b", "simple", "full-adaptive"])
def test_a_smaller_budget_is_the_beginning_of_a_larger_one(folder: Path, strategy: str) -> None:
    large = replace(SMALL.settings[0], label="large")
    small = replace(large, label="small", budget=0.2)
    both = replace(SMALL, settings=(small, large), strategies=(strategy,))
    alone = replace(both, settings=(small,))
    (whole,) = trials(folder, [both], seeds=1).of(large, strategy)
    (begun,) = trials(folder, [both], seeds=1).of(small, strategy)
    (apart,) = trials(folder, [alone], seeds=1).of(small, strategy)
    assert begun.budget == apart.budget == 8
    assert begun.calls == apart.calls
    assert begun.coverage.tolist() == apart.coverage.tolist()
    assert begun.coverage.tolist() == whole.coverage.tolist()[: len(begun.coverage)]


def test_tables_and_curves_are_written(folder: Path, tmp_path: Path) -> None:
    found = trials(folder, [SMALL], seeds=2)
    page = write(found, tmp_path / "out").read_text("utf-8")
    assert "| k=5 |" in page
    assert " ± " in page
    with (tmp_path / "out/runs.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 2 * 2 * 4
    assert {row["seed"] for row in rows} == {"0", "1"}
    assert (tmp_path / "out/curves.csv").exists()


def test_a_run_that_ends_early_keeps_its_coverage() -> None:
    course = Course(
        coverage=np.array([10.0, 20.0]), budget=4, calls=2, building_s=0.0, choosing_s=0.0
    )
    assert at_parts(course, [0.0, 0.25, 0.5, 1.0]) == [0.0, 10.0, 20.0, 20.0]


@pytest.mark.parametrize(
    ("experiment", "strategies", "told"),
    [
        ("fig3", "all", "no experiment 'fig3'"),
        ("fig4", "smart", "no enrichment strategy 'smart'"),
        ("fig4", "naive:t=3", "not understood at 't=3'"),
        ("", "all", "No experiment"),
    ],
)
def test_mistakes_are_told_before_the_first_run(
    folder: Path, experiment: str, strategies: str, told: str
) -> None:
    with pytest.raises(UserError, match=told):
        gather(folder, experiment, strategies)


def test_a_folder_that_is_in_use_is_left_alone(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine.txt").write_text("x", "utf-8")
    with pytest.raises(UserError, match="not an empty folder"):
        compare(folder, out=tmp_path / "out")


def test_every_figure_of_the_paper_has_its_experiment() -> None:
    assert {f"fig{number}" for number in range(4, 10)} <= set(EXPERIMENTS)


def test_the_program_tells_what_is_wrong(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "out"), "--processes", "1"]
    assert main([str(folder), "--experiment", "fig1", *out]) == 2
    assert "no experiment 'fig1'" in capsys.readouterr().err
    assert main([str(tmp_path / "nowhere"), *out]) == 2
    assert "cannot be read" in capsys.readouterr().err
