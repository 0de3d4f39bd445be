"""The nouns and the loop. Standard library only; knows no socket, no file, no page."""

from filon.core.budget import Account, Budget, Spent
from filon.core.errors import FilonError, MachineError, UserError
from filon.core.find import Find
from filon.core.loop import drive
from filon.core.provider import Answer, Provider, Record
from filon.core.request import Request
from filon.core.response import Response
from filon.core.step import Reason, Step
from filon.core.store import Store
from filon.core.strategy import State, Strategy, Summary
from filon.core.web import Web

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
