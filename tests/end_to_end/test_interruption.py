"""Ctrl-C, SIGTERM and kill -9: nothing is lost, and little is fetched again."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from command import environment, filon, finish, start
from loopback import Loopback, portal, serving
from patience import PATIENCE_S

PARALLEL = 8
GREEDY = ("--strategy", "bfs", "--stop", "never", "--delay", 0, "--parallel", PARALLEL)


def harvest_until(folder: Path, site: Loopback, requests: int, signum: int, *more: object) -> int:
    """Start a harvest, or go on with it, and send a signal when the server saw so many."""
    verb = ("resume", "run") if (folder / "run").exists() else ("harvest", site.url, "--out", "run")
    how = () if verb[0] == "resume" else GREEDY
    process = start(folder, *verb, *how, *more)
    try:
        site.wait_for(requests)
        process.send_signal(signum)
    finally:
        ended = finish(process)
    return ended.code


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_in_order(tmp_path: Path, signum: int) -> None:
    with serving(portal(), wait_s=0.02) as site:
        process = start(tmp_path, "harvest", site.url, *GREEDY, "--out", "run", "--json")
        site.wait_for(20)
        process.send_signal(signum)
        ended = finish(process)
        assert ended.code == 130
        assert ended.json["stopped"] == "interrupted"
        assert ended.json["requests"] == len(site.log)
        assert "filon resume run" in ended.err
        assert (tmp_path / "run/report.html").is_file()
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["finds"] == 50
    assert max(site.counts().values()) == 1


def test_a_second_ctrl_c_ends_at_once(tmp_path: Path) -> None:
    home = {"/", "/robots.txt"}
    slow = {path: replace(page, wait_s=30) for path, page in portal().items() if path not in home}
    with serving({**portal(), **slow}) as site:
        process = start(tmp_path, "harvest", site.url, *GREEDY, "--out", "run")
        site.wait_for(4)
        assert process.stderr
        process.send_signal(signal.SIGINT)
        assert "Stopping" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert finish(process).code == 130
    # It did not even take the time to write a report.
    assert not (tmp_path / "run/report.html").exists()


@pytest.mark.parametrize("moments", [(1,), (2,), (30,), (10, 40, 90), (100,)])
def test_after_kill_9_nothing_is_lost(tmp_path: Path, moments: tuple[int, ...]) -> None:
    with serving(portal(), wait_s=0.005) as site:
        for requests in moments:
            assert harvest_until(tmp_path, site, requests, signal.SIGKILL) == -signal.SIGKILL
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["stopped"] == "exhausted"
    assert resumed.json["finds"] == 50
    assert resumed.json["requests"] >= len(site.log)
    again = sum(count - 1 for count in site.counts().values())
    assert again <= PARALLEL * len(moments)
    ledger = sqlite3.connect(tmp_path / "run/ledger.sqlite")
    try:
        finds, names = ledger.execute("SELECT count(*), count(DISTINCT url) FROM finds").fetchone()
        assert (finds, names) == (50, 50)
        (unanswered,) = ledger.execute("SELECT count(*) FROM steps WHERE answer IS NULL").fetchone()
        assert unanswered == 0
    finally:
        ledger.close()


def test_the_budget_holds_over_kill_9_and_resume(tmp_path: Path) -> None:
    with serving(portal(), wait_s=0.01) as site:
        for requests in (15, 35):
            harvest_until(
                tmp_path,
                site,
                requests,
                signal.SIGKILL,
                *(["--budget", 60] if requests < 20 else []),
            )
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.json["stopped"] == "budget"
    assert len(site.log) <= 60
    assert resumed.json["requests"] == 60


def test_a_spent_run_goes_on_with_a_larger_budget(tmp_path: Path) -> None:
    with serving(portal()) as site:
        filon(tmp_path, "harvest", site.url, *GREEDY, "--out", "run", "--budget", 20)
        refused = filon(tmp_path, "resume", "run")
        assert refused.code == 2
        assert "larger" in refused.sentence
        assert len(site.log) == 20
        more = filon(tmp_path, "resume", "run", "--budget", 50, "--json")
    assert more.code == 0, more.err
    assert (more.json["stopped"], more.json["requests"]) == ("budget", 50)
    assert len(site.log) == 50
    assert max(site.counts().values()) == 1
    assert 'budget = "50' in (tmp_path / "run/run.toml").read_text()


def test_an_ended_run_has_nothing_left_to_do(tmp_path: Path) -> None:
    with serving(portal(1, 2)) as site:
        filon(tmp_path, "harvest", site.url, *GREEDY, "--out", "run")
        before = len(site.log)
        again = filon(tmp_path, "resume", "run", "--json")
    assert again.code == 0, again.err
    assert again.json["stopped"] == "exhausted"
    assert len(site.log) == before


def test_a_secret_header_is_asked_for_again(tmp_path: Path) -> None:
    with serving(portal()) as site:
        secret = ("--header", "Authorization: Bearer x")
        filon(tmp_path, "harvest", site.url, *GREEDY, *secret, "--out", "run", "--budget", 20)
        refused = filon(tmp_path, "resume", "run", "--budget", 40)
        assert refused.code == 2
        assert "Authorization" in refused.sentence
        assert len(site.log) == 20
        assert filon(tmp_path, "resume", "run", "--budget", 40, *secret).code == 0
    assert {headers.get("Authorization") for headers in site.headers} == {"Bearer x"}


def test_a_site_that_goes_away_is_not_burnt_down_and_comes_back(tmp_path: Path) -> None:
    pages = portal()
    how = ("--strategy", "bfs", "--stop", "never", "--delay", 0, "--retries", 0)
    with serving(pages, wait_s=0.02) as site:
        connect = ("--connect-to", f"::127.0.0.1:{site.port}")
        process = start(tmp_path, "harvest", "http://a.test/", *how, *connect, "--out", "run")
        site.wait_for(15)
    ended = finish(process)
    assert ended.code == 4, ended
    assert ended.err.endswith("Go on with: filon resume run\n")
    with serving(pages) as back:
        connect = ("--connect-to", f"::127.0.0.1:{back.port}")
        resumed = filon(tmp_path, "resume", "run", *connect, "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["stopped"] == "exhausted"
    assert resumed.json["finds"] >= 25


SCRIPT = """
import sys, filon
try:
    filon.harvest(sys.argv[1], out="run", delay=0, strategy="bfs")
