"""A format of an export: who writes it, and how the name of its output ends."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Export:
    """A format.

    write: writes a run folder to a path where nothing is yet.
    ending: what the name of the output ends with, where the user names none.
    """

    write: Callable[[Path, Path], None]
    ending: str
