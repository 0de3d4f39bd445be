"""The list of a discovery as rows of an export, and as DCAT."""

from pathlib import Path

from filon.run import readonly
from filon.run.export.format import Export, Rows
from filon.verbs.discover.found import Site, read_sites
from filon.verbs.discover.found.frame import site_frame
from filon.verbs.discover.found.listing import as_catalogue


def sites(run_path: Path) -> Rows:
    """Return the list of a discovery, best first."""
    return Rows(
        run_path=run_path,
        name="sites",
        frame=site_frame(run_path),
        nested=lambda: (site.row() for site in _sites(run_path)),
    )


def write_dcat(rows: Rows, out: Path) -> None:
    """Write the list of a discovery as a DCAT catalogue of catalogues, in Turtle."""
    text = as_catalogue(rows.run_path, _sites(rows.run_path))
    with out.open("x", encoding="utf-8", errors="replace", newline="") as file:
        file.write(text)


def _sites(run_path: Path) -> list[Site]:
    with readonly.reading(run_path) as ledger:
        return read_sites(run_path, ledger)


DCAT = Export(write_dcat, ".ttl", kind="sites")
