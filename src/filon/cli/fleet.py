"""`filon fleet`: run, work, status, top, logs, pause, drain, retry, lake."""

import typer

from filon.cli.fleet_lake import lake
from filon.cli.fleet_look import logs, status, top
from filon.cli.fleet_orders import drain, pause, retry
from filon.cli.fleet_run import run, work

fleet = typer.Typer(
    name="fleet",
    add_completion=False,
    help="Harvest thousands of sites under one budget, by one process or by many machines.",
    no_args_is_help=True,
)
for command in (run, work, status, top, logs, pause, drain, retry, lake):
    fleet.command()(command)
