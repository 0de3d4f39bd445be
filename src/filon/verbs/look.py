"""Look at a run: `filon.open_run`, `filon.report`, `filon.export` and `filon.why`."""

from pathlib import Path

from filon.run import readonly
from filon.run.export import export as write_export
from filon.run.handle import Run
from filon.verbs import settle
from filon.verbs.registry import verb_of


def open_run(path: str | Path) -> Run:
    """Open a run to look at it, also while it goes on elsewhere.

    Example:

        run = filon.open_run("filon-runs/example.org-001")
    """
    folder = readonly.find_run(Path(path))
    return Run(folder, verb_of(folder), settle.settle)


def report(run: Run | str | Path) -> Path:
    """Write the report of a run, one page that needs nothing else, and return where it is.

    Example:

        webbrowser.open(filon.report(run).as_uri())
    """
    return settle.report(_folder(run))


def export(run: Run | str | Path, to: str, out: str | Path | None = None) -> Path:
    """Write the finds of a run in another format and return where.

    to: "csv", "parquet", "sqlite", "jsonl", "files" for a folder tree to browse, "warc" or "wacz"
        for a web archive of the answers; of a run with files also "frictionless", "croissant",
        "dcat", "schema-org", "ro-crate", "lake", "duckdb" or "datasette"; of a discovery "csv",
        "json", "jsonl" or "dcat"; of a run that followed Linked Data also "nquads", or "oxigraph"
        for a database of Oxigraph.
    out: a path where nothing is yet; by default beside the run, with its name.

        filon.export(run, "parquet", "finds.parquet")
    """
    folder = _folder(run)
    verb = settle.settle(folder)
    return write_export(folder, to, Path(out) if out else None, verb.rows(), verb.formats())


def why(run: Run | str | Path, url: str) -> str:
    """Tell in plain words which steps and reasons led to a URL, or to a file by its name.

    Example:

        print(filon.why(run, "2024.csv"))
    """
    folder = _folder(run)
    return settle.settle(folder).why(folder, url)


def _folder(run: Run | str | Path) -> Path:
    return run.path if isinstance(run, Run) else Path(run)
