"""State from a declaration: what is written down, and that it comes back."""

import json
import random
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from filon.core import MachineError, Reason, Request, Step
from filon.core.forms import (
    DICT,
    KEYS,
    LIST,
    TUPLE,
    each,
    flat,
    keyed,
    made,
    maybe,
    pairs,
    parts,
    record,
    row,
    table,
)
from filon.core.state import Fields, Stateful, group, part, stored, version
from filon.core.step import STEP
from filon.run.checkpoint import Checkpoint, dump, load


class Place(NamedTuple):
    url: str
    depth: int


@dataclass(frozen=True, kw_only=True)
class Task:
    url: str
    links: tuple[tuple[str, int], ...] = ()


@dataclass
class Look:
    url: str
    files: dict[str, None]
    words: list[str]


class Inner(Stateful):
    STATE: ClassVar[Fields] = (version(1), "count")

    def __init__(self, count: int = 0) -> None:
        self.count = count


class All(Stateful):
    """One attribute of each kind that a state may hold."""

    STATE = (
        version(3),
        "number",
        "_text",
        "_counts",
        "_old",
        "_ordered",
        "_queue",
        "_names",
        "_pair",
        "_bytes",
        "_array",
        "_inner",
        part("_maybe"),
        group("both", "_a", "_b", "_inner_too"),
        stored("_places", each(row(Place))),
        stored("_line", each(record(Task))),
        stored("_lists", table(LIST)),
        stored("_dicts", table(DICT)),
        stored("_by_pair", pairs(TUPLE, keys=TUPLE)),
        stored("_led", flat(row(Place))),
        stored("_tasks", keyed(record(Task), lambda task: task.url)),
        stored("_mixed", each(parts(record(Task), row(Place)))),
        stored("_looks", table(record(Look, files=KEYS))),
        stored("_seen", KEYS, key="met"),
        stored("_made", pairs(made(Inner))),
        stored("_held", maybe(record(Task))),
        stored("_steps", each(STEP)),
        stored("_lines", table(each(TUPLE, deque))),
        stored("_inner.count", key="inner_count"),
        group("deep", "_inner.count", "_inner_too.count"),
    )

    def __init__(self, *, with_maybe: bool = True) -> None:
        self.number, self._text = 0, ""
        self._counts: Counter[str] = Counter()
        self._old: dict[str, int] = {}
        self._ordered: OrderedDict[str, int] = OrderedDict()
        self._queue: deque[int] = deque(maxlen=3)
        self._names: set[str] = set()
        self._pair: tuple[int, ...] = ()
        self._bytes = b""
        self._array = np.zeros(0)
        self._inner, self._inner_too = Inner(), Inner()
        self._maybe = Inner() if with_maybe else None
        self._a, self._b = 0, 0.0
        self._places: list[Place] = []
        self._line: deque[Task] = deque()
        self._lists: dict[str, list[int]] = {}
        self._dicts: dict[str, dict[str, int]] = {}
        self._by_pair: dict[tuple[str, int], tuple[int, int]] = {}
        self._led: dict[str, Place] = {}
        self._tasks: dict[str, Task] = {}
        self._mixed: list[tuple[Task, Place, int]] = []
        self._looks: dict[str, Look] = {}
        self._seen: dict[str, None] = {}
        self._made: dict[str, Inner] = {}
        self._held: Task | None = None
        self._steps: list[Step] = []
        self._lines: dict[str, deque[tuple[int, str]]] = {}


def filled(seed: int) -> All:
    """Return one with all of it, drawn at random."""
    draw = random.Random(seed)

    def words() -> list[str]:
        return [
            "".join(draw.choices("abcäß/?", k=draw.randrange(1, 6)))
            for _ in range(draw.randrange(6))
        ]

    def task() -> Task:
        return Task(url=draw.choice("xyz"), links=tuple((w, draw.randrange(9)) for w in words()))

    def place() -> Place:
        return Place(draw.choice("abc"), draw.randrange(-5, 5))

    one = All()
    one.number, one._text = draw.randrange(-(2**70), 2**70), "".join(words())
    one._counts = Counter(words())
    one._old = {word: draw.randrange(9) for word in words()}
    one._ordered = OrderedDict((word, draw.randrange(9)) for word in words())
    one._queue.extend(range(draw.randrange(6)))
    one._names = set(words())
    one._pair = tuple(range(draw.randrange(4)))
    one._bytes = draw.randbytes(5)
    one._array = np.array([draw.random() for _ in range(draw.randrange(5))])
    for inner in (one._inner, one._inner_too, one._maybe):
        assert inner
        inner.count = draw.randrange(99)
    one._a, one._b = draw.randrange(99), draw.random()
    one._places = [place() for _ in words()]
    one._line = deque(task() for _ in words())
    one._lists = {word: [draw.randrange(9)] for word in words()}
    one._dicts = {word: {"n": draw.randrange(9)} for word in words()}
    one._by_pair = {(word, draw.randrange(3)): (1, draw.randrange(9)) for word in words()}
    one._led = {word: place() for word in words()}
    one._tasks = {told.url: told for told in (task() for _ in words())}
    one._mixed = [(task(), place(), draw.randrange(9)) for _ in words()]
    one._looks = {word: Look(word, dict.fromkeys(words()), words()) for word in words()}
    one._seen = dict.fromkeys(words())
    one._made = {word: Inner(draw.randrange(9)) for word in words()}
    one._lines = {word: deque((n, word) for n in range(3)) for word in words()}
    one._held = task() if draw.random() < 0.5 else None
    one._steps = [
        Step(
            request=Request(url=f"http://a.test/{n}", headers=(("a", "b"),)),
            reason=Reason(kind="x"),
        )
        for n in range(draw.randrange(3))
    ]
    return one


