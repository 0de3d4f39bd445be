import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from filon.core import Find, MachineError, Reason, Request, Response, Spent, Step, UserError
from filon.core.response import SENT, Sent
from filon.run.archive import Answers
from filon.run.folder import EVERY_ANSWERS, SHARE, Rhythm, RunFolder
from filon.run.ledger import Ledger
from filon.run.schema import VERSION

URL = "http://example.org/a.csv"


class Still:
    """A strategy with nothing to do: for runs that a test leads by hand."""

    def propose(self) -> Step | None:
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        return []

    def state(self) -> dict[str, Any]:
        return {"version": 1}

    def restore(self, state: dict[str, Any]) -> None:
        assert state == self.state()

    def summary(self) -> dict[str, Any]:
        return {"arms": [], "stopped": "early-stop"}


def step(url: str = URL) -> Step:
    return Step(request=Request(url=url), reason=Reason(kind="target", arm="3"), parent="http://p/")


def answer(body: bytes = b"a,b\n", **changes: Any) -> Response:
    told = {"url": URL, "status": 200, "headers": (("Content-Type", "text/csv"),), "body": body}
    size = len(body)
    return Response(**{**told, "size_bytes": size, "wire_bytes": size, "at_s": 1.7e9, **changes})


def find(kind: str = "file") -> Find:
    return Find(kind=kind, url=URL, name="a.csv", mime="text/csv", parent="http://p/")


def rows(run: Path, query: str) -> list[tuple[Any, ...]]:
    ledger = sqlite3.connect(run / "ledger.sqlite")
    try:
        return ledger.execute(query).fetchall()
    finally:
        ledger.close()


