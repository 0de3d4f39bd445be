"""What the user wishes, from a TOML file and from flags; flags win."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from filon.core import Budget, UserError
from filon.verbs.settings import one_of

#: The name of each option, as in a flag and in the file, and the field of HarvestSettings it sets;
#: `out` is none, but may stand in the file as well.
FIELDS = {
    "types": "types",
    "strategy": "strategy",
    "budget": "budget",
    "seed": "seed",
    "stop": "stop",
    "delay": "delay",
    "parallel": "parallel",
    "retries": "retries",
    "timeout": "timeout",
    "max-size": "max_size",
    "portals": "portals",
    "robots": "robots",
    "cookies": "cookies",
    "insecure": "insecure",
    "ca-file": "ca_file",
    "user-agent": "user_agent",
    "contact": "contact",
    "connect-to": "connect_to",
    "proxy": "proxy",
    "header": "header",
    "set": "set",
    "url-rule": "url_rule",
    "out": "out",
}
#: The same for an enrichment: what it shares, and the fields of EnrichSettings that are its own.
_HARVEST_ONLY = ("types", "stop", "max-size", "robots", "cookies", "portals", "url-rule")
ENRICH_FIELDS = {
    **{name: field for name, field in FIELDS.items() if name not in _HARVEST_ONLY},
    "from": "source",
    "match": "match",
    "add": "add",
    "columns": "columns",
    "source-set": "source_set",
    "one-to-one": "one_to_one",
    "sample": "sample",
    "sample-ratio": "sample_ratio",
    "part": "part",
    "header-row": "header_row",
    "encoding": "encoding",
    "fresh": "fresh",
}
#: The same for following: what it shares, and the fields of FollowSettings that are its own.
_NOT_FOLLOWED = ("types", "max-size", "portals", "url-rule")
FOLLOW_FIELDS = {
    **{name: field for name, field in FIELDS.items() if name not in _NOT_FOLLOWED},
    "seeds": "seeds_file",
    "follow": "follow",
    "within": "within",
    "prefix": "prefix",
    "depth": "depth",
    "shortcuts": "shortcuts",
    "per-host": "per_host",
}
#: The same for a discovery: what it shares, and its own.
_NOT_DISCOVERED = ("types", "max-size", "portals", "url-rule", "stop", "header")
DISCOVER_FIELDS = {
    **{name: field for name, field in FIELDS.items() if name not in _NOT_DISCOVERED},
    "seeds": "seeds",
    "search": "search",
    "local": "local",
    "registry": "registry",
    "fresh": "fresh",
    "sites": "sites",
    "language": "language",
    "per-host": "per_host",
}
#: Options that may be repeated; in a file, one may stand without its list.
_LISTS = ("connect-to", "header", "url-rule", "prefix", "search", "local")
_SIZE = re.compile(r"\d+(\.\d+)?\s*[kmgt]?i?b", re.I)


def gather(
    config: Path | None, flags: Mapping[str, Any], known: Mapping[str, str] = FIELDS
) -> dict[str, Any]:
    """Return the fields of HarvestSettings that the file and the flags set, and `out`.

    flags: the parameters of a command by their names in Python; those that are no setting, and
    those that were not given (None, or an empty list), are passed over.
    known: the options by name, and the fields they set.
    """
    wishes = _read(config, known) if config else {}
    for parameter, value in flags.items():
        name = parameter.rstrip("_").replace("_", "-")
        given = value is not None and value != [] and value != ()
        if given and name.removeprefix("no-") in known:
            wishes[name.removeprefix("no-")] = not value if name.startswith("no-") else value
    return {known[name]: _translate(name, value) for name, value in wishes.items()}


def _read(path: Path, known: Mapping[str, str]) -> dict[str, Any]:
    try:
        wishes = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UserError(f"The file {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"The file {path} is not TOML: {error}.") from error
    wishes = {name.replace("_", "-"): value for name, value in wishes.items()}
    for name in wishes:
        one_of("option", name, known)
    return wishes


def _translate(name: str, value: Any) -> Any:
    if name in _LISTS and isinstance(value, str):
        value = [value]
    if isinstance(value, tuple):
        value = list(value)
    match name, value:
        case "set", list():
            return read_options(value)
        case "source-set", list():
            return dict(map(_parameter, value))
        case "source-set", dict():
            return {name: str(each) for name, each in value.items()}
        case (("match" | "add" | "columns"), list()):
            return ",".join(map(str, value))
        case "header", list():
            return tuple(line for item in value for line in _headers(item))
        case "max-size", str():
            return _size(value)
        case (("follow" | "language"), str()):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        case "budget", int():
            return str(value)
        case _, list():
            return tuple(value)
        case _, Path():
            return str(value)
    return value


def read_options(texts: Sequence[str]) -> dict[str, str | float]:
    """Read NAME=VALUE of --set; what looks like a number is one."""
    return dict(map(_option, texts))


def _option(text: str) -> tuple[str, str | float]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise UserError(f"--set {text!r} is not understood: write NAME=VALUE.")
    try:
        return name.strip(), float(value)
    except ValueError:
        return name.strip(), value.strip()


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name.strip() and equals):
        raise UserError(f"--source-set {text!r} is not understood: write NAME=VALUE.")
    return name.strip(), value.strip()


def _headers(item: str) -> list[str]:
    """Return a header, or those of a file, which keeps them out of the list of processes."""
    if not item.startswith("@"):
        return [item]
    try:
        lines = Path(item[1:]).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The headers in {item[1:]} cannot be read: {error}.") from error
    return [line for line in lines if line.strip()]


def _size(text: str) -> int:
    bound = Budget.parse(text).bytes if _SIZE.fullmatch(text.strip()) else None
    if bound is None:
        raise UserError(f"The size {text!r} is not understood: write it like 500MB or 2GiB.")
    return bound
