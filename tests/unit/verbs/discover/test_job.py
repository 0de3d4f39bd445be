"""How the parts of a discovery are put together: services, webs, robots, quotas."""

import asyncio
import os
import re
from pathlib import Path

import pytest

from filon.core import Request, Response, Step, UserError
from filon.core.service import Hit
from filon.services.search import AT_HAND, SEARCHERS
from filon.services.search.athand import AtHand
from filon.verbs.discover import DiscoverSettings
from filon.verbs.discover.job import (
    DiscoverJob,
    DiscoverWeb,
    choose_services,
    opened_services,
    parse_spec,
)

SPECS = ("searxng:url=http://search.example,rate=1000/s",)


@pytest.fixture
def job(tmp_path: Path) -> DiscoverJob:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/a.html").write_text(
        '<link rel="canonical" href="http://bee.example/"><title>Bee</title>'
    )
    specs = (*SPECS, f"local:path={tmp_path / 'texts'}")
    settings = DiscoverSettings(
        topic="bee", strategy="dsdd", cache=str(tmp_path / "c.sqlite"), search=specs
    )
    return DiscoverJob(settings, opened_services(specs))


def answered(step: Step, status: int, body: bytes = b"{}", **headers: str) -> Response:
    told = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url=step.request.url, status=status, headers=told, body=body, at_s=1000.0)


def test_a_spent_quota_is_not_waited_for_where_another_can_be_asked(
    job: DiscoverJob,
) -> None:
    strategy = job.strategy
    step = strategy.propose()
    assert step is not None
    assert step.request.url.startswith("http://search.example/search")
    strategy.observe(step, answered(step, 429, Retry_After="900"))
    following = strategy.propose()
    assert following is not None
    assert following.request.url.startswith("http://local.invalid/keyword")
    assert strategy.summary()["searchers"][0]["out"] == "quota"


def test_a_short_wait_is_kept_and_the_call_made_again(job: DiscoverJob) -> None:
    strategy = job.strategy
    step = strategy.propose()
    assert step is not None
    strategy.observe(step, answered(step, 429, Retry_After="5"))
    again = strategy.propose()
    assert again is not None
    assert again.request.url == step.request.url
    assert again.request.not_before_s == 1005.0


class Asked:
    """A web that answers with JSON, or with a page, and counts."""

    def __init__(self) -> None:
        self.urls: list[str] = []

    async def fetch(self, request: Request) -> Response:
        self.urls.append(request.url)
        if "captcha" in request.url:
            return Response(url=request.url, status=200, body=b"<!doctype html>human?")
        body = b'{"results": [], "unresponsive_engines": []}'
        return Response(url=request.url, status=200, body=body, at_s=5.0)

    async def close(self) -> None:
        pass


def test_answers_of_services_are_kept_and_pages_and_captchas_are_not(
    job: DiscoverJob,
) -> None:
    within = Asked()
    web = DiscoverWeb(job.settings, job.services.searchers, within)
    urls = [
        "http://search.example/search?format=json&q=bee&pageno=1",
        "http://search.example/search?format=json&q=captcha&pageno=1",
        "http://bee.example/",
        "http://local.invalid/keyword?q=bee",
    ]

    async def ask() -> list[bool]:
        requests = [Request(url=url) for url in urls]
        for request in [*requests, *requests]:
            await web.fetch(request)
        free = [web.is_free(request) for request in requests]
        await web.close()
        return free

    assert asyncio.run(ask()) == [True, False, False, True]
    assert within.urls == [*urls[:3], *urls[1:3]]


KEYS = ("BRAVE_API_KEY", "EXA_API_KEY", "MOJEEK_API_KEY", "GOOGLE_API_KEY", "SERPER_API_KEY")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*KEYS, "SOCRATA_APP_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_word_all_that_can_be_asked_are_and_the_others_are_told_with_why() -> None:
    chosen = choose_services(())
    asked = {one.name for one in chosen.searchers}
    assert asked == {"commoncrawl", "datacite", "mediawiki", "re3data", "socrata"}
    left = {told.split()[0] for told in chosen.unasked}
    assert asked | left == set(SEARCHERS) - AT_HAND
    assert not [told for told in chosen.unasked if ".toml" in told]


def test_a_key_in_the_environment_brings_its_service_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXA_API_KEY", "k-123456")
    assert choose_services(()).searchers[0].name == "exa"


def test_who_names_services_gets_those_and_what_is_at_hand(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Bees")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/b.html").write_text("<title>Hives</title>")
    chosen = choose_services(["datacite"], [tmp_path / "a.txt", tmp_path / "b"])
    assert [one.name for one in chosen.searchers] == ["local", "datacite"]
    assert chosen.unasked == ()
    both = os.pathsep.join([str(tmp_path / "a.txt"), str(tmp_path / "b")])
    assert chosen.specs == (f"local:path={both}", "datacite")
    assert [one.name for one in opened_services(chosen.specs).searchers] == ["local", "datacite"]


