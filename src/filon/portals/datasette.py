"""Datasette: each table is a dataset, and a CSV file."""

import re
from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, Listing
from filon.portals.addresses import ask, before
from filon.portals.files import described
from filon.portals.question import Questioned
from filon.portals.tolerant import number, parsed, prose, text, tree, trees
from filon.portals.trouble import strange, trouble

DATABASES = "/-/databases.json"
_SAFE = re.compile(r"[A-Za-z0-9_-]")


class Datasette(Questioned):
    """An instance of Datasette: a call for the databases, and one for each."""

    name = "datasette"
    api = DATABASES

    def fits(self, reply: Any) -> bool:
        """It names its databases."""
        found = _databases(reply)
        return bool(found) and all("name" in each for each in found)

    def begin(self, base: str) -> Request:
        """Ask for the databases."""
        return ask(f"{base}{DATABASES}")

    def read(self, response: Response) -> Listing:
        """Read the list of databases, or the tables of one."""
        if wrong := trouble(response):
            return wrong
        reply = parsed(response)
        root = before(response.url, DATABASES)
        if root:
            found = _databases(reply)
            names = (text(each, "route") or text(each, "name") for each in found)
            lists = tuple(ask(f"{root}/{tilde(name)}.json") for name in names)
            return Listing(also=lists) if lists else strange("a list of databases")
        if not isinstance(tree(reply).get("tables"), list):
            return strange("a database of Datasette")
        tables = [table for table in trees(reply, "tables") if table.get("hidden") is not True]
        return Listing(datasets=tuple(_dataset(table, reply, response.url) for table in tables))


def _databases(reply: Any) -> list[dict[str, Any]]:
    """Return the databases, which newer versions wrap in an object."""
    found = reply if isinstance(reply, list) else tree(reply).get("databases")
    return [each for each in trees(found) if text(each, "name") != "_internal"]


def tilde(name: str) -> str:
    """Return a name as Datasette writes it in addresses.

    >>> tilde("town hall/1.5")
    'town+hall~2F1~2E5'
    """
    return "".join(
        "+" if char == " " else char if _SAFE.fullmatch(char) else _coded(char) for char in name
    )


def _coded(char: str) -> str:
    return "".join(f"~{byte:02X}" for byte in char.encode())


def _dataset(table: dict[str, Any], database: Any, url: str) -> Dataset:
    name = text(table, "name")
    page = f"{url.partition('?')[0].removesuffix('.json')}/{tilde(name)}"
    file = described(f"{page}.csv?_stream=on&_dl=1", f"{name}.csv", "csv")
    count = number(table, "count")
    return Dataset(
        id=f"{text(database, 'database')}/{name}",
        title=name,
        description=prose(table, "description") or (f"{count} rows" if count is not None else ""),
        url=page,
        files=(file,) if file else (),
        licence=text(database, "metadata", "license"),
        publisher=text(database, "metadata", "source"),
    )
