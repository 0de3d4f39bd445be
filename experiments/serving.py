"""What the pages of `filon serve` cost: 50 runs, 100,000 files, a table of a million rows.

python -m experiments.serving [FILES] [ROWS]

The runs and the catalog are invented and written by Filon's own code; the table is laid where a
page would have had it read to. Milliseconds are CPU time of the server's process, client included,
and the longest that a page was waited for, which says little where the machine has other work to
do. Megabytes are the most that the process had until then, libraries that both share included, and
what it and the process that answers SQL had together after the page.
"""

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import numpy as np
import pyarrow as pa
from aiohttp.test_utils import TestClient, TestServer
from pyarrow import parquet

from experiments.catalog_scale import words
from filon.catalog.cache import FOLDER
from filon.catalog.intake import _stamp, made_by
from filon.catalog.sandbox import Sandbox, let_go
from filon.catalog.store import CatalogStore
from filon.core import Find, Request, Response, Step
from filon.core.background import in_thread
from filon.profile.columns import column
from filon.profile.parquet import ROWS_AT_ONCE, Written
from filon.profile.shape import Profile, Table
from filon.profile.store import VERSION
from filon.run.folder import RunFolder
from filon.serve.access import ACCESS, Access
from filon.serve.app import make_app
from filon.serve.home import Home
from filon.serve.look.area import CATALOG, SANDBOX

RUNS = 50
#: Steps that a ledger of a run has in full; the catalog has more files of it than that.
STEPS = 200
TIMES = 5
VISITORS = 6
#: The number of a small file whose page is visited.
SMALL = 7
#: Its answer is as long as one may be, and takes as much memory as a question gets.
LARGEST = "SQL, a million in order"


def write_run(folder: Path, name: str, rng: random.Random) -> None:
    """Write a run of some steps."""
    with RunFolder.create(
        folder / name, {"verb": "harvest", "start": f"http://{name}.test/"}
    ) as run:
        for number in range(STEPS):
            url = f"http://{name}.test/{number}.csv"
            step = Step(request=Request(url=url))
            body = f"a,b\n{number},{rng.random()}\n".encode()
            find = Find(kind="file", url=url, name=f"{number}.csv", mime="text/csv")
            answer = Response(url=url, status=200, body=body, size_bytes=len(body))
            run.record(run.begin(step), step, answer, [find] if number % 2 else [], idle=False)


def fill(store: CatalogStore, names: Sequence[str], files: int, rng: random.Random) -> str:
    """Put files into the catalog, as runs would; return a question for some of them."""
    vocabulary = words(rng, 20_000)
    weights = [1 / (rank + 1) for rank in range(len(vocabulary))]
    drawn = iter(rng.choices(vocabulary, weights, k=files * 12))
    pairs = zip(words(rng, 500), words(rng, 500), strict=True)
    columns = [column(f"{a} {b}", [a, b, "x", "y"]) for a, b in pairs]
    with store.transaction():
        for number in range(files):
            titles = [next(drawn) for _ in range(12)]
            table = Table(rows=10, header_row=1, columns=tuple(rng.sample(columns, 5)))
            hashed = sha256(str(number).encode()).hexdigest()
            kind = rng.choice(["csv", "csv", "xlsx", "json", "pdf"])
            profile = Profile(sha256=hashed, size_bytes=100, format=kind, tables=(table,))
            run = names[number % len(names)]
            store.add(run, _find(run, number, titles), profile)
    return " ".join(titles[2:4])


def _find(run: str, number: int, titles: Sequence[str]) -> dict[str, Any]:
    return {
        "url": f"http://{run}.test/{titles[0]}/{number}.csv",
        "name": f"{titles[1]}-{number}.csv",
        "parent": f"http://{run}.test/",
        "at_s": 1.7e9 + number,
        "link_text": " ".join(titles[2:6]),
        "around": "",
        "page_title": " ".join(titles[6:10]),
        "headings": " ".join(titles[10:]),
        "licence": "CC BY 4.0" if number % 3 else "",
        "modified": "",
    }


