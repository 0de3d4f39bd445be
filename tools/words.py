"""The part of src/filon/serve/words.toml that is made: words of options, operations, mistakes.

    python -m tools.words

Who translates the pages finds them there, beside all others. A test fails when they are stale.
"""

import ast
import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import filon.serve
from filon.dispatch.plan import BEGINS
from filon.serve.api import OPERATIONS
from filon.serve.form import panel_key
from filon.verbs.option import name_of, ways
from filon.verbs.registry import VERBS

FILE = Path(filon.serve.__file__).parent / "words.toml"
HOME = FILE.parents[1]
#: What follows in the file is made here.
_MARK = "# Options as --help has them, made by `python -m tools.words`: what all verbs have alike\n"
_MORE = """\
# is in [option.any], and a verb's own in its table; then the operations of the API; then what
# the program says of mistakes: leave the English on the left, and {0}, {1} … on both sides.
"""
#: Rooms whose mistakes no page tells of, and that of the pages, which says none in its own words.
_ELSEWHERE = {"cli", "compare", "contrib", "demo", "mcp", "serve", "testing"}
#: What is raised, and which of the things given to it is the sentence.
_RAISED = {"UserError": 0, "MachineError": 0, "UnreadableError": 1}
_WORD = re.compile(r"[^\W\d_]{2,}")


def whole() -> str:
    """Return the file as it should be."""
    own = FILE.read_text("utf-8").partition(_MARK)[0].rstrip("\n")
    return f"{own}\n\n{_MARK}{_MORE}" + "\n".join(_tables()) + "\n"


def _tables() -> Iterator[str]:
    of_verb = {verb: dict(_helps(verb)) for verb in BEGINS}
    told: dict[str, set[str]] = {}
    for helps in of_verb.values():
        for name, text in helps.items():
            told.setdefault(name, set()).add(text)
    shared = {name: next(iter(texts)) for name, texts in told.items() if len(texts) == 1}
    yield from _table("option.any", shared)
    for verb, helps in of_verb.items():
        own = {name: text for name, text in helps.items() if name not in shared}
        yield from _table(f"option.{verb}", own)
    panels = {way.panel for verb in BEGINS for _, _, way in ways(VERBS.find(verb)().settings)}
    yield from _table("panel", {panel_key(panel): panel for panel in sorted(panels - {""})})
    yield from _table("operation", {each.name: each.summary for each in OPERATIONS})
    yield "\n[said]"
    for text in _sentences():
        yield f"{_quoted(text)} = {_quoted(text)}"


def _helps(verb: str) -> Iterator[tuple[str, str]]:
    for entry, number, way in ways(VERBS.find(verb)().settings):
        if not way.argument:
            yield name_of(entry, number), way.help


def _sentences() -> list[str]:
    """Return what is said of mistakes, the longest first: they are looked through in this order."""
    found = set[str]()
    for path in HOME.rglob("*.py"):
        if path.relative_to(HOME).parts[0] not in _ELSEWHERE:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call):
                    place = _RAISED.get(ast.unparse(node.func), len(node.args))
                    found |= {sentence(said) for said in node.args[place : place + 1]}
    told = (text for text in found if len(_WORD.findall(text)) > 1)
    return sorted(told, key=lambda text: (-len(_WORD.findall(text)), text))


def sentence(said: ast.expr) -> str:
    """Return a sentence of a program, with {0}, {1} … for what it puts in; "" where it is none.

    >>> sentence(ast.parse("f'{name!r} has no {what}.'", mode="eval").body)
    '{0} has no {1}.'
    """
    if isinstance(said, ast.Constant):
        return _escaped(said)
    if not isinstance(said, ast.JoinedStr):
        return ""
    number = count()
    return "".join(
        _escaped(part) if isinstance(part, ast.Constant) else f"{{{next(number)}}}"
        for part in said.values
    )


def _escaped(text: ast.Constant) -> str:
    return str(text.value).replace("{", "{{").replace("}", "}}")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _table(name: str, texts: dict[str, str]) -> Iterator[str]:
    yield f"\n[{name}]"
    for key, text in texts.items():
        yield f"{key} = {_quoted(text)}"


if __name__ == "__main__":
    FILE.write_text(whole(), "utf-8")
