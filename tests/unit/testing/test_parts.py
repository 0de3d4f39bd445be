"""The checks of `filon.testing` tell what is wrong, in a sentence."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from filon.core import Request, Response, Web
from filon.core.portal import Listing
from filon.learn.ucb import Ucb
from filon.portals.ckan import Ckan
from filon.run.export.format import Export, Rows
from filon.testing import ToySite, check_export, check_learner, check_portal, check_web
from filon.testing.site import HOST

URL = f"{HOST}/files/0-0.csv"


class Altered(ToySite):
    """A web with one fault: a change of the answers to some requests."""

    def __init__(self, when: str, change: dict[str, Any]) -> None:
        super().__init__()
        self.when, self.change = when, change

    async def fetch(self, request: Request) -> Response:
        response = await super().fetch(request)
        told = f"{request.method} {request.url} {request.unwanted} {request.max_bytes > 0}"
        return replace(response, **self.change) if self.when in told else response


@pytest.mark.parametrize(
    ("when", "change", "told"),
    [
        ("GET", {"status": 500}, "status=500"),
        ("GET", {"headers": ()}, "not a CSV file"),
        ("GET", {"size_bytes": 3}, "the size is not that of the body"),
        ("HEAD", {"body": b"x"}, "HEAD has a body"),
        ("'text/csv'", {"cut": "", "body": b"x"}, "an unwanted type was fetched"),
        ("'text/cs'", {"cut": "type"}, "only looks like an unwanted one"),
        ("True", {"wire_bytes": 40}, "more bytes than the budget"),
        ("no-such-thing", {"status": 200}, "a missing page is no 404"),
        ("invalid", {"status": 200}, "a host that does not exist answers"),
    ],
)
def test_a_fault_of_a_web_is_told(when: str, change: dict[str, Any], told: str) -> None:
    async def make() -> Web:
        return Altered(when, change)

    with pytest.raises(AssertionError, match=told):
        check_web(make, URL)


def test_a_web_that_raises_is_told() -> None:
    class Raising(ToySite):
        async def fetch(self, request: Request) -> Response:
            if "invalid" in request.url:
                raise OSError("no such host")
            return await super().fetch(request)

    async def make() -> Web:
        return Raising()

    with pytest.raises(AssertionError, match="does not exist: OSError: no such host"):
        check_web(make, URL)


class Forgetful(Ucb):
    def restore(self, state: dict[str, Any]) -> None:
        """Go on as if nothing had been learnt."""


class Shared(Ucb):
    def state(self) -> dict[str, Any]:
        return {**super().state(), "pulls": self._pulls}


def teach(learner: Ucb, number: int) -> object:
    arm = learner.choose(["a", "b"])
    learner.learn(arm, (number % 4) / 4, number % 7)
    return arm


def test_a_learner_that_forgets_is_told() -> None:
    with pytest.raises(AssertionError, match="its twin thinks otherwise"):
        check_learner(lambda: Forgetful(["a", "b"]), teach)


def test_a_state_that_is_no_copy_is_told() -> None:
    with pytest.raises(AssertionError, match="its state changed after it was taken"):
        check_learner(lambda: Shared(["a", "b"]), teach)


def test_a_format_that_writes_nothing_or_two_things_is_told() -> None:
    def nothing(rows: Rows, out: Path) -> None:
        """Forget to write."""

    def another(rows: Rows, out: Path) -> None:
        out.write_text(out.name)

    with pytest.raises(AssertionError, match="nothing was written"):
        check_export(Export(nothing, ".txt"))
    with pytest.raises(AssertionError, match="in two ways"):
        check_export(Export(another, ".txt"))
    with pytest.raises(AssertionError, match="begins with no dot"):
        check_export(Export(another, "txt"))


class Quarry:
    """A portal that believes everything."""

    name = "Quarry"

    def confirm(self, root: str) -> Request:
        return Request(url=f"{root}/api")

    def confirmed(self, response: Response) -> bool:
        return True

    def begin(self, root: str) -> Request:
        return Request(url=f"{root}/api")

    def read(self, response: Response) -> Listing:
        return Listing()


def test_a_portal_that_believes_everything_is_told() -> None:
    with pytest.raises(AssertionError, match="confirms the software"):
        check_portal(Quarry())  # type: ignore[arg-type]


class Gossip(Ckan):
    """Says of everything that it was deleted."""

    def changes(self, response: Response, moment: datetime) -> Listing:
        return Listing(gone=("all",))


def test_a_portal_that_takes_failures_for_changes_is_told() -> None:
    check_portal(Ckan)
    with pytest.raises(AssertionError, match="taken for a list of changes"):
        check_portal(Gossip)