def add_table(store: CatalogStore, run: str, rows: int) -> str:
    """Put a long table with coordinates into the catalog, read already; return its id."""
    rng = np.random.default_rng(1)
    when = np.datetime64("2000-01-01") + rng.integers(0, 8000, rows)
    cells = {
        "station": [f"S{n}" for n in rng.integers(0, 5000, rows)],
        "lat": rng.normal(48, 3, rows),
        "lon": rng.normal(8, 6, rows),
        "day": when.astype("datetime64[D]"),
        "rain": rng.exponential(5, rows),
        "kind": rng.choice(["rain", "snow", "hail"], rows),
        "quality": rng.integers(0, 5, rows),
        "wind": rng.gamma(2, 3, rows),
    }
    table = pa.table(cells)
    id = sha256(b"long").hexdigest()
    goal = store.folder / FOLDER / id[:2] / id
    goal.mkdir(parents=True)
    parquet.write_table(table, goal / "1.parquet", compression="zstd", row_group_size=ROWS_AT_ONCE)
    written = Written(name="", rows=rows, total=rows)
    about = {"version": VERSION, "tables": [asdict(written)]}
    (goal / "tables.json").write_text(json.dumps(about))
    some = table.slice(0, 20_000)
    told = [column(name, [str(cell) for cell in some[name].to_pylist()]) for name in cells]
    profile = Profile(
        sha256=id,
        size_bytes=100_000_000,
        format="csv",
        tables=(Table(rows=rows, columns=tuple(told), box=(-20.0, 30.0, 40.0, 65.0)),),
    )
    lay(store.folder / run, id)
    with store.transaction():
        store.add(run, _find(run, 1, ["rain"] * 12), profile)
    return id


def lay(run: Path, id: str) -> None:
    """Put the bytes of a file into a run."""
    stored = run / "files" / id[:2] / id
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_bytes(b"a,b\n1,2\n")


def build(folder: Path, files: int, rows: int) -> tuple[str, str]:
    """Write a folder of runs with its catalog; return a question, and the id of a long table."""
    rng = random.Random(1)
    names = [f"run-{number:03}" for number in range(RUNS)]
    for name in names:
        write_run(folder, name, rng)
    with CatalogStore(folder) as store:
        question = fill(store, names, files, rng)
        long = add_table(store, names[0], rows)
        lay(folder / names[SMALL % RUNS], sha256(str(SMALL).encode()).hexdigest())
        with store.transaction():
            for name in names:
                stamp = _stamp(folder / name)
                taken = (name, stamp, made_by(), STEPS // 2)
                store.db.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)", taken)
                store.write_words(name)
    return question, long


def pages(question: str, long: str) -> dict[str, str]:
    """Return what is visited, by name."""
    other = sha256(str(SMALL).encode()).hexdigest()[:12]
    file, asked = f"/catalog/files/{long[:12]}", quote(question)
    query = quote(f"SELECT kind, count(*), avg(rain) FROM f_{long[:12]} GROUP BY 1")  # noqa: S608
    of_catalog = quote("SELECT format, count(*) FROM files GROUP BY 1")
    in_order = quote(f"SELECT * FROM f_{long[:12]} ORDER BY rain")  # noqa: S608
    return {
        "first page": "/",
        "runs": "/runs",
        "a run": "/runs/run-007",
        "catalog, all": "/catalog",
        "catalog, the last page": "/catalog?sort=title&skip=99980",
        "search": f"/catalog?q={asked}",
        "search, by size, of a site": f"/catalog?q={asked}&sort=size&site=run-007.test",
        "files of a run": "/catalog?run=run-007",
        "a small file": f"/catalog/files/{other}",
        "the long table": file,
        "rows in the middle": f"{file}/rows?first=500000&rows=100",
        "a page of rows": f"{file}?first=500000",
        "a row": f"{file}/rows/700000",
        "charts, the first": f"{file}/charts",
        "charts, more": f"{file}/charts?from=4",
        "map": f"{file}/map",
        "way": f"{file}/way",
        "similar": f"/catalog/files/{other}/similar",
        "SQL, the box": "/catalog/sql",
        "SQL, a million rows": f"/catalog/sql?q={query}",
        "SQL, all files": f"/catalog/sql?q={of_catalog}",
        LARGEST: f"/catalog/sql?q={in_order}",
    }


