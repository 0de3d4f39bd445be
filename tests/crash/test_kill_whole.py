"""Kill -9 at any moment of an acquisition: resumed as a whole, nothing lost or counted twice.

A few moments in every `make test`; FILON_MOMENTS=20 python -m pytest tests/crash/test_kill_whole.py
tries twenty.
"""

import os
import signal
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

import pytest

from command import Ended, filon, start
from discoverweb import SEARCH
from discoverweb import serving as serving_web
from filon.testing.discovery import PAGES, TOPIC
from loopback import Loopback, Page, serving
from patience import PATIENCE_S

KILLS = int(os.environ.get("FILON_MOMENTS", "4"))
#: Requests in flight in all.
PARALLEL = 4
_CSV = {"Content-Type": "text/csv"}
_LOG = """
CREATE TABLE IF NOT EXISTS log (sha256 TEXT);
CREATE TRIGGER IF NOT EXISTS written AFTER INSERT ON profiles BEGIN
    INSERT INTO log VALUES (new.sha256);
END;
"""


def _site(number: int, pages: int) -> dict[str, Page]:
    links = "".join(f'<a href="/p{n}.html">page {n}</a> ' for n in range(pages))
    site = {"/": Page(body=f"<html><body>{links}</body></html>".encode())}
    for n in range(pages):
        here = "".join(f'<a href="/f{n}-{m}.csv">table {m}</a> ' for m in range(n % 4))
        site[f"/p{n}.html"] = Page(body=f"<html><body>{here}</body></html>".encode())
        for m in range(n % 4):
            body = f"site,page,table\n{number},{n},{m}\n".encode()
            site[f"/f{n}-{m}.csv"] = Page(body=body, headers=_CSV)
    return site


class Profiled:
    """Watches over the profiles of all runs: none is made again that was there at a kill."""

    def __init__(self, whole: Path) -> None:
        self._whole = whole
        self._there: dict[Path, set[str]] = {}

    def look(self) -> None:
        """Take note of what is there, and have later ones written down."""
        for path in self._whole.glob("sites/*/profiles.sqlite"):
            with closing(sqlite3.connect(path, timeout=PATIENCE_S)) as db:
                names = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
                if "profiles" not in names:
                    continue
                again = (
                    {row[0] for row in db.execute("SELECT sha256 FROM log")}
                    & self._there.get(path, set())
                    if "log" in names
                    else set()
                )
                assert not again
                self._there[path] = {row[0] for row in db.execute("SELECT sha256 FROM profiles")}
                db.executescript(f"{_LOG} DELETE FROM log;")


def _killed(
    folder: Path, first: Sequence[str], asked: Callable[[], int], step: int, seed: int
) -> tuple[Ended, int]:
    """Kill each session after some more requests; return how the last ended, and the kills."""
    chance, profiled, kills = Random(seed), Profiled(folder / "out"), 0
    arguments = first
    for _ in range(KILLS):
        process = start(folder, *arguments)
        goal, late_s = asked() + chance.randrange(1, step), chance.random() * 0.2
        while asked() < goal and process.poll() is None:
            time.sleep(0.001)
        time.sleep(late_s)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.communicate(timeout=PATIENCE_S)
        if (folder / "out/run.toml").exists():
            arguments = ("resume", "out", "--json")
        profiled.look()
        if process.returncode == 0:
            break
    ended = filon(folder, *arguments)
    profiled.look()
    return ended, kills


def _check(out: Path, ended: Ended) -> None:
    """Each step and each find of a run stands in the ledger of the whole once."""
    with closing(sqlite3.connect(out / "ledger.sqlite")) as whole:
        sums = whole.execute("SELECT sum(sends), count(answer) FROM steps").fetchone()
        names = [row[0] for row in whole.execute("SELECT name FROM sites WHERE kind = 'site'")]
        finds = whole.execute("SELECT count(*) FROM finds").fetchone()[0]
    runs = [out / "sites" / name for name in names]
    runs = [run for run in [*runs, out / "discover"] if (run / "ledger.sqlite").exists()]
    own = [0, 0, 0]
    for run in runs:
        with closing(sqlite3.connect(run / "ledger.sqlite")) as part:
            row = part.execute(
                "SELECT sum(sends), count(answer), (SELECT count(*) FROM finds WHERE kind = 'file')"
                " FROM steps"
            ).fetchone()
            own = [mine + (his or 0) for mine, his in zip(own, row, strict=True)]
    assert (*sums, finds) == tuple(own)
    assert (ended.json["requests"], ended.json["finds"]) == (own[0], own[2])
    assert 0 < ended.json["seconds"] < 1e6  # a length of time, and no time of day


def test_sites_are_gone_on_with_and_nothing_is_counted_twice(tmp_path: Path) -> None:
    with ExitStack() as stack:
        sites: list[Loopback] = [
            stack.enter_context(serving(_site(n, pages), wait_s=0.005))
            for n, pages in enumerate((30, 24, 40))
        ]
        rules = [
            part
            for n, site in enumerate(sites)
            for part in ("--connect-to", f"s{n}.test:80:127.0.0.1:{site.port}")
        ]
        (tmp_path / "sites.txt").write_text("".join(f"http://s{n}.test/\n" for n in range(3)))
        flags = ("--delay", "0", "--json", "--stop", "never", "--parallel", str(PARALLEL))
        first = ("acquire", "--sites", "sites.txt", "--out", "out", *flags, *rules)

        def asked() -> int:
            return sum(len(site.log) for site in sites)

        ended, kills = _killed(tmp_path, first, asked, step=120 // KILLS + 2, seed=1)
        assert ended.code == 0, ended.err
        assert ended.json["stopped"] == "exhausted"
        _check(tmp_path / "out", ended)
        files = sum(n % 4 for pages in (30, 24, 40) for n in range(pages))
        assert ended.json["finds"] == files
        assert asked() <= ended.json["requests"] <= asked() + kills * PARALLEL
        again = sum(sum(site.counts().values()) - len(site.counts()) for site in sites)
        assert again <= kills * PARALLEL
    assert (tmp_path / "out/catalog.sqlite").is_file()


def test_a_discovery_is_gone_on_with_together_with_its_sites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "answers.sqlite"))
    with serving_web() as web:
        flags = ("--search", f"searxng:url=http://{SEARCH},rate=1000/s", "--json", *web.here)
        first = ("acquire", TOPIC, "--out", "out", "--parallel", str(PARALLEL), *flags)
        ended, kills = _killed(tmp_path, first, lambda: len(web.log), 200 // KILLS + 2, seed=2)
        assert ended.code == 0, ended.err
        _check(tmp_path / "out", ended)
        assert len(web.log) <= ended.json["requests"] <= len(web.log) + 2 * kills * PARALLEL
    sites = {site["site"] for site in ended.json["sites"]} - {"discover"}
    assert sites == {host for url in PAGES if (host := url.split("/")[2]).startswith("data")}
