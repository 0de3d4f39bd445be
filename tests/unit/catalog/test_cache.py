"""Tables of files are kept as Parquet of our own, made by a worker, and can go at any time."""

import os
from pathlib import Path

import pytest

from filon.catalog.cache import TableCache
from filon.catalog.data import table_of
from filon.catalog.handon.choose import hand_on
from filon.catalog.query import sql
from filon.catalog.store import CatalogStore
from filon.catalog.upkeep import KEPT, collect, disk, forget, waste
from filon.cli.catalog_show import shown
from filon.core import UserError
from filon.profile import opening, parquet
from filon.run import readonly
from filon.run.ledger import Ledger
from unit.catalog.conftest import filled, id_of

BODY = b"name,count\nx,1\ny,2\n"
ID = "ab" * 32


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source"
    path.write_bytes(BODY)
    return path


def test_a_file_is_read_once_and_then_no_more(tmp_path: Path, source: Path) -> None:
    with TableCache(tmp_path / "kept") as kept:
        first = kept.table(ID, source, "a.csv")
    source.unlink()
    with TableCache(tmp_path / "kept") as kept:
        assert kept.table(ID, source, "a.csv") == first
        assert first.is_file()
        with pytest.raises(UserError, match="has no table 2"):
            kept.table(ID, source, "a.csv", 2)
        assert kept.clear() > 0
        with pytest.raises(UserError, match=r"^a\.csv cannot be read"):
            kept.table(ID, source, "a.csv")
    assert not list((tmp_path / "kept").glob("*/*")), "what failed leaves nothing"


def test_what_is_not_whole_or_of_another_version_is_made_anew(tmp_path: Path, source: Path) -> None:
    with TableCache(tmp_path / "kept") as kept:
        first = kept.table(ID, source, "a.csv")
        for text in ("", "{", '{"version": 0, "tables": []}', "[]"):
            first.with_name("tables.json").write_text(text)
            first.unlink()
            assert kept.table(ID, source, "a.csv").is_file()


def test_what_was_asked_for_least_recently_goes_first(tmp_path: Path, source: Path) -> None:
    ids = [letter * 64 for letter in "abc"]
    with TableCache(tmp_path / "kept") as kept:
        for id in ids:
            kept.table(id, source, "a.csv")
        sizes = [entry.size_bytes for entry in kept.entries()]
        tables = [entry.path / "tables.json" for entry in kept.entries()]
    for age, table in enumerate(tables):
        for path in table.parent.iterdir():
            os.utime(path, (1000 + age, 1000 + age))
    with TableCache(tmp_path / "kept", most_bytes=sum(sizes)) as kept:
        kept.table(ids[0], source, "a.csv")  # it is the oldest, and asked for again
        kept.table("d" * 64, source, "a.csv")
    with TableCache(tmp_path / "kept") as kept:
        left = {entry.path.name[0] for entry in kept.entries()}
    assert left == {"a", "c", "d"}


def test_one_that_is_passing_leaves_nothing(source: Path) -> None:
    with TableCache(None) as kept:
        assert kept.table(ID, source, "a.csv").is_file()
    assert not kept.folder.exists()


def test_no_strangers_file_is_read_in_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("read here, and not by the worker")

    with filled(tmp_path, {"a.csv": BODY, "b.csv": b"name,count\nz,3\n"}) as catalog:
        for reader in ("open_text", "format_of"):
            monkeypatch.setattr(opening, reader, forbidden)
        monkeypatch.setattr(parquet, "convert", forbidden)
        one, other = (id_of(catalog, name) for name in ("a.csv", "b.csv"))
        both = f"SELECT sum(count) AS n FROM (FROM f_{one} UNION ALL FROM f_{other})"
        assert sql(catalog, both).to_pylist() == [{"n": 6}]
        assert table_of(catalog, catalog.find(one)["file"]).num_rows == 2
        assert shown(catalog, one).sample == [["name", "count"], ["x", "1"], ["y", "2"]]
        for to in ("lake", "duckdb", "datasette", "frictionless", "croissant"):
            assert hand_on(catalog, to, tmp_path / to).exists()


def test_a_file_that_takes_too_long_is_one_sentence_and_the_next_is_read(tmp_path: Path) -> None:
    with filled(tmp_path, {"a.csv": BODY}) as catalog:
        query = f"SELECT count(*) AS n FROM f_{id_of(catalog, 'a.csv')}"
        usual, catalog.cache._worker._seconds = catalog.cache._worker._seconds, 0
        with pytest.raises(UserError, match=r"^a\.csv cannot be read: It was read for 0 s\.$"):
            sql(catalog, query)
        catalog.cache._worker._seconds = usual
        assert sql(catalog, query).to_pylist() == [{"n": 2}]


def test_rows_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    body = "n,t\n" + "".join(f"{n},{n % 7}\n" for n in range(150_000))
    with filled(tmp_path, {"a.csv": body.encode()}) as catalog:
        answer = sql(catalog, f"SELECT n FROM f_{id_of(catalog, 'a.csv')}")
        assert answer["n"].to_pylist() == list(range(150_000))


def test_it_is_on_the_disk_and_goes_with_its_file_and_by_gc(tmp_path: Path) -> None:
    with filled(tmp_path, {"a.csv": BODY, "b.csv": b"name,count\nz,3\n"}) as catalog:
        before = disk(catalog)
        ids = [id_of(catalog, name) for name in ("a.csv", "b.csv")]
        for id in ids:
            table_of(catalog, catalog.find(id)["file"])
        used = disk(catalog)
        assert before.tables_bytes == 0 < used.tables_bytes
        assert used.runs == before.runs
        ledger = Ledger.open(tmp_path / "run" / readonly.LEDGER)
        ledger.set_meta(stopped="done")
        ledger.close()
        forget(catalog, catalog.find(ids[0])["file"])
        assert [entry.path.name for entry in catalog.cache.entries()] == [ids[1]]
        left = disk(catalog).tables_bytes
        assert collect(catalog, waste(catalog, print))[KEPT] == left > 0
        assert disk(catalog).tables_bytes == 0
    with CatalogStore(tmp_path) as catalog:
        assert catalog.update() == []
        assert table_of(catalog, catalog.find(ids[1])["file"]).num_rows == 1
