"""What must be true of a run folder when a run has ended, whatever happened on the way."""

import hashlib
import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator

from command import Running, start_python
from crash.walk import Walk, answer
from filon.core import Response
from filon.run.folder import RunFolder
from patience import PATIENCE_S

PARALLEL = 8
Told = dict[str, Any]


def start(*arguments: object) -> Running:
    """Start a session."""
    here = Path(__file__)
    return start_python(here.parents[2], here.with_name("session.py"), *arguments)


def end(process: Running) -> Told:
    """Let a session end well, and return what it told."""
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, err
    told: Told = json.loads(out)
    return told


def reachable(root: str, size: int) -> dict[str, Response]:
    """All there is, by a walk without a run, one after the other."""
    walk, found = Walk(root), {}
    while step := walk.propose():
        url = step.request.url
        found[url] = answer(int(url.rpartition("/")[2]), size, root)
        walk.observe(step, found[url])
    return found


def check(run: Path, told: Told, truth: dict[str, Response]) -> None:
    """Every step, find and record is there once, complete, and the strategy has seen it all."""
    assert told["stopped"] == "exhausted"
    assert set(told["state"]["parents"]) == set(truth)
    check_steps(run, truth)
    check_finds(run, truth)
    check_archive(run, truth)
    check_replay(run, told)


def check_steps(run: Path, truth: dict[str, Response]) -> None:
    ledger = sqlite3.connect(run / "ledger.sqlite")
    rows = ledger.execute("SELECT url, status, answer FROM steps").fetchall()
    ledger.close()
    assert {url: status for url, status, _ in rows} == {u: r.status for u, r in truth.items()}
    assert sorted(answer for _, _, answer in rows) == list(range(1, len(truth) + 1))


def check_finds(run: Path, truth: dict[str, Response]) -> None:
    with RunFolder.open(run) as opened:
        finds = list(opened)
    files = {url: r.body for url, r in truth.items() if r.mime == "text/csv"}
    assert Counter(find.url for find in finds) == Counter(files.keys())
    for find in finds:
        assert find.path is not None
        assert find.path.read_bytes() == files[find.url]
        assert find.path.name == find.sha256 == hashlib.sha256(files[find.url]).hexdigest()
    stored = {path.name for path in (run / "files").glob("*/*")}
    assert stored == {find.sha256 for find in finds}


def check_archive(run: Path, truth: dict[str, Response]) -> None:
    assert len(list((run / "archive").iterdir())) > 3
    found = responses(run)
    held = {u: b"" if r.mime == "text/csv" else r.body for u, r in truth.items() if r.status}
    assert Counter(url for url, _ in found) == Counter(held.keys())
    assert dict(found) == held


def responses(run: Path) -> list[tuple[str, bytes]]:
    """URL and body of every response record, by warcio, which checks the digests."""
    found = []
    for warc in sorted((run / "archive").iterdir()):
        kinds = []
        with warc.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                kinds.append(record.rec_type)
                body = record.content_stream().read()
                if record.rec_type == "response":
                    found.append((record.rec_headers.get_header("WARC-Target-URI"), body))
        assert [kinds[:1], set(kinds[1:])] in ([["warcinfo"], {"response"}], [[], set()])
    return found


def check_replay(run: Path, told: Told) -> None:
    """A strategy that is led through the whole ledger, without a checkpoint, ends the same."""
    ledger = sqlite3.connect(run / "ledger.sqlite")
    assert ledger.execute("SELECT count(*) FROM checkpoints").fetchone()[0] == 2
    ledger.execute("DELETE FROM checkpoints")
    root = ledger.execute("SELECT url FROM steps WHERE step = 1").fetchone()[0].rpartition("/")[0]
    ledger.commit()
    ledger.close()
    walk = Walk(root)
    with RunFolder.open(run) as opened:
        assert opened.rewind(walk) == []
    # The last question, in vain, is not in the ledger: no answer came after it.
    assert walk.propose() is None
    assert walk.state() == told["state"]
