"""`filon watch`: sites that are looked at when they are due."""

import json
import signal
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

from command import filon, finish, start
from end_to_end.test_refresh import change, site
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
    import sqlite3

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
    with serving({}) as server:
        pass
    schedule(tmp_path, server.url)
    ended = filon(tmp_path, "watch", "sites.toml", "--once", "--retries", 0)
    assert ended.code == 0
    (line,) = ended.err.splitlines()
    assert "refused" in line or "cannot be reached" in line
