"""Files with a few bytes changed, cut or doubled: each has a profile, and no reader stumbles."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.profile.worker import Worker
from fuzzing import examples
from unit.profile.hostile import TABLE, corpus, ods, pdf, pdf_text, row, xlsx

_CELL = '<table:table-cell office:value-type="float" office:value="1"/>'
_MOST_BYTES = 50_000


@cache
def bodies() -> list[tuple[str, bytes]]:
    """Return whole files and hostile ones, the small of them."""
    cells = [row(n, {"A": f"r{n}", "B": str(n)}) for n in range(1, 5)]
    whole = [
        ("a.csv", TABLE),
        ("a.xlsx", xlsx("".join(cells))),
        ("a.ods", ods(f"<table:table-row>{_CELL}{_CELL}</table:table-row>" * 3)),
        ("a.pdf", pdf(pdf_text([["a", "1", "2"]] * 5))),
        ("a.json", b'{"data": [{"a": 1, "b": "x"}, {"a": 2.5, "b": null}]}'),
        ("a.xml", b"<?xml version='1.0'?><d><r><a>1</a></r><r><a>2</a></r></d>"),
    ]
    large = ("line", "cell", "columns", "newlines", "commas", "bomb", "empty rows", "deep")
    hostile = [one for one in corpus() if not any(word in one.name for word in large)]
    made = [(one.name, one.make()) for one in hostile]
    return whole + [(name, body) for name, body in made if len(body) <= _MOST_BYTES]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    name, body = draw(st.sampled_from(bodies()))
    changed = bytearray(body)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(0, len(changed) - 1)))
        match draw(st.sampled_from(["set", "cut", "double", "end"])):
            case "set":
                changed[at : at + 1] = bytes([draw(st.integers(0, 255))])
            case "cut":
                del changed[at : at + draw(st.integers(1, 40))]
            case "double":
                changed[at:at] = changed[at : at + draw(st.integers(1, 40))]
            case "end":
                del changed[at:]
    return name, bytes(changed)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker(seconds=120, memory_bytes=2 << 30) as worker:
        yield worker


@examples(60)
@given(file=damaged())
def test_every_file_has_a_profile(
    tmp_path_factory: pytest.TempPathFactory, worker: Worker, file: tuple[str, bytes]
) -> None:
    name, body = file
    path: Path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(body)
    told = worker.profile(path, name)
    assert told.problem not in ("unreadable", "too slow"), told.detail
    assert bool(told.problem) == (not told.counted)
    assert "\n" not in told.detail
