"""Exported archives replayed by pywb and checked by wacz, which `make replay` installs apart.

They need a package that brings another module `brotli` along, so they cannot share Filon's own
place.
"""

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import filon
from loopback import Page, html, portal, serving
from patience import PATIENCE_S

PYWB = os.environ.get("FILON_PYWB", "")
pytestmark = pytest.mark.skipif(not PYWB, reason="make replay runs it, with pywb")

PAGES = {
    **portal(1, 3),
    "/": html("/list/0", "/list/1"),
    "/list/1": Page(body=b'<a href="/data/Big.csv?b=1&A=2">big</a><a href="/moved">moved</a>'),
    "/data/Big.csv?b=1&A=2": Page(
        body=b"".join(b"%d,%d\n" % (n, n * n) for n in range(1_000)) * 600,
        headers={"Content-Type": "text/csv"},
    ),
    "/moved": Page(status=302, headers={"Location": "/data/0-0.csv"}),
}
UNASKED = {"/private/", "/data/secret.csv"}


def manage(folder: Path, *words: str) -> None:
    done = subprocess.run(
        [f"{PYWB}/wb-manager", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Where pywb is, with a collection of either format, and the site that it knows."""
    folder = tmp_path_factory.mktemp("replayed")
    with serving(PAGES) as site:
        harvest = ("--strategy", "bfs", "--stop", "never", "--delay", 0, "--out", "run")
        assert filon(folder, "harvest", site.url, *harvest).code == 0
    for to, file in (("warc", "run.warc.gz"), ("wacz", "run.wacz")):
        assert filon(folder, "export", "run", "--to", to).code == 0
        manage(folder, "init", to)
        manage(folder, "add", *(["--unpack-wacz"] if to == "wacz" else []), to, file)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [f"{PYWB}/wayback", "-b", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            wait_for(port)
            yield f"http://127.0.0.1:{port}/", site.url
        finally:
            server.kill()


def wait_for(port: int) -> None:
    last_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < last_s, "pywb does not answer"
            time.sleep(0.2)
        else:
            return


def test_wacz_finds_archives_of_one_run_and_of_many_valid(tmp_path: Path) -> None:
    with serving(PAGES) as site:
        for run in ("one", "two"):
            harvest = ("--strategy", "bfs", "--budget", 9, "--delay", 0, "--out", f"runs/{run}")
            assert filon(tmp_path, "harvest", site.url, *harvest).code == 0
    assert filon(tmp_path, "export", "runs/one", "--to", "wacz", "--out", "one.wacz").code == 0
    many = ("--in", "runs", "--to", "wacz", "--out", "many.wacz")
    assert filon(tmp_path, "catalog", "export", *many).code == 0
    for archive in ("one.wacz", "many.wacz"):
        command = [f"{PYWB}/wacz", "validate", "-f", archive]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "is valid" in done.stdout


@pytest.mark.parametrize("to", ["warc", "wacz"])
@pytest.mark.parametrize("path", sorted(PAGES.keys() - UNASKED - {"/moved"}))
def test_pages_and_files_replay_with_their_bytes(
    replayed: tuple[str, str], to: str, path: str
) -> None:
    pywb, site = replayed
    with urllib.request.urlopen(f"{pywb}{to}/id_/{site}{path[1:]}") as answer:
        assert answer.read() == PAGES[path].body
        assert answer.headers.get_content_type() == PAGES[path].headers["Content-Type"]


@pytest.mark.parametrize("to", ["warc", "wacz"])
def test_redirects_lead_on_and_what_was_not_asked_for_is_not_there(
    replayed: tuple[str, str], to: str
) -> None:
    pywb, site = replayed
    with urllib.request.urlopen(f"{pywb}{to}/mp_/{site}moved") as answer:
        assert answer.read() == PAGES["/data/0-0.csv"].body
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{pywb}{to}/id_/{site}data/secret.csv")
