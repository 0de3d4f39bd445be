"""The top of the report: which site, how it ended, the figures to remember."""

import sqlite3
from datetime import UTC, datetime

from filon.page.url import split
from filon.run.html import link, text
from filon.run.summary import TOO_EARLY, Summary
from filon.run.text import begun, count, duration, size


def site(summary: Summary) -> str:
    """Return the host of the start page."""
    return split(summary.start).netloc.rpartition("@")[2] or summary.run


def body(ledger: sqlite3.Connection, summary: Summary, sections: list[tuple[str, str]]) -> str:
    """Return the head of the page, with links to its sections."""
    kicker = f"filon {text(summary.verb)}"
    if summary.strategy:
        kicker += f" · strategy {text(summary.strategy)}"
    items = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in sections)
    return f"""<header>
<p class="kicker">{kicker}</p>
<h1>{text(site(summary), 80)}</h1>
<p class="meta">Start page: {link(summary.start)}<br>{when(ledger)}</p>
{state(summary)}
<dl class="figures">{_figures(summary)}</dl>
<nav aria-label="Sections"><ul>{items}</ul></nav>
</header>
"""


def when(ledger: sqlite3.Connection) -> str:
    """Return when the run began, and when the last answer came."""
    # An answer that an earlier run was given has the time of that run.
    first, last = ledger.execute(
        "SELECT MIN(at_s - took_s), MAX(at_s) FROM steps WHERE sends"
    ).fetchone()
    if first is None:
        return "No answer has come in yet."
    return f"First request {_moment(first)}, last answer {_moment(last)}"


def answered(summary: Summary) -> str:
    """Return how many requests were answered, or how many answers took none."""
    free = summary.answers - summary.requests
    known = f"and {count(free)} answers that were known already"
    return known if free > 0 else f"{count(summary.answers)} answered"


def _moment(at_s: float) -> str:
    try:
        moment = datetime.fromtimestamp(at_s, UTC)
    except (OverflowError, ValueError, OSError):
        return "at an unknown time"
    return f"{moment.day} {moment:%B %Y, %H:%M:%S} UTC"


def state(summary: Summary, ending: str = "") -> str:
    """Return how the run ended, and how to go on with it."""
    ending = ending or summary.ending
    ending = begun(ending)
    css = "state" if summary.stopped and not summary.resumable else "state open"
    ended = f'<p class="{css}">{text(ending)}</p>'
    if not summary.resumable:
        return ended
    return (
        f"{ended}"
        f'<p class="resume">To go on where it was left: '
        f"<code>filon resume {text(summary.run)}</code></p>"
    )


def _figures(summary: Summary) -> str:
    received = f"{size(summary.bytes)} received"
    rate = summary.requests / summary.seconds if summary.seconds > 0 else 0.0
    figures = [
        ("Finds", count(summary.finds), "files worth keeping", " key"),
        ("Size of the finds", size(summary.find_bytes), received, ""),
        ("Requests", count(summary.requests), answered(summary), ""),
        ("Time", duration(summary.seconds), f"{_rate(rate)} requests a second", ""),
        ("Yield", f"{summary.per_hundred:.1f}", "finds for 100 requests", ""),
    ]
    if summary.left and summary.stopped != "exhausted":
        mean, spread = summary.left
        left = f"{mean:.0f} ± {spread:.0f}"
        words = f"finds not made yet, by estimate{summary.bound}"
        figures.append(("Left", left, words, ""))
    if summary.too_early:
        figures.append(("Left", "?", TOO_EARLY, ""))
    return figures_list(figures)


def figures_list(figures: list[tuple[str, str, str, str]]) -> str:
    """Return figures to remember: name, figure, more words, and a class."""
    return "".join(
        f'<div><dt>{name}</dt><dd><span class="big{css}">{figure}</span>'
        f"<small>{more}</small></dd></div>"
        for name, figure, more, css in figures
    )


def _rate(rate: float) -> str:
    return count(rate) if rate >= 10 else f"{rate:.2g}"
