"""The third part of `filon demo`: the Linked Data of the small web is followed."""

from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from filon.core.loop import Watch
from filon.demo.linked import SEED
from filon.demo.tally import Tally, tally
from filon.run.followed import Followed, followed
from filon.run.plain import count, plain
from filon.strategies.follow import DEFAULT
from filon.verbs.follow import afollow

#: The names of the runs: of their folders, and in the output.
LEARNT, PLAIN = DEFAULT, "bfs"
TITLES = {
    LEARNT: "the kind of URI that promises most comes first",
    PLAIN: "in the order in which they are mentioned",
}
#: The Linked Data web is part of a web of pages: those are mentioned, and not worth following.
ROLES = ("subject", "object", "type")
#: Some times what all of it costs: an end even if something were to go wrong.
BUDGET = "3000req"
TOLD = 5
BAR_WIDTH = 36


async def walk(folder: Path, name: str, connect_to: str, watch: Watch | None) -> Path:
    """Follow with one strategy; return the folder of the run."""
    run = await afollow(
        SEED,
        strategy=name,
        budget=BUDGET,
        follow=ROLES,
        out=folder / f"linked-{name}",
        delay_s=0,
        connect_to=(connect_to,),
        watch=watch,
    )
    run.close()
    return folder / f"linked-{name}"


def tell(runs: dict[str, Path]) -> RenderableType:
    """Return what was found, which URIs paid, and the requests against breadth-first."""
    learnt = followed(runs[LEARNT])
    compared = tally(runs, kind="graph")
    return Group("", _hosts(learnt), "", _kinds(learnt), "", _requests(compared))


def _hosts(run: Followed) -> Table:
    table = _table("Linked Data found", "documents", "triples")
    hosts = run.tally.hosts
    for name in sorted(hosts, key=lambda name: (-hosts[name], name)):
        table.add_row(Text(plain(name)), count(hosts[name]), count(run.tally.host_triples[name]))
    table.add_section()
    table.add_row("together", count(run.tally.documents), count(run.tally.triples), style="bold")
    return table


def _kinds(run: Followed) -> Table:
    table = _table("URIs that paid, by kind", "requests", "documents")
    for arm in [arm for arm in run.run.arms if arm.finds][:TOLD]:
        table.add_row(Text(plain(arm.name, 60)), count(arm.requests), count(arm.finds))
    return table


def _requests(compared: Tally) -> RenderableType:
    title = f"Requests to {compared.share:.0%} of {count(compared.files)} documents"
    table = _table(title, "", "")
    most = max((needed or 0 for needed in compared.requests.values()), default=0)
    for name, needed in compared.requests.items():
        told = "never" if needed is None else count(needed)
        bar = "" if needed is None else "█" * max(1, round(BAR_WIDTH * needed / most))
        table.add_row(name, told, Text(bar, "green" if name == LEARNT else "red", justify="left"))
    times = compared.times(LEARNT, PLAIN)
    if not times:
        return table
    return Group(table, Text(f"Breadth-first needed {times:.1f} times as many.", "bold"))


def _table(title: str, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, show_header=True, header_style="dim")
    table.add_column(Text(title, "bold not dim"), no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table
