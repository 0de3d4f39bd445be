"""Recorded binaries above 8 kB are cut: a profile says that they are damaged, never a table.

Their middle is zeros, their length is as it was; a few that are but little longer are whole.
"""

import sqlite3
import tempfile
import zlib
from collections import Counter
from pathlib import Path, PurePosixPath

from filon.profile.read import profile

_WHOLE_BYTES = 8192
_HOLE = 1024


def show(data: Path) -> int:
    """Print what is said of cut files; return how many are told as tables."""
    told: Counter[tuple[str, str, str]] = Counter()
    tables = 0
    for replica in sorted((data / "replicas").glob("*.sqlite")):
        with sqlite3.connect(f"{replica.resolve().as_uri()}?mode=ro", uri=True) as ledger:
            rows = ledger.execute(
                "SELECT path, size, enc, data FROM page JOIN body ON id = blob WHERE size > ?"
                " AND mime NOT LIKE 'text/%' AND mime NOT LIKE 'image/%' AND mime NOT LIKE '%json%'"
                " AND mime NOT LIKE '%xml'",
                (_WHOLE_BYTES,),
            )
            for path, size_bytes, coding, packed in rows:
                body = zlib.decompress(packed) if coding == "z" else packed
                with tempfile.TemporaryDirectory() as folder:
                    file = Path(folder) / PurePosixPath(path).name
                    file.write_bytes(body)
                    found = profile(file, file.name)
                whole = "" if bytes(_HOLE) in body else "whole"
                told[found.format, found.problem or "a table", whole] += 1
                if found.tables and bytes(_HOLE) in body:
                    tables += 1
                    print(f"{replica.stem} {path}: {size_bytes:,} bytes, a table")
    for (format, problem, whole), times in told.most_common():
        print(f"  {format:12} {problem:12} {times:6,} {whole}".rstrip())
    return tables
