"""The curve of finds against requests, and the yield of the last 100 requests below it."""

import math
import sqlite3
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from filon.run.summary import Summary
from filon.run.text import begun, count, counted

#: More points than a screen has columns help nobody.
_POINTS = 600
_SMALL_POINTS = 80
_WINDOW = 100
#: The width of a letter at the size of the chart's texts, in SVG units: rather too wide.
_LETTER = 7
#: What is left free above, between and below the two panels, for their texts.
_TOP, _GAP, _BOTTOM = 26, 52, 44


class Nouns(NamedTuple):
    """What the curve counts, and against what."""

    found: str = "find"
    asked: str = "request"


FINDS = Nouns()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where a chart's lines go, in SVG units. side: the margin on the left and on the right."""

    css: str
    width: int
    upper: int
    lower: int
    side: int

    @property
    def right(self) -> int:
        """Where the lines end."""
        return self.width - self.side

    @property
    def height(self) -> int:
        """The whole of it."""
        return _TOP + self.upper + _GAP + self.lower + _BOTTOM

    def x(self, share: float) -> float:
        """Return the place of a share of the requests."""
        return self.side + share * (self.right - self.side)


_WIDE = Frame(css="wide", width=960, upper=270, lower=80, side=52)
#: The same for a telephone, where a wide chart would have letters too small to read.
_NARROW = Frame(css="narrow", width=380, upper=210, lower=70, side=40)


def body(ledger: sqlite3.Connection, summary: Summary, nouns: Nouns = FINDS) -> str:
    """Return the chart and what it says in words."""
    return drawn(ledger, summary.answers, nouns)


def drawn(
    ledger: sqlite3.Connection,
    answers: int,
    nouns: Nouns = FINDS,
    found: Sequence[int] | None = None,
) -> str:
    """Return the same of a ledger with so many answers.

    found: the number of the answer that brought each find, in order, where that is known.
    """
    if not answers:
        return ""
    found = _found(ledger) if found is None else found
    words = _words(found, answers, nouns)
    if not found:
        return f'<p class="lead">{words}</p>'
    frames = (_WIDE, _NARROW)
    charts = "".join(_chart(frame, found, answers, words, nouns) for frame in frames)
    return f'<p class="lead">{words}</p><figure>{charts}</figure>'


def small(ledger: sqlite3.Connection, answers: int) -> str:
    """Return the curve alone, small and without a style sheet, for a notebook."""
    found = _found(ledger)
    if not found or not answers:
        return ""
    places = [round(answers * n / _SMALL_POINTS) for n in range(_SMALL_POINTS + 1)]
    points = " ".join(
        f"{n * 240 / _SMALL_POINTS:.1f},{62 - 60 * bisect_right(found, place) / len(found):.1f}"
        for n, place in enumerate(places)
    )
    return (
        f'<svg viewBox="0 0 240 64" width="240" height="64" role="img" '
        f'aria-label="{_words(found, answers, FINDS)}"><polyline points="{points}" fill="none" '
        f'stroke="currentColor" stroke-width="1.5"/></svg>'
    )


def _found(ledger: sqlite3.Connection) -> "array[int]":
    """Return the number of the answer that brought each find, in order."""
    query = (
        "SELECT s.answer FROM finds f JOIN steps s ON s.step = f.step"
        " WHERE s.answer IS NOT NULL ORDER BY s.answer"
    )
    return array("q", (row[0] for row in ledger.execute(query)))


