import asyncio
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import filon
from fake_run import BEGAN_S, FakeRun
from filon.run.frame import Frame
from filon.run.handle import Run

HOSTILE = 'http://a.test/"><script>alert(1)</script>'


class Toy:
    """A verb of a stranger, with a table of its own."""

    name = "price"
    nouns = ("question", "price")

    def subject(self, config: Mapping[str, Any]) -> str:
        return str(config["url"])

    def frames(self) -> Mapping[str, Callable[[Path], Frame]]:
        return {"prices": lambda folder: Frame({"folder": str}, lambda: [(folder.name,)])}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with FakeRun(tmp_path / "run") as fake:
        fake.step("https://statistik.example.org/", kind="start", why="it is the start page")
        fake.find("https://statistik.example.org/a.csv", name="a.csv")
        fake.step("https://statistik.example.org/held", took_s=-1.0, sends=0)
        fake.step("https://statistik.example.org/next", answered=False)
        fake.end("budget")
    return tmp_path / "run"


def test_a_handle_tells_what_a_run_is_and_cost(folder: Path) -> None:
    run = filon.open_run(folder)
    assert (run.path, run.verb, run.stopped) == (folder, "harvest", "budget")
    assert run.config["url"] == "https://statistik.example.org/"
    assert (run.spent.requests, run.spent.finds) == (3, 1)
    assert [find.path and find.path.read_bytes() for find in run] == [b"a,b\n1,2\n"]
    assert Path(run) == folder


def test_finds_are_a_table_with_their_files(folder: Path) -> None:
    finds = filon.open_run(folder).finds
    (row,) = finds
    assert (len(finds), row["name"], row["step"]) == (1, "a.csv", 2)
    assert Path(row["path"]).read_bytes() == b"a,b\n1,2\n"
    assert row["found_at"] > datetime.fromtimestamp(BEGAN_S, UTC)


def test_requests_are_all_steps_with_and_without_an_answer(folder: Path) -> None:
    requests = filon.open_run(folder).requests
    start, _, held, flying = requests
    assert len(requests) == 4
    assert (start["kind"], start["why"], start["status"]) == (
        "start",
        "it is the start page",
        200,
    )
    assert (held["took_s"], held["sends"]) == (None, 0)
    assert (flying["answer"], flying["answered_at"]) == (None, None)
    table = requests.to_pandas()
    assert table["status"].isna().tolist() == [False, False, False, True]
    assert requests.to_polars()["url"].to_list() == table["url"].tolist()


@pytest.mark.parametrize("name", ["table", "sites", "graph"])
def test_what_a_run_does_not_have_is_said_in_a_sentence(folder: Path, name: str) -> None:
    run = filon.open_run(folder)
    with pytest.raises(filon.UserError) as refusal:
        getattr(run, name)()
    assert str(refusal.value) == (
        f"{folder} has no {name}: it is a run of filon harvest, with finds, requests."
    )


def test_a_verb_brings_tables_of_its_own_which_are_settled_first(folder: Path) -> None:
    settled: list[Path] = []
    run = Run(folder, Toy(), settled.append)
    assert len(run.frame("requests")) == 4
    assert settled == []
    assert [*run.frame("prices")] == [{"folder": "run"}]
    assert settled == [folder]
    assert "3 questions; 1 price" in repr(run)


def test_a_notebook_shows_a_small_table_without_script(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "<i>run", url=HOSTILE) as fake:
        fake.step(HOSTILE)
        fake.end("<img src=x>")
    filon.report(tmp_path / "<i>run")
    run = filon.open_run(tmp_path / "<i>run")
    shown = run._repr_html_()
    for tag in ("<script", "<img", "<i>"):
        assert tag not in shown
    assert "&lt;script&gt;" in shown
    assert (tmp_path / "<i>run/report.html").as_uri().replace("<", "%3C") in shown
    assert "<td>1</td>" in shown
    assert "script" in repr(run)


def test_a_notebook_shows_the_curve_and_the_first_finds(folder: Path) -> None:
    run = filon.open_run(folder)
    shown = run._repr_html_()
    assert "<svg" in shown
    first = next(iter(run))
    assert f"<li>{first.name or first.url}, " in shown


def test_a_notebook_tells_how_many_finds_it_does_not_show(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        for number in range(8):
            fake.find(f"http://a.org/{number}.csv", name=f"<b>{number}.csv")
        fake.end("budget")
    shown = filon.open_run(tmp_path / "run")._repr_html_()
    assert "<b>" not in shown
    assert shown.count("<li>") == 5
    assert "and 3 more" in shown


def test_below_the_working_folder_the_report_is_linked_from_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filon.report(folder)
    monkeypatch.chdir(folder.parent)
    assert 'href="run/report.html"' in filon.open_run("run")._repr_html_()


def test_a_handle_can_be_used_in_another_thread(folder: Path) -> None:
    run = filon.open_run(folder)
    seen: list[int] = []
    thread = threading.Thread(target=lambda: seen.append(len([*run]) + run.spent.requests))
    thread.start()
    thread.join()
    assert seen == [4]
    assert asyncio.run(asyncio.to_thread(len, run.requests)) == 4


def test_what_is_no_run_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(filon.UserError, match=r"is not a run: it has no run\.toml and ledger"):
        filon.open_run(tmp_path)
    (tmp_path / "run.toml").write_text("")
    (tmp_path / "ledger.sqlite").write_text("not a database, but long enough to be one" * 40)
    with pytest.raises(filon.MachineError, match="cannot be read"):
        filon.open_run(tmp_path)
