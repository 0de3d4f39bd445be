import io

from rich.console import Console

from filon.demo.tally import Tally
from filon.demo.tour import LEARNT, PLAIN, tell
from filon.run.summary import Arm, Format, Summary

SUMMARY = Summary(
    run="filon-demo/learning",
    verb="harvest",
    strategy="sb",
    start="http://statistics.test/",
    requests=1300,
    answers=1300,
    bytes=1,
    finds=12,
    find_bytes=3000,
    seconds=1.0,
    stopped="exhausted",
    formats=(Format(name="CSV", finds=9, bytes=2000), Format(name="ZIP", finds=3, bytes=1000)),
    arms=(Arm(name="3 …/li/a[bold]", requests=4, finds=10), Arm(name="barren", requests=7)),
    skipped={},
    running=False,
)


def told(compared: Tally) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=100, highlight=False).print(tell(SUMMARY, compared))
    return out.getvalue().splitlines()


def line(lines: list[str], start: str) -> list[str]:
    return next(line for line in lines if line.startswith(start)).split()


def test_types_arms_and_requests_are_told() -> None:
    lines = told(Tally(share=0.9, files=12, requests={LEARNT: 30, PLAIN: 90}))
    assert line(lines, "CSV") == ["CSV", "9", "2", "kB"]
    assert line(lines, "together")[1] == "12"
    assert line(lines, "3 …/li/a[bold]")[2:] == ["4", "10", "2.5"]
    assert not any(line.startswith("barren") for line in lines)
    assert line(lines, LEARNT)[1] == "30"
    assert [len(line(lines, name)[2]) for name in (LEARNT, PLAIN)] == [12, 36]
    assert "Breadth-first needed 3.0 times as many." in lines


def test_a_run_that_never_got_there_is_told_as_such() -> None:
    lines = told(Tally(share=0.9, files=12, requests={LEARNT: 30, PLAIN: None}))
    assert line(lines, PLAIN)[1] == "never"
    assert not any("times as many" in line for line in lines)
