"""Which search services a discovery asks: those that were named, else all that can be asked.

A service is given as NAME or NAME:key=value,key=value, where NAME may be a TOML file that describes
one. Keys of services are never given here.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from filon.core import UserError
from filon.run.disk import writing
from filon.services.describe import is_file, text_of
from filon.services.search import AT_HAND, SEARCHERS, SearchService, build
from filon.services.search.athand import AtHand, Mentions
from filon.verbs.secrets import secrets_of

#: A comma within a value is part of it, unless another key follows.
_COMMA = re.compile(r",(?=[A-Za-z_]+=)")
_USERINFO = re.compile(r"//[^/?#\s]*@")
#: A description of the user's own, and its parameters.
_OWN = re.compile(r"([^=]+?\.toml)(?::(.*))?", re.S)
#: What a module holds, by its dotted path, and its parameters.
_PATH = re.compile(r"([A-Za-z_]\w*(?:\.\w+)+:[A-Za-z_]\w*)(?::(.*))?", re.S)
_SHIPPED = re.compile(r"^The source [\w-]+ ")
#: Parameters that are paths on this machine.
_PATHS = ("path", "index")


@dataclass(frozen=True, slots=True)
class Services:
    """The services, how each was told, and which others are not asked and why."""

    searchers: tuple[SearchService, ...]
    specs: tuple[str, ...]
    unasked: tuple[str, ...] = ()

    def can_begin(self, topic: str) -> bool:
        """Say whether any can be asked for words."""
        operators = ("keyword", "seeds")
        return any(one.takes(each, topic) for one in self.searchers for each in operators)


def choose(
    search: Sequence[str], local: Sequence[str | Path] = (), registry: str | Path = ""
) -> Services:
    """Return the services to ask.

    search: those that the user named; empty: all that need no key, or whose key is known.
    local, registry: what else is at hand.
    """
    at_hand = []
    if local:
        at_hand.append(f"local:path={os.pathsep.join(map(str, local))}")
    if registry:
        at_hand.append(f"registry:path={registry}")
    specs, unasked = (list(search), []) if search else _able()
    return opened([*at_hand, *specs], unasked)


def opened(
    specs: Sequence[str], unasked: Sequence[str] = (), folder: Path | None = None
) -> Services:
    """Return the services of a list; one sentence where one of them cannot be asked.

    folder: of a run that goes on; the descriptions that it has kept are those of the user's files.
    """
    asked = [_absolute(*parse(spec)) for spec in specs]
    names = [name for name, _ in asked]
    _refuse_twins(names)
    kept = [_kept(folder, n) if folder and is_file(name) else name for n, name in enumerate(names)]
    pairs = zip(kept, asked, strict=True)
    searchers = [_built(str(name), parameters) for name, (_, parameters) in pairs]
    _refuse_twins([one.name for one in searchers])
    return Services(tuple(searchers), tuple(_spec(*each) for each in asked), tuple(unasked))


def keep(specs: Sequence[str], folder: Path) -> None:
    """Copy the user's own descriptions into a run folder: the files may change or go."""
    for number, spec in enumerate(specs):
        if is_file(name := parse(spec)[0]):
            with writing(folder):
                _kept(folder, number).write_text(text_of(name), "utf-8")


def _kept(folder: Path, number: int) -> Path:
    return folder / f"search-{number + 1}.toml"


def _refuse_twins(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"{name} was named twice: name each search service once.")


def parse(spec: str) -> tuple[str, dict[str, str]]:
    """Read a service as it is told.

    >>> parse("searxng:url=http://localhost:8888,engines=brave,mojeek,language=fr")
    ('searxng', {'url': 'http://localhost:8888', 'engines': 'brave,mojeek', 'language': 'fr'})
    >>> parse("my_package.engines:Mine:language=fr")
    ('my_package.engines:Mine', {'language': 'fr'})
    """
    name, colon, rest = spec.strip().partition(":")
    # A drive has a colon too.
    if own := _OWN.fullmatch(spec.strip()) or _PATH.fullmatch(spec.strip()):
        name, colon, rest = own[1], own[2] or "", own[2] or ""
    parts = [part.partition("=") for part in _COMMA.split(rest)] if colon else []
    for key, equals, value in parts:
        if not (key.strip() and equals and value.strip()):
            raise UserError(
                f"--search {spec!r} is not understood: "
                "write NAME or FILE.toml, or NAME:key=value with commas between."
            )
        if _USERINFO.search(value):
            raise UserError(
                f"The address of {name} holds a user name or password, which would stand in the "
                "run folder."
            )
    return name, {key.strip(): value.strip() for key, _, value in parts}


def _spec(name: str, parameters: dict[str, str]) -> str:
    told = ",".join(f"{key}={value}" for key, value in parameters.items())
    return f"{name}:{told}" if told else name


def _absolute(name: str, parameters: dict[str, str]) -> tuple[str, dict[str, str]]:
    """A run is gone on with from another folder: its paths must hold there too."""
    if is_file(name):
        return os.path.abspath(name), parameters
    if name not in AT_HAND:
        return name, parameters
    paths = {
        key: os.pathsep.join(
            os.path.abspath(part) for part in parameters[key].split(os.pathsep) if part
        )
        for key in _PATHS
        if key in parameters
    }
    return name, parameters | paths


def _built(name: str, parameters: dict[str, str]) -> SearchService:
    try:
        searcher = build(name, parameters)
    except UserError as error:  # the user knows the service by its name, not by our file
        raise UserError(_SHIPPED.sub(f"{name} ", str(error))) from None
    if isinstance(searcher, AtHand) and "outlinks" in searcher.operators:
        return Mentions(searcher)
    return searcher


def _able() -> tuple[list[str], list[str]]:
    """Return the services that can be asked without a word, those with a key first, and others."""
    keyed: list[str] = []
    free: list[str] = []
    unasked: list[str] = []
    for name in sorted(SEARCHERS):
        if name in AT_HAND:
            continue
        try:
            searcher = _built(name, {})
        except UserError as error:  # it must be told more
            unasked.append(str(error).rstrip("."))
            continue
        try:
            (keyed if secrets_of(searcher) else free).append(name)
        except UserError:
            unasked.append(f"{name} needs a key: {' or '.join(searcher.secrets)}")
    return [*keyed, *free], unasked
