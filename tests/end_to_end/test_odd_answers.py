"""One odd answer costs one step: the rest of the site is harvested, and a resume reads all back."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from command import filon
from loopback import Page, csv, html, serving

HTML = "text/html"
LONG = "/" + "a" * 60_000
ODD: dict[str, Page] = {
    **{
        f"/charset-{name}": Page(
            body=b"<a href='/x'>\xff \\ud800 xn--a</a>",
            headers={"Content-Type": f"{HTML}; charset={name}"},
        )
        for name in ("idna", "undefined", "punycode", "utf-7", "unicode_escape", "rot13")
    },
    "/bad-links": Page(
        body=b"<base href='http://['><a href='http://[bad'>x</a><a href='http://a]b'>x</a>"
        b"<a href='https://\xe2\x84\x80.org/'>x</a><meta http-equiv=refresh content='0;url=//['>"
    ),
    "/bad-redirect": Page(status=302, headers={"Location": "http://[bad"}),
    "/long-redirect": Page(status=301, headers={"Location": LONG}),
    "/long-link": html(LONG),
    "/long-length": Page(body=b"x", headers={"Content-Type": HTML, "X-Length": "9" * 5_000}),
    "/dates": Page(headers={"Last-Modified": "Fri, 31 Dec 9999 23:59:59 -2359"}, status=404),
    "/surrogates": Page(
        body=b'<title>&#xD800;</title><script type="application/ld+json">'
        b'{"@type": "Dataset", "name": "\\ud800", "url": "\\udfff"}</script>'
        b'<a href="/\xed\xa0\x80">x</a>'
    ),
    "/deep": Page(
        body=b'<script type="application/ld+json">' + b'{"@graph":[' * 50_000 + b"</script>"
    ),
}


@pytest.mark.parametrize("strategy", ["vein", "sb"])
def test_a_site_of_odd_answers_is_harvested_and_read_back(tmp_path: Path, strategy: str) -> None:
    files = {f"/data/{number}.csv": csv(f"{number}-") for number in range(6)}
    pages = {"/": html(*ODD, *files), **ODD, **files}
    fast = ("--delay", 0, "--strategy", strategy, "--stop", "never", "--retries", 0, "--json")
    with serving(pages) as site:
        ended = filon(tmp_path, "harvest", site.url, *fast, "--out", "run", "--budget", 18)
        assert ended.code == 0, ended.err
        copy = shutil.copytree(tmp_path / "run", tmp_path / "replayed")
        with closing(sqlite3.connect(copy / "ledger.sqlite")) as ledger, ledger:
            ledger.execute("DELETE FROM checkpoints")  # so that every answer is read again
        for name in ("run", "replayed"):
            ended = filon(tmp_path, "resume", name, "--budget", 500, "--json")
            assert ended.code == 0, ended.err
            assert (ended.json["stopped"], ended.json["finds"]) == ("exhausted", 6)
    for name in ("run", "replayed"):
        with closing(sqlite3.connect(tmp_path / name / "ledger.sqlite")) as ledger:
            assert not ledger.execute("SELECT detail FROM steps WHERE error = 'bug'").fetchall()
        (archive,) = (tmp_path / name / "archive").iterdir()
        with archive.open("rb") as file:
            kinds = [record.rec_type for record in ArchiveIterator(file)]
        assert kinds.count("response") >= len(ODD)
