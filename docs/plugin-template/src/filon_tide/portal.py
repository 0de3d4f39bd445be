"""Portals that are made with Quarry: what gives them away, and how they list their files."""

import json
import re

from filon.core import Request, Response
from filon.core.portal import Dataset, File, Listing
from filon.portals.signals import Signals


class Quarry:
    """A portal has one list of all its datasets, at /quarry.json."""

    name = "quarry"
    #: A weight of 3 names the software; less is a hint.
    signals = Signals(body=((re.compile("made with Quarry"), 3),))

    def confirm(self, root: str) -> Request:
        """Return the request whose answer says whether a portal runs this software."""
        return Request(url=f"{root}/quarry.json")

    def confirmed(self, response: Response) -> str:
        """Return the base for `begin` if it does, else the empty string."""
        found = not self.read(response).problem
        return response.url.removesuffix("/quarry.json") if found else ""

    def begin(self, base: str) -> Request:
        """Return the request for the first datasets."""
        return Request(url=f"{base}/quarry.json?all")

    def read(self, response: Response) -> Listing:
        """Return what an answer lists; an answer that is not as documented has a problem."""
        if not response.ok:
            return Listing(problem="down", detail=f"Quarry answers {response.status}.")
        try:
            told = json.loads(response.body)["datasets"]
            return Listing(datasets=tuple(self._dataset(each) for each in told))
        except (ValueError, KeyError, TypeError):
            return Listing(problem="schema", detail="This is no list of Quarry.")

    def _dataset(self, told: dict[str, str]) -> Dataset:
        file = File(url=told["file"], mime=told["type"])
        return Dataset(id=told["id"], title=told["title"], files=(file,))
