"""A run with its parts, ready to begin or to go on: what `Verb.prepare` returns.

Whatever can be wrong with what the user asked for is found while it is made, before anything is
sent or written. It knows no folder but the one that it is handed. What webs are made from is the
same for all verbs: options of the live one, and keys of services, which come from the environment
or the keyring and from nowhere else.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from filon.core import Find, Request, Response, Step, Strategy, UserError, Web
from filon.core.loop import Watch
from filon.run.folder import RunFolder
from filon.run.text import counted
from filon.verbs.settings import Settings
from filon.web.keyed import Keyed
from filon.web.live import Options, user_agent
from filon.web.tokens import Grant

if TYPE_CHECKING:  # most runs ask no service
    from filon.services.shape import Key


class Plan(ABC):
    """What was asked for, ready to begin, and what is told of it beforehand.

    settings: as they will stand in run.toml.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings: Any = settings  # of its own verb's type, as subclasses say

    @abstractmethod
    def check(self, folder: Path) -> None:
        """Put the parts together as for a run: each refuses what it does not understand."""

    @abstractmethod
    def first_urls(self) -> list[str]:
        """Return the first requests, as far as they are known without an answer."""

    @property
    def what(self) -> str:
        """What is done, in words: "harvest http://example.org/"."""
        return f"{self.settings.verb} {self.settings.url}"

    @property
    def name(self) -> str:
        """What its folder is called where the user names none; "": after the host."""
        return str(self.settings.called())

    @property
    def greeting(self) -> Sequence[str]:
        """Sentences for people before the first request."""
        return ()

    @property
    def terms(self) -> Sequence[str]:
        """Sentences about what would be done, for a dry run."""
        return ()


class Beginning(Protocol):
    """Follows the answers of a new run until one tells something."""

    def watch(self, step: Step, response: Response, finds: Sequence[Find], /) -> None:
        """Take note of an answer; a UserError where there is nothing to be had."""

    def complaint(self) -> str:
        """Say why nothing could be had; "" where something was."""


class Job(Plan):
    """The parts of one run.

    network: of a whole that the run is part of, spaced for each host; None: it has its own.
    beginning: what finds that there is nothing to be had; None: nobody looks.
    """

    network: Web | None = None
    beginning: Beginning | None = None

    @abstractmethod
    def choose(self) -> Strategy:
        """Return the strategy that was asked for, as it is."""

    @abstractmethod
    def guard(self, chosen: Strategy) -> Strategy:
        """Return it within its guards."""

    @abstractmethod
    def web(self, spool_dir: Path) -> Web:
        """Return the web that it is to be driven on."""

    @cached_property
    def chosen(self) -> Strategy:
        """The strategy that was asked for."""
        return self.choose()

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy within its guards."""
        return self.guard(self.chosen)

    # What only some verbs need.

    def look_back(self, folders: Sequence[Path]) -> None:
        """Take note that a run is looked at again.

        folders: of the run, and of the rounds so far, the oldest first.
        """
        return

    async def open(self, folder: Path) -> None:
        """Ask what must be known before a run can begin."""
        return

    def held(self) -> AbstractContextManager[None]:
        """Return what holds all that a session needs for itself besides the folder of its run."""
        return nullcontext()

    def keep(self, folder: Path) -> None:
        """Copy what the run needs into its new folder."""
        return

    def first_answers(self) -> Watch | None:
        """Return a watch over a new run, which may find that there is nothing to be had."""
        return self.beginning.watch if self.beginning else None

    def watch(self, run: RunFolder, shown: Watch | None) -> Sequence[Watch | None]:
        """Return the watches over a run; shown: that of the user's progress line."""
        return [shown]

    def is_free(self, request: Request) -> bool:
        """Say whether a request is answered without a call."""
        return False

    def complaint(self, folder: Path) -> str:
        """Say why a new run that has ended brought nothing at all; "" where it did."""
        return self.beginning.complaint() if self.beginning else ""

    def wrap_up(self, folder: Path) -> bool:
        """Write what the run has brought, from the strategy at hand; False: as the verb does."""
        return False

    # What is told of it beforehand.

    def check(self, folder: Path) -> None:
        """Put strategy and web together."""
        _ = self.strategy
        self.web(folder / "spool")

    def first_urls(self) -> list[str]:
        """Return the first requests, as far as they are known without an answer."""
        step = self.strategy.propose()
        return [step.request.url] if step else []


def about(settings: Any, others: str, noun: str, named: Sequence[object]) -> str:
    """Return what is done about a topic, others that are named, or both: "discover “rain”"."""
    parts = [f"“{settings.topic}”"] if settings.topic else []
    parts += [f"{others} {counted(len(named), noun)}"] if named else []
    return f"{settings.verb} {' and '.join(parts)}"


def live_options(settings: Settings, url: str, spool_dir: Path) -> Options:
    """Return how the live web is used; the user's headers go to the host of `url` only."""
    timeout_s = settings.timeout
    return Options(
        user_agent=agent(settings),
        connect_to=settings.connect_to,
        allow_hosts=(url,),
        origin=url,
        headers=settings.secret_headers(),
        cookies=settings.cookies,
        cookie_file=settings.cookie_file,
        proxy=settings.proxy_url(),
        ca_file=settings.ca_file,
        insecure=settings.insecure,
        connect_s=timeout_s / 2,
        idle_s=timeout_s,
        head_s=2 * timeout_s,
        spool_dir=str(spool_dir.absolute()),
        connections_per_host=settings.parallel,
    )


def agent(settings: Settings) -> str:
    """Return what the run calls itself."""
    return settings.user_agent or user_agent(settings.contact)


class Locked(Protocol):
    """A service that may want a key: a source of `filon enrich`, or a searcher of discovery."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def key(self) -> "Key":
        """How it knows its users."""

    @property
    def origin(self) -> str:
        """Where its key goes, and nowhere else."""


def secrets_of(source: Locked, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the secrets that a source asks for, by name; an error where a required one lacks."""
    key = source.key
    if key.how == "none":
        return {}
    from filon.verbs import keyring

    names = [key.client, key.secret] if key.how == "oauth2" else [key.secret]
    env = os.environ if environment is None else environment
    found = {name: env.get(name, "").strip() or keyring.read(name) for name in names}
    for name, value in found.items():
        if not value and key.required:
            about = f" ({key.about})" if key.about else ""
            raise UserError(
                f"{source.name} needs a key{about}: set the environment variable {name}, or keep "
                f"it in the keyring with keyring set {keyring.KEYRING} {name}."
            )
        if not value.isprintable():
            raise UserError(f"The key {name} has characters that cannot be sent.")
    return {name: value for name, value in found.items() if value}


def keyed(web: Web, *services: Locked, environment: Mapping[str, str] | None = None) -> Web:
    """Return a web that sends each service its secrets along; the same web where none has any."""
    locked = [service for service in services if service.key.how != "none"]
    if not locked:
        return web
    secrets: dict[str, str] = {}
    homes: dict[str, list[str]] = {}
    grants = []
    for service in locked:
        key, found = service.key, secrets_of(service, environment)
        secrets |= found
        for name in found:
            homes.setdefault(name, []).append(service.origin)
        if key.how == "oauth2":
            grant = Grant(name=key.client, url=key.token_url, secret=key.secret, scope=key.scope)
            grants.append(grant)
    return Keyed(web, secrets, homes, grants)
