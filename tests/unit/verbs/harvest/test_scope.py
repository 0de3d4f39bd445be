import json
import sqlite3
from pathlib import Path

import pytest

from fake_run import START, FakeRun
from filon.run import readonly
from filon.verbs.harvest.scope import OPTION, outcome, page, why


def made(path: Path, hosts: object, **config: object) -> Path:
    with FakeRun(path, **config) as run:
        run.step(START)
        run.find(f"{START}a.csv")
        run.meta(summary=json.dumps({"skipped": {"off the site": 3}, "elsewhere": hosts}))
    return path


def test_hosts_with_files_are_told_with_the_option(tmp_path: Path) -> None:
    hosts = {f"h{n}.test": 20 - n for n in range(10)}
    told = outcome(made(tmp_path / "run", hosts))
    assert f"filon harvest {OPTION}" in str(told)
    assert "    20  h0.test" in str(told)
    assert "and on 2 other hosts" in str(told)
    said = told.as_object()
    assert said["left_out_hosts"] == hosts
    assert isinstance(said["notes"], list)
    assert said["notes"][-1].startswith("Pages of the site link to 155 files on other hosts (h0")


def test_the_report_names_them_after_what_was_left_out(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", {"<b>.test": 3})
    with readonly.reading(folder) as ledger:
        names = [name for name, _, _ in page(folder, ledger).sections]
        whole = page(folder, ledger).html()
    assert names[names.index("skipped") + 1] == "elsewhere"
    assert "&lt;b&gt;.test" in whole
    assert OPTION in whole


@pytest.mark.parametrize("hosts", [{}, None, "x", ["h.test"], {"h.test": "many"}])
def test_a_run_without_such_hosts_says_nothing(tmp_path: Path, hosts: object) -> None:
    folder = made(tmp_path / "run", hosts)
    assert OPTION not in str(outcome(folder))
    assert outcome(folder).as_object()["left_out_hosts"] == {}
    with readonly.reading(folder) as ledger:
        assert isinstance(ledger, sqlite3.Connection)
        assert "elsewhere" not in [name for name, _, _ in page(folder, ledger).sections]


def test_why_names_the_bound_that_a_url_is_beyond(tmp_path: Path) -> None:
    bounds = {"include": ["/data/*"], "exclude": ["*.zip"], "more_urls": [f"{START}en"]}
    folder = made(tmp_path / "run", {"h.test": 3}, **bounds)
    told = {
        f"{START}data/b.zip": "--exclude *.zip keeps it out.",
        f"{START}b.csv": "No --include of the run fits it.",
        "http://h.test/b.csv": f"3 files of its host were left out: {OPTION} asks for them.",
    }
    for url, sentence in told.items():
        assert sentence in why(folder, url)
    for url in (f"{START}data/c", f"{START}en", f"{START}a.csv", "http://i.test/", "a.csv", "x"):
        assert not any(sentence in why(folder, url) for sentence in told.values())


def test_how_many_files_are_left_is_told_with_how_sure_that_is(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", verb="harvest", url=START) as run:
        run.step(START, kind="start")
        run.meta(summary=json.dumps({"forecast": {"mean": 2.34, "spread": 2.3, "most": 7.02}}))
    told = outcome(tmp_path / "run")
    assert told.as_object()["files_left"] == {"about": 2.3, "at_most": 7.0}
    assert "about 2 ± 2 files left, by estimate; 95 % sure: at most 8" in str(told)
