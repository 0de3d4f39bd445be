import sqlite3
from pathlib import Path

import pytest

from filon.demo.tally import answers, tally
from filon.run.schema import SCHEMA, VERSION


def ledger(folder: Path, finds: dict[str, int]) -> Path:
    """Write a run's ledger in which each file came with the answer of that number."""
    folder.mkdir()
    with sqlite3.connect(folder / "ledger.sqlite") as base:
        base.executescript(SCHEMA)
        base.execute("INSERT INTO meta VALUES ('version', ?)", (str(VERSION),))
        for number in range(1, 101):
            base.execute(
                "INSERT INTO steps (step, answer, after, method, url, parent, kind, arm, score,"
                " expected, why) VALUES (?, ?, 0, 'GET', '', '', 'link', '', 0, 0, '')",
                (number, number),
            )
        base.executemany(
            "INSERT INTO finds (step, kind, url, name, mime, parent, size_bytes, at_s)"
            " VALUES (?, 'file', ?, '', '', '', 1, 0)",
            [(answer, url) for url, answer in finds.items()],
        )
    base.close()
    return folder


def test_the_requests_to_a_share_are_read_from_the_ledgers(tmp_path: Path) -> None:
    quick = ledger(tmp_path / "quick", {f"f{i}": i + 1 for i in range(10)})
    slow = ledger(tmp_path / "slow", {f"f{i}": 10 * i + 3 for i in range(10)})
    compared = tally({"quick": quick, "slow": slow}, share=0.9)
    assert compared.files == 10
    assert compared.requests == {"quick": 9, "slow": 83}
    assert compared.times("quick", "slow") == pytest.approx(83 / 9)


def test_the_share_is_of_what_all_runs_found(tmp_path: Path) -> None:
    one = ledger(tmp_path / "one", {"a": 1, "b": 2})
    other = ledger(tmp_path / "other", {"b": 5, "c": 6, "d": 7, "a": 8})
    compared = tally({"one": one, "other": other}, share=0.75)
    assert compared.files == 4
    assert compared.requests == {"one": None, "other": 7}
    assert compared.times("one", "other") == 0.0


def test_a_run_without_finds_is_no_mistake(tmp_path: Path) -> None:
    empty = ledger(tmp_path / "empty", {})
    assert answers(empty) == {}
    assert tally({"empty": empty}).requests == {"empty": None}
