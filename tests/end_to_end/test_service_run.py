"""A run against a limited service: the key is nowhere, refusals are bounded, resuming pays once."""

import asyncio
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator

from filon.core import Account, Budget, Find, Response, State, Step, Summary, Web, drive
from filon.guards.quota import QuotaGuard
from filon.guards.retry import RetryGuard
from filon.run.folder import RunFolder
from filon.services.source import Source
from filon.verbs.job import keyed
from filon.web import Live, Options, Polite
from unit.services.answers import openlibrary, reconciliation, told
from unit.services.server import Call, Reply, Serving, serving
from unit.services.table import THINGS

SECRET = "s3cr3t-k3y"
OWN = """
name = "own"
about = "Our own books."
[request]
url = "http://own.test/search.json"
keywords = "q"
[key]
how = "query"
name = "k"
secret = "OWN_KEY"
[paging]
how = "offset"
parameter = "offset"
size = 10
size_parameter = "limit"
[answer]
results = "$.docs"
id = "$.key"
total = "$.numFound"
fields = { title = "$.title" }
[limits]
remaining = "X-Left"
"""


class Asker:
    """Asks for each word and all its pages."""

    def __init__(self, source: Source, words: Sequence[str]) -> None:
        self._source = source
        self._open = [(word, "") for word in words]
        self._flying: dict[str, str] = {}

    def propose(self) -> Step | None:
        if not self._open:
            return None
        word, page = self._open.pop(0)
        step = Step(request=self._source.request(word, page))
        self._flying[step.request.url] = word
        return step

    def observe(self, step: Step, response: Response) -> list[Find]:
        answer = self._source.parse(response)
        assert answer.problem == "", answer.detail
        word = self._flying.pop(step.request.url)
        if answer.more:
            self._open.append((word, answer.more))
        return [Find(kind="record", url=record.url, name=record.id) for record in answer.records]

    def state(self) -> State:
        return {"version": 1, "open": [list(each) for each in self._open], "flying": self._flying}

    def restore(self, state: State) -> None:
        self._open = [(word, page) for word, page in state["open"]]
        self._flying = dict(state["flying"])

    def summary(self) -> Summary:
        return {}


@pytest.fixture
def source(tmp_path: Path) -> Source:
    (tmp_path / "own.toml").write_text(OWN)
    return Source.load(tmp_path / "own.toml")


def sit(
    run: RunFolder, source: Source, served: Serving, *, copy: tuple[int, Path] | None = None
) -> Summary:
    """One session; copy: after so many answers, what a kill -9 would leave."""
    strategy = QuotaGuard(RetryGuard(Asker(source, THINGS)), source.meter)
    again = run.rewind(strategy)
    answers = 0

    def watch(step: Step, response: Response, finds: Sequence[Find]) -> None:
        nonlocal answers
        answers += 1
        if copy and answers == copy[0]:
            run.commit()  # the loop does before the next request leaves
            shutil.copytree(run.path, copy[1])

    async def go() -> str:
        inner = Polite(Live(Options(connect_to=(served.rule,))), delay_s=0.0)
        web: Web = keyed(inner, source, environment={"OWN_KEY": SECRET})
        account = Account(Budget(requests=500), spent=run.spent)
        try:
            return await drive(strategy, web, account, run, again=again, watch=watch)
        finally:
            await web.close()

    stopped = asyncio.run(go())
    run.finish(stopped, strategy)
    return {**strategy.summary(), "stopped": stopped}


