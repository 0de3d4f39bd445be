"""`filon review RUN`."""

import json
import sys
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.outcome import tell
from filon.run.report import write_report
from filon.run.text import counted
from filon.verbs.settle import settle

_ANSWERS = {"y": True, "yes": True, "n": False, "no": False, "s": None, "skip": None, "": None}


def review(
    run: o.RunFolder,
    most: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            show_default=False,
            help="Ask at most so many questions; by default as long as the answers help.",
        ),
    ] = None,
    json_: o.Json = False,
) -> int:
    """Ask about the most uncertain results of an enrichment or a discovery, and learn from it.

    Of an enrichment, each question shows a row beside a record: y where they are the same, n where
    not, s to skip, u to take the last answer back, q to end; then the table is filled again. Of a
    discovery it shows a site: y where it is what you look for; then the list is ordered again, and
    filon resume goes on with what you said. It is kept, also where the session ends early; a few
    dozen answers suffice. No call is made.

    Example: filon review filon-runs/papers-openalex-001
    """
    verb = settle(run)
    questions = verb.review(run, most or 0)
    while question := questions.next():
        typer.echo(question.shown(questions.answers + 1), err=True)
        reply = _ask()
        if reply == "q":
            break
        if reply == "u":
            if not questions.undo():
                typer.echo("There is no answer to take back.", err=True)
            continue
        questions.answer(question, _ANSWERS[reply])
    else:
        is_bound = most and questions.answers >= most
        more = f"More may help: filon review {run}" if is_bound else "Nothing more is worth asking."
        typer.echo(more, err=True)
    questions.end()
    write_report(run, verb.page)
    if json_:
        outcome = verb.outcome(run).as_object()
        typer.echo(json.dumps({**outcome, "verb": "review", "answers": questions.answers}))
        return 0
    done = f"{counted(questions.answers, 'answer')} taken; {questions.done} again."
    typer.echo(done, err=True)
    return tell(run, as_json=False)


def _ask() -> str:
    """Return an answer that is understood; the end of the input is "q"."""
    while True:
        print("  [y]es, [n]o, [s]kip, [u]ndo, [q]uit: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        reply = line.strip().lower()
        if not line or reply in ("q", "quit"):
            return "q"
        if reply in ("u", "undo"):
            return "u"
        if reply in _ANSWERS:
            return reply
