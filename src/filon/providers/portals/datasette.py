"""Datasette: each table is a dataset, and a CSV file."""

from typing import Any
from urllib.parse import quote

from filon.core import Request, Response
from filon.page.url import join
from filon.providers.portals.adapter import Dataset, Page
from filon.providers.portals.addresses import ask, before
from filon.providers.portals.files import described
from filon.providers.portals.tolerant import number, parsed, prose, text, tree, trees
from filon.providers.portals.trouble import strange, trouble

DATABASES = "/-/databases.json"


class Datasette:
    """An instance of Datasette: a call for the databases, and one for each."""

    name = "datasette"

    def confirm(self, root: str) -> Request:
        """Ask for the databases."""
        return ask(f"{root}{DATABASES}")

    def confirmed(self, response: Response) -> str:
        """Return the instance's root."""
        said = parsed(response) if not trouble(response) else None
        fits = _databases(said) and all("name" in each for each in _databases(said))
        return before(response.url, DATABASES) if fits else ""

    def begin(self, base: str) -> Request:
        """Ask for the databases."""
        return ask(f"{base}{DATABASES}")

    def read(self, response: Response) -> Page:
        """Read the list of databases, or the tables of one."""
        if wrong := trouble(response):
            return wrong
        said = parsed(response)
        root = before(response.url, DATABASES)
        if root:
            found = _databases(said)
            lists = tuple(ask(_address(each, response.url)) for each in found)
            return Page(also=lists) if lists else strange("a list of databases")
        if not isinstance(tree(said).get("tables"), list):
            return strange("a database of Datasette")
        tables = [table for table in trees(said, "tables") if table.get("hidden") is not True]
        return Page(datasets=tuple(_dataset(table, said, response.url) for table in tables))


def _databases(said: Any) -> list[dict[str, Any]]:
    """Return the databases, which newer versions wrap in an object."""
    found = said if isinstance(said, list) else tree(said).get("databases")
    return [each for each in trees(found) if text(each, "name") != "_internal"]


def _address(database: dict[str, Any], url: str) -> str:
    path = text(database, "path") or f"../{quote(text(database, 'name'))}"
    return f"{join(url, path).rstrip('/')}.json"


def _dataset(table: dict[str, Any], said: Any, url: str) -> Dataset:
    name = text(table, "name")
    page = f"{url.partition('?')[0].removesuffix('.json')}/{quote(name)}"
    file = described(f"{page}.csv?_stream=on", f"{name}.csv", "csv")
    count = number(table, "count")
    return Dataset(
        id=f"{text(said, 'database')}/{name}",
        title=name,
        description=prose(table, "description") or (f"{count} rows" if count is not None else ""),
        url=page,
        files=(file,) if file else (),
        licence=text(said, "metadata", "license"),
        publisher=text(said, "metadata", "source"),
    )
