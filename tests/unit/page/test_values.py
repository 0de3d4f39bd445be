"""Values of strangers: whatever is written there, nothing later stumbles on it."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filon.page.values import LAST_S, MAX_DEPTH, clean, moment_s, read_json, whole

#: Any text, halves of surrogate pairs too.
TEXTS = st.text(st.characters(exclude_categories=[]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def _is_sound(value: Any) -> bool:
    """Encode all that is in a value; it raises where that cannot be."""
    return bool(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())


@given(st.binary() | VALUES.map(lambda value: json.dumps(value).encode()))
def test_json_of_any_bytes_can_be_written_again_or_is_refused(data: bytes) -> None:
    try:
        value = read_json(data)
    except ValueError:
        return
    assert _is_sound(value)


@given(VALUES)
def test_sound_json_is_read_as_everybody_reads_it(value: Any) -> None:
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return
    assert read_json(written) == json.loads(written)


@pytest.mark.parametrize(
    "written",
    [
        b'"\\ud800"', b'{"\\udfff": "\\ud83d\\ude00\\ud83d"}', b"NaN", b"[-Infinity]",
        '"\ud800"'.encode("utf-8", "surrogatepass"), b"9" * 5_000, b"[" + b"1" * 100_000 + b"]",
    ],
)  # fmt: skip
def test_odd_json_is_read_to_something_sound(written: bytes) -> None:
    assert _is_sound(read_json(written))


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 900, 5_000, 1_000_000])
@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'["[]",'])
def test_what_is_nested_too_deeply_is_refused(depth: int, opening: bytes) -> None:
    closing = b"]" if opening.startswith(b"[") else b"}"
    with pytest.raises(ValueError, match="deep"):
        read_json(opening * depth + b"1" + closing * depth)


def test_brackets_in_a_text_are_no_nesting() -> None:
    assert read_json(json.dumps(["[" * 10_000])) == ["[" * 10_000]


@given(TEXTS)
def test_a_clean_text_can_be_encoded_and_an_honest_one_stays(text: str) -> None:
    assert clean(text).encode().decode() == clean(text)
    assert clean(clean(text)) == clean(text)


@given(TEXTS | st.from_regex(r"\d{0,5000}", fullmatch=True))
@settings(max_examples=50)
def test_a_whole_number_fits_into_a_database(text: str) -> None:
    number = whole(text)
    assert number is None or 0 <= number < 1 << 63


@given(TEXTS | st.from_regex(r"\w{3}, \d{1,5} \w{3} \d{1,5} \d\d:\d\d:\d\d ([+-]\d{4}|GMT)"))
def test_a_moment_is_a_time_that_can_be_told(text: str) -> None:
    moment = moment_s(text)
    assert moment is None or 0 <= moment < LAST_S


@pytest.mark.parametrize("text", ["", "0", "Fri, 31 Dec 9999 23:59:59 -2359", "\0"])
def test_what_is_no_time_of_ours_is_none(text: str) -> None:
    assert moment_s(text) is None
