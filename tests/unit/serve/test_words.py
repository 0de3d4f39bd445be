"""Every word on a page comes from the catalogue, and every word of the catalogue is on a page."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import filon.serve
from filon.serve.words import catalogue, t

HOME = Path(filon.serve.__file__).parent
TEMPLATES = sorted((HOME / "templates").rglob("*.html"))
_JINJA = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.S)
_KEY = re.compile(r"""\bt\(\s*["']([\w.]+)["'](\s*[~%+])?""")
#: Attributes that a person reads or hears.
_READ = {"title", "alt", "placeholder", "aria-label", "aria-description", "data-copied"}


class Texts(HTMLParser):
    """Collects what a person reads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        if re.search(r"[^\W\d_]", data):
            self.found.append(data.strip())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            f"{name}={value}"
            for name, value in attrs
            if name in _READ and re.search(r"[^\W\d_]", value or "")
        ]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_holds_no_words_of_its_own(template: Path) -> None:
    texts = Texts()
    texts.feed(_JINJA.sub("", template.read_text("utf-8")))
    assert texts.found == []


def test_words_in_a_template_would_be_seen() -> None:
    texts = Texts()
    texts.feed('<p title="A word">{{ t("x") }} and more</p><b title="">1 · 2</b>')
    assert texts.found == ["title=A word", '{{ t("x") }} and more']


def used() -> tuple[set[str], set[str]]:
    """Return the keys that are named, and the beginnings of those that are put together."""
    whole: set[str] = set()
    begun: set[str] = set()
    for path in [*TEMPLATES, *HOME.rglob("*.py")]:
        for key, joined in _KEY.findall(path.read_text("utf-8")):
            (begun if joined else whole).add(key)
        # Keys in a table of the code, as "error.missing".
        if path.suffix == ".py":
            whole |= {key for key in catalogue() if f'"{key}"' in path.read_text("utf-8")}
    return whole, begun


def test_every_key_that_is_used_is_there() -> None:
    whole, begun = used()
    assert sorted(whole - {*catalogue()}) == []
    assert [each for each in begun if not any(key.startswith(each) for key in catalogue())] == []


def test_every_key_that_is_there_is_used() -> None:
    whole, begun = used()
    unused = {key for key in catalogue() if key not in whole and not key.startswith(tuple(begun))}
    assert sorted(unused) == []


def test_a_number_chooses_the_form_and_has_its_thousands_apart() -> None:
    assert t("runs.number", n=1) == "1 run"
    assert t("runs.number", n=12_000) == "12,000 runs"


def test_what_is_put_in_is_not_filled_in_again() -> None:
    assert "{n}" in t("layout.folder", folder="{n}")
