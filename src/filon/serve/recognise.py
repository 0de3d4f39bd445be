"""What was typed or dropped, and what could be done with it: proposals, the likeliest first.

Nothing is asked of the web here, and nothing is guessed in silence: each proposal says why it is
made, and the others stand beside it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from filon.core import UserError
from filon.page.url import extension, split
from filon.verbs.enrich.table import WhichPartError, open_table
from filon.verbs.enrich.table.sheet import Sheet
from filon.verbs.follow.rdf.syntaxes import EXTENSIONS, TYPES
from filon.verbs.option import has_scheme, start_url

Kind = Literal["site", "file", "linked", "topic", "sites", "table", "nothing"]

#: Hosts, and beginnings of paths, that are known for Linked Data.
_LINKED_HOSTS = frozenset(
    {"dbpedia.org", "www.wikidata.org", "wikidata.org", "viaf.org", "id.loc.gov", "w3id.org"}
    | {"purl.org", "data.europa.eu", "sws.geonames.org", "linkeddata.org", "schema.org"}
)
_LINKED_PATH = re.compile(r"^/(resource|id|entity|ontology|ns|vocab|vocabulary|sparql)(/|$)", re.I)
#: Endings of files on the web that are data and no page.
_FILES = frozenset({"csv", "tsv", "xls", "xlsx", "ods", "json", "geojson", "parquet", "zip", "xml"})
#: Endings of tables on this machine, which a host's name never has.
_TABLES = frozenset(
    {"csv", "tsv", "xlsx", "xls", "ods", "ndjson", "parquet", "sqlite", "duckdb", "db"}
)
#: A list is told by its lines; more than these are not looked at.
_LINES = 10_000
#: Sheets of a workbook, or tables of a database, that are offered; others are named by --part.
_PARTS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One thing that could be done.

    typed: what would be typed for it, by the names of `filon.verbs.option.name_of`.
    why: the key of a sentence in words.toml, start.why.*; values: what is put into it.
    """

    verb: str
    typed: Mapping[str, Any]
    why: str
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """What something is, and what could be done with it.

    kind: a word of start.kind.* in words.toml.
    problem: why nothing can be done, in a sentence of the program; hint: the key of one of the
        page's own, start.hint.*.
    """

    kind: Kind
    proposals: tuple[Proposal, ...] = ()
    problem: str = ""
    hint: str = ""


