"""The options that several verbs share: each is said once, with its help.

Every default is None, "not given": what is not given comes from --config, then from Settings.
"""

from pathlib import Path
from typing import Annotated

import typer

POLITE = "Politeness and safety"
_NET = "Network"

Url = Annotated[str, typer.Argument(metavar="URL", help="Where the site starts.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
Types = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="What counts as a find: data (default), names like csv,xlsx, pdf, media types, "
        "or paper (the 38 types of the paper).",
    ),
]
Strategy = Annotated[
    str | None, typer.Option(metavar="NAME", help="How links are chosen; vein by default.")
]
Budget = Annotated[
    str | None,
    typer.Option(
        metavar="BOUNDS",
        help="What may be spent: 2000req,1GiB,2h,50finds, any mix; a bare number is requests.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="The folder to write; by default filon-runs/HOST-001 and so on."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", help="The same seed makes the same choices; 0 by default."),
]
Stop = Annotated[
    str | None,
    typer.Option(
        metavar="auto|paper|never",
        help="auto (default) ends when the next requests are not worth it, by the strategy's own "
        "rule; paper as in section 4.8 of SB-CLASSIFIER; never goes on to the last link.",
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A parameter of the strategy; may be repeated."
    ),
]
UrlRule = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=on|off",
        help="When two URLs are one page: switch a rule, as drop_www=on; may be repeated.",
    ),
]
NoPortals = Annotated[
    bool | None,
    typer.Option(
        "--no-portals",
        help="Do not ask a portal (CKAN, Socrata and others) for its list of files; follow links.",
        show_default=False,
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A TOML file with these options by name; flags win."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be done; send and write nothing.")
]
Json = Annotated[
    bool, typer.Option("--json", help="End standard output with one JSON object for scripts.")
]

Delay = Annotated[
    float | None,
    typer.Option(
        metavar="S",
        help="Seconds between requests to a host; 1 by default.",
        rich_help_panel=POLITE,
    ),
]
Parallel = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Requests in flight at a time; 1 by default.", rich_help_panel=POLITE
    ),
]
NoRobots = Annotated[
    bool | None,
    typer.Option(
        "--no-robots",
        help="Do not obey robots.txt; it is recorded as a deviation.",
        rich_help_panel=POLITE,
        show_default=False,
    ),
]
Contact = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="A mail address or page in the User-Agent, so that the site can reach you.",
        rich_help_panel=POLITE,
    ),
]
UserAgent = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT", help="Another User-Agent; recorded as a deviation.", rich_help_panel=POLITE
    ),
]
Insecure = Annotated[
    bool | None,
    typer.Option(
        "--insecure",
        help="Do not verify TLS certificates; recorded as a deviation.",
        rich_help_panel=POLITE,
        show_default=False,
    ),
]
CaFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Certificates to trust besides the system's.", rich_help_panel=POLITE
    ),
]

ConnectTo = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HOST1:PORT1:HOST2:PORT2",
        help="Send requests for the first to the second, as in curl; empty parts match all; "
        "may be repeated.",
        rich_help_panel=_NET,
    ),
]
Proxy = Annotated[
    str | None, typer.Option(metavar="URL", help="An HTTP proxy.", rich_help_panel=_NET)
]
Header = Annotated[
    list[str] | None,
    typer.Option(
        metavar="'NAME: VALUE'",
        help="A header for the start URL's site only, or @FILE with one a line; the value is "
        "never stored; may be repeated.",
        rich_help_panel=_NET,
    ),
]
NoCookies = Annotated[
    bool | None,
    typer.Option(
        "--no-cookies",
        help="Send no cookies back.",
        rich_help_panel=_NET,
        show_default=False,
    ),
]
MaxSize = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE", help="The largest file that is downloaded: 500MB.", rich_help_panel=_NET
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        metavar="S",
        help="A request without a sign of life for so long is given up; 30.",
        rich_help_panel=_NET,
    ),
]
Retries = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="How often a failed request is sent again; 2 by default.",
        rich_help_panel=_NET,
    ),
]
