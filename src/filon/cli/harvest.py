"""`filon harvest URL`."""

import typer

from filon.cli import options as o
from filon.cli.session import launch
from filon.cli.wishes import gather
from filon.verbs.harvest import Harvest
from filon.verbs.harvest.settings import HarvestSettings


@o.takes(
    "types strategy budget out seed stop set_ url_rule no_portals config dry_run json_",
    "delay parallel no_robots",
    o.REACH,
    "no_cookies max_size timeout retries",
)
def harvest(
    context: typer.Context, url: o.Url, config: o.Config, dry_run: o.DryRun, json_: o.Json
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
