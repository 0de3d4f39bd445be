"""Which pages are read for RDFa at all: most have a `rel`, and say nothing by it."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from filon.verbs.follow.rdf.limits import Allowance
from filon.verbs.follow.rdf.rdfa import SIGNS, rdfa

SAYING = [
    '<div vocab="http://v.test/"><a rel="knows" href="/x">x</a></div>',
    '<meta property="og:title" content="x">',
    '<div typeof="foaf:Person"></div>',
    '<a rel="license" href="/l">l</a>',
    "<a rel='nofollow DescribedBy' href=/d>d</a>",
    "<a rel=foaf:page href=/p>p</a>",
    '<a rev = "foaf:page" href="/p">p</a>',
    '<a rel="foaf&#58;page" href="/p">p</a>',
    '<a rel="\nfoaf:page" href="/p">p</a>',
]
SILENT = [
    '<link rel="stylesheet" href="http://x.test/a.css">',
    "<a rel=nofollow href='mailto:me@x.test'>me</a>",
    '<p about="/me" resource="/you">nothing is said of either</p>',
    "<a rel='' href='a:b'>x</a>",
]


def triples(page: str) -> list[object]:
    found = rdfa(LexborHTMLParser(page.encode()), "http://a.test/", Allowance(len(page)), 100)
    return list(found)


@pytest.mark.parametrize("page", SAYING)
def test_a_page_that_says_something_is_read(page: str) -> None:
    assert SIGNS.search(page.encode())
    assert triples(page)


@pytest.mark.parametrize("page", SILENT)
def test_a_page_that_says_nothing_is_not(page: str) -> None:
    assert not SIGNS.search(page.encode())
    assert not triples(page)
