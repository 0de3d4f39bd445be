"""The parameters of scout, and what is wrong with those that a user gave."""

from filon.core import UserError
from filon.learn.discounted import CHOICES
from filon.verbs.discover.strategies.brief import Brief

MODES = ("auto", "repositories", "sites")
#: mode: what is looked for; auto: sites where examples are given, else repositories.
#: choice: how arms are chosen. fade: what remains of an arm's past after a search.
#: dollar: the requests that a dollar is worth. audit: the share of rejected pages that are checked
#: all the same. focus: how much of a repository's reward hangs on its nearness to the topic.
DEFAULTS: dict[str, float | str] = {
    "mode": "auto",
    "choice": "thompson",
    "fade": 0.98,
    "dollar": 200.0,
    "audit": 0.07,
    "focus": 0.3,
}


def checked(brief: Brief) -> dict[str, float | str]:
    """Return the options; wrong ones get a sentence."""
    told = DEFAULTS | dict(brief.options)
    if told["mode"] not in MODES:
        raise UserError(f"There is no mode {told['mode']!r}: known are {', '.join(MODES)}.")
    if told["choice"] not in CHOICES:
        raise UserError(f"Arms are chosen by {' or '.join(CHOICES)}, not by {told['choice']!r}.")
    for name in ("fade", "audit", "focus", "dollar"):
        _check_number(name, told[name], most=1e9 if name == "dollar" else 1.0)
    if not brief.topic.strip() and not brief.seeds:
        raise UserError("Say in a few words what is looked for, or give examples of it.")
    if told["mode"] == "sites" and not (brief.seeds or brief.accepted):
        raise UserError("To find sites like some, give examples: the option is --seeds.")
    return told


def _check_number(name: str, value: float | str, most: float) -> None:
    try:
        fits = 0 <= float(value) <= most
    except ValueError:
        fits = False
    if not fits:
        bound = f"between 0 and {most:g}" if most == 1 else "of 0 or more"
        raise UserError(f"The option {name} is a number {bound}, not {value!r}.")
