"""Many small sites in one process, beside a process for each: CPU and memory a site.

python -m experiments.many_sites [SITES] [--alone N]

The sites are generated, each with a name of its own, and served on loopback. One process harvests
all of them (`filon harvest --sites`); `xargs -P 2 filon harvest` harvests the first N, one a
process. What is told is for each site.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

_HEAD = "HTTP/1.1 {} X\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n"


def page(site: int, path: str) -> tuple[int, str, str]:
    """Return status, type and body: a home page, 5 to 14 pages, up to 8 files on every other."""
    chance = Random(site)
    pages, files = 5 + chance.randrange(10), chance.choice([0, 1, 2, 8])
    kind, _, rest = path[1:].partition("-")
    if path == "/":
        links = "".join(f'<a href="/page-{n}.html">page {n}</a> ' for n in range(pages))
        return 200, "text/html", f"<html><title>Site {site}</title><body>{links}</body></html>"
    if kind == "page" and int(rest.removesuffix(".html")) < pages:
        number = int(rest.removesuffix(".html"))
        here = range(files if number % 2 else 0)
        links = "".join(f'<a href="/file-{number}-{n}.csv">table {n}</a> ' for n in here)
        return 200, "text/html", f'<html><body><a href="/">home</a> {links}</body></html>'
    if kind == "file":
        return 200, "text/csv", f"site,file\n{site},{rest}\n" * 5
    return 404, "text/plain", "nothing here"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            host = next(line for line in head if line.lower().startswith("host:"))
            site = int(host.partition(":")[2].strip().removeprefix("s").partition(".")[0])
            status, mime, body = page(site, head[0].split()[1])
            writer.write((_HEAD.format(status, mime, len(body)) + body).encode())
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


def _serve(line: Any) -> None:
    async def serve() -> None:
        server = await asyncio.start_server(_answer, "127.0.0.1", 0, backlog=1024)
        line.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


def measured(command: list[str], folder: Path, given: str = "") -> tuple[float, float]:
    """Run a command to its end; return its seconds of CPU, and the MiB of its largest process."""
    process = subprocess.Popen(  # noqa: S603, our own command
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    if process.stdin:
        process.stdin.write(given)
        process.stdin.close()
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{' '.join(command)} failed")
    unit = 1 if sys.platform == "darwin" else 1024
    return used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 2**20


def main() -> None:
    """Measure, and print a table and one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m experiments.many_sites")
    parser.add_argument("sites", nargs="?", type=int, default=100)
    parser.add_argument("--alone", type=int, default=20, help="sites with a process of their own")
    asked = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.Process(target=_serve, args=(theirs,), daemon=True)
    server.start()
    flags = ["--connect-to", f"::127.0.0.1:{ours.recv()}", "--delay", "0", "--quiet"]
    urls = [f"http://s{number}.test/" for number in range(asked.sites)]
    filon = [sys.executable, "-m", "filon", "harvest"]
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sites.txt").write_text("\n".join(urls))
        together = measured([*filon, "--sites", "sites.txt", "--out", "all", *flags], folder)
        alone = measured(
            ["xargs", "-P", "2", "-n", "1", *filon, *flags], folder, "\n".join(urls[: asked.alone])
        )
        found = len(list((folder / "all").glob("sites/*/files/*/*")))
    server.kill()
    told = {
        "sites": asked.sites,
        "files": found,
        "together": {"cpu_s": together[0] / asked.sites, "mib": together[1] / asked.sites},
        "alone": {"cpu_s": alone[0] / asked.alone, "mib": alone[1]},
    }
    print(f"{'':10} {'CPU a site, s':>14} {'memory a site, MiB':>20}")
    for how in ("together", "alone"):
        print(f"{how:10} {told[how]['cpu_s']:14.3f} {told[how]['mib']:20.2f}")
    print(json.dumps(told))


if __name__ == "__main__":
    main()
