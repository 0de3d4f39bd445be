"""Filon gets data out of the web under a budget, and learns as it goes."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filon.catalog.handle import Catalog, CatalogFile
    from filon.core import Budget, FilonError, Find, MachineError, UserError
    from filon.core.version import __version__
    from filon.run.frame import Frame, StoredFind
    from filon.run.handle import Run
    from filon.verbs.acquire.api import aacquire, acquire
    from filon.verbs.discover.api import adiscover, discover
    from filon.verbs.enrich.api import aenrich, enrich
    from filon.verbs.follow.api import afollow, follow
    from filon.verbs.harvest.api import aharvest, areplicate, harvest, replicate
    from filon.verbs.keywords import NetworkOptions
    from filon.verbs.look import export, open_run, report, why
    from filon.verbs.refresh.api import arefresh, refresh
    from filon.verbs.resume import aresume, resume

__all__ = [
    "Budget",
    "Catalog",
    "CatalogFile",
    "FilonError",
    "Find",
    "Frame",
    "MachineError",
    "NetworkOptions",
    "Run",
    "StoredFind",
    "UserError",
    "__version__",
    "aacquire",
    "acquire",
    "adiscover",
    "aenrich",
    "afollow",
    "aharvest",
    "arefresh",
    "areplicate",
    "aresume",
    "discover",
    "enrich",
    "export",
    "follow",
    "harvest",
    "open_run",
    "refresh",
    "replicate",
    "report",
    "resume",
    "why",
]

#: Where each name is: it is imported when it is asked for, as most programs use one verb.
_HOMES = {
    "filon.core.version": ("__version__",),
    "filon.core": (
        "Budget",
        "FilonError",
        "Find",
        "MachineError",
        "UserError",
    ),
    "filon.catalog.handle": ("Catalog", "CatalogFile"),
    "filon.run.frame": ("Frame", "StoredFind"),
    "filon.run.handle": ("Run",),
    "filon.verbs.acquire.api": ("aacquire", "acquire"),
    "filon.verbs.discover.api": (
        "adiscover",
        "discover",
    ),
    "filon.verbs.enrich.api": (
        "aenrich",
        "enrich",
    ),
    "filon.verbs.follow.api": (
        "afollow",
        "follow",
    ),
    "filon.verbs.harvest.api": ("aharvest", "areplicate", "harvest", "replicate"),
    "filon.verbs.keywords": ("NetworkOptions",),
    "filon.verbs.look": (
        "export",
        "open_run",
        "report",
        "why",
    ),
    "filon.verbs.refresh.api": ("arefresh", "refresh"),
    "filon.verbs.resume": (
        "aresume",
        "resume",
    ),
}

if not TYPE_CHECKING:  # a type checker knows them from above, and refuses others

    def __getattr__(name):
        """Return a public name, imported now."""
        for home, names in _HOMES.items():
            if name in names:
                globals()[name] = found = getattr(importlib.import_module(home), name)
                return found
        raise AttributeError(f"module 'filon' has no attribute {name!r}")

    def __dir__():
        """Return the public names, also those that were not asked for yet."""
        return sorted({*globals(), *__all__})