class Limited:
    """A service of so many calls: then it refuses for a day, until it is told to go on."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def __call__(self, call: Call) -> Reply:
        if call.params.get("k") != SECRET:
            return told({"error": "No such key."}, 401)
        if not self.left:
            return told({"error": f"no more for {call.params['k']}"}, 429, Retry_After="86400")
        self.left -= 1
        return openlibrary(call)


def queries(served: Serving) -> Counter[tuple[str, str]]:
    return Counter((call.params["q"], call.params["offset"]) for call in served.calls)


def test_a_spent_quota_ends_the_run_and_resuming_pays_for_no_query_twice(
    tmp_path: Path, source: Source
) -> None:
    limited = Limited(8)
    with serving(limited) as served:
        with RunFolder.create(tmp_path / "run", {}) as run:
            ended = sit(run, source, served, copy=(6, tmp_path / "killed"))
        assert (ended["stopped"], ended["problem"], len(served.calls)) == ("budget", "quota", 9)
        assert "resume the run after" in ended["note"]
        refused = list(queries(served))[-1]
        limited.left = 100
        with RunFolder.open(tmp_path / "run") as run:
            assert sit(run, source, served)["stopped"] == "exhausted"
            found = run.spent.finds
        assert [query for query, times in queries(served).items() if times > 1] == [refused]
        paid = len(served.calls)
    with serving(Limited(100)) as whole, RunFolder.create(tmp_path / "whole", {}) as run:
        assert sit(run, source, whole)["stopped"] == "exhausted"
        assert (run.spent.finds, len(whole.calls)) == (found, paid - 1)
    with serving(Limited(100)) as rest, RunFolder.open(tmp_path / "killed") as run:
        assert sit(run, source, rest)["stopped"] == "exhausted"
        assert (run.spent.finds, len(rest.calls)) == (found, paid - 1 - 6)


def test_a_storm_of_429_costs_five_calls(
    tmp_path: Path, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filon.guards.quota.FIRST_WAIT_S", 0.001)
    monkeypatch.setattr("filon.web.polite.FIRST_BACK_OFF_S", 0.001)
    with (
        serving(lambda call: told({"error": "busy"}, 429)) as served,
        RunFolder.create(tmp_path / "run", {}) as run,
    ):
        ended = sit(run, source, served)
    assert len(served.calls) == 5
    assert ended["note"].startswith("Own refuses one call after the other")


def test_a_wrong_key_costs_one_call(tmp_path: Path, source: Source) -> None:
    with (
        serving(lambda call: told({"error": "No."}, 401)) as served,
        RunFolder.create(tmp_path / "run", {}) as run,
    ):
        ended = sit(run, source, served)
    assert len(served.calls) == 1
    assert ended["problem"] == "key"


def test_the_key_stands_nowhere_in_the_run_folder(tmp_path: Path, source: Source) -> None:
    def echo(call: Call) -> Reply:
        status, headers, body = openlibrary(call)
        body = body[:-1] + f', "asked": "/search.json?k={call.params["k"]}"}}'.encode()
        return status, headers | {"X-Echo": call.params["k"]}, body

    with serving(echo) as served, RunFolder.create(tmp_path / "run", {}) as run:
        sit(run, source, served)
    assert {call.params["k"] for call in served.calls} == {SECRET}
    records = 0
    for path in (tmp_path / "run").rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path
        if path.name.endswith(".warc.gz"):
            with path.open("rb") as stream:
                for record in ArchiveIterator(stream):
                    records += 1
                    assert SECRET.encode() not in record.reader.read()
                    assert SECRET not in str(record.headers)
                    assert SECRET not in str(record.http_headers)
    assert records > 20


def test_a_service_that_is_asked_by_post_can_be_resumed(tmp_path: Path) -> None:
    source = Source.load("reconciliation", {"url": "http://names.test/reconcile"})
    with serving(reconciliation) as served, RunFolder.create(tmp_path / "run", {}) as run:
        assert sit(run, source, served, copy=(3, tmp_path / "killed"))["stopped"] == "exhausted"
        found = run.spent.finds
    assert len(served.calls) == len(THINGS)
    with serving(reconciliation) as rest, RunFolder.open(tmp_path / "killed") as run:
        assert sit(run, source, rest)["stopped"] == "exhausted"
        assert (run.spent.finds, len(rest.calls)) == (found, len(THINGS) - 3)
