"""The environment of a stranger, once for all tests that need one."""

import tarfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from once import once
from project.checkout import ROOT
from project.clean import built, installed


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = once(tmp_path_factory, "sdist", lambda out: built("sdist", ROOT, out))
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution alone, as pip does."""

    def make(out: Path) -> None:
        with tarfile.open(sdist) as packed:
            packed.extractall(out, filter="data")
        (unpacked,) = out.iterdir()
        built("wheel", unpacked, out)

    (made,) = once(tmp_path_factory, "wheel", make).glob("*.whl")
    return made


@pytest.fixture(scope="session")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the programs of an environment with the wheel in it."""
    return installed(tmp_path_factory.mktemp("clean"), wheel)


@pytest.fixture(scope="session")
def clean_with(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Make an environment with the wheel and one extra, nothing else; "" for no extra."""

    @cache
    def made(extra: str) -> Path:
        return installed(tmp_path_factory.mktemp(f"clean-{extra}"), wheel, extra=extra)

    return made
