from pathlib import Path

import pytest

from fake_run import START, FakeRun
from filon.verbs.harvest.notes import notes


def told(
    path: Path, *steps: dict[str, object], types: str = "data", stopped: str = "exhausted"
) -> list[str]:
    """Return the sentences about a run with a find and these steps."""
    with FakeRun(path, types=types) as run:
        run.step(START)
        run.find(f"{START}good.csv")
        run.find(f"{START}more.csv")
        for step in steps:
            run.step(**{"url": f"{START}a", **step})  # type: ignore[arg-type]
        run.end(stopped)
    return notes(path)


CUT = {"cut": "size", "mime": "text/csv", "size_bytes": 5_000_000}


def test_files_that_were_too_large_are_told_with_the_option(tmp_path: Path) -> None:
    larger = {**CUT, "url": f"{START}b.csv", "size_bytes": 7_000_000}
    (sentence,) = told(tmp_path / "run", CUT, CUT, larger)
    assert sentence.startswith("2 answers were left out as too large")
    assert f"{START}b.csv, 7 MB" in sentence
    assert "--max-size" in sentence
    (sentence,) = told(tmp_path / "page", {**CUT, "mime": "text/html"})
    assert sentence.startswith(f"One answer was left out as too large ({START}a, 5 MB)")


def test_a_large_file_that_nobody_asked_for_is_not_told(tmp_path: Path) -> None:
    assert told(tmp_path / "run", {**CUT, "mime": "application/pdf"}) == []
    assert told(tmp_path / "asked", {**CUT, "mime": "application/pdf"}, types="pdf") != []


FAILURES: list[dict[str, object]] = [
    {"status": 200, "error": "closed"},
    {"status": 0, "error": "timeout"},
    {"status": 503},
    {"status": 429},
]


@pytest.mark.parametrize("failure", FAILURES)
def test_links_that_failed_at_the_last_try_are_told(
    tmp_path: Path, failure: dict[str, object]
) -> None:
    other = {**failure, "url": f"{START}b"}
    (sentence,) = told(tmp_path / "run", failure, failure, other)
    assert sentence.startswith(f"2 links brought no whole answer, as {START}a:")


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_that_was_over_at_the_next_try_is_not_told(
    tmp_path: Path, failure: dict[str, object]
) -> None:
    assert told(tmp_path / "run", failure, {"status": 200}) == []


@pytest.mark.parametrize("stopped", ["budget", "interrupted"])
def test_what_was_in_flight_when_a_run_was_ended_is_not_told(tmp_path: Path, stopped: str) -> None:
    assert told(tmp_path / "run", {"status": 0, "error": "timeout"}, stopped=stopped) == []


@pytest.mark.parametrize("status", [200, 302, 403, 404, 410])
def test_an_answer_that_is_final_is_not_told(tmp_path: Path, status: int) -> None:
    assert told(tmp_path / "run", {"status": status}) == []
