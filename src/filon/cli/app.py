"""The command line: what commands there are. Each is imported when it is asked for.

A verb's command is made from the verb; the others have a file each. The help of `filon` alone
shows the lines that stand here, so that it loads no room; a verb of another package is asked for
its own.
"""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from filon.cli import INTERRUPTED
from filon.core import FilonError, UserError
from filon.core.suggest import unknown
from filon.core.version import __version__

#: By name: where a command is, or "" where a verb of ours makes it, and what it does.
COMMANDS = {
    "harvest": ("", "Get the data files of a website with the fewest requests."),
    "discover": ("", "Find the sites and dataset repositories of a domain, ranked, with why."),
    "follow": (
        "",
        "Collect the RDF of the Linked Data web around seed URIs, with the fewest requests.",
    ),
    "enrich": (
        "",
        "Fill columns of a table from a service with a keyword search, with the fewest calls.",
    ),
    "acquire": (
        "",
        "Get the data files of a topic from many sites, under one budget, into one catalog.",
    ),
    "fleet": (
        "filon.cli.fleet",
        "Harvest thousands of sites under one budget, by one process or by many machines.",
    ),
    "refresh": (
        "filon.cli.refresh",
        "Look again at what a run has brought: what is new, what changed, what is gone.",
    ),
    "watch": (
        "filon.cli.watch",
        "Look again at many sites, each when it is due, in one process.",
    ),
    "diff": (
        "filon.cli.diff",
        "Tell what the rounds of a run have found: new, changed, moved and vanished files.",
    ),
    "gc": (
        "filon.cli.versions",
        "Delete old versions of files that rounds of a run have found changed.",
    ),
    "resume": (
        "filon.cli.resume",
        "Go on with a run that was interrupted, or whose budget was spent.",
    ),
    "review": (
        "filon.cli.review",
        "Ask about the most uncertain results of an enrichment or a discovery, and learn from it.",
    ),
    "list": (
        "filon.cli.runs",
        "List the runs of a folder: how they stand, what they cost and brought, the latest first.",
    ),
    "report": ("filon.cli.report", "Write the report of a run, and print where it is."),
    "export": (
        "filon.cli.export",
        "Write the finds of a run as a table or as a folder of files, and print where it is.",
    ),
    "why": (
        "filon.cli.why",
        "Tell the chain of steps and reasons that led to a URL, in plain words.",
    ),
    "profile": (
        "filon.cli.profile",
        "Tell what is in the files that a run found: formats, tables, columns, what they cover.",
    ),
    "catalog": (
        "filon.cli.catalog",
        "Search, look at and query the files of all runs of a folder.",
    ),
    "serve": (
        "filon.cli.serve",
        "Show Filon as pages in a browser: start runs, watch them, search what they brought.",
    ),
    "mcp": (
        "filon.cli.mcp",
        "Let an agent use Filon by the Model Context Protocol, within limits that you set.",
    ),
    "replicate": ("", "Make an offline copy of a site, to compare strategies on."),
    "compare": (
        "filon.cli.compare",
        "Run strategies on recorded sites, and write the tables and plots of the paper.",
    ),
    "learn": (
        "filon.cli.learn",
        "Learn from recorded sites what links mean, for the next harvest of a new one.",
    ),
    "cache": (
        "filon.cli.cache",
        "Tell about the answers of search services that are kept, so that none is paid for twice.",
    ),
    "demo": (
        "filon.cli.demo",
        "Show the whole way on a small web that comes with Filon, on loopback only.",
    ),
    "source": (
        "filon.cli.source",
        "Look at the search services that a table can be enriched from, and probe one.",
    ),
    "reconcile": (
        "filon.cli.reconcile",
        "Let OpenRefine use what you have, or a service under a budget.",
    ),
}


class CutShortError(FilonError):
    """Ctrl-C where no run goes on that could be ended in order; typer would say nothing."""

    exit_code = INTERRUPTED


@contextmanager
def _interruptible() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise CutShortError("Interrupted.") from interrupt


class Commands(TyperGroup):
    """The commands by name, each loaded when it is called."""

    def make_context(self, *arguments: Any, **more: Any) -> Any:
        """Read what was typed."""
        with _interruptible():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: Any) -> Any:
        """Call the command that was typed."""
        with _interruptible():
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names: ours, and the verbs of other packages."""
        from filon.verbs.registry import VERBS

        return [*COMMANDS, *(name for name in VERBS if name not in COMMANDS)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command to be shown in a list: its name and what it does."""
        if cmd_name in COMMANDS:
            return TyperCommand(cmd_name, help=COMMANDS[cmd_name][1])
        if cmd_name not in self.list_commands(ctx):
            return None
        try:
            return load(cmd_name)
        except UserError as error:  # told in full to whoever types it
            return TyperCommand(cmd_name, help=str(error), short_help="Cannot be loaded.")

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that was typed, loaded, with its arguments."""
        if args[0] not in COMMANDS and args[0] not in (names := self.list_commands(ctx)):
            raise unknown("command", args[0], names)
        name, found, rest = super().resolve_command(ctx, args)
        return name, load(name) if found and name else found, rest

    @property
    def loaded(self) -> Iterator[tuple[str, Any]]:
        """Yield all commands, for those who write about them."""
        for name in self.list_commands(None):
            yield name, load(name)


def load(name: str) -> Any:
    """Return a command of click by its name."""
    module = COMMANDS.get(name, ("",))[0]
    if module:
        file = importlib.import_module(module)
        found = getattr(file, name, None) or getattr(file, f"{name}_")  # list is Python's own
    else:
        from filon.cli.commands import command
        from filon.verbs.registry import VERBS

        found = command(VERBS.find(name)())
    if isinstance(found, typer.Typer):
        return typer.main.get_command(found)
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(name, context_settings=_CONTEXT)(found)
    return typer.main.get_command(alone)


_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_HELP = "Get data out of the web under a budget: the tool learns where it pays to look."
app = typer.Typer(
    name="filon",
    cls=Commands,
    help=_HELP,
    epilog="Exit codes: 0 ended as asked, 2 a mistake in the command, 4 the machine failed "
    "(resumable), 130 interrupted (resumable).",
    context_settings=_CONTEXT,
    pretty_exceptions_enable=False,
)


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
