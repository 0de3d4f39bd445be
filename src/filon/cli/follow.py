"""`filon follow URI…`."""

from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.session import launch
from filon.cli.wishes import FOLLOW_FIELDS, gather
from filon.verbs.follow import Follow
from filon.verbs.follow.seeds import seed_uri
from filon.verbs.follow.settings import FollowSettings
from filon.verbs.lines import read_lines

_SCOPE = "How far to go"

Uris = Annotated[
    list[str] | None, typer.Argument(metavar="[URI]...", help="Where to start.", show_default=False)
]
Seeds = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="More URIs to start from, one a line.", show_default=False),
]
Strategy = Annotated[
    str | None, typer.Option(metavar="NAME", help="How URIs are chosen; lode by default.")
]
Places = Annotated[
    str | None,
    typer.Option(
        "--follow",
        metavar="LIST",
        help="The places of a triple whose URIs are followed, of subject,object,predicate,type; "
        "all by default.",
        rich_help_panel=_SCOPE,
    ),
]
Within = Annotated[
    str | None,
    typer.Option(
        metavar="any|domain|host",
        help="Stay at the domains or the hosts of the seeds; any by default.",
        rich_help_panel=_SCOPE,
    ),
]
Prefix = Annotated[
    list[str] | None,
    typer.Option(
        metavar="URI",
        help="Follow only URIs that begin so; may be repeated.",
        rich_help_panel=_SCOPE,
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="How many documents away from a seed; 0, the default, is without bound.",
        rich_help_panel=_SCOPE,
    ),
]
NoShortcuts = Annotated[
    bool | None,
    typer.Option(
        "--no-shortcuts",
        help="Ask for documents only: use no catalogues, dumps, endpoints and links in headers.",
        rich_help_panel=_SCOPE,
        show_default=False,
    ),
]
Stop = Annotated[
    str | None,
    typer.Option(
        metavar="auto|never",
        help="auto (default) ends when nothing was found for long and what is left promises next "
        "to nothing, if the strategy is lode; never goes on to the last URI.",
    ),
]
Parallel = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Requests in flight in all; 1 by default.",
        rich_help_panel=o.POLITE,
    ),
]
PerHost = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Requests in flight to one host; 1 by default.",
        rich_help_panel=o.POLITE,
    ),
]


def follow(
    context: typer.Context,
    uris: Uris = None,
    seeds: Seeds = None,
    budget: o.Budget = None,
    strategy: Strategy = None,
    stop: Stop = None,
    out: o.Out = None,
    seed: o.Seed = None,
    follow_: Places = None,
    within: Within = None,
    prefix: Prefix = None,
    depth: Depth = None,
    no_shortcuts: NoShortcuts = None,
    set_: o.Set = None,
    config: o.Config = None,
    dry_run: o.DryRun = False,
    json_: o.Json = False,
    delay: o.Delay = None,
    parallel: Parallel = None,
    per_host: PerHost = None,
    no_robots: o.NoRobots = None,
    contact: o.Contact = None,
    user_agent: o.UserAgent = None,
    insecure: o.Insecure = None,
    ca_file: o.CaFile = None,
    connect_to: o.ConnectTo = None,
    proxy: o.Proxy = None,
    header: o.Header = None,
    no_cookies: o.NoCookies = None,
    timeout: o.Timeout = None,
    retries: o.Retries = None,
) -> int:
    """Collect the RDF of the Linked Data web around seed URIs, with the fewest requests.

    Which URIs lead to RDF is learnt on the way: those like the ones that did are asked for first.
    The run folder holds graph.nq (N-Quads, a graph a document, with its provenance), an archive of
    all answers, a ledger of every step and a report.

    Example: filon follow http://dbpedia.org/resource/Quartz --budget 5000req --parallel 8
    """
    wishes = gather(config, context.params, FOLLOW_FIELDS)
    out_wish = wishes.pop("out", None)
    listed = wishes.pop("seeds_file", None)
    every = [*(uris or ()), *(read_lines(Path(listed), seed_uri) if listed else ())]
    settings = FollowSettings(seeds=tuple(every), **wishes)
    return launch(Follow(), settings, out_wish, dry_run=dry_run, as_json=json_)