def test_paths_hold_from_another_folder_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("Bees")
    monkeypatch.chdir(tmp_path)
    specs = choose_services(["local:path=a.txt"]).specs
    monkeypatch.chdir("/")
    assert opened_services(specs).searchers[0].name == "local"


def test_a_text_that_is_nowhere_on_the_web_stands_for_the_addresses_it_names(
    tmp_path: Path,
) -> None:
    (tmp_path / "list.md").write_text("# Bees\nSee http://a.org/bees and <https://b.org/>.")
    (tmp_path / "page.html").write_text(
        '<link rel="canonical" href="http://c.org/"><title>Bees</title>'
    )
    (local,) = choose_services([f"local:path={tmp_path}"]).searchers
    assert isinstance(local, AtHand)
    found = {hit.url for hit in local.answer("keyword", "bees").hits}
    assert found == {"http://a.org/bees", "https://b.org/", "http://c.org/"}
    body = local.respond(local.request("keyword", "bees").url)
    assert body is not None
    assert b"file:" in body  # told as where it stands, not as a hit
    assert b'"url": "file:' not in body


def test_a_comma_within_a_value_is_part_of_it() -> None:
    assert parse_spec("local:path=/a,b/c,page_size=5") == (
        "local",
        {"path": "/a,b/c", "page_size": "5"},
    )


@pytest.mark.parametrize("spec", ["searxng:", "searxng:url=", "searxng:=x", "local:path"])
def test_what_is_not_understood_is_told(spec: str) -> None:
    with pytest.raises(UserError, match="is not understood"):
        parse_spec(spec)


def test_who_takes_no_words_cannot_begin() -> None:
    assert not choose_services(["commoncrawl"]).can_begin("bees and hives")
    assert not choose_services(["mediawiki"]).can_begin("bees")
    assert choose_services(["re3data"]).can_begin("bees")


OWN = """
name = "shop"
about = "Books."
[request]
url = "{url}/search"
keywords = "q"
[parameters]
url = { about = "where it is", default = "https://shop.example" }
[paging]
size = 10
[answer]
results = "$.hits"
url = "$.link"
[answer.fields]
title = "$.title"
"""


def test_a_file_describes_a_service_as_it_does_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.toml").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    chosen = choose_services(["own.toml:url=https://b.example,rate=7/s", "datacite"])
    own = chosen.searchers[0]
    assert (own.name, own.origin, own.operators) == ("shop", "https://b.example", {"keyword"})
    assert own.meter.delay_s == pytest.approx(1 / 7)
    assert own.request("keyword", "bees").url == "https://b.example/search?q=bees"
    body = b'{"hits": [{"link": "/1", "title": "<b>Bees</b>"}, {"title": "nowhere"}]}'
    answer = Response(url="https://b.example/search?q=bees", status=200, body=body)
    assert own.parse("keyword", answer).hits == (Hit(url="https://b.example/1", title="Bees"),)
    assert chosen.specs == (f"{tmp_path}/own.toml:url=https://b.example,rate=7/s", "datacite")


def test_a_file_may_name_its_operators(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN + '[search]\noperators = ["seeds", "related"]\n')
    assert choose_services([str(path)]).searchers[0].operators == {"seeds", "related"}


def test_a_shipped_source_can_be_searched_for_sites_too() -> None:
    (ckan,) = choose_services(["ckan:url=https://a.example/data"]).searchers
    assert ckan.request("keyword", "bees").url.startswith("https://a.example/data/api/3/action/")


def test_a_run_goes_on_with_the_file_as_it_was(tmp_path: Path) -> None:
    path, folder = tmp_path / "own.toml", tmp_path / "run"
    folder.mkdir()
    path.write_text(OWN)
    services = choose_services(["datacite", str(path)])
    specs = services.specs
    DiscoverJob(DiscoverSettings(topic="bees", search=specs), services).keep(folder)
    path.unlink()
    again = opened_services(specs, folder=folder)
    assert [one.name for one in again.searchers] == ["datacite", "shop"]
    assert again.specs == specs
    with pytest.raises(UserError, match="cannot be read"):
        opened_services(specs)


@pytest.mark.parametrize(
    ("text", "spec", "said"),
    [
        (OWN.replace('url = "$.link"\n', ""), "own.toml", "does not say where a result's address"),
        (OWN + "[search]\noperators = ['all']", "own.toml", "search.operators names 'all'"),
        (OWN + "[serch]", "own.toml", "the key serch, which is not known: did you mean search"),
        (OWN, "own.toml:place=here", "has no parameter 'place'"),
        (OWN, "own.toml:place", "write NAME or FILE.toml"),
        (OWN.replace('"shop"', '"datacite"'), "own.toml", "datacite was named twice"),
        (OWN, "other.toml", "other.toml cannot be read"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, spec: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.toml").write_text(text)
    with pytest.raises(UserError, match=re.escape(said)):
        choose_services(["datacite", spec])
