"""What a call of a generated API asks for."""

from collections.abc import Mapping
from typing import Any

from experiments.discover.repository import Dataset, Repository

#: The parameters of a call, and its body under "body".
Call = Mapping[str, str]
#: What is said: JSON, or XML as text; None: there is nothing at this path.
Said = Any
MIMES = {
    "csv": "text/csv",
    "json": "application/json",
    "geojson": "application/geo+json",
    "xml": "application/xml",
    "zip": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def number(call: Call, name: str, default: int) -> int:
    """Return a parameter that is a number."""
    told = call.get(name, "")
    return int(told) if told.isdecimal() else default


def part(own: Repository, first: int, size: int) -> tuple[Dataset, ...]:
    """Return some of the datasets."""
    return own.datasets[first : first + size]
