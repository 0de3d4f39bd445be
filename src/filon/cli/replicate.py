"""`filon replicate URL`."""

import typer

from filon.cli import options as o
from filon.cli.session import launch
from filon.cli.wishes import gather
from filon.verbs.harvest.replicate import Replicate, settings_for


@o.takes(
    "types budget out url_rule config dry_run json_ delay parallel no_robots",
    o.REACH,
    "no_cookies max_size timeout retries",
)
def replicate(
    context: typer.Context, url: o.Url, config: o.Config, dry_run: o.DryRun, json_: o.Json
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
