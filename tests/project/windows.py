"""Filon as it stands on Windows, as far as another system can play it.

What Windows lacks cannot be imported, folders cannot be opened, and the lock is the one of
Windows on a stand-in. Paths, signals and sockets remain those of this system.
"""

import errno
import fcntl
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from unittest import mock

#: Modules of the standard library that Windows does not have, and what we install elsewhere only.
ABSENT = ("curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios")
NOT_INSTALLED = ("uvloop",)
#: Modules that ask which system they are on.
DIVIDED = ("filon.run.disk", "filon.web.turns")


class Msvcrt(ModuleType):
    """Holds a byte of a file as Windows does: against the same process too, EACCES if it is held.

    It stands on `flock`, and shows that our side asks and lets go, not how Windows answers.
    """

    LK_UNLCK, LK_NBLCK = 0, 2

    def locking(self, descriptor: int, mode: int, nbytes: int) -> None:
        assert nbytes == 1
        held = fcntl.LOCK_EX | fcntl.LOCK_NB
        try:
            fcntl.flock(descriptor, held if mode == self.LK_NBLCK else fcntl.LOCK_UN)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None


def take_away(names: Sequence[str]) -> None:
    """Let modules be missing: this is how Python marks what is not there."""
    sys.modules.update(dict.fromkeys(names))  # type: ignore[arg-type]


class Loader(SourceFileLoader):
    """Loads a module's file as Windows would."""

    def exec_module(self, module: ModuleType) -> None:
        before = {name: sys.modules[name] for name in ABSENT if name in sys.modules}
        take_away(ABSENT)
        sys.modules["msvcrt"] = Msvcrt("msvcrt")
        try:
            with mock.patch.object(sys, "platform", "win32"):
                super().exec_module(module)
        finally:
            for name in (*ABSENT, "msvcrt"):
                del sys.modules[name]
            sys.modules.update(before)


def load(name: str, path: str) -> ModuleType:
    """Load a file under another name."""
    spec = spec_from_file_location(name, path, loader=Loader(name, path))
    assert spec
    module = module_from_spec(spec)
    Loader(name, path).exec_module(module)
    return module


class Finder:
    """Finds the modules that have a part for Windows, and lets them be loaded so."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, _target: object = None) -> object:
        if name not in DIVIDED:
            return None
        found = PathFinder.find_spec(name, path)
        assert found
        assert found.origin
        return spec_from_file_location(name, found.origin, loader=Loader(name, found.origin))


@contextmanager
def folders_closed() -> Iterator[None]:
    """Let `os.open` refuse folders."""
    opened = os.open

    def open_files(path: str | Path, *arguments: int, **more: int) -> int:
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, *arguments, **more)

    with mock.patch.object(os, "open", open_files):
        yield


def main(commands: list[list[object]]) -> None:
    """Run commands of `filon` one after the other, and say how each ended."""
    # The standard library and what we stand on may look for what this system has.
    import asyncio  # noqa: F401
    import shutil  # noqa: F401
    import subprocess  # noqa: F401

    import aiohttp  # noqa: F401
    import typer  # noqa: F401

    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]  # of a finder, what is asked of it
    take_away((*ABSENT, *NOT_INSTALLED))
    from filon.cli import main as filon

    with folders_closed():
        for words in commands:
            sys.argv = ["filon", *map(str, words)]
            try:
                filon()
            except SystemExit as end:
                print("ended with", end.code, flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