def recognise(text: str) -> Recognised:
    """Return what a typed text is.

    >>> recognise("food security in ethiopia").proposals[0].verb
    'discover'
    >>> recognise("example.org/data").proposals[0].typed
    {'url_': 'https://example.org/data'}
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return Recognised(kind="nothing")
    if len(lines) > 1 and _all_addresses(lines):
        return Recognised(kind="sites")  # they become a file: see `recognise_file`
    typed = " ".join(lines)
    if " " not in typed and _could_be_address(typed):
        try:
            return _address(typed, start_url(typed))
        except UserError as error:
            return Recognised(kind="nothing", problem=str(error))
    return _topic(typed)


def is_list(text: str) -> bool:
    """Say whether a typed text is a list of addresses, one a line."""
    return recognise(text).kind == "sites"


def recognise_file(path: Path, shown: str) -> Recognised:
    """Return what a file is that was dropped. shown: its path as it is typed."""
    if addresses := _all_addresses(_lines_of(path)):
        return _sites(shown, len(addresses))
    ending = path.suffix.lower().removeprefix(".")
    if ending in EXTENSIONS:
        return Recognised(kind="nothing", hint="rdf_file")
    try:
        table = open_table(path)
    except WhichPartError as error:
        return _parts(shown, error.parts)
    except UserError as error:
        # Where it is kept is nothing that a person has chosen, or could find.
        return Recognised(kind="nothing", problem=str(error).replace(str(path), path.name))
    if isinstance(table, Sheet) and len(table.parts) > 1:
        return _parts(shown, sorted(table.parts, key=lambda name: name != table.name))
    made = Proposal(verb="enrich", typed={"table_": shown}, why="table")
    return Recognised(kind="table", proposals=(made,))


def _parts(shown: str, parts: Sequence[str]) -> Recognised:
    """Return a file of several tables: one of them is chosen, the first where nobody does."""
    proposals = (_part(shown, one) for one in parts[:_PARTS])
    return Recognised(kind="table", proposals=tuple(proposals))


def _part(shown: str, part: str) -> Proposal:
    typed = {"table_": shown, "part_": part}
    return Proposal(verb="enrich", typed=typed, why="part", values={"part": part})


def after_look(found: Recognised, mime: str) -> Recognised:
    """Return the same with what its first page has shown: the type of an answer does not lie."""
    if found.kind not in ("site", "file") or TYPES.get(mime, "html") == "html":
        return found
    linked = [one for one in found.proposals if one.verb == "follow"]
    others = [one for one in found.proposals if one.verb != "follow"]
    first = [replace(one, why="type", values={"type": mime}) for one in linked]
    return Recognised(kind="linked", proposals=(*first, *others))


def _could_be_address(typed: str) -> bool:
    if has_scheme(typed):
        return True
    host = re.split(r"[/?#]", typed, maxsplit=1)[0]
    if host.rpartition(".")[2].lower() in _TABLES:
        return False
    return bool(re.fullmatch(r"(localhost|[^\s@:]+\.[^\s@:.]{2,}|\d+(\.\d+){3})(:\d+)?", host))


def _address(typed: str, url: str) -> Recognised:
    ending, named = extension(url), {"host": _host(url)}
    harvest = Proposal(verb="harvest", typed={"url_": url}, why="address", values=named)
    full = typed if has_scheme(typed) else url  # an identifier is asked for as it is written
    follow = Proposal(verb="follow", typed={"seeds_": [full]}, why="linked_too")
    discover = Proposal(verb="discover", typed={"seeds_": [url]}, why="example")
    if ending in EXTENSIONS:
        linked = replace(follow, why="ending", values={"ending": f".{ending}"})
        return Recognised(kind="linked", proposals=(linked, harvest))
    if _host(url) in _LINKED_HOSTS or "#" in typed or _LINKED_PATH.match(split(url).path):
        linked = replace(follow, why="linked")
        return Recognised(kind="linked", proposals=(linked, harvest, discover))
    if ending in _FILES:
        folder = {"url_": _folder(url)}
        site = replace(harvest, typed=folder, why="file", values={"ending": f".{ending}"})
        return Recognised(kind="file", proposals=(site, harvest, follow))
    return Recognised(kind="site", proposals=(harvest, discover, follow))


def _topic(words: str) -> Recognised:
    if words.rpartition(".")[2].lower() in _TABLES and " " not in words:
        return Recognised(kind="nothing", hint="drop")
    return Recognised(
        kind="topic",
        proposals=(
            Proposal(verb="discover", typed={"topic_": [words]}, why="topic"),
            Proposal(verb="acquire", typed={"topic_": [words]}, why="topic_files"),
        ),
    )


def _sites(shown: str, number: int) -> Recognised:
    many = {"n": number}
    return Recognised(
        kind="sites",
        proposals=(
            Proposal(verb="harvest", typed={"sites_": shown}, why="sites", values=many),
            Proposal(verb="discover", typed={"seeds_": [shown]}, why="sites_like", values=many),
            Proposal(verb="follow", typed={"seeds_1": shown}, why="sites_linked", values=many),
        ),
    )


def _all_addresses(lines: Sequence[str]) -> list[str]:
    """Return the addresses, where every line is one; comments are none."""
    wanted = [line for line in lines if not line.startswith("#")]
    try:
        return [start_url(line.strip("<>")) for line in wanted if _plausible(line)]
    except UserError:
        return []


def _plausible(line: str) -> bool:
    if " " in line or not _could_be_address(line.strip("<>")):
        raise UserError(line)
    return True


def _lines_of(path: Path) -> list[str]:
    """Return the lines of a text file; nothing where it is none, or too long for a list."""
    try:
        if path.stat().st_size > _LINES * 200:
            return []
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return []
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [] if len(lines) > _LINES or "\0" in text else lines


def _host(url: str) -> str:
    return split(url).hostname or ""


def _folder(url: str) -> str:
    """Return the address of the folder that a file on the web lies in."""
    return url.partition("?")[0].rpartition("/")[0] + "/"
