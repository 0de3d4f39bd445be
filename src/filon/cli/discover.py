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
    o.option(
        "FILE|URL",
        "Sites that are examples: an address, or a file with one a line; may be repeated.",
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
    o.option(
        "PATH", "Search your own runs, WARC files or folders of pages too; may be repeated.", _ASKED
    ),
]
Registry = Annotated[
    Path | None,
    o.option("FILE", "A file of known catalogues, as dataportals-registry has them.", _ASKED),
]
Language = Annotated[
    str | None,
    o.option("LIST", "Other languages to ask in, as fr,es, where the strategy can.", _ASKED),
]
Fresh = Annotated[
    bool,
    typer.Option(
        "--fresh",
        help="Ask services again for what earlier runs have asked.",
        rich_help_panel=_ASKED,
    ),
]
Strategy = Annotated[str | None, o.option("NAME", f"How it goes about it; {DEFAULT} by default.")]
Sites = Annotated[
    str | None,
    o.option(
        "domain|host",
        "What makes two pages one site: the registered domain (default), or the host.",
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
    int | None, o.option("N", "Requests in flight in all; 1 by default.", o.POLITE)
]
PerHost = Annotated[
    int | None, o.option("N", "Requests in flight to one host; 1 by default.", o.POLITE)
]


@o.takes(
    "seeds budget strategy sites out seed search local registry language fresh review",
    "set_ config dry_run json_ delay parallel per_host no_robots contact user_agent",
    "insecure ca_file connect_to proxy no_cookies timeout retries",
)
def discover(
    context: typer.Context,
    topic: Topic = None,
    *,
    fresh: Fresh,
    review: Review,
    config: o.Config,
    dry_run: o.DryRun,
    json_: o.Json,
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
