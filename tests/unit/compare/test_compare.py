import csv
from pathlib import Path

import pytest

from filon.compare.compare import gather
from filon.compare.tables import (
    by_site,
    classifiers,
    early_stops,
    number,
    parameters,
    refuse,
    write,
)
from filon.core import UserError
from replicas import PORTAL, page, write_replica

CHAIN = {
    **{f"p{i}.html": page(f"p{i + 1}.html", f"f{i}.csv") for i in range(12)},
    "index.html": page("p0.html"),
    **{f"f{i}.csv": ("text/csv", b"a,b\n") for i in range(12)},
}


@pytest.fixture
def replicas(tmp_path: Path) -> list[Path]:
    return [write_replica(tmp_path), write_replica(tmp_path, "chain", CHAIN)]


def test_a_comparison_has_a_run_a_site_strategy_and_seed(replicas: list[Path]) -> None:
    seen: list[tuple[int, int]] = []
    found = gather(
        replicas, ["bfs", "random"], 3, progress=lambda done, total, _: seen.append((done, total))
    )
    assert [site.name for site in found.sites] == ["chain", "portal"]
    bfs, random = found.table()
    assert len(found.of("chain", random)) == 3
    assert len(found.of("chain", bfs)) == 1  # it draws nothing: one seed tells all
    assert seen == [(done, 8) for done in range(1, 9)]


def test_several_processes_come_to_the_same(replicas: list[Path]) -> None:
    one = gather(replicas, ["random", "bfs"], 2)
    two = gather(replicas, ["random", "bfs"], 2, processes=2)
    rows = [by_site(each, each.table(), lambda one: one.requests) for each in (one, two)]
    assert rows[0] == rows[1]


def test_a_row_is_a_site_and_the_last_the_geometric_mean(replicas: list[Path]) -> None:
    found = gather(replicas, ["omniscient", "random"], 2)
    head, *rows = by_site(found, found.table(), lambda one: one.requests)
    assert head == ["site", "omniscient", "random"]
    assert [row[0] for row in rows] == ["chain", "portal", "geometric mean"]
    chain, portal, mean = (float(row[1]) for row in rows)
    assert chain == pytest.approx(100 * 11 / 26, abs=0.05)
    assert mean == pytest.approx((chain * portal) ** 0.5, abs=0.1)
    assert " ± " in rows[0][2]


def test_sweeps_have_a_row_a_setting(replicas: list[Path]) -> None:
    found = gather(replicas[1:], ["table4", "table5", "sb"], 1)
    settings = parameters(found, found.table("table4"))
    assert [row[0] for row in settings[1:]] == [
        *("α = 0.1", "α = 2√2", "α = 30"),
        *("n = 1", "n = 2", "n = 3"),
        *("θ = 0.55", "θ = 0.75", "θ = 0.95"),
    ]
    assert settings[2][1:] == settings[5][1:] == settings[8][1:]  # the defaults
    rates = classifiers(found, found.table("table5"))
    assert [row[0] for row in rates[1:5]] == [f"URL_ONLY-{m}" for m in ("LR", "SVM", "NB", "PA")]
    assert all(0 <= float(row[-1]) <= 100 for row in rates[1:])
    assert early_stops(found, found.table())[1] == ["chain", "0.0 \\| 0.0"]


def test_a_folder_gets_the_tables_the_runs_and_the_pictures(
    replicas: list[Path], tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    strategies = ["sb", "sb-oracle", "bfs", "table4"]
    file = write(gather(replicas, strategies, 2), tmp_path / "out")
    names = {path.name for path in file.parent.iterdir()}
    assert {"table2.csv", "table3.csv", "table4.csv", "table6.csv", "runs.csv"} <= names
    text = file.read_text("utf-8")
    assert "(Table 2)" in text
    assert "![" in text
    assert (file.parent / "figure4.png").read_bytes().startswith(b"\x89PNG")
    assert (file.parent / "figure5.png").stat().st_size > 1000
    with (file.parent / "runs.csv").open(encoding="utf-8") as stream:
        runs = list(csv.DictReader(stream))
    assert {row["strategy"] for row in runs} == {"sb", "sb-oracle", "bfs"}
    # two sites; sb and seven settings of the oracle with two seeds each, bfs once
    assert len(runs) == 2 * (2 + 7 * 2 + 1)
    for row in runs:
        assert float(row["found"]) == 100


def test_mistakes_are_told_before_anything_is_written(replicas: list[Path], tmp_path: Path) -> None:
    for arguments, sentence in (
        (([], ["sb"]), "No replica"),
        ((replicas, ["nonsense"]), "no strategy"),
        (([tmp_path / "missing"], ["sb"]), "There is no replica"),
        (([*replicas, replicas[0]], ["sb"]), "same name"),
        ((replicas, ["sb"], 0), "at least one seed"),
    ):
        with pytest.raises(UserError, match=sentence):
            gather(*arguments)
    with pytest.raises(UserError, match="exists already"):
        refuse(tmp_path)


def test_a_site_without_targets_is_named(tmp_path: Path) -> None:
    pages = {"index.html": PORTAL["index.html"]}
    with pytest.raises(UserError, match="barren holds no file of the types paper"):
        gather([write_replica(tmp_path, "barren", pages)], ["bfs"], 1)


def test_figures_are_written_as_in_the_papers() -> None:
    assert [number(each) for each in (5.04, float("inf"), float("nan"))] == ["5.0", "+∞", "NA"]
