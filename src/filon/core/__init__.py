"""The nouns and the loop. Standard library only; knows no socket, no file, no page."""

from typing import TYPE_CHECKING

from filon.core.budget import Account, Budget, Spent
from filon.core.errors import FilonError, MachineError, UserError
from filon.core.find import Find
from filon.core.request import Request
from filon.core.response import Response
from filon.core.service import Answer, Provider, Record
from filon.core.step import Reason, Step
from filon.core.store import Store
from filon.core.strategy import State, Strategy, Summary
from filon.core.web import Web

if TYPE_CHECKING:
    from filon.core.loop import drive

__all__ = [
    "Account",
    "Answer",
    "Budget",
    "FilonError",
    "Find",
    "MachineError",
    "Provider",
    "Reason",
    "Record",
    "Request",
    "Response",
    "Spent",
    "State",
    "Step",
    "Store",
    "Strategy",
    "Summary",
    "UserError",
    "Web",
    "drive",
]

if not TYPE_CHECKING:

    def __getattr__(name):
        """Return the loop when it is asked for: it brings asyncio, which nouns do without."""
        if name != "drive":
            raise AttributeError(f"module 'filon.core' has no attribute {name!r}")
        from filon.core.loop import drive

        return drive
