"""Filon gets data out of the web under a budget, and learns as it goes."""

from filon.core import Budget, FilonError, Find, MachineError, UserError
from filon.core.version import __version__
from filon.run.folder import Run
from filon.verbs.discover import adiscover, discover
from filon.verbs.enrich import aenrich, enrich
from filon.verbs.follow import afollow, follow
from filon.verbs.harvest import aharvest, harvest
from filon.verbs.look import export, open_run, report, why
from filon.verbs.replicate import areplicate, replicate
from filon.verbs.resume import aresume, resume

__all__ = [
    "Budget",
    "FilonError",
    "Find",
    "MachineError",
    "Run",
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
