"""What all harvest strategies agree on."""

import pytest

from filon.core import Response
from filon.core.blocks import by_blocks
from filon.learn.arrays import NUMBERS
from filon.page.traps import MAX_PAGES
from filon.page.url import KeyRules
from filon.run.checkpoint import Checkpoint, dump, load
from filon.verbs.harvest.strategies import STRATEGIES, build
from filon.verbs.harvest.strategies.site import BLOCK, MOST_HOPS, Seen, SiteState, SlashRule
from unit.verbs.harvest.strategies.site import HOME, Site, brief, walk


@pytest.mark.parametrize("name", ["sb", "focused", "bfs", "dfs", "random"])
def test_a_redirect_without_end_is_given_up(name: str) -> None:
    site: Site = {
        "": ["hop0", "page1"],
        "page1": [],
        **{f"hop{n}": f"->/hop{n + 1}" for n in range(300)},
    }
    strategy = build(name, brief())
    asked = [step.request.url for step in walk(strategy, site) if step.request.method == "GET"]
    assert sum("hop" in url for url in asked) == 1 + MOST_HOPS
    assert f"{HOME}page1" in asked
    assert strategy.summary()["skipped"] == {"redirect without end": 1}


WORDS = str.maketrans("0123456789", "abcdefghij")
#: Two posts of a blog, the second of which only the head of the first names.
HEADS = """
    <link rel=next href=/post2><link rel=alternate hreflang=fr href=/fr>
    <link rel=alternate type=application/rss+xml href={feed}><link rel=pingback href=/xmlrpc.php>
    <link rel=alternate type=application/json href=/wp-json/1>
    <link rel=alternate type=application/json+oembed href=/oembed?url=1>
"""


@pytest.mark.parametrize("name", STRATEGIES)
def test_of_the_heads_links_the_papers_take_none_and_vein_no_housekeeping(name: str) -> None:
    def answer(url: str) -> Response:
        path = url.removeprefix(HOME)
        body = HEADS.format(feed=f"/feed{path}") + "<meta http-equiv=refresh content='0;/after'>"
        body += "<a href=/post1>1</a><map><area href=/area></map><iframe src=/inner></iframe>"
        html = (("Content-Type", "text/html"),)
        is_known = path in ("", "post1", "post2", "fr", "area", "inner", "after")
        return Response(url=url, status=200 if is_known else 404, headers=html, body=body.encode())

    strategy, asked = build(name, brief(stop="never")), set()
    while step := strategy.propose():
        strategy.observe(step, answer(step.request.url))
        if step.request.method == "GET":
            asked.add(step.request.url.removeprefix(HOME))
    for_all = {"", "post1", "area", "inner", "after"}
    own = {"post2", "fr", "feed", "sitemap.xml"} if name == "vein" else set()
    assert asked == for_all | own


def test_a_chain_of_redirects_is_counted_across_a_restart() -> None:
    site = SiteState(brief())
    for n in range(MOST_HOPS):
        hop = Response(url=f"{HOME}hop{n}", status=302, headers=(("Location", f"hop{n + 1}"),))
        assert site.read(hop).goal == f"{HOME}hop{n + 1}"
        twin = SiteState(brief())
        twin.restore(site.state())
        site = twin
    last = Response(url=f"{HOME}hop{MOST_HOPS}", status=302, headers=(("Location", "on"),))
    assert site.read(last).goal == ""


@pytest.mark.parametrize(
    "session", ["(S(lit3py55t21z5v55vlm25s55))/", ";jsessionid=1F", "?PHPSESSID=1f"]
)
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_visitor_who_is_given_a_session_id_is_let_in(name: str, session: str) -> None:
    site: Site = {"": f"->/{session}", session: ["page1"], "page1": ["data.csv"], "data.csv": "1,2"}
    strategy = build(name, brief())
    asked = [step.request.url.removeprefix(HOME) for step in walk(strategy, site)]
    assert asked[:3] == ["", session, "page1"]
    assert "data.csv" in asked


@pytest.mark.parametrize("rule", ["drop_www", "drop_scheme"])
def test_a_redirect_to_the_same_page_at_another_host_is_followed(rule: str) -> None:
    goal = {"drop_www": "http://www.a.test/", "drop_scheme": "https://a.test/"}[rule]
    site = SiteState(brief(rules=KeyRules.switched([f"{rule}=on"])))
    site.starts()
    hop = Response(url=HOME, status=301, headers=(("Location", goal),))
    assert site.read(hop).goal == goal


def test_a_page_that_redirects_to_itself_in_a_circle_is_left() -> None:
    site = SiteState(brief())
    site.starts()
    there = Response(url=HOME, status=302, headers=(("Location", "?sid=12345678"),))
    back = Response(url=f"{HOME}?sid=12345678", status=302, headers=(("Location", HOME),))
    self = Response(url=f"{HOME}?sid=12345678", status=302, headers=(("Location", ""),))
    assert site.read(there).goal == f"{HOME}?sid=12345678"
    twin = SiteState(brief())
    twin.restore(site.state())
    assert [twin.read(hop).goal for hop in (self, back)] == ["", ""]


@pytest.mark.parametrize("named", ["http://[bad", "/" + "a" * 60_000])
def test_a_redirect_to_no_address_is_told_as_one(named: str) -> None:
    site = SiteState(brief())
    hop = Response(url=f"{HOME}hop", status=302, headers=(("Location", named),))
    assert site.read(hop).goal == ""
    assert site.skipped == {"redirect to no address": 1}