async def visit(folder: Path, question: str, long: str) -> None:
    """Print what each page costs."""
    app = make_app(Home(folder), Access())
    async with TestServer(app) as server:
        app[ACCESS].port = server.port or 0
        client: TestClient[Any, Any] = TestClient(server)
        async with client:
            await client.get(f"/?token={app[ACCESS].token}")
            await client.get("/catalog")
            app[CATALOG].wait()
            await client.get("/catalog/sql")  # its process begins when the box is shown
            await in_thread(app[SANDBOX].wait)
            heads = ("first ms", "then ms", "waited ms", "kB", "server MB", "SQL MB", "both MB")
            print(f"{'page':28}" + "".join(f"{head:>10}" for head in heads))
            for name, path in pages(question, long).items():
                cost, said = await _cost(client, path)
                sql = app[SANDBOX].pid
                at_most = memory_mb("VmHWM", os.getpid()), memory_mb("VmHWM", sql)
                both = memory_mb("VmRSS", os.getpid()) + memory_mb("VmRSS", sql)
                figures = (*cost, *at_most, both)
                print(f"{name:28}" + "".join(f"{figure:10.0f}" for figure in figures) + said)
            several = [path for name, path in pages(question, long).items() if name != LARGEST]
            both = await _together(client, several, app[SANDBOX])
            own = memory_mb("VmHWM", os.getpid())
            print(f"{VISITORS} visitors at once: server {own:.0f} MB, both {both:.0f} MB")


async def _together(client: TestClient[Any, Any], paths: Sequence[str], sandbox: Sandbox) -> float:
    """Have each visitor ask for all pages; return the most that both processes had together."""

    async def visitor() -> None:
        for path in random.sample(paths, len(paths)):
            async with client.get(path) as answer:
                await answer.read()

    most, asking = 0.0, asyncio.gather(*(visitor() for _ in range(VISITORS)))
    while not asking.done():
        both = memory_mb("VmRSS", os.getpid()) + memory_mb("VmRSS", sandbox.pid)
        most = max(most, both)
        await asyncio.wait([asking], timeout=0.1)
    return most


async def _cost(client: TestClient[Any, Any], path: str) -> tuple[tuple[float, ...], str]:
    """Return what a page costs: milliseconds and kilobytes; and its status, where it is no page."""
    cpu, wall, size, status = [], [], 0, 0
    await _settled()
    for _ in range(1 + TIMES):
        began_s, clock_s = time.process_time(), time.monotonic()
        async with client.get(path) as answer:
            size, status = len(await answer.read()), answer.status
        cpu.append(1000 * (time.process_time() - began_s))
        wall.append(1000 * (time.monotonic() - clock_s))
    said = "" if status == 200 else f"  status {status}"
    return (cpu[0], sum(cpu[1:]) / TIMES, max(wall), size / 1000), said


async def _settled() -> None:
    """Wait until nothing is done beside the pages any more: it would count for the next."""
    busy_s = 1.0
    while busy_s > 0.01:
        began_s = time.process_time()
        await asyncio.sleep(0.5)
        busy_s = time.process_time() - began_s


def memory_mb(what: str, process: int) -> float:
    """Return what a process has of the memory, or had at most: VmRSS, VmHWM of Linux; 0 where
    none runs."""
    if not process:
        return 0.0
    told = Path(f"/proc/{process}/status").read_text()
    line = next(line for line in told.splitlines() if line.startswith(f"{what}:"))
    return int(line.split()[1]) * 1024 / 1e6


def serve(folder: Path, question: str, long: str) -> None:
    """Visit the pages."""
    asyncio.run(visit(folder, question, long))


def main(files: int, rows: int) -> None:
    """Build a folder and visit its pages, in a process that has built nothing."""
    with TemporaryDirectory() as folder:
        began_s = time.process_time()
        question, long = build(Path(folder), files, rows)
        print(f"{RUNS} runs, {files:,} files, {rows:,} rows: {time.process_time() - began_s:.0f} s")
        sys.stdout.flush()
        let_go()  # as the command does; the process has it from this one
        process = get_context("spawn").Process(target=serve, args=(Path(folder), question, long))
        process.start()
        process.join()


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    main(*(*given, *(100_000, 1_000_000)[len(given) :]))