def values(one: All) -> dict[str, Any]:
    """Return all attributes with their kinds, so that a list is not a tuple."""
    told = dict(vars(one))
    told["_array"] = (one._array.dtype, one._array.tolist())
    for name in ("_inner", "_inner_too", "_maybe"):
        told[name] = vars(told[name])
    told["_made"] = {word: inner.count for word, inner in one._made.items()}
    return {name: (type(getattr(one, name)), list_of(value)) for name, value in told.items()}


def list_of(value: Any) -> Any:
    """Return what tells containers apart by their order too."""
    return list(value.items()) if isinstance(value, dict) else value


@pytest.mark.parametrize("seed", range(40))
def test_what_is_stored_comes_back_as_it_was(seed: int) -> None:
    one, other = filled(seed), All()
    stored = dump(Checkpoint(state=one.state()))
    other.restore(load(stored).state)
    assert values(other) == values(one)
    assert dump(Checkpoint(state=other.state())) == stored


@pytest.mark.parametrize("seed", range(20))
def test_a_state_that_was_never_stored_comes_back_too_and_shares_nothing(seed: int) -> None:
    one, other = filled(seed), filled(seed + 1000)
    state = one.state()
    before, stored = values(one), dump(Checkpoint(state=state))
    other.restore(state)
    assert values(other) == before
    for held in (other, one):  # what goes on does not change what was written down
        held.number += 1
        held._counts["more"] += 1
        held._queue.append(99)
        held._inner.count += 1
        held._array = np.append(held._array, 1.0)
        held._places.append(Place("more", 0))
        for numbers in held._lists.values():
            numbers.append(1)
        for counts in held._dicts.values():
            counts["more"] = 1
        for look in held._looks.values():
            look.words.append("more")
        held._seen["more"] = None
        assert dump(Checkpoint(state=state)) == stored


def test_without_bytes_arrays_and_big_numbers_json_holds_it() -> None:
    one, other = filled(1), All()
    one.number, one._bytes, one._array = 7, b"", np.zeros(0)
    state = one.state() | {"bytes": "", "array": []}
    state["steps"] = [told | {"request": told["request"] | {"body": ""}} for told in state["steps"]]
    other.restore(json.loads(json.dumps(state)))
    assert list(other._tasks.items()) == list(one._tasks.items())
    assert other._by_pair == one._by_pair


def test_keys_are_names_without_underscores_in_order() -> None:
    keys = list(All().state())
    assert keys[:4] == ["version", "number", "text", "counts"]
    assert "met" in keys
    assert "seen" not in keys


def test_sets_are_written_in_order_whatever_was_put_in_first() -> None:
    one = All()
    one._names = {"b", "a", "c"}
    assert one.state()["names"] == ["a", "b", "c"]


def test_a_part_is_only_for_who_has_it() -> None:
    without, one = All(with_maybe=False), All()
    assert without.state()["maybe"] is None
    without.restore(filled(1).state())
    assert without._maybe is None
    assert one._maybe
    one._maybe.count = 5
    one.restore(without.state())
    assert one._maybe.count == 5


def test_unknown_keys_are_left_alone_and_missing_ones_are_an_error() -> None:
    inner = Inner()
    inner.restore({"version": 1, "count": 3, "more": 1})
    assert inner.count == 3
    with pytest.raises(KeyError, match="count"):
        inner.restore({"version": 1})


def test_a_group_of_another_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        All().restore(All().state() | {"both": [1, 2.0]})


class Child(Inner):
    STATE = ("more",)

    def __init__(self) -> None:
        super().__init__()
        self.more = 1


class Old(Inner):
    STATE = (stored("pages", KEYS),)

    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, None] = {}
        self.numbers: dict[str, int] = {}

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        return {"pages": []} | state

    def restored(self) -> None:
        self.numbers = {page: number for number, page in enumerate(self.pages)}


class Strict(Stateful):
    STATE = (version(2, of="strict"), "count")

    def __init__(self) -> None:
        self.count = 0


def test_a_subclass_adds_to_its_parents_state() -> None:
    assert Child().state() == {"version": 1, "count": 0, "more": 1}
    assert Inner().state() == {"version": 1, "count": 0}


def test_older_layouts_are_upgraded_and_what_follows_is_made_anew() -> None:
    old = Old()
    old.restore({"version": 1, "count": 1})
    assert old.pages == {}
    old.restore({"version": 1, "count": 1, "pages": ["a", "b"]})
    assert old.numbers == {"a": 0, "b": 1}


def test_a_version_with_a_name_refuses_others_before_anything_is_changed() -> None:
    strict = Strict()
    with pytest.raises(MachineError, match="whose notes strict cannot read"):
        strict.restore({"version": 1, "count": 3})
    assert strict.count == 0
    Inner().restore({"version": 99, "count": 3})


def test_what_is_large_is_handed_over_without_work_for_each_element() -> None:
    counted = [0]

    class Text(str):
        def __deepcopy__(self, memo: object) -> "Text":
            counted[0] += 1
            return self

    one = All()
    one._old = {Text(n): n for n in range(100)}
    one._places = [Place(Text("a"), n) for n in range(100)]
    state = one.state()
    assert counted == [0]
    assert state["places"][7] is one._places[7]
    assert next(iter(state["old"])) is next(iter(one._old))
