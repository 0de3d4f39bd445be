"""`filon review RUN`."""

import json
import sys
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.outcome import enriched_object, tell
from filon.run.enriched import enriched
from filon.run.plain import counted, plain
from filon.verbs.review import Question, Sitting

_ANSWERS = {"y": True, "yes": True, "n": False, "no": False, "s": None, "skip": None, "": None}


def review(
    run: o.RunFolder,
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="Ask at most so many questions.")
    ] = 50,
    json_: o.Json = False,
) -> int:
    """Ask about the most uncertain matches of an enrichment, learn, and fill the table again.

    Each question shows a row beside a record: y where they are the same, n where not, s to skip,
    q to end. What is said is kept, also where the sitting ends early; a few dozen answers suffice.
    No call is made.

    Example: filon review filon-runs/papers-openalex-001
    """
    sitting = Sitting(run, most)
    while question := sitting.next():
        typer.echo(_shown(question, sitting.answers + 1), err=True)
        said = _ask()
        if said == "q":
            break
        sitting.answer(question, _ANSWERS[said])
    else:
        typer.echo("Nothing more is worth asking.", err=True)
    sitting.end()
    if json_:
        told = enriched_object(enriched(run))
        typer.echo(json.dumps({**told, "verb": "review", "answers": sitting.answers}))
        return 0
    typer.echo(f"{counted(sitting.answers, 'answer')} taken; the table is filled again.", err=True)
    return tell(run, as_json=False)


def _shown(question: Question, number: int) -> str:
    width = max(map(len, question.sides), default=0)
    lines = [f"\n{number}. Are these the same? (score {question.pair.score:.2f})"]
    for name, (own, found) in question.sides.items():
        lines.append(f"  {plain(name):>{width}}  {plain(own, 100)}")
        lines.append(f"  {'':>{width}}  {plain(found, 100)}")
    return "\n".join(lines)


def _ask() -> str:
    """Return an answer that is understood; the end of the input is "q"."""
    while True:
        print("  [y]es, [n]o, [s]kip, [q]uit: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        said = line.strip().lower()
        if not line or said in ("q", "quit"):
            return "q"
        if said in _ANSWERS:
            return said
