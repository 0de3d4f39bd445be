"""How a run goes about the network and its budget: the settings that every verb shares.

They stand in run.toml as they are, but for secrets: a header's value and a proxy's password are
hidden there, and asked for again by `filon resume`. A setting has one word: it is that of its flag,
and the same in Python, in run.toml and in files for --config.
"""

import math
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Self

from filon.core import Account, Budget, Spent, UserError
from filon.core.suggest import unknown
from filon.verbs.option import (
    Option,
    choices_of,
    headers,
    kind_of,
    named_values,
    number_or_text,
    option,
    options_of,
    read,
    size,
    spaced,
)

HIDDEN = "***"
POLITE_DELAY_S = 1.0
#: Headings in the help.
POLITE, NETWORK = "Politeness and safety", "Network"
_KINDS: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple: "a list",
    Mapping: "a table of names and values",
}
#: Options below these headings.
polite, networked = partial(option, panel=POLITE), partial(option, panel=NETWORK)


def words() -> Any:
    """Return the argument of verbs that look for a topic."""
    what, shape = "What it should be about.", "TOPIC"
    return option("", what, metavar=shape, kind=tuple, read=spaced, argument=True)


def slug(topic: str) -> str:
    """Return what a run on a topic is called.

    >>> slug("Food  security")
    'food-security'
    """
    return "-".join(topic.lower().split())[:40].strip("-")


def named(what: str, read: Callable[[Any], Any] = named_values) -> Any:
    """Return an option of names with values."""
    return option({}, f"{what}; may be repeated.", metavar="NAME=VALUE", read=read)


def largest_file() -> Any:
    """Return the option of verbs that download files."""
    help = "The largest file that is downloaded: 500MB."
    return networked(0, help, metavar="SIZE", kind=str, read=size)


