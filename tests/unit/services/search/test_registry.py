"""The registry of catalogues that are known already."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from filon.core import UserError
from filon.core.service import Hits
from filon.services.search import SearchService, build
from filon.services.search.athand import AtHand

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ENTRIES: list[dict[str, Any]] = [
    {
        "id": "rivers",
        "link": "https://rivers.example/",
        "name": "River portal",
        "description": "Water levels and floods.",
        "status": "active",
        "type": "Open data portal",
        "software": "ckan",
        "topics": ["eudatatheme:ENVI"],
        "langs": ["EN"],
        "countries": ["GB", "IE"],
        "owner": {"name": "Water Board", "type": "Central government"},
    },
    {"id": "old", "link": "https://old.example/", "name": "Flood maps", "status": "inactive"},
    {
        # As the whole registry writes it: objects where the reduced one has texts.
        "id": "maps",
        "link": "https://maps.example/",
        "name": "Geoportal",
        "description": "Maps of water and floods.",
        "status": "active",
        "software": {"id": "geonetwork", "name": "GeoNetwork"},
        "catalog_type": "Geoportal",
        "topics": [{"id": "HYDR", "name": "Hydrology", "type": "eudatatheme"}, None],
        "tags": ["levee"],
        "langs": [{"id": "FR", "name": "French"}],
        "owner": {"name": "Institut", "location": {"country": {"id": "FR"}}},
        "coverage": [{"location": {"country": {"id": "FR", "name": "France"}, "level": 20}}],
    },
    {"id": "none", "link": "", "name": "Flood without address", "status": "active"},
]


def write(path: Path, entries: list[dict[str, Any]] = ENTRIES) -> Path:
    body = "\n".join(json.dumps(entry) for entry in entries).encode()
    if path.suffix == ".gz":
        body = gzip.compress(body)
    elif path.suffix == ".zst":
        body = zstd.compress(body)
    path.write_bytes(body)
    return path


def ask(searcher: SearchService, operator: str, query: str) -> Hits:
    assert isinstance(searcher, AtHand)
    return searcher.answer(operator, query)


@pytest.mark.parametrize("name", ["c.jsonl", "c.jsonl.gz", "c.jsonl.zst"])
def test_catalogues_are_found_by_what_is_said_of_them(name: str, tmp_path: Path) -> None:
    registry = build("registry", {"path": str(write(tmp_path / name))})
    hits = ask(registry, "seeds", "water floods")
    assert {hit.url for hit in hits.hits} == {"https://rivers.example/", "https://maps.example/"}
    told = {hit.title: hit.extra for hit in hits.hits}
    assert told["River portal"]["software"] == "ckan"
    assert told["River portal"]["countries"] == "GB, IE"
    assert told["Geoportal"]["software"] == "geonetwork"
    assert told["Geoportal"]["langs"] == told["Geoportal"]["countries"] == "FR"
    assert told["Geoportal"]["type"] == "Geoportal"
    for word in ("hydrology", "france", "institut", "levee"):
        assert [hit.url for hit in ask(registry, "seeds", word).hits] == ["https://maps.example/"]
    assert [hit.url for hit in ask(registry, "seeds", "board").hits] == ["https://rivers.example/"]


def test_any_status_can_be_asked_for(tmp_path: Path) -> None:
    path = str(write(tmp_path / "catalogues.jsonl"))
    registry = build("registry", {"path": path, "status": "*"})
    assert "https://old.example/" in [hit.url for hit in ask(registry, "seeds", "flood maps").hits]


def test_catalogues_like_a_catalogue_are_found(tmp_path: Path) -> None:
    registry = build("registry", {"path": str(write(tmp_path / "catalogues.jsonl"))})
    hits = ask(registry, "related", "https://rivers.example")
    assert [hit.url for hit in hits.hits] == ["https://maps.example/"]


def test_the_real_registry_has_catalogues_on_a_topic(shared: Path) -> None:
    path = shared / "data" / "discover" / "catalogues.jsonl.gz"
    registry = build("registry", {"path": str(path)})
    hits = ask(registry, "seeds", "ethiopia food security")
    assert "https://ethiopia.africageoportal.com/" in [hit.url for hit in hits.hits[:10]]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (b'{"link": "https://a.example/"}\nnonsense', "Line 2 of .* is not JSON"),
        (b"[1]", "Line 1 of .* is not an object"),
        (gzip.compress(b"{}" * 500)[:-20], "it is damaged"),
        (zstd.compress(b"{}" * 500)[:-5], "it is damaged"),
    ],
)
def test_a_broken_file_is_told(body: bytes, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(body)
    with pytest.raises(UserError, match=complaint):
        build("registry", {"path": str(tmp_path / "r.jsonl")})


def test_mistakes_of_the_user_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="must be told path"):
        build("registry")
    with pytest.raises(UserError, match="cannot be read: No such file"):
        build("registry", {"path": str(tmp_path / "none")})
    path = str(write(tmp_path / "catalogues.jsonl"))
    with pytest.raises(UserError, match="has the status 'retired'"):
        build("registry", {"path": path, "status": "retired"})
    with pytest.raises(UserError, match="did you mean status"):
        build("registry", {"path": "x", "statu": "*"})
