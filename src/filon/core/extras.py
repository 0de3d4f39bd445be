"""Libraries that come with an extra of the package, loaded where they are needed."""

from importlib import import_module
from typing import Any

from filon.core.errors import UserError


def extra(name: str, who: str, *modules: str) -> Any:
    """Return the first of some modules, all loaded; a UserError that says what to install.

    name: of the extra. who: the beginning of that sentence, as "Pictures need matplotlib".

    >>> extra("tables", "t.xlsx needs openpyxl", "json").loads("[1]")
    [1]
    """
    try:
        first, *_ = [import_module(module) for module in modules]
    except ImportError:
        raise UserError(f"{who}: pip install 'filon[{name}]'.") from None
    return first
