"""docs/reference.md, made from the commands and registries themselves.

    python -m filon.cli.reference > docs/reference.md

A test fails when the file is stale, or when something in it has no words.
"""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import typer

from filon.cli.app import app
from filon.cli.wishes import FIELDS
from filon.page.formats import DATA, OTHER
from filon.page.url import KeyRules
from filon.run.export import FORMATS
from filon.run.summary import ENDINGS
from filon.strategies.harvest import OPTIONS, REPLICA_ONLY, STRATEGIES

HEAD = """\
# Command reference

<!-- Made by `make docs` from the program itself: do not edit. -->

Progress goes to standard error, results to standard output. With `--json` the last line of
standard output is one object with `run`, `verb`, `strategy`, `stopped`, `requests`, `bytes`,
`finds`, `seconds`, `report`, `types` and `notes`.

| exit code | meaning |
|---|---|
| 0 | ended as asked, whatever `stopped` says |
| 2 | a mistake in the command: one sentence says which, nothing is written |
| 4 | the machine failed (disk full, store unreadable): the run can be resumed |
| 130 | interrupted by Ctrl-C or SIGTERM: the run can be resumed |
"""
BUDGET = """\
## Budgets

`--budget 2000req,1GiB,2h,50finds`: any mix, the first that is spent ends the run. A request is
spent when it leaves, whatever comes back: redirects, errors, retries and robots.txt count.

| bound | units |
|---|---|
| requests | a bare number, `req` |
| bytes received | `B`, `kB`, `MB`, `GB`, `TB`, `KiB`, `MiB`, `GiB`, `TiB` |
| time | `s`, `min` (or `m`), `h`, `d` |
| finds | `finds` |
"""
#: What the parameters of the strategies are, by the names of their defaults.
PARAMETERS = {
    "path": "where a link stands in the page is looked at",
    "url": "its URL is",
    "numbers": "the numbers in its URL are",
    "text": "its anchor text is",
    "relation": "how its URL relates to the page's is",
    "siblings": "links at the same place of the same page are",
    "parent": "the kind of page it stands on is",
    "crowd": "how many new links that page has is",
    "hints": "without an extension, words like download or CSV hint at a file",
    "hubs": "pages earn by the pages that they lead to",
    "slash": "it is learnt where /x redirects to /x/",
    "sitemaps": "sitemaps and feeds are read",
    "noise": "it is learnt which URL parameters change nothing",
    "alpha": "how much is explored: the weight of the bandit's upper bound",
    "n": "the length of the n-grams that tag paths are compared by",
    "theta": "the likeness from which two tag paths are one group",
    "m": "tag paths are projected to 2^m dimensions",
    "w": "the word size of the hash that projects them",
    "b": "links for each round of training of the URL classifier",
    "features": "what the URL classifier reads: `url` or `context`",
    "model": "the URL classifier: `lr`, `svm`, `nb` or `pa`",
}
_RULE = re.compile(r"^(\w+): (.+(?:\n[ \t]+.+)*)", re.M)


def reference() -> str:
    """Return the whole page."""
    parts = [HEAD, *_commands(), BUDGET, _strategies(), _parameters(), _types(), _url_rules()]
    return "\n".join([*parts, _config(), _endings(), _formats()])


def _commands() -> Iterator[str]:
    group: Any = typer.main.get_command(app)
    for name, command in every_command(group):
        yield "\n".join(_command(name, command))


def every_command(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each command with its whole name; those of a group stand by themselves."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from every_command(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    usage = " ".join(_metavar(each) for each in arguments)
    yield f"## filon {name}\n"
    yield f"```\nfilon {name} [OPTIONS] {usage}".rstrip() + "\n```\n"
    for paragraph in inspect.cleandoc(command.help).split("\n\n"):
        text = " ".join(paragraph.split())
        example = re.fullmatch(r"Example: (.+)", text)
        yield f"```\n{example[1]}\n```\n" if example else f"{text}\n"
    yield "| argument or option | what it does |\n|---|---|"
    for each in arguments:
        yield _row(f"`{_metavar(each)}`", each.help)
    for each in options:
        if "--help" not in each.opts:
            value = "" if each.is_flag else f" {_metavar(each)}"
            yield _row(f"`{each.opts[-1]}{value}`", each.help)
    yield ""


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper())


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _strategies() -> str:
    lines = ["## Strategies\n", "For `--strategy` and `filon compare`.\n"]
    lines += ["| name | what it does | where |", "|---|---|---|"]
    for name, make in STRATEGIES.items():
        where = "replicas only" if name in REPLICA_ONLY else "anywhere"
        lines.append(_row(f"`{name}`", first_sentence(make), where))
    return "\n".join([*lines, ""])


def first_sentence(thing: object) -> str:
    """Return the first line of a docstring, without the name that it may begin with."""
    line = (inspect.getdoc(thing) or "").partition("\n")[0]
    text = re.sub(r"^`[\w-]+`: ", "", line)
    return text[:1].upper() + text[1:]


def _parameters() -> str:
    lines = ["## Parameters of the strategies\n", "For `--set NAME=VALUE`.\n"]
    lines += ["| strategy | name | default | what it is |", "|---|---|---|---|"]
    for strategy in ("vein", "sb"):
        for name, value in OPTIONS[strategy].items():
            shown = f"{value:.4g}" if isinstance(value, float) else str(value)
            lines.append(_row(f"`{strategy}`", f"`{name}`", f"`{shown}`", PARAMETERS[name]))
    return "\n".join([*lines, ""])


def _types() -> str:
    return "\n".join(
        [
            "## Types of files\n",
            "For `--types`: any of these with commas, or media types such as `text/csv`.\n",
            "| name | what it stands for |",
            "|---|---|",
            _row("`data`", f"all of {', '.join(f'`{name}`' for name in DATA)}"),
            _row("`paper`", "the 38 media types of the paper's experiments"),
            _row("others", ", ".join(f"`{name}`" for name in OTHER)),
            "",
        ]
    )


def _url_rules() -> str:
    lines = ["## When two URLs are one page\n", "For `--url-rule NAME=on` or `NAME=off`.\n"]
    lines += ["| rule | default | what it does |", "|---|---|---|"]
    told = dict(_RULE.findall(inspect.getdoc(KeyRules) or ""))
    for entry in fields(KeyRules):
        words = " ".join(told.get(entry.name, "").split())
        lines.append(_row(f"`{entry.name}`", "on" if entry.default else "off", words))
    return "\n".join([*lines, ""])


def _config() -> str:
    names = ", ".join(f"`{name}`" for name in FIELDS)
    return (
        "## The file for `--config`\n\n"
        f"TOML with any of these names: {names}. Lists where an option may be repeated, a table\n"
        "for `set`, true or false for `portals`, `robots`, `cookies` and `insecure`:\n\n"
        '```toml\nbudget = "2000req,1GiB"\ntypes = "data,pdf"\ncontact = "me@example.org"\n'
        "delay = 2\n\n[set]\nalpha = 2.0\n```\n"
    )


def _endings() -> str:
    rows = (_row(f"`{name}`", words) for name, words in ENDINGS.items() if name)
    return "\n".join(["## How a run ends\n", "| `stopped` | meaning |", "|---|---|", *rows, ""])


def _formats() -> str:
    rows = (_row(f"`{name}`", first_sentence(write)) for name, (write, _) in FORMATS.items())
    return "\n".join(["## Export formats\n", "| `--to` | what it writes |", "|---|---|", *rows, ""])


if __name__ == "__main__":
    print(reference(), end="")
