"""The Dockerfile, as far as it can be held to its word without an engine to build it.

No image is built here. What is checked: that the files it copies exist, get past .dockerignore
and are enough to build the whole wheel, and that its last stage says what it promises.
"""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest

from patience import PATIENCE_S
from project.checkout import ROOT, package, pyproject

Instruction = tuple[str, str]


def stages() -> list[list[Instruction]]:
    """Return the instructions of the Dockerfile, a list a stage."""
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", " ")
    found: list[list[Instruction]] = []
    for line in filter(str.strip, text.splitlines()):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            found.append([])
        found[-1].append((word, " ".join(rest.split())))
    return found


def said(stage: list[Instruction], word: str) -> list[str]:
    return [rest for each, rest in stage if each == word]


def copied() -> list[tuple[list[str], str]]:
    """Return what is copied from the checkout, and where to."""
    lines = [rest for stage in stages() for rest in said(stage, "COPY") if "--from" not in rest]
    return [(words[:-1], words[-1]) for words in map(str.split, lines)]


def ignored(path: str) -> bool:
    """Say whether .dockerignore keeps a path out: the last pattern that fits decides."""
    kept_out = False
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        pattern = line.removeprefix("!")
        if not line or line.startswith("#"):
            continue
        parts = Path(path).parts
        if pattern.startswith("**/"):
            fits = any(fnmatch(part, pattern[3:]) for part in parts)
        else:
            fits = fnmatch(parts[0], pattern)
        if fits:
            kept_out = not line.startswith("!")
    return kept_out


def test_what_is_copied_exists_and_gets_past_dockerignore() -> None:
    assert copied()
    for sources, _ in copied():
        for source in sources:
            assert (ROOT / source).exists(), source
            assert not ignored(source), source


def test_nothing_else_of_a_checkout_reaches_the_engine() -> None:
    wanted = {source for sources, _ in copied() for source in sources}
    reached = {path.name for path in ROOT.iterdir() if not ignored(path.name)}
    assert reached == wanted
    assert ignored("src/filon/__pycache__/x.pyc")
    assert not ignored("src/filon/py.typed")


def test_what_is_copied_is_enough_for_the_whole_wheel(tmp_path: Path) -> None:
    for sources, goal in copied():
        for source in sources:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, tmp_path / goal)
            else:
                shutil.copy(ROOT / source, tmp_path / goal)
    build = "from hatchling import build; build.build_wheel('dist')"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, timeout=PATIENCE_S, check=True)
    (wheel,) = (tmp_path / "dist").iterdir()
    with zipfile.ZipFile(wheel) as packed:
        held = {name for name in packed.namelist() if ".dist-info/" not in name}
    assert held == package()


def test_the_program_is_installed_from_the_wheels_of_the_stage_before() -> None:
    build, last = stages()
    (name,) = (rest.partition(" AS ")[2] for rest in said(build, "FROM"))
    install = next(rest for rest in said(last, "RUN") if "pip install" in rest)
    assert f"from={name}" in install
    assert "--no-index" in install
    assert "filon[${EXTRA}]" in install
    assert ".[${EXTRA}]" in next(rest for rest in said(build, "RUN") if "pip wheel" in rest)
    (usual,) = {each for stage in (build, last) for each in said(stage, "ARG")}
    assert usual.removeprefix("EXTRA=") in pyproject()["project"]["optional-dependencies"]


def test_it_runs_filon_as_somebody_who_is_not_root() -> None:
    *_, last = stages()
    words = [word for word, _ in last]
    user = said(last, "USER")[-1]
    assert user not in ("root", "0")
    assert any(re.search(rf"\buseradd\b.* {user}\b", rest) for rest in said(last, "RUN"))
    assert "RUN" not in words[words.index("USER") :]
    (entry,) = json.loads(said(last, "ENTRYPOINT")[0])
    assert entry in pyproject()["project"]["scripts"]


def test_runs_and_answers_are_kept_in_a_volume_of_that_user() -> None:
    *_, last = stages()
    (volume,) = said(last, "VOLUME")
    assert said(last, "WORKDIR")[-1] == volume
    assert f"XDG_CACHE_HOME={volume}/" in said(last, "ENV")[0]
    made = next(rest for rest in said(last, "RUN") if rest.endswith(f" {volume}"))
    assert f"--owner {said(last, 'USER')[-1]}" in made


@pytest.mark.parametrize("stage", [0, 1])
def test_its_python_is_one_that_is_tested(stage: int) -> None:
    image = said(stages()[stage], "FROM")[0].partition(" ")[0]
    version = image.removeprefix("python:").removesuffix("-slim")
    assert f"Programming Language :: Python :: {version}" in pyproject()["project"]["classifiers"]
