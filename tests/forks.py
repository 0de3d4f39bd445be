"""Starts Python where Filon is loaded already: a process of its own that costs a fork, no import.

A server imports Filon once and forks for each order, so what it starts has its own memory,
folder, environment, streams and signals, and dies as any process does. What must begin with an
empty interpreter (a hash seed, limits, a terminal) is started with `subprocess`.
"""

import atexit
import contextlib
import gc
import io
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

#: The longest message with an order's descriptors; the order itself comes through one of them.
ONE_BYTE = 1
#: What every command, or every run, imports when it comes to it, as far as it is there.
LATE = ("typer._adapters", "uvloop", "concurrent.futures.thread", "encodings.cp437")


class Forked:
    """A process, as far as tests ask for one: what `subprocess.Popen` has of the same names."""

    def __init__(self, link: socket.socket, stdin: int | None, stdout: int, stderr: int) -> None:
        self._link = link.makefile("r", encoding="ascii")
        self.stdin = None if stdin is None else os.fdopen(stdin, "w", encoding="utf-8")
        self.stdout = os.fdopen(stdout, encoding="utf-8")
        self.stderr = os.fdopen(stderr, encoding="utf-8")
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
        streams = [self.stdout, self.stderr]

        def read(number: int) -> None:
            with streams[number] as stream:
                told[number] = stream.read()

        threads = [threading.Thread(target=read, args=(n,), daemon=True) for n in (0, 1)]
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

    def __init__(self) -> None:
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
    ) -> Forked:
        """Start `python` with arguments: -m MODULE, -c CODE or a file, and what they take."""
        order = {
            "arguments": list(arguments),
            "folder": str(folder or Path.cwd()),
            "environment": dict(os.environ if environment is None else environment),
        }
        ours, theirs = socket.socketpair()
        ask, say = os.pipe() if typing else (os.open(os.devnull, os.O_RDONLY), None)
        (out, out_end), (err, err_end) = os.pipe(), os.pipe()
        lent = [theirs.detach(), ask, out_end, err_end]
        socket.send_fds(self._control, [bytes(ONE_BYTE)], lent)
        for descriptor in lent:
            os.close(descriptor)
        with ours:
            ours.sendall(json.dumps(order).encode() + b"\n")
            return Forked(ours, say, out, err)

    def close(self) -> None:
        """End the server."""
        self._control.close()
        self._process.wait()


def serve(control: socket.socket) -> None:
    """Fork for each order, until nobody is left to give one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when its control is closed
    gc.collect()
    gc.freeze()
    while True:
        message, lent, _, _ = socket.recv_fds(control, ONE_BYTE, 4)
        if not message:
            break
        if not os.fork():
            control.close()
            _attend(socket.socket(fileno=lent[0]), lent[1:])
        for descriptor in lent:
            os.close(descriptor)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def _attend(link: socket.socket, streams: Sequence[int]) -> NoReturn:
    """Start what is ordered, say its number, wait for it, and say how it ended."""
    with link.makefile("r", encoding="utf-8") as lines:
        order = json.loads(lines.readline())
    if not (pid := os.fork()):
        link.close()
        _become(order, streams)
    for descriptor in streams:
        os.close(descriptor)
    with contextlib.suppress(BrokenPipeError):
        link.sendall(f"{pid}\n".encode())
        _, status = os.waitpid(pid, 0)
        link.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _become(order: Mapping[str, Any], streams: Sequence[int]) -> NoReturn:
    """Be the process that was ordered."""
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    signal.signal(signal.SIGINT, signal.default_int_handler)
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
    """Import all of Filon, what it imports late, and the tables that it reads once."""
    import importlib
    import pkgutil

    import filon

    for module in pkgutil.walk_packages(filon.__path__, "filon."):
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
