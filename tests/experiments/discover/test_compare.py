import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from experiments.discover import web
from experiments.discover.compare import Outcome, Plan, compare, expand, planned
from experiments.discover.overlap import Overlap, overlaps
from experiments.discover.ranking import Corpus, Kind, Result
from experiments.discover.tables import markdown, spread
from experiments.discover.trial import Spot, Trial
from filon.core import UserError
from filon.learn.rank.rankers import Scores, Text

#: A web of the same kinds, a quarter as large: what is measured on it says nothing.
SMALL = {
    "REPOSITORIES": 20, "FOREIGN": 4, "LOOK_ALIKES": 4, "ELSEWHERE": 20, "NEWS": 10, "HUBS": 20,
    "LISTS": 10,
}  # fmt: skip


def test_writes_the_tables_of_both_papers(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, number in SMALL.items():
        monkeypatch.setattr(web, name, number)
    told: list[str] = []
    written = compare(
        data,
        "repositories,sites",
        "dsdd:mode=bd+ol,dsdd:mode=search-engine,disco:mode=related",
        1,
        1,
        tmp_path / "out",
        lambda done, all_runs, last: told.append(last),
        first=0,
        pages=80,
    )
    text = written.read_text(encoding="utf-8")
    assert told == ["web 0"]
    for heading in ("Truth", "Repositories", "Topics", "Same pages", "Coverage", "Dataset pages"):
        assert f"## {heading}:" in text
    assert text.count("| dsdd:mode=search-engine |") == 5
    assert text.count("| disco:mode=related |") == 2
    with (tmp_path / "out/repositories-runs.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 6
    assert all(int(row["pages"]) <= 80 for row in rows)
    assert all(
        int(row["topic"] == "") == 0 and int(row["any"]) <= int(row["true_any"]) for row in rows
    )


@pytest.mark.parametrize(
    ("experiments", "strategies", "sentence"),
    [
        ("nosuch", "dsdd", "no experiment 'nosuch'"),
        ("sites", "nosuch", "no strategy 'nosuch'"),
        ("sites", "dsdd:nosuch=1", "not understood at 'nosuch'"),
        ("sites", " , ", "was named to compare"),
    ],
)
def test_wrong_wishes_are_told(
    shared: Path, experiments: str, strategies: str, sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence):
        planned(shared / "data", experiments, strategies)


def test_a_folder_without_catalogues_and_one_that_is_full_are_told(
    shared: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="name the folder above"):
        planned(tmp_path, "all", "all")
    (tmp_path / "kept").write_text("kept")
    with pytest.raises(UserError, match="not an empty folder"):
        compare(shared / "data", "sites", "disco", 1, 1, tmp_path)


def test_a_budget_of_requests_holds_where_none_is_given(shared: Path) -> None:
    assert planned(shared / "data", "all", "disco").requests == 1_000
    plan = planned(shared / "data", "bars", "disco", pages=50)
    assert (plan.pages, plan.requests) == (50, 0)
    assert plan.experiments == ("repositories", "sites")


def test_a_strategy_stands_for_all_its_modes() -> None:
    assert expand("dsdd")[:2] == ["dsdd", "dsdd:mode=bd"]
    assert len(expand("disco")) == 5
    assert expand("disco:mode=related:count=pulls") == ["disco:mode=related:count=pulls"]


def test_overlaps_are_shares_of_what_all_found() -> None:
    told = overlaps({"a": {"1", "2", "3"}, "b": {"3", "4"}, "c": set()})
    assert told == {"a": Overlap(0.25, 0.5), "b": Overlap(0.25, 0.25), "c": Overlap(0.0, 0.0)}


def test_columns_and_curves_count_what_they_say() -> None:
    true = {"any": 4, "html": 3, "topic": 2}
    found = [Spot("a", 3, 5), Spot("b", 7, 11, html=False), Spot("c", 9, 20, topical=False)]
    one = Trial("dsdd", 0, "health", true, pages=10, calls=10, found=found)
    assert (one.count(), one.count("html"), one.count("topic")) == (3, 2, 2)
    assert (one.coverage(), one.coverage("topic"), one.rate) == (0.75, 1.0, 30.0)
    assert (one.after(7), one.after(7, "requests"), one.after(9, "pages", "html")) == (2, 1, 2)
    other = Trial("dsdd", 1, "health", true, pages=10)
    assert spread([one, other], lambda run: run.count()) == "1.5 ± 1.5"


def test_ranks_and_the_number_of_examples_are_told(tmp_path: Path) -> None:
    outcome = Outcome(
        ranks={
            (seed, ranker, kind): Result(0.1 * seed, 300.0 + seed, 200.0)
            for seed in (1, 2)
            for ranker in ("cosine", "fusion")
            for kind in ("ships", "bees")
        },
        examples={
            (seed, "fusion", number): 0.01 * number + seed for seed in (1, 2) for number in (3, 15)
        },
    )
    plan = Plan(
        folder=tmp_path, experiments=("ranking", "examples"), variants=(), pages=0, requests=9
    )
    told = markdown(outcome, plan)
    assert "2 seeds (1 to 2)" in told
    assert "| ships | 0.150 | 0.150 |" in told
    assert "| mean | 302 | 302 |" in told
    assert "| 3 | 1.530 ± 0.500 |" in told
    assert told.index("| 3 | 1.530") < told.index("| 15 | 1.650")


def test_fewer_examples_can_be_shown() -> None:
    names = {name: f"sea ship {name}" for name in map(str, range(80))}
    others = {name: f"bee hive {name}" for name in map(str, range(100, 1_400))}
    kind = Kind("ships", tuple(names), tuple(others))
    corpus = Corpus(names | others, [kind])
    seen: list[tuple[int, int, int]] = []

    def ranker(good: Sequence[Text], bad: Sequence[Text], candidates: Sequence[Text]) -> Scores:
        seen.append((len(good), len(bad), len(candidates)))
        return np.array(["ship" in text for text in candidates], dtype=float)

    assert corpus.measure(ranker, kind, 0, 3).precision == 1.0
    assert corpus.measure(ranker, kind, 0).precision == 1.0
    assert seen == [(3, 6, 1_260), (15, 30, 1_260)]
