"""Small files a second on one core: CPU seconds of the process that reads them."""

import cProfile
import pstats
import sqlite3
import tempfile
import time
import zlib
from pathlib import Path

from filon.profile.read import profile

_SMALL_BYTES = 16_000
_MIMES = ("text/csv", "application/json", "application/xml", "application/geo+json")


def show(data: Path, most: int = 2000) -> int:
    """Print how many small files a second are profiled, and what takes the time."""
    with tempfile.TemporaryDirectory() as folder:
        paths = _files(data, Path(folder), most)
        for path in paths[:20]:  # what is loaded once
            profile(path, path.name)
        best = 0.0
        for _ in range(3):
            begun = time.process_time()
            for path in paths:
                profile(path, path.name)
            best = max(best, len(paths) / (time.process_time() - begun))
        size_bytes = sum(path.stat().st_size for path in paths) / len(paths)
        print(
            f"{len(paths):,} files of {size_bytes:,.0f} bytes: {best:,.0f} a CPU second; bar: 200"
        )
        with cProfile.Profile() as watched:
            for path in paths:
                profile(path, path.name)
        pstats.Stats(watched).sort_stats("tottime").print_stats(12)
    return 0


def _files(data: Path, folder: Path, most: int) -> list[Path]:
    paths: list[Path] = []
    replicas = sorted((data / "replicas").glob("*.sqlite"))
    wanted = ",".join("?" * len(_MIMES))
    for replica in replicas:
        with sqlite3.connect(f"{replica.resolve().as_uri()}?mode=ro", uri=True) as ledger:
            rows = ledger.execute(
                f"SELECT path, enc, data FROM page JOIN body ON id = blob WHERE mime IN ({wanted})"  # noqa: S608
                " AND size BETWEEN 1 AND ? ORDER BY length(path), path",
                (*_MIMES, _SMALL_BYTES),
            )
            for number, (path, coding, body) in enumerate(rows):
                if number >= most // 4:
                    break
                paths.append(folder / f"{replica.stem}-{number}-{path.rpartition('/')[2][-60:]}")
                paths[-1].write_bytes(zlib.decompress(body) if coding == "z" else body)
    return paths[:most]
