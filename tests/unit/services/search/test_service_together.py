"""Several search services in one run: those that fail are told, and the others go on."""

import asyncio
from collections import Counter
from pathlib import Path

from filon.core import Find, Reason, Response, State, Step, Summary
from filon.guards.quota import QuotaGuard
from filon.page.url import host
from filon.services.search import SearchService, build
from filon.services.search.athand import AtHand
from filon.web import Live, Local, Options
from filon.web.keyed import Keyed
from patience import PATIENCE_S
from unit.services.search.answers import KEY, SERVICES, told
from unit.services.server import AUTHORITY, Call, Reply, serving

NAMES = ("google", "brave", "serper", "mojeek", "datacite")
#: Of each so many questions.
QUESTIONS = 12
FREE = 5


class Asking:
    """Asks every service in turn, and counts what it is told."""

    def __init__(self, searchers: list[SearchService]) -> None:
        self._asks = [(one, f"flood {n}") for n in range(QUESTIONS) for one in searchers]
        self._asked: dict[str, SearchService] = {}
        self.hits: Counter[str] = Counter()
        self.problems: dict[str, str] = {}

    def propose(self) -> Step | None:
        if not self._asks:
            return None
        searcher, query = self._asks.pop(0)
        request = searcher.request("keyword", query)
        self._asked[request.url] = searcher
        return Step(request=request, reason=Reason(kind="search", arm=searcher.name))

    def observe(self, step: Step, response: Response) -> list[Find]:
        searcher = self._asked[step.request.url]
        hits = searcher.parse("keyword", response)
        self.hits[searcher.name] += len(hits.hits)
        if hits.problem:
            self.problems[searcher.name] = hits.problem
        return []

    def elsewhere(self, step: Step) -> bool:
        return True  # it hears of every refusal, and asks the others

    def state(self) -> State:
        return {}

    def restore(self, state: State) -> None:
        pass

    def summary(self) -> Summary:
        return {}


def reply(call: Call) -> Reply:
    """All services at once: Brave has few calls left, Serper is down, Mojeek shows a captcha."""
    name = next(n for n in SERVICES if SERVICES[n].host == call.headers["host"])
    if name == "serper":
        return told({"message": "Internal Server Error"}, 500)
    if name == "mojeek":
        return 200, {"Content-Type": "text/html"}, b"<!doctype html><p>Are you a robot?"
    status, headers, body = SERVICES[name].reply(call)
    if name == "brave":
        seen.update([name])
        assert seen[name] <= FREE, "a call more than there were"
        now = {
            "X-RateLimit-Remaining": f"50, {FREE - seen[name]}",
            "X-RateLimit-Reset": "1, 999999",
        }
        return status, headers | now, body
    return status, headers, body


seen: Counter[str] = Counter()


def test_services_that_fail_are_told_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "flood.txt").write_text("A flood of texts, on http://a.example/.", "utf-8")
    ca_file = tmp_path / "ca.pem"
    AUTHORITY.cert_pem.write_to_path(str(ca_file))
    searchers = [build(name, SERVICES[name].parameters) for name in NAMES]
    local = build("local", {"path": str(tmp_path / "flood.txt")})
    assert isinstance(local, AtHand)
    secrets = {name: KEY for one in searchers for name in one.secrets}
    secrets["GOOGLE_API_KEY"] = "wrong-key-654321"
    homes = {name: [one.origin] for one in searchers for name in one.secrets}
    inner = Asking([*searchers, local])
    strategy = QuotaGuard(inner, {one.origin: one.meter for one in [*searchers, local]})
    seen.clear()

    async def run(rule: str) -> None:
        live = Live(Options(connect_to=(rule,), ca_file=str(ca_file)))
        web = Local(Keyed(live, secrets, homes), {host(local.origin): local.respond})
        try:
            while step := strategy.propose():
                strategy.observe(step, await web.fetch(step.request))
        finally:
            await web.close()

    with serving(reply, *(SERVICES[name].host for name in NAMES)) as served:
        asyncio.run(asyncio.wait_for(run(served.rule), PATIENCE_S))
    calls = Counter(call.headers["host"].partition(":")[0] for call in served.calls)
    assert inner.problems == {
        "google": "key",
        "brave": "quota",
        "serper": "down",
        "mojeek": "schema",
    }
    assert calls["customsearch.googleapis.com"] == 1
    assert calls["api.search.brave.com"] == FREE
    assert calls["api.datacite.org"] == QUESTIONS
    assert inner.hits["datacite"] == 25 * QUESTIONS
    assert inner.hits["local"] == QUESTIONS
    assert "local.invalid" not in calls
