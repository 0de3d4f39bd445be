"""The built-in engine over a folder, a WARC file and a run: no key, no network."""

import asyncio
import gzip
import os
import uuid
from collections.abc import Mapping
from pathlib import Path

import pytest

import filon
from filon.core import Request, Response, UserError
from filon.core.service import Hits
from filon.page.url import host
from filon.services.search import SearchService, build
from filon.services.search.athand import AtHand
from filon.web import Local
from loopback import Page, serving

HUB = "http://hub.example/list.html"
WEB = {
    "http://rivers.example/": ("River gauges", "Daily water levels of every river gauge.", ()),
    "http://floods.example/": ("Flood archive", "Water levels of past floods at a gauge.", ()),
    "http://floods.example/2013": ("Flood of 2013", "The gauge stood at nine metres.", ()),
    "http://bread.example/": ("Bakery", "Bread and cakes every day.", ("http://other.example/",)),
    HUB: (
        "Hydrology links",
        "Where the data are.",
        ("http://floods.example/2013", "http://rivers.example/", "/about.html"),
    ),
    "http://blog.example/": ("A blog", "I was there.", ("https://www.floods.example/",)),
}


def page(title: str, text: str, links: tuple[str, ...]) -> bytes:
    anchors = "".join(f'<a href="{link}">see {link}</a>' for link in links)
    head = f"<title>{title}</title><style>p {{color: hidden}}</style>"
    return f"<html><head>{head}</head><body><p>{text}</p>{anchors}</body></html>".encode()


def write_warc(path: Path, web: Mapping[str, tuple[str, str, tuple[str, ...]]] = WEB) -> Path:
    html = "Content-Type: text/html; charset=utf-8"
    # As crawlers store it: as it came over the wire.
    wire = f"{html}\r\nContent-Encoding: gzip"
    records = [record(url, "200 OK", wire, gzip.compress(page(*told))) for url, told in web.items()]
    records.append(record("http://a.example/x.csv", "200 OK", "Content-Type: text/csv", b"gauge"))
    records.append(record("http://a.example/gone", "404 Not Found", html, b"<p>gauge"))
    path.write_bytes(b"".join(map(gzip.compress, records)))
    return path


