"""The finds of a fleet as Parquet among its blobs, to be read where they lie.

Each time all finds are written anew, below `lake/` and a number; the mark that comes last says that
they are whole. DuckDB reads a bucket by a filesystem that Python lends it, which comes with the
extra: it loads nothing from the network.
"""

import io
import os
from typing import Any

from filon.core import UserError
from filon.core.extras import extra
from filon.fleet.blobs import Blobs, FolderBlobs
from filon.fleet.schema import ALL
from filon.fleet.store import Store

LAKE, MARK = "lake", "whole"
#: Rows of a file, and of what is in memory at a time: one has a profile of some kilobytes.
ROWS = 20_000


async def fill(store: Store, blobs: Blobs) -> tuple[str, int]:
    """Write all finds; return the folder among the blobs, and how many there are."""
    there = await blobs.list(LAKE)
    number = 1 + max((int(key.split("/")[1]) for key in there), default=0)
    folder, finds, last, part = f"{LAKE}/{number:06}", 0, 0, 0
    while (rows := await store.finds(after=last, limit=ROWS)) or not part:
        await blobs.put(f"{folder}/{part:05}.parquet", _packed(rows))
        finds, part = finds + len(rows), part + 1
        last = rows[-1]["number"] if rows else last
    await blobs.put(f"{folder}/{MARK}", b"")
    return folder, finds


def _packed(rows: list[dict[str, Any]]) -> bytes:
    arrow = extra("fleet", "A lake needs pyarrow", "pyarrow", "pyarrow.parquet")
    kinds = {"TEXT": arrow.string(), "BIGINT": arrow.int64()}
    fields = [("site", "TEXT"), *ALL.items()]
    schema = arrow.schema([(name, kinds.get(kind, arrow.float64())) for name, kind in fields])
    columns = {name: [row.get(name) for row in rows] for name, _ in fields}
    packed = io.BytesIO()
    arrow.parquet.write_table(arrow.table(columns, schema=schema), packed, compression="zstd")
    return packed.getvalue()


async def files(blobs: Blobs) -> list[str]:
    """Return the names of the last lake that is whole; a UserError where there is none."""
    there = await blobs.list(LAKE)
    whole = [key.rpartition("/")[0] for key in there if key.endswith(f"/{MARK}")]
    if not whole:
        raise UserError("There is no lake among the blobs yet: `filon fleet lake` makes one.")
    return [key for key in there if key.startswith(f"{whole[-1]}/") and key.endswith(".parquet")]


async def ask(blobs: Blobs, place: str, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return columns and rows of a query; the lake is its table `finds`.

    place: the blobs, as `--blobs` has them.
    """
    names = await files(blobs)
    duckdb = extra("fleet", "A lake is asked by DuckDB, which is not here", "duckdb")
    lake = duckdb.connect(config={"autoinstall_known_extensions": False})
    try:
        if isinstance(blobs, FolderBlobs):
            paths = [str(blobs.path(name)) for name in names]
        else:
            lake.register_filesystem(_bucket())
            paths = [f"{place.rstrip('/')}/{name}" for name in names]
        lake.read_parquet(paths).create_view("finds")
        found = lake.execute(query)
        return [column[0] for column in found.description or []], found.fetchall()
    except duckdb.Error as error:
        raise UserError(f"DuckDB says: {str(error).strip().partition(chr(10))[0]}") from None
    finally:
        lake.close()


def _bucket() -> Any:
    """Return a filesystem that is a bucket, by what the environment says of it."""
    fsspec = extra("fleet", "A bucket is read by DuckDB with fsspec", "obstore.fsspec", "fsspec")
    is_plain = os.environ.get("AWS_ENDPOINT_URL", "").startswith("http://")
    return fsspec.FsspecStore("s3", client_options={"allow_http": True} if is_plain else None)