def test_a_find_is_kept_with_its_name_and_its_file(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", {}) as run:
        run.record(run.begin(step()), step(), answer(), [find()], idle=False)
        (kept,) = run
    assert (kept.kind, kept.url, kept.name, kept.mime) == ("file", URL, "a.csv", "text/csv")
    assert (kept.parent, kept.size_bytes) == ("http://p/", 4)
    assert kept.path is not None
    assert kept.path.read_bytes() == b"a,b\n"
    assert kept.path == run.path / "files" / kept.sha256[:2] / kept.sha256


def test_a_find_of_another_kind_has_no_file(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", {}) as run:
        run.record(run.begin(step()), step(), answer(), [find("site"), find("site")], idle=False)
        assert [(kept.kind, kept.path, kept.sha256) for kept in run] == [("site", None, "")] * 2
        assert run.spent.finds == 2
    assert rows(run.path, "SELECT DISTINCT sha256 FROM finds") == [(None,)]
    assert not (run.path / "files").exists()


def test_a_long_find_is_moved_out_of_the_spool(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", {}) as run:
        run.spool_dir.mkdir()
        spool = run.spool_dir / "1"
        spool.write_bytes(b"whole body")
        response = answer(b"whole", spool=str(spool), size_bytes=10)
        run.record(run.begin(step()), step(), response, [find()], idle=False)
        (kept,) = run
        assert not spool.exists()
        assert kept.size_bytes == 10
        assert kept.path is not None
        assert kept.path.read_bytes() == b"whole body"
    assert rows(run.path, "SELECT body_bytes, size_bytes FROM steps") == [(5, 10)]


def test_a_long_body_that_nobody_wants_leaves_only_its_beginning(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", {}) as run:
        spool = tmp_path / "spool"
        spool.write_bytes(b"whole body")
        response = answer(b"whole", spool=str(spool), size_bytes=10)
        run.record(run.begin(step()), step(), response, [], idle=False)
    assert not spool.exists()
    assert not (run.path / "files").exists()
    assert rows(run.path, "SELECT sha256, warc FROM steps") == [(None, "run-00001.warc.gz")]


def test_a_request_is_spent_before_it_leaves(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", {})
    number = run.begin(step())
    run.commit()
    assert rows(run.path, "SELECT step, answer, sends FROM steps") == [(number, None, 1)]
    run.begin(step(), number)
    assert run.spent == Spent(requests=2)
    run.record(number, step(), answer(), [find()], idle=False)
    assert (run.spent.requests, run.spent.bytes, run.spent.finds) == (2, 4, 1)
    assert run.spent.seconds > 0
    run.close()


@pytest.mark.parametrize("sent", SENT)
def test_whether_a_request_left_is_read_back_and_what_did_not_is_not_spent(
    tmp_path: Path, sent: Sent
) -> None:
    with RunFolder.create(tmp_path / "run", {}) as run:
        number = run.begin(step())
        run.record(number, step(), answer(sent=sent, took_s=0.5), [], idle=False)
        assert run.spent.requests == (sent == "yes")
    (took_s,) = rows(run.path, "SELECT took_s FROM steps")[0]
    assert took_s == {"yes": 0.5, "cached": -1.0, "withheld": -2.0}[sent]
    ledger = Ledger.open(run.path / "ledger.sqlite", read_only=True)
    response = Answers(run.path).read(ledger.row(number), URL)
    ledger.close()
    assert (response.sent, response.took_s) == (sent, 0.5 if sent == "yes" else 0.0)


def test_the_time_of_earlier_sittings_counts_even_if_they_were_killed(tmp_path: Path) -> None:
    first = RunFolder.create(tmp_path / "run", {})
    first.record(first.begin(step()), step(), answer(), [], idle=False)
    before_s = first.spent.seconds
    first.close()  # no `finish`: as if killed
    with RunFolder.open(tmp_path / "run") as run:
        assert run.spent.seconds == before_s > 0
        run.record(run.begin(step()), step(), answer(), [], idle=False)
        assert run.spent.seconds > before_s


def test_the_reason_of_a_step_stands_in_the_ledger(tmp_path: Path) -> None:
    reason = Reason(kind="link", arm="7", score=float("nan"), expected=0.1 + 0.2, text="é\ud800")
    told = Step(request=Request(url=URL, method="HEAD"), reason=reason, parent="http://p/")
    with RunFolder.create(tmp_path / "run", {}) as run:
        run.begin(told)
    query = "SELECT method, url, parent, kind, arm, score, expected, why FROM steps"
    assert rows(run.path, query) == [("HEAD", URL, "http://p/", "link", "7", 0.0, 0.1 + 0.2, "é?")]


def test_an_answer_that_never_came_is_an_answer(tmp_path: Path) -> None:
    failure = Response(url=URL, error="dns", detail="no such host \udcff", at_s=1.7e9)
    with RunFolder.create(tmp_path / "run", {}) as run:
        run.record(run.begin(step()), step(), failure, [], idle=True)
    query = "SELECT answer, idle, status, error, detail, warc FROM steps"
    assert rows(run.path, query) == [(1, 1, 0, "dns", "no such host ?", None)]
    assert not (run.path / "archive").exists()


def test_no_secret_stands_in_the_ledger(tmp_path: Path) -> None:
    secret = "http://me:hunter2@example.org/"
    told = Step(
        request=Request(url=secret, headers=(("Authorization", "hunter2"),)),
        reason=Reason(kind="link", text=f"it stands in {secret}"),
        parent=secret,
    )
    headers = (("Location", secret), ("Set-Cookie", "a=hunter2"))
    response = answer(url=secret, headers=headers, detail=f"by way of {secret}")
    kept = Find(kind="file", url=secret, parent=secret)
    with RunFolder.create(tmp_path / "run", {"proxy": secret}) as run:
        run.begin(told)
        run.record(run.begin(told), told, response, [kept], idle=False)
        run.finish("exhausted", Still())
    query = "SELECT quote(url) || parent || why || coalesce(location || detail, '') FROM steps"
    told_rows = rows(run.path, query) + rows(run.path, "SELECT url || parent FROM finds")
    assert "***@example.org" in str(told_rows)
    assert "hunter2" not in str(told_rows)
    for path in run.path.rglob("*"):
        if path.is_file() and path.name != "ledger.sqlite":
            assert b"hunter2" not in path.read_bytes()


def test_a_run_never_goes_into_a_folder_that_is_in_use(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(UserError, match="is not empty"):
        RunFolder.create(tmp_path, {})
    with pytest.raises(UserError, match="is a file"):
        RunFolder.create(tmp_path / "mine.txt", {})
    with pytest.raises(UserError, match="cannot be made"):
        RunFolder.create(tmp_path / "mine.txt" / "below", {})
    assert (tmp_path / "mine.txt").read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 1


def test_an_empty_folder_will_do_and_parents_are_made(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    RunFolder.create(tmp_path / "empty", {}).close()
    RunFolder.create(tmp_path / "a" / "b", {"verb": "harvest"}).close()
    with RunFolder.open(tmp_path / "a" / "b") as run:
        assert run.config["verb"] == "harvest"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
@pytest.mark.parametrize("was_there", [False, True])
def test_a_run_is_its_owners_alone(tmp_path: Path, was_there: bool) -> None:
    if was_there:
        (tmp_path / "run").mkdir(mode=0o755)
    RunFolder.create(tmp_path / "run", {"url": "http://example.org/"}).close()
    assert (tmp_path / "run").stat().st_mode & 0o777 == 0o700


def test_what_is_not_a_run_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text("")
    for path in (tmp_path, tmp_path / "nowhere", tmp_path / "run.toml"):
        with pytest.raises(UserError, match="is not a run"):
            RunFolder.open(path)
    assert [path.name for path in tmp_path.iterdir()] == ["run.toml"]


@pytest.mark.parametrize("damage", [b"", b"not a database" * 1000, None])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_damaged_ledger_is_one_clear_sentence(
    tmp_path: Path, damage: bytes | None, read_only: bool
) -> None:
    path = tmp_path / "run"
    RunFolder.create(path, {}).close()
    ledger = path / "ledger.sqlite"
    ledger.write_bytes(ledger.read_bytes()[:5000] if damage is None else damage)
    for _ in range(2):  # and the lock is free again
        with pytest.raises(
            MachineError, match=r"^The ledger of .*/run (is damaged|cannot be read)"
        ):
            RunFolder.open(path, read_only=read_only)


def test_a_run_of_another_format_is_told(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "run", {}).close()
    ledger = sqlite3.connect(tmp_path / "run" / "ledger.sqlite")
    ledger.execute("UPDATE meta SET value = '99' WHERE key = 'version'")
    ledger.commit()
    ledger.close()
    with pytest.raises(MachineError, match=f"has format 99, and this Filon reads {VERSION}"):
        RunFolder.open(tmp_path / "run")


def test_two_processes_cannot_hold_one_run(tmp_path: Path) -> None:
    path = tmp_path / "run"
    program = (
        "import sys, pathlib\n"
        "from filon.core import UserError\n"
        "from filon.run.folder import RunFolder\n"
        "try: RunFolder.open(pathlib.Path(sys.argv[1])).close()\n"
        "except UserError as error: sys.exit(str(error))"
    )
    other = [sys.executable, "-c", program, str(path)]
    with RunFolder.create(path, {}):
        done = subprocess.run(other, capture_output=True, text=True)
        assert (done.returncode, done.stderr.strip()) == (
            1,
            f"{path} is in use by another process: let it end first.",
        )
        with RunFolder.open(path, read_only=True) as reader:
            assert reader.spent == Spent()
    assert subprocess.run(other).returncode == 0


def test_a_finished_run_is_free_and_can_still_be_read(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", {})
    run.spool_dir.mkdir()
    (run.spool_dir / "half").write_bytes(b"a download that never ended")
    run.record(run.begin(step()), step(), answer(), [find()], idle=False)
    run.finish("budget", Still())
    with RunFolder.open(tmp_path / "run") as again:
        assert again.stopped == "budget"
    assert [kept.name for kept in run] == ["a.csv"]
    assert not run.spool_dir.exists()
    run.close()
    meta = dict(rows(run.path, "SELECT key, value FROM meta"))
    assert meta["summary"] == '{"arms": [], "stopped": "early-stop"}'
    assert float(meta["seconds"]) > 0


def test_what_is_expected_of_the_rest_is_told_while_a_run_goes_on(tmp_path: Path) -> None:
    def told() -> list[tuple[Any, ...]]:
        return rows(tmp_path / "run", "SELECT value FROM meta WHERE key = 'outlook'")

    with RunFolder.create(tmp_path / "run", {}) as run:
        for outlook in ("", "about 9 left", "", "about 8 left"):
            run.begin(Step(request=step().request, reason=Reason(kind="link", outlook=outlook)))
            run.commit()
            assert told() == ([(outlook or "about 9 left",)] if run.spent.requests > 1 else [])


def test_only_the_last_two_checkpoints_are_kept(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", {}) as run:
        for answers in (200, 400, 600):
            for _ in range(200):
                run.record(run.begin(step()), step(), answer(b""), [], idle=False)
            run._rhythm._not_before_s = 0  # as if the last one had cost nothing
            run.checkpoint(Still())
            run.checkpoint(Still())
            assert rows(run.path, "SELECT max(answers) FROM checkpoints") == [(answers,)]
    assert rows(run.path, "SELECT answers FROM checkpoints") == [(400,), (600,)]


def test_a_failed_commit_leaves_the_archive_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    run = RunFolder.create(tmp_path / "run", {})
    run.record(run.begin(step()), step(), answer(), [], idle=False)
    run.commit()
    warc = run.path / "archive" / "run-00001.warc.gz"
    before, number = warc.read_bytes(), run.begin(step())
    with monkeypatch.context() as patch:
        patch.setattr(run._ledger, "record", fail)
        with pytest.raises(
            MachineError, match=r"^The disk is full: .* `filon resume .*/run` goes on"
        ):
            run.record(number, step(), answer(), [], idle=False)
    assert warc.read_bytes() == before
    run.close()
    assert rows(run.path, "SELECT answer FROM steps") == [(1,)]


def test_a_turn_whose_commit_fails_is_taken_back_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = RunFolder.create(tmp_path / "run", {})
    for _ in range(2):
        run.record(run.begin(step()), step(), answer(), [], idle=False)
    monkeypatch.setattr(run._ledger, "commit", lambda: run._ledger._db.execute("no SQL"))
    with pytest.raises(MachineError):
        run.commit()
    monkeypatch.undo()
    run.close()
    assert (run.path / "archive" / "run-00001.warc.gz").read_bytes().count(b"\x1f\x8b\x08") <= 1
    with RunFolder.open(run.path) as again:
        assert again.spent.requests == 0
        again.record(again.begin(step()), step(), answer(), [], idle=False)
    assert rows(run.path, "SELECT step, answer FROM steps") == [(1, 1)]


def test_a_run_opened_to_be_read_is_not_written(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", {}) as run:
        run.record(run.begin(step()), step(), answer(), [find()], idle=False)
    with RunFolder.open(tmp_path / "run", read_only=True) as reader:
        assert len(list(reader)) == 1
        with pytest.raises(MachineError, match="cannot be written"):
            reader.begin(step())


def test_a_checkpoint_is_due_after_enough_answers() -> None:
    rhythm = Rhythm(100)
    assert not rhythm.due(100 + EVERY_ANSWERS - 1)
    assert rhythm.due(100 + EVERY_ANSWERS)


def test_dear_checkpoints_are_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    rhythm = Rhythm()
    rhythm.took(200, 3.0)
    now_s += 3.0 / SHARE - 1
    assert not rhythm.due(10_000)
    now_s += 2
    assert rhythm.due(10_000)
