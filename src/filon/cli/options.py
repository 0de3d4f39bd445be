"""The options that several verbs share: each is said once, with its help.

Every default is None, "not given": what is not given comes from --config, then from Settings.
"""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

Command = Callable[..., int]

POLITE = "Politeness and safety"
_NET = "Network"
#: How every verb that sends requests may be told to do so, in the order of the help.
REACH = "contact user_agent insecure ca_file connect_to proxy header"


def option(metavar: str, help_: str, panel: str | None = None, *, name: str | None = None) -> Any:
    """Return an option that takes a value; name: its flag, where its parameter's does not tell."""
    named = (name,) if name else ()
    return typer.Option(*named, metavar=metavar, help=help_, rich_help_panel=panel)


def switch(flag: str, help_: str, panel: str | None = None) -> Any:
    """Return an option that takes none, and is None where it is not given."""
    return typer.Option(flag, help=help_, rich_help_panel=panel, show_default=False)


Url = Annotated[str, typer.Argument(metavar="URL", help="Where the site starts.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
Types = Annotated[
    str | None,
    option(
        "LIST",
        "What counts as a find: data (default), names like csv,xlsx, pdf, media types, "
        "or paper (the 38 types of the paper).",
    ),
]
Strategy = Annotated[str | None, option("NAME", "How links are chosen; vein by default.")]
Budget = Annotated[
    str | None,
    option(
        "BOUNDS", "What may be spent: 2000req,1GiB,2h,50finds, any mix; a bare number is requests."
    ),
]
Out = Annotated[
    Path | None, option("DIR", "The folder to write; by default filon-runs/HOST-001 and so on.")
]
Seed = Annotated[int | None, option("N", "The same seed makes the same choices; 0 by default.")]
Stop = Annotated[
    str | None,
    option(
        "auto|paper|never",
        "auto (default) ends when the next requests are not worth it, by the strategy's own "
        "rule; paper as in section 4.8 of SB-CLASSIFIER; never goes on to the last link.",
    ),
]
Set = Annotated[
    list[str] | None,
    option("NAME=VALUE", "A parameter of the strategy; may be repeated.", name="--set"),
]
UrlRule = Annotated[
    list[str] | None,
    option(
        "NAME=on|off", "When two URLs are one page: switch a rule, as drop_www=on; may be repeated."
    ),
]
NoPortals = Annotated[
    bool | None,
    switch(
        "--no-portals",
        "Do not ask a portal (CKAN, Socrata and others) for its list of files; follow links.",
    ),
]
Config = Annotated[
    Path | None, option("FILE", "A TOML file with these options by name; flags win.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be done; send and write nothing.")
]
Json = Annotated[
    bool, typer.Option("--json", help="End standard output with one JSON object for scripts.")
]

Delay = Annotated[
    float | None, option("S", "Seconds between requests to a host; 1 by default.", POLITE)
]
Parallel = Annotated[int | None, option("N", "Requests in flight at a time; 1 by default.", POLITE)]
NoRobots = Annotated[
    bool | None,
    switch("--no-robots", "Do not obey robots.txt; it is recorded as a deviation.", POLITE),
]
Contact = Annotated[
    str | None,
    option(
        "TEXT", "A mail address or page in the User-Agent, so that the site can reach you.", POLITE
    ),
]
UserAgent = Annotated[
    str | None, option("TEXT", "Another User-Agent; recorded as a deviation.", POLITE)
]
Insecure = Annotated[
    bool | None,
    switch("--insecure", "Do not verify TLS certificates; recorded as a deviation.", POLITE),
]
CaFile = Annotated[
    Path | None, option("FILE", "Certificates to trust besides the system's.", POLITE)
]

ConnectTo = Annotated[
    list[str] | None,
    option(
        "HOST1:PORT1:HOST2:PORT2",
        "Send requests for the first to the second, as in curl; empty parts match all; "
        "may be repeated.",
        _NET,
    ),
]
Proxy = Annotated[str | None, option("URL", "An HTTP proxy.", _NET)]
Header = Annotated[
    list[str] | None,
    option(
        "'NAME: VALUE'",
        "A header for the start URL's site only, or @FILE with one a line; the value is "
        "never stored; may be repeated.",
        _NET,
    ),
]
NoCookies = Annotated[bool | None, switch("--no-cookies", "Send no cookies back.", _NET)]
MaxSize = Annotated[str | None, option("SIZE", "The largest file that is downloaded: 500MB.", _NET)]
Timeout = Annotated[
    float | None, option("S", "A request without a sign of life for so long is given up; 30.", _NET)
]
Retries = Annotated[
    int | None, option("N", "How often a failed request is sent again; 2 by default.", _NET)
]


def takes(*names: str) -> Callable[[Command], Command]:
    """Give a command its options, in the order of the help, behind its arguments.

    names: of their parameters, as "no_robots timeout". What one means stands in the command's own
        signature, else in its module or in this one, under the same name: NoRobots, Timeout.
        A command is handed what its signature names, and finds all in its context.
    """

    def widen(command: Command) -> Command:
        own = inspect.signature(command).parameters
        listed = " ".join(names).split()
        known = {**globals(), **command.__globals__}
        kinds = {
            name: own[name].annotation if name in own else known[name.title().replace("_", "")]
            for name in listed
        }
        options = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=False if get_args(kind)[0] is bool else None,
                annotation=kind,
            )
            for name, kind in kinds.items()
        ]

        @wraps(command)
        def widened(**given: Any) -> int:
            return command(**{name: given[name] for name in own})

        arguments = [each for name, each in own.items() if name not in kinds]
        signature = inspect.Signature([*arguments, *options], return_annotation=int)
        widened.__signature__ = signature  # type: ignore[attr-defined]
        widened.__annotations__ = {**command.__annotations__, **kinds}
        return widened

    return widen
