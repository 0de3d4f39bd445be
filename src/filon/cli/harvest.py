"""`filon harvest URL`."""

from functools import partial

import typer

from filon.cli import options as o
from filon.cli.rehearsal import rehearse
from filon.cli.sitting import attend
from filon.cli.wishes import gather
from filon.verbs.harvest import start
from filon.verbs.place import place
from filon.verbs.settings import Settings


def harvest(
    context: typer.Context,
    url: o.Url,
    types: o.Types = None,
    strategy: o.Strategy = None,
    budget: o.Budget = None,
    out: o.Out = None,
    seed: o.Seed = None,
    stop: o.Stop = None,
    set_: o.Set = None,
    config: o.Config = None,
    dry_run: o.DryRun = False,
    json_: o.Json = False,
    delay: o.Delay = None,
    parallel: o.Parallel = None,
    no_robots: o.NoRobots = None,
    contact: o.Contact = None,
    user_agent: o.UserAgent = None,
    insecure: o.Insecure = None,
    ca_file: o.CaFile = None,
    connect_to: o.ConnectTo = None,
    proxy: o.Proxy = None,
    header: o.Header = None,
    no_cookies: o.NoCookies = None,
    max_size: o.MaxSize = None,
    timeout: o.Timeout = None,
    retries: o.Retries = None,
) -> int:
    """Get the data files of a website with the fewest requests.

    What it does is learnt on the way: links like those that led to files are followed first.
    The run folder holds the files, an archive of the pages, a ledger of every step and a report.

    Example: filon harvest https://www.example.org/statistics --budget 500
    """
    settings = Settings(url=url, **gather(config, context.params))
    folder = place(out, settings.url)
    if dry_run:
        return rehearse(settings, folder, as_json=json_)
    if "://" not in url:
        typer.echo(f"No http:// or https:// was given: trying {settings.url}", err=True)
    return attend(folder, partial(start, settings, folder), settings.bound(), as_json=json_)
