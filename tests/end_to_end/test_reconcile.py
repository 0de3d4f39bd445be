"""`filon reconcile serve` as a person starts it, used by a client: Filon's own `reconciliation`."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from command import FILON, environment, filon
from enriching import enrich, rows_of
from patience import PATIENCE_S
from reconciliation import check
from searchbox import books, serving, write_table

BOOKS = books(30)


@contextmanager
def offered(
    folder: Path, *arguments: str
) -> Iterator[tuple[str, list[str], subprocess.Popen[str]]]:
    """Start the service; give its address, what it said before, and its process."""
    process = subprocess.Popen(
        [*FILON, "reconcile", "serve", *arguments, "--port", "0"],
        cwd=folder,
        env={**environment(), "FILON_CACHE": str(folder / "cache.sqlite")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    said: list[str] = []
    try:
        while not (line := process.stdout.readline()).startswith("http://"):
            assert line, process.communicate()
            said.append(line.strip())
        yield line.partition("  ")[0], said, process
    finally:
        process.kill()
        process.communicate()


def test_a_table_is_matched_by_a_client_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    lines = [f"{book['isbn']},{book['title']},{book['year']}" for book in BOOKS]
    (tmp_path / "books.csv").write_text("\n".join(["isbn,title,year", *lines, ""]))
    write_table(tmp_path / "mine.csv", BOOKS[3:6])
    with offered(tmp_path, "books.csv", "--id", "isbn") as (url, _, process):
        ended = filon(
            tmp_path, "enrich", "mine.csv", "--from", "reconciliation", "--source-set",
            f"url={url}", "--match", "title=name", "--add", "match", "--budget", "20",
            "--delay", "0", "--out", "run", "--json",
        )  # fmt: skip
        assert ended.code == 0, ended.err
        found = rows_of(tmp_path / "run" / "enriched.csv")
        assert [row["filon_id"] for row in found] == [book["isbn"] for book in BOOKS[3:6]]
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0


def test_a_service_is_asked_within_the_budget_that_is_shown(tmp_path: Path) -> None:
    with serving(BOOKS) as box:
        box.source(tmp_path)
        flags = ("--from", "box.toml", "--budget", "1", "--delay", "0")
        with offered(tmp_path, *flags) as (url, said, _):
            assert "0 of 1 call spent" in said[0]
            for at, status in ((0, 200), (0, 200), (1, 429)):
                query = quote(json.dumps({"q0": {"query": BOOKS[at]["title"]}}))
                try:
                    with urlopen(f"{url}/?queries={query}", timeout=PATIENCE_S) as answer:
                        told = json.load(answer)
                        code = answer.status
                        check("0.2", "results", told)
                        assert told["q0"]["result"][0]["id"] == "b0"
                except OSError as error:
                    code = getattr(error, "code", 0)
                assert code == status
        assert box.calls == 1


def test_what_a_killed_enrichment_had_fetched_is_served(tmp_path: Path) -> None:
    with serving(BOOKS) as box:
        ended = enrich(tmp_path, box, "--budget", 5)
        assert ended.code == 0, ended.err
    for name in ("records.sqlite", "enriched.csv"):
        (tmp_path / "run" / name).unlink()
    with (
        offered(tmp_path, "run") as (url, _, _),
        urlopen(f"{url}/suggest/entity?prefix=", timeout=PATIENCE_S) as answer,
    ):
        assert json.load(answer)["result"] != []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Reconcile with what?"),
        (("none.csv",), "cannot be read"),
        (("t.csv", "--from", "openalex"), "one of both"),
        (("t.csv", "--budget", "5"), "costs no call"),
        (("t.csv", "--allow-origin", "refine.example.org"), "write it like https://refine"),
        (("--from", "openalex"), "How many calls"),
        (("--from", "openalex", "--budget", "2h"), "a number of calls"),
        (("--from", "openalex", "--budget", "5", "--id", "x"), "ids of its own"),
        (("--from", "opnalex", "--budget", "5"), "did you mean openalex"),
    ],
)
def test_a_mistake_is_one_sentence(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    ended = filon(tmp_path, "reconcile", "serve", *arguments)
    assert ended.code == 2
    assert sentence in ended.sentence
