"""Make sites of manuals that Debian packages hold: webs that `vein` was not made on.

`python -m experiments.manuals replicas` writes replicas/NAME.sqlite for each site of manuals.toml,
which `filon compare` and the experiments read. It needs dpkg-deb and, for packages that are not in
`--packages`, apt-get with a source of packages. Nothing is installed.
"""

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from experiments.rebuild import TYPES, UNKNOWN, compared, make_each, parser_of, write
from filon.compare.static import INDEX_NAMES
from filon.core import MachineError
from filon.page.types import blocked_extension

SITES = Path(__file__).with_name("manuals.toml")
#: What a static host says of a source text: all of it is none of the types that count.
_SOURCES = """
    c cc cpp cxx h hh hpp f f90 for hs java lisp ml m pas pl pm py r rb scm sh tcl tex
"""
SOURCES = dict.fromkeys(_SOURCES.split(), "text/x-source")
#: Folders in each other, at most: symbolic links may go round in circles.
DEEPEST = 12


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the sites that are asked for; return the exit code."""
    parser = parser_of("manuals", __doc__, SITES)
    parser.add_argument("--packages", type=Path, help="folder with packages, and for new ones")
    asked = parser.parse_args(arguments)
    with TemporaryDirectory() as place:
        packages = asked.packages or Path(place)
        return make_each(
            parser.prog, asked, lambda name, site: make(asked.folder, name, site, packages)
        )


def make(folder: Path, name: str, site: dict[str, Any], packages: Path) -> str:
    """Write the replica of a manual; return what a full crawl of it meets, in words."""
    package = fetch(site["package"], packages)
    with TemporaryDirectory(dir=folder) as place:
        _run("dpkg-deb", "-x", str(package.resolve()), place)
        unpacked = Path(place)
        found = files(unpacked / site["folder"], unpacked)
        file = folder / f"{name}.sqlite"
        return compared(write(file, name, {"hosts": [], **site}, found, media_type), site)


def fetch(package: str, packages: Path) -> Path:
    """Return the file of a package, downloaded if it is not there yet."""
    packages.mkdir(parents=True, exist_ok=True)
    if not (known := sorted(packages.glob(f"{package}_*.deb"))):
        _run("apt-get", "download", package, cwd=packages)
        known = sorted(packages.glob(f"{package}_*.deb"))
    if not known:
        raise MachineError(f"apt-get has not downloaded {package}.")
    return known[-1]


def files(folder: Path, top: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files below a folder; what was compressed for the package, by its own name too.

    A folder without a page of its own has a list of what is in it. Multimedia is left out.

    top: where the package was unpacked; symbolic links that lead out of it are left out.
    """
    yield from _files(_real(folder, top), top, ())


def _files(folder: Path, top: Path, names: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    present = {name for name in os.listdir(folder) if not blocked_extension(f"http://site/{name}")}
    shown = []
    for name in sorted(present):
        path, inner = _real(folder / name, top), (*names, name)
        shown.append(f"{name}/" if path.is_dir() else name)
        if path.is_dir() and len(inner) < DEEPEST:
            yield from _files(path, top, inner)
        elif path.is_file():
            data, plain = path.read_bytes(), name.removesuffix(".gz")
            yield "/".join(inner), data
            if plain not in present:
                yield "/".join((*names, plain)), gzip.decompress(data)
    if not present.intersection(INDEX_NAMES):
        yield "/".join((*names, INDEX_NAMES[0])), listing(names, shown)


def listing(names: Sequence[str], inner: Sequence[str]) -> bytes:
    """Return the page by which Apache lists a folder that has none of its own."""
    heads = "".join(
        f'<a href="?C={letter};O={"D" if letter == "N" else "A"}">{column}</a> '
        for letter, column in (("N", "Name"), ("M", "Last modified"), ("S", "Size"))
    )
    up = '<a href="../">Parent Directory</a>\n' if names else ""
    lines = "".join(f'<a href="{quote(name)}">{escape(name)}</a>\n' for name in inner)
    title = f"<title>Index of /{escape('/'.join(names))}</title>"
    return f"<html><head>{title}</head><body><pre>{heads}<hr>{up}{lines}</pre></html>".encode()


def _real(path: Path, top: Path) -> Path:
    """Follow symbolic links as if the package were installed; one that leads out is not there."""
    for _ in range(DEEPEST):
        if not path.is_symlink():
            break
        goal = os.readlink(path)
        path = top / goal.lstrip("/") if goal.startswith("/") else path.parent / goal
    return path if path.resolve().is_relative_to(top.resolve()) else top / "nowhere"


def media_type(path: str) -> str:
    """Return what a static host says that a file is.

    >>> media_type("a.dat"), media_type("demo.cpp")
    ('application/octet-stream', 'text/x-source')
    """
    ending = PurePosixPath(path).suffix.lower().removeprefix(".")
    return TYPES.get(ending) or SOURCES.get(ending, UNKNOWN)


def _run(*command: str, cwd: Path | None = None) -> None:
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, check=False)  # noqa: S603
    except FileNotFoundError as problem:
        raise MachineError(f"This needs {command[0]}, and there is none here.") from problem
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
        raise MachineError(f"{' '.join(command)} failed ({why[-1]}).")


if __name__ == "__main__":
    sys.exit(main())
