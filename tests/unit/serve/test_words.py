"""Every word on a page comes from the catalogue, and every word of the catalogue is on a page."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

import filon.serve
from filon.serve import words
from filon.serve.words import catalogue, said, t

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


_MISTAKE = re.compile(r"\{\{[^}]*\b(?:problem|refused|unread|sentence)\b[^}]*\}\}")
#: These have their sentences from the catalogue already, or none about a mistake.
_NO_MISTAKES = ("enter.html", "told_card.html")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_tells_a_mistake_in_the_words_of_the_catalogue(template: Path) -> None:
    told = _MISTAKE.findall(template.read_text("utf-8"))
    if template.name not in _NO_MISTAKES:
        assert [one for one in told if "|said" not in one] == []


def test_words_in_a_template_would_be_seen() -> None:
    texts = Texts()
    texts.feed('<p title="A word">{{ t("x") }} and more</p><b title="">1 · 2</b>')
    assert texts.found == ["title=A word", '{{ t("x") }} and more']


#: Said in the terminal, before there is a page.
_TERMINAL = ("password.py", "server.py")
_SENTENCE = re.compile(r"[A-Z][a-z]+ [a-z]|.*[a-z] .*[a-z][.:?!]$", re.S)


def sentences(tree: ast.AST) -> Iterator[str]:
    """Yield the sentences that a program has of its own.

    Left out are what describes it to programmers (docstrings, annotations), and what an extra that
    is not installed says.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Annotated":
            continue
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("extra", "TypeError"):
            continue
        if isinstance(node, ast.Constant) and _SENTENCE.match(str(node.value).strip()):
            yield str(node.value)
        yield from sentences(node)


@pytest.mark.parametrize("module", sorted(HOME.rglob("*.py")), ids=lambda path: path.stem)
def test_a_module_holds_no_sentences_of_its_own(module: Path) -> None:
    if module.name not in _TERMINAL:
        assert list(sentences(ast.parse(module.read_text("utf-8")))) == []


def test_sentences_in_a_module_would_be_seen() -> None:
    code = """
def f(x: Annotated[int, "How many there are."]):
    "It says so."
    raise UserError(f"{x} is no run.", t("runs.none"), "SELECT a FROM b", "That is wrong")
"""
    assert list(sentences(ast.parse(code))) == [" is no run.", "That is wrong"]


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
    begun |= {
        "option.",
        "panel.",
        "ending.",
        "run.found.",
        "said.",
    }  # of what a verb has, and its runs
    unused = {key for key in catalogue() if key not in whole and not key.startswith(tuple(begun))}
    assert sorted(unused) == []


def test_a_number_chooses_the_form_and_has_its_thousands_apart() -> None:
    assert t("runs.number", n=1) == "1 run"
    assert t("runs.number", n=12_000) == "12,000 runs"


def test_what_is_put_in_is_not_filled_in_again() -> None:
    assert "{n}" in t("layout.folder", folder="{n}")


def test_a_mistake_is_told_in_the_words_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also within another, and with a text of the web that looks like a place in a sentence."""
    german = {
        "{0} has no table {1}.": "Eine Tabelle {1} hat {0} nicht.",
        "{0} cannot be read: {1}": "{0} ist nicht lesbar: {1}",
    }
    assert {f"said.{key}" for key in german} <= catalogue().keys()
    assert said("a.csv has no table 7.") == "a.csv has no table 7."
    told = catalogue() | {f"said.{key}": text for key, text in german.items()}
    monkeypatch.setattr(words, "catalogue", lambda: told)
    assert said("{1}.csv has no table 7.") == "Eine Tabelle 7 hat {1}.csv nicht."
    nested = said("The view: x cannot be read: a.csv has no table 7.")
    assert nested == "The view: x ist nicht lesbar: Eine Tabelle 7 hat a.csv nicht."
    assert said("What nobody has said before.") == "What nobody has said before."
    assert said(f"a has no table {1000 * '7'}.").startswith("a has no table")
