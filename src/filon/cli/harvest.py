"""`filon harvest URL`."""

import typer

from filon.cli import options as o
from filon.cli.session import launch
from filon.cli.wishes import gather
from filon.verbs.harvest import Harvest
from filon.verbs.harvest.settings import HarvestSettings


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
    url_rule: o.UrlRule = None,
    no_portals: o.NoPortals = None,
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
    wishes = gather(config, context.params)
    out_wish = wishes.pop("out", None)
    settings = HarvestSettings(url=url, **wishes)
    return launch(Harvest(), settings, out_wish, dry_run=dry_run, as_json=json_)
