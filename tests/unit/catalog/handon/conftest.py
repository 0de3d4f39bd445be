"""A folder of runs with what breaks careless formats: odd titles, damaged files, sheets, zips."""

import io
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from filon.catalog.handon.dataset import Collection
from filon.catalog.store import CatalogStore
from filon.core import Find, Request, Response, Step
from filon.run.folder import RunFolder

PRICES = (
    "Stadt;Datum;Preis (€);Anteil;Offen\n"
    "Köln;2020-01-02;1.234,5;12 %;true\n"
    "Zürich;2020-02-03;7,25;;false\n"
    "n/a;n/a;;;\n"
    '"Łódź ""alt""";2020-03-04;;3 %;true\n'
).encode("cp1250")
BY = "https://creativecommons.org/licenses/by/4.0/"
Entry = tuple[bytes, dict[str, str]]


def book() -> bytes:
    made = Workbook()
    for name, start in (("2019", 1), ("2020", 5)):
        sheet = made.create_sheet(name)
        sheet.append(["Stadt", "Cattle"])
        for number, region in enumerate(("North", "South", "East")):
            sheet.append([region, start + number])
    made.remove(made["Sheet"])
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in ("../../evil.csv", "b/two.csv"):
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            archive.writestr(info, f"id,name\n1,{name[-7:]}\n2,y\n3,z\n")
    return out.getvalue()


PAGE = {"page_title": "Prices – “open” </script> data", "headings": "Data > Prices in towns"}
RUNS: dict[str, dict[str, Entry]] = {
    "one": {
        "prices.csv": (PRICES, {**PAGE, "link_text": "CSV", "licence": BY}),
        "prices.xlsx": (book(), {**PAGE, "link_text": "Excel", "licence": BY}),
        "years/cattle 2019.csv": (
            b"Region,Year,Cattle\nNorth,2018,5\nSouth,2019,6\nEast,2020,7\n",
            {
                "link_text": "Cattle = =HYPERLINK(1) \x1b[31m\u202e",
                "licence": "CC BY 4.0",
                "modified": "2021-03-04T05:06:07Z",
            },
        ),
        "both.zip": (zipped(), {"link_text": "Two tables in one"}),
        "broken.xlsx": (book()[:900], {"link_text": "Damaged", "modified": "last week"}),
        "report.pdf": (b"%PDF-1.7 \x00", {"link_text": "Report"}),
    },
    "zwei": {
        "same.csv": (PRICES, {"link_text": "Once more"}),
        "wide.csv": (
            b"id,ID,big,when,lat,lon\n007,1,9007199254740993,2020-01-01T00:00:00Z,-4.5,33.9\n"
            b"008,2,9007199254740995,2020-01-01T00:00:00Z,5,41.9\n",
            {"link_text": "Codes"},
        ),
        "nothing.csv": (b"", {"link_text": "Empty"}),
    },
}


def write(folder: Path, run: str) -> None:
    with RunFolder.create(folder / run, {}) as store:
        for number, (name, (body, context)) in enumerate(RUNS[run].items()):
            url = f"http://{run}.test/{name}"
            step = Step(request=Request(url=url))
            find = Find(
                kind="file",
                url=url,
                name=name.rpartition("/")[2],
                mime="",
                parent=f"http://{run}.test/data?page=1&x=ü",
                **context,
            )
            answer = Response(
                url=url, status=200, body=body, size_bytes=len(body), at_s=1.6e9 + number
            )
            store.record(store.begin(step), step, answer, [find], idle=False)


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("things") / "Runs & more"
    folder.mkdir()
    for run in RUNS:
        write(folder, run)
    return folder


@pytest.fixture
def collection(catalog: CatalogStore) -> Collection:
    return Collection(catalog, "Runs & more")
