"""How many files a run goes through before its first request: what a reader has to follow.

    python -m tools.entered              # a line a verb
    python -m tools.entered enrich       # the files of one, in the order in which they are entered

A file of src/filon is entered when a function that is written in it runs. What runs while a module
is imported does not count: bodies of modules and classes, decorators, tables that are made. Nor
does what no file holds, as the methods that dataclasses generate. The run is one of the command
line on the bundled small web, on loopback, without cached answers; a request leaves when
`Live.fetch` is called, whoever wants it: robots.txt, a first look at a page or a service.
"""

import inspect
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import filon
from filon.cli import run
from filon.demo.country import SEARCH, TOPIC
from filon.demo.library import SOURCE
from filon.demo.library.reading_list import reading_list
from filon.demo.linked import SEED
from filon.demo.portal import START
from filon.demo.server import serving
from filon.web.live import Live

PACKAGE = str(Path(filon.__file__).parent) + os.sep
#: What is typed for each verb, in a folder with books.csv and library.toml.
COMMANDS = {
    "harvest": [START],
    "discover": [TOPIC, "--search", f"searxng:url={SEARCH},rate=500/s"],
    "follow": [SEED],
    "enrich": ["books.csv", "--from", "library.toml", "--match", "title", "--add", "year"],
}


def entered(verb: str) -> list[str]:
    """Return the files that a run enters before its first request, below the package."""
    with serving() as server, TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "books.csv").write_text(reading_list(), "utf-8")
        (folder / "library.toml").write_text(SOURCE, "utf-8")
        how = ["--connect-to", server.connect_to, "--delay", "0", "--out", "run"]
        ended = subprocess.run(  # noqa: S603
            [sys.executable, "-P", __file__, "--watch", verb, *COMMANDS[verb], *how],
            cwd=folder,
            env={
                **os.environ,
                "FILON_CACHE": str(folder / "answers.sqlite"),
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            },
            capture_output=True,
            text=True,
            check=True,
        )
    files: list[str] = json.loads(ended.stdout.splitlines()[-1])
    return files


class Watch:
    """Notes the files that are entered, until the first request leaves."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Look at a call, as `sys.setprofile` asks for."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(PACKAGE):
            return
        if code is Live.fetch.__code__:
            sys.stdout.write("\n" + json.dumps(list(self.files)) + "\n")
            sys.stdout.flush()
            os._exit(0)  # nothing of the run is wanted
        file = code.co_filename.removeprefix(PACKAGE)
        if file not in self.files and not _is_importing(frame):
            self.files[file] = None


def _is_importing(frame: FrameType | None) -> bool:
    """Tell whether a frame is the body of a module or class of the package, or called by one."""
    while frame:
        is_body = not frame.f_code.co_flags & inspect.CO_OPTIMIZED
        if is_body and frame.f_code.co_filename.startswith(PACKAGE):
            return True
        frame = frame.f_back
    return False


def _watch(arguments: list[str]) -> int:
    watch = Watch()
    threading.setprofile(watch)
    sys.setprofile(watch)
    code = run(arguments)
    sys.setprofile(None)
    return code or 1  # it should have been cut short


def main(arguments: list[str]) -> int:
    """Print the figures, or the files of one verb."""
    if arguments[:1] == ["--watch"]:
        return _watch(arguments[1:])
    for verb in arguments:
        print("\n".join(entered(verb)))
    for verb in COMMANDS if not arguments else ():
        files = entered(verb)
        rooms = Counter(Path(file).parts[0] for file in files)
        told = ", ".join(f"{room} {count}" for room, count in rooms.most_common())
        print(f"{verb:9} {len(files):3} files before the first request: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