def _words(found: Sequence[int], answers: int, nouns: Nouns) -> str:
    if not found:
        return f"Nothing was found in {counted(answers, f'answered {nouns.asked}')}."
    half, last = found[(len(found) - 1) // 2], found[-1]
    recent = len(found) - bisect_right(found, answers - _WINDOW)
    every = counted(answers, f"answered {nouns.asked}")
    sentences = [f"{counted(len(found), nouns.found)} in {every}."]
    if len(found) > 1:
        sentences.append(f"Half of them were in by {nouns.asked} {count(half)}.")
    sentences.append(f"The last one came with {nouns.asked} {count(last)}.")
    if answers > _WINDOW:
        sentences.append(f"The last {_WINDOW} {nouns.asked}s brought {count(recent)}.")
    return " ".join(sentences)


def _chart(frame: Frame, found: Sequence[int], answers: int, words: str, nouns: Nouns) -> str:
    step = max(1.0, answers / _POINTS)
    places = [0, *(min(answers, round(step * n)) for n in range(1, math.ceil(answers / step) + 1))]
    totals = [bisect_right(found, place) for place in places]
    recent = [
        total - bisect_right(found, place - _WINDOW)
        for place, total in zip(places, totals, strict=True)
    ]
    xs = [frame.x(place / answers) for place in places]
    floor, base = _TOP + frame.upper, frame.height - _BOTTOM
    upper = _panel(frame, xs, totals, floor, frame.upper, ("area", "line"))
    lower = _panel(frame, xs, recent, base, frame.lower, ("pace", "paceline"))
    return (
        f'<svg class="chart {frame.css}" viewBox="0 0 {frame.width} {frame.height}" role="img" '
        f'aria-label="Curve of {nouns.found}s against {nouns.asked}s. {words}">'
        f"{_rules(frame, floor, base, answers, nouns)}{upper}{lower}"
        f'<text class="strong" x="{frame.side}" y="{_TOP - 12}">'
        f"{begun(nouns.found)}s</text>"
        f'<text class="strong" x="{frame.side}" y="{base - frame.lower - 12}">'
        f"{begun(nouns.found)}s in the last {_WINDOW} {nouns.asked}s</text>"
        f"{_half(frame, found, answers, floor, nouns)}</svg>"
    )


def _panel(
    frame: Frame, xs: list[float], ys: list[int], floor: int, height: int, css: tuple[str, str]
) -> str:
    most = max(1, *ys)
    ticks = nice_ticks(most, 5 if height > 100 else 2)
    scale = height / most
    grid = "".join(
        f'<line class="grid" x1="{frame.side}" x2="{frame.right}" y1="{y}" y2="{y}"/>'
        f'<text x="{frame.side - 8}" y="{y + 4.5:.1f}" text-anchor="end">{count(tick)}</text>'
        for tick in ticks
        for y in [round(floor - tick * scale, 1)]
    )
    points = [f"{x:.1f},{floor - y * scale:.1f}" for x, y in zip(xs, ys, strict=True)]
    line = " ".join(points)
    area = f"{xs[0]:.1f},{floor} {line} {xs[-1]:.1f},{floor}"
    return (
        f'{grid}<polygon class="{css[0]}" points="{area}"/>'
        f'<polyline class="{css[1]}" points="{line}"/>'
        f'<text class="strong" x="{xs[-1] + 7:.1f}" y="{floor - ys[-1] * scale + 4.5:.1f}">'
        f"{count(ys[-1])}</text>"
    )


def _rules(frame: Frame, floor: int, base: int, answers: int, nouns: Nouns) -> str:
    """Return the axis of requests, its ticks through both panels."""
    ticks = nice_ticks(answers, 8 if frame.width > 500 else 4)
    marks = "".join(
        f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{base}" y2="{base + 5}"/>'
        f'<text x="{x:.1f}" y="{base + 20}" text-anchor="middle">{count(tick)}</text>'
        for tick in ticks
        for x in [frame.x(tick / answers)]
    )
    ends = f'x1="{frame.side}" x2="{frame.right}"'
    return (
        f'<line class="axis" {ends} y1="{floor}" y2="{floor}"/>'
        f'<line class="axis" {ends} y1="{base}" y2="{base}"/>{marks}'
        f'<text class="strong" x="{frame.right}" y="{base + 40}" '
        f'text-anchor="end">{begun(nouns.asked)}s answered</text>'
    )


def _half(frame: Frame, found: Sequence[int], answers: int, floor: int, nouns: Nouns) -> str:
    """Mark the request by which half the finds were in."""
    if len(found) < 4:
        return ""
    number = (len(found) + 1) // 2
    half = found[number - 1]
    x = frame.x(half / answers)
    y = floor - frame.upper * bisect_right(found, half) / len(found)
    words = f"half the {nouns.found}s by {nouns.asked} {count(half)}"
    wide = len(words) * _LETTER
    if x + 12 + wide <= frame.width:
        anchor, place, dy = "start", x + 12, 18
    elif x - 12 - wide >= frame.side:
        anchor, place, dy = "end", x - 12, -8
    else:  # there is room on neither side: below it, and off the numbers of the axis
        anchor, place, dy = "end", frame.right, 22
    return (
        f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5.5"/>'
        f'<text x="{place:.1f}" y="{y + dy:.1f}" text-anchor="{anchor}">'
        f"{words}</text>"
    )


def nice_ticks(most: int, about: int) -> list[int]:
    """Return round numbers from 0 up to `most`, some `about` of them.

    >>> nice_ticks(312, 5)
    [0, 100, 200, 300]
    >>> nice_ticks(3, 5)
    [0, 1, 2, 3]
    """
    rough = max(1.0, most / about)
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough)
    return list(range(0, most + 1, step))
