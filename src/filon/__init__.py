"""Filon gets data out of the web under a budget, and learns as it goes."""

from filon.core import Budget, FilonError, Find, MachineError, UserError
from filon.core.version import __version__
from filon.run.finds import StoredFind
from filon.run.frame import Frame
from filon.run.handle import Run
from filon.verbs.discover.api import adiscover, discover
from filon.verbs.enrich.api import aenrich, enrich
from filon.verbs.follow.api import afollow, follow
from filon.verbs.harvest.api import aharvest, harvest
from filon.verbs.harvest.replicate import areplicate, replicate
from filon.verbs.keywords import NetworkOptions
from filon.verbs.look import export, open_run, report, why
from filon.verbs.resume import aresume, resume

__all__ = [
    "Budget",
    "FilonError",
    "Find",
    "Frame",
    "MachineError",
    "NetworkOptions",
    "Run",
    "StoredFind",
    "UserError",
    "__version__",
    "adiscover",
    "aenrich",
    "afollow",
    "aharvest",
    "areplicate",
    "aresume",
    "discover",
    "enrich",
    "export",
    "follow",
    "harvest",
    "open_run",
    "replicate",
    "report",
    "resume",
    "why",
]
