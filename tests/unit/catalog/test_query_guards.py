"""Each guard of SQL: an attack fails as long as one of its guards stands, and succeeds without.

An attack says True where it got what it wanted.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from filon.catalog import query
from filon.catalog.data import path_of
from filon.catalog.query import Bounds, sql, write_answer
from filon.catalog.store import CatalogStore
from filon.core import UserError
from loopback import Loopback, serving

SECRET = "a secret of the machine"


@dataclass(frozen=True)
class Place:
    """What an attacker has: a catalog, a folder with a secret in it, and a host that listens."""

    catalog: CatalogStore
    folder: Path
    host: Loopback

    def answer(self, asked: str) -> list[dict[str, Any]]:
        """Ask as pages do."""
        out = self.folder / "answer.parquet"
        beside = self.folder / "beside"  # DuckDB may have all that is there
        bounds = Bounds(most_rows=100, memory_bytes=40 << 20, folder=beside)
        with suppress(UserError):
            write_answer(self.catalog, asked, out, bounds)
            return list(parquet.read_table(out).to_pylist())
        return []

    def told(self, asked: str) -> list[dict[str, Any]]:
        """Ask as `filon catalog sql` does, which takes several statements."""
        with suppress(UserError):
            return list(sql(self.catalog, asked).to_pylist())
        return []


Attack = Callable[[Place], bool]
Guard = Callable[[pytest.MonkeyPatch], None]


def reads(place: Place) -> bool:
    return SECRET in str(place.answer(f"SELECT content FROM read_text('{place.folder}/secret')"))


def reads_as_a_table(place: Place) -> bool:
    return SECRET in str(place.answer(f"FROM read_csv('{place.folder}/secret', header = false)"))


def lists(place: Place) -> bool:
    return "secret" in str(place.answer(f"SELECT * FROM glob('{place.folder}/*')"))


def writes(place: Place) -> bool:
    place.answer(f"COPY (SELECT 1 AS a) TO '{place.folder}/made.csv'")
    return (place.folder / "made.csv").exists()


def overwrites(place: Place) -> bool:
    """What a query may read is not to be written; an explanation with figures does the thing."""
    return any(_is_overwritten(place, begin) for begin in ("", "EXPLAIN ANALYZE "))


def _is_overwritten(place: Place, begin: str) -> bool:
    row = place.catalog.db.execute("SELECT file, id FROM files WHERE tables > 0").fetchone()
    kept = path_of(place.catalog, row["file"])
    before = kept.read_bytes()
    copy = f"COPY (FROM f_{row['id']}) TO '{kept}' (FORMAT csv, USE_TMP_FILE false)"
    place.answer(begin + copy)
    is_other = kept.read_bytes() != before
    kept.write_bytes(before)
    return is_other


def attaches(place: Place) -> bool:
    place.answer(f"ATTACH '{place.folder}/made.db'")
    return (place.folder / "made.db").exists()


def calls(place: Place) -> bool:
    place.answer(f"INSTALL nothing FROM '{place.host.url}'")
    return bool(place.host.log)


def looks_into_python(place: Place) -> bool:
    return SECRET in str(place.answer("SELECT * FROM hidden"))


def takes_memory(place: Place) -> bool:
    return bool(place.answer("SELECT len(list(i)) AS n FROM range(8000000) t(i)"))


def asks_twice(place: Place) -> bool:
    return bool(place.answer("SELECT 1 AS a; SELECT 2 AS a"))


def changes_bounds(place: Place) -> bool:
    return place.told("SET threads = 7; SELECT current_setting('threads') AS n") == [{"n": 7}]


def open_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    left = tuple(lock for lock in query.LOCKS if "external" not in lock)
    monkeypatch.setattr(query, "LOCKS", left)


def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    left = tuple(lock for lock in query.LOCKS if "lock_configuration" not in lock)
    monkeypatch.setattr(query, "LOCKS", left)


def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "_check_reads", lambda asked: None)


def unbounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bounds, "settings", lambda self: {})


#: Attacks, and all that stands before each.
CASES: Mapping[Attack, tuple[Guard, ...]] = {
    reads: (open_to_all,),
    reads_as_a_table: (open_to_all,),
    lists: (open_to_all,),
    writes: (open_to_all, unread),
    overwrites: (unread,),
    attaches: (open_to_all, unread),
    calls: (open_to_all, unread),
    looks_into_python: (open_to_all,),
    takes_memory: (unbounded,),
    asks_twice: (unread,),
    changes_bounds: (unlocked,),
}


@pytest.mark.parametrize("attack", CASES, ids=lambda attack: attack.__name__)
def test_an_attack_fails_with_any_of_its_guards_and_succeeds_without(
    attack: Attack, store: CatalogStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where extensions would go
    (tmp_path / "secret").write_text(SECRET, "utf-8")
    hidden = pyarrow.table({"what": [SECRET]})
    monkeypatch.setattr(query, "hidden", hidden, raising=False)
    guards = CASES[attack]
    with serving({}) as site:
        place = Place(store, tmp_path, site)
        assert not attack(place)
        for guard in guards if len(guards) > 1 else ():
            with monkeypatch.context() as gone:
                guard(gone)
                assert not attack(place), guard.__name__
        for guard in guards:
            guard(monkeypatch)
        assert attack(place)
