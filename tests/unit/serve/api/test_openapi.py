"""The description of the API: valid, complete, and what the operations really give."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from filon.serve.api import OPERATIONS
from filon.serve.api.openapi import described, schema_of
from filon.serve.app import AREAS
from unit.serve.visitor import Browser, visiting


def test_the_description_is_valid_openapi() -> None:
    OpenAPIV31SpecValidator(described(OPERATIONS)).validate()


def test_a_wrong_description_would_be_seen() -> None:
    wrong = described(OPERATIONS)
    wrong["info"].pop("title")
    with pytest.raises(Exception, match="title"):
        OpenAPIV31SpecValidator(wrong).validate()


def test_every_route_of_the_api_is_described(tmp_path: Path) -> None:
    routes = {
        (route.method, route.path)  # type: ignore[attr-defined]  # no static files here
        for area in AREAS
        for route in area
        if route.path.startswith("/api/")  # type: ignore[attr-defined]
    }
    told = {
        (method.upper(), path)
        for path, methods in described(OPERATIONS)["paths"].items()
        for method in methods
    }
    assert routes - {("GET", "/api/openapi.json")} == told


def test_every_operation_has_a_name_of_its_own_and_a_sentence() -> None:
    names = [each.name for each in OPERATIONS]
    assert len(names) == len({*names})
    for each in OPERATIONS:
        assert each.summary.endswith("."), each.name
        assert all(argument.about.endswith(".") for argument in each.arguments), each.name


def test_the_description_is_served_and_the_page_lists_all(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        served = await (await browser.get("/api/openapi.json")).json()
        assert served == described(OPERATIONS)
        page = await browser.text("/api")
        assert all(each.path in page for each in OPERATIONS)

    visiting(visit, tmp_path)


@dataclass(frozen=True)
class Inner:
    """A thing."""

    name: str
    size: int = 0


@dataclass(frozen=True)
class Outer:
    """Holds things."""

    things: list[Inner]
    share: float | None
    more: dict[str, Any]


def test_a_dataclass_is_a_schema_with_a_name() -> None:
    schemas: dict[str, Any] = {}
    assert schema_of(Outer, schemas) == {"$ref": "#/components/schemas/Outer"}
    assert schemas["Inner"]["required"] == ["name"]
    assert schemas["Outer"]["properties"] == {
        "things": {"type": "array", "items": {"$ref": "#/components/schemas/Inner"}},
        "share": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "more": {"type": "object", "additionalProperties": {}},
    }


def test_what_is_no_plain_data_has_no_schema() -> None:
    with pytest.raises(TypeError, match="has no schema"):
        schema_of(Path, {})
