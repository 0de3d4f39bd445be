"""Filon in Datasette: pages over run folders, and an enrichment that runs `filon enrich`.

Datasette finds it by the entry point, so it is loaded wherever both are installed: nothing heavy is
imported before a page is asked for, and without datasette-enrichments the pages work all the same.
"""

from collections.abc import Sequence
from typing import Any

from datasette import hookimpl

#: By which a user's metadata.json knows the plugin.
NAME = "datasette-filon"


@hookimpl
def register_routes() -> Sequence[tuple[str, Any]]:
    """Return the addresses of the pages."""
    from filon.contrib.datasette import pages

    return [
        (r"^/-/filon(?P<form>\.json)?$", pages.catalog),
        (r"^/-/filon/files/(?P<id>[0-9a-f]{6,64})(?P<form>\.json)?$", pages.profile),
        (r"^/-/filon/why(?P<form>\.json)?$", pages.why),
    ]


@hookimpl
def menu_links(datasette: Any, actor: Any) -> Any:
    """Return the entry of the menu, for who may see the pages."""

    async def links() -> list[dict[str, str]]:
        from filon.contrib.datasette.pages import may_view

        if not await may_view(datasette, actor):
            return []
        return [{"href": datasette.urls.path("/-/filon"), "label": "Files found by Filon"}]

    return links


@hookimpl
def startup(datasette: Any) -> Any:
    """Let jobs go on that another Datasette was in the midst of when it ended."""

    async def pause() -> None:
        from filon.contrib.datasette.jobs import pause_left

        for db in datasette.databases.values():
            if db.is_mutable and not db.is_memory:
                await pause_left(db)

    return pause


@hookimpl(optionalhook=True)
def register_enrichments() -> Sequence[Any]:
    """Return the enrichment; datasette-enrichments asks for it, where that is installed."""
    from filon.contrib.datasette.enrichment import FilonEnrichment

    return [FilonEnrichment()]
