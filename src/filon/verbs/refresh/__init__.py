"""`filon refresh`: what is new, changed or gone since a run, under a budget of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.core import UserError
from filon.verbs.option import option, passing
from filon.verbs.refresh.lengths import seconds
from filon.verbs.settings import SHARED, Settings
from filon.verbs.verb import Verb

if TYPE_CHECKING:
    from filon.run.summary import Outcome
    from filon.verbs.refresh.job import RefreshJob

#: The share of the known pages that is looked at again.
PAGES = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshSettings(Settings):
    """One round of a run; the rest of the fields are those of `Settings`.

    run: the run that is refreshed. url: where it started.
    number: which round it is. at: Unix time at which it began.
    pages: the share of the known pages that is looked at again.
    older_than: of a round that is a run made anew, how old answers of services may be.
    """

    run: str = passing("")
    url: str = ""
    verb: str = "refresh"
    strategy: str = "revisit"
    number: int = 1
    at: float = 0.0
    pages: float = option(
        PAGES,
        "The share of the known pages that is looked at again, those with most new files expected; "
        f"{PAGES:g} by default, 1 is all of them.",
        metavar="SHARE",
    )

    older_than: str = option(
        "",
        "Of an enrichment or a discovery: answers of services that are older are asked for again, "
        "as 12h or 90d; by default 30d, of a discovery 1d.",
        metavar="TIME",
    )

    set: Mapping[str, str | float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if not 0 <= self.pages <= 1:
            raise UserError(f"The share of pages cannot be {self.pages:g}: it is from 0 to 1.")
        if self.older_than:
            seconds(self.older_than)


class Refresh(Verb[RefreshSettings]):
    """Look again at what a run has brought: what is new, what changed, what is gone.

    Known files are asked for only if they changed, pages where new files are expected, and new
    links are followed. A round is kept beside the run, which stays as it was; what changed is told
    by filon diff. A round that was cut short goes on.

    Example: filon refresh filon-runs/www.example.org-001 --budget 200
    """

    name = "refresh"
    settings = RefreshSettings
    writer = "filon.verbs.refresh.session:wrap_up"
    written = "filon.verbs.refresh.session:is_wrapped_up"
    reporter = "filon.verbs.refresh.report:page"
    usual_export = "files"

    def prepare(self, settings: RefreshSettings) -> "RefreshJob":
        """Return a round that could begin."""
        from filon.verbs.refresh.job import RefreshJob

        return RefreshJob(settings, Path(settings.run))

    def reopen(self, folder: Path, settings: RefreshSettings) -> "RefreshJob":
        """Return a round that a folder holds: the run is the one that it lies in."""
        from filon.run.history import run_of
        from filon.verbs.refresh.job import RefreshJob

        return RefreshJob(settings, run_of(folder))

    def roams(self, config: Mapping[str, Any]) -> bool:
        """Say that it stays where the run has been."""
        return False

    def outcome(self, folder: Path) -> "Outcome":
        """Return what a round cost, and what has changed."""
        from filon.verbs.refresh.summary import outcome

        return outcome(folder)


def inherited(settings: Settings) -> dict[str, Any]:
    """Return how a run went about the network, for a round of it."""
    own = ("budget", "set", "seed")
    return {name: getattr(settings, name) for name in SHARED if name not in own}
