"""The README's figures: what it shows comes out of a run, or stands in a table that it names."""

import re
from pathlib import Path

import pytest

from command import Ended, filon, finish, start_python
from docs.pages import ROOT, blocks
from docs.reader import lines
from experiments import live
from filon.compare.replica import Replica
from filon.run import readonly

README, EXPERIMENTS = ROOT / "README.md", ROOT / "docs/experiments.md"
LEARNING = ROOT / "docs/learning.md"
SHOWN = [block.text for block in blocks(README) if block.kind == "text"]


def steps(run_path: Path) -> int:
    return readonly.number(run_path, "steps")


def figures(pattern: str, page: Path = LEARNING) -> tuple[str, ...]:
    """Return the figures that a sentence of a page tells."""
    (found,) = re.findall(pattern, " ".join(page.read_text("utf-8").split()))
    return found if isinstance(found, tuple) else (found,)


def test_the_readme_shows_what_the_demo_prints(demo: tuple[Path, Ended]) -> None:
    """From the third stage on: eight requests are in flight before, and come in any order."""
    shown, _ = SHOWN
    _, ended = demo
    told = {line.rstrip() for line in lines(ended.out)}
    titles = [line for line in lines(shown) if re.match(r"\d\. ", line)]
    assert len(titles) == 5
    later = lines(shown[shown.index("\n3. ") :])
    assert [line for line in titles + later if line not in told] == []


def test_the_page_on_learning_shows_what_the_whole_demo_prints(demo: tuple[Path, Ended]) -> None:
    (shown,) = [block.text for block in blocks(LEARNING) if block.kind == "text"]
    folder, ended = demo
    told = {line.rstrip() for line in lines(ended.out + ended.err)}
    assert [line for line in lines(shown) if line not in told] == []
    (times,) = figures(r"breadth-first needs ([\d.]+) times the requests of `vein`", README)
    assert f"Breadth-first needed {times} times as many." in shown
    files, requests = figures(r"`vein` ended by itself with all (\d+) files, after (\d+) requests")
    with readonly.reading(folder / "filon-demo/vein") as ledger:
        assert ledger.execute("SELECT COUNT(*) FROM finds").fetchone()[0] == int(files)
    assert steps(folder / "filon-demo/vein") == int(requests)
    assert figures(r"!\[The report of a run: (\d+) finds,", README) == (files,)
    for page, sentence in {
        "tutorial": f"after {requests} requests, with all of the site's {files} files; all pages",
        "experiments": f"it stops with all {files} files after {requests} of ",
    }.items():
        assert sentence in " ".join((ROOT / f"docs/{page}.md").read_text("utf-8").split())


def test_the_page_on_learning_tells_what_the_demo_s_other_runs_cost(
    demo: tuple[Path, Ended],
) -> None:
    folder, ended = demo
    calls, rows = figures(r"search box, with (\d+) calls for (\d+) rows")
    assert f"Rows of {rows} filled with {calls} calls" in ended.out
    (about,) = figures(r"the others read every page, with about ([\d,]+)\.")
    others = [steps(folder / "filon-demo" / name) for name in ("sb", "breadth-first")]
    assert others == pytest.approx([int(about.replace(",", ""))] * 2, rel=0.05)


def test_the_readme_shows_what_a_harvest_of_a_recorded_site_prints(
    tmp_path: Path, shared: Path
) -> None:
    _, shown = SHOWN
    data = shared / "data/harvest"
    with live.serving(data, "canadasdg") as server:
        where = ("http://canadasdg.test/", "--connect-to", f"::127.0.0.1:{server.port}")
        pace = ("--budget", "300req,1GiB", "--delay", "0")
        ended = filon(tmp_path, "harvest", *where, *pace, "--out", "canada")
    assert lines(shown) == lines(ended.out)
    left, forecast = figures(r"In truth (\d+) files were left, not (\d+)\.", README)
    assert f"about {forecast} ±" in shown
    census = Replica.open(data / "replicas/canadasdg.sqlite").census
    with readonly.reading(tmp_path / "canada") as ledger:
        found = ledger.execute("SELECT COUNT(*) FROM finds").fetchone()[0]
    assert int(left) == len(census.targets) - found


def test_the_page_on_learning_tells_of_the_books_what_the_page_on_enrichments_shows() -> None:
    """Whose figures are those of a run: test_blocks.py."""
    absent, rows, filled, calls = figures(
        r"(\d+) of the (\d+) books are not in the library; given more calls it finds the other "
        r"(\d+), and ends by itself after (\d+)\."
    )
    shown = (ROOT / "docs/enrich.md").read_text("utf-8")
    assert f"  {filled} of {rows} rows filled from library with {calls} calls" in shown
    assert f"    {absent}  probably absent\n  what paid" in shown


def test_the_readme_tells_what_the_tables_of_the_experiments_do() -> None:
    told = figures(
        r"`vein` needs (\d+) % of the requests of a full crawl for 90 % of the files \(geometric "
        r"mean\), where the best of four other crawlers, the paper's among them, needs (\d+) %, "
        r"and one that knows all links beforehand (\d+) %",
        README,
    )
    page = EXPERIMENTS.read_text("utf-8")
    section = page.split("### Twelve sites: one left out")[1].split("\n### ")[0]
    (row,) = re.findall(r"^\| geometric mean \|(.+)\|$", section, re.M)
    floor, _, _, ours, _, best = (float(cell) for cell in row.split("|"))
    assert [int(figure) for figure in told] == [round(ours), round(best), round(floor)]


def test_the_readme_python_runs(tmp_path: Path) -> None:
    (code,) = (block.text for block in blocks(README) if block.kind == "python")
    ended = finish(start_python(tmp_path, "-c", code))
    assert ended.code == 0, ended.err
    first, *finds = ended.out.splitlines()
    assert first == f"budget 200 {len(finds)}"


def test_the_page_is_shown_before_any_command() -> None:
    text = README.read_text("utf-8")
    assert 0 < text.index("(docs/pictures/") < text.index("```")
