"""Which verbs there are: ours, and those of installed packages (entry points `filon.verbs`)."""

from pathlib import Path
from typing import Any

from filon.core.plugins import Registry
from filon.run import readonly
from filon.verbs.verb import Verb

VERBS: Registry[type[Verb[Any]]] = Registry(
    "verb",
    "filon.verbs",
    {
        "harvest": "filon.verbs.harvest:Harvest",
        "discover": "filon.verbs.discover:Discover",
        "follow": "filon.verbs.follow:Follow",
        "enrich": "filon.verbs.enrich:Enrich",
        "replicate": "filon.verbs.harvest.replicate:Replicate",
    },
    base=Verb,
)
#: What the first runs were of; their run.toml does not say.
FIRST = "harvest"


def verb_of(folder: Path) -> Verb[Any]:
    """Return the verb that a run folder is of, as its run.toml says."""
    return VERBS.find(str(readonly.config(folder).get("verb") or FIRST))()
