"""An answer of a service is read once while a run goes on, and once more when it is wrapped up."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import filon
from discoverweb import SEARCH
from discoverweb import serving as small_web
from enriching import HIDDEN, LOCAL
from filon.core import Find, Response, Step
from filon.services.answers import Json, Node, Records, Results
from filon.testing.discovery import TOPIC
from searchbox import serving, write_table


class Counted:
    """How often bytes became a tree and a tree records, also as it was at each answer."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.opened = self.read = 0
        self.at: list[tuple[int, int]] = []
        open_, read = Json._read, Records.read

        def count_open(one: Json, body: bytes, content_type: str) -> Node:
            self.opened += 1
            return open_(one, body, content_type)

        def count_read(one: Records, said: Node, url: str) -> Results:
            self.read += 1
            return read(one, said, url)

        patch.setattr(Json, "_read", count_open)
        patch.setattr(Records, "read", count_read)

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        self.at.append((self.opened, self.read))


@pytest.mark.parametrize("strategy", ["prospect", "simple"])
@pytest.mark.parametrize("parallel", [1, 3])
@pytest.mark.parametrize("named", [True, False], ids=["fields named", "fields from answers"])
def test_an_answer_is_read_once_by_all_who_look_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: str, parallel: int, named: bool
) -> None:
    counted = Counted(monkeypatch)
    table = write_table(tmp_path / "t.csv", LOCAL)
    with serving(HIDDEN) as box:
        # A rule with a path, so that the guard that looks for refusals reads the body as well.
        rule = '[[problems]]\npath = "$.error"\nmeans = "quota"\n'
        source = box.source(tmp_path)
        text = source.read_text() + rule
        if not named:
            head, _, rest = text.partition("[answer.fields]")
            fields = 'fields = "*"\n'
            text = head + "[query]" + rest.partition("[query]")[2]
            text = text.replace('always = ["title"]\n', fields)
        source.write_text(text)
        with filon.enrich(
            table,
            source=source,
            match="title,author",
            add="year",
            budget=12,
            delay=0,
            strategy=strategy,
            parallel=parallel,
            out=tmp_path / "run",
            watch=counted.watch,
        ):
            pass
    assert box.calls == len(counted.at) == 12
    assert counted.at[-1] == (12, 12)
    if parallel == 1:
        assert counted.at == [(n, n) for n in range(1, 13)]
    # The table is filled from the archive: each answer once more.
    assert max(counted.opened, counted.read) <= 24


def test_an_answer_of_a_search_service_is_read_once_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch)
    with small_web() as web:
        with filon.discover(
            TOPIC,
            search=[f"searxng:url=http://{SEARCH},rate=1000/s"],
            budget=80,
            delay=0,
            parallel=3,
            connect_to=[f"::127.0.0.1:{web.port}"],
            out=tmp_path / "run",
            watch=counted.watch,
        ):
            pass
        calls = len(web.to(SEARCH))
    assert calls > 3
    assert (counted.opened, counted.read) == (calls, calls)
