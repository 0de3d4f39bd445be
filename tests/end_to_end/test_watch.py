"""`filon watch`: sites that are looked at when they are due."""

import asyncio
import json
import shutil
import signal
import sqlite3
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from command import filon, finish, start
from end_to_end.test_refresh import change, site
from filon.verbs.refresh.schedule import Schedule, Watched
from filon.verbs.refresh.watch import Told, Watch
from loopback import serving

HEARD = "import sys; open('heard.json', 'a').write(sys.stdin.read() + chr(10))"


def schedule(folder: Path, *urls: str, **words: str) -> None:
    """Write a file of sites."""
    said = [f"{name} = {json.dumps(value)}" for name, value in words.items()]
    for url in urls:
        said += ["[[site]]", f"url = {json.dumps(url)}"]
    (folder / "sites.toml").write_text("\n".join(said))


def later(folder: Path, host: str = "127.0.0.1") -> None:
    """Let a day go by: what has begun has begun a day before."""
    run = folder / "watched" / host
    for ledger in (run / "ledger.sqlite", *run.glob("rounds/*/ledger.sqlite")):
        with sqlite3.connect(ledger) as db:
            db.execute("UPDATE steps SET at_s = at_s - 90000")
    for config in run.glob("rounds/*/run.toml"):
        lines = config.read_text().splitlines()
        old = next(line for line in lines if line.startswith("at = "))
        config.write_text(
            config.read_text().replace(old, f"at = {float(old.removeprefix('at = ')) - 90000}")
        )


def test_a_site_is_harvested_then_refreshed_when_it_is_due(tmp_path: Path) -> None:
    pages = site()
    with serving(pages) as server:
        heard = f'{sys.executable} -c "{HEARD}"'
        schedule(tmp_path, server.url, feed="new.atom", hook=heard, pages="x")
        assert "a share" in filon(tmp_path, "watch", "sites.toml", "--once").sentence
        schedule(tmp_path, server.url, feed="new.atom", hook=heard)
        once = ("watch", "sites.toml", "--once", "--delay", 0)
        first = filon(tmp_path, *once)
        assert first.code == 0, first.err
        assert "24 new" in first.err
        sent = len(server.log)
        assert filon(tmp_path, *once).err == ""  # it is not due
        assert len(server.log) == sent
        change(pages)
        later(tmp_path)
        ended = filon(tmp_path, *once)
        assert ended.code == 0, ended.err
        (line,) = ended.err.splitlines()
        assert "1 changed" in line
        assert "next in 1 d" in line
    told = [json.loads(text) for text in (tmp_path / "heard.json").read_text().splitlines()]
    assert [one["url"] for one in told] == [server.url]
    feed = ET.parse(tmp_path / "new.atom").getroot()
    entries = feed.findall("{http://www.w3.org/2005/Atom}entry")
    assert len(entries) == len(told[0]["changes"])


def heard(folder: Path) -> list[list[str]]:
    """Return what the hook has heard, each time."""
    path = folder / "heard.json"
    lines = path.read_text().splitlines() if path.exists() else []
    return [sorted(change["what"] for change in json.loads(line)["changes"]) for line in lines]


def test_a_hook_hears_of_each_round_once_though_the_watch_was_killed(tmp_path: Path) -> None:
    pages, once = site(), ("watch", "sites.toml", "--once", "--delay", 0)
    with serving(pages) as server:
        schedule(tmp_path, server.url, hook=f'{sys.executable} -c "{HEARD}"', feed="new.atom")
        assert filon(tmp_path, *once).code == 0
        change(pages)
        later(tmp_path)
        marker = tmp_path / "watched/127.0.0.1/heard.json"
        schedule(tmp_path, server.url, hook="nothing-of-this-name", feed="new.atom")
        unheard = filon(tmp_path, *once)
        assert unheard.code == 4
        assert "cannot be run" in unheard.err
        assert json.loads(marker.read_text()) == {".": 0}
        schedule(tmp_path, server.url, hook=f'{sys.executable} -c "{HEARD}"', feed="new.atom")
        sent = len(server.log)
        (tmp_path / "new.atom").unlink()
        for _ in range(2):
            assert filon(tmp_path, *once).err == ""
        assert len(server.log) == sent  # nothing was due
    assert (tmp_path / "new.atom").exists()
    assert heard(tmp_path) == [["changed", "vanished", "vanished"]]
    assert json.loads(marker.read_text()) == {".": 1}


def test_a_round_ends_where_quiet_hours_begin_and_goes_on_after_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages, once = site(), ("watch", "sites.toml", "--once", "--delay", 0)
    monkeypatch.setattr("filon.verbs.refresh.watch.NAP_S", 0.01)
    with serving(pages, wait_s=0.01) as server:
        schedule(tmp_path, server.url, hook=f'{sys.executable} -c "{HEARD}"')
        assert filon(tmp_path, *once).code == 0
        change(pages)
        later(tmp_path)
        sent = len(server.log)

        def left_s(site: Watched, at_s: float) -> float:
            return 60.0 if len(server.log) < sent + 9 else 0.0

        monkeypatch.setattr(Watched, "until_quiet_s", left_s)
        monkeypatch.chdir(tmp_path)
        told: list[Told] = []
        watch = Watch(Schedule.read(Path("sites.toml")), {"delay": 0.0}, told.append)
        asyncio.run(watch.once(asyncio.Event()))
        assert [one.is_cut for one in told] == [True]
        assert len(server.log) < sent + 20
        assert heard(tmp_path) == []
        assert filon(tmp_path, *once).code == 0
    assert [path.name for path in Path("watched/127.0.0.1/rounds").iterdir()] == ["0001"]
    assert heard(tmp_path) == [["changed", "vanished", "vanished"]]


