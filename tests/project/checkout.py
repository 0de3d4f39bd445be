"""Where the checkout is, and what its files for other programs say."""

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def package() -> set[str]:
    """Return the files of the package, as a wheel should name them."""
    files = (path for path in (ROOT / "src").rglob("*") if path.is_file())
    names = {path.relative_to(ROOT / "src").as_posix() for path in files}
    return {name for name in names if "__pycache__" not in name and ".egg-info" not in name}
