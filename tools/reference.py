"""docs/reference.md, made from the commands and registries themselves.

    python -m tools.reference > docs/reference.md

A test fails when the file is stale, or when something in it has no words.
"""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import typer

from filon.cli.app import app
from filon.cli.commands import words
from filon.cli.export import UPDATE
from filon.compare.oracles import NAMES, ORACLES
from filon.page.formats import DATA, OTHER
from filon.page.url import KeyRules
from filon.run.export import Export
from filon.run.summary import ENDINGS
from filon.verbs.discover.strategies import OPTIONS as WAYS
from filon.verbs.discover.strategies import STRATEGIES as DISCOVER
from filon.verbs.discover.strategies import VARIANTS
from filon.verbs.enrich.records import STATES
from filon.verbs.enrich.strategies import OPTIONS as SET
from filon.verbs.enrich.strategies import STRATEGIES as ENRICH
from filon.verbs.follow.publish import publish
from filon.verbs.follow.strategies import OPTIONS as TRAITS
from filon.verbs.follow.strategies import STRATEGIES as FOLLOW
from filon.verbs.harvest.strategies import OPTIONS, STRATEGIES
from filon.verbs.registry import VERBS

HEAD = """\
# Command reference

<!-- Made by `make docs` from the program itself: do not edit. -->

Progress goes to standard error, results to standard output. With `--json` the last line of
standard output is one object with `run`, `verb`, `strategy`, `stopped`, `requests`, `bytes`,
`finds`, `seconds`, `report`, `types` and `notes`; of a harvest also `left_out_hosts`, the files on
other hosts that were left out, by host, and `files_left`: `about` so many by estimate, and, 95 %
sure, `at_most` so many (null where the strategy has no estimate, or it is too early for one); of
an enrichment, in place of `types`, also `rows` by state, `calls`, `at_hand`, `spent`, `currency`,
`conflicts` and `table`; of a discovery `repositories`, `sites`, `searchers`,
`best`, `list`, `catalog` and `harvest`.

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
spent when it leaves, whatever comes back: redirects, errors, retries and robots.txt count. Bytes
are all that comes in, headers and the handshakes of TLS included.

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
    "around": "what stands around it, in the largest block without another link, is",
    "hints": "without an extension, words like download or CSV hint at a file",
    "hubs": "pages earn by the pages that they lead to",
    "slash": "it is learnt where /x redirects to /x/",
    "sitemaps": "sitemaps and feeds are read",
    "noise": "it is learnt which URL parameters change nothing",
    "doubt": "among equals, kinds of links that were hardly asked for come first",
    "twins": "links to a page that was read, but for its query, slash or case, are known as such",
    "sightings": "with a prior, a link is known by the better of two places where it was met",
    "warmup": "while few answers are in, few requests are in flight",
    "alpha": "how much is explored: the weight of the bandit's upper bound",
    "n": "the length of the n-grams that tag paths are compared by",
    "theta": "the likeness from which two tag paths are one group",
    "m": "tag paths are projected to 2^m dimensions",
    "w": "the word size of the hash that projects them",
    "b": "links for each round of training of the URL classifier",
    "features": "what the URL classifier reads: `url` or `context`",
    "model": "the URL classifier: `lr`, `svm`, `nb` or `pa`",
}
#: The strategies of enrichments, and what their parameters are.
ENRICHMENT = {
    "prospect": "learns on the way how many records a query has, which words survive, and which "
    "rows are absent; no sample needed",
    "smartcrawl-b": "SMARTCRAWL with the biased estimators, from a sample",
    "smartcrawl-u": "SMARTCRAWL with the unbiased estimators, from a sample",
    "simple": "QSEL-SIMPLE: the query that most rows not found yet hold",
    "bound": "QSEL-BOUND: the same, and rows that a query missed are given up",
    "full": "FULLCRAWL: the words of a sample, the most frequent first",
    "full-adaptive": "the same with the words of the records crawled so far, without a sample",
    "naive": "NAIVECRAWL: a query a row, of all its words",
}
SWITCHES = {
    "page": "further pages of a query compete with new queries",
    "row": "queries of two words of a single row compete too",
    "near": "whether its words stand side by side helps to tell how many records a query has",
    "columns": "it is learnt which columns are worth querying",
    "words": "it is learnt which words survive in the source",
    "news": "what pages bring beside counts, and words of records are asked for",
    "likeness": "it is learnt from like rows which are present",
    "removal": "rows that a query missed, although all it has was shown, lose weight or are given "
    "up",
    "joint": "where any word matches, words of several rows are asked for at once",
    "sample": "how many records are drawn through the service where no sample is given",
}
#: The strategies of discovery, and what their parameters are.
DISCOVERY = {
    "scout": "asks, reads and checks what promises most for its cost; portals are asked by their "
    "APIs",
    "dsdd": "DSDD: dataset repositories of a domain, by rounds of one operator each",
    "disco": "DISCO: sites like the examples, ranked, by rounds of one operator each",
    "seedfinder": "SeedFinder: queries that are refined by the words of pages of the kind",
    "bipartite": "a crawl that goes back to hubs and forward to what they name",
    "ache": "ACHE: an adaptive focused crawler with page and link classifiers",
}
CHOICES = {
    "mode": "what is looked for, or the operators and the learning that are used: "
    "`auto`, `repositories` or `sites` of scout, the variants of the others",
    "choice": "how arms are chosen: `thompson` or `ucb`",
    "fade": "what remains of an arm's past after a search",
    "dollar": "the requests that a dollar is worth",
    "audit": "the share of rejected pages that are checked all the same",
    "focus": "how much of a repository's reward hangs on its nearness to the topic; of ache, "
    "whether links of other pages are followed: `hard` or `soft`",
    "count": "what the bandit counts: `pages` or `pulls`",
    "collect": "pages that the second phase reads",
    "reward": "what an operator is paid for: `new` repositories, or `any` page that is taken",
    "ranker": "how sites are ranked: an ensemble or one of its members",
    "queries": "queries that are asked in all",
    "precision": "the share of results that must be of the kind",
    "new": "the share of results that must be new",
    "each": "pages that are asked for of each site",
    "every": "pages between two fits of the link classifier",
}
#: The strategies that follow Linked Data, and what their parameters are.
FOLLOWING = {
    "lode": "asks for the kind of URI that promises most new triples; nothing is turned down for "
    "good",
    "ldcoc": "the paper's crawler with an online classifier: Algorithms 1 and 2",
    "bfs": "every document in the order in which it was mentioned, domain by domain in turn",
    "heuristic": "the rules of earlier crawlers, by extension and content type",
}
LEARNERS = {
    "tau": "the chance from which on a URI is asked for",
    "epsilon": "the part of the others that is asked for all the same",
    "features": "what is looked at: `t` the URI, `r` the document that mentions it, `p` the "
    "properties in between, `x` its siblings",
    "bits": "features are hashed to 2^bits numbers",
    "alpha": "the learning rate of FTRL-proximal",
    "beta": "the smoothing of the learning rate",
    "l1": "the weight of the first norm, which sets weights to nothing",
    "l2": "the weight of the second norm, which keeps weights small",
    "model": "a model guesses the chance of kinds that were hardly tried",
    "gain": "documents with many triples are worth more",
    "turns": "hosts of nearly equal worth take turns",
}
_RULE = re.compile(r"^(\w+): (.+(?:\n[ \t]+.+)*)", re.M)


def reference() -> str:
    """Return the whole page."""
    parts = [HEAD, *_commands(), BUDGET, _strategies(), _parameters(), _discovery()]
    parts += [_following(), _enrichment()]
    return "\n".join([*parts, _types(), _url_rules(), _config(), _endings(), _states(), _formats()])


def _commands() -> Iterator[str]:
    for name, command in every_command():
        yield "\n".join(_command(name, command))


def every_command() -> Iterator[tuple[str, Any]]:
    """Yield each command with its whole name; those of a group stand by themselves."""
    group: Any = typer.main.get_command(app)
    for name, command in group.loaded:
        inner = getattr(command, "commands", None)
        if inner:
            yield from ((f"{name} {each}", one) for each, one in inner.items())
        else:
            yield name, command


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    options = [each for each in options if not each.hidden and "--help" not in each.opts]
    usage = " ".join(_place(each) for each in arguments)
    yield f"## filon {name}\n"
    yield f"```\nfilon {name} [OPTIONS] {usage}".rstrip() + "\n```\n"
    for paragraph in inspect.cleandoc(command.help).split("\n\n"):
        text = " ".join(paragraph.split())
        example = re.fullmatch(r"Example: (.+)", text)
        yield f"```\n{example[1]}\n```\n" if example else f"{text}\n"
    yield "| argument or option | what it does |\n|---|---|"
    for each in arguments:
        yield _row(f"`{_place(each)}`", each.help)
    for each in options:
        value = "" if each.is_flag else f" {_metavar(each)}"
        yield _row(f"`{each.opts[-1]}{value}`", each.help)
    yield ""


def _place(argument: Any) -> str:
    name = _metavar(argument) if argument.required else f"[{_metavar(argument)}]"
    return name if argument.nargs == 1 else f"{name}..."


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper())


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _strategies() -> str:
    lines = ["## Strategies\n", "For `--strategy` and `filon compare`.\n"]
    lines += ["| name | what it does | where |", "|---|---|---|"]
    for name in NAMES:
        make = ORACLES.get(name) or STRATEGIES[name]
        where = "replicas only" if name in ORACLES else "anywhere"
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


def _discovery() -> str:
    lines = ["## Strategies of discovery\n", "For `--strategy` of `filon discover`.\n"]
    lines += ["| name | what it does | parameters, for `--set` | variants |", "|---|---|---|---|"]
    for name in DISCOVER:
        known = ", ".join(f"`{option}={value}`" for option, value in WAYS[name].items())
        modes = ", ".join(f"`{mode}`" for mode, whose in VARIANTS.items() if whose == name)
        lines.append(_row(f"`{name}`", DISCOVERY[name], known or "none", modes or "none"))
    lines += ["", "A variant is a strategy in one of its modes, and may be named in its place.", ""]
    lines += ["| parameter | what it is |", "|---|---|"]
    used = dict.fromkeys(option for known in WAYS.values() for option in known)
    lines += [_row(f"`{option}`", CHOICES[option]) for option in used]
    return "\n".join([*lines, ""])


def _following() -> str:
    lines = ["## Strategies that follow Linked Data\n", "For `--strategy` of `filon follow`.\n"]
    lines += ["| name | what it does | parameters, for `--set` |", "|---|---|---|"]
    for name in FOLLOW:
        known = ", ".join(f"`{option}={value}`" for option, value in TRAITS.get(name, {}).items())
        lines.append(_row(f"`{name}`", FOLLOWING[name], known or "none"))
    lines += ["", "| parameter | what it is |", "|---|---|"]
    used = dict.fromkeys(option for known in TRAITS.values() for option in known)
    lines += [_row(f"`{option}`", LEARNERS[option]) for option in used]
    return "\n".join([*lines, ""])


def _enrichment() -> str:
    lines = ["## Strategies of enrichments\n", "For `--strategy` of `filon enrich`.\n"]
    lines += ["| name | what it does | parameters, for `--set` |", "|---|---|---|"]
    for name in ENRICH:
        known = ", ".join(f"`{option}={value}`" for option, value in SET.get(name, {}).items())
        lines.append(_row(f"`{name}`", ENRICHMENT[name], known or "none"))
    lines += ["", "| parameter | what it is |", "|---|---|"]
    used = dict.fromkeys(option for known in SET.values() for option in known)
    lines += [_row(f"`{option}`", SWITCHES[option]) for option in used]
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
    shared = words(VERBS.find("harvest")().settings)
    names = ", ".join(f"`{name}`" for name in shared)
    others, asked, linked = (
        ", ".join(f"`{name}`" for name in words(VERBS.find(each)().settings) if name not in shared)
        for each in ("enrich", "discover", "follow")
    )
    return (
        "## The file for `--config`\n\n"
        f"TOML with any of these names: {names}. Lists where an option may be repeated, a table\n"
        "for `set`, true or false for `portals`, `robots`, `cookies` and `insecure`. Of an\n"
        "enrichment also\n"
        f"{others}, with a table for `source-set`;\n"
        f"to follow Linked Data also {linked};\n"
        f"of a discovery also {asked}:\n\n"
        '```toml\nbudget = "2000req,1GiB"\ntypes = "data,pdf"\ncontact = "me@example.org"\n'
        "delay = 2\n\n[set]\nalpha = 2.0\n```\n"
    )


def _endings() -> str:
    rows = (_row(f"`{name}`", words) for name, words in ENDINGS.items() if name)
    return "\n".join(["## How a run ends\n", "| `stopped` | meaning |", "|---|---|", *rows, ""])


def _states() -> str:
    rows = (_row(f"`{name}`", words) for name, words in STATES.items())
    head = ["## How it stands with a row\n", "In `rows` of `--json` and in `records.sqlite`.\n"]
    return "\n".join([*head, "| state | meaning |", "|---|---|", *rows, ""])


def _formats() -> str:
    every: dict[str, Export] = {}
    for name in VERBS:
        every = dict(VERBS.find(name)().exports()) | every
    rows = [_row(f"`{name}`", first_sentence(one.write)) for name, one in every.items()]
    rows.append(_row(f"`{UPDATE}`", first_sentence(publish)))
    return "\n".join(["## Export formats\n", "| `--to` | what it writes |", "|---|---|", *rows, ""])


if __name__ == "__main__":
    print(reference(), end="")
