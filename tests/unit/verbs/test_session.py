from collections.abc import Callable
from pathlib import Path

import pytest

from filon.core import MachineError, Request, Response, Step, UserError
from filon.verbs.session import FAILURES, Blackout, Outage, place


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_folder_is_named_after_the_host_and_numbered() -> None:
    assert place(None, "https://www.example.org/a") == Path("filon-runs/www.example.org-001")
    Path("filon-runs/www.example.org-001").mkdir(parents=True)
    assert place(None, "https://www.example.org/a") == Path("filon-runs/www.example.org-002")


def test_a_host_cannot_name_another_place() -> None:
    assert place(None, "http://[::1]:80/") == Path("filon-runs/--1-001")


def test_a_place_is_chosen_and_not_made() -> None:
    place("out", "http://a.test/")
    place(None, "http://a.test/")
    assert not list(Path().iterdir())


def test_an_empty_folder_is_taken() -> None:
    Path("out").mkdir()
    assert place("out", "http://a.test/") == Path("out")


def fill(folder: Path) -> None:
    folder.mkdir()
    (folder / "mine.txt").touch()


@pytest.mark.parametrize("make", [fill, Path.touch])
def test_what_exists_is_never_written_to(make: Callable[[Path], None]) -> None:
    make(Path("out"))
    with pytest.raises(UserError, match="exists already"):
        place("out", "http://a.test/")


def test_a_dangling_link_counts_as_there() -> None:
    Path("out").symlink_to("nowhere")
    with pytest.raises(UserError, match="exists already"):
        place("out", "http://a.test/")


HERE, ELSEWHERE = "http://a.test/x", "http://old.a.test/"


def watch(outage: Outage, url: str, **answer: str | int) -> None:
    step = Step(request=Request(url=url))
    outage.watch(step, Response(url=url, **answer), [])  # type: ignore[arg-type]


@pytest.mark.parametrize("error", ["dns", "connect"])
def test_a_site_that_has_gone_ends_the_sitting(error: str) -> None:
    outage = Outage("http://a.test/")
    for _ in range(FAILURES - 1):
        watch(outage, HERE, error=error)
    with pytest.raises(MachineError, match="resume"):
        watch(outage, HERE, error=error)


def failures_it_takes(outage: Outage) -> int:
    for number in range(1, 10 * FAILURES):
        try:
            watch(outage, HERE, error="connect")
        except MachineError:
            return number
    return 0


def test_an_answer_in_between_shows_that_it_is_there() -> None:
    outage = Outage("http://a.test/")
    for _ in range(FAILURES - 1):
        watch(outage, HERE, error="connect")
    watch(outage, HERE, status=500)
    assert failures_it_takes(outage) == FAILURES


def test_dead_links_to_other_hosts_do_not_count() -> None:
    outage = Outage("http://a.test/")
    for _ in range(3 * FAILURES):
        watch(outage, ELSEWHERE, error="dns")
    assert failures_it_takes(outage) == FAILURES


def test_hosts_that_never_answered_are_no_blackout() -> None:
    watch = Blackout().watch
    for number in range(3 * FAILURES):
        url = f"http://dead{number}.org/"
        watch(Step(request=Request(url=url)), Response(url=url, error="dns"), [])


def test_hosts_that_answered_before_and_are_all_gone_end_the_sitting() -> None:
    watch = Blackout().watch
    urls = [f"http://a{number}.org/" for number in range(FAILURES)]
    for url in urls:
        watch(Step(request=Request(url=url)), Response(url=url, status=404), [])
    for url in urls[:-1]:
        watch(Step(request=Request(url=url)), Response(url=url, error="connect"), [])
    step = Step(request=Request(url=urls[-1]))
    with pytest.raises(MachineError, match="resume"):
        watch(step, Response(url=urls[-1], error="connect"), [])
