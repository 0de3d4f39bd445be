"""A folder of runs with a catalog, and tables as Parquet to look at: those of the catalog."""

from unit.catalog.conftest import runs, serve, store, stored

__all__ = ["runs", "serve", "store", "stored"]
