from pathlib import Path

import pytest

from filon.demo.place import activation, fresh, typed


def test_the_folder_is_numbered_where_it_exists(tmp_path: Path) -> None:
    assert fresh(tmp_path / "demo") == tmp_path / "demo"
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo-2").symlink_to("nowhere")
    assert fresh(tmp_path / "demo") == tmp_path / "demo-3"


def test_a_command_is_told_as_the_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / ".venv/bin"
    programs.mkdir(parents=True)
    for name in ("filon", "python"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.executable", str(programs / "python"))
    monkeypatch.setenv("PATH", "/usr/bin")
    assert typed("filon why a b") == ".venv/bin/filon why a b"
    assert typed("shown/report.html") == "shown/report.html"
    assert activation() == "source .venv/bin/activate"
    monkeypatch.setenv("PATH", str(programs))
    assert typed("filon why a b") == "filon why a b"
