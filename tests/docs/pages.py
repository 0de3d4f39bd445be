"""The pages of the documentation, taken apart: fenced blocks and the commands in them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_INLINE = re.compile(r"`(filon [^`\n]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced block; `follows`: nothing but a blank line is between it and the block before."""

    kind: str
    text: str
    follows: bool = False


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page in their order."""
    text, end, found = page.read_text("utf-8"), -1, []
    for fence in _FENCE.finditer(text):
        follows = end >= 0 and not text[end : fence.start()].strip()
        found.append(Block(fence[1], fence[2], follows))
        end = fence.end()
    return found


def commands(block: Block) -> list[list[str]]:
    """Return the commands of a block, in words; a comment behind them is left out."""
    lines = (line for line in block.text.splitlines() if line.startswith("filon "))
    return [shlex.split(line, comments=True) for line in lines]


def every_command() -> Iterator[tuple[str, list[str]]]:
    """Yield each command that a page tells a reader to type, with the name of the page.

    What has an ellipsis or stands for a pattern is no command; a verb alone is its name, and so is
    one of the commands of a group.
    """
    for page in PAGES:
        told = [words for block in blocks(page) for words in commands(block)]
        told += [shlex.split(code) for code in _INLINE.findall(page.read_text("utf-8"))]
        for words in told:
            name = 3 if words[1:2] in (["catalog"], ["source"]) else 2
            if len(words) > name and not any("…" in word or "[" in word for word in words):
                yield page.name, words
