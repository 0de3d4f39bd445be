"""Things that have a name: ours, those of installed packages, and those named by a dotted path.

    vein                       ours, imported when it is asked for
    tide                       an entry point of the group, of any installed package
    my_package.tide:Tide       what a module holds by that name

A group may serve several registries: then a name there has another before it, and a dot.

Ours go first: no package can take the place of what the documentation speaks of. From Python, the
thing itself can be handed over: `name_of` tells by which name it is found again.

What a package adds may be broken, or no thing of its kind: whoever asks for it by name is told so
in a sentence, and all others go on without it.
"""

import importlib
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Any, Generic, Protocol, TypeVar, cast

from filon.core.errors import UserError
from filon.core.strategy import Strategy
from filon.core.suggest import unknown

T = TypeVar("T")
Options = Mapping[str, str | float]
_SWITCH = ("on", "off")
_METHODS = ("propose", "observe", "state", "restore", "summary")


class UnfitError(Exception):
    """What was found is no thing of its kind: the message says what it lacks."""


class Lazy(Mapping[str, T], Generic[T]):
    """Things by name, each imported when it is asked for.

    ours: "module:name" by name, or the thing itself.

    >>> Lazy({"user": "filon.core.errors:UserError"})["user"].__name__
    'UserError'
    """

    def __init__(self, ours: "Mapping[str, str | T] | Lazy[T]") -> None:
        self._ours: dict[str, str | T] = dict(ours._ours if isinstance(ours, Lazy) else ours)

    def __getitem__(self, name: str) -> T:
        found = self._ours[name]
        return loaded(found) if isinstance(found, str) else found

    def __iter__(self) -> Iterator[str]:
        return iter(self._ours)

    def __len__(self) -> int:
        return len(self._ours)

    def __contains__(self, name: object) -> bool:
        return name in self._ours


