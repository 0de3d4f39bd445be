"""Small files a second on one core: CPU seconds of the process that reads them."""

import cProfile
import os
import pstats
import sqlite3
import tempfile
import time
import zlib
from pathlib import Path

from filon.core import Find, Request, Response, Step
from filon.profile.read import profile
from filon.profile.store import Profiles
from filon.run.folder import RunFolder

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
        print(f"{len(paths):,} files of {size_bytes:,.0f} bytes, files a CPU second; bar: 200")
        print(f"  read and told                       {best:6,.0f}")
        print(f"  `filon profile RUN`, all processes  {_whole(paths, Path(folder)):6,.0f}")
        with cProfile.Profile() as watched:
            for path in paths:
                profile(path, path.name)
        pstats.Stats(watched).sort_stats("tottime").print_stats(12)
    return 0


def _whole(paths: list[Path], folder: Path) -> float:
    """Return the files a CPU second of a run's profiles, with their process and their database."""
    with RunFolder.create(folder / "run", {}) as run:
        for number, path in enumerate(paths):
            url, body = f"http://a.test/{number}/{path.name}", path.read_bytes()
            step = Step(request=Request(url=url))
            answer = Response(url=url, status=200, body=body, size_bytes=len(body))
            found = Find(kind="file", url=url, name=path.name, mime="")
            run.record(run.begin(step), step, answer, [found], idle=False)
    begun = _cpu_s()
    with Profiles(folder / "run") as profiles:
        made = profiles.make()
    return made / (_cpu_s() - begun)


def _cpu_s() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


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
