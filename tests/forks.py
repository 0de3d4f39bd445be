"""Starts Python where Filon is loaded already: a process of its own that costs a fork, no import.

A server imports Filon once and forks for each order, so what it starts has its own memory,
folder, environment, streams and signals, and dies as any process does. What must begin with an
empty interpreter (a hash seed, limits, a terminal) is started with `subprocess`. The processes
in which a command reads files come from the same server: see `Workers`.
"""

import atexit
import contextlib
import gc
import io
import json
import multiprocessing
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any, NoReturn

from filon.profile.process import Jobs, Process
from filon.profile.worker import MEMORY_BYTES

#: The longest message with an order's descriptors; the order itself comes through one of them.
ONE_BYTE = 1
#: What every command, or every run, imports when it comes to it, as far as it is there.
LATE = (
    "typer._adapters", "uvloop", "concurrent.futures.thread", "encodings.cp437", "duckdb",
    "pandas", "pyarrow.compute", "pyarrow.parquet", "python_calamine", "pypdfium2",
    "multiprocessing.spawn",
)  # fmt: skip
#: Rooms for other programs, which no fork is ordered for: what they import would be in each.
APART = ("filon.contrib", "filon.mcp")
#: What a worker is: the one end of its line is its standard input.
_WORKER = """
import importlib, os, sys
from multiprocessing.connection import Connection
from filon.profile.process import _serve
module, jobs, memory_bytes, folder = sys.argv[1:]
jobs = getattr(importlib.import_module(module), jobs)
_serve(Connection(os.dup(0)), jobs, int(memory_bytes), folder)
"""


class Forked:
    """A process, as far as tests ask for one: what `subprocess.Popen` has of the same names."""

    def __init__(self, link: socket.socket, stdin: int | None, *said: int) -> None:
        """said: where to read its output and its errors; nothing: a log takes both."""
        self._link = link.makefile("r", encoding="ascii")
        self.stdin = None if stdin is None else os.fdopen(stdin, "w", encoding="utf-8")
        streams = [os.fdopen(each, encoding="utf-8") for each in said]
        self.stdout: IO[str] | None = streams[0] if streams else None
        self.stderr: IO[str] | None = streams[1] if streams else None
        self.pid = int(self._link.readline())
        self._code: int | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self) -> None:
        with self._link:
            self._code = int(self._link.readline() or -signal.SIGABRT)
        self._ended.set()

    @property
    def returncode(self) -> int | None:
        """The exit code, once the process has ended; less than zero: a signal ended it."""
        return self._code

    def poll(self) -> int | None:
        """Return the exit code, if the process has ended."""
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit code."""
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        assert self._code is not None
        return self._code

    def send_signal(self, signum: int) -> None:
        """Send a signal, if there still is somebody to send it to."""
        if self._code is None:
            os.kill(self.pid, signum)

    def kill(self) -> None:
        """End it without asking."""
        self.send_signal(signal.SIGKILL)

    def communicate(
        self, input: str | None = None, timeout: float | None = None
    ) -> tuple[str, str]:
        """Say `input`, read all that the process says, and wait for its end."""
        told = ["", ""]

        def read(number: int, stream: IO[str]) -> None:
            with stream:
                told[number] = stream.read()

        streams = [stream for stream in (self.stdout, self.stderr) if stream]
        threads = [
            threading.Thread(target=read, args=each, daemon=True) for each in enumerate(streams)
        ]
        for thread in threads:
            thread.start()
        if self.stdin:
            with contextlib.suppress(BrokenPipeError), self.stdin:
                self.stdin.write(input or "")
        self.wait(timeout)
        for thread in threads:
            thread.join(timeout)
        return told[0], told[1]


class Server:
    """The process that has Filon loaded. It ends with the one that asked for it."""

    def __init__(self, control: socket.socket | None = None) -> None:
        """control: a line to one that is there already."""
        self._process: subprocess.Popen[bytes] | None = None
        if control:
            self._control = control
            return
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())], pass_fds=[theirs.fileno()]
            )
        atexit.register(self.close)

    def start(
        self,
        arguments: Sequence[str],
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        typing: bool = False,
        log: IO[bytes] | None = None,
    ) -> Forked:
        """Start `python` with arguments: -m MODULE, -c CODE or a file, and what they take.

        log: takes what it says, which cannot be read here then.
        """
        ask, say = os.pipe() if typing else (os.open(os.devnull, os.O_RDONLY), None)
        if log:
            streams = [ask, os.dup(log.fileno()), os.dup(log.fileno())]
            with self.order(arguments, streams, folder, environment) as link:
                return Forked(link, say)
        (out, out_end), (err, err_end) = os.pipe(), os.pipe()
        with self.order(arguments, [ask, out_end, err_end], folder, environment) as link:
            return Forked(link, say, out, err)

    def order(
        self,
        arguments: Sequence[str],
        streams: Sequence[int],
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> socket.socket:
        """Have a process started; return the line on which its number and its end are told.

        streams: its input, output and errors, which are closed here.
        """
        order = {
            "arguments": list(arguments),
            "folder": str(folder or Path.cwd()),
            "environment": dict(os.environ if environment is None else environment),
        }
        ours, theirs = socket.socketpair()
        lent = [theirs.detach(), *streams]
        socket.send_fds(self._control, [bytes(ONE_BYTE)], [*lent, self._control.fileno()])
        for descriptor in lent:
            os.close(descriptor)
        ours.sendall(json.dumps(order).encode() + b"\n")
        return ours

    def close(self) -> None:
        """End the server."""
        self._control.close()
        if self._process:
            self._process.wait()


class Workers:
    """Makes the processes that read files by forks: a context, as far as one is asked for.

    What has a lower bound of memory than usual is made as always: a fork has much in it already.
    """

    Pipe = staticmethod(multiprocessing.Pipe)

    def __init__(self, server: Callable[[], Server]) -> None:
        self._server = server

    def Process(self, *, target: Any, args: tuple[Any, ...], daemon: bool) -> Any:  # noqa: N802
        """Return a process that is not started yet."""
        line, jobs, memory_bytes, folder = args
        if memory_bytes < MEMORY_BYTES:
            context = multiprocessing.get_context("spawn")
            return context.Process(target=target, args=args, daemon=daemon)
        return WorkerProcess(self._server, line, jobs, [str(memory_bytes), folder])


class WorkerProcess:
    """A process that reads files, as far as one is asked for."""

    def __init__(
        self, server: Callable[[], Server], line: Connection, jobs: Jobs, bounds: Sequence[str]
    ) -> None:
        self._server, self._line = server, line
        self._arguments = ["-c", _WORKER, jobs.__module__, jobs.__qualname__, *bounds]
        self.pid = 0

    def start(self) -> None:
        """Start it."""
        streams = [os.dup(self._line.fileno()), *(os.open(os.devnull, os.O_WRONLY) for _ in "oe")]
        self._link = self._server().order(self._arguments, streams).detach()
        self.pid = int(self._told())

    def kill(self) -> None:
        """End it without asking."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def join(self) -> None:
        """Wait for its end."""
        self._told()
        os.close(self._link)

    def _told(self) -> bytes:
        """Return the next line about it."""
        told = b""
        while (byte := os.read(self._link, ONE_BYTE)) not in (b"", b"\n"):
            told += byte
        return told


