"""`filon replicate`: an offline copy of a site, a harvest that leaves nothing out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from filon.verbs.harvest import FilesFrom, Harvest, HarvestSettings, Stop
from filon.verbs.option import option, passing


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicateSettings(HarvestSettings):
    """One copy; the rest of the fields are those of `HarvestSettings`.

    Breadth first and never early, so that the copy does not depend on what a strategy likes; the
    paper's types, as comparisons count them. A list of a portal would lead past the pages.
    """

    url: str = option(..., "Where the site starts.", metavar="URL", argument=True)
    sites: tuple[str, ...] = passing(())
    per_site: int = passing(0)
    verb: str = "replicate"
    types: str = option(
        "paper",
        "What counts as a find: data (default), csv,excel,pdf, tables, geo, media types, "
        "or paper (the 38 types of the paper).",
        metavar="LIST",
    )
    strategy: str = "bfs"
    stop: Stop = "never"
    portals: bool = False
    files_from: FilesFrom = "site"  # a copy is of one site, as comparisons know it
    prior: str = "none"
    seed: int = 0
    set: Mapping[str, str | float] = field(default_factory=dict)


class Replicate(Harvest):
    """Make an offline copy of a site, to compare strategies on.

    Every page and file is fetched once, breadth first, to the last link. The copy is a run folder
    like any other: it can be resumed, exported and looked at.

    Example: filon replicate https://www.example.org/ --out example
    """

    name = "replicate"
    settings = ReplicateSettings
