"""schema.org in JSON-LD, as search engines for datasets read it: a DataCatalog of Datasets.

It can stand in a page as it is, in `<script type="application/ld+json">`: what a page would take
for its end is escaped. The context is in the document, so that nothing is asked of the web.
"""

from math import isfinite
from pathlib import Path
from typing import Any

from filon.catalog.handon.dataset import Collection, Dataset, File
from filon.catalog.handon.package import AGENT, filled, write_json
from filon.page.cells import decimal_sign, number_of
from filon.page.url import origin
from filon.profile.shape import Column
from filon.run.export.dcat import OWN, licence

_MOST_VARIABLES = 100


def write_schema_org(collection: Collection, out: Path) -> None:
    """Write schema.org in JSON-LD, for search engines: datasets, and where to download them."""
    document = {
        "@context": {"@vocab": "https://schema.org/"},
        "@type": "DataCatalog",
        "name": collection.name,
        "description": f"{len(collection):,} files of {collection.name}, found in the web.",
        "sdPublisher": {"@type": "Organization", "name": AGENT},
        "sdDatePublished": f"{collection.at:%Y-%m-%dT%H:%M:%SZ}",
        "dataset": (_dataset(dataset) for dataset in collection.datasets()),
    }
    write_json(document, out)


def _dataset(dataset: Dataset) -> dict[str, Any]:
    since, until = dataset.covers
    publisher = {"@type": "Organization", "name": dataset.site, "url": origin(dataset.files[0].url)}
    return filled(
        {
            "@id": f"{OWN}dataset:{dataset.id}",
            "@type": "Dataset",
            "name": dataset.title,
            "description": dataset.description,
            "identifier": f"sha256:{dataset.id}",
            "url": dataset.page,
            "publisher": filled(publisher),
            "license": licence(dataset.licence)[1],
            "dateModified": dataset.modified,
            "sdDatePublished": f"{dataset.found_at:%Y-%m-%dT%H:%M:%SZ}",
            "temporalCoverage": f"{since}/{until}" if since else "",
            "spatialCoverage": _places(dataset),
            "variableMeasured": [_variable(one) for one in dataset.columns[:_MOST_VARIABLES]],
            "distribution": [_download(file) for file in dataset.files if file.url],
        }
    )


def _places(dataset: Dataset) -> list[dict[str, Any]]:
    named = [{"@type": "Place", "name": place} for place in dataset.places]
    if not dataset.box:
        return named
    west, south, east, north = dataset.box
    shape = {"@type": "GeoShape", "box": f"{south} {west} {north} {east}"}
    return [*named, {"@type": "Place", "geo": shape}]


def _variable(column: Column) -> dict[str, Any]:
    is_number = column.kind in ("integer", "number")
    return filled(
        {
            "@type": "PropertyValue",
            "name": column.name,
            "description": column.label,
            "unitText": column.unit,
            "minValue": _number(column, column.least) if is_number else None,
            "maxValue": _number(column, column.most) if is_number else None,
        }
    )


def _number(column: Column, text: str) -> float | None:
    """Return a number of a column as JSON has it."""
    number = number_of(text, decimal_sign((column.least, column.most)) or ".")
    return number if number is not None and isfinite(number) else None


def _download(file: File) -> dict[str, Any]:
    return filled(
        {
            "@type": "DataDownload",
            "name": file.name,
            "contentUrl": file.url,
            "encodingFormat": file.media,
            "contentSize": f"{file.size_bytes} B",
            "sha256": file.id,
            "dateModified": file.modified,
            "license": licence(file.licence)[1],
            "sameAs": list(file.urls[1:]),
        }
    )
