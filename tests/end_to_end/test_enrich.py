"""`filon enrich` as a person uses it, against a small search service on loopback."""

import csv
import json
import random
import signal
import sqlite3
import tomllib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

import filon as filon_in_python
from command import Ended, filon, finish, start
from searchbox import Row, SearchBox, books, serving, write_table

HIDDEN = books(400)
LOCAL = random.Random(7).sample(HIDDEN, 60)
ABSENT = [{"title": f"Nothing like volume {n}", "author": "Nemo"} for n in range(10)]
QUICK = ("--delay", 0, "--strategy", "simple")
WISH = ("--match", "title,author", "--add", "year,isbn")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "cache/answers.sqlite"))


def enrich(folder: Path, box: SearchBox, *more: object, out: str = "run") -> Ended:
    if not (folder / "box.toml").exists():
        box.source(folder)
    if not (folder / "t.csv").exists():
        write_table(folder / "t.csv", LOCAL + ABSENT)
    return filon(
        folder,
        "enrich",
        "t.csv",
        "--from",
        "box.toml",
        *WISH,
        *QUICK,
        "--out",
        out,
        "--json",
        *more,
    )


def rows_of(path: Path, encoding: str = "utf-8") -> list[Row]:
    with path.open(encoding=encoding, newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


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


def test_resuming_needs_nothing_but_the_run_folder(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        enrich(tmp_path, box, "--budget", 15)
        for name in ("t.csv", "box.toml"):
            (tmp_path / name).unlink()
        (tmp_path / "run").rename(tmp_path / "moved")
        ended = filon(tmp_path, "resume", "moved", "--budget", 500, "--json")
    assert ended.code == 0, ended.err
    assert ended.json["rows"] == {"filled": 60, "absent": 10}


def test_ctrl_c_fills_what_came_and_the_run_goes_on(tmp_path: Path) -> None:
    with serving(HIDDEN, wait_s=0.02) as box:
        box.source(tmp_path)
        write_table(tmp_path / "t.csv", LOCAL)
        process = start(
            tmp_path, "enrich", "t.csv", "--from", "box.toml", *WISH, *QUICK, "--out", "run"
        )
        box.wait_for(12)
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert ended.code == 130, ended.err
        filled = sum(bool(row["filon_id"]) for row in rows_of(tmp_path / "run/enriched.csv"))
        assert 0 < filled < 60
        assert "filon resume run" in ended.out
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.json["rows"] == {"filled": 60}
    assert max(box.counts().values()) == 1


@pytest.mark.parametrize(
    ("strategy", "moments"), [("simple", (1,)), ("simple", (8, 20)), ("prospect", (5, 14))]
)
def test_after_kill_9_no_call_is_paid_twice_but_those_in_flight(
    tmp_path: Path, strategy: str, moments: tuple[int, ...]
) -> None:
    parallel = 3
    first = ("enrich", "t.csv", "--from", "box.toml", *WISH, "--delay", 0, "--strategy", strategy)
    with serving(HIDDEN, wait_s=0.02) as box:
        box.source(tmp_path)
        write_table(tmp_path / "t.csv", LOCAL + ABSENT)
        for calls in moments:
            going = (tmp_path / "run/run.toml").exists()
            new = (*first, "--out", "run", "--parallel", parallel, "--budget", 90)
            process = start(tmp_path, *(("resume", "run") if going else new))
            box.wait_for(calls)
            process.kill()
            finish(process)
        ended = filon(tmp_path, "resume", "run", "--json")
    assert ended.code == 0, ended.err
    assert ended.json["rows"]["filled"] >= 50
    again = sum(count - 1 for count in box.counts().values())
    assert again <= parallel * len(moments)
    assert box.calls <= ended.json["calls"] <= 90
    told = rows_of(tmp_path / "run/enriched.csv")
    wrong = [r for r, t in zip(told, LOCAL, strict=False) if r["filon_id"] not in ("", t["id"])]
    assert wrong == []


def test_an_answer_that_came_before_the_kill_is_at_hand_after_it(tmp_path: Path) -> None:
    """The cache has it before the ledger: it stands for a death between the two."""
    with serving(HIDDEN) as box:
        enrich(tmp_path, box, "--budget", 10)
        paid = box.calls
        with closing(sqlite3.connect(tmp_path / "run/ledger.sqlite")) as ledger:
            ledger.execute("UPDATE meta SET value = '' WHERE key = 'stopped'")
            ledger.execute("DELETE FROM checkpoints")
            ledger.execute("DELETE FROM finds WHERE step = 10")
            ledger.execute("UPDATE steps SET answer = NULL, status = NULL WHERE step = 10")
            ledger.commit()
        ended = filon(tmp_path, "resume", "run", "--budget", 11, "--json")
    assert ended.code == 0, ended.err
    assert box.calls == paid + 1
    assert ended.json["calls"] == 11
    assert max(box.counts().values()) == 1


def test_the_last_answer_of_the_budget_is_used_after_a_kill(tmp_path: Path) -> None:
    """It was paid for and is in the cache; no call is left, and none is needed."""
    with serving(HIDDEN) as box:
        enrich(tmp_path, box, "--budget", 10)
        whole = rows_of(tmp_path / "run/enriched.csv")
        with closing(sqlite3.connect(tmp_path / "run/ledger.sqlite")) as ledger:
            ledger.execute("UPDATE meta SET value = '' WHERE key = 'stopped'")
            ledger.execute("DELETE FROM checkpoints")
            ledger.execute("DELETE FROM finds WHERE step = 10")
            ledger.execute("UPDATE steps SET answer = NULL, status = NULL WHERE step = 10")
            ledger.commit()
        ended = filon(tmp_path, "resume", "run", "--json")
    assert ended.code == 0, ended.err
    assert box.calls == ended.json["calls"] == 10
    assert rows_of(tmp_path / "run/enriched.csv") == whole


def test_a_wrong_key_is_told_at_the_first_call_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = 'how = "query"\nname = "key"\nsecret = "BOX_KEY"'
    with serving(HIDDEN, key="right-key") as box:
        box.source(tmp_path, key=key)
        missing = enrich(tmp_path, box)
        assert missing.code == 2
        assert "BOX_KEY" in missing.sentence
        assert box.calls == 0
        monkeypatch.setenv("BOX_KEY", "wrong-key")
        wrong = enrich(tmp_path, box)
        assert wrong.code == 2
        assert "does not accept the key" in wrong.sentence
        assert "wrong-key" not in wrong.err
        assert box.calls == 1
        assert not (tmp_path / "run").exists()
        monkeypatch.setenv("BOX_KEY", "right-key")
        right = enrich(tmp_path, box)
    assert right.json["rows"] == {"filled": 60, "absent": 10}
    for path in [*(tmp_path / "run").rglob("*"), *(tmp_path / "cache").rglob("*")]:
        if path.is_file():
            assert b"right-key" not in path.read_bytes(), path


def test_a_storm_of_429_ends_the_run_and_loses_nothing(tmp_path: Path) -> None:
    def storm(call: int, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        return (429, {"Retry-After": "0"}, b"{}") if 10 < call <= 15 else (200, {}, body)

    with serving(HIDDEN, vice=storm) as box:
        ended = enrich(tmp_path, box, "--budget", 200)
        assert ended.code == 0, ended.err
        assert box.calls == ended.json["calls"] == 15
        assert 0 < ended.json["rows"]["filled"] < 60
        assert any("refuses one call after the other" in note for note in ended.json["notes"])
        resumed = filon(tmp_path, "resume", "run", "--budget", 16, "--json")
    assert resumed.code == 0, resumed.err
    # The call that was refused is made again, and now it is answered.
    assert box.log[15] == (box.log[14][0], 200)
    answered = [target for target, status in box.log if status == 200]
    assert len(answered) == len(set(answered)) == 11


def test_answers_that_change_in_mid_run_stop_it_with_what_came_before(tmp_path: Path) -> None:
    broken = True

    def change(call: int, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        if call <= 10 or not broken:
            return 200, {}, body
        return 200, {}, json.dumps({"results": json.loads(body)["hits"]}).encode()

    with serving(HIDDEN, vice=change) as box:
        ended = enrich(tmp_path, box)
        assert ended.code == 4
        assert "does not answer as its description says" in ended.sentence
        assert "filon resume" in ended.sentence
        assert box.calls <= 14
        filled = sum(bool(row["filon_id"]) for row in rows_of(tmp_path / "run/enriched.csv"))
        assert filled > 0
        broken = False
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["rows"]["filled"] > filled


def test_a_field_that_no_answer_has_is_told(tmp_path: Path) -> None:
    def renamed(call: int, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        return 200, {}, body.replace(b'"isbn"', b'"isbn13"')

    with serving(HIDDEN, vice=renamed) as box:
        ended = enrich(tmp_path, box, "--budget", 10)
    assert ended.code == 0, ended.err
    (note,) = ended.json["notes"]
    assert "records has isbn; they have title, author, year." in note


def test_a_refusal_by_a_service_without_a_key_does_not_blame_the_key(tmp_path: Path) -> None:
    with serving(HIDDEN, vice=lambda call, body: (403, {}, b'{"error": "go away"}')) as box:
        ended = enrich(tmp_path, box)
    assert ended.code == 2
    assert "its description names none" in ended.sentence
    assert "403: go away" in ended.sentence


def untold(box: SearchBox, folder: Path) -> None:
    """Write a description that leaves it to the answers which fields there are."""
    box.source(folder, answer='results = "$.hits"\nid = "$.id"\nfields = "*"', answer_fields="")
    told = (folder / "box.toml").read_text().replace("[answer.fields]\n", "")
    (folder / "box.toml").write_text(told)


def test_rows_are_covered_where_only_the_answers_tell_the_fields(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        untold(box, tmp_path)
        ended = enrich(tmp_path, box, "--budget", 20)
        assert ended.code == 0, ended.err
        with filon_in_python.open_run(tmp_path / "run") as run:
            assert sum(1 for _ in run) >= ended.json["rows"]["filled"] > 10


def test_a_field_that_the_first_records_do_not_have_is_told_at_once(tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", LOCAL)
    with serving(HIDDEN) as box:
        untold(box, tmp_path)
        wish = ("--match", "title=titel", "--add", "year", "--out", "run", "--delay", 0)
        ended = filon(tmp_path, "enrich", "t.csv", "--from", "box.toml", *wish)
    assert ended.code == 2
    assert "did you mean 'title'?" in ended.sentence
    assert box.calls == 1
    assert not (tmp_path / "run").exists()


def test_a_row_without_a_word_has_nothing_to_search_by(tmp_path: Path) -> None:
    odd = [{"title": title, "author": ""} for title in ("???", "\N{GRINNING FACE}", "the", "")]
    write_table(tmp_path / "t.csv", LOCAL[:5] + odd)
    with serving(HIDDEN) as box:
        ended = enrich(tmp_path, box)
    assert ended.json["rows"] == {"filled": 5, "empty": 4}


def test_a_book_in_a_cell_is_neither_asked_for_whole_nor_in_the_way(tmp_path: Path) -> None:
    book = " ".join(f"word{number}" for number in range(20_000))
    huge = [{"title": book, "author": "Huge"}, {"title": "x" * 200_000, "author": "Huge"}]
    write_table(tmp_path / "t.csv", LOCAL[:5] + huge)
    with serving(HIDDEN) as box:
        ended = enrich(tmp_path, box)
    assert ended.code == 0, ended.err
    assert ended.json["rows"]["filled"] == 5
    assert max(len(target) for target, _ in box.log) < 8000
    assert f";{book};" in (tmp_path / "run/enriched.csv").read_text()


def test_a_quota_that_the_answers_tell_of_ends_the_run_before_it_is_refused(
    tmp_path: Path,
) -> None:
    def quota(call: int, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        left = 12 - call
        headers = {"X-Left": str(max(left, 0)), "X-Reset": "86400"}
        return (200, headers, body) if left >= 0 else (429, headers, b"{}")

    limits = 'remaining = "X-Left"\nreset = "X-Reset"\nreset_is = "seconds"\nprice = 0.5'
    with serving(HIDDEN, vice=quota) as box:
        box.source(tmp_path, limits=limits)
        ended = enrich(tmp_path, box)
    assert ended.code == 0, ended.err
    assert box.calls == 12
    assert all(status == 200 for _, status in box.log)
    assert ended.json["spent"] == 6.0
    assert any("quota" in note for note in ended.json["notes"])


def test_a_table_that_is_not_utf_8_stays_what_it_is(tmp_path: Path) -> None:
    hidden = [{**row, "title": f"Über {row['title']}"} for row in HIDDEN[:40]]
    write_table(tmp_path / "t.csv", hidden[:20], "cp1252")
    with serving(hidden) as box:
        ended = enrich(tmp_path, box)
    assert ended.json["rows"] == {"filled": 20}
    after = rows_of(tmp_path / "run/enriched.csv", "cp1252")
    assert [row["title"] for row in after] == [row["title"] for row in hidden[:20]]


def test_rows_that_are_the_same_are_asked_for_once_and_all_filled(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        write_table(tmp_path / "t.csv", LOCAL[:10])
        enrich(tmp_path, box)
        once = box.calls
    with serving(HIDDEN) as box:
        box.source(tmp_path)
        write_table(tmp_path / "t.csv", [row for row in LOCAL[:10] for _ in range(5)])
        ended = enrich(tmp_path, box, "--fresh", out="five")
    assert ended.json["rows"] == {"filled": 50}
    assert box.calls == once


def test_a_users_value_is_never_overwritten_and_conflicts_are_listed(tmp_path: Path) -> None:
    lines = [f"{row['title']};{row['author']};{row['year']}" for row in LOCAL[:20]]
    lines[0] = lines[0].rpartition(";")[0] + ";1066"
    lines[1] = lines[1].rpartition(";")[0] + ";"
    (tmp_path / "t.csv").write_text("\n".join(["title;author;year", *lines, ""]))
    with serving(HIDDEN) as box:
        ended = enrich(tmp_path, box)
    after = rows_of(tmp_path / "run/enriched.csv")
    assert list(after[0])[:4] == ["title", "author", "year", "isbn"]
    assert [row["year"] for row in after[:3]] == ["1066", LOCAL[1]["year"], LOCAL[2]["year"]]
    assert ended.json["conflicts"] == 1
    with (tmp_path / "run/conflicts.csv").open() as file:
        (conflict,) = csv.DictReader(file)
    assert (conflict["row"], conflict["own"]) == ("1", "1066")
    assert conflict["found"] == LOCAL[0]["year"]


def test_a_dry_run_sends_and_writes_nothing(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        ended = enrich(tmp_path, box, "--dry-run")
    assert ended.code == 0, ended.err
    assert box.calls == 0
    assert ended.json["first_requests"][0].startswith(box.url)
    assert not (tmp_path / "run").exists()


def test_a_run_that_was_killed_while_it_was_filled_in_is_filled_by_resume(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        first = enrich(tmp_path, box, "--budget", 15)
        for name in ("enriched.csv", "records.sqlite"):
            (tmp_path / "run" / name).unlink()
        ended = filon(tmp_path, "resume", "run", "--json")
        assert ended.code == 0, ended.err
        assert ended.json["rows"] == first.json["rows"]
        assert box.calls == 15
        spent = filon(tmp_path, "resume", "run")
    assert spent.code == 2
    assert "--budget" in spent.sentence


def test_python_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "t.csv", LOCAL)
    with serving(HIDDEN) as box:
        source = box.source(tmp_path)
        with filon_in_python.enrich(
            "t.csv", source=source, match="title,author", add="year", budget=20, delay_s=0
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


def test_a_table_that_changes_or_goes_in_mid_run_is_filled_as_it_was(tmp_path: Path) -> None:
    command = ("enrich", "t.csv", "--from", "box.toml", *WISH, *QUICK, "--budget", 20)
    with serving(HIDDEN, wait_s=0.02) as box:
        box.source(tmp_path)
        table = write_table(tmp_path / "t.csv", LOCAL)
        process = start(tmp_path, *command, "--out", "run")
        box.wait_for(5)
        table.unlink()
        ended = finish(process)
    assert ended.code == 0, ended.err
    after = rows_of(tmp_path / "run/enriched.csv")
    assert [row["title"] for row in after] == [row["title"] for row in LOCAL]
    assert any(row["filon_id"] for row in after)


def test_a_service_that_is_not_there_is_told(tmp_path: Path) -> None:
    with serving(HIDDEN[:3]) as box:
        box.source(tmp_path)
    ended = enrich(tmp_path, box)
    assert ended.code == 2
    assert "does not answer" in ended.sentence
    assert not (tmp_path / "run").exists()


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
