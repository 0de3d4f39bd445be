"""An RO-Crate 1.1: files as found in a folder, with who and what they are from, for archives.

All entities stand side by side in one list, as the specification wants it: files, their columns,
sites, licences, places, and the act of finding them.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from filon.catalog.handon.dataset import Collection, Dataset, File
from filon.catalog.handon.package import AGENT, filled, keep, write_json
from filon.core.version import __version__
from filon.page.url import origin
from filon.profile.shape import Column
from filon.run.export.dcat import licence

_CONTEXT = "https://w3id.org/ro/crate/1.1/context"
_SPECIFICATION = "https://w3id.org/ro/crate/1.1"
_METADATA = "ro-crate-metadata.json"
#: Of each file so many columns are told.
_MOST_VARIABLES = 100
_MANY_LICENCES = "Each file has the licence that its page tells; where none stands, none is known."
_YEARS = re.compile(r"\d{4}")


def write_rocrate(collection: Collection, out: Path) -> None:
    """Write an RO-Crate, for archives: files as found, with where they are from."""
    out.mkdir()
    crate = _Crate(collection, out)
    document = {"@context": _CONTEXT, "@graph": crate.entities()}
    write_json(document, out / _METADATA)


class _Crate:
    """The entities of a crate; those that several point to are told once, at the end."""

    def __init__(self, collection: Collection, out: Path) -> None:
        self._collection = collection
        self._out = out
        self._shared: dict[str, dict[str, Any]] = {}
        self._parts: list[dict[str, str]] = []
        self._told: set[str] = set()
        self._sites: list[dict[str, str]] = []
        self._licences: set[str] = set()

    def entities(self) -> Iterator[dict[str, Any]]:
        """Yield them; the files are put into the folder on the way."""
        yield {
            "@id": _METADATA,
            "@type": "CreativeWork",
            "conformsTo": {"@id": _SPECIFICATION},
            "about": {"@id": "./"},
        }
        for dataset, file in self._collection.files():
            yield from self._file(dataset, file)
        yield self._root()
        yield from self._finding()
        yield from (about for id, about in self._shared.items() if id not in self._told)

    def _file(self, dataset: Dataset, file: File) -> Iterator[dict[str, Any]]:
        path = keep(file, self._out) or file.url
        if not path:
            return  # neither bytes nor an address: there is nothing to point to
        if path in self._told:  # it was another file before, and the bytes of both are gone
            path = f"{path}#{file.short}"
        self._told.add(path)
        self._parts.append({"@id": path})
        self._licences.add(file.licence)
        columns = [column for table in file.tables for column in table.columns][:_MOST_VARIABLES]
        ids = [f"#{file.short}-{number}" for number in range(1, len(columns) + 1)]
        since, until = dataset.covers
        yield _compact(
            {
                "@id": path,
                "@type": "File",
                "name": dataset.title,
                "alternateName": file.name,
                "description": dataset.description,
                "encodingFormat": file.media,
                "contentSize": str(file.size_bytes),
                "sha256": file.id,
                "url": file.url,
                "sameAs": list(file.urls[1:]),
                "mainEntityOfPage": file.page,
                "publisher": self._site(dataset.site, origin(file.url)),
                "license": self._licence(file.licence),
                "dateModified": file.modified,
                "sdDatePublished": f"{file.found_at:%Y-%m-%dT%H:%M:%SZ}",
                "temporalCoverage": f"{since}/{until}" if _YEARS.fullmatch(since) else "",
                "spatialCoverage": [self._place(place) for place in dataset.places],
                "variableMeasured": [{"@id": id} for id in ids],
            }
        )
        yield from (_variable(*each) for each in zip(ids, columns, strict=True))

    def _share(self, id: str, kind: str, **about: Any) -> dict[str, str]:
        self._shared.setdefault(id, filled({"@id": id, "@type": kind, **about}))
        return {"@id": id}

    def _site(self, name: str, address: str) -> dict[str, str]:
        id = address or f"#site-{quote(name, safe='')}"
        site = self._share(id, "Organization", name=name, url=address)
        if site not in self._sites:
            self._sites.append(site)
        return site

    def _licence(self, text: str) -> dict[str, str] | None:
        if not text:
            return None
        name, value = licence(text)
        id = value if name == "dct:license" else f"#licence-{quote(text, safe='')}"
        return self._share(id, "CreativeWork", name=text)

    def _place(self, name: str) -> dict[str, str]:
        return self._share(f"#place-{quote(name, safe='')}", "Place", name=name)

    def _root(self) -> dict[str, Any]:
        only = self._licence(self._licences.pop()) if len(self._licences) == 1 else None
        many = {"name": "Licences of the files", "description": _MANY_LICENCES}
        return _compact(
            {
                "@id": "./",
                "@type": "Dataset",
                "name": self._collection.name,
                "description": f"{len(self._collection):,} files of {self._collection.name}, "
                "found in the web.",
                "datePublished": f"{self._collection.at:%Y-%m-%d}",
                "publisher": self._sites,
                "license": only or self._share("#licences", "CreativeWork", **many),
                "hasPart": self._parts,
                "mentions": {"@id": "#finding"},
            }
        )

    def _finding(self) -> Iterator[dict[str, Any]]:
        yield _compact(
            {
                "@id": "#finding",
                "@type": "CreateAction",
                "name": "Found in the web and downloaded",
                "endTime": f"{self._collection.at:%Y-%m-%dT%H:%M:%SZ}",
                "instrument": {"@id": "#filon"},
                "result": self._parts,
            }
        )
        yield {
            "@id": "#filon",
            "@type": "SoftwareApplication",
            "name": AGENT,
            "softwareVersion": __version__,
        }


def _compact(entity: dict[str, Any]) -> dict[str, Any]:
    """Return an entity without what is empty, and with one value in place of a list of one."""
    return {
        name: value[0] if isinstance(value, list) and len(value) == 1 else value
        for name, value in filled(entity).items()
    }


def _variable(id: str, column: Column) -> dict[str, Any]:
    return filled(
        {
            "@id": id,
            "@type": "PropertyValue",
            "name": column.name,
            "description": column.label,
            "additionalType": column.kind,
            "unitText": column.unit,
        }
    )