def serve(control: socket.socket) -> None:
    """Fork for each order, and say how each ended, until nobody is left to give or hear one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when its control is closed
    gc.collect()
    gc.freeze()
    with selectors.DefaultSelector() as waiting:
        waiting.register(control, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select():
                if key.fileobj is not control:
                    waiting.unregister(key.fileobj)
                    _tell_end(key.fd, *key.data)
                    continue
                message, lent, _, _ = socket.recv_fds(control, ONE_BYTE, 5)
                if not message:
                    waiting.unregister(control)
                    continue
                link = socket.socket(fileno=lent[0])
                if pid := _begin(link, lent[1:], control):
                    waiting.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, link))
                else:
                    link.close()


def _begin(link: socket.socket, lent: list[int], control: socket.socket) -> int:
    """Start what is ordered and say its number; 0: who ordered it is gone."""
    with link.makefile("r", encoding="utf-8") as lines:
        line = lines.readline()
    *streams, line_to_here = lent
    pid = 0
    if line:
        if not (pid := _fork()):
            link.close()
            control.close()
            os.set_inheritable(line_to_here, False)
            server = Server(socket.socket(fileno=line_to_here))
            Process.context = Workers(lambda: server)
            _become(json.loads(line), streams)
        with contextlib.suppress(BrokenPipeError):
            link.sendall(f"{pid}\n".encode())
    for descriptor in lent:
        os.close(descriptor)
    return pid


def _tell_end(pidfd: int, pid: int, link: socket.socket) -> None:
    """Say how a process ended."""
    os.close(pidfd)
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(BrokenPipeError), link:
        link.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _fork() -> int:
    """Fork, though Arrow has a thread: it is that of an allocator which is made for forks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _become(order: Mapping[str, Any], streams: Sequence[int]) -> NoReturn:
    """Be the process that was ordered."""
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever ran the tests by nohup
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.stdin = _text(0, "r")
    sys.stdout = _text(1, "w")
    sys.stderr = _text(2, "w", errors="backslashreplace", line_buffering=True)
    code = 1
    try:
        code = _run(order["arguments"])
    except BaseException:
        traceback.print_exc()
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
    os._exit(code)


def _text(descriptor: int, mode: str, **how: Any) -> io.TextIOWrapper:
    return io.TextIOWrapper(open(descriptor, mode + "b", closefd=False), "utf-8", **how)


def _run(arguments: Sequence[str]) -> int:
    """Do what `python` does with arguments, and return the exit code."""
    kind, *rest = arguments
    try:
        if kind == "-m":
            sys.path.insert(0, os.getcwd())
            sys.argv = ["filon", *rest[1:]]
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        elif kind == "-c":
            sys.path.insert(0, "")
            sys.argv = ["-c", *rest[1:]]
            exec(rest[0], {"__name__": "__main__"})
        else:
            sys.path.insert(0, str(Path(kind).parent))
            sys.argv = list(arguments)
            runpy.run_path(kind, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _load() -> None:
    """Import what commands have of Filon, what they import late, and tables that are read once."""
    import importlib
    import pkgutil

    import filon

    rooms = [room for _, room, _ in pkgutil.iter_modules(filon.__path__, "filon.")]
    for room in (room for room in rooms if room not in APART and not room.endswith("__main__")):
        path = getattr(importlib.import_module(room), "__path__", ())
        for module in pkgutil.walk_packages(path, f"{room}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    for name in LATE:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    from filon.portals.signals import known_signals
    from filon.verbs.discover.strategies.page import shipped

    known_signals()
    shipped()


if __name__ == "__main__":
    _load()
    serve(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)  # libraries that were frozen for forks would complain of what is left
