"""The words of options, for those who translate the pages."""

import pytest

from filon.serve import words
from filon.serve.form import panels
from filon.verbs.registry import VERBS
from tools.words import FILE, whole


def test_the_words_of_options_are_those_of_the_options() -> None:
    assert FILE.read_text("utf-8") == whole(), "python -m tools.words"


def test_a_translated_file_translates_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {key: f"«{key}»" for key in words.catalogue()}
    monkeypatch.setattr(words, "catalogue", lambda: told)
    monkeypatch.setattr("filon.serve.form.catalogue", lambda: told)
    for verb in ("harvest", "enrich"):
        for heading, inputs in panels(VERBS.find(verb)(), {}, {}):
            assert not heading or heading.startswith("«panel.")
            assert all(one.help.startswith("«option.") for one in inputs)
