"""`filon demo --all`: what each verb does alone, and what its learning is worth."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from filon.core.loop import Watch
from filon.demo import discovering, enriching, following
from filon.demo.part import Turn, ended
from filon.demo.place import activation, typed
from filon.demo.portal import START
from filon.demo.server import Server
from filon.demo.show import compared, table
from filon.demo.tally import Tally, answers, tally
from filon.run.summary import Summary, summarise
from filon.run.text import count, plain, size
from filon.verbs.blocking import run
from filon.verbs.harvest.api import aharvest

#: Shows a run while it goes on: called with its title, gives what watches it.
Shown = Callable[[str], AbstractContextManager[Watch | None]]

#: What comes after the harvest, in order.
PARTS = (enriching, following, discovering)
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


def tour(shown: Shown, console: Console, folder: Path) -> int:
    """Run the demo; return the exit code.

    shown: shows the progress of a run. folder: where the runs are written.
    """
    try:
        runs, parts = run(_do(folder, shown, console))
    except KeyboardInterrupt:
        console.print(f"Interrupted; what came in so far is in {folder}.", markup=False)
        return INTERRUPTED
    console.print(tell(summarise(runs[LEARNT]), tally(runs)))
    ways = _ways_on(runs[LEARNT])
    for part, paths in zip(PARTS, parts, strict=True):
        console.print(part.tell(paths))
        ways |= part.ways(paths)
    ways["The web"] = "python -m filon.demo.server"
    lines = [f"{name:<12}{typed(way)}" for name, way in ways.items()]
    if typed("filon") != "filon":
        lines.append(f"{'To type':<12}filon alone: {activation()}")
    console.print(Text("\n".join(["", *lines])), soft_wrap=True)
    return 0


async def _do(
    folder: Path, shown: Shown, console: Console
) -> tuple[dict[str, Path], list[dict[str, Path]]]:
    async with Server() as server:
        console.print(f"A small web is up on 127.0.0.1:{server.port}; its portal is {START}")
        first = Turn(folder=folder, name="", connect_to=server.connect_to)
        runs = await _harvests(first, shown)
        parts = []
        for part in PARTS:
            paths = {}
            for name, title in part.TITLES.items():
                with shown(f"{part.HEAD}: {name}, {title}") as watch:
                    turn = replace(first, name=name, watch=watch)
                    paths[name] = await part.go(turn)
            parts.append(paths)
    return runs, parts


async def _harvests(first: Turn, shown: Shown) -> dict[str, Path]:
    paths = {}
    for name, strategy in STRATEGIES.items():
        with shown(f"Harvesting it: {TITLES[name]}") as watch:
            how = replace(first, name=name, watch=watch).settings("", strategy)
            paths[name] = await ended(aharvest(START, budget=BUDGET, **how))
    return paths


def tell(summary: Summary, figures: Tally) -> RenderableType:
    """Return what the run found, which arms paid, and the requests against breadth-first."""
    requests = compared(figures, "files", LEARNT, PLAIN)
    return Group("", _found(summary), "", _arms(summary), "", requests)


def _found(summary: Summary) -> Table:
    shown = table("Found", "files", "size")
    for kind in summary.formats:
        shown.add_row(Text(kind.name), count(kind.finds), size(kind.bytes))
    shown.add_section()
    shown.add_row("together", count(summary.finds), size(summary.find_bytes), style="bold")
    return shown


def _arms(summary: Summary) -> Table:
    shown = table("Links that paid, by their place in the page", "followed", "files", "each")
    for arm in [arm for arm in summary.arms if arm.finds][:ARMS_TOLD]:
        each = f"{arm.finds / arm.requests:.1f}" if arm.requests else ""
        # A class name may look like markup: Text shows it as it is.
        name = Text(plain(arm.name, 60))
        shown.add_row(name, count(arm.requests), count(arm.finds), each)
    return shown


def _ways_on(run_path: Path) -> dict[str, str]:
    found = answers(run_path)
    last = plain(max(found, key=found.__getitem__, default=START))
    return {
        "The report": f"{run_path / 'report.html'}",
        "The files": f"filon export {run_path} --to files",
        "A reason": f"filon why {run_path} {last}",
    }
