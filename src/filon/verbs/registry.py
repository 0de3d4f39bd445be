"""Which verbs there are: ours, and those of installed packages (entry points `filon.verbs`)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filon.core.plugins import Registry, UnfitError
from filon.verbs.verb import Verb


def _fit(found: Any) -> type[Verb[Any]]:
    if not (isinstance(found, type) and issubclass(found, Verb)):
        raise UnfitError("it is no subclass of Verb")
    return found


VERBS: Registry[type[Verb[Any]]] = Registry(
    "verb",
    "filon.verbs",
    {
        "harvest": "filon.verbs.harvest:Harvest",
        "discover": "filon.verbs.discover:Discover",
        "follow": "filon.verbs.follow:Follow",
        "enrich": "filon.verbs.enrich:Enrich",
        "acquire": "filon.verbs.acquire:Acquire",
        "refresh": "filon.verbs.refresh:Refresh",
        "replicate": "filon.verbs.harvest.replicate:Replicate",
    },
    fit=_fit,
)
#: What the first runs were of; their run.toml does not say.
FIRST = "harvest"


def verb_of(folder: Path) -> Verb[Any]:
    """Return the verb that a run folder is of, as its run.toml says."""
    from filon.run import readonly  # who only names verbs, as --help does, needs no database

    return verb_in(readonly.config(folder))


def verb_in(config: Mapping[str, Any]) -> Verb[Any]:
    """Return the verb that a run.toml says."""
    return VERBS.find(str(config.get("verb") or FIRST))()
