"""kill -9 while files are profiled: what was read stays, nothing is read twice."""

import os
import random
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from command import filon, start
from filon.core import Find, Request, Response, Step
from filon.run.folder import RunFolder
from patience import PATIENCE_S

KILLS = int(os.environ.get("FILON_MOMENTS", "10"))
FILES = 200
_MARK = "read before a kill"


def run_of(path: Path) -> None:
    with RunFolder.create(path, {}) as run:
        for number in range(FILES):
            rows = "".join(f"r{n},{2000 + n % 20},{n * number}\n" for n in range(200))
            url = f"http://a.test/{number}.csv"
            step = Step(request=Request(url=url))
            body = f"region,year,value\n{rows}".encode()
            answer = Response(url=url, status=200, body=body, size_bytes=len(body))
            found = Find(kind="file", url=url, name=f"{number}.csv", mime="")
            run.record(run.begin(step), step, answer, [found], idle=False)


def profiled(path: Path) -> int:
    if not (path / "profiles.sqlite").exists():
        return 0
    with closing(sqlite3.connect(path / "profiles.sqlite", timeout=PATIENCE_S)) as database:
        try:
            (times,) = database.execute("SELECT count(*) FROM profiles").fetchone()
        except sqlite3.OperationalError:  # its table is not made yet
            return 0
    return int(times)


def mark(path: Path) -> int:
    """Write on what is there that it is: whoever reads a file again wipes that out."""
    with closing(sqlite3.connect(path / "profiles.sqlite", timeout=PATIENCE_S)) as database:
        with database:
            database.execute("UPDATE profiles SET format = ?", (_MARK,))
        (times,) = database.execute("SELECT count(*) FROM profiles").fetchone()
    return int(times)


def test_nothing_is_lost_or_read_twice_by_kills(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run_of(run)
    chance = random.Random(3)
    before = 0
    for _ in range(KILLS):
        process = start(tmp_path, "profile", run)
        goal = before + chance.randrange(1, FILES // KILLS)
        while profiled(run) < goal and process.poll() is None:
            time.sleep(0.0005)
        time.sleep(chance.random() * 0.003)
        assert process.poll() is None, "all was profiled before the kills were done"
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE_S)
        before = mark(run)
        assert before >= goal
    ended = filon(tmp_path, "profile", run, "--json")
    files = ended.json["files"]
    assert len(files) == len({one["sha256"] for one in files}) == FILES
    assert {one["tables"][0]["rows"] for one in files} == {200}
    with closing(sqlite3.connect(run / "profiles.sqlite")) as database:
        marked = database.execute(
            "SELECT count(*) FROM profiles WHERE format = ?", (_MARK,)
        ).fetchone()
    assert marked == (before,)
