"""CKAN: the action API, version 3."""

from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.portals.addresses import again, ask, asked_number, before
from filon.portals.files import described
from filon.portals.tolerant import number, parsed, prose, text, tree, trees
from filon.portals.trouble import strange, too_long, trouble

ACTION = "/api/3/action/"
#: The documented upper bound; a portal may set a lower one and then answers with fewer.
ROWS = 1000
#: With datasets of hundreds of files, so few are asked for after an answer was too long.
FEW_ROWS = 100


class Ckan:
    """CKAN 2.x, and what answers like it."""

    name = "ckan"

    def confirm(self, root: str) -> Request:
        """Ask for the version."""
        return ask(f"{root}{ACTION}status_show")

    def confirmed(self, response: Response) -> str:
        """Return the portal's root."""
        said = parsed(response) if not trouble(response) else None
        fits = tree(said).get("success") is True and tree(said, "result")
        return before(response.url, ACTION) if fits else ""

    def begin(self, base: str) -> Request:
        """Ask for the first thousand, in an order that does not change under way."""
        return ask(f"{base}{ACTION}package_search", rows=ROWS, start=0, sort="name asc")

    def read(self, response: Response) -> Listing:
        """Read a page of package_search."""
        rows = asked_number(response.url, "rows", ROWS)
        if response.ok and too_long(response) and rows > FEW_ROWS:
            return Listing(more=again(response.url, rows=FEW_ROWS))
        if wrong := trouble(response):
            return wrong
        said = parsed(response)
        if tree(said).get("success") is not True or "results" not in tree(said, "result"):
            return strange("an answer of CKAN's package_search")
        root = before(response.url, ACTION)
        found = trees(said, "result", "results")
        total = number(said, "result", "count")
        start = asked_number(response.url, "start") + len(found)
        ends = not found or (total is not None and start >= total)
        return Listing(
            datasets=tuple(_dataset(package, root) for package in found),
            more=None if ends else again(response.url, start=start),
            total=total,
        )


def _dataset(package: dict[str, Any], root: str) -> Dataset:
    name = text(package, "name") or text(package, "id")
    files = (_file(resource) for resource in trees(package, "resources"))
    return Dataset(
        id=text(package, "id") or name,
        title=text(package, "title") or name,
        description=prose(package, "notes"),
        url=f"{root}/dataset/{name}",
        files=tuple(file for file in files if file),
        licence=text(package, "license_title") or text(package, "license_id"),
        modified=text(package, "metadata_modified"),
        publisher=text(package, "organization", "title") or text(package, "author"),
        keywords=tuple(word for tag in trees(package, "tags") if (word := text(tag))),
    )


def _file(resource: dict[str, Any]) -> File | None:
    return described(
        text(resource, "url"),
        text(resource, "name"),
        text(resource, "format"),
        text(resource, "mimetype"),
        number(resource, "size"),
    )