except KeyboardInterrupt:
    with filon.open_run("run") as run:
        print(run.stopped, run.spent.requests)
"""


def heed_interrupts() -> None:
    """A shell has what it starts in the background ignore them, and so would the script."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_in_a_script_ends_the_run_in_order(tmp_path: Path) -> None:
    with serving(portal(), wait_s=0.02) as site:
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, site.url],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=heed_interrupts,
        )
        site.wait_for(10)
        process.send_signal(signal.SIGINT)
        ended = finish(process)
    assert ended.code == 0, ended.err
    assert ended.out == f"interrupted {len(site.log)}\n"
    assert (tmp_path / "run/report.html").is_file()


#: Deaf until Filon itself listens: what happens before is Python's own.
_EARLY = (
    "import signal; signal.signal(signal.SIGINT, lambda *_: None); print('up', flush=True);"
    "from filon.cli import main; signal.signal(signal.SIGINT, signal.default_int_handler); main()"
)


def test_ctrl_c_in_the_first_second_is_one_sentence(tmp_path: Path) -> None:
    codes = []
    with serving(portal(), wait_s=0.05) as site:
        for number, wait_s in enumerate((0.05, 0.1, 0.2, 0.4, 0.7)):
            how = map(str, (site.url, *GREEDY, "--quiet", "--out", number))
            process = subprocess.Popen(
                [sys.executable, "-c", _EARLY, "harvest", *how],
                cwd=tmp_path,
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            assert process.stdout
            process.stdout.readline()
            time.sleep(wait_s)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE_S)
            assert "Traceback" not in err
            codes.append(process.returncode)
    assert set(codes) <= {0, 130}
    assert 130 in codes


def test_six_runs_that_begin_at_once_have_a_folder_each(tmp_path: Path) -> None:
    with serving(portal(1, 3), wait_s=0.01) as site:
        runs = [start(tmp_path, "harvest", site.url, *GREEDY, "--json") for _ in range(6)]
        ended = [finish(run) for run in runs]
    assert [one.code for one in ended] == [0] * 6, [one.err for one in ended]
    assert len({one.json["run"] for one in ended}) == 6
    assert {one.json["finds"] for one in ended} == {3}


def test_a_run_that_cannot_begin_leaves_no_folder(tmp_path: Path) -> None:
    with serving({}) as site:
        url = site.url
    ended = filon(tmp_path, "harvest", url)
    assert ended.code == 2
    assert not list(tmp_path.glob("filon-runs*"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows closes no terminal so")
def test_a_closed_terminal_ends_the_run_in_order(tmp_path: Path) -> None:
    with serving(portal(), wait_s=0.02) as site:
        process = start(tmp_path, "harvest", site.url, *GREEDY, "--out", "run", "--json")
        site.wait_for(20)
        for _ in range(3):  # the shell and the system both say so
            process.send_signal(signal.SIGHUP)
        ended = finish(process)
        assert ended.code == 130, ended.err
        assert ended.json["stopped"] == "interrupted"
        assert (tmp_path / "run/report.html").is_file()
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.json["finds"] == 50
    assert max(site.counts().values()) == 1


def hanging_up() -> None:
    """Let a terminal that is gone end a program, also where the tests were begun by nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_a_terminal_that_is_gone_is_not_written_to(tmp_path: Path) -> None:
    import pty

    with serving(portal(), wait_s=0.02) as site:
        ours, theirs = pty.openpty()
        words = [sys.executable, "-m", "filon", "harvest", site.url, *GREEDY, "--out", "run"]
        process = subprocess.Popen(
            [*map(str, words)],
            cwd=tmp_path,
            env=environment(),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=hanging_up,
        )
        os.close(theirs)
        site.wait_for(20)
        os.close(ours)  # what is written from here on is an error
        process.send_signal(signal.SIGHUP)
        assert process.wait(PATIENCE_S) == 130
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.json["finds"] == 50


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no nohup")
def test_who_starts_it_by_nohup_wants_it_to_go_on(tmp_path: Path) -> None:
    words = ["harvest", "--out", "run", "--json", *map(str, GREEDY)]
    with serving(portal(2, 5), wait_s=0.02) as site:
        process = subprocess.Popen(
            ["nohup", sys.executable, "-m", "filon", *words, site.url],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        site.wait_for(5)
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert json.loads(out.splitlines()[-1])["finds"] == 10
