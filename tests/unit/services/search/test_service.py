"""Every search service, against a local server that answers as its documentation says."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast
from urllib.parse import parse_qsl, urlsplit

import pytest

from filon.core import Response, UserError, Web
from filon.core.response import CUTS, ERRORS
from filon.core.service import OF_URLS, OPERATORS, Hits
from filon.guards.quota import QuotaGuard
from filon.services.search import AT_HAND, SEARCHERS, SearchService, build
from filon.web import Live, Options
from filon.web.keyed import Keyed
from patience import PATIENCE_S
from unit.guards.inner import Listed
from unit.services.search.answers import CAPTCHA, KEY, PAGES, SERVICES, failing, told
from unit.services.server import AUTHORITY, Call, Reply, Serving, serving

Scene = Callable[[SearchService, Web, Serving], Awaitable[None]]
QUESTIONS = [(name, operator) for name, service in SERVICES.items() for operator in service.asks]
every_service = pytest.mark.parametrize("name", SERVICES)
every_question = pytest.mark.parametrize(("name", "operator"), QUESTIONS)
keyed_service = pytest.mark.parametrize("name", [n for n, s in SERVICES.items() if s.keyed])


def play(
    name: str,
    scene: Scene,
    tmp_path: Path,
    key: str = KEY,
    reply: Callable[[Call], Reply] | None = None,
) -> None:
    """Stand a searcher before its service, over HTTPS, and let a scene use it."""
    service = SERVICES[name]
    ca_file = tmp_path / "ca.pem"
    AUTHORITY.cert_pem.write_to_path(str(ca_file))

    async def run(served: Serving) -> None:
        searcher = build(name, service.parameters)
        live = Live(Options(connect_to=(served.rule,), ca_file=str(ca_file)))
        homes = {name: [searcher.origin] for name in searcher.secrets}
        web = Keyed(live, dict.fromkeys(searcher.secrets, key), homes)
        try:
            await asyncio.wait_for(scene(searcher, web, served), PATIENCE_S)
        finally:
            await web.close()

    with serving(reply or failing(service), service.host) as served:
        asyncio.run(run(served))


async def ask(searcher: SearchService, web: Web, operator: str, query: str, page: str = "") -> Hits:
    return searcher.parse(operator, await web.fetch(searcher.request(operator, query, page)))


def spelled(operator: str, word: str) -> str:
    return f"https://{word}.example/wiki/{word}" if operator in OF_URLS else word


def test_every_searcher_is_tested_here_or_is_at_hand() -> None:
    assert set(SEARCHERS) == set(SERVICES) | AT_HAND


@every_service
def test_what_a_searcher_says_of_itself_holds(name: str) -> None:
    searcher, service = build(name, SERVICES[name].parameters), SERVICES[name]
    assert searcher.name == name
    assert searcher.operators == set(service.asks) <= OPERATORS
    assert searcher.origin == f"https://{service.host}"
    assert bool(searcher.secrets) >= service.keyed
    assert searcher.key.required >= service.keyed
    assert searcher.cost >= 0.0
    assert searcher.meter.delay_s > 0.0
    for operator, query in service.asks.items():
        assert searcher.takes(operator, query)
        assert not searcher.takes("no such operator", query)


@every_question
def test_all_hits_are_reached_page_by_page_and_none_comes_twice(
    name: str, operator: str, tmp_path: Path
) -> None:
    service = SERVICES[name]

    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        query, page, urls, problems = service.asks[operator], "", [], []
        for _ in range(10):
            hits = await ask(searcher, web, operator, query, page)
            problems += [hits.problem] if hits.problem else []
            urls += [hit.url for hit in hits.hits]
            assert [hit.rank for hit in hits.hits] == list(range(1, len(hits.hits) + 1))
            page = hits.more
            if not page:
                break
        assert not page
        assert len(urls) == len(set(urls)) == service.hits.get(operator, len(PAGES))
        assert problems == (["schema"] if name == "re3data" else [])

    play(name, scene, tmp_path)


@every_question
def test_an_answer_without_results_is_no_problem(name: str, operator: str, tmp_path: Path) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        hits = await ask(searcher, web, operator, spelled(operator, "nothing"))
        assert (hits.hits, hits.more, hits.problem, hits.detail) == ((), "", "", "")

    play(name, scene, tmp_path)


@every_question
@pytest.mark.parametrize(
    ("word", "problem"), [("captcha", "schema"), ("spent", "quota"), ("broken", "down")]
)
def test_a_failure_is_told_and_never_taken_for_no_results(
    name: str, operator: str, word: str, problem: str, tmp_path: Path
) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        asked = searcher.request(operator, spelled(operator, word))
        response = await web.fetch(asked)
        hits = searcher.parse(operator, response)
        assert (hits.hits, hits.more, hits.problem) == ((), "", problem)
        assert hits.detail
        assert ("captcha" in hits.detail) == (word == "captcha")
        if problem == "quota":
            assert searcher.meter.judge(response)[0] == "quota"

    play(name, scene, tmp_path)


@every_question
def test_a_service_that_is_not_there_is_down(name: str, operator: str) -> None:
    searcher = build(name, SERVICES[name].parameters)
    asked = searcher.request(operator, SERVICES[name].asks[operator])
    hits = searcher.parse(operator, Response(url=asked.url, error="connect", detail="refused"))
    assert (hits.problem, hits.detail, hits.hits) == ("down", "refused", ())


@keyed_service
@pytest.mark.parametrize("key", ["", "wrong-key-654321"])
def test_a_missing_or_wrong_key_is_told_and_stands_nowhere(
    name: str, key: str, tmp_path: Path
) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        for operator, query in SERVICES[name].asks.items():
            asked = searcher.request(operator, query)
            response = await web.fetch(asked)
            hits = searcher.parse(operator, response)
            assert (hits.problem, hits.hits) == ("key", ())
            sent = f"{served.calls[-1].params}{served.calls[-1].headers}"
            assert (key in sent) if key else (KEY not in sent)
            assert "secret:" not in sent
            if key:
                assert key not in f"{asked}{response}{hits}"

    play(name, scene, tmp_path, key)


@every_question
def test_the_same_question_gives_the_same_request(name: str, operator: str) -> None:
    first, second = (build(name, SERVICES[name].parameters) for _ in range(2))
    query = SERVICES[name].asks[operator]
    assert first.request(operator, query) == second.request(operator, query)
    assert first.request(operator, query) != first.request(operator, spelled(operator, "other"))


@every_question
def test_no_kind_of_answer_is_a_surprise(name: str, operator: str) -> None:
    searcher = build(name, SERVICES[name].parameters)
    url = searcher.request(operator, SERVICES[name].asks[operator]).url
    bodies = [b"", b"null", b"[]", b"{}", b"[1, 2", b"\xff\xfe\x00", b"<list/>", CAPTCHA, b"42"]
    bodies += [b'{"results": [1, null, {"url": 7}], "web": 3, "query": [], "meta": []}']
    told = [Response(url=url, status=200, body=body) for body in bodies]
    told += [Response(url=url, status=status) for status in (204, 301, 401, 404, 418, 503)]
    told += [Response(url=url, error=error) for error in ERRORS if error]
    told += [Response(url=url, status=200, cut=cut, body=b"{}") for cut in CUTS if cut]
    for response in told:
        assert not searcher.parse(operator, response).hits


def test_a_searxng_whose_engines_are_all_blocked_is_down(tmp_path: Path) -> None:
    def blocked(call: Call) -> Reply:
        engines = [["google", "Suspended: CAPTCHA"], ["brave", "too many requests"]]
        return told({"query": "q", "results": [], "unresponsive_engines": engines})

    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        hits = await ask(searcher, web, "keyword", "flood")
        assert hits.problem == "down"
        assert hits.detail.startswith("The service says: google; Suspended: CAPTCHA")

    play("searxng", scene, tmp_path, reply=blocked)


def test_a_searxng_some_of_whose_engines_are_blocked_gives_a_warning(tmp_path: Path) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        hits = await ask(searcher, web, "keyword", "flood")
        assert (len(hits.hits), hits.problem) == (20, "")
        assert hits.detail == "No answer from google (Suspended: CAPTCHA)."

    play("searxng", scene, tmp_path)


def test_a_searxng_without_json_says_which_setting_lacks(tmp_path: Path) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        hits = await ask(searcher, web, "keyword", "forbidden")
        assert hits.problem == "key"
        assert "settings.yml" in hits.detail

    play("searxng", scene, tmp_path)


def test_datacite_ranks_repositories_by_their_datasets_on_the_topic(tmp_path: Path) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        first = await ask(searcher, web, "keyword", "flood")
        assert first.hits[0].extra["datasets"] == "41"
        second = await ask(searcher, web, "keyword", "flood", first.more)
        ranked = [(hit.url, hit.extra["datasets"]) for hit in second.hits]
        assert ranked == [
            ("https://cern.zenodo.example/", "41"),
            ("https://small.one.example/", "2"),
        ]
        assert len(served.calls) == 2

    play("datacite", scene, tmp_path)


def test_a_record_of_re3data_that_is_gone_does_not_cost_those_after_it(tmp_path: Path) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        hits = await ask(searcher, web, "seeds", "flood")
        assert (hits.hits, hits.total) == ((), 5)
        gone = await ask(searcher, web, "seeds", "flood", "r3d100003,r3d100004")
        assert (gone.problem, gone.more) == ("schema", "r3d100004")
        last = await ask(searcher, web, "seeds", "flood", gone.more)
        assert [hit.url for hit in last.hits] == ["https://r3d100004.example/"]
        assert last.hits[0].snippet == "Floods & rain."

    play("re3data", scene, tmp_path)


def test_the_seeds_of_socrata_are_portals_with_most_datasets_first(tmp_path: Path) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        hits = await ask(searcher, web, "seeds", "flood")
        assert [(hit.url, hit.extra["datasets"]) for hit in hits.hits] == [
            ("https://data0.example/", "30"),
            ("https://data1.example/", "13"),
        ]

    play("socrata", scene, tmp_path)


def test_a_backlink_of_wikipedia_leads_to_the_links_of_that_page(tmp_path: Path) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        hubs = await ask(searcher, web, "backlinks", "https://www.flood.example/a/b")
        assert served.calls[-1].params["euquery"] == "*.flood.example"
        assert hubs.hits[1].url == "https://en.wikipedia.org/w/index.php?curid=101"
        links = await ask(searcher, web, "outlinks", hubs.hits[1].url)
        assert [hit.url for hit in links.hits] == [url for url, _ in PAGES]
        assert served.calls[-1].params["pageids"] == "101"

    play("mediawiki", scene, tmp_path)


def test_only_pages_of_the_wiki_itself_have_outlinks_there() -> None:
    searcher = build("mediawiki")
    assert searcher.takes("backlinks", "https://a.example/")
    assert searcher.takes("outlinks", "https://en.wikipedia.org/w/index.php?curid=101")
    assert not searcher.takes("outlinks", "https://a.example/wiki/Flood")


@pytest.mark.parametrize(
    ("asked", "plain"),
    [
        ("covid-19: deaths (2020)", "covid-19 deaths 2020"),
        ("war AND peace - a/b", "war and peace a b"),
        ('"food security" in', '"food security" in'),
        ('5" rain', "5 rain"),
    ],
)
def test_words_that_datacite_would_take_for_syntax_are_plain(asked: str, plain: str) -> None:
    query = urlsplit(build("datacite").request("keyword", asked).url).query
    assert dict(parse_qsl(query))["query"] == plain


def test_marks_in_titles_and_snippets_are_taken_out() -> None:
    searcher = build("brave")
    body = b'{"query": {}, "web": {"results": [{"url": "https://a.example/", "title": "A &amp; B",'
    body += b'"description": "The <strong>flood</strong> of 3 < 4"}]}}'
    asked = searcher.request("keyword", "flood")
    (hit,) = searcher.parse("keyword", Response(url=asked.url, status=200, body=body)).hits
    assert (hit.title, hit.snippet) == ("A & B", "The flood of 3 < 4")


def test_another_wiki_has_its_pages_beside_its_api() -> None:
    searcher = build("mediawiki", {"url": "https://wiki.example/api.php"})
    body = b'{"query": {"exturlusage": [{"pageid": 7, "ns": 0, "title": "A", "url": "http://b"}]}}'
    asked = searcher.request("backlinks", "http://b.example/")
    hits = searcher.parse("backlinks", Response(url=asked.url, status=200, body=body))
    assert [hit.url for hit in hits.hits] == ["https://wiki.example/index.php?curid=7"]


@pytest.mark.parametrize(
    ("asked", "pattern"),
    [
        ("data.example", "data.example/*"),
        ("https://data.example/", "data.example/*"),
        ("*.example/api/3/action/*", "*.example/api/3/action/*"),
    ],
)
def test_common_crawl_is_asked_by_pattern(asked: str, pattern: str, tmp_path: Path) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        await ask(searcher, web, "seeds", asked)
        assert served.calls[-1].params["url"] == pattern

    play("commoncrawl", scene, tmp_path)


def test_the_months_quota_of_brave_is_kept_by_its_own_count(tmp_path: Path) -> None:
    left = 3

    def counting(call: Call) -> Reply:
        nonlocal left
        left -= 1
        assert left >= 0, "a call more than there were"
        status, headers, body = SERVICES["brave"].reply(call)
        now = {"X-RateLimit-Remaining": f"0, {left}", "X-RateLimit-Reset": "1, 1419704"}
        return status, headers | now, body

    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        urls = [searcher.request("keyword", f"flood {n}").url for n in range(9)]
        strategy = QuotaGuard(Listed(urls), searcher.meter)
        waits = []
        while step := strategy.propose():
            asked = searcher.request("keyword", "flood")
            response = await web.fetch(asked)
            waits.append(step.request.not_before_s)
            strategy.observe(step, response)
        assert len(served.calls) == 3
        assert waits[0] == 0.0 < waits[1] < waits[2]
        assert strategy.summary()["problem"] == "quota"

    play("brave", scene, tmp_path, reply=counting)


def test_the_free_calls_of_google_are_not_overrun(tmp_path: Path) -> None:
    async def scene(searcher: SearchService, web: Web, served: Serving) -> None:
        urls = [searcher.request("keyword", f"flood {n}").url for n in range(120)]
        strategy = QuotaGuard(Listed(urls), searcher.meter)
        while step := strategy.propose():
            strategy.observe(step, await web.fetch(step.request))
        assert len(served.calls) == 100
        assert "quota of google is spent" in cast(str, strategy.summary()["note"])

    play("google", scene, tmp_path)


def test_the_users_own_plan_goes_before_what_is_documented() -> None:
    told = {"cx": "a1", "quota": "10000/day", "rate": "4/s", "price": "0.002"}
    searcher = build("google", told)
    meter = searcher.meter
    assert (meter.quota, meter.window_s, meter.delay_s) == (10_000, 86_400.0, 0.25)
    assert searcher.cost == meter.price == 0.002


@pytest.mark.parametrize("told", [{"quota": "lots"}, {"rate": "0/s"}, {"price": "-1"}])
def test_a_plan_that_cannot_be_is_told(told: dict[str, str]) -> None:
    (name,) = told
    with pytest.raises(UserError, match=f"{name} must be"):
        build("brave", told)


def test_mistakes_of_the_user_are_told() -> None:
    with pytest.raises(UserError, match="did you mean brave"):
        build("brav")
    with pytest.raises(UserError, match="brave has no parameter 'contry': did you mean country"):
        build("brave", {"contry": "de"})
    with pytest.raises(UserError, match="must be told url"):
        build("searxng")
    with pytest.raises(UserError, match="must be told cx"):
        build("google")


def test_an_operator_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="brave has no operator 'related'"):
        build("brave").request("related", "https://a.example/")
