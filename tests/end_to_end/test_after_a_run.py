"""What can be done with a run folder: report, export, why, compare."""

import csv as table
import json
from pathlib import Path

import pytest

from command import filon
from loopback import portal, serving

EXHAUSTIVE = ("--strategy", "bfs", "--stop", "never", "--delay", 0)


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a run in it, and the URL that it started at."""
    folder = tmp_path_factory.mktemp("harvested")
    with serving(portal(2, 3)) as site:
        assert filon(folder, "harvest", site.url, *EXHAUSTIVE, "--out", "run").code == 0
    return folder, site.url


def test_report_writes_the_page_and_prints_its_path(harvested: tuple[Path, str]) -> None:
    folder, url = harvested
    (folder / "run/report.html").unlink()
    ended = filon(folder, "report", "run")
    assert ended.out == "run/report.html\n"
    assert url in (folder / "run/report.html").read_text()


def test_why_tells_the_way_to_a_file(harvested: tuple[Path, str]) -> None:
    folder, url = harvested
    told = filon(folder, "why", "run", f"{url}data/1-2.csv").out
    places = [told.index(f"{url}{path}") for path in ("list/1", "item/1-2")]
    assert places == sorted(places)
    steps = filon(folder, "why", "run", f"{url}data/1-2.csv", "--json").json["steps"]
    assert [step["url"].removeprefix(url) for step in steps] == [
        "",
        "list/1",
        "item/1-2",
        "data/1-2.csv",
    ]


def test_profile_tells_what_is_in_the_files(harvested: tuple[Path, str]) -> None:
    folder, _ = harvested
    ended = filon(folder, "profile", "run")
    assert ended.code == 0, ended.err
    head, line, *rest = ended.out.splitlines()
    assert head.split()[:4] == ["format", "files", "tables", "rows"]
    assert line.split()[:3] == ["csv", "6", "6"]
    assert any("statistics" in sentence for sentence in rest)
    (one,) = filon(folder, "profile", "run", "1-2.csv", "--json").json["files"]
    assert one["tables"][0]["header_row"] == 1
    wrong = filon(folder, "profile", "run", "nothing.csv")
    assert (wrong.code, wrong.err) == (2, "filon: No file of run is called nothing.csv.\n")


def test_the_catalog_finds_shows_and_asks(harvested: tuple[Path, str]) -> None:
    folder, url = harvested
    found = filon(folder, "catalog", "search", "item", "1", "--in", ".", "--json").json
    assert found["total"] > 0
    first = found["hits"][0]["id"][:10]
    shown = filon(folder, "catalog", "show", first, "--in", ".")
    assert shown.out.startswith(first)
    assert f"from {url}data/" in shown.out
    assert filon(folder, "catalog", "similar", first, "--in", ".").code == 0
    asked = filon(folder, "catalog", "sql", f"SELECT count(*) AS n FROM f_{first}", "--in", ".")
    assert asked.out.splitlines()[0] == "n"
    out = filon(folder, "catalog", "sql", "SELECT 1 AS n", "--in", ".", "--out", "n.csv")
    assert (out.code, (folder / "n.csv").read_text()) == (0, '"n"\n1\n')
    wrong = filon(folder, "catalog", "search", "x", "--in", "nowhere")
    assert (wrong.code, wrong.err.count("\n")) == (2, 1)


def test_export_writes_a_table_and_prints_its_path(harvested: tuple[Path, str]) -> None:
    folder, _ = harvested
    ended = filon(folder, "export", "run", "--to", "csv", "--out", "finds.csv")
    assert ended.code == 0, ended.err
    with (folder / "finds.csv").open(newline="") as file:
        assert len(list(table.DictReader(file))) == 6
    assert ended.out == "finds.csv\n"
    again = filon(folder, "export", "run", "--to", "csv", "--out", "finds.csv")
    assert again.code == 2


def test_list_shows_the_runs_of_a_folder(harvested: tuple[Path, str]) -> None:
    folder, _ = harvested
    shown = filon(folder, "list", ".")
    assert shown.code == 0
    assert [line.split()[-1] for line in shown.out.splitlines()[:1]] == ["stands"]
    assert any(" harvest " in line and " run " in line for line in shown.out.splitlines())
    told = filon(folder, "list", ".", "--json").json["runs"]
    assert {"run", "verb", "stopped", "requests", "finds"} <= set(told[0])
    assert filon(folder, "list", "nowhere").code == 2
    (folder / "bare").mkdir()
    assert "no run in filon-runs" in filon(folder / "bare", "list").out


@pytest.mark.parametrize("place", ["-", "/dev/stdout"])
def test_export_goes_to_standard_output(harvested: tuple[Path, str], place: str) -> None:
    folder, _ = harvested
    shown = filon(folder, "export", "run", "--to", "jsonl", "--out", place)
    assert (shown.code, shown.err) == (0, "")
    assert all(json.loads(line)["url"] for line in shown.out.splitlines())
    both = filon(folder, "export", "run", "--to", "jsonl", "--out", place, "--json")
    assert both.code == 2
    assert "standard output" in both.sentence
    tree = filon(folder, "export", "run", "--to", "files", "--out", place)
    assert (tree.code, tree.out) == (2, "")


@pytest.mark.parametrize("format", ["parquet", "sqlite", "jsonl", "files"])
def test_export_knows_all_its_formats(
    harvested: tuple[Path, str], tmp_path: Path, format: str
) -> None:
    folder, _ = harvested
    out = tmp_path / f"out-{format}"
    ended = filon(folder, "export", "run", "--to", format, "--out", out)
    assert ended.code == 0, ended.err
    assert out.exists()


def test_a_copy_of_a_site_can_be_compared_on(tmp_path: Path) -> None:
    with serving(portal(2, 3)) as site:
        connect = ("--connect-to", f"::127.0.0.1:{site.port}")
        filon(tmp_path, "replicate", "http://a.test/", "--out", "copy", "--delay", 0, *connect)
    ended = filon(
        tmp_path, "compare", "copy", "--strategies", "bfs,dfs", "--seeds", 1, "--out", "tables",
        "--processes", 1, "--json",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    written = ended.json["written"]
    text = (tmp_path / written).read_text()
    assert "bfs" in text
    assert "dfs" in text
    assert (tmp_path / "tables/runs.csv").is_file()
    assert json.dumps(ended.json)


def test_a_copy_that_is_a_part_of_its_site_is_told_as_such(tmp_path: Path) -> None:
    with serving(portal(2, 3)) as site:
        connect = ("--connect-to", f"::127.0.0.1:{site.port}", "--delay", 0)
        filon(tmp_path, "replicate", "http://a.test/", "--out", "copy", "--budget", 6, *connect)
    ended = filon(tmp_path, "compare", "copy", "--strategies", "bfs", "--seeds", 1)
    assert ended.err.splitlines()[0] == (
        "filon: copy is a part of its site (the budget was spent): what it lacks counts as gone."
    )


def test_runs_teach_a_prior_that_a_harvest_starts_and_goes_on_with(tmp_path: Path) -> None:
    with serving(portal(2, 3)) as site:
        connect = ("--connect-to", f"::127.0.0.1:{site.port}", "--delay", 0)
        for copy in ("one", "two"):
            filon(tmp_path, "replicate", "http://a.test/", "--out", copy, *connect)
        alone = filon(tmp_path, "learn", "one", "--out", "ours.npz")
        assert (alone.code, alone.out) == (2, "")
        ended = filon(
            tmp_path, "learn", "one", "two", "--types", "data", "--out", "p.npz", "--json"
        )
        assert ended.code == 0, ended.err
        assert (ended.json["sites"], ended.json["written"]) == (2, "p.npz")
        assert b"a.test" not in (tmp_path / "p.npz").read_bytes()
        again = filon(tmp_path, "learn", "one", "two", "--out", "p.npz")
        assert "is there already" in again.sentence
        first = ("harvest", "http://a.test/", "--prior", "p.npz", "--out", "run", "--budget", 3)
        assert filon(tmp_path, *first, *connect).code == 0
        assert "prior_hash" in (tmp_path / "run/run.toml").read_text()
        (tmp_path / "p.npz").unlink()
        resumed = filon(tmp_path, "resume", "run", "--budget", 100, "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["finds"] == 6
