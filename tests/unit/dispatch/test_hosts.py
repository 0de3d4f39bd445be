from pathlib import Path

import pytest

from fake_run import FakeRun
from filon.dispatch.hosts import has_asked, host, reach


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.test:80/x", "a.test"),
        ("https://A.test/", "a.test"),
        ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
        ("http://[::1]:8080/", "[::1]:8080"),
        ("https://bücher.test/", "xn--bcher-kva.test"),
        ("http://a.test:99999/", ""),
        ("no address", ""),
    ],
)
def test_a_host_has_its_port_where_that_is_unusual(url: str, expected: str) -> None:
    assert host(url) == expected


def test_two_harvests_of_a_host_meet_and_of_two_hosts_do_not() -> None:
    first = reach({"verb": "harvest", "url": "https://a.test/x", "more_urls": ["https://b.test/"]})
    assert first.meets(reach({"verb": "harvest", "url": "http://b.test/"}))
    assert not first.meets(reach({"verb": "harvest", "url": "https://c.test/"}))


def test_two_runs_that_go_anywhere_meet() -> None:
    discovery = reach({"verb": "discover", "topic": "bees"})
    assert discovery.roams
    assert discovery.meets(reach({"verb": "follow", "seeds": ["https://a.test/"], "within": "any"}))
    at_home = reach({"verb": "follow", "seeds": ["https://a.test/"], "within": "host"})
    assert not discovery.meets(at_home)


def test_the_ledger_tells_whom_a_run_has_asked(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run", verb="discover") as run:
        run.step("https://a.test/page")
    assert has_asked(tmp_path / "run", ["a.test"])
    assert not has_asked(tmp_path / "run", ["a.test.example", "b.test"])
    assert not has_asked(tmp_path / "nowhere", ["a.test"])
