"""`filon review RUN`."""

import json
import sys
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.outcome import discovered_object, enriched_object, tell
from filon.run.text import counted, plain
from filon.verbs.discover.found import is_discovered
from filon.verbs.discover.review import Candidate, Hearing
from filon.verbs.discover.summary import discovered
from filon.verbs.enrich.review import Question, Sitting
from filon.verbs.enrich.summary import enriched

_ANSWERS = {"y": True, "yes": True, "n": False, "no": False, "s": None, "skip": None, "": None}


def review(
    run: o.RunFolder,
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="Ask at most so many questions.")
    ] = 50,
    json_: o.Json = False,
) -> int:
    """Ask about the most uncertain results of an enrichment or a discovery, and learn from it.

    Of an enrichment, each question shows a row beside a record: y where they are the same, n where
    not, s to skip, q to end; then the table is filled again. Of a discovery it shows a site: y
    where it is what you look for; then the list is ordered again, and filon resume goes on with
    what you said. It is kept, also where the sitting ends early; a few dozen answers suffice. No
    call is made.

    Example: filon review filon-runs/papers-openalex-001
    """
    sitting: Sitting | Hearing = Hearing(run, most) if is_discovered(run) else Sitting(run, most)
    while question := sitting.next():
        typer.echo(_shown(question, sitting.answers + 1), err=True)
        said = _ask()
        if said == "q":
            break
        sitting.answer(question, _ANSWERS[said])  # type: ignore[arg-type]  # its own question
    else:
        typer.echo("Nothing more is worth asking.", err=True)
    sitting.end()
    if json_:
        listed = isinstance(sitting, Hearing)
        told = discovered_object(discovered(run)) if listed else enriched_object(enriched(run))
        typer.echo(json.dumps({**told, "verb": "review", "answers": sitting.answers}))
        return 0
    done = "the list is ordered" if isinstance(sitting, Hearing) else "the table is filled"
    typer.echo(f"{counted(sitting.answers, 'answer')} taken; {done} again.", err=True)
    return tell(run, as_json=False)


def _shown(question: Question | Candidate, number: int) -> str:
    if isinstance(question, Candidate):
        return _site(question, number)
    width = max(map(len, question.sides), default=0)
    lines = [f"\n{number}. Are these the same? (score {question.pair.score:.2f})"]
    for name, (own, found) in question.sides.items():
        lines.append(f"  {plain(name):>{width}}  {plain(own, 100)}")
        lines.append(f"  {'':>{width}}  {plain(found, 100)}")
    return "\n".join(lines)


def _site(question: Candidate, number: int) -> str:
    site = question.site
    told = (site.url, site.title, site.verified, f"because {site.why}")
    lines = (f"  {plain(line, 160)}" for line in told if line)
    return "\n".join([f"\n{number}. Is this what you look for? (rank {site.rank})", *lines])


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
