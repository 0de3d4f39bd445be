"""docs/sources.md has every key, every shipped source, and an example that works."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from docs.pages import ROOT, blocks
from filon.services import shape
from filon.services.describe import shipped
from filon.services.source import Source

PAGE = ROOT / "docs/sources.md"
TABLES = {
    "At the top": shape.Description,
    "[parameters]": shape.Parameter,
    "[request]": shape.Call,
    "[key]": shape.Key,
    "[paging]": shape.Paging,
    "[answer]": shape.Reading,
    "[query]": shape.Words,
    "[limits]": shape.Limits,
    "[[problems]]": shape.Problem,
    "[search]": shape.Search,
    "[opening]": shape.Opening,
}


@pytest.mark.parametrize(("title", "table"), TABLES.items())
def test_every_key_has_a_line_and_every_line_a_key(title: str, table: type) -> None:
    parts = PAGE.read_text("utf-8").split("\n### ")
    (section,) = (part for part in parts if part.replace("`", "").startswith(title))
    told = re.findall(r"^\| `(\w+)` \|", section, re.M)
    inner = {name.strip("[]") for name in TABLES}
    keys = {entry.name for entry in fields(table)} - (inner if title == "At the top" else set())
    assert sorted(told) == sorted(keys)


def test_every_shipped_source_is_named() -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8").split("\n## ")[1], re.M)
    assert sorted(told) == shipped()


def test_the_example_is_a_source(tmp_path: Path) -> None:
    (example,) = (block.text for block in blocks(PAGE) if block.kind == "toml")
    path = tmp_path / "library.toml"
    path.write_text(example, "utf-8")
    request = Source.load(path).request("war peace")
    assert request.url == (
        "https://library.example.org/api/search?lang=en&q=war+peace&per_page=50&page=1"
    )
    assert ("X-Api-Key", "{secret:LIBRARY_KEY}") in request.headers
