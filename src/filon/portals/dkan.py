"""DKAN 2: the metastore, which gives all datasets in one answer, in the words of DCAT-US."""

from dataclasses import replace
from typing import Any

from filon.core import Request, Response
from filon.core.portal import Dataset, Listing
from filon.portals import dcat_us
from filon.portals.addresses import ask, before
from filon.portals.question import Questioned
from filon.portals.since import ListsAll
from filon.portals.tolerant import tree

SCHEMAS = "/api/1/metastore/schemas"
ITEMS = f"{SCHEMAS}/dataset/items"


class Dkan(ListsAll, Questioned):
    """DKAN 2. The first DKAN has a data.json, and no metastore: see `dcat_us`."""

    name = "dkan"
    api = SCHEMAS

    def fits(self, reply: Any) -> bool:
        """It has a schema of datasets."""
        return "dataset" in tree(reply)

    def begin(self, base: str) -> Request:
        """Ask for all datasets."""
        return ask(f"{base}{ITEMS}")

    def read(self, response: Response) -> Listing:
        """Read the metastore, or the data.json in its place."""
        page = dcat_us.read(response)
        root = before(response.url, ITEMS)
        if not root:
            return page
        if page.problem and not page.datasets:
            return replace(page, more=Request(url=f"{root}{dcat_us.PATH}"))
        return replace(page, datasets=tuple(_with_page(each, root) for each in page.datasets))


def _with_page(dataset: Dataset, root: str) -> Dataset:
    return dataset if dataset.url else replace(dataset, url=f"{root}/dataset/{dataset.id}")
