"""Our docstrings as Markdown: an example is a block of code, a parameter an item of a list."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import griffe

_PARAMETER = re.compile(r"^(\*{0,2}[a-z_]\w*(?:, \*{0,2}[a-z_]\w*)*): (?=\S)")


class Plain(griffe.Extension):  # type: ignore[misc, unused-ignore]
    """Rewrites each docstring as it is read."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Take the docstring of a module, class or function."""
        if obj.docstring:
            obj.docstring.value = markdown(obj.docstring.value)


def markdown(docstring: str) -> str:
    """Return a docstring as Markdown.

    >>> print(markdown("Add.\\n\\na, b: numbers\\n\\n>>> 1 + 1\\n2"))
    Add.
    <BLANKLINE>
    - `a, b`: numbers
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    lines = docstring.splitlines()
    parts = [
        list(part) for filled, part in groupby(lines, key=lambda line: bool(line.strip())) if filled
    ]
    return "\n\n".join("\n".join(_part(part)) for part in parts)


def _part(lines: list[str]) -> Iterator[str]:
    if lines[0].lstrip().startswith(">>>"):
        indent = len(lines[0]) - len(lines[0].lstrip())
        yield from ("```pycon", *(line[indent:] for line in lines), "```")
        return
    items = bool(_PARAMETER.match(lines[0]))
    for line in lines:
        yield _PARAMETER.sub(r"- `\1`: ", line) if items else line
