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
Strategy = Annotated[str | None, o.option("NAME", "How URIs are chosen; lode by default.")]
Places = Annotated[
    str | None,
    o.option(
        "LIST",
        "The places of a triple whose URIs are followed, of subject,object,predicate,type; "
        "all by default.",
        _SCOPE,
        name="--follow",
    ),
]
Within = Annotated[
    str | None,
    o.option(
        "any|domain|host", "Stay at the domains or the hosts of the seeds; any by default.", _SCOPE
    ),
]
Prefix = Annotated[
    list[str] | None, o.option("URI", "Follow only URIs that begin so; may be repeated.", _SCOPE)
]
Depth = Annotated[
    int | None,
    o.option("N", "How many documents away from a seed; 0, the default, is without bound.", _SCOPE),
]
NoShortcuts = Annotated[
    bool | None,
    o.switch(
        "--no-shortcuts",
        "Ask for documents only: use no catalogues, dumps, endpoints and links in headers.",
        _SCOPE,
    ),
]
Stop = Annotated[
    str | None,
    o.option(
        "auto|never",
        "auto (default) ends when nothing was found for long and what is left promises next "
        "to nothing, if the strategy is lode; never goes on to the last URI.",
    ),
]
Parallel = Annotated[
    int | None, o.option("N", "Requests in flight in all; 1 by default.", o.POLITE)
]
PerHost = Annotated[
    int | None, o.option("N", "Requests in flight to one host; 1 by default.", o.POLITE)
]


@o.takes(
    "seeds budget strategy stop out seed follow_ within prefix depth no_shortcuts set_",
    "config dry_run json_ delay parallel per_host no_robots",
    o.REACH,
    "no_cookies timeout retries",
)
def follow(
    context: typer.Context,
    uris: Uris = None,
    *,
    follow_: Places,
    config: o.Config,
    dry_run: o.DryRun,
    json_: o.Json,
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
