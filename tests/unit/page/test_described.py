"""Data that a page names to machines alone."""

import json

import pytest
from selectolax.lexbor import LexborHTMLParser

from filon.page.described import MAX_BLOCKS, MAX_DESCRIBED, Described, described
from filon.page.links import DESCRIBED, HEADS, Link, links

URL = "http://a.org/d/p.html"


def told(html: str) -> list[Described]:
    page = f"<!-- by schema.org -->{html}".encode()
    return described(LexborHTMLParser(page), page)


def block(data: object, kind: str = "application/ld+json") -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return f'<script type="{kind}">{text}</script>'


def addresses(data: object) -> list[str]:
    return [one.address for one in told(block(data))]


SHARE = {"@type": "DataDownload", "contentUrl": "/r.csv", "encodingFormat": "text/csv"}
SET = {"@context": "https://schema.org/", "@type": "Dataset", "name": "Rain", "distribution": SHARE}


@pytest.mark.parametrize(
    "data",
    [
        SET,
        [SET],
        {"@graph": [{"@type": "WebSite", "url": "/no"}, SET]},
        {"@type": "WebPage", "url": "/no", "mainEntity": SET},
        {"@type": "DataCatalog", "dataset": [SET]},
        SET | {"@type": ["Dataset", "CreativeWork"], "distribution": [SHARE]},
        SET | {"@type": "https://schema.org/Dataset"},
        SET | {"distribution": {"contentUrl": ["/r.csv"]}},
        {
            "@type": "schema:Dataset",
            "schema:distribution": {"schema:contentUrl": {"@id": "/r.csv"}},
        },
        {"https://schema.org/distribution": [{"https://schema.org/contentUrl": "/r.csv"}]}
        | {"@type": "https://schema.org/Dataset"},
        SET | {"distribution": SHARE | {"url": "/page-of-it"}},
    ],
)
def test_files_of_datasets_are_told_wherever_they_stand(data: object) -> None:
    assert addresses(data) == ["/r.csv"]


@pytest.mark.parametrize(
    "data",
    [
        {"@type": "VideoObject", "contentUrl": "/film", "about": "Dataset"},
        {"@type": "Organization", "url": "/", "name": "Dataset"},
        {"@context": {"Dataset": {"@type": "Dataset", "url": "/no"}}},
        {"@type": "Article", "@reverse": {"about": SET}},
        {"@type": "Dataset", "contentUrl": 7, "url": None, "distribution": [None, 1, "x"]},
        {"@type": "Dataset", "url": "  "},
        {"@type": "Dataset", "image": {"@type": "ImageObject", "contentUrl": "/map"}},
    ],
)
def test_what_is_no_data_is_not_told(data: object) -> None:
    assert addresses(data) == []


def test_datasets_and_catalogues_lead_to_their_pages() -> None:
    sets = [{"@type": "Dataset", "url": f"/set/{i}", "name": f"Set {i}"} for i in range(2)]
    catalogue = {"@type": "DataCatalog", "url": "/all", "name": "All", "dataset": sets}
    assert [(one.address, one.text, one.path) for one in told(block(catalogue))] == [
        ("/all", "All", "/ld+json/DataCatalog/url"),
        ("/set/0", "Set 0", "/ld+json/Dataset/url"),
        ("/set/1", "Set 1", "/ld+json/Dataset/url"),
    ]


@pytest.mark.parametrize(
    ("format_", "hint"),
    [
        ("text/csv; charset=utf-8", "text/csv"),
        ("CSV", "text/csv"),
        (".csv", "text/csv"),
        ("https://www.iana.org/assignments/media-types/text/csv", "text/csv"),
        (["nonsense", "JSON"], "application/json"),
        ("http://publications.europa.eu/resource/authority/file-type/CSV", "download"),
        (7, "download"),
        (None, "download"),
    ],
)
def test_a_file_is_of_the_type_that_is_told(format_: object, hint: str) -> None:
    data = SET | {"distribution": {"contentUrl": "/get", "encodingFormat": format_}}
    assert [one.hint for one in told(block(data))] == [hint]
    assert told(block(SET))[0].text == "Rain"


