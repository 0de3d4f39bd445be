"""The command of a verb, made from its settings: each option is said once, beside its field."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.models import ArgumentInfo

from filon.cli import options as o
from filon.core.plugins import loaded
from filon.verbs.option import (
    Option,
    choices_of,
    flag_of,
    kind_of,
    name_of,
    read,
    table_in,
    values,
    ways,
)
from filon.verbs.settings import NETWORK, POLITE, Settings, one_of
from filon.verbs.verb import Verb

#: Headings that every verb has stand below its own.
_SHARED = (POLITE, NETWORK)
#: What stands in a file for --config besides settings.
OUT = "out"
#: The setting in which a discovery remembers the file.
OPTIONS_FILE = "options_file"


def command(verb: Verb[Any]) -> Callable[..., int]:
    """Return what `filon VERB` calls, with the signature that typer makes a command of."""

    def run(
        *,
        out: Path | None,
        config: Path | None,
        dry_run: bool,
        json_: bool,
        quiet: bool,
        **given: Any,
    ) -> int:
        from filon.cli.session import launch

        review = bool(given.pop("review", False))
        asked = gather(verb.settings, given, config)
        listed = asked.pop(OUT, None)
        if config and is_for_harvest(config, verb.settings):
            asked[OPTIONS_FILE] = str(config)
        does, settings = verb, verb.settings(**asked)
        if verb.instead:
            does, settings = loaded(verb.instead)(verb, settings)
        how: Any = {"dry_run": dry_run, "as_json": json_, "quiet": quiet, "review": review}
        return launch(does, settings, out or listed, **how)

    asked = list(parameters(verb.settings))
    if verb.review_option:
        asked.append(parameter("review", bool, verb.review_option, default=False))
    asked += [
        _parameter("out", o.Out, None),
        _parameter("config", o.Config, None),
        _parameter("dry_run", o.DryRun, False),
        _parameter("json_", o.Json, False),
        _parameter("quiet", o.Quiet, False),
    ]
    return signed(run, verb.name, inspect.getdoc(verb) or "", asked)


def signed(
    run: Callable[..., int], name: str, help: str, asked: list[inspect.Parameter]
) -> Callable[..., int]:
    """Give a function the name, the help and the parameters of a command."""
    asked = sorted(asked, key=_place)
    run.__name__ = run.__qualname__ = name
    run.__doc__ = help
    run.__annotations__ = {each.name: each.annotation for each in asked}
    vars(run)["__signature__"] = inspect.Signature(asked)
    return run


def also_asks(*names: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Let a command that is no verb ask for settings that every verb has.

    What is typed for them comes by keywords that `gather` reads.
    """

    def extended(run: Callable[..., int]) -> Callable[..., int]:
        known = inspect.signature(run).parameters.values()
        own = [each for each in known if each.kind is not inspect.Parameter.VAR_KEYWORD]
        more = [of_field(*found) for found in ways(Settings) if found[0].name in names]
        return signed(run, run.__name__, inspect.getdoc(run) or "", [*own, *more])

    return extended


#: Settings of commands that ask a service.
also_asks_service = also_asks("delay", "contact", "ca_file", "connect_to", "proxy", "timeout")


def parameters(
    settings: type[Settings], wanted: Callable[[Option], bool] = lambda _: True
) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a command that asks for settings: the verb's own, then the shared."""
    for entry, number, way in ways(settings):
        if wanted(way):
            yield of_field(entry, number, way)


def of_field(entry: "Field[Any]", number: int, way: Option) -> inspect.Parameter:
    """Return the parameter for one way to ask for a setting; None: it was not asked for."""
    kind = way.kind or kind_of(entry)
    must = entry.default is MISSING and entry.default_factory is MISSING
    metavar = way.metavar or "|".join(choices_of(entry))
    flags = way.flags or (flag_of(entry),)
    return parameter(
        name_of(entry, number),
        kind,
        way,
        default=... if must else None,
        flags=flags,
        metavar=metavar,
    )


def parameter(
    name: str,
    kind: Any,
    way: Option,
    *,
    default: Any,
    flags: tuple[str, ...] = (),
    metavar: str = "",
) -> inspect.Parameter:
    """Return a parameter as typer reads it."""
    how: Any = {"help": way.help, "metavar": metavar or None, "show_default": False}
    how["rich_help_panel"] = way.panel or None
    if way.argument:
        info = typer.Argument(**how)
    else:
        info = typer.Option(*(flags or (f"--{name}",)), **how)
    typed: Any = list[str] if kind in (tuple, Mapping) else kind
    annotation: Any = Annotated[typed if default is not None else typed | None, info]
    return _parameter(name, annotation, inspect.Parameter.empty if default is ... else default)


def _place(asked: inspect.Parameter) -> int:
    """Return where a parameter stands in the help: shared headings come last."""
    info = asked.annotation.__metadata__[0]
    if isinstance(info, ArgumentInfo):
        return 0
    panel = info.rich_help_panel
    if panel in _SHARED:
        return 3 + _SHARED.index(panel)
    return 2 if panel else 1


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


def gather(
    settings: type[Settings], given: Mapping[str, Any], config: Path | None = None
) -> dict[str, Any]:
    """Return the settings that a file and the flags ask for, by their words; flags win.

    given: what was typed, by the names of `parameters`; None or an empty list: it was not.
    """
    listed = _read(config, settings) if config else {}
    return listed | values(settings, given)


def words(settings: type[Settings]) -> list[str]:
    """Return what may stand in a file for --config, as flags have it."""
    named = dict.fromkeys(entry.name for entry, _, way in ways(settings) if not way.argument)
    return [name.replace("_", "-") for name in (*named, OUT)]


def is_for_harvest(config: Path, settings: type[Settings]) -> bool:
    """Say whether a run tells how to harvest what it found, and a harvest takes the file too."""
    from filon.verbs.harvest import HarvestSettings

    if OPTIONS_FILE not in {entry.name for entry in fields(settings)}:
        return False
    known = words(HarvestSettings)
    return all(name.replace("_", "-") in known for name in table_in(config))


def _read(path: Path, settings: type[Settings]) -> dict[str, Any]:
    given = {name.replace("-", "_"): value for name, value in table_in(path).items()}
    table = settings.renamed(given)
    known = words(settings)
    for name in table:
        one_of("option", name.replace("_", "-"), tuple(known))
    entries = {entry.name: entry for entry in fields(settings)}
    return {
        name: read(entries[name], value) if name in entries else value
        for name, value in table.items()
    }
