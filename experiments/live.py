"""A live harvest beside the crawls of Scrapy and Crawlee of the same site, on loopback."""

import compileall
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import filon
from filon.core import MachineError, UserError

_FILON = "from filon.cli import main; main()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """What one crawl cost, by the operating system's count and the server's log."""

    requests: int
    pages: int
    cpu_s: float

    @property
    def page_ms(self) -> float:
        """CPU milliseconds a page."""
        return 1000 * self.cpu_s / max(1, self.pages)


class Server:
    """The recorded sites, served on loopback."""

    def __init__(self, port: int, log: Path) -> None:
        self.port = port
        self._log = log
        self._read_bytes = 0

    def asked(self) -> list[dict[str, object]]:
        """Return what was asked for since the last time, one entry a request."""
        with self._log.open("rb") as stream:
            stream.seek(self._read_bytes)
            lines = stream.readlines()
        self._read_bytes += sum(map(len, lines))
        return [json.loads(line) for line in lines]


@contextmanager
def serving(
    data: Path, site: str, faults: Mapping[str, float | bool] | None = None
) -> Iterator[Server]:
    """Serve a recorded site under its name in a process of its own, with imperfections."""
    with TemporaryDirectory() as folder:
        config, log = Path(folder) / "config.json", Path(folder) / "requests.jsonl"
        config.write_text(json.dumps({site: dict(faults or {})}))
        what = ["--port", "0", "--log", str(log), "--config", str(config), site]
        with _started([str(data / "serve.py"), *what], data, site, log) as server:
            yield server


@contextmanager
def serving_alone(data: Path, site: str) -> Iterator[Server]:
    """Serve a recorded site at an address of its own, for crawlers that know no --connect-to."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "requests.jsonl"
        program = ["-m", "experiments.alone", str(data), site, str(log)]
        with _started(program, data, site, log) as server:
            yield server


@contextmanager
def _started(program: Sequence[str], data: Path, site: str, log: Path) -> Iterator[Server]:
    if not (data / "serve.py").is_file():
        raise UserError(f"There are no recorded sites to serve in {data}.")
    process = subprocess.Popen([sys.executable, *program], stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            raise UserError(f"There is no recorded site {site} in {data}.")
        yield Server(json.loads(line)["port"], log)
    finally:
        process.terminate()
        process.communicate()


def filon_crawl(server: Server, url: str, parallel: int, strategy: str = "bfs") -> Crawl:
    """Harvest with ledger, archive and robots.txt, by the command line."""
    # As pip does it: a checkout where Python may write no byte code is compiled in each crawl.
    compileall.compile_dir(Path(filon.__file__).parent, quiet=1)
    with TemporaryDirectory() as folder:
        what = ["--strategy", strategy, "--types", "paper", "--stop", "never"]
        command = filon_command(server, url, Path(folder) / "run", parallel, what)
        return _measured(command, server)


def filon_command(
    server: Server, url: str, out: Path, parallel: int, more: Sequence[str]
) -> list[str]:
    """Return the command line of a live harvest without delay."""
    where = ["--out", str(out), "--connect-to", f"::127.0.0.1:{server.port}"]
    pace = ["--delay", "0", "--parallel", str(parallel), "--json"]
    return [sys.executable, "-c", _FILON, "harvest", url, *where, *pace, *more]


def rival_crawl(name: str, server: Server, url: str, parallel: int) -> Crawl:
    """Crawl breadth first with another program: "scrapy" or "crawlee"."""
    if importlib.util.find_spec(name) is None:
        raise UserError(f"The comparison needs {name}: pip install 'filon[bench]'.")
    rival = Path(__file__).with_name(f"rival_{name}.py")
    return _measured([sys.executable, "-P", str(rival), url, str(parallel)], server)


def _measured(command: list[str], server: Server) -> Crawl:
    """Run a program; count its CPU time, and what it asked for."""
    with TemporaryDirectory() as folder:
        said = Path(folder) / "said"
        with said.open("w") as stream:
            process = subprocess.Popen(command, stdout=stream, stderr=stream)  # noqa: S603
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise MachineError(f"A crawl ended with code {process.returncode}: {_last(said)}")
    asked = server.asked()
    return Crawl(
        requests=len(asked),
        pages=sum(entry["class"] == "html" for entry in asked),
        cpu_s=used.ru_utime + used.ru_stime,
    )


def _last(said: Path) -> str:
    lines = said.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing."
