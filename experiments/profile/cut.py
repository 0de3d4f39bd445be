"""Recorded binaries above 8 kB are cut: a profile says that they are damaged, never a table."""

import sqlite3
import tempfile
import zlib
from collections import Counter
from pathlib import Path, PurePosixPath

from filon.profile.read import profile

_WHOLE_BYTES = 8192


def show(data: Path) -> int:
    """Print what is said of cut files; return how many are told as tables."""
    told: Counter[tuple[str, str]] = Counter()
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
                told[found.format, found.problem or "a table"] += 1
                if found.tables:
                    tables += 1
                    print(f"{replica.stem} {path}: {len(body):,} of {size_bytes:,} bytes, a table")
    for (format, problem), times in told.most_common():
        print(f"  {format:12} {problem:12} {times:6,}")
    return tables
