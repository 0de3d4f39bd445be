"""Cookies that a person brings along: to their own hosts only, and never stored."""

from pathlib import Path

from command import filon
from loopback import portal, serving

FILE = """# Netscape HTTP Cookie File
portal.test\tFALSE\t/\tFALSE\t0\tsession\ts3cr3t-v4lue
.portal.test\tTRUE\t/\tFALSE\t0\tlanguage\tfr
other.test\tFALSE\t/\tFALSE\t0\tother\telsewhere
portal.test\tFALSE\t/\tTRUE\t0\tsecure\tonly-https
portal.test\tFALSE\t/\tFALSE\t1000000000\told\tlong-ago
"""


def test_cookies_of_a_file_go_to_their_host_and_are_not_stored(tmp_path: Path) -> None:
    (tmp_path / "cookies.txt").write_text(FILE)
    with serving(portal()) as site:
        there = ("--connect-to", f"::127.0.0.1:{site.port}", "--delay", 0, "--budget", 6)
        how = (*there, "--cookies", "cookies.txt", "--out", "run")
        assert filon(tmp_path, "harvest", "http://portal.test/", *how).code == 0
        sent = {headers.get("Cookie", "") for headers in site.headers}
        assert sent == {"session=s3cr3t-v4lue; language=fr"}
        seen = len(site.headers)
        assert filon(tmp_path, "resume", "run", "--budget", 9).code == 0
    assert {headers.get("Cookie", "") for headers in site.headers[seen:]} == sent
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert not any(b"s3cr3t-v4lue" in path.read_bytes() for path in files)


def test_a_file_without_cookies_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text("session=1")
    ended = filon(tmp_path, "harvest", "http://portal.test/", "--cookies", "wrong.txt")
    assert ended.code == 2
    assert "wrong.txt holds no cookies" in ended.sentence
    ended = filon(tmp_path, "harvest", "http://portal.test/", "--cookie-file", "nowhere.txt")
    assert ended.code == 2
    assert "nowhere.txt" in ended.sentence
    assert not (tmp_path / "filon-runs").exists()