class Registry(Lazy[T]):
    """Things of one kind by name.

    kind: what they are called in a sentence, as "strategy".
    group: the name of the group of entry points that adds to them.
    ours: "module:name" by name, or the thing itself.
    within: where a group serves several registries, what comes before a name there, and a dot.
    fit: makes a thing of what others added, or raises an UnfitError.

    >>> errors = Registry("error", "filon.errors", {"user": "filon.core.errors:UserError"})
    >>> errors["user"].__name__, errors["filon.core.errors:MachineError"].__name__
    ('UserError', 'MachineError')
    """

    def __init__(
        self,
        kind: str,
        group: str,
        ours: Mapping[str, str | T] | Lazy[T],
        within: str = "",
        fit: Callable[[Any], T] = lambda found: found,
    ) -> None:
        super().__init__(ours)
        self._fit = fit
        self.kind = kind
        self.group = group
        self._before = f"{within}." if within else ""
        self._held: dict[str, T] = {}
        self._warned: set[str] = set()

    @cached_property
    def _theirs(self) -> dict[str, list[EntryPoint]]:
        found: dict[str, list[EntryPoint]] = {}
        for entry in _installed(tuple(sys.path)).select(group=self.group):
            if entry.name.startswith(self._before):
                found.setdefault(entry.name.removeprefix(self._before), []).append(entry)
        return found

    def __getitem__(self, name: str) -> T:
        if name in self._ours:
            return super().__getitem__(name)
        if name in self._held:
            return self._held[name]
        if ":" in name and "." in name.partition(":")[0] + ".":
            return self._named(name)
        if name in self._theirs:
            return self._entry(name, self._theirs[name])
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        yield from self._ours
        yield from self.added

    @property
    def added(self) -> list[str]:
        """The names that installed packages add to ours."""
        return [name for name in self._theirs if name not in self._ours]

    def tell_left_out(self, name: str) -> None:
        """Say so once where a package has a thing by a name of ours: it is not this that is meant.

        Only of a name that is asked for: all others are nobody's trouble.
        """
        if name in self._theirs and name not in self._warned:
            self._warned.add(name)
            message = "The %s %s of %s is left out: the name is one of Filon's own."
            logging.getLogger(__name__).warning(
                message, self.kind, name, _whose(self._theirs[name])
            )

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self._ours or (
            isinstance(name, str) and (":" in name or name in self._theirs)
        )

    def find(self, name: str) -> T:
        """Return a thing by its name; a UserError with the nearest name where there is none."""
        if name in self._ours:
            self.tell_left_out(name)
        try:
            return self[name]
        except KeyError:
            raise unknown(self.kind, name, self) from None

    def make(self, name: str, given: Any, *has: str) -> Any:
        """Return what a thing of that name makes of something; what cannot, is told.

        has: what the thing that is made must have.
        """
        make: Any = self.find(name)
        if name in self._ours:
            return make(given)
        try:
            made = make(given)
            require(made, self.kind, *has)
        except UserError:
            raise
        except Exception as error:  # whatever a stranger's class does when it is made
            raise UserError(f"The {self.kind} {name} cannot be used: {_message(error)}.") from error
        return made

    def sound(self) -> dict[str, T]:
        """Return all but those of installed packages that cannot be loaded: what is broken there
        must not keep others from their work, and is told to whoever asks for it by name.
        """
        found: dict[str, T] = {}
        for name in self:
            with suppress(UserError):
                found[name] = self[name]
        return found

    def name_of(self, thing: str | T) -> str:
        """Return the name of a thing, or what was given for its name.

        What no import can find, as it was made in a notebook or within a function, is held by its
        path: its name holds good in this process.

        >>> errors = Registry("error", "filon.errors", {"user": UserError})
        >>> errors.name_of(UserError), errors.name_of(KeyError)
        ('user', 'builtins:KeyError')
        """
        if isinstance(thing, str):
            return thing
        named: Any = thing if hasattr(thing, "__qualname__") else type(thing)
        path = f"{named.__module__}:{named.__qualname__}"
        for name, ours in self._ours.items():
            if ours is thing or ours == path:
                return name
        if not _is_found(path, thing):
            self._held[path] = thing
        return path

    def _named(self, path: str) -> T:
        if is_passing(path):
            name = path.rpartition(":")[2].rpartition(".")[2]
            raise UserError(
                f"The {self.kind} {name} was handed over in Python and cannot be imported: "
                f"hand it over again, as filon.resume(run, {self.kind}={name})."
            )
        return self._loaded(lambda: loaded(path), path)

    def _entry(self, name: str, entries: list[EntryPoint]) -> T:
        if len({entry.value for entry in entries}) > 1:
            paths = " or ".join(entry.value for entry in entries)
            raise UserError(
                f"The name {name} stands for more than one {self.kind}, of {_whose(entries)}: "
                f"ask for one by its path, {paths}."
            )
        entry = entries[0]
        return self._loaded(entry.load, f"{name} of {_whose(entries)} ({entry.value})")

    def _loaded(self, load: Callable[[], Any], what: str) -> T:
        try:
            found = load()
        except Exception as error:  # whatever a stranger's module does when it is imported
            raise UserError(
                f"The {self.kind} {what} cannot be loaded: {_message(error)}."
            ) from error
        try:
            return self._fit(found)
        except Exception as error:  # or a stranger's class when it is made
            raise UserError(f"The {self.kind} {what} cannot be used: {_message(error)}.") from error


class HasOptions(Protocol):
    """What a strategy is made from: it holds the parameters that a person gave."""

    @property
    def options(self) -> Options:
        """The parameters by name."""


B = TypeVar("B", bound=HasOptions)


