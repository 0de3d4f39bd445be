"""What the package holds, found by looking: nobody can forget to name a class here."""

import importlib
import inspect
import pkgutil
from functools import cache
from types import ModuleType


@cache
def modules(room: str = "filon") -> tuple[ModuleType, ...]:
    """Return every module of the package, or of a room of it, but for programs."""
    root = importlib.import_module(room)
    found = pkgutil.walk_packages(root.__path__, f"{room}.")
    names = [one.name for one in found if not one.name.endswith("__main__")]
    return (root, *map(importlib.import_module, names))


@cache
def classes(room: str = "filon") -> tuple[type, ...]:
    """Return every class that a module of a room makes, but for protocols."""
    made = {
        thing
        for module in modules(room)
        for thing in vars(module).values()
        if inspect.isclass(thing) and thing.__module__ == module.__name__
    }
    kept = (kind for kind in made if not getattr(kind, "_is_protocol", False))
    return tuple(sorted(kept, key=lambda kind: (kind.__module__, kind.__qualname__)))