def record(url: str, status: str, head: str, body: bytes) -> bytes:
    block = f"HTTP/1.1 {status}\r\n{head}\r\n\r\n".encode() + body
    lines = [
        "WARC/1.1",
        "WARC-Type: response",
        f"WARC-Target-URI: {url}",
        "WARC-Date: 2026-01-01T00:00:00Z",
        f"WARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url)}>",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


@pytest.fixture
def engine(tmp_path: Path) -> SearchService:
    return build("local", {"path": str(write_warc(tmp_path / "web.warc.gz"))})


def ask(engine: SearchService, operator: str, query: str, page: str = "") -> Hits:
    assert isinstance(engine, AtHand)
    return engine.answer(operator, query, page)


def urls(hits: Hits) -> list[str]:
    return [hit.url for hit in hits.hits]


def test_pages_are_found_by_their_words_and_the_title_counts_most(engine: SearchService) -> None:
    hits = ask(engine, "keyword", "flood gauge")
    assert urls(hits)[0] in ("http://floods.example/2013", "http://floods.example/")
    assert set(urls(hits)) == {u for u in WEB if "floods." in u or "rivers." in u}
    assert (hits.total, hits.more, hits.problem) == (3, "", "")
    assert "nine metres" in next(h for h in hits.hits if h.title == "Flood of 2013").snippet


@pytest.mark.parametrize("query", ["astronomy", "the of", '"', "NEAR(", "a* OR -b", "color hidden"])
def test_what_nobody_wrote_is_not_found_and_no_query_is_a_mistake(
    engine: SearchService, query: str
) -> None:
    hits = ask(engine, "keyword", query)
    assert (hits.hits, hits.total, hits.problem) == ((), 0, "")


def test_quoted_words_must_stand_together(engine: SearchService) -> None:
    assert len(urls(ask(engine, "keyword", "river gauge"))) == 3
    assert urls(ask(engine, "keyword", '"river gauge"')) == ["http://rivers.example/"]


def test_pages_like_a_page_are_of_other_hosts(engine: SearchService) -> None:
    related = urls(ask(engine, "related", "https://www.floods.example/"))
    assert related[0] == "http://rivers.example/"
    assert not [url for url in related if "floods.example" in url]
    assert "http://bread.example/" not in related


def test_backlinks_are_to_the_page_first_and_then_to_its_host(engine: SearchService) -> None:
    assert urls(ask(engine, "backlinks", "http://floods.example/2013"))[0] == HUB
    whole = ask(engine, "backlinks", "http://floods.example/")
    assert urls(whole) == ["http://blog.example/", HUB]
    assert whole.hits[1].extra["target"] == "http://floods.example/2013"
    assert ask(engine, "backlinks", "http://unheard.example/").hits == ()


def test_outlinks_are_those_to_other_hosts(engine: SearchService) -> None:
    assert urls(ask(engine, "outlinks", HUB)) == list(WEB[HUB][2][:2])


@pytest.mark.parametrize("operator", ["related", "outlinks"])
def test_a_page_that_is_not_known_is_told(engine: SearchService, operator: str) -> None:
    hits = ask(engine, operator, "http://unheard.example/")
    assert hits.problem == "query"
    assert "does not know http://unheard.example/" in hits.detail


def test_hits_come_page_by_page(tmp_path: Path) -> None:
    path = str(write_warc(tmp_path / "web.warc.gz"))
    engine = build("local", {"path": path, "page_size": "2"})
    first = ask(engine, "keyword", "gauge")
    second = ask(engine, "keyword", "gauge", first.more)
    assert (len(first.hits), len(second.hits), first.total, second.more) == (2, 1, 3, "")
    assert not set(urls(first)) & set(urls(second))


def test_it_costs_nothing_and_wants_no_key(engine: SearchService) -> None:
    assert (engine.cost, engine.secrets, engine.meter.delay_s) == (0.0, (), 0.0)


class Nowhere:
    """A web that must not be asked."""

    async def fetch(self, request: Request) -> Response:
        raise AssertionError(request.url)

    async def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("operator", "query"),
    [
        ("keyword", "gauge & flood=1"),
        ("related", "http://floods.example/?a=1&b=ä"),
        ("backlinks", "http://floods.example/"),
        ("outlinks", HUB),
    ],
)
def test_it_is_asked_by_requests_too_and_nothing_is_sent(
    engine: SearchService, operator: str, query: str
) -> None:
    assert isinstance(engine, AtHand)
    web = Local(Nowhere(), {host(engine.origin): engine.respond})
    response = asyncio.run(web.fetch(engine.request(operator, query, "1")))
    assert response.sent == "cached"
    assert engine.parse(operator, response) == ask(engine, operator, query, "1")


def test_what_it_did_not_answer_is_a_failure_and_not_an_empty_answer(engine: SearchService) -> None:
    assert isinstance(engine, AtHand)
    assert engine.respond(f"{engine.origin}/robots.txt") is None
    url = engine.request("keyword", "gauge").url
    answers = [Response(url=url, error="dns"), Response(url=url, status=404)]
    answers += [Response(url=url, status=200, body=body) for body in (b"", b"[]", b"{}", b"<p>")]
    told = [engine.parse("keyword", answer).problem for answer in answers]
    assert told == ["down", "down", "schema", "schema", "schema", "schema"]


def test_the_order_of_the_pages_in_the_archive_changes_nothing(tmp_path: Path) -> None:
    turned = dict(reversed(WEB.items()))
    paths = [write_warc(tmp_path / "a.warc.gz"), write_warc(tmp_path / "b.warc.gz", turned)]
    first, second = (build("local", {"path": str(path)}) for path in paths)
    for operator, query in (("keyword", "gauge"), ("backlinks", "http://floods.example/")):
        assert ask(first, operator, query) == ask(second, operator, query)


def test_a_folder_as_wget_leaves_it_is_searched_by_its_hosts(tmp_path: Path) -> None:
    folder = tmp_path / "mirror"
    for url, told in WEB.items():
        name = url.removeprefix("http://")
        file = folder / (f"{name}index.html" if name.endswith("/") else name)
        file = file if file.suffix == ".html" else file.with_suffix(".html")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(page(*told))
    engine = build("local", {"path": str(folder)})
    assert "http://rivers.example/index.html" in urls(ask(engine, "keyword", "gauge"))
    assert urls(ask(engine, "backlinks", "http://rivers.example/")) == [HUB]


