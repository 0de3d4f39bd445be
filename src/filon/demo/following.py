"""The third part of `filon demo`: the Linked Data of the small web is followed."""

from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from filon.demo.linked import SEED
from filon.demo.part import Turn, ended
from filon.demo.show import compared, table
from filon.demo.tally import tally
from filon.run.text import count, plain
from filon.verbs.follow.api import afollow
from filon.verbs.follow.strategies import DEFAULT
from filon.verbs.follow.strategies.brief import Role
from filon.verbs.follow.summary import Followed, followed

HEAD = "Following Linked Data"
PLAIN = "bfs"
#: The runs by their names, which are those of their folders and in the output.
TITLES = {
    DEFAULT: "the kind of URI that promises most comes first",
    PLAIN: "in the order in which they are mentioned",
}
#: The Linked Data web is part of a web of pages: those are mentioned, and not worth following.
ROLES: tuple[Role, ...] = ("subject", "object", "type")
#: Some times what all of it costs: an end even if something were to go wrong.
BUDGET = "3000req"
TOLD = 5


async def go(turn: Turn) -> Path:
    """Follow with one strategy; return the folder of the run."""
    how = turn.settings("linked-")
    return await ended(afollow(SEED, budget=BUDGET, follow=ROLES, **how))


def tell(runs: dict[str, Path]) -> RenderableType:
    """Return what was found, which URIs paid, and the requests against breadth-first."""
    learnt = followed(runs[DEFAULT])
    requests = compared(tally(runs, kind="graph"), "documents", DEFAULT, PLAIN)
    return Group("", _hosts(learnt), "", _kinds(learnt), "", requests)


def _hosts(run: Followed) -> Table:
    shown = table("Linked Data found", "documents", "triples")
    hosts = run.tally.hosts
    for name in sorted(hosts, key=lambda name: (-hosts[name], name)):
        shown.add_row(Text(plain(name)), count(hosts[name]), count(run.tally.host_triples[name]))
    shown.add_section()
    shown.add_row("together", count(run.tally.documents), count(run.tally.triples), style="bold")
    return shown


def _kinds(run: Followed) -> Table:
    shown = table("URIs that paid, by kind", "requests", "documents")
    for arm in [arm for arm in run.run.arms if arm.finds][:TOLD]:
        shown.add_row(Text(plain(arm.name, 60)), count(arm.requests), count(arm.finds))
    return shown


def ways(runs: dict[str, Path]) -> dict[str, str]:
    """Return what to look at next."""
    path = runs[DEFAULT]
    return {"The graph": f"{path / 'graph.nq'}", "A document": f"filon why {path} {SEED}"}
