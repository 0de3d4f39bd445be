"""`filon replicate URL`."""

import typer

from filon.cli import options as o
from filon.cli.session import launch
from filon.cli.wishes import gather
from filon.verbs.harvest.replicate import Replicate, settings_for


def replicate(
    context: typer.Context,
    url: o.Url,
    types: o.Types = None,
    budget: o.Budget = None,
    out: o.Out = None,
    url_rule: o.UrlRule = None,
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
    """Make an offline copy of a site, to compare strategies on.

    Every page and file is fetched once, breadth first, to the last link. The copy is a run folder
    like any other: it can be resumed, exported and looked at.

    Example: filon replicate https://www.example.org/ --out example
    """
    wishes = gather(config, context.params)
    out_wish = wishes.pop("out", None)
    settings = settings_for(url, wishes)
    return launch(Replicate(), settings, out_wish, dry_run=dry_run, as_json=json_)
