"""Records, pages and problems out of answers of every format."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from filon.core import Answer, Record, Response, UserError
from filon.services.search import build
from filon.services.source import KEPT, Recent, Source

URL = "https://toy.test/search"


def toy(tmp_path: Path, tables: str) -> Source:
    path = tmp_path / "toy.toml"
    path.write_text(f'name = "toy"\nabout = "A toy."\n{tables}', "utf-8")
    return Source.load(path)


def json_source(tmp_path: Path, paging: str = "size = 2", more: str = "") -> Source:
    return toy(
        tmp_path,
        f"""
        [request]
        url = "{URL}"
        keywords = "q"
        [paging]
        {paging}
        [answer]
        results = "$.hits"
        id = "$.id"
        total = "$.n"
        message = "$.why"
        always = ["title"]
        [answer.fields]
        title = "$.t"
        tags = "$.tags"
        {more}
        """,
    )


def answer(said: Any, url: str = URL, status: int = 200, **headers: str) -> Response:
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(url=url, status=status, body=body, headers=named)


def hits(*numbers: int) -> list[dict[str, Any]]:
    return [{"id": n, "t": f"title {n}", "tags": ["a", "b"]} for n in numbers]


def test_fields_are_flat_text(tmp_path: Path) -> None:
    source = json_source(tmp_path)
    said = {"n": 1, "hits": [{"id": 7, "t": " a\n b ", "tags": ["x", 1, None, True, {"y": 2}]}]}
    assert source.parse(answer(said)).records == (
        Record(id="7", fields={"title": "a b", "tags": 'x; 1; true; {"y": 2}'}),
    )


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (b"<html>captcha", "not JSON"),
        (b"", "it is empty"),
        (b"[" * 100_000, "not JSON"),
        ({"n": 3, "items": []}, "no results at $.hits"),
        ({"error": "?"}, "no results at $.hits"),
        ({"hits": [{"id": 1, "title": "x"}]}, "no result has the field title at $.t"),
        ({"hits": [{"key": 1, "t": "x"}]}, "no result has an id at $.id"),
        ([], "no results at $.hits"),
    ],
)
def test_a_changed_answer_says_what_is_gone(tmp_path: Path, said: Any, says: str) -> None:
    told = json_source(tmp_path).parse(answer(said))
    assert (told.problem, told.records) == ("schema", ())
    assert says in told.detail


def test_no_results_are_no_change(tmp_path: Path) -> None:
    source = json_source(tmp_path)
    assert source.parse(answer({"n": 0, "hits": []})) == Answer(total=0)
    assert source.parse(answer({"n": 0})) == Answer(total=0)
    assert source.parse(answer({"hits": []})) == Answer()


@pytest.mark.parametrize(
    ("status", "headers", "problem"),
    [
        (400, {}, "query"),
        (414, {}, "query"),
        (422, {}, "query"),
        (401, {}, "key"),
        (403, {}, "key"),
        (403, {"Retry_After": "60"}, "quota"),
        (403, {"X_Left": "0"}, "quota"),
        (403, {"X_Left": "7"}, "key"),
        (429, {}, "quota"),
        (500, {}, "down"),
        (404, {}, "schema"),
        (301, {"Location": "https://new.test/"}, "schema"),
    ],
)
def test_every_status_has_its_meaning(
    tmp_path: Path, status: int, headers: dict[str, str], problem: str
) -> None:
    source = json_source(tmp_path, more='[limits]\nremaining = "X-Left"')
    told = source.parse(answer({"why": "because"}, status=status, **headers))
    assert told.problem == problem
    assert str(status) in told.detail
    assert ("because" in told.detail) == (status != 301)


def test_an_answer_that_was_cut_is_not_read(tmp_path: Path) -> None:
    source = json_source(tmp_path)
    cut = Response(url=URL, status=200, cut="budget")
    assert source.parse(cut).problem == "down"


def test_a_success_can_mean_a_refusal_and_a_failure_no_results(tmp_path: Path) -> None:
    rules = """
    [[problems]]
    path = "$.error.code"
    says = ["busy"]
    means = "quota"
    [[problems]]
    status = 404
    means = "empty"
    """
    source = json_source(tmp_path, more=rules)
    assert source.parse(answer({"error": {"code": "busy"}})).problem == "quota"
    assert source.parse(answer({"error": {"code": "odd"}})).problem == "schema"
    assert source.parse(answer(b"nothing here", status=404)) == Answer(total=0)


def test_page_numbers_end_with_the_total_or_a_short_page(tmp_path: Path) -> None:
    source = json_source(tmp_path, 'how = "page"\nparameter = "p"\nsize = 2\nreachable = 6')
    assert source.request("a").url == f"{URL}?q=a&p=1"
    assert source.parse(answer({"n": 5, "hits": hits(1, 2)}, f"{URL}?q=a&p=1")).more == "2"
    assert source.parse(answer({"n": 4, "hits": hits(3, 4)}, f"{URL}?q=a&p=2")).more == ""
    assert source.parse(answer({"hits": hits(3, 4)}, f"{URL}?q=a&p=2")).more == "3"
    assert source.parse(answer({"hits": hits(3)}, f"{URL}?q=a&p=2")).more == ""
    assert source.parse(answer({"n": 9, "hits": []}, f"{URL}?q=a&p=2")).more == ""


def test_where_pages_are_uneven_one_that_is_less_than_half_full_is_the_last(tmp_path: Path) -> None:
    source = json_source(tmp_path, 'how = "page"\nparameter = "p"\nsize = 4\nuneven = true')
    assert source.parse(answer({"hits": hits(1, 2)}, f"{URL}?q=a&p=1")).more == "2"
    assert source.parse(answer({"hits": hits(1)}, f"{URL}?q=a&p=1")).more == ""
    assert source.parse(answer({"n": 1, "hits": hits(1)}, f"{URL}?q=a&p=1")).more == ""
    assert source.parse(answer({"hits": []}, f"{URL}?q=a&p=2")).more == ""


def test_no_page_beyond_what_is_reachable_is_asked_for(tmp_path: Path) -> None:
    source = json_source(tmp_path, 'how = "page"\nparameter = "p"\nsize = 2\nreachable = 5')
    assert source.parse(answer({"n": 99, "hits": hits(1, 2)}, f"{URL}?q=a&p=1")).more == "2"
    assert source.parse(answer({"n": 99, "hits": hits(3, 4)}, f"{URL}?q=a&p=2")).more == ""


def test_offsets_go_by_what_the_service_calls_a_page(tmp_path: Path) -> None:
    paging = 'how = "offset"\nparameter = "o"\nsize = 100\nsize_parameter = "k"'
    source = json_source(tmp_path, paging)
    assert source.parse(answer({"n": 150, "hits": hits(1)}, f"{URL}?q=a&o=0")).more == "100"
    text = (tmp_path / "toy.toml").read_text("utf-8").replace('message = "$.why"', 'size = "$.k"')
    (tmp_path / "toy.toml").write_text(text, "utf-8")
    lower = Source.load(tmp_path / "toy.toml")
    assert lower.parse(answer({"n": 150, "k": 30, "hits": hits(1)}, f"{URL}?q=a&o=30")).more == "60"


def test_a_cursor_that_does_not_move_ends_the_pages(tmp_path: Path) -> None:
    paging = 'how = "cursor"\nparameter = "c"\nfirst = "*"\nnext = "$.next"\nsize = 2'
    source = json_source(tmp_path, paging)
    first = source.request("a")
    assert first.url == f"{URL}?q=a&c=%2A"
    assert source.parse(answer({"hits": hits(1), "next": "a/b="}, first.url)).more == "a/b="
    second = source.request("a", "a/b=")
    assert second.url == f"{URL}?q=a&c=a%2Fb%3D"
    assert source.parse(answer({"hits": hits(2), "next": "a/b="}, second.url)).more == ""
    assert source.parse(answer({"hits": hits(2), "next": None}, second.url)).more == ""


def test_a_next_link_is_followed_on_the_same_host_only(tmp_path: Path) -> None:
    source = json_source(tmp_path, 'how = "link"\nsize = 2')
    said = {"hits": hits(1)}
    here = answer(said, Link='<https://toy.test/x>; rel="last", </search?q=a&x=2>; rel="next"')
    assert source.parse(here).more == "https://toy.test/search?q=a&x=2"
    assert source.request("a", source.parse(here).more).url == "https://toy.test/search?q=a&x=2"
    for elsewhere in ("https://evil.test/x", "http://toy.test/x", URL):
        assert source.parse(answer(said, Link=f'<{elsewhere}>; rel="next"')).more == ""
    in_body = json_source(tmp_path, 'how = "link"\nnext = "$.links.next"\nsize = 2')
    assert in_body.parse(answer(said | {"links": {"next": "?p=2"}})).more == f"{URL}?p=2"


def test_keywords_and_page_can_go_into_a_json_body(tmp_path: Path) -> None:
    source = toy(
        tmp_path,
        f"""
        [request]
        url = "{URL}"
        method = "POST"
        json = {{ query = {{ text = "{{keywords}}", fuzzy = false }}, words = ["{{keywords}}"] }}
        [paging]
        how = "offset"
        parameter = "from"
        size_parameter = "size"
        inside = "body"
        size = 2
        [answer]
        results = "$.hits"
        fields = {{ title = "$.t" }}
        """,
    )
    request = source.request('a "b"', "4")
    assert json.loads(request.body) == {
        "query": {"text": 'a "b"', "fuzzy": False},
        "words": ['a "b"'],
        "size": 2,
        "from": 4,
    }
    assert ("Content-Type", "application/json") in request.headers
    assert source.request("a").url != source.request("b").url
    assert source.parse(answer({"hits": hits(1, 2)}, request.url)).more == "6"
    assert len({record.id for record in source.parse(answer({"hits": hits(1, 2)})).records}) == 2


def test_keywords_can_go_into_the_path(tmp_path: Path) -> None:
    source = toy(
        tmp_path,
        """
        [request]
        url = "https://toy.test/find/{keywords}/all?x=1"
        [paging]
        size = 2
        size_parameter = "k"
        [answer]
        results = "$.hits"
        fields = "*"
        """,
    )
    assert source.request("a/b c").url == "https://toy.test/find/a%2Fb%20c/all?x=1&k=2"
    record = source.parse(answer({"hits": [{"a": 1, "b": None}]})).records[0]
    assert record.fields == {"a": "1", "b": ""}


XML = """
[request]
url = "https://toy.test/sru"
keywords = "q"
[paging]
size = 2
[answer]
format = "xml"
results = "//z:record"
holds = "/z:answer"
id = "@id"
url = "z:link/@href"
total = "/z:answer/z:count"
fields = { title = "z:title", authors = { each = "z:by", parts = ["z:given", "z:family"] } }
namespaces = { z = "urn:z" }
"""


def test_xml_is_read_by_xpath(tmp_path: Path) -> None:
    body = b"""<?xml version="1.0" encoding="iso-8859-1"?>
    <answer xmlns="urn:z"><count>1,234</count><record id="r1"><title>Caf\xe9 <b>noir</b></title>
    <by><given>Ada</given><family>Byron</family></by><by><family>Kaf</family></by>
    <link href="/r1"/></record></answer>"""
    told = toy(tmp_path, XML).parse(answer(body))
    assert told.total == 1234
    assert told.records == (
        Record(
            id="r1",
            url="https://toy.test/r1",
            fields={"title": "Café noir", "authors": "Ada Byron; Kaf"},
        ),
    )
    assert toy(tmp_path, XML).parse(answer(b'<answer xmlns="urn:z"/>')) == Answer()
    strange = toy(tmp_path, XML).parse(answer(b"<error/>"))
    assert (strange.problem, "at /z:answer" in strange.detail) == ("schema", True)


def test_entities_of_xml_are_not_resolved(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("treasure")
    body = f"""<!DOCTYPE answer [<!ENTITY x SYSTEM "file://{secret}">
    <!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
    <answer xmlns="urn:z"><record id="1"><title>&x;&b; end</title></record></answer>"""
    told = toy(tmp_path, XML).parse(answer(body.encode()))
    assert "treasure" not in repr(told)
    assert "lollol" not in repr(told)


HTML = """
[request]
url = "https://toy.test/search"
keywords = "q"
[paging]
size = 2
[answer]
format = "html"
results = "//table[@id='r']//tr[td]"
holds = "//table[@id='r']"
total = "//p[@class='count']"
url = "td[1]/a/@href"
fields = "*"
"""


def test_html_tables_are_read_by_their_heads(tmp_path: Path) -> None:
    body = """<html><p class=count>12 results<table id=r><tr><th>Name<th>Founded
    <tr><td><a href="/x?id=1">Caf\u00e9 &amp; Bar</a><td>1899<td>extra</table>"""
    told = toy(tmp_path, HTML).parse(answer(body.encode()))
    assert told.total == 12
    assert told.records[0].fields == {
        "Name": "Café & Bar",
        "Founded": "1899",
        "column3": "extra",
    }
    assert told.records[0].url == "https://toy.test/x?id=1"
    assert toy(tmp_path, HTML).parse(answer(b"<h1>Are you human?")).problem == "schema"


def test_pages_in_older_encodings_are_read(tmp_path: Path) -> None:
    body = "<table id=r><tr><th>Name<tr><td>Café".encode("latin-1")
    told = toy(tmp_path, HTML).parse(answer(body, Content_Type="text/html; charset=iso-8859-1"))
    assert told.records[0].fields == {"Name": "Café"}
    latin = '{"hits": [{"id": 1, "t": "Café"}]}'.encode("latin-1")
    kind = "application/json; charset=iso-8859-1"
    told = json_source(tmp_path).parse(answer(latin, Content_Type=kind))
    assert told.records[0].fields["title"] == "Café"


def test_results_that_are_texts_are_records_too(tmp_path: Path) -> None:
    texts = HTML.replace("//table[@id='r']//tr[td]", "//li/@title").replace(
        "holds = \"//table[@id='r']\"", ""
    )
    told = toy(tmp_path, texts).parse(answer(b"<ul><li title=one><li title=two></ul>"))
    assert [record.fields for record in told.records] == [{"text": "one"}, {"text": "two"}]


@pytest.mark.parametrize("body", [b"\xff\xfe\0", b"\0" * 50, b"<" * 50_000, b"<a>" * 50_000])
@pytest.mark.parametrize("tables", [XML, HTML])
def test_rubbish_is_survived(tmp_path: Path, tables: str, body: bytes) -> None:
    assert toy(tmp_path, tables).parse(answer(body)).problem == "schema"


def test_a_description_document_cannot_lead_to_a_host_that_forbids_it() -> None:
    source = Source.load("opensearch", {"url": "https://search.test/osd.xml"})
    document = (
        b'<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><Url '
        b'type="application/rss+xml" template="https://nominatim.openstreetmap.org/?q={searchTerms}"/>'
        b"</OpenSearchDescription>"
    )
    with pytest.raises(UserError, match="is refused"):
        source.opened(Response(url="https://search.test/osd.xml", status=200, body=document))


def test_a_link_to_the_next_page_carries_the_key_whether_it_says_so_or_not(tmp_path: Path) -> None:
    key = '[key]\nhow = "query"\nname = "k"\nsecret = "TOY"'
    source = json_source(tmp_path, 'how = "link"\nsize = 2', key)
    first = source.request("a").url
    bare = answer({"n": 5, "hits": hits(1, 2)}, first, Link=f'<{URL}?q=a&p=2>; rel="next"')
    assert source.request("a", source.parse(bare).more).url == f"{URL}?q=a&p=2&k={{secret:TOY}}"
    said = answer({"hits": hits(1, 2)}, first, Link=f'<{URL}?k={{secret:TOY}}&p=2>; rel="next"')
    assert source.request("a", source.parse(said).more).url == f"{URL}?k={{secret:TOY}}&p=2"


def test_no_query_is_longer_than_an_address_may_be(tmp_path: Path) -> None:
    source = json_source(tmp_path)
    assert source.takes("word " * 1000)
    assert not source.takes("word " * 2000)
    assert source.takes("\N{LATIN SMALL LETTER E WITH ACUTE}" * 900)
    assert not source.takes("\N{LATIN SMALL LETTER E WITH ACUTE}" * 1100)


ANSWER = Response(url="http://a.org/?q=a", status=200, body=b"{}", at_s=1.0)


class Reads:
    """Says the number of the reading, so that two of one answer differ."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, response: Response) -> int:
        self.count += 1
        return self.count


def test_what_a_guard_changes_of_an_answer_does_not_make_it_another() -> None:
    recent = Recent(Reads())
    assert recent(ANSWER) == recent(replace(ANSWER, at_s=2.0, took_s=3.0)) == 1


def test_another_answer_is_read_for_itself() -> None:
    recent = Recent(Reads())
    others = [
        replace(ANSWER, body=b"[]"),
        replace(ANSWER, url="http://a.org/?q=b"),
        replace(ANSWER, status=429),
        replace(ANSWER, headers=(("Link", "<b>; rel=next"),)),
        replace(ANSWER, error="closed"),
        replace(ANSWER, detail="why"),
        replace(ANSWER, cut="size"),
        replace(ANSWER, spool="file"),
    ]
    assert [recent(one) for one in [ANSWER, *others]] == [*range(1, len(others) + 2)]


def test_only_the_last_answers_are_kept() -> None:
    recent = Recent(Reads())
    first, *rest = (replace(ANSWER, url=f"http://a.org/{n}") for n in range(KEPT + 1))
    assert recent(first) == 1
    for one in rest[:-1]:
        recent(one)
    assert recent(first) == 1  # and is the last used from here on
    recent(rest[-1])
    assert recent(first) == 1
    assert recent(rest[0]) == KEPT + 2


def test_a_search_service_hands_out_what_it_has_read() -> None:
    brave = build("brave")
    body = b'{"query": {"more_results_available": true}, "web": {"results": [{"title": "A", "url": "http://a.org/"}]}}'
    answer = Response(url=brave.request("keyword", "a").url, status=200, body=body)
    first = brave.parse("keyword", answer)
    assert first.more == "1"
    assert brave.parse("keyword", replace(answer, at_s=9.0)) is first
