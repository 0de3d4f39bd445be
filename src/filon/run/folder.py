"""The run folder: all that a run leaves behind, and all that `filon resume` needs."""

import contextlib
import json
import math
import platform
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from filon.core import Find, Response, Spent, Step, Strategy, UserError
from filon.core.blocks import by_blocks
from filon.core.version import __version__
from filon.page.url import MASK, mask_text
from filon.run.archive import Archive, Files, Place
from filon.run.checkpoint import Checkpoint, Pieces, dump, rewind
from filon.run.disk import SECRET_HEADERS, Lock, read_config, reading, replace_text, writing
from filon.run.frame import StoredFind, stored_find
from filon.run.ledger import Kept, Ledger
from filon.run.readonly import CONFIG, LEDGER, find_run

if TYPE_CHECKING:
    from filon.run.context import Contexts

#: A checkpoint at least every so many answers …
EVERY_ANSWERS = 200
#: … as long as they take no more than this share of the time.
SHARE = 0.03


#: So long a run is waited for that somebody only looks at.
LOOK_S = 0.3
#: Its owner's alone: what sites show to those who are logged in is nobody else's business.
OWN = 0o700
#: What decides how pages are fetched, read and stored.
LIBRARIES = (
    *("ada-url", "aiohttp", "fastwarc", "lxml", "mmh3", "msgpack", "numpy", "protego"),
    *("pyoxigraph", "selectolax"),
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SECRET_KEY = re.compile(
    r"(.*[_-])?(api[_-]?key|authorization|cookies?|credentials?|passw(or)?d|secret|token)",
    re.IGNORECASE,
)
_SECRET_LINE = re.compile(rf"({'|'.join(sorted(SECRET_HEADERS))})\s*:", re.IGNORECASE)


class RunFolder:
    """A run on disk, which `drive` has for its store; its user gets a `filon.run.handle.Run`.

    One process at a time holds a run for writing; `finish` and `close` let go of it.
    """

    def __init__(
        self, path: Path, ledger: Ledger, lock: Lock | None, *, is_new: bool = False
    ) -> None:
        self.path = path
        self._is_new = is_new
        self.config = read_config(path / CONFIG)
        self._ledger = ledger
        self._lock = lock
        self._steps, self._answers = ledger.counts()
        self._earlier_s = ledger.spent().seconds
        self._began_s: float | None = None
        self._flying: dict[int, Step] = {}
        self._rhythm = Rhythm(self._answers)
        self._archive: Archive | None = None
        self._unsure: Place | None = None  # the first record that no commit covers
        if lock and not is_new:
            _ = self._writer  # it cuts off what was never acknowledged
        self._contexts: Contexts | None = None

    @classmethod
    def create(cls, path: Path, config: Mapping[str, Any]) -> Self:
        """Make a new run in a folder that does not exist or is empty.

        config: plain data, written to run.toml without its secrets.
        """
        path = path.absolute()
        try:
            path.mkdir(parents=True, exist_ok=True, mode=OWN)
            taken = any(path.iterdir())
        except FileExistsError:
            raise UserError(f"{path} is a file, not a folder for a run.") from None
        except OSError as error:
            raise UserError(f"{path} cannot be made: {error.strerror}.") from error
        if taken:
            raise UserError(f"{path} is not empty: name another folder, or `filon resume` it.")
        with contextlib.suppress(OSError):  # it was there, and is somebody else's
            path.chmod(OWN)
        with writing(path):
            lock = Lock(path, LOOK_S)
            ledger = Ledger.create(path / LEDGER)
            write_config(path / CONFIG, config)
            return cls(path, ledger, lock, is_new=True)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open a run to go on with it, or, read_only, to look at it while another goes on."""
        path, lock = find_run(path), None
        try:
            with reading(path):
                lock = None if read_only else Lock(path, LOOK_S)
                return cls(path, Ledger.open(path / LEDGER, read_only=read_only), lock)
        except BaseException:
            if lock:
                lock.release()
            raise

    # The store of the loop.

    def begin(self, step: Step, number: int = 0) -> int:
        """Write down that a step is about to leave, and number it."""
        if self._began_s is None:
            self._began_s = time.monotonic()
        with self._turn():
            if number:
                self._ledger.again(number)
            else:
                number = self._steps + 1
                self._ledger.begin(number, self._answers, step)
                self._steps = number
        self._flying[number] = step
        return number

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        """Write down an answer and what it brought: the bodies first, then the ledger."""
        with self._turn():
            kept = self._keep(response, finds)
            if "file" in {find.kind for find in finds}:
                finds = self._described.complete(number, response, finds)
            self._ledger.record(
                number, self._answers + 1, response, finds, kept, idle=idle, run_s=self.seconds
            )
            if response.spool and not kept.sha256:
                Path(response.spool).unlink(missing_ok=True)
        self._answers += 1
        self._flying.pop(number, None)

    def hold(self, number: int, response: Response) -> None:
        """Write down that a step has no answer: it stays in flight, for another session."""
        with self._turn():
            came_bytes = response.wire_bytes + response.extra_bytes
            self._ledger.hold(number, sent=response.sent == "yes", came_bytes=came_bytes)

    def commit(self) -> None:
        """Make what was written survive the death of the process."""
        with self._turn():
            self._ledger.commit()
        self._unsure = None

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """Write; where that fails, take back what was written since the last commit."""
        with writing(self.path):
            try:
                yield
            except BaseException:
                self._ledger.rollback()
                if self._unsure:
                    self._writer.undo(self._unsure)
                    self._unsure = None
                raise

    def checkpoint(self, strategy: Strategy, *, now: bool = False) -> None:
        """Save the strategy's state if it is time to."""
        if now or self._rhythm.due(self._answers):
            self._save(strategy)

    # Going on, and ending.

    def rewind(self, strategy: Strategy) -> list[tuple[int, Step]]:
        """Bring a fresh strategy to where the run stands; return the steps to send again."""
        if self._is_new and not self._steps:
            return []
        with reading(self.path):
            self._flying = rewind(self.path, self._ledger, strategy)
        with writing(self.path):
            self._ledger.set_meta(stopped="")
        return list(self._flying.items())

    def replay(self, strategy: Strategy) -> None:
        """Bring a fresh strategy to where the run stands; nothing is written."""
        with reading(self.path):
            rewind(self.path, self._ledger, strategy)

    def finish(self, stopped: str, strategy: Strategy) -> None:
        """Write down why the run ended, with a last checkpoint, and let go of the folder."""
        self._save(strategy, stopped=stopped)
        for left in self.spool_dir.glob("*"):
            left.unlink()
        if self.spool_dir.exists():
            self.spool_dir.rmdir()
        self._release()

    def close(self) -> None:
        """Let go of all files; the run can be opened again."""
        if self._lock:
            self.commit()
        self._release()
        self._ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What it tells.

    @property
    def spent(self) -> Spent:
        """What the run has cost and brought so far, earlier sessions included."""
        with reading(self.path):
            return self._ledger.spent()

    @property
    def last_at_s(self) -> float:
        """The Unix time of the newest answer; 0 where there is none."""
        with reading(self.path):
            return self._ledger.last_at_s()

    @property
    def stopped(self) -> str:
        """Why it ended; "" while it goes on, or where it was killed."""
        with reading(self.path):
            return self._ledger.meta("stopped")

    @property
    def seconds(self) -> float:
        """How long the run has lasted, earlier sessions included."""
        now_s = time.monotonic()
        return self._earlier_s + (now_s - self._began_s if self._began_s is not None else 0.0)

    @property
    def spool_dir(self) -> Path:
        """Where a web may put long bodies, so that they are moved and not copied."""
        return self.path / "spool"

    def __repr__(self) -> str:
        return f"<RunFolder {str(self.path)!r}>"

    def __iter__(self) -> Iterator[StoredFind]:
        with reading(self.path):
            rows = list(self._ledger.finds())
        return (stored_find(self.path, row) for row in rows)

    def latest(self, number: int) -> list[dict[str, Any]]:
        """Return so many of the newest finds, as the ledger has them."""
        with reading(self.path):
            return [dict(row) for row in self._ledger.latest(number)] if number else []

    @property
    def _described(self) -> "Contexts":
        if self._contexts is None:
            from filon.run.context import Contexts  # reads pages: not every verb has files

            self._contexts = Contexts(self.path, self._ledger)
        return self._contexts

    @cached_property
    def _pieces(self) -> Pieces:
        return Pieces(self._ledger.pieces())

    @cached_property
    def _files(self) -> Files:
        return Files(self.path / "files")

    @property
    def _writer(self) -> Archive:
        if self._lock is None:
            raise RuntimeError("this run was opened to be read, or is finished")
        if self._archive is None:
            self._archive = Archive(
                self.path / "archive", self.path.name, self._ledger.last_place()
            )
        return self._archive

    def _keep(self, response: Response, finds: Sequence[Find]) -> Kept:
        sha256, size_bytes, file = "", 0, ""
        files = self._files
        kinds = {find.kind for find in finds}
        # A graph is read again from the archive; one too long for it is kept as files are.
        if "file" in kinds or ("graph" in kinds and response.spool):
            if response.spool:
                sha256 = files.take(Path(response.spool))
            else:
                sha256 = files.put(response.body)
            path = files.path(sha256)
            size_bytes, file = path.stat().st_size, str(path.relative_to(self.path))
        elif "graph" in kinds:
            size_bytes = response.size_bytes
        place = self._writer.append(response, file) if response.status else None
        self._unsure = self._unsure or place
        return Kept(place, sha256, size_bytes)

    def _save(self, strategy: Strategy, **values: str) -> None:
        began_s = time.monotonic()
        pieces = self._pieces
        with by_blocks():
            state = dump(Checkpoint(state=strategy.state(), flying=self._flying), pieces)
        summary = json.dumps(strategy.summary(), default=_plain)
        self.commit()
        with writing(self.path):
            self._writer.sync()
            self._ledger.save(
                (self._steps, self._answers),
                time.time(),
                state,
                pieces.new,
                pieces.old,
                seconds=repr(self.seconds),
                summary=summary,
                **values,
            )
        pieces.keep()
        self._rhythm.took(self._answers, time.monotonic() - began_s)

    def _release(self) -> None:
        if self._archive:
            self._archive.close()
            self._archive = None
        if self._lock:
            self._lock.release()
            self._lock = None


def _plain(value: Any) -> object:
    """Numbers and arrays of numpy, as JSON has them."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


class Rhythm:
    """Says when a checkpoint is due: often, but never at much of the run's expense."""

    def __init__(self, answers: int = 0) -> None:
        self._answers = answers
        self._not_before_s = 0.0

    def due(self, answers: int) -> bool:
        """Is it time, with so many answers in?"""
        return answers - self._answers >= EVERY_ANSWERS and time.monotonic() >= self._not_before_s

    def took(self, answers: int, seconds: float) -> None:
        """Remember what a checkpoint cost."""
        self._answers = answers
        self._not_before_s = time.monotonic() + seconds / SHARE


def write_config(path: Path, config: Mapping[str, Any]) -> None:
    """Write run.toml, with the versions at work and without secrets."""
    replace_text(path, as_toml({**config, "versions": versions()}))


def as_toml(table: Mapping[str, Any]) -> str:
    """Return plain data as TOML, without secrets.

    >>> as_toml({"feed": "new.atom", "site": [{"run": "a", "interval": "1d"}]})
    'feed = "new.atom"\\nsite = [{run = "a", interval = "1d"}]\\n'
    """
    return "\n".join(_table((), table)).lstrip() + "\n"


def versions() -> dict[str, str]:
    """Return the versions of Filon, Python and the libraries that matter."""
    found = {"filon": __version__, "python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def _table(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    if path:
        yield f"\n[{'.'.join(map(_key, path))}]"
    for key, value in table.items():
        if value is not None and not isinstance(value, Mapping):
            yield f"{_key(key)} = {_value(MASK if _is_secret(key, value) else value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _table((*path, key), value)


def _is_secret(key: str, value: object) -> bool:
    return not isinstance(value, bool) and bool(_SECRET_KEY.fullmatch(key))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return repr(value) if math.isfinite(value) else str(value)
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case Mapping():
            pairs = (f"{_key(key)} = {_value(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case _:
            return _string(str(value))


def _string(text: str) -> str:
    if line := _SECRET_LINE.match(text):
        text = f"{line[0]} {MASK}"
    plain = mask_text(text).encode("utf-8", "replace").decode()
    # JSON escapes as TOML does, but for DEL, which TOML wants escaped.
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")
