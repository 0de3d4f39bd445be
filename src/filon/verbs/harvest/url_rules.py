"""Which rules make two URLs one page, as the user switches them: `drop_www=on`."""

from collections.abc import Iterable
from dataclasses import fields, replace

from filon.core import UserError
from filon.page.url import KeyRules

RULES = tuple(entry.name for entry in fields(KeyRules))
_SWITCH = {"on": True, "off": False}


def url_rules(switches: Iterable[str]) -> KeyRules:
    """Return the default rules with some of them switched.

    >>> url_rules(["drop_www=on"]).drop_www
    True
    """
    rules = KeyRules()
    for switch in switches:
        name, _, position = switch.partition("=")
        if name not in RULES or position not in _SWITCH:
            known = ", ".join(RULES)
            raise UserError(
                f"The URL rule {switch!r} is not understood: NAME=on or =off of {known}."
            )
        rules = replace(rules, **{name: _SWITCH[position]})
    return rules
