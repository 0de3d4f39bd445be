"""`filon enrich` as a person uses it, against a small search service on loopback."""

import csv
import json
import tomllib
from pathlib import Path

import pytest

import filon as filon_in_python
from command import filon
from enriching import ABSENT, HIDDEN, LOCAL, WISH, enrich, rows_of
from searchbox import serving, write_table


def test_a_table_is_filled_and_stands_as_it_was_with_its_provenance(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        ended = enrich(tmp_path, box)
    assert ended.code == 0, ended.err
    assert ended.json["stopped"] == "exhausted"
    assert ended.json["rows"] == {"filled": 60, "absent": 10}
    assert ended.json["calls"] == ended.json["requests"] == box.calls
    before, after = rows_of(tmp_path / "t.csv"), rows_of(tmp_path / "run/enriched.csv")
    assert [{name: row[name] for name in before[0]} for row in after] == before
    assert list(after[0])[3:5] == ["year", "isbn"]
    for row, truth in zip(after, LOCAL, strict=False):
        assert (row["year"], row["isbn"]) == (truth["year"], truth["isbn"])
        assert (row["filon_source"], row["filon_id"]) == ("box", truth["id"])
        assert float(row["filon_score"]) > 0.5
        assert row["filon_fetched_at"].endswith("+00:00")
        assert "title" in row["filon_evidence"]
    assert not any(row["filon_id"] for row in after[60:])
    with (tmp_path / "run/not-found.csv").open() as file:
        missing = list(csv.DictReader(file))
    assert [row["row"] for row in missing] == [str(n) for n in range(61, 71)]
    assert all(row["why"].startswith("probably absent") for row in missing)
    assert not (tmp_path / "run/conflicts.csv").exists()
    assert "Nothing like volume 3" in (tmp_path / "run/report.html").read_text("utf-8")


def test_the_second_run_pays_for_nothing_and_fresh_pays_again(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        enrich(tmp_path, box)
        paid = box.calls
        again = enrich(tmp_path, box, out="again")
        assert box.calls == paid
        assert again.json["calls"] == 0
        assert again.json["at_hand"] == paid
        assert again.json["rows"] == {"filled": 60, "absent": 10}
        fresh = enrich(tmp_path, box, "--fresh", out="fresh")
    assert fresh.json["calls"] == paid
    assert box.calls == 2 * paid
    told = (tmp_path / "again/enriched.csv").read_text()
    assert told == (tmp_path / "run/enriched.csv").read_text()


def test_the_budget_is_kept_by_the_servers_count_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        first = enrich(tmp_path, box, "--budget", 15, "--parallel", 4)
        assert first.json["stopped"] == "budget"
        assert box.calls == first.json["calls"] == 15
        assert first.json["rows"]["not reached"] > 0
        more = filon(tmp_path, "resume", "run", "--budget", 500, "--json")
    assert more.code == 0, more.err
    assert more.json["rows"] == {"filled": 60, "absent": 10}
    assert max(box.counts().values()) == 1


def test_a_dry_run_sends_and_writes_nothing(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        ended = enrich(tmp_path, box, "--dry-run")
    assert ended.code == 0, ended.err
    assert box.calls == 0
    assert ended.json["first_requests"][0].startswith(box.url)
    assert not (tmp_path / "run").exists()


def test_python_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "t.csv", LOCAL)
    with serving(HIDDEN) as box:
        source = box.source(tmp_path)
        with filon_in_python.enrich(
            "t.csv", source=source, match="title,author", add="year", budget=20, delay=0
        ) as run:
            assert run.stopped == "budget"
            assert run.path == tmp_path / "filon-runs/t-box-001"
            covered = sum(1 for _ in run)
        filled = sum(bool(row["filon_id"]) for row in rows_of(run.path / "enriched.csv"))
        assert covered > 0
        assert abs(filled - covered) <= 3
        assert "row 1" in filon_in_python.why(run, "1")
        assert filon_in_python.export(run, "csv").is_file()
    assert box.calls == 20


def test_the_settings_of_a_run_come_back_from_its_folder(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        enrich(tmp_path, box, "--budget", 5, "--one-to-one")
    config = tomllib.loads((tmp_path / "run/run.toml").read_text())
    assert (config["verb"], config["one_to_one"], config["budget"]) == ("enrich", True, "5")
    assert any("robots.txt" in said for said in config["deviations"])


def test_the_default_strategy_fills_most_with_few_calls(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        box.source(tmp_path)
        write_table(tmp_path / "t.csv", LOCAL + ABSENT)
        wish = ("enrich", "t.csv", "--from", "box.toml", *WISH, "--delay", 0, "--budget", 35)
        ended = filon(tmp_path, *wish, "--out", "run")
    assert ended.code == 0, ended.err
    assert box.calls <= 35
    filled = sum(bool(row["filon_id"]) for row in rows_of(tmp_path / "run/enriched.csv"))
    assert filled >= 40
    assert f"{filled} of 70 rows filled from box" in ended.out
    assert "table: run/enriched.csv" in ended.out


def test_what_was_fetched_can_be_asked_about_exported_and_reviewed(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        enrich(tmp_path, box)
        told = filon(tmp_path, "why", "run", "1").out
        assert LOCAL[0]["id"] in told
        assert "because" in told
        assert "probably absent" in filon(tmp_path, "why", "run", "65").out
        assert "fills row 1 " in filon(tmp_path, "why", "run", LOCAL[0]["id"]).out
        unknown = filon(tmp_path, "why", "run", "999")
        assert (unknown.code, unknown.out) == (2, "")
        assert "There is no row 999" in unknown.err
        assert filon(tmp_path, "export", "run", "--to", "jsonl").code == 0
        lines = (tmp_path / "run.jsonl").read_text().splitlines()
        found = [json.loads(line) for line in lines]
        assert {f["filon_id"] for f in found if f["row"] == 1 and f["sure"]} == {LOCAL[0]["id"]}
        assert filon(tmp_path, "export", "run", "--to", "files").code == 2
        paid = box.calls
        ended = filon(tmp_path, "review", "run")
        assert ended.code == 0, ended.err
        assert box.calls == paid
    assert "60 of 70 rows filled" in ended.out


def test_an_export_leaves_the_name_of_the_table_to_the_table(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        ended = enrich(tmp_path, box, out="t")
    own = (tmp_path / "t.csv").read_bytes()
    assert ended.code == 0, ended.err
    written = filon(tmp_path, "export", "t", "--to", "csv")
    assert written.out.strip() == str(tmp_path / "t-records.csv")
    assert (tmp_path / "t-records.csv").read_text().startswith("row,filon_score,")
    assert (tmp_path / "t.csv").read_bytes() == own
    assert "there already" in filon(tmp_path, "export", "t", "--to", "csv").sentence
    assert filon(tmp_path, "export", "t", "--to", "jsonl").out.strip() == str(tmp_path / "t.jsonl")
