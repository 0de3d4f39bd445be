"""`filon demo`: harvest a portal, enrich a table, follow Linked Data, and tell the worth of it."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from filon.core.loop import Watch
from filon.demo import following, lending
from filon.demo.linked import SEED
from filon.demo.portal import START
from filon.demo.server import Server
from filon.demo.tally import Tally, answers, tally
from filon.run.plain import count, plain, size
from filon.run.summary import Summary, summarise
from filon.verbs.blocking import run
from filon.verbs.harvest import aharvest

#: Shows a run while it goes on: called with its title, gives what watches it.
Shown = Callable[[str], AbstractContextManager[Watch | None]]

FOLDER = "filon-demo"
#: The names of the runs: of their folders, and in the output.
LEARNT, PAPER, PLAIN = "vein", "sb", "breadth-first"
STRATEGIES = {LEARNT: "vein", PAPER: "sb", PLAIN: "bfs"}
TITLES = {
    LEARNT: "vein, which learns per link",
    PAPER: "sb, the paper's bandit",
    PLAIN: "breadth-first, which learns nothing",
}
#: Three times what the whole portal costs: an end even if a trap were to hold.
BUDGET = "4000req"
INTERRUPTED = 130
ARMS_TOLD = 5
BAR_WIDTH = 40


@contextmanager
def untold(title: str) -> Iterator[None]:
    """Show nothing."""
    yield


def tour(shown: Shown = untold, console: Console | None = None, folder: Path | None = None) -> int:
    """Run the demo; return the exit code.

    shown: shows the progress of a run.
    folder: where the runs are written; by default filon-demo, or filon-demo-2 and so on.
    """
    console = console or Console(highlight=False)
    folder = folder or fresh(Path(FOLDER))
    try:
        runs, lent, walked = run(_do(folder, shown, console))
    except KeyboardInterrupt:
        console.print(f"Interrupted; what came in so far is in {folder}.", markup=False)
        return INTERRUPTED
    console.print(tell(summarise(runs[LEARNT]), tally(runs)))
    console.print(lending.tell(lent))
    console.print(following.tell(walked))
    ways = _ways_on(runs[LEARNT], lent[lending.LEARNT], walked[following.LEARNT])
    console.print(ways, soft_wrap=True)
    return 0


def fresh(folder: Path) -> Path:
    """Return the folder, or with a number behind its name the first that does not exist."""
    names = itertools.chain(
        [folder], (folder.with_name(f"{folder.name}-{n}") for n in itertools.count(2))
    )
    return next(name for name in names if not name.exists() and not name.is_symlink())


async def _do(
    folder: Path, shown: Shown, console: Console
) -> tuple[dict[str, Path], dict[str, Path], dict[str, Path]]:
    async with Server() as server:
        console.print(f"A small web is up on 127.0.0.1:{server.port}; its portal is {START}")
        runs = await _harvests(folder, shown, server)
        lent = {}
        for name, title in lending.TITLES.items():
            with shown(f"Enriching a list of books: {name}, {title}") as watch:
                lent[name] = await lending.lend(folder, name, server.connect_to, watch)
        walked = {}
        for name, title in following.TITLES.items():
            with shown(f"Following Linked Data: {name}, {title}") as watch:
                walked[name] = await following.walk(folder, name, server.connect_to, watch)
    return runs, lent, walked


async def _harvests(folder: Path, shown: Shown, server: Server) -> dict[str, Path]:
    for name, strategy in STRATEGIES.items():
        with shown(f"Harvesting it: {TITLES[name]}") as watch:
            ended = await aharvest(
                START,
                strategy=strategy,
                budget=BUDGET,
                out=folder / name,
                delay_s=0,
                connect_to=(server.connect_to,),
                watch=watch,
            )
            ended.close()
    return {name: folder / name for name in STRATEGIES}


def tell(summary: Summary, compared: Tally) -> RenderableType:
    """Return what the run found, which arms paid, and the requests against breadth-first."""
    return Group("", _found(summary), "", _arms(summary), "", _requests(compared))


def _found(summary: Summary) -> Table:
    table = _table("Found", "files", "size")
    for kind in summary.formats:
        table.add_row(Text(kind.name), count(kind.finds), size(kind.bytes))
    table.add_section()
    table.add_row("together", count(summary.finds), size(summary.find_bytes), style="bold")
    return table


def _arms(summary: Summary) -> Table:
    table = _table("Links that paid, by their place in the page", "followed", "files", "each")
    for arm in [arm for arm in summary.arms if arm.finds][:ARMS_TOLD]:
        each = f"{arm.finds / arm.requests:.1f}" if arm.requests else ""
        # A class name may look like markup: Text shows it as it is.
        name = Text(plain(arm.name, 60))
        table.add_row(name, count(arm.requests), count(arm.finds), each)
    return table


def _requests(compared: Tally) -> RenderableType:
    table = _table(f"Requests to {compared.share:.0%} of {count(compared.files)} files", "", "")
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


def _ways_on(run_path: Path, lent: Path, walked: Path) -> RenderableType:
    found = answers(run_path)
    last = plain(max(found, key=found.__getitem__, default=START))
    ways = {
        "The report": f"{run_path / 'report.html'}",
        "The files": f"filon export {run_path} --to files",
        "A reason": f"filon why {run_path} {last}",
        "The table": f"{lent / 'enriched.csv'}",
        "Its report": f"{lent / 'report.html'}",
        "A row": f"filon why {lent} 1",
        "The graph": f"{walked / 'graph.nq'}",
        "A document": f"filon why {walked} {SEED}",
        "The web": "python -m filon.demo.server",
    }
    lines = (f"{name:<12}{way}" for name, way in ways.items())
    return Text("\n".join(["", *lines]))
