"""An environment as a stranger has it: built, installed, and nothing of the checkout in it.

Clean means: a virtual environment with wheels and nothing of the checkout. What Filon stands on is
lent by the environment that runs the tests, as a folder at the end of the path: all of it, or what
Filon with one extra asks for and nothing else, as pip would install it. Python reads no .pth file
in such a folder, so that an editable installation of Filon that may be there does not count, and a
test asks where the package came from.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

from patience import PATIENCE_S

_BUILD = "import sys; from hatchling import build; build.build_{0}(sys.argv[1])"


def environment() -> dict[str, str]:
    """Return the variables of a process that knows nothing of the checkout."""
    kept = ("HOME", "LANG", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
    return {name: os.environ[name] for name in kept if name in os.environ}


def run(*command: object, cwd: Path) -> str:
    """Run a command that knows nothing of the checkout; return what it prints."""
    ended = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def built(kind: str, folder: Path, out: Path) -> Path:
    """Build a project as "sdist" or "wheel"; return the file."""
    run(sys.executable, "-c", _BUILD.format(kind), out, cwd=folder)
    (made,) = (path for path in out.iterdir() if path.is_file())
    return made


def installed(folder: Path, *wheels: Path, extra: str | None = None) -> Path:
    """Make an environment with wheels in it; return the folder of its programs.

    extra: of Filon, "" for none: only what that asks for is lent. None: all that there is.
    """
    venv.create(folder, with_pip=False)
    places = {"base": str(folder), "platbase": str(folder)}
    own = Path(sysconfig.get_path("purelib", "venv", places))
    programs = Path(sysconfig.get_path("scripts", "venv", places))
    pip = (sys.executable, "-m", "pip", "--python", programs / "python", "--quiet")
    run(*pip, "install", "--no-deps", "--no-index", "--no-compile", *wheels, cwd=folder)
    lent = {sysconfig.get_path(kind) for kind in ("purelib", "platlib")}
    if extra is not None:
        lent = {str(_linked(folder / "lent", own, extra))}
    (own / "lent.pth").write_text("".join(f"{path}\n" for path in sorted(lent)))
    return programs


def _linked(lent: Path, own: Path, extra: str) -> Path:
    """Make a folder with links to what Filon with an extra asks for."""
    lent.mkdir()
    for package in _asked(own, extra):
        for name in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            if not (lent / name).exists():  # a folder that several packages share
                (lent / name).symlink_to(str(package.locate_file(name)))
    return lent


def _asked(own: Path, extra: str) -> Iterator[Distribution]:
    """Yield the packages that the Filon of an environment asks for, and that these ask for."""
    (filon,) = distributions(name="filon", path=[str(own)])
    seen: set[tuple[str, str]] = set()
    waiting = [Requirement(f"filon[{extra}]")]
    while waiting:
        asked = waiting.pop()
        package = filon if asked.name == "filon" else distribution(asked.name)
        if package is not filon:
            yield package
        for chosen in {"", *asked.extras} - {each for name, each in seen if name == asked.name}:
            seen.add((asked.name, chosen))
            needed = map(Requirement, package.requires or ())
            waiting += [
                each
                for each in needed
                if each.marker is None or each.marker.evaluate({"extra": chosen})
            ]
