"""A data frame in the place of a file, of pandas, Polars or Arrow: one of the same kind comes out.

What they have in common is Arrow's stream, so that any other library that speaks it is as good. The
frame goes to the run as Parquet, types kept, and its new columns come back as text. A frame of
pandas keeps its index, its own columns and their types.
"""

import functools
from collections.abc import Callable, Coroutine
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload, runtime_checkable

from filon.core import UserError
from filon.core.extras import extra
from filon.run.handle import Run
from filon.verbs.blocking import named
from filon.verbs.blocking import run as run_to_its_end
from filon.verbs.enrich import EnrichSettings


@runtime_checkable
class DataFrame(Protocol):
    """What pandas, Polars, Arrow and others have in common."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return it as a stream of Arrow."""


P = ParamSpec("P")
F = TypeVar("F", bound=DataFrame)
#: What a run is called that is about a frame, and where a frame of pandas tells its folder.
NAME, ATTRIBUTE = "frame.parquet", "filon_run"
_TWICE = "Two columns of the data frame have the same name: give each its own."


class Awaited(Protocol[P]):
    """Fills a file and returns the run, or a frame and returns a frame; with `await`."""

    @overload
    def __call__(
        self, table: str | Path, *args: P.args, **keywords: P.kwargs
    ) -> Coroutine[Any, Any, Run]: ...
    @overload
    def __call__(self, table: F, *args: P.args, **keywords: P.kwargs) -> Coroutine[Any, Any, F]: ...


class Blocking(Protocol[P]):
    """The same, without."""

    @overload
    def __call__(self, table: str | Path, *args: P.args, **keywords: P.kwargs) -> Run: ...
    @overload
    def __call__(self, table: F, *args: P.args, **keywords: P.kwargs) -> F: ...


def takes_frames(
    function: Callable[Concatenate[str | Path, P], Coroutine[Any, Any, Run]],
) -> Awaited[P]:
    """Return a function that takes a data frame, too, and then returns one."""

    @functools.wraps(function)
    async def call(table: Any, *args: P.args, **keywords: P.kwargs) -> Any:
        if isinstance(table, str | Path):
            return await function(table, *args, **keywords)
        with TemporaryDirectory(prefix="filon-") as folder:
            path = Path(folder, NAME)
            _write(table, path)
            try:
                run = await function(path, *args, **keywords)
            except UserError as error:  # it knows a file that the user does not
                raise UserError(str(error).replace(f"The table {path}", "The data frame")) from None
        with run:
            return _filled(table, run)

    made: Awaited[P] = call
    return made


def without_await(function: Awaited[P]) -> Blocking[P]:
    """Return the same for people who do not write `await`."""
    awaited: Any = function

    @functools.wraps(awaited)
    def call(*args: Any, **keywords: Any) -> Any:
        return run_to_its_end(awaited(*args, **keywords))

    return named(call, awaited)


def _write(frame: object, path: Path) -> None:
    """Write a data frame as Parquet; a UserError where it is none, or holds what no table does."""
    arrow: Any = extra("parquet", "Data frames need pyarrow", "pyarrow", "pyarrow.parquet")
    if not isinstance(frame, DataFrame):
        more = " Collect it first." if hasattr(frame, "collect") else ""
        raise UserError(
            f"A table is a file or a data frame, and {type(frame).__name__} is neither.{more}"
        )
    try:
        table = _as_arrow(frame)
        if len({*table.column_names}) < table.num_columns:
            raise UserError(_TWICE)
        if not table.num_rows:
            raise UserError("The data frame has no rows.")
        arrow.parquet.write_table(table.replace_schema_metadata(None), path)
    except (arrow.ArrowException, TypeError, ValueError) as error:
        why = ": ".join(str(part).split("\n")[0].rstrip(".") for part in error.args or [error])
        raise UserError(f"The data frame cannot be read as a table: {why}.") from error


def _as_arrow(frame: Any) -> Any:
    """Return a data frame as a table of Arrow."""
    library = _library(frame)
    if library == "pandas":
        return _of_pandas(frame)
    if library == "polars" and hasattr(frame, "to_arrow"):
        return frame.to_arrow()  # its stream has categories of a kind that Parquet does not take
    return extra("parquet", "Data frames need pyarrow", "pyarrow").table(frame)


def _of_pandas(frame: Any) -> Any:
    """Return a frame of pandas as a table of Arrow, without its index."""
    if not hasattr(frame, "columns"):
        raise UserError("A column alone is no table: write it like frame[['title']].")
    if not frame.columns.is_unique:
        raise UserError(_TWICE)
    arrow: Any = extra("parquet", "Data frames need pyarrow", "pyarrow")
    return arrow.Table.from_pandas(frame, preserve_index=False)


def _filled(frame: Any, run: Run) -> Any:
    """Return what a run has made of a data frame, as one of the same library."""
    arrow: Any = extra("parquet", "Data frames need pyarrow", "pyarrow", "pyarrow.parquet")
    filled = arrow.parquet.read_table(run.table().path)
    library = _library(frame)
    if library == "polars":
        return extra("polars", "This needs polars", "polars").from_arrow(filled)
    if library != "pandas":
        return filled.replace_schema_metadata({ATTRIBUTE: str(run.path)})
    made, added = frame.copy(), EnrichSettings.of(run.config).pairs("add")
    own = {str(name): name for name in frame.columns}  # which may be numbers
    for name in filled.column_names:
        column = filled.column(name).to_pandas().set_axis(frame.index)
        if name not in own:
            made[name] = column
        elif name in added:
            made[own[name]] = _completed(frame[own[name]], column)
    made.attrs[ATTRIBUTE] = str(run.path)
    return made


def _completed(had: Any, column: Any) -> Any:
    """Return a column of pandas with what came for its empty cells."""
    if hasattr(had, "cat"):
        new = [value for value in column.dropna().unique() if value not in had.cat.categories]
        had = had.cat.add_categories(new)
        column = column.astype(had.dtype)
    is_full = had.notna() & (had.astype(object).astype(str).str.strip() != "")
    return had.where(is_full, column)


def _library(frame: object) -> str:
    """Return the library that a data frame is of, itself or as a kind of its frames."""
    known = {kind.__module__.partition(".")[0] for kind in type(frame).__mro__}
    return next((name for name in ("pandas", "polars") if name in known), "")
