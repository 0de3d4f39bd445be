"""Documentation cannot rot: commands parse, links lead somewhere, SQL and Python are right."""

import ast
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from docs.pages import PAGES, ROOT, blocks, every_command
from filon.cli import run
from filon.cli.app import COMMANDS as KNOWN
from filon.cli.app import load
from filon.run.schema import SCHEMA

COMMANDS = list(every_command())
_LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
_MODULE = re.compile(r"`((?:[\w-]+/)*\w+\.py)`")
#: A picture is loaded with the page: this is enough for a screen.
HEAVIEST_BYTES = 300_000


def test_the_pages_hold_commands_of_every_verb() -> None:
    assert {words[1] for _, words in COMMANDS} == {*KNOWN}


@pytest.mark.parametrize("page", dict.fromkeys(page for page, _ in COMMANDS))
def test_every_command_is_understood(page: str) -> None:
    for _, verb, *arguments in (words for where, words in COMMANDS if where == page):
        command, name = load(verb), verb
        if hasattr(command, "commands"):
            name, *arguments = arguments
            command = command.commands[name]
        with command.make_context(name, arguments) as context:
            assert context.params, (verb, arguments)


@pytest.mark.parametrize(
    "words",
    [words for _, words in COMMANDS if words[1] in ("harvest", "replicate") and "://" in words[2]],
    ids=" ".join,
)
def test_every_harvest_could_begin(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("practice.toml").write_text("delay = 0\n")
    assert run([*words[1:], "--dry-run"]) == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in _LINK.findall(page.read_text("utf-8")):
        if "://" in target:
            continue
        goal = (page.parent / target).resolve() if target else page
        assert goal.is_file(), target
        if goal.suffix == ".png":
            assert goal.stat().st_size < HEAVIEST_BYTES, target
        if anchor:
            assert anchor in anchors(goal), f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_module_that_is_named_is_there(page: Path) -> None:
    """By its path in the checkout or in the package; a plugin's own files are in its template."""
    homes = (ROOT, ROOT / "src/filon", ROOT / "docs", ROOT / "docs/plugin-template/src/filon_tide")
    named = set(_MODULE.findall(page.read_text("utf-8")))
    known = {path.name for home in homes[1:] for path in home.rglob("*.py")} | {"utils.py"}
    gone = {name for name in named if not any((home / name).is_file() for home in homes)}
    assert gone - known == set()  # there is no utils.py, and it says so


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_query_suits_the_tables_of_the_ledger() -> None:
    queries = [block.text for page in PAGES for block in blocks(page) if block.kind == "sql"]
    assert queries
    with closing(sqlite3.connect(":memory:")) as ledger:
        ledger.executescript(SCHEMA)
        for query in queries:
            ledger.execute(query).fetchall()


def test_every_example_in_python_is_python() -> None:
    examples = [block.text for page in PAGES for block in blocks(page) if block.kind == "python"]
    assert examples
    for example in examples:
        ast.parse(example)
