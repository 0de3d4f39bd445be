"""How the demo shows figures: plain tables, and bars to compare by."""

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from filon.demo.tally import Tally
from filon.run.text import count

BAR_WIDTH = 36


def table(title: str, *columns: str) -> Table:
    """Return a table without lines; the title heads its first column."""
    made = Table(box=None, pad_edge=False, show_header=True, header_style="dim")
    made.add_column(Text(title, "bold not dim"), no_wrap=True)
    for column in columns:
        made.add_column(column, justify="right", no_wrap=True)
    return made


def bars(title: str, figures: Mapping[str, int | None], ours: str) -> Table:
    """Return figures by name with a bar for each; None is told as never."""
    made = table(title, "", "")
    most = max((figure or 0 for figure in figures.values()), default=0)
    for name, figure in figures.items():
        shown = "never" if figure is None else count(figure)
        width = max(1, round(BAR_WIDTH * figure / most)) if figure else 0
        style = "green" if name == ours else "red"
        made.add_row(name, shown, Text("█" * width, style, justify="left"))
    return made


def compared(tally: Tally, what: str, ours: str, plain: str) -> RenderableType:
    """Return the requests that each run took to most of what was found, as bars.

    what: what was found, in the plural. plain: the run that went breadth first.
    """
    title = f"Requests to {tally.share:.0%} of {count(tally.files)} {what}"
    shown = bars(title, tally.requests, ours)
    times = tally.times(ours, plain)
    if not times:
        return shown
    return Group(shown, Text(f"Breadth-first needed {times:.1f} times as many.", "bold"))
