"""The keywords that every verb takes from Python, by the words of `Settings`.

Words that settings had in earlier versions may still be used.
"""

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ParamSpec, TypedDict, TypeVar

from filon.verbs.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")


class NetworkOptions(TypedDict, total=False):
    """How a run goes about the network: keywords of every verb, all with polite defaults.

    retries: how often a failed request is sent again; 2.
    timeout: seconds without a sign of life after which a request is given up; 30.
    robots: whether robots.txt is obeyed.
    cookies: whether they are sent back.
    cookie_file: those to begin with, in the format that browsers' exports and curl write.
    insecure: whether TLS certificates go unverified.
    ca_file: a file of certificates to trust.
    user_agent: what the run calls itself, in place of Filon and its version.
    contact: a mail address or a page for those who run the servers.
    connect_to: "HOST:PORT:ADDRESS:PORT" as curl has it: where a host is reached instead.
    proxy: the URL of a proxy.
    header: "Name: value", sent to the site that the run is about only, and never stored.

        polite: filon.NetworkOptions = {"contact": "me@example.org", "retries": 5}
        run = filon.harvest("https://www.example.org/", **polite)
    """

    retries: int
    timeout: float
    robots: bool
    cookies: bool
    cookie_file: str | Path
    insecure: bool
    ca_file: str | Path
    user_agent: str
    contact: str
    connect_to: str | Iterable[str]
    proxy: str
    header: str | Iterable[str]


def takes_old_words(settings: type[Settings]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator: old keywords of these settings are passed on by today's words.

    Each is a DeprecationWarning.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return function(*args, **settings.renamed(kwargs, warn=True))

        return call

    return decorate
