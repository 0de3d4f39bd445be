"""The files to check profiles by: drawn by hash, so that nobody chooses them by what is in them.

Of the recorded sites CSV and JSON; of public source packages, fetched by name, workbooks, files of
statistics packages, Parquet, and what is packed. None of them is kept in the project.
"""

import hashlib
import html
import re
import sqlite3
import tarfile
import urllib.parse
import urllib.request
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from filon.core import UserError

INDEX = "https://pypi.org/simple/"
#: Source packages whose test data is looked at; later versions of pandas have none.
PACKAGES = (
    *("pandas==0.22.0", "pandas==0.25.3", "statsmodels==0.14.6", "xlrd==1.2.0", "csvkit==2.2.0"),
    *("savReaderWriter==3.4.2", "pyarrow==26.0.1", "agate-excel==0.4.2", "pyexcel==0.7.6"),
    *("pyexcel-ods==0.6.0", "pyexcel-ods3==0.6.1", "pyexcel-xls==0.7.1", "pyexcel-xlsx==0.6.1"),
    *("python-calamine==0.9.0", "odfpy==1.4.1", "tablib==3.9.0", "pyshp==3.1.6", "ezodf==0.3.2"),
)
#: Kinds of files, each drawn from in turn: there are many workbooks and few of Parquet.
_KINDS = {
    "old Excel": (".xls",),
    "new Excel": (".xlsx", ".xlsm", ".xlsb"),
    "ODS": (".ods",),
    "SPSS": (".sav", ".zsav", ".por"),
    "Stata": (".dta",),
    "SAS": (".sas7bdat", ".xpt"),
    "Parquet": (".parquet",),
    "packed": (".zip", ".gz", ".bz2", ".xz"),
}
_MIMES = ("text/csv", "application/json", "application/geo+json", "application/x-ipynb+json")
#: Larger ones are test data of another kind: of speed.
_MOST_BYTES = 20_000_000
#: The draws: a salt, files of recorded sites in all and of each, files of packages. What was wrong
#: in the first was mended; the others came after that.
SALTS = {
    "first": ("one", 60, 10, 60),
    "second": ("two", 20, 4, 20),
    "third": ("three", 12, 3, 12),
}


class Drawn(NamedTuple):
    """A file. source: a site or a package."""

    source: str
    path: str
    body: bytes

    @property
    def key(self) -> str:
        """The first digits of its hash: the answers are kept under them."""
        return hashlib.sha256(self.body).hexdigest()[:12]

    @property
    def name(self) -> str:
        """The last part of its path."""
        return PurePosixPath(self.path).name


def draw(data: Path, packages: Path) -> dict[str, list[Drawn]]:
    """Return the draws; what is in one of them is in no later one."""
    drawn: dict[str, list[Drawn]] = {}
    taken: set[str] = set()
    recorded, packed = list(recorded_files(data)), list(package_files(packages))
    for name, (salt, most, a_site, of_packages) in SALTS.items():
        chosen = _by_source(_shuffled(recorded, salt, taken), a_site, most)
        chosen += _by_kind(_shuffled(packed, salt, taken), of_packages)
        taken |= {one.key for one in chosen}
        drawn[name] = chosen
    return drawn


def recorded_files(data: Path) -> Iterator[Drawn]:
    """Yield the CSV and JSON files of the recorded sites."""
    wanted = ",".join("?" * len(_MIMES))
    for replica in sorted((data / "replicas").glob("*.sqlite")):
        with sqlite3.connect(f"{replica.resolve().as_uri()}?mode=ro", uri=True) as ledger:
            rows = ledger.execute(
                "SELECT path, enc, data FROM page JOIN body ON id = blob"  # noqa: S608
                f" WHERE trim(substr(mime || ';', 1, instr(mime || ';', ';') - 1)) IN ({wanted})",
                _MIMES,
            )
            for path, coding, body in rows:
                yield Drawn(replica.stem, path, zlib.decompress(body) if coding == "z" else body)


def package_files(folder: Path) -> Iterator[Drawn]:
    """Yield the files of the kinds that are looked for, of each package, fetched where needed."""
    suffixes = tuple(suffix for kind in _KINDS.values() for suffix in kind)
    for package in PACKAGES:
        with tarfile.open(fetched(package, folder)) as archive:
            for member in archive:
                name = member.name.lower()
                if member.isfile() and name.endswith(suffixes) and member.size <= _MOST_BYTES:
                    file = archive.extractfile(member)
                    if file and (body := file.read()):
                        yield Drawn(package, member.name, body)


def fetched(package: str, folder: Path) -> Path:
    """Return the source archive of a package, "name==version", from the folder or the index."""
    name, _, version = package.partition("==")
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.compile(rf"{re.sub('[-_.]', '[-_.]', name)}-{re.escape(version)}\.tar\.gz", re.I)
    at_hand = [path for path in folder.iterdir() if stem.fullmatch(path.name)]
    if at_hand:
        return at_hand[0]
    page = f"{INDEX}{name}/"
    with urllib.request.urlopen(page, timeout=60) as answer:  # noqa: S310
        links = re.findall(r'href="([^"]+)"', answer.read().decode())
    for link in map(html.unescape, links):
        url, _, checked = urllib.parse.urljoin(page, link).partition("#")
        if stem.fullmatch(url.rpartition("/")[2]):
            with urllib.request.urlopen(url, timeout=600) as answer:  # noqa: S310
                body = answer.read()
            if checked and hashlib.sha256(body).hexdigest() not in checked:
                raise UserError(f"{url} is not what the index says.")
            path: Path = folder / url.rpartition("/")[2]
            path.write_bytes(body)
            return path
    raise UserError(f"The index has no source archive of {package}.")


def _shuffled(files: list[Drawn], salt: str, taken: set[str]) -> list[Drawn]:
    """Return the different files in an order that depends on nothing but their bytes."""
    different: Mapping[str, Drawn] = {one.key: one for one in reversed(files)}
    left = [one for key, one in different.items() if key not in taken]
    return sorted(left, key=lambda one: hashlib.sha256(f"{salt} {one.key}".encode()).digest())


def _by_source(files: list[Drawn], most_each: int, most: int) -> list[Drawn]:
    chosen: list[Drawn] = []
    for one in files:
        if sum(other.source == one.source for other in chosen) < most_each and len(chosen) < most:
            chosen.append(one)
    return chosen


def _by_kind(files: list[Drawn], most: int) -> list[Drawn]:
    heaps = [[one for one in files if one.name.lower().endswith(s)] for s in _KINDS.values()]
    chosen: list[Drawn] = []
    while len(chosen) < most and any(heaps):
        chosen += [heap.pop(0) for heap in heaps if heap][: most - len(chosen)]
    return chosen