def test_what_is_left_out_is_counted_by_reason() -> None:
    links = ["logo.png", "a/b/a/b/a/b/c", "calendar/2093/01", "x?" + "&".join("abcdefgh" * 4)]
    body = "".join(f"<a href='/{link}'>x</a>" for link in [*links, "x" * 2000, "fine"])
    away = "<a href='http://b.test/'>x</a>"
    page = Response(url=HOME, status=200, body=(body + away).encode(), at_s=1_760_000_000.0)
    site = SiteState(brief())
    assert [link.url for link in site.new_links(page)] == [f"{HOME}fine"]
    assert site.summary()["skipped"] == {
        "multimedia": 1,
        "repeated path": 1,
        "calendar": 1,
        "query": 1,
        "long": 1,
        "off the site": 1,
    }


def test_links_off_the_site_are_counted_on_every_page_and_known_ones_on_none() -> None:
    body = b"<a href='/fine'>x</a><a href='http://b.test/'>x</a>"
    site = SiteState(brief())
    for place in ("", "2", "3"):
        page = Response(url=f"{HOME}{place}", status=200, body=body, at_s=1_760_000_000.0)
        expected = [] if place else [f"{HOME}fine"]
        assert [link.url for link in site.new_links(page)] == expected
    assert site.summary()["skipped"] == {"off the site": 3}


def test_an_address_with_a_query_is_looked_at_anew_when_names_have_changed() -> None:
    def links() -> list[str]:
        body = b"<a href='/x?id=1&v=1'>x</a><a href='/x?id=1&v=2'>x</a>"
        return [link.url for link in site.new_links(Response(url=HOME, status=200, body=body))]

    site = SiteState(brief())
    assert links() == [f"{HOME}x?id=1&v=1", f"{HOME}x?id=1&v=2"]
    assert not links()
    site.alias = lambda url: url.partition("&")[0]
    site.rename()
    assert links() == [f"{HOME}x?id=1&v=1"]
    assert not links()


def test_every_strategy_has_a_name() -> None:
    assert {"vein", "sb", "focused", "bfs", "dfs", "random"} == set(STRATEGIES)


def test_an_endless_folder_is_left_and_counted_across_a_restart() -> None:
    site, known = SiteState(brief()), 0
    for n in range(MAX_PAGES + 1):
        body = f"<a href='/soft/{n + 1}'>x</a>".encode()
        page = Response(url=f"{HOME}soft/{n}", status=200, body=body)
        known += len(site.new_links(page))
        if n % 500 == 0:
            twin = SiteState(brief())
            twin.restore(site.state())
            site = twin
    assert known == MAX_PAGES
    assert site.skipped == {"endless folder": 1}


def test_a_large_archive_in_one_folder_is_read_to_its_end() -> None:
    site, known = SiteState(brief()), 0
    for n in range(2 * MAX_PAGES):
        answer = " ".join(f"{digit}th".translate(WORDS) for digit in str(n))
        body = (
            f"<p>{answer}</p><a href='/faq/{n + 1}'>next</a><a href='/faq/{n + 2}'>x</a>".encode()
        )
        known += len(site.new_links(Response(url=f"{HOME}faq/{n}", status=200, body=body)))
    assert known == 2 * MAX_PAGES + 1
    assert not site.skipped


# The slash rule.


def test_the_slash_rule_is_learnt_by_folder_and_unlearnt_where_it_fails() -> None:
    rule = SlashRule()
    for i in range(3):
        assert rule.apply("http://a.org/x/9") == "http://a.org/x/9"
        rule.note(f"http://a.org/x/{i}", f"http://a.org/x/{i}/")
    assert rule.apply("http://a.org/x/9") == "http://a.org/x/9/"
    assert rule.apply("http://a.org/y/9") == "http://a.org/y/9"
    for kept in ("http://a.org/x/9/", "http://a.org/x/9.html", "http://a.org/x/9?a=1"):
        assert rule.apply(kept) == kept
    rule.tried("http://a.org/x/9/", failed=True)
    assert rule.apply("http://a.org/x/8") == "http://a.org/x/8"


def test_one_dead_link_does_not_end_a_slash_rule_that_has_served() -> None:
    rule = SlashRule()
    for i in range(3):
        rule.note(f"http://a.org/x/{i}", f"http://a.org/x/{i}/")
    rule.tried("http://a.org/x/7/", failed=False)
    rule.tried("http://a.org/x/9/", failed=True)
    assert rule.apply("http://a.org/x/8") == "http://a.org/x/8/"


def test_a_page_that_answers_without_a_slash_forbids_the_rule() -> None:
    rule = SlashRule()
    rule.note("http://a.org/x/0", "")
    for i in range(9):
        rule.note(f"http://a.org/x/{i}", f"http://a.org/x/{i}/")
    assert rule.apply("http://a.org/x/9") == "http://a.org/x/9"


@pytest.mark.parametrize("size", [0, 1, BLOCK, 2 * BLOCK + 3])
def test_what_was_seen_comes_back_and_its_old_blocks_stay_as_they_were(size: int) -> None:
    pages, again = Seen(), Seen()
    for number in range(size):
        pages.add(2**64 - 1 - number)
    again.restore(load(dump(Checkpoint(state={"told": pages.state()}))).state["told"])
    assert len(again) == size
    assert all(2**64 - 1 - number in again for number in range(size))
    assert 1 not in again
    with by_blocks():
        before = again.state()
        again.add(1)
        after = again.state()
    whole = size // BLOCK
    assert after.marks[:whole] == before.marks[:whole]
    assert after.marks[whole:] != before.marks[whole:]
    told = [[one.tolist() for one in each.state()[:whole]] for each in (pages, again)]
    assert told[0] == told[1]


def test_what_was_seen_is_read_from_a_state_of_old() -> None:
    pages = Seen()
    pages.restore(NUMBERS.write({5, 3}))
    assert 5 in pages
    assert len(pages) == 2
