"""Content-Type headers: the WHATWG's cases, as far as we read them (essence and charset)."""

import json
from pathlib import Path
from typing import Any

import pytest

from filon.page.charset import charset
from filon.page.mime import sniff


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, Any]]:
    folder = shared / "data/conformance/mimesniff"
    names = ("mime-types.json", "generated-mime-types.json")
    found = [case for name in names for case in json.loads((folder / name).read_text())]
    return [case for case in found if isinstance(case, dict) and case["output"] is not None]


def test_the_media_type_of_every_valid_header_is_read(cases: list[dict[str, Any]]) -> None:
    assert len(cases) == 579
    wrong = [
        case for case in cases if sniff(b"", case["input"]) != case["output"].partition(";")[0]
    ]
    assert wrong == []


def test_the_charset_of_every_header_that_has_one_is_read(cases: list[dict[str, Any]]) -> None:
    with_charset = [case for case in cases if case.get("encoding") == "GBK"]
    assert len(with_charset) >= 20
    # Python's gb18030 reads all that browsers read as GBK.
    assert [case for case in with_charset if charset(b"x", case["input"]) != "gb18030"] == []
