"""docs/api.md, made from the signatures and docstrings of the public names.

    python -m tools.api > docs/api.md

A test fails when the file is stale, or when a name is on no list here or has no example.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from itertools import groupby
from typing import Any, Literal, get_args, get_origin, is_typeddict

import filon

HEAD = """\
# Python API

<!-- Made by `make docs` from the package itself: do not edit. -->

All of it is in `import filon`. A run leaves the same folder as on the command line: what one began,
the other can look at and go on with. Each function that begins a run exists twice:
`filon.harvest(…)` waits until the run has ended, also in a notebook, and `await filon.aharvest(…)`
does the same in a program with an event loop of its own. A keyword has the name of the flag that
says the same; [the command reference](reference.md) tells more of each.
"""
STABLE = """\
## What is stable

Until 1.0, a patch release (0.2.1) changes nothing of the following. A minor release (0.3.0) may,
but says so in the [changelog](../CHANGELOG.md), and what has only got another name is still
understood under the old one, with a `DeprecationWarning` in Python.

- The public names: what this page lists, with their parameters and what they return.
- The command line: commands, flags, exit codes and the keys of `--json`.
- [The run folder](run-folder.md): the tables and columns of its ledger, its files, and the names in
  run.toml. A run folder of an earlier version can be looked at and resumed.
- What plugins stand on: the protocols `Strategy`, `Web` and `Searcher` of `filon.core`, the classes
  `Verb` and `Export` with what they are made of, the groups of entry points, and the format of the
  files that describe a service.

Nothing else is: where a module lies, what a strategy learns and in which order it asks, the words
of reports and of messages. Import nothing but `filon` and the names above.
"""
#: The public names by what they are for; one that has a twin with an `a` stands for both.
SECTIONS = {
    "Begin a run, and go on with it": (
        *("harvest", "discover", "acquire", "follow", "enrich", "refresh", "replicate"),
        *("resume", "NetworkOptions"),
    ),
    "Look at a run": ("open_run", "report", "export", "why"),
    "What a run holds": ("Run", "Frame", "StoredFind"),
    "The files of many runs": ("Catalog", "CatalogFile"),
    "Small things": ("Budget", "Find", "FilonError", "UserError", "MachineError"),
}
_PARAMETER = re.compile(r"^([a-z_]\w*(?:, [a-z_]\w*)*): (?=\S)")


def api() -> str:
    """Return the whole page."""
    parts = [HEAD, STABLE]
    for title, names in SECTIONS.items():
        parts.append(f"## {title}\n")
        parts += ["\n".join(_entry(name)) for name in names]
    return "\n".join(parts)


def _entry(name: str) -> Iterator[str]:
    thing = getattr(filon, name)
    yield f"### filon.{name}\n"
    if inspect.isfunction(thing):
        yield f"```python\ndef {signature(thing, name)}: ...\n```\n"
        yield markdown(_docstring(getattr(filon, f"a{name}", thing)))
        if hasattr(filon, f"a{name}"):
            yield f"In `async` code: `await filon.a{name}(…)`, with the same parameters.\n"
        return
    if issubclass(thing, Exception):
        yield f"A kind of `{thing.__base__.__name__}`.\n"
    if fields := list(_fields(thing)):
        base: type = thing.__base__
        head = f"class {name}({base.__name__}):" if is_dataclass(base) else f"class {name}:"
        yield "\n".join(["```python", head, *fields, "```\n"])
    yield markdown(_docstring(thing))
    yield from _members(name, thing)


def _fields(kind: type) -> Iterator[str]:
    """Yield the fields of a class that is made of such, as they are written."""
    if not (is_dataclass(kind) or is_typeddict(kind)):
        return
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(each, ast.AnnAssign):
            yield f"    {ast.unparse(each)}"


def _members(name: str, kind: type) -> Iterator[str]:
    """Yield the properties and methods of a class, as it orders them."""
    for member, value in vars(kind).items():
        if member.startswith("_"):
            continue
        if isinstance(value, property):
            returned = _node(value.fget).returns
            title = f"{name}.{member}: {ast.unparse(returned).strip(chr(39))}" if returned else name
            yield f"#### `{title}`\n"
            yield markdown(_docstring(value))
        elif inspect.isfunction(value) or isinstance(value, classmethod):
            yield f"#### `{signature(getattr(kind, member), f'{name}.{member}')}`\n"
            yield markdown(_docstring(getattr(kind, member)))


def signature(function: Callable[..., Any], name: str) -> str:
    """Return a signature as it is written, with the values of its defaults.

    >>> print(signature(filon.why, "filon.why"))
    filon.why(run: Run | str | Path, url: str) -> str
    """
    node = _node(function)
    known = inspect.unwrap(function).__globals__
    types = {each.arg: each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg)}
    words: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        stars = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
        if parameter.name == "self":
            continue
        note = types.get(parameter.name)
        word = f"{stars}{parameter.name}" + (f": {_told(note, known)}" if note else "")
        if parameter.default is not parameter.empty:
            word += f" = {parameter.default!r}"
        words.append(word)
    returned = f" -> {ast.unparse(node.returns).strip(chr(39))}" if node.returns else ""
    line = f"{name}({', '.join(words)}){returned}"
    if len(line) <= 88:
        return line
    return "\n".join([f"{name}(", *(f"    {word}," for word in words), f"){returned}"])


def _told(note: ast.expr, known: Mapping[str, Any]) -> str:
    """Return an annotation; where only few words will do, these stand in it."""
    few = {name: kind for name, kind in known.items() if get_origin(kind) is Literal}
    return re.sub(
        r"\w+",
        lambda name: f"Literal{list(get_args(few[name[0]]))}" if name[0] in few else name[0],
        ast.unparse(note),
    )


def _node(function: Any) -> ast.FunctionDef | ast.AsyncFunctionDef:
    source = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
    (node,) = ast.parse(source).body
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)  # noqa: S101
    return node


def _docstring(thing: object) -> str:
    return inspect.getdoc(thing) or ""


def markdown(docstring: str) -> str:
    """Return a docstring as Markdown: parameters as a list, examples as code.

    >>> print(markdown("Add.\\n\\na, b: numbers\\n\\n    add(1, 2)"))
    Add.
    <BLANKLINE>
    - `a, b`: numbers
    <BLANKLINE>
    ```python
    add(1, 2)
    ```
    <BLANKLINE>
    """
    lines = docstring.splitlines()
    parts = [list(part) for filled, part in groupby(lines, lambda line: bool(line)) if filled]
    return "\n\n".join("\n".join(_part(part)) for part in parts) + "\n"


def _part(lines: list[str]) -> list[str]:
    text = textwrap.dedent("\n".join(lines))
    if lines[0].startswith(">>>"):
        return ["```pycon", text, "```"]
    if lines[0].startswith("    "):
        return ["```python", text, "```"]
    if not _PARAMETER.match(lines[0]):
        return lines
    return [_PARAMETER.sub(r"- `\1`: ", line) for line in lines]


if __name__ == "__main__":
    print(api(), end="")
