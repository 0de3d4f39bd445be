"""The programs of the experiments: what is wrong is told, what is written is named."""

import importlib.util
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from experiments.discover import ranking
from experiments.discover.__main__ import main as discover
from experiments.enrich.__main__ import main as enrich
from experiments.follow.__main__ import main as follow
from filon.learn.rank import RANKERS

Program = Callable[[Sequence[str]], int]


@pytest.mark.parametrize(
    ("program", "arguments", "says"),
    [
        (discover, [], "catalogues.jsonl.gz"),
        (discover, ["--pages", "-1"], "catalogues.jsonl.gz"),
        (follow, [], "sweet.zip"),
        (enrich, ["--experiment", "fig99"], "fig99"),
        (enrich, ["--strategies", "nonsense"], "nonsense"),
        (enrich, ["--seeds", "0"], "one seed"),
    ],
)
def test_a_comparison_that_cannot_be_is_told(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    program: Program,
    arguments: list[str],
    says: str,
) -> None:
    out = tmp_path / "out"
    assert program([str(tmp_path / "nowhere"), *arguments, "--out", str(out)]) == 2
    told = capsys.readouterr()
    assert says in told.err
    assert told.err.count("\n") == 1
    assert not told.out
    assert not out.exists()


def test_a_comparison_names_what_it_wrote(
    tmp_path: Path,
    shared: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # One ranker; the tables of the pages have them all.
    monkeypatch.setattr(ranking, "ALL", dict(list(RANKERS.items())[:1]))
    asked = ["--experiment", "ranking", "--seeds", "1", "--processes", "1", "--json"]
    assert discover([str(shared / "data"), *asked, "--out", str(tmp_path / "out")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"verb": "compare", "written": str(tmp_path / "out/discover.md")}
    assert (tmp_path / "out/discover.md").is_file()


def test_every_program_that_the_pages_name_exists() -> None:
    root = Path(__file__).parents[2]
    pages = [*root.glob("*.md"), *root.glob("docs/*.md")]
    named = {
        name
        for page in pages
        for name in re.findall(r"python -m (experiments[.\w]*)", page.read_text("utf-8"))
    }
    assert {"experiments", "experiments.discover", "experiments.follow.reading"} <= named
    for name in named:
        assert importlib.util.find_spec(name), name
