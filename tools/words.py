"""The words of options and operations in src/filon/serve/words.toml, made from these themselves.

    python -m tools.words

Who translates the pages finds them there, beside all others. A test fails when they are stale.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import filon.serve
from filon.dispatch.plan import BEGINS
from filon.serve.api import OPERATIONS
from filon.serve.form import panel_key
from filon.verbs.option import name_of, ways
from filon.verbs.registry import VERBS

FILE = Path(filon.serve.__file__).parent / "words.toml"
#: What follows in the file is made here.
_MARK = "# Options as --help has them, made by `python -m tools.words`: what all verbs have alike\n"
_MORE = "# is in [option.any], and a verb's own in its table; then the operations of the API.\n"


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


def _helps(verb: str) -> Iterator[tuple[str, str]]:
    for entry, number, way in ways(VERBS.find(verb)().settings):
        if not way.argument:
            yield name_of(entry, number), way.help


def _table(name: str, texts: dict[str, str]) -> Iterator[str]:
    yield f"\n[{name}]"
    for key, text in texts.items():
        yield f"{key} = {json.dumps(text, ensure_ascii=False)}"


if __name__ == "__main__":
    FILE.write_text(whole(), "utf-8")