def test_a_folder_of_texts_is_searched_and_its_addresses_are_links(tmp_path: Path) -> None:
    note = "# Sources\n\nGauges: see https://rivers.example/data, and others.\n"
    (tmp_path / "notes.md").write_text(note, "utf-8")
    canonical = '<link rel="canonical" href="https://saved.example/page"><p>A saved gauge page.'
    (tmp_path / "saved.html").write_text(canonical, "utf-8")
    (tmp_path / "photo.jpg").write_bytes(b"gauge")
    engine = build("local", {"path": str(tmp_path)})
    found = {hit.url: hit.title for hit in ask(engine, "keyword", "gauges gauge").hits}
    assert found == {
        (tmp_path / "notes.md").resolve().as_uri(): "Sources",
        "https://saved.example/page": "",
    }
    based = build("local", {"path": str(tmp_path), "base": "https://me.example/notes/"})
    assert urls(ask(based, "backlinks", "https://rivers.example/data")) == [
        "https://me.example/notes/notes.md"
    ]


def test_a_run_is_searched_by_what_it_fetched(tmp_path: Path) -> None:
    pages = {
        "/": Page(body=page("Start", "Welcome.", ("/gauge", "http://rivers.example/"))),
        "/gauge": Page(body=page("Gauge", "Water levels.", ())),
    }
    with serving(pages) as site:
        filon.harvest(site.url, out=tmp_path / "run", delay=0, budget=20).close()
    engine = build("local", {"path": str(tmp_path / "run")})
    assert urls(ask(engine, "keyword", "water levels")) == [f"{site.url}gauge"]
    assert urls(ask(engine, "backlinks", "http://rivers.example/")) == [site.url]


def test_of_an_archive_that_was_cut_off_the_whole_records_are_searched(tmp_path: Path) -> None:
    whole = write_warc(tmp_path / "web.warc.gz").read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(whole[: len(whole) // 2])
    engine = build("local", {"path": str(tmp_path / "cut.warc.gz")})
    assert "http://rivers.example/" in urls(ask(engine, "keyword", "gauge"))


def test_several_archives_are_searched_as_one(tmp_path: Path) -> None:
    both = [
        write_warc(tmp_path / f"{n}.warc.gz", {url: WEB[url]})
        for n, url in enumerate(("http://rivers.example/", "http://floods.example/"))
    ]
    engine = build("local", {"path": os.pathsep.join(map(str, both))})
    assert len(urls(ask(engine, "keyword", "gauge"))) == 2


def test_a_kept_index_is_used_again_until_the_archive_changes(tmp_path: Path) -> None:
    told = {"path": str(tmp_path / "web.warc.gz"), "index": str(tmp_path / "web.index")}
    write_warc(tmp_path / "web.warc.gz")
    first = ask(build("local", told), "keyword", "gauge")
    made = (tmp_path / "web.index").read_bytes()
    assert ask(build("local", told), "keyword", "gauge") == first
    assert (tmp_path / "web.index").read_bytes() == made
    write_warc(tmp_path / "web.warc.gz", {"http://new.example/": ("Gauge", "New.", ())})
    assert urls(ask(build("local", told), "keyword", "gauge")) == ["http://new.example/"]


def test_mistakes_of_the_user_are_told_and_lose_nothing(tmp_path: Path) -> None:
    write_warc(tmp_path / "web.warc.gz")
    mine = tmp_path / "thesis.db"
    mine.write_bytes(b"my thesis, no index at all" * 50)
    (tmp_path / "broken.warc.gz").write_bytes(gzip.compress(b"<html>no archive"))
    (tmp_path / "empty").mkdir()
    (tmp_path / "data.csv").write_text("a,b\n")
    for parameters, complaint in (
        ({}, "must be told path"),
        ({"path": str(tmp_path / "none")}, "There is nothing at"),
        ({"path": str(tmp_path / "data.csv")}, "no archive, page or text"),
        ({"path": str(tmp_path / "web.warc.gz"), "index": str(mine)}, "cannot be used as an index"),
        ({"path": str(tmp_path / "broken.warc.gz")}, "cannot be read as WARC"),
        ({"path": str(tmp_path / "empty")}, "There is no page or text to search"),
        ({"pth": "x"}, "did you mean path"),
        ({"path": "x", "page_size": "0"}, "from 1 to 1000"),
    ):
        with pytest.raises(UserError, match=complaint):
            build("local", parameters)
    assert mine.read_bytes().startswith(b"my thesis")
