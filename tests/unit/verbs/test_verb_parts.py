"""Parts of a verb that it names, and that are loaded when they are needed."""

import inspect

import pytest

from filon.core.plugins import loaded
from filon.verbs.registry import VERBS


@pytest.mark.parametrize("name", VERBS)
def test_the_parts_that_a_verb_names_are_there_and_take_what_they_get(name: str) -> None:
    verb = VERBS.find(name)
    given = {verb.writer: 1, verb.written: 2, verb.reporter: 2}
    for part, number in given.items():
        if part:
            inspect.signature(loaded(part)).bind(*range(number))
    assert bool(verb.writer) == bool(verb.written)
