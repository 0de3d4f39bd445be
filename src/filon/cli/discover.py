"""`filon discover TOPIC…`."""

from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.session import launch
from filon.cli.wishes import DISCOVER_FIELDS, gather
from filon.verbs.discover import Discover
from filon.verbs.discover.examples import examples
from filon.verbs.discover.settings import DiscoverSettings
from filon.verbs.discover.strategies import DEFAULT

_ASKED = "Who is asked"

Topic = Annotated[
    list[str] | None,
    typer.Argument(metavar="[TOPIC]...", help="What it should be about.", show_default=False),
]
Seeds = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE|URL",
        help="Sites that are examples: an address, or a file with one a line; may be repeated.",
    ),
]
Search = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME|FILE[:KEY=VALUE,…]",
        help="A search service to ask, such as datacite or searxng:url=http://localhost:8888, or a "
        "TOML file that describes one; may be repeated. By default all that need no key, and those "
        "whose key is known.",
        rich_help_panel=_ASKED,
    ),
]
Local = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="PATH",
        help="Search your own runs, WARC files or folders of pages too; may be repeated.",
        rich_help_panel=_ASKED,
    ),
]
Registry = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A file of known catalogues, as dataportals-registry has them.",
        rich_help_panel=_ASKED,
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="Other languages to ask in, as fr,es, where the strategy can.",
        rich_help_panel=_ASKED,
    ),
]
Fresh = Annotated[
    bool,
    typer.Option(
        "--fresh",
        help="Ask services again for what earlier runs have asked.",
        rich_help_panel=_ASKED,
    ),
]
Strategy = Annotated[
    str | None,
    typer.Option(metavar="NAME", help=f"How it goes about it; {DEFAULT} by default."),
]
Sites = Annotated[
    str | None,
    typer.Option(
        metavar="domain|host",
        help="What makes two pages one site: the registered domain (default), or the host.",
    ),
]
Review = Annotated[
    bool,
    typer.Option(
        "--review",
        help="After the run, ask about the best and the most doubtful sites, and order them anew.",
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


def discover(
    context: typer.Context,
    topic: Topic = None,
    seeds: Seeds = None,
    budget: o.Budget = None,
    strategy: Strategy = None,
    sites: Sites = None,
    out: o.Out = None,
    seed: o.Seed = None,
    search: Search = None,
    local: Local = None,
    registry: Registry = None,
    language: Language = None,
    fresh: Fresh = False,
    review: Review = False,
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
    no_cookies: o.NoCookies = None,
    timeout: o.Timeout = None,
    retries: o.Retries = None,
) -> int:
    """Find the sites and dataset repositories of a domain, ranked, with why.

    Search services are asked, what they bring is looked at, and the next questions go where the
    last ones paid. The run folder holds the list as sites.csv, sites.json and catalog.ttl (DCAT),
    harvest.txt for filon harvest, an archive of all answers, a ledger of every step and a report.

    Example: filon discover "ethiopia food security" --budget 2000req --parallel 8
    """
    wishes = gather(config, {**context.params, "fresh": fresh or None}, DISCOVER_FIELDS)
    out_wish = wishes.pop("out", None)
    wishes["seeds"] = examples(wishes.get("seeds", ()))
    settings = DiscoverSettings(topic=" ".join(topic or ()), **wishes)
    return launch(Discover(), settings, out_wish, dry_run=dry_run, as_json=json_, review=review)
