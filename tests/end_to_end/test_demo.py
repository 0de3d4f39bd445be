import shutil
from pathlib import Path

from command import Ended, filon


def test_the_demo_shows_what_learning_is_worth(tmp_path: Path, demo: tuple[Path, Ended]) -> None:
    folder, ended = demo
    shutil.copytree(folder / "demo", tmp_path / "demo")
    assert ended.code == 0, ended.err
    assert "Traceback" not in ended.err
    assert "times as many" in ended.out
    assert "filled with 40 calls" in ended.out
    assert (tmp_path / "demo/vein/report.html").is_file()
    assert (tmp_path / "demo/books-prospect/enriched.csv").is_file()
    assert (tmp_path / "demo/books-prospect/report.html").is_file()
    assert "Repositories with 150 requests" in ended.out
    assert len((tmp_path / "demo/water-scout/harvest.txt").read_text().split()) >= 6
    assert filon(tmp_path, "demo", "--out", "demo").code == 2
    typed = [
        line[12:].split() for line in ended.out.splitlines() if line.split()[:2] != ["To", "type"]
    ]
    commands = [words for words in typed if words and words[0].endswith("filon")]
    assert {words[1] for words in commands} == {"why", "export"}
    for _, *arguments in commands:
        assert filon(tmp_path, *arguments).code == 0, arguments
