"""The wheel and the source distribution: built, looked into, installed, and run.

Clean means: a virtual environment with the wheel and nothing of the checkout. What Filon stands
on is lent by the environment that runs the tests, as a folder at the end of the path. Python
reads no .pth file in such a folder, so that an editable installation of Filon that may be there
does not count, and the test asks where the package came from.
"""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path

import pytest

import filon
from loopback import portal, serving
from patience import PATIENCE_S
from project.checkout import ROOT, package, pyproject

_BUILD = "import sys; from hatchling import build; build.build_{0}(sys.argv[1])"


def run(*command: object, cwd: Path) -> str:
    """Run a command that knows nothing of the checkout; return what it prints."""
    kept = ("HOME", "LANG", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
    ended = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env={name: os.environ[name] for name in kept if name in os.environ},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-c", _BUILD.format("sdist"), out, cwd=ROOT)
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution alone, as pip does."""
    out = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as packed:
        packed.extractall(out, filter="data")
    (unpacked,) = out.iterdir()
    run(sys.executable, "-c", _BUILD.format("wheel"), out, cwd=unpacked)
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the programs of an environment with the wheel in it."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=False)
    places = {"base": str(folder), "platbase": str(folder)}
    lent = {sysconfig.get_path(kind) for kind in ("purelib", "platlib")}
    own = Path(sysconfig.get_path("purelib", "venv", places))
    (own / "lent.pth").write_text("".join(f"{path}\n" for path in sorted(lent)))
    programs = Path(sysconfig.get_path("scripts", "venv", places))
    pip = (sys.executable, "-m", "pip", "--python", programs / "python", "--quiet")
    run(*pip, "install", "--no-deps", "--no-index", "--no-compile", wheel, cwd=folder)
    return programs


def members(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as packed:
        return {name for name in packed.namelist() if not name.endswith("/")}


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        return HeaderParser().parsestr(packed.read(name).decode())


def test_the_wheel_holds_the_package_to_the_last_file_and_nothing_else(wheel: Path) -> None:
    held = {name for name in members(wheel) if ".dist-info/" not in name}
    assert held == package()
    assert {Path(name).suffix for name in held} >= {".py", ".typed", ".toml", ".json"}
    assert not [name for name in held if "tests" in Path(name).parts or "test_" in name]


def test_the_wheel_is_for_every_system_and_has_the_licence(wheel: Path) -> None:
    assert wheel.name == f"filon-{filon.__version__}-py3-none-any.whl"
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in members(wheel))


def test_what_is_told_of_the_wheel_is_what_pyproject_says(wheel: Path) -> None:
    told, project = metadata(wheel), pyproject()["project"]
    assert told["Version"] == filon.__version__
    assert told["Requires-Python"] == project["requires-python"]
    assert set(told.get_all("Classifier", [])) == set(project["classifiers"])
    assert set(told.get_all("Provides-Extra", [])) == set(project["optional-dependencies"])


def test_the_source_distribution_has_what_a_packager_needs(sdist: Path) -> None:
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert sdist.name == f"filon-{filon.__version__}.tar.gz"
    assert {f"src/{name}" for name in package()} <= names
    assert {"README.md", "LICENSE", "CHANGELOG.md", "Makefile", "pyproject.toml"} <= names
    assert {"tests/conftest.py", "experiments/__init__.py", "tools/reference.py"} <= names
    assert not [name for name in names if "__pycache__" in name]


def test_a_clean_environment_has_the_package_of_the_wheel(clean: Path, tmp_path: Path) -> None:
    asked = "import filon, importlib.metadata as m; print(filon.__file__, m.version('filon'))"
    file, version = run(clean / "python", "-c", asked, cwd=tmp_path).split()
    assert Path(file).is_relative_to(clean.parent)
    assert version == filon.__version__


def test_the_installed_program_runs(clean: Path, tmp_path: Path) -> None:
    assert run(clean / "filon", "--version", cwd=tmp_path) == f"filon {filon.__version__}\n"
    assert "openalex" in run(clean / "filon", "source", "list", cwd=tmp_path)
    with serving(portal(2, 3)) as site:
        arguments = ("--delay", 0, "--json", "--out", "run")
        told = run(clean / "filon", "harvest", site.url, *arguments, cwd=tmp_path)
    assert json.loads(told.splitlines()[-1])["finds"] == 6
    assert f'filon = "{filon.__version__}"' in (tmp_path / "run/run.toml").read_text("utf-8")