class Strategies(Registry[Callable[[B], Strategy]], Generic[B]):
    """The strategies of a verb by name, each made from a brief, with the parameters it takes.

    verb: whose they are; it stands before their names in the group of entry points.
    options: the parameters of ours by the strategy's name, with their defaults; the others take
        none. A strategy of another package says them by its attribute OPTIONS; where it does not,
        what it is given is its own affair.
    variants: short names for one of ours in a mode: the mode's own name, and whose it is.
    """

    def __init__(
        self,
        verb: str,
        ours: Mapping[str, str | Callable[[B], Strategy]] | Lazy[Callable[[B], Strategy]],
        options: Mapping[str, Options],
        variants: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__("strategy", "filon.strategies", ours, within=verb, fit=_makes_strategies)
        self._options = options
        self._variants = dict(variants or {})

    def check(self, name: str, options: Options) -> None:
        """Refuse parameters that a strategy does not have."""
        make = self.find(name)
        ours = name in self._ours
        known = self._options.get(name, {}) if ours else getattr(make, "OPTIONS", None)
        if known is not None:
            check_options(name, known, options)

    def build(self, name: str, brief: B) -> Strategy:
        """Return a strategy by its name, after a look at the parameters that it is given."""
        if name in self._variants:
            name, mode = self._variants[name], name
            if brief.options.get("mode", mode) != mode:
                raise UserError(
                    f"The strategy {mode} is {name} in the mode {mode}: leave out the mode."
                )
            brief = replace(cast(Any, brief), options={**brief.options, "mode": mode})
        elif name not in self:
            raise unknown(self.kind, name, [*self, *self._variants])
        self.check(name, brief.options)
        made: Strategy = self.make(name, brief, *_METHODS)
        return made


def _makes_strategies(found: Any) -> Callable[[Any], Strategy]:
    if isinstance(found, type):
        require(found, "strategy", *_METHODS)
    elif not callable(found):
        raise UnfitError("it is no class")
    make: Callable[[Any], Strategy] = found
    return make


def require(found: object, kind: str, *names: str) -> None:
    """Raise an UnfitError where a thing lacks what its kind has.

    >>> require({}, "search service", "get", "ask")
    Traceback (most recent call last):
    filon.core.plugins.UnfitError: it is no search service, as it has no ask
    """
    if missing := [name for name in names if not hasattr(found, name)]:
        raise UnfitError(f"it is no {kind}, as it has no {', '.join(missing)}")


def only(kind: type[T]) -> Callable[[Any], T]:
    """Return what lets instances of a class pass, and nothing else."""

    def fit(found: Any) -> T:
        if not isinstance(found, kind):
            raise UnfitError(f"it is no {kind.__name__}")
        return found

    return fit


def check_options(strategy: str, known: Options, options: Options) -> None:
    """Refuse parameters that a strategy does not have, and what is neither on nor off.

    known: by name, with their defaults.
    """
    for option, value in options.items():
        if option not in known:
            offer = f"it has {', '.join(known)}" if known else "it has none"
            raise UserError(f"The strategy {strategy} has no option {option!r}: {offer}.")
        if known[option] in _SWITCH and value not in _SWITCH:
            raise UserError(f"The option {option} is on or off, not {value!r}.")


def is_passing(path: str) -> bool:
    """Say whether a path is of something that is gone with its process."""
    return path.startswith("__main__:") or "<" in path


def _whose(entries: list[EntryPoint]) -> str:
    return " and ".join(f"the package {one.dist.name}" for one in entries if one.dist) or "another"


def _is_found(path: str, thing: object) -> bool:
    if is_passing(path):
        return False
    try:
        return loaded(path) is thing
    except (ImportError, AttributeError):
        return False


def _message(error: Exception) -> str:
    message = " ".join(str(error).split()).rstrip(".")
    return (
        message
        if isinstance(error, ImportError | AttributeError | UnfitError)
        else f"{type(error).__name__}: {message}"
    )


@lru_cache(maxsize=1)
def _installed(places: tuple[str, ...]) -> EntryPoints:
    """Return what packages in these places add: all kinds are read at once, and once."""
    found: Any = entry_points()  # before Python 3.12 another class, which selects as well
    return cast(EntryPoints, found)


def loaded(path: str) -> Any:
    """Return what stands at `package.module:name`, loading the module if need be."""
    module, _, name = path.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found
