import csv
import io
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

import filon as library
from command import Ended, filon
from filon.demo.story import story


def test_the_demo_shows_what_learning_is_worth(tmp_path: Path, demo: tuple[Path, Ended]) -> None:
    folder, ended = demo
    shutil.copytree(folder / "filon-demo", tmp_path / "filon-demo")
    assert ended.code == 0, ended.err
    assert "Traceback" not in ended.err
    assert "times as many" in ended.out
    assert "filled with 40 calls" in ended.out
    assert (tmp_path / "filon-demo/vein/report.html").is_file()
    assert (tmp_path / "filon-demo/books-prospect/enriched.csv").is_file()
    assert (tmp_path / "filon-demo/books-prospect/report.html").is_file()
    assert "Repositories with 150 requests" in ended.out
    assert len((tmp_path / "filon-demo/water-scout/harvest.txt").read_text().split()) >= 6
    assert filon(tmp_path, "demo", "--out", "filon-demo").code == 2
    said = ended.out.splitlines()
    typed = [shlex.split(line[12:]) for line in said if re.match(r"(The|A) \w+ +\S*filon ", line)]
    assert {words[1] for words in typed} == {"why", "export"}
    for _, *arguments in typed:
        assert filon(tmp_path, *arguments).code == 0, arguments


def test_the_demo_goes_from_a_topic_to_an_enriched_table_by_commands_one_can_type(
    demo: tuple[Path, Ended],
) -> None:
    folder, ended = demo
    typed = [shlex.split(line[2:]) for line in ended.out.splitlines() if line.startswith("$ ")]
    done = [" ".join(words[1:3]) for words in typed]
    asked = [*done[:1], done[1].split()[0], *done[2:-1], done[-1].split()[0]]
    assert asked == [
        "acquire water quality", "why", "catalog search", "catalog union", "catalog sql", "enrich",
    ]  # fmt: skip
    sites = list(library.open_run(folder / "filon-demo/water").sites())
    assert sum(site["finds"] > 5 for site in sites) >= 10
    with (folder / "filon-demo/enriched/enriched.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["filon_source"] for row in rows}) >= 5
    assert sum(bool(row["altitude"]) for row in rows) > 0.7 * len(rows)


def test_a_stage_that_fails_ends_the_demo(tmp_path: Path) -> None:
    told = io.StringIO()
    ran: list[str] = []

    def run(command: Sequence[str]) -> int:
        ran.append(command[0])
        return 4

    assert story(run, Console(file=told), tmp_path / "demo") == 4
    assert ran == ["acquire"]
    assert "Your topic" not in told.getvalue()
