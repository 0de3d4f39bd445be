"""Forms one by one: what they write is plain, and what they read is what was there."""

import json
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import pytest

from filon.core import Request, Step
from filon.core.forms import (
    DICT,
    KEYS,
    LIST,
    RANDOM,
    SAME,
    TUPLE,
    Form,
    each,
    flat,
    keyed,
    like,
    maybe,
    pairs,
    parts,
    plain,
    record,
    row,
    table,
)
from filon.core.step import REQUEST


class Place(NamedTuple):
    url: str
    depth: int = 0


@dataclass(frozen=True)
class Lead:
    url: str
    roles: tuple[tuple[str, ...], ...] = ()


@dataclass
class Site:
    lead: Lead
    pages: list[str]
    seen: int = 0


@dataclass(slots=True)
class Point:
    x: int
    y: float


LEAD = record(Lead)
#: A form, a value, and how it stands in JSON.
CASES: list[tuple[Form, Any, str]] = [
    (LIST, [1, 2], "[1, 2]"),
    (TUPLE, (1, "a"), '[1, "a"]'),
    (DICT, {"b": 1, "a": 2}, '{"b": 1, "a": 2}'),
    (KEYS, {"b": None, "a": None}, '["b", "a"]'),
    (each(TUPLE), [(1, 2), (3, 4)], "[[1, 2], [3, 4]]"),
    (each(row(Place)), [Place("a", 1)], '[["a", 1]]'),
    (each(LEAD, deque), deque([Lead("a")]), '[{"url": "a", "roles": []}]'),
    (table(LIST), {"a": [1]}, '{"a": [1]}'),
    (pairs(), {2: "b", 1: "a"}, '[[2, "b"], [1, "a"]]'),
    (pairs(LIST, keys=TUPLE), {(1, "a"): [2]}, '[[[1, "a"], [2]]]'),
    (flat(TUPLE), {"a": (1, 2)}, '[["a", 1, 2]]'),
    (flat(row(Place), keys=LEAD), {Lead("a"): Place("b")}, '[[{"url": "a", "roles": []}, "b", 0]]'),
    (keyed(LEAD, lambda lead: lead.url), {"a": Lead("a")}, '[{"url": "a", "roles": []}]'),
    (parts(LEAD), (Lead("a"), 1, "x"), '[{"url": "a", "roles": []}, 1, "x"]'),
    (parts(SAME, SAME, row(Place)), (1, 2, Place("a")), '[1, 2, ["a", 0]]'),
    (LEAD, Lead("a", (("x", "y"), ())), '{"url": "a", "roles": [["x", "y"], []]}'),
    (
        record(Site, lead=LEAD),
        Site(Lead("a"), ["p"], 3),
        '{"lead": {"url": "a", "roles": []}, "pages": ["p"], "seen": 3}',
    ),
    (row(Point), Point(1, 2.5), "[1, 2.5]"),
    (maybe(LEAD), None, "null"),
    (maybe(LEAD), Lead("a"), '{"url": "a", "roles": []}'),
]


@pytest.mark.parametrize(("form", "value", "told"), CASES)
def test_a_value_is_written_as_plain_data_and_comes_back(form: Form, value: Any, told: str) -> None:
    written = json.dumps(form.write(value))
    back = form.read(json.loads(written))
    assert written == told
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (Counter("a"), {"b": 2}),
        (OrderedDict(a=1), {"b": 2}),
        ({"a"}, ["b", "c"]),
        (frozenset("a"), ["b"]),
        ((1,), [2, 3]),
        (bytearray(b"a"), b"bc"),
        ([1], [2]),
        ({}, {"a": 1}),
    ],
)
def test_a_container_stays_of_its_kind(now: Any, told: Any) -> None:
    back = like(now, told)
    assert type(back) is type(now)
    assert back == type(now)(told)


def test_a_queue_keeps_its_bound() -> None:
    assert like(deque(maxlen=2), [1, 2, 3]) == deque([2, 3], maxlen=2)
    assert like(deque(maxlen=2), [1]).maxlen == 2


def test_what_is_plain_is_copied_and_sets_are_sorted() -> None:
    value = {"a": 1}
    assert plain(value) == value
    assert plain(value) is not value
    assert plain({3, 1, 2}) == [1, 2, 3]
    assert each(SAME).write({"b", "a"}) == ["a", "b"]
    assert plain(Counter("aab")) == {"a": 2, "b": 1}
    assert type(plain(Counter())) is dict


def test_what_is_frozen_holds_tuples_and_what_is_not_holds_lists() -> None:
    assert LEAD.read({"url": "a", "roles": [["x"], []]}).roles == (("x",), ())
    site = record(Site, lead=LEAD).read({"lead": {"url": "a"}, "pages": ["p"]})
    assert (site.lead, site.pages, site.seen) == (Lead("a"), ["p"], 0)


def test_a_field_that_had_another_name_is_stored_under_it() -> None:
    form = record(Lead, {"url": "address"})
    data = form.write(Lead(url="a"))
    assert data["address"] == "a"
    assert "url" not in data
    assert form.read(data) == Lead(url="a")


def test_a_field_that_a_record_does_not_know_is_an_error() -> None:
    with pytest.raises(KeyError, match="colour"):
        LEAD.read({"url": "a", "colour": "red"})


def test_a_request_is_stored_as_a_step_that_only_begins() -> None:
    request = Request(url="http://a.test/", headers=(("a", "b"),), unwanted=("image/",))
    assert REQUEST.read(REQUEST.write(request)) == request
    assert REQUEST.write(request)["reason"]["kind"] == Step(request=request).reason.kind


def test_a_generator_goes_on_with_the_same_draws() -> None:
    generator = Random(3)
    generator.gauss(0.0, 1.0)  # the generator keeps the second of a pair
    again = RANDOM.read(json.loads(json.dumps(RANDOM.write(generator))))
    assert [again.random(), again.gauss(0, 1)] == [generator.random(), generator.gauss(0, 1)]
