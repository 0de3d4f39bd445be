"""An offline copy of a site: a harvest that leaves nothing out."""

from collections.abc import Mapping
from typing import Any

from filon.verbs.settings import Settings

#: Breadth first and never early, so that the copy does not depend on what a strategy likes;
#: the paper's types, as comparisons count them.
COPY = {"verb": "replicate", "strategy": "bfs", "stop": "never"}


def settings_for(url: str, wishes: Mapping[str, Any]) -> Settings:
    """Return the settings of a copy."""
    return Settings(url=url, **{"types": "paper", **wishes, **COPY})