def test_an_acquisition_can_be_watched(tmp_path: Path) -> None:
    pages = site()
    with serving(pages) as server:
        (tmp_path / "sites.txt").write_text(server.url)
        here = ("--delay", 0, "--out", "all", "--budget", 100)
        assert filon(tmp_path, "acquire", "--sites", "sites.txt", *here).code == 0
        change(pages)
        (tmp_path / "sites.toml").write_text("""feed = "new.atom"\n[[site]]\nrun = "all"\n""")
        once = ("watch", "sites.toml", "--once", "--delay", 0)
        assert filon(tmp_path, *once).err == ""
        (run,) = (path for path in (tmp_path / "all/sites").iterdir() if path.is_dir())
        with sqlite3.connect(run / "ledger.sqlite") as db:
            db.execute("UPDATE steps SET at_s = at_s - 90000")
        ended = filon(tmp_path, *once)
        assert "1 changed" in ended.err
        assert filon(tmp_path, *once).err == ""
    assert "Changed: 3.csv" in (tmp_path / "new.atom").read_text()


def test_what_cannot_be_written_ends_no_watch(tmp_path: Path) -> None:
    pages, once = site(), ("watch", "sites.toml", "--once", "--delay", 0)
    with serving(pages) as server:
        schedule(tmp_path, server.url, feed="nowhere/new.atom")
        assert filon(tmp_path, *once).code == 0
        later(tmp_path)
        ended = filon(tmp_path, *once)
    assert ended.code == 4
    assert "new.atom cannot be written" in ended.err


def test_a_run_of_another_site_is_left_alone(tmp_path: Path) -> None:
    with serving(site()) as server:
        schedule(tmp_path, server.url)
        assert filon(tmp_path, "watch", "sites.toml", "--once", "--delay", 0).code == 0
        later(tmp_path)
        sent = len(server.log)
        said = '[[site]]\nurl = "http://b.test/"\nrun = "watched/127.0.0.1"\n'
        (tmp_path / "sites.toml").write_text(said)
        ended = filon(tmp_path, "watch", "sites.toml", "--once")
        assert len(server.log) == sent
    assert ended.code == 4
    assert f"is a run of {server.url}" in ended.err
    assert not (tmp_path / "watched/127.0.0.1/rounds").exists()


def test_it_goes_on_after_a_kill_and_ends_when_asked_to(tmp_path: Path) -> None:
    with serving(site(), wait_s=0.02) as server:
        schedule(tmp_path, server.url)
        words = ("watch", "sites.toml", "--delay", 0)
        process = start(tmp_path, *words)
        server.wait_for(8)
        process.send_signal(signal.SIGKILL)
        finish(process)
        process = start(tmp_path, *words)
        server.wait_for(34)
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert ended.code == 130, ended.err
        again = filon(tmp_path, *words, "--once")
        assert again.code == 0, again.err
    assert max(server.counts().values()) <= 2  # what was in flight


def test_a_site_that_is_down_is_told_in_a_line(tmp_path: Path) -> None:
    once = ("watch", "sites.toml", "--once", "--delay", 0, "--retries", 0)
    with serving(site()) as server:
        schedule(tmp_path, server.url)
    for is_harvested in (False, True):
        if is_harvested:
            with serving(site(), port=server.port):
                assert filon(tmp_path, *once).code == 0
            later(tmp_path)
        ended = filon(tmp_path, *once)
        assert ended.code == 4
        (line,) = ended.err.splitlines()
        assert "refused" in line or "cannot be reached" in line
    refreshed = filon(tmp_path, "refresh", "watched/127.0.0.1", "--retries", 0)
    assert refreshed.code == 2
    assert "cannot be reached" in refreshed.sentence
    assert not [*(tmp_path / "watched/127.0.0.1/rounds").iterdir()]  # there was no look


def test_a_deleted_archive_is_a_sentence_and_other_sites_are_looked_at(tmp_path: Path) -> None:
    once = ("watch", "sites.toml", "--once", "--delay", 0)
    with serving(site()) as server:
        other = server.url.replace("127.0.0.1", "localhost")
        schedule(tmp_path, server.url, other)
        assert filon(tmp_path, *once).code == 0
        for host in ("127.0.0.1", "localhost"):
            later(tmp_path, host)
        shutil.rmtree(tmp_path / "watched/127.0.0.1/archive")
        ended = filon(tmp_path, *once)
        refreshed = filon(tmp_path, "refresh", "watched/127.0.0.1", "--delay", 0)
    assert ended.code == 4
    lines = sorted(ended.err.splitlines(), key=lambda line: "missing" in line)
    assert len(lines) == 2
    assert "next in 1 d" in lines[0]
    assert lines[1].endswith(".warc.gz is missing: what the run has stored cannot be read.")
    assert refreshed.code == 4
    assert refreshed.sentence.endswith("is missing: what the run has stored cannot be read.")
