"""Keys of search services in a discovery: each goes to its own service, and into no file."""

import json
import os
import signal
import sqlite3
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator

from command import filon, finish, start
from discoverweb import SEARCH, Served
from discoverweb import serving as small_web
from filon.testing.discovery import REPOSITORIES, TOPIC, keyword
from unit.services.server import AUTHORITY, Call, Reply, Serving
from unit.services.server import serving as service

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BRAVE = "api.search.brave.com"
SECRET = "s3cr3t-k3y-0f-br4v3"
PACKED: dict[str, list[tuple[str, Callable[[bytes], bytes]]]] = {
    "ledger.sqlite": [
        ("SELECT state FROM checkpoints", lambda state: zstd.decompress(state.partition(b"\n")[2]))
    ],
    "answers.sqlite": [("SELECT body FROM answers", zlib.decompress)],
}
JSON = {"Content-Type": "application/json"}


def brave(call: Call) -> Reply:
    """Answer as Brave does, and repeat the key wherever that is possible."""
    key = call.headers.get("x-subscription-token", "")
    if key != SECRET:
        error = {
            "code": "SUBSCRIPTION_TOKEN_INVALID",
            "detail": f"{key} is not valid.",
            "status": 422,
        }
        return 422, JSON, json.dumps({"error": error}).encode()
    found = keyword(call.params["q"])[:20] if call.params["offset"] == "0" else []
    web = [{"url": url, "title": f"seen with {key}", "description": key} for url in found]
    told = {"query": {"more_results_available": False}, "web": {"results": web}, "key": key}
    return (
        200,
        {**JSON, "X-Echo": key, "X-RateLimit-Remaining": "50, 900"},
        json.dumps(told).encode(),
    )


@pytest.fixture
def webs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Serving, Served]]:
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "answers.sqlite"))
    AUTHORITY.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    with service(brave, BRAVE) as called, small_web() as pages:
        yield called, pages


def how(called: Serving, pages: Served) -> tuple[str, ...]:
    rule = f"{BRAVE}:443:127.0.0.1:{called.port}"
    return ("--connect-to", rule, *pages.here, "--ca-file", "ca.pem", "--out", "run")


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield all that stands in the files of a folder, packed parts unpacked too."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.name, path.read_bytes()
        if path.name.endswith(".warc.gz"):
            with path.open("rb") as stream:
                for record in ArchiveIterator(stream, parse_http=False):
                    yield path.name, str(dict(record.headers)).encode()
                    yield path.name, record.reader.read()
        for query, unpack in PACKED.get(path.name, ()):
            with closing(sqlite3.connect(path)) as db:
                for (packed,) in db.execute(query):
                    yield f"{path.name}, packed", unpack(packed)


def test_the_key_goes_to_its_service_and_stands_in_no_file(
    tmp_path: Path, webs: tuple[Serving, Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", SECRET)
    called, pages = webs
    ended = filon(tmp_path, "discover", TOPIC, "--search", "brave:rate=1000/s", *how(called, pages))
    assert ended.code == 0, ended.err
    assert {call.headers["x-subscription-token"] for call in called.calls} == {SECRET}
    assert (tmp_path / "run/harvest.txt").read_text()
    assert not [headers for headers in pages.headers if SECRET in str(headers)]
    every = list(contents(tmp_path))  # the run, and the cache of answers
    assert {"ledger.sqlite, packed", "answers.sqlite, packed"} <= {name for name, _ in every}
    assert any(b"seen with {secret:BRAVE_API_KEY}" in body for _, body in every)
    assert not [name for name, body in every if SECRET.encode() in body]
    assert SECRET not in ended.out + ended.err


def test_a_wrong_key_is_told_and_the_other_service_goes_on(
    tmp_path: Path, webs: tuple[Serving, Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "wr0ng-k3y-654321")
    called, pages = webs
    asked = (
        "--search",
        "brave:rate=1000/s",
        "--search",
        f"searxng:url=http://{SEARCH},rate=1000/s",
    )
    ended = filon(tmp_path, "discover", TOPIC, *asked, *how(called, pages), "--json")
    assert ended.code == 0, ended.err
    assert "brave failed in 1 of 1 call: access was refused" in ended.err
    assert len(called.calls) == 1
    assert ended.json["repositories"] == len(REPOSITORIES)
    assert "wr0ng-k3y-654321" not in ended.err + ended.out
    assert not [n for n, body in contents(tmp_path / "run") if b"wr0ng-k3y-654321" in body]


def test_a_key_that_is_gone_is_asked_for_before_a_run_goes_on(
    tmp_path: Path, webs: tuple[Serving, Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    called, pages = webs
    monkeypatch.setenv("BRAVE_API_KEY", SECRET)
    process = start(
        tmp_path, "discover", TOPIC, "--search", "brave:rate=1000/s", *how(called, pages)
    )
    pages.wait_for(10)
    process.send_signal(signal.SIGINT)
    assert finish(process).code == 130
    monkeypatch.delenv("BRAVE_API_KEY")
    assert "BRAVE_API_KEY" not in os.environ
    refused = filon(tmp_path, "resume", "run")
    assert refused.code == 2
    assert "brave needs a key" in refused.sentence
    monkeypatch.setenv("BRAVE_API_KEY", SECRET)
    assert filon(tmp_path, "resume", "run").code == 0
