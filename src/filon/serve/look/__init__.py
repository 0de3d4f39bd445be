"""Look: the catalog, its files, their rows, charts and maps, questions in SQL, downloads."""
