"""The count of lines in the wheel."""

from pathlib import Path

from tools.weight import PACKAGE, lines


def test_lines_are_counted_by_room(tmp_path: Path) -> None:
    (tmp_path / "cli/more").mkdir(parents=True)
    (tmp_path / "cli/one.py").write_text("a\nb\n")
    (tmp_path / "cli/more/two.py").write_text("a\n\nb")
    (tmp_path / "cli/shipped.toml").write_text("a = 1\n")
    (tmp_path / "top.py").write_text("a\n")
    assert lines(tmp_path) == {"cli": 5, "top.py": 1}


def test_the_package_is_what_the_wheel_is_made_of() -> None:
    assert (PACKAGE / "__init__.py").is_file()
    assert lines(PACKAGE)["core"] > 500
