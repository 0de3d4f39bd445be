"""The wheel and the source distribution: built, looked into, installed, and run."""

import json
import tarfile
import zipfile
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path

import filon
from loopback import portal, serving
from project.checkout import package, pyproject
from project.clean import run


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
