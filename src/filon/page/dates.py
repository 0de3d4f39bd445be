"""Dates as sitemaps, feeds, portals and headers write them.

A date is a span: "2024-05" is any moment of that month. Who asks whether something changed since a
moment compares with the last that is meant; who asks how long ago it was, with the first.
"""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import NamedTuple

#: ISO 8601 as the W3C has it for the web (NOTE-datetime), and as databases write it.
_ISO = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?"
    r"\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?)?)?",
    re.IGNORECASE,
)
#: Seconds or milliseconds since 1970, beyond 2001.
_SINCE_1970 = re.compile(r"\d{10}(?:\d{3})?")
_LONGEST = 64


class Span(NamedTuple):
    """The first and the last moment that a date may mean, in UTC."""

    first: datetime
    last: datetime


def dated(text: str) -> Span | None:
    """Return when a text says; None where it is no date. Without a zone it is taken for UTC.

    >>> dated("2024-05-31T12:00:00+02:00").first.isoformat()
    '2024-05-31T10:00:00+00:00'
    >>> [moment.isoformat() for moment in dated("2024-02")]
    ['2024-02-01T00:00:00+00:00', '2024-02-29T23:59:59.999999+00:00']
    >>> dated("Wed, 02 Oct 2002 13:00:00 GMT").first.isoformat()
    '2002-10-02T13:00:00+00:00'
    """
    text = text.strip()[:_LONGEST]
    try:
        if match := _ISO.fullmatch(text):
            return _iso(match)
        if _SINCE_1970.fullmatch(text):
            moment = datetime.fromtimestamp(int(text) / 10 ** (len(text) - 10), UTC)
            return Span(moment, moment)
        moment = parsedate_to_datetime(text)
        moment = moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return Span(moment, moment)


def _iso(match: re.Match[str]) -> Span:
    year, month, day, hour, minute, second, part, zone = match.groups()
    first = datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC)
    if hour is None:
        return Span(first, _next(first, month, day) - timedelta(microseconds=1))
    # A leap second is the last one of its minute to us.
    first = first.replace(hour=int(hour), minute=int(minute), second=min(int(second or 0), 59))
    first = first.replace(microsecond=int((part or "0").ljust(6, "0")[:6]))
    first = first.replace(tzinfo=_zone(zone)).astimezone(UTC)
    missing_s = 0 if second else 60
    return Span(first, first + max(timedelta(0), timedelta(seconds=missing_s, microseconds=-1)))


def _next(first: datetime, month: str | None, day: str | None) -> datetime:
    """Return the beginning of the next year, month or day."""
    if day:
        return first + timedelta(days=1)
    if month and first.month < 12:
        return first.replace(month=first.month + 1)
    return first.replace(year=first.year + 1, month=1)


def _zone(text: str | None) -> timezone:
    if not text or text.upper() in ("Z", "UTC"):
        return UTC
    sign = -1 if text[0] == "-" else 1
    return timezone(sign * timedelta(hours=int(text[1:3]), minutes=int(text[3:].strip(":") or 0)))
