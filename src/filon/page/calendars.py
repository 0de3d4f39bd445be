"""Tells a calendar's pages, which have no end, from data by date, which has one.

A calendar's page has a date with a month and nothing else that tells it from its neighbours: no
title, no file name. Most also say what they are in a word; those that do not might be monthly
figures, so they are given more room. So are those with a month of one digit, 2024-5: where two
pages have one name, software calls the second 1735-2.
"""

import re
from typing import NamedTuple
from urllib.parse import unquote

_NAMES = """
    calendar calendars cal kalender calendrier calendario calendari events agenda ical
    veranstaltungen veranstaltungskalender evenements eventos eventi termine
"""
_CALENDAR = frozenset(_NAMES.split())
_UNITS = """
    month monat mois mes mese day tag jour dia giorno week woche semaine semana date datum fecha
    year jahr annee ano anno yr mo
"""
_DATE_KEYS = frozenset(_UNITS.split())
_WORD = re.compile(r"[a-z]+")
# 2024-05, 2024/5/31, 202405, 20240531: a lone year is no date, or /events/2030 would be one. What
# stands before the year is looked at behind it: a search for digits is fast.
_DATE = re.compile(
    r"(1[5-9]\d\d|2\d\d\d)(?<![\w-]....)"
    r"(?:([-/._])(0?[1-9]|1[0-2])(\2(?:0?[1-9]|[12]\d|3[01]))?"
    r"|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?)(?![\w-])"
)
_YEAR = re.compile(r"(1[5-9]\d\d|2\d\d\d)(?!\d)")
_NUMBER = re.compile(r"\d{1,4}(?:[-/.]?\d{1,2}){0,2}")
_DIGITS = re.compile(r"\d+")
# Two words joined: the title of an event, a place, a topic.
_TITLE = re.compile(r"[^\W\d_]{3,}\d*[-_+ ]+(?:[^\W_]+[-_+ ]+)*[^\W\d_]{3,}")


class Page(NamedTuple):
    """A page by date: its URL with digits masked, the years in it, and whether all says so."""

    shape: str
    years: tuple[int, ...]
    sure: bool


def calendar_page(path: str, query: str) -> Page | None:
    """Return what a URL says of a date, or None if it is no calendar's.

    >>> calendar_page("http://a.org/events/2031-02", "").years
    (2031,)
    >>> calendar_page("http://a.org/events/2031-02/annual-meeting", "")
    """
    if not query and "%" not in path and not _DATE.search(path, path.find("/", 8)):
        return None  # what most addresses are
    segments = unquote(path).lower().split("/")[3:]
    pairs = [piece.partition("=")[::2] for piece in unquote(query).lower().split("&")]
    dates = list(_DATE.finditer("/".join(segments)))
    years = [int(date[1]) for date in dates if not _may_be_a_name(date)]
    dated = [value for name, value in pairs if _is_date(name, value)]
    if (not dates and not dated) or _titled(segments, pairs):
        return None
    years += [int(match[1]) for value in dated if (match := _YEAR.match(value))]
    names = [word for name, _ in pairs for word in _WORD.findall(name)]
    words = {word for segment in segments for word in _WORD.findall(segment)}.union(names)
    if not words & _CALENDAR and not words & _DATE_KEYS:
        return None
    shape = _DIGITS.sub("0", "/".join(segments)) + "?" + "&".join(sorted(name for name, _ in pairs))
    return Page(shape, tuple(years), bool(words & _CALENDAR) and bool(years or dated))


def _may_be_a_name(date: re.Match[str]) -> bool:
    """Tell whether a date may be the second page of a name: 1735-2, but not 1735/2 or 1735-2-1."""
    mark, month, day = date[2], date[3], date[4]
    return mark not in (None, "/") and len(month) == 1 and not day


def _is_date(name: str, value: str) -> bool:
    keys = _DATE_KEYS.intersection(_WORD.findall(name))
    return bool(keys) and _NUMBER.fullmatch(value) is not None


def _titled(segments: list[str], pairs: list[tuple[str, str]]) -> bool:
    last = segments[-1] if segments else ""
    return _TITLE.search(last) is not None or any(_TITLE.search(value) for _, value in pairs)
