"""The command line: what verbs there are. A file a verb; here they only get their names."""

import typer

from filon.cli.cache import cache
from filon.cli.compare import compare
from filon.cli.demo import demo
from filon.cli.discover import discover
from filon.cli.enrich import enrich
from filon.cli.export import export
from filon.cli.follow import follow
from filon.cli.harvest import harvest
from filon.cli.reconcile import reconcile
from filon.cli.replicate import replicate
from filon.cli.report import report
from filon.cli.resume import resume
from filon.cli.review import review
from filon.cli.source import source
from filon.cli.why import why
from filon.core.version import __version__

app = typer.Typer(
    name="filon",
    help="Get data out of the web under a budget: the tool learns where it pays to look.",
    epilog="Exit codes: 0 ended as asked, 2 a mistake in the command, 4 the machine failed "
    "(resumable), 130 interrupted (resumable).",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    pretty_exceptions_enable=False,
)
VERBS = (
    *(harvest, discover, follow, enrich, resume, review, report, export, why, replicate, compare),
    *(cache, demo),
)
for verb in VERBS:
    app.command()(verb)
app.add_typer(source)
app.add_typer(reconcile)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"filon {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def filon(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and end."
    ),
) -> None:
    """Get data out of the web under a budget: the tool learns where it pays to look."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
