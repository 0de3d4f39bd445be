"""The description of the API: valid, complete, and what the operations really give."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from fake_run import FakeRun
from filon.catalog.store import CatalogStore
from filon.serve.api import OPERATIONS
from filon.serve.api.openapi import described, schema_of
from filon.serve.app import AREAS
from unit.serve.test_fleets import make
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


def test_every_answer_is_as_it_is_described(tmp_path: Path) -> None:
    """Of all operations that change nothing, on a folder with a run, its catalog and a fleet."""
    with FakeRun(tmp_path / "run", budget="9req") as run:
        run.step("http://example.org/")
        run.find("http://example.org/a.csv", b"place,year\nUlm,2020\nBonn,2021\n", name="a.csv")
        run.end("budget")
    with CatalogStore(tmp_path) as store:
        store.update()
        (id,) = (row["id"] for row in store.db.execute("SELECT id FROM files"))
    make(tmp_path)
    document = described(OPERATIONS)

    async def visit(browser: Browser) -> dict[str, tuple[Any, Any]]:
        told = {}
        for each in OPERATIONS:
            if each.method == "GET" and not each.media and each.tag != "reviews":
                path = each.path.format(run="run", id=id, fleet="fleet-001")
                answer = await browser.get(path)
                assert answer.status == 200, await answer.text()
                schema = _schema(document["paths"][each.path]["get"])
                told[each.name] = (await answer.json(), schema)
        return told

    told = visiting(visit, tmp_path)
    assert len(told) >= 8
    for name, (answer, schema) in told.items():
        wrong = OAS31Validator({**schema, "components": document["components"]})
        assert [error.message for error in wrong.iter_errors(answer)] == [], name


def _schema(operation: Any) -> Any:
    return operation["responses"]["200"]["content"]["application/json"]["schema"]


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
