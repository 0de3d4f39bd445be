from filon.core import Response
from filon.verbs.follow.rdf.alternates import alternates, choices


def answer(link: str = "", head: str = "") -> Response:
    headers = (("Link", link),) if link else ()
    body = f"<html><head>{head}</head></html>".encode()
    return Response(url="http://a.org/x/page", status=200, headers=headers, body=body)


def test_a_page_names_its_rdf_in_its_head() -> None:
    head = (
        '<link rel="alternate" type="text/turtle" href="data.ttl">'
        '<link rel="alternate" type="application/rss+xml" href="feed">'
        '<link rel="stylesheet" type="text/css" href="rdf.css">'
        '<LINK REL="meta" TYPE="application/rdf+xml" HREF="/foaf.rdf">'
    )
    assert alternates(answer(head=head)) == ["http://a.org/x/data.ttl", "http://a.org/foaf.rdf"]


def test_link_headers_name_descriptions_and_alternates() -> None:
    link = (
        '<meta.ttl>; rel="describedby"; type="text/turtle", </a,b>; rel=alternate; '
        'type="application/ld+json", <style>; rel="stylesheet", '
        '<html>; rel="alternate"; type="text/html"'
    )
    assert alternates(answer(link)) == ["http://a.org/x/meta.ttl", "http://a.org/a,b"]


def test_signposting_links_to_a_link_set() -> None:
    link = '<https://a.org/ls>; rel="linkset"; type="application/linkset+json"'
    assert alternates(answer(link)) == ["https://a.org/ls"]


def test_nonsense_is_passed_over() -> None:
    assert alternates(answer('<http://[bad>; rel="describedby", garbage;;; <')) == []
    assert alternates(answer('<http://a.org/x/page>; rel="describedby"')) == []


def test_a_document_of_links_names_its_rdf_in_either_form() -> None:
    linkset = (
        b'{"linkset": [{"anchor": "/a", "describedby": [{"href": "/a.ttl", "type": "text/turtle"}, '
        b'{"href": "/a.bib", "type": "application/x-bibtex"}], "author": [{"href": "/me"}]}]}'
    )
    text = b'</b.jsonld>; rel="describedby"; type="application/ld+json", </me>; rel="author"'
    for mime, body, goal in (
        ("application/linkset+json", linkset, "http://x.example/a.ttl"),
        ("application/linkset", text, "http://x.example/b.jsonld"),
    ):
        headers = (("Content-Type", mime),)
        answer = Response(url="http://x.example/links", status=200, headers=headers, body=body)
        assert alternates(answer) == [goal]


def test_a_broken_document_of_links_names_nothing() -> None:
    headers = (("Content-Type", "application/linkset+json"),)
    for body in (b"", b"[]", b'{"linkset": 7}', b'{"linkset": [{"item": 3}]}', b"[" * 100_000):
        answer = Response(url="http://x.example/", status=200, headers=headers, body=body)
        assert alternates(answer) == []


def test_of_several_choices_those_with_rdf_go_first() -> None:
    variants = (
        '{"page" 1.0 {type text/html} {language en}}, {"data.rdf" 0.7 {type application/rdf+xml}}, '
        '{"data" 0.9 {language en} {type text/turtle}}, {"old.nt" 0.1}'
    )
    headers = (("Alternates", variants),)
    assert choices(Response(url="http://a.org/x/", status=300, headers=headers)) == [
        *("http://a.org/x/data", "http://a.org/x/data.rdf", "http://a.org/x/old.nt"),
        "http://a.org/x/page",
    ]


def test_choices_stand_in_a_list_of_links_too() -> None:
    body = (
        b"<ul><li><a href='/'>Home</a><li><a href=x.html>A page</a><li><a href=x.ttl>Turtle</a>"
        b"<li><a href=data type='application/ld+json'>JSON-LD</a></ul>"
    )
    assert choices(Response(url="http://a.org/x", status=300, body=body)) == [
        "http://a.org/x.ttl",
        "http://a.org/data",
    ]
    assert choices(Response(url="http://a.org/x", status=300, body=b"<a href=/>Home</a>")) == []
