"""Which verbs there are: ours, and those of installed packages (entry points `filon.verbs`)."""

from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.core.plugins import Registry
from filon.run import readonly
from filon.verbs.verb import Verb

VERBS: Registry[Verb[Any]] = Registry(
    "verb",
    "filon.verbs",
    {
        "harvest": "filon.verbs.harvest:Harvest",
        "discover": "filon.verbs.discover:Discover",
        "follow": "filon.verbs.follow:Follow",
        "enrich": "filon.verbs.enrich:Enrich",
        "replicate": "filon.verbs.harvest.replicate:Replicate",
    },
)
#: What the first runs were of; their run.toml does not say.
FIRST = "harvest"


def verb(name: str) -> Verb[Any]:
    """Return a verb by its name."""
    kind: Any = VERBS.find(name)
    if not (isinstance(kind, type) and issubclass(kind, Verb)):
        raise UserError(f"The verb {name} cannot be used: {kind!r} is no subclass of Verb.")
    made: Verb[Any] = kind()
    return made


def verb_of(folder: Path) -> Verb[Any]:
    """Return the verb that a run folder is of, as its run.toml says."""
    return verb(str(readonly.config(folder).get("verb") or FIRST))