def in_flight(where: str, most: int = 1, *, later: bool = False) -> Any:
    """Return the option of how many requests may be in flight there."""
    return polite(most, f"Requests in flight {where}; {most} by default.", metavar="N", later=later)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What any run may spend, and how it behaves towards others.

    budget: as `filon.core.Budget` reads it; empty: no bound.
    delay: seconds between requests to a host.
    retries: how often a failed request is sent again.
    timeout: seconds without a sign of life after which a request is given up.
    cookies: whether they are sent back.
    cookie_file: those to begin with, in Netscape's format.
    insecure: whether TLS certificates go unverified.
    header: "Name: value", sent to the site that the run is about only.
    set: the strategy's own parameters.
    """

    budget: str = option(
        "",
        "What may be spent: 2000req,1GiB,2h,50finds, any mix; a bare number is requests.",
        metavar="BOUNDS",
        read=number_or_text,
        later=True,
    )
    seed: int = option(0, "The same seed makes the same choices; 0 by default.", metavar="N")
    set: Mapping[str, str | float] = named("A parameter of the strategy")
    delay: float = polite(
        POLITE_DELAY_S, "Seconds between requests to a host; 1 by default.", metavar="S", later=True
    )
    parallel: int = in_flight("at a time", later=True)
    robots: bool = polite(True, "Do not obey robots.txt; it is recorded as a deviation.")
    contact: str = polite(
        "",
        "A mail address or page in the User-Agent, so that the site can reach you.",
        metavar="TEXT",
    )
    user_agent: str = polite("", "Another User-Agent; recorded as a deviation.", metavar="TEXT")
    insecure: bool = polite(False, "Do not verify TLS certificates; recorded as a deviation.")
    ca_file: str = polite(
        "", "Certificates to trust besides the system's.", metavar="FILE", kind=Path, later=True
    )
    connect_to: tuple[str, ...] = networked(
        (),
        "Send requests for the first to the second, as in curl; empty parts match all; "
        "may be repeated.",
        metavar="HOST1:PORT1:HOST2:PORT2",
        later=True,
    )
    proxy: str = networked("", "An HTTP proxy.", metavar="URL", later=True, shown=False)
    header: tuple[str, ...] = networked(
        (),
        "A header for the start URL's site only, or @FILE with one a line; the value is "
        "never stored; may be repeated.",
        metavar="'NAME: VALUE'",
        read=headers,
        later=True,
        shown=False,
    )
    cookies: bool = networked(True, "Send no cookies back.")
    cookie_file: str = networked(
        "",
        "Cookies to begin with, as a browser's export or curl writes them; each goes to its own "
        "host only, and its value is never stored.",
        metavar="FILE",
        flags=("--cookie-file", "--cookies"),
        kind=Path,
        later=True,
    )
    timeout: float = networked(
        30.0,
        "A request without a sign of life for so long is given up; 30.",
        metavar="S",
        later=True,
    )
    retries: int = networked(
        2, "How often a failed request is sent again; 2 by default.", metavar="N"
    )

    #: Words of earlier versions, and those that took their place.
    OLD: ClassVar[Mapping[str, str]] = {
        "delay_s": "delay",
        "timeout_s": "timeout",
        "cookie_jar": "cookies",
        "headers": "header",
        "options": "set",
    }
    #: What run folders from before a setting mean by not having it, where that is not its default.
    BEFORE: ClassVar[Mapping[str, Any]] = {}
    #: Stands for a delay that is not known yet, in a verb that takes it from elsewhere.
    NO_DELAY_S: ClassVar[float | None] = None

    def __post_init__(self) -> None:
        for entry in fields(self):
            _check_kind(entry, getattr(self, entry.name))
        if self.budget:
            Budget.parse(self.budget)
        self._check_numbers()
        for header in self.header:
            if not re.fullmatch(r"[!#-'*+.^`|~\w-]+:[^\r\n\0]*", header, re.ASCII | re.S):
                # It is not shown: what has no colon may be the secret itself.
                raise UserError("A header is not understood: write it like 'Name: value'.")

    def _check_numbers(self) -> None:
        is_said = self.delay != self.NO_DELAY_S
        if is_said and not (math.isfinite(self.delay) and self.delay >= 0):
            raise UserError(f"The delay cannot be {self.delay:g} seconds: 0 is the least.")
        if not (math.isfinite(self.timeout) and self.timeout > 0):
            raise UserError(f"The timeout cannot be {self.timeout:g} seconds.")
        if self.parallel < 1:
            raise UserError(f"{self.parallel} requests at a time get nowhere: 1 is the least.")
        for name in ("seed", "retries", "max_size"):
            if getattr(self, name, 0) < 0:
                raise UserError(f"{_words(name)} cannot be less than 0.")

    def bound(self) -> Budget:
        """Return the budget."""
        return Budget.parse(self.budget) if self.budget else Budget()

    def account(self, spent: Spent) -> Account:
        """Return the account of the budget, with what earlier sessions have spent."""
        return Account(self.bound(), self.parallel, spent)

    def secret_headers(self) -> tuple[tuple[str, str], ...]:
        """Return the headers as names and values; an error where a value is hidden."""
        pairs = [header.partition(":") for header in self.header]
        for name, _, value in pairs:
            if value.strip() == HIDDEN:
                raise UserError(
                    f"The run sends the header {name}, whose value is not stored: "
                    f"give it again with --header '{name}: …'."
                )
        return tuple((name, value.strip()) for name, _, value in pairs)

    def proxy_url(self) -> str:
        """Return the proxy; an error where its password is hidden."""
        if f"//{HIDDEN}@" in self.proxy:
            raise UserError("The proxy's password is not stored: give it again with --proxy.")
        return self.proxy

    def called(self) -> str:
        """Return what a run is called where nobody names it; "": after its host."""
        return ""

    def crowd(self) -> int:
        """Return how many requests may be in flight to one host."""
        return self.parallel

    def deviations(self) -> list[str]:
        """Say where this is less polite or less safe than the defaults."""
        hurried, crowd = self.delay < POLITE_DELAY_S, self.crowd()
        departures = {
            "robots.txt is not obeyed": not self.robots,
            f"{self.delay:g} s between requests to a host, not {POLITE_DELAY_S:g} s": hurried,
            f"{crowd} requests at a time to a host, not 1": crowd > 1,
            "TLS certificates are not verified": self.insecure,
            f"calls itself {self.user_agent!r}": bool(self.user_agent),
        }
        return [sentence for sentence, holds in departures.items() if holds]

    def config(self) -> dict[str, Any]:
        """Return what run.toml holds: these settings without secrets, and deviations."""
        stored = [entry.name for entry in fields(self) if entry.metadata.get("stored", True)]
        own = [name for name in stored if name not in SHARED]
        plain = {name: getattr(self, name) for name in [*own, *SHARED]}
        lists = {name: list(value) for name, value in plain.items() if isinstance(value, tuple)}
        return (plain | lists) | {
            "header": [f"{header.partition(':')[0]}: {HIDDEN}" for header in self.header],
            "proxy": re.sub(r"//[^@/]*@", f"//{HIDDEN}@", self.proxy),
            **{name: dict(value) for name, value in plain.items() if isinstance(value, Mapping)},
            "deviations": self.deviations(),
        }

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Self:
        """Return the settings that `config` wrote down."""
        words = {**cls.BEFORE, **cls.renamed(config)}
        for entry in fields(cls):
            needed = entry.default is MISSING and entry.default_factory is MISSING
            if needed and entry.name not in words:
                raise UserError(f"The run.toml does not say the {_words(entry.name).lower()}.")
        return cls.from_words(words)

    @classmethod
    def from_words(cls, words: Mapping[str, Any]) -> Self:
        """Return the settings of values as people write them; words that are none are left out.

        >>> Settings.from_words({"budget": 300, "ca_file": Path("roots.pem")}).budget
        '300'
        """
        known = {entry.name: entry for entry in fields(cls)}
        return cls(**{name: read(known[name], words[name]) for name in words if name in known})

    @classmethod
    def values(cls, keywords: Mapping[str, Any]) -> dict[str, Any]:
        """Return what Python's keywords ask for, by name; None is what was not asked for.

        >>> Settings.values({"budget": 300, "set": None, "connect_to": "a:80:b:80"})
        {'budget': '300', 'connect_to': ('a:80:b:80',)}
        """
        known = {entry.name: entry for entry in fields(cls)}
        given = {name: value for name, value in keywords.items() if value is not None}
        for name in given:
            if name not in known:
                raise TypeError(f"There is no keyword {name!r}.")
        return {name: read(known[name], given[name], _first(known[name])) for name in given}

    @classmethod
    def renamed(cls, words: Mapping[str, Any], warn: bool = False) -> dict[str, Any]:
        """Return settings by today's words, whatever version they were written for.

        warn: with a DeprecationWarning for each old word.
        """
        renamed = {cls.OLD.get(name, name): value for name, value in words.items()}
        if "verify_tls" in renamed:
            renamed["insecure"] = not renamed.pop("verify_tls")
        if warn:
            for name in words:
                if name not in renamed:
                    new = cls.OLD.get(name, "insecure")
                    warnings.warn(f"{name} is now {new}", DeprecationWarning, stacklevel=4)
        return renamed

    def changed(self, **changes: Any) -> Self:
        """Return a copy with other values; checked like the first."""
        return replace(self, **changes)


#: The words that every verb has.
SHARED = tuple(entry.name for entry in fields(Settings))


def one_of(what: str, name: str, known: Mapping[str, Any] | tuple[str, ...]) -> None:
    """Refuse a name that is not known, with the nearest that is."""
    if name not in known:
        raise unknown(what, name, known)


def _check_kind(entry: "Field[Any]", value: object) -> None:
    kind = kind_of(entry)
    fits = isinstance(value, (int, float) if kind is float else kind)
    if not fits or (isinstance(value, bool) and kind is not bool):
        raise UserError(f"{_words(entry.name)} must be {_KINDS[kind]}, not {value!r}.")
    if choices := choices_of(entry):
        one_of(entry.metadata.get("noun") or _words(entry.name).lower(), str(value), choices)


def _first(entry: "Field[Any]") -> Option | None:
    ways = options_of(entry)
    return ways[0] if ways else None


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