def test_an_address_that_was_written_as_html_is_read() -> None:
    assert addresses(SET | {"distribution": {"contentUrl": "/g?a=1&amp;b=2"}}) == ["/g?a=1&b=2"]


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "Dataset",
        '{"@type": "Dataset", "url": "/a"',
        '{"@type": "Dataset", "url": "/a"}}',
        "[" * 100_000 + '"Dataset"',
        '{"a":' * 100_000 + '"Dataset"' + "}" * 100_000,
        '{"@type": "Dataset", "position": ' + "9" * 10_000 + "}",
        '{"@type": "Dataset", "url": "\\ud800"',
        "null Dataset",
    ],
)
def test_a_broken_block_is_passed_over_and_the_next_one_read(broken: str) -> None:
    assert [one.address for one in told(block(broken) + block(SET))] == ["/r.csv"]


def test_stray_commas_and_line_breaks_break_nothing() -> None:
    text = '{"@type": "Dataset", "name": "a\nb", "distribution": [{"contentUrl": "/r.csv",},],}'
    assert [(one.address, one.text) for one in told(block(text))] == [("/r.csv", "a b")]


@pytest.mark.timeout(60)
def test_what_has_no_end_is_bounded() -> None:
    long = {"@type": "Dataset", "distribution": [{"contentUrl": f"/{i}"} for i in range(60_000)]}
    assert len(addresses(long)) == MAX_DESCRIBED
    assert len(told(block(SET) * 500)) == MAX_BLOCKS
    deep: object = SET
    for _ in range(200):
        deep = {"mainEntity": [deep]}
    assert addresses(deep) == []
    wide = block('["Dataset"' + ",[]" * 1_000_000 + "]")
    assert told(wide) == []


MICRODATA = """<div itemscope itemtype="https://schema.org/Dataset">
  <div itemprop="distribution" itemscope itemtype="https://schema.org/DataDownload">
    <meta itemprop="encodingFormat" content="CSV"><link itemprop="contentUrl" href="/r.csv">
  </div>
  <div itemprop="distribution" itemscope itemtype="https://schema.org/DataDownload">
    <span itemprop="contentUrl"> /get?id=3 </span><a itemprop="contentUrl" href="/a.csv">a</a>
  </div>
  <div itemscope itemtype="https://schema.org/VideoObject"><meta itemprop="contentUrl"
    content="/film"></div></div><meta itemprop="name contentUrl" content="/plain"><p itemscope>
  <i itemprop=contentUrl></i></p>"""


def test_microdata_names_files_too() -> None:
    assert [(one.address, one.path, one.hint) for one in told(MICRODATA)] == [
        ("/r.csv", "/microdata/DataDownload/contentUrl", "text/csv"),
        ("/get?id=3", "/microdata/DataDownload/contentUrl", "download"),
        ("/plain", "/microdata/thing/contentUrl", "download"),
    ]


def test_what_is_described_are_links_where_they_are_asked_for() -> None:
    html = f"<base href=/d/><a href=1>a</a>{block(SET | {'url': 'set#x'})}"
    assert [link.url for link in links(html.encode(), URL)] == ["http://a.org/d/1"]
    heads = (*HEADS, DESCRIBED)
    assert links(html.encode(), URL, heads=heads)[1:] == [
        Link("http://a.org/d/set", "/ld+json/Dataset/url", "Rain", "data"),
        Link(
            "http://a.org/r.csv", "/ld+json/DataDownload/contentUrl", "Rain", "data", "", "text/csv"
        ),
    ]
    asked: list[str] = []

    def none(url: str) -> bool:
        asked.append(url)
        return False

    assert links(html.encode(), URL, heads=heads, wanted=none) == []
    assert asked == ["http://a.org/d/1", "http://a.org/d/set", "http://a.org/r.csv"]
    alone = links(block(SET).encode("utf-16"), URL, heads=heads)
    assert [link.url for link in alone] == ["http://a.org/r.csv"]
