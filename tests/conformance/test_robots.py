"""robots.txt: Google's cases, and real files."""

import json
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from filon.page.robots import Robots

# Three cases are answered otherwise on purpose:
# - Two ask for a URL whose path is not percent-encoded and expect that no rule fits it. Such a URL
#   never leaves here: it is encoded first, as browsers do, and then the rule fits.
# - One expects that %62%61%7A in a rule does not fit "baz". RFC 9309, section 2.2.2, says that
#   octets of unreserved characters are decoded before they are compared.
ON_PURPOSE = {
    ("/foo/bar/ツ", "http://foo.bar/foo/bar/ツ"),
    ("/foo/bar/%E3%83%84", "http://foo.bar/foo/bar/ツ"),
    ("/foo/bar/%62%61%7A", "http://foo.bar/foo/bar/baz"),
}


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, Any]]:
    text = (shared / "data/conformance/robots/robots_cases.json").read_text()
    return list(json.loads(text))


@pytest.fixture(scope="module")
def real_files(shared: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(shared / "data/conformance/robots-sample/robots-sample.zip") as sample:
        return {name: sample.read(name) for name in sample.namelist() if not name.endswith("/")}


def test_137_of_140_cases_are_answered_as_google_does(cases: list[dict[str, Any]]) -> None:
    assert len(cases) == 140
    wrong = [
        case
        for case in cases
        if Robots.parse(200, case["robots"].encode()).allows(case["url"], case["agent"])
        != case["allowed"]
    ]
    rules = {(case["robots"].rpartition("Allow: ")[2].strip(), case["url"]) for case in wrong}
    assert rules == ON_PURPOSE
    assert len(wrong) == 3


def test_300_real_files_parse_and_answer_in_bounded_time(real_files: dict[str, bytes]) -> None:
    assert len(real_files) == 300
    began_s = time.process_time()
    for name, body in real_files.items():
        robots = Robots.parse(200, body)
        assert robots.allows("http://example.org/robots.txt", "filon"), name
        assert isinstance(robots.allows("http://example.org/a/b.csv?c=d", "filon"), bool)
        assert 0 <= robots.delay_s("filon") <= 60
    # A bound against hanging, thirty times what it takes, not a measure of speed.
    assert time.process_time() - began_s < 10


def test_real_files_name_their_sitemaps_and_delays(real_files: dict[str, bytes]) -> None:
    read = [Robots.parse(200, body) for body in real_files.values()]
    assert sum(bool(robots.sitemaps) for robots in read) >= 150
    assert sum(robots.delay_s("filon") > 0 for robots in read) >= 20


def test_files_that_are_pages_allow_everything(real_files: dict[str, bytes]) -> None:
    pages = [body for body in real_files.values() if body.lstrip()[:9].lower() == b"<!doctype"]
    assert pages
    assert all(Robots.parse(200, page).allows("http://a.org/x", "filon") for page in pages)
