"""The list of a discovery as a table, as JSON and as DCAT."""

import json
from pathlib import Path

from filon.run import readonly
from filon.run.export.format import Export
from filon.verbs.discover.found import Site, read_sites
from filon.verbs.discover.found.listing import as_catalogue, as_csv


def write_csv(run_path: Path, out: Path) -> None:
    """Write a CSV table, a row a site."""
    _write(out, as_csv(_sites(run_path)))


def write_json(run_path: Path, out: Path) -> None:
    """Write the list of a discovery as one JSON array, an object a site."""
    told = [site.told() for site in _sites(run_path)]
    _write(out, json.dumps(told, ensure_ascii=False, indent=1) + "\n")


def write_jsonl(run_path: Path, out: Path) -> None:
    """Write a JSON object a line, a line a site."""
    told = (json.dumps(site.told(), ensure_ascii=False) for site in _sites(run_path))
    _write(out, "".join(f"{line}\n" for line in told))


def write_dcat(run_path: Path, out: Path) -> None:
    """Write the list of a discovery as a DCAT catalogue of catalogues, in Turtle."""
    _write(out, as_catalogue(run_path, _sites(run_path)))


def _sites(run_path: Path) -> list[Site]:
    with readonly.reading(run_path) as ledger:
        return read_sites(run_path, ledger)


def _write(out: Path, text: str) -> None:
    with out.open("x", encoding="utf-8", errors="replace", newline="") as file:
        file.write(text)


#: What becomes of its list, which has no files.
SITES: dict[str, Export] = {
    "csv": Export(write_csv, ".csv"),
    "json": Export(write_json, ".json"),
    "jsonl": Export(write_jsonl, ".jsonl"),
    "dcat": Export(write_dcat, ".ttl"),
}
