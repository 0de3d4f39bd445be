"""A run folder as a reader sees it: never changed, readable while the run goes on.

All that tells about a run (summary, report, export, why) comes in through here. It knows the
tables of schema.py, not the code that writes them.
"""

import json
import sqlite3
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from filon.core import MachineError, UserError
from filon.run.disk import Lock
from filon.run.schema import BESIDES, CONTEXT, FINDS, VERSION

CONFIG, LEDGER = "run.toml", "ledger.sqlite"
#: The folder of a run that is made of others: theirs; the finds in its own ledger are copies.
PARTS = "sites"
#: How SQLite opens a file that nobody writes to.
_ALONE = "&immutable=1"


def find_run(path: Path) -> Path:
    """Return where a run is, from the root; a UserError where there is none."""
    path = path.absolute()
    if not ((path / CONFIG).is_file() and (path / LEDGER).is_file()):
        raise UserError(f"{path} is not a run: it has no {CONFIG} and {LEDGER}.")
    return path


def parts(run_path: Path) -> list[Path]:
    """Return the runs that hold the files of a run: those that it is made of, or itself."""
    run_path = find_run(run_path)
    if not (run_path / PARTS).is_dir():
        return [run_path]
    return sorted(path for path in (run_path / PARTS).iterdir() if (path / CONFIG).is_file())


@contextmanager
def reading(run_path: Path) -> Iterator[sqlite3.Connection]:
    """Open a run's ledger read-only; all queries within see the same moment of the run."""
    ledger, uri = _connect(run_path)
    try:
        _check_version(run_path, ledger)
        before = _stamp(run_path)
        yield ledger
        if uri.endswith(_ALONE) and _stamp(run_path) != before:
            raise MachineError(f"{run_path} went on while it was read: try again.")
    except sqlite3.DatabaseError as error:
        raise _unreadable(run_path, error) from error
    finally:
        ledger.close()


def address(run_path: Path) -> str:
    """Return the URI by which SQLite can attach a run's ledger, read-only."""
    ledger, uri = _connect(run_path)
    ledger.close()
    return uri


def _connect(run_path: Path) -> tuple[sqlite3.Connection, str]:
    path = run_path / LEDGER
    if not path.is_file():
        raise UserError(f"{run_path} is not a run: it holds no {LEDGER}.")
    uri = f"{path.resolve().as_uri()}?mode=ro"
    try:
        # Without a write-ahead log nobody writes; SQLite would make one and leave it behind.
        if path.with_name(f"{path.name}-wal").exists():
            try:
                return _open(uri), uri
            except sqlite3.OperationalError:
                pass  # no permission to write there: no memory can be shared with a writer
        return _open(f"{uri}{_ALONE}"), f"{uri}{_ALONE}"
    except sqlite3.DatabaseError as error:
        raise _unreadable(run_path, error) from error


def _stamp(run_path: Path) -> tuple[int, int]:
    found = (run_path / LEDGER).stat()
    return found.st_mtime_ns, found.st_size


def _open(uri: str) -> sqlite3.Connection:
    ledger = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)
    ledger.row_factory = sqlite3.Row
    ledger.text_factory = _decode
    try:
        ledger.execute("BEGIN")
        ledger.execute("SELECT COUNT(*) FROM meta").fetchone()
    except sqlite3.DatabaseError:
        ledger.close()
        raise
    return ledger


def _decode(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")


def _check_version(run_path: Path, ledger: sqlite3.Connection) -> None:
    version = meta(ledger).get("version", str(VERSION))
    if not version.isdecimal() or int(version) > VERSION:
        raise UserError(f"{run_path} was written by a newer Filon (version {version} of the run).")


def _unreadable(run_path: Path, error: Exception) -> MachineError:
    return MachineError(f"The ledger of {run_path} cannot be read: {error}.")


def meta(ledger: sqlite3.Connection) -> dict[str, str]:
    """Return what the ledger says of the run as a whole."""
    return {str(key): str(value) for key, value in ledger.execute("SELECT key, value FROM meta")}


def bytes_besides(meta: Mapping[str, str]) -> int:
    """Return the bytes that came in and stand in no step, of what the ledger says of the run."""
    return sum(int(text) for key in BESIDES if (text := meta.get(key, "")).isdecimal())


def all_finds(ledger: sqlite3.Connection, schema: str = "main") -> str:
    """Return a query for the finds, in the order in which they came and of today's columns."""
    had = {row[1] for row in ledger.execute(f"PRAGMA {schema}.table_info(finds)")}
    columns = (name if name in had else f"'' AS {name}" for name in (*FINDS, *CONTEXT))
    return f"SELECT {', '.join(columns)} FROM {schema}.finds ORDER BY find"  # noqa: S608


def learnt(ledger: sqlite3.Connection) -> dict[str, Any]:
    """Return what the strategy said of itself at the last checkpoint."""
    try:
        summary = json.loads(meta(ledger).get("summary") or "{}")
    except ValueError:
        return {}
    return summary if isinstance(summary, dict) else {}


def number(run_path: Path, table: Literal["steps", "finds"]) -> int:
    """Return how many rows a table of the ledger has."""
    with reading(run_path) as ledger:
        return int(ledger.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])  # noqa: S608


def config(run_path: Path) -> dict[str, Any]:
    """Return run.toml, or nothing where it is missing or broken: the ledger still tells."""
    try:
        return tomllib.loads((run_path / CONFIG).read_text("utf-8"))
    except (OSError, ValueError):
        return {}


def running(run_path: Path) -> bool:
    """Say whether a process holds the run at this moment."""
    try:
        Lock(run_path).release()
    except UserError:
        return True
    except OSError:
        return False
    return False


def stored(run_path: Path, sha256: str) -> Path:
    """Return where the file of that hash lies in a run folder."""
    return run_path / "files" / sha256[:2] / sha256
