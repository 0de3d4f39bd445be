"""An environment as a stranger has it: built, installed, and nothing of the checkout in it.

Clean means: a virtual environment with wheels and nothing of the checkout. What Filon stands on is
lent by the environment that runs the tests, as a folder at the end of the path. Python reads no
.pth file in such a folder, so that an editable installation of Filon that may be there does not
count, and a test asks where the package came from.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

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


def installed(folder: Path, *wheels: Path) -> Path:
    """Make an environment with wheels in it; return the folder of its programs."""
    venv.create(folder, with_pip=False)
    places = {"base": str(folder), "platbase": str(folder)}
    lent = {sysconfig.get_path(kind) for kind in ("purelib", "platlib")}
    own = Path(sysconfig.get_path("purelib", "venv", places))
    (own / "lent.pth").write_text("".join(f"{path}\n" for path in sorted(lent)))
    programs = Path(sysconfig.get_path("scripts", "venv", places))
    pip = (sys.executable, "-m", "pip", "--python", programs / "python", "--quiet")
    run(*pip, "install", "--no-deps", "--no-index", "--no-compile", *wheels, cwd=folder)
    return programs
