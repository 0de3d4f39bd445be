"""How far a harvest goes: several starts, globs, depth, files on other hosts."""

import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from filon.core import Response, Strategy
from filon.page.links import Link
from filon.page.url import Globs
from filon.run.checkpoint import Checkpoint, dump, load
from filon.testing.case import Case, harvest_brief, run
from filon.testing.site import HOST, ToySite
from filon.testing.strategies import goes_on_from_its_state
from filon.verbs.harvest.strategies import STRATEGIES, build
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import MOST_HOSTS, SiteState
from unit.verbs.harvest.strategies.site import HOME, Site, answer, brief, walk

EVERY = list(STRATEGIES)


def asked(strategy: Strategy, site: Site) -> list[str]:
    gets = [step.request.url for step in walk(strategy, site) if step.request.method == "GET"]
    return [url.removeprefix(HOME) for url in gets if not url.endswith("sitemap.xml")]


def page(path: str, *hrefs: str) -> Response:
    body = "".join(f"<a href='{href}'>x</a>" for href in hrefs)
    return Response(url=f"{HOME}{path}", status=200, body=body.encode(), at_s=1_760_000_000.0)


def moved(url: str, goal: str) -> Response:
    return Response(url=url, status=302, headers=(("Location", goal),))


def restored(site: SiteState) -> SiteState:
    twin = SiteState(site.brief)
    twin.restore(load(dump(Checkpoint(state=site.state()))).state)
    return twin


def links(site: SiteState, response: Response) -> list[str]:
    return [link.url.removeprefix(HOME) for link in site.new_links(response)]


# Several starts.


@pytest.mark.parametrize("name", EVERY)
def test_all_starts_are_asked_for_first_and_once(name: str) -> None:
    site: Site = {
        "": ["a1", "en", "de"],
        "en": ["b1", ""],
        "de": ["c1", "en"],
        **{f"{kind}1": f"{kind},1" for kind in "abc"},
    }
    made = build(name, brief(more=(f"{HOME}en", f"{HOME}de", HOME)))
    steps = [step for step in walk(made, site) if step.request.method == "GET"]
    urls = [step.request.url.removeprefix(HOME) for step in steps]
    assert urls[:3] == ["", "en", "de"]
    assert {step.reason.kind for step in steps[:3]} == {"start"}
    assert sorted(url for url in urls if url != "sitemap.xml") == ["", "a1", "b1", "c1", "de", "en"]


def test_a_strategy_that_knows_one_start_gets_the_others_as_links() -> None:
    site = SiteState(brief(more=(f"{HOME}en",)))
    site.claim(HOME)
    assert links(site, page("", "/a")) == ["en", "a"]
    assert links(site, page("a", "/en", "/b")) == ["b"]
    assert links(restored(site), page("b", "/en", "/c")) == ["c"]


@pytest.mark.parametrize("name", EVERY)
def test_a_first_start_that_is_not_there_does_not_end_the_run(name: str) -> None:
    site: Site = {"": 404, "en": ["b1"], "b1": "b,1"}
    assert asked(build(name, brief(more=(f"{HOME}en",))), site) == ["", "en", "b1"]


def test_the_scope_of_several_starts_is_that_of_each() -> None:
    site = SiteState(brief(more=("http://b.test/",)))
    assert site.starts() == [HOME, "http://b.test/"]
    away = "http://x.b.test/1"
    assert links(site, page("", away, "http://c.test/")) == [away]


# Globs.

GLOBBED: Site = {
    "": ["data1/", "news1/", "top.csv"],
    "data1/": ["data1/a.csv", "data1/old1/", "files/b.csv"],
    "data1/old1/": ["data1/old1/c.csv"],
    "data1/old1/c.csv": "c,1",
    "news1/": ["news1/d.csv", "data1/a.csv"],
    **dict.fromkeys(("data1/a.csv", "files/b.csv", "news1/d.csv", "top.csv"), "x,1"),
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"include": ["/data1/*"]},
         ["", "data1/", "data1/a.csv", "data1/old1/", "data1/old1/c.csv"]),
        ({"include": ["/data1/", "/files/"], "exclude": ["*/old1/*"]},
         ["", "data1/", "data1/a.csv", "files/b.csv"]),
        ({"exclude": ["/data1/"]}, ["", "news1/", "news1/d.csv", "top.csv"]),
        ({"exclude": ["*"]}, [""]),
    ],
)  # fmt: skip
def test_only_what_the_globs_allow_is_asked_for(
    name: str, bounds: dict[str, list[str]], expected: list[str]
) -> None:
    made = build(name, brief(**{key: Globs(globs) for key, globs in bounds.items()}))
    assert sorted(asked(made, GLOBBED)) == expected


def test_what_globs_leave_out_is_counted_by_reason() -> None:
    site = SiteState(brief(include=Globs(["/data/"]), exclude=Globs(["*.zip"])))
    assert links(site, page("", "/data/1", "/news/", "/data/2.zip", "/x.zip")) == ["data/1"]
    assert site.skipped == {"in --exclude": 2, "not in --include": 1}


def test_the_globs_hold_for_redirects_but_not_for_those_of_a_start() -> None:
    site = SiteState(brief(include=Globs(["/data/"])))
    assert site.read(moved(HOME, "/en/")).goal == f"{HOME}en/"
    site = restored(site)
    assert site.read(moved(f"{HOME}en/", "/en/home")).goal == f"{HOME}en/home"
    assert site.read(moved(f"{HOME}data/1", "/login")).goal == ""
    assert site.skipped == {"not in --include": 1}


def test_an_address_by_the_slash_rule_is_held_to_the_globs() -> None:
    rows = {f"x/{n}": f"->/x/{n}/" for n in range(30)} | {f"x/{n}/": ["e"] for n in range(30)}
    site: Site = {"": [f"x/{n}" for n in range(30)], "e": [], **rows}
    urls = asked(build("vein", brief(exclude=Globs(["/x/29/"]))), site)
    assert "x/28/" in urls
    assert "x/29/" not in urls


# Depth.

DEEP: Site = {
    "": ["a1", "top.csv"],
    "a1": ["b1", "a.csv"],
    "b1": ["c1", "b.csv"],
    "c1": ["c.csv"],
    **{f"{name}.csv": "x,1" for name in ("top", "a", "b", "c")},
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (1, ["", "a1", "top.csv"]),
        (2, ["", "a.csv", "a1", "b1", "top.csv"]),
        (0, ["", "a.csv", "a1", "b.csv", "b1", "c.csv", "c1", "top.csv"]),
    ],
)
def test_a_run_goes_no_deeper_than_asked(name: str, depth: int, expected: list[str]) -> None:
    made = build(name, brief(depth=depth))
    assert sorted(asked(made, DEEP)) == expected
    skipped = made.summary()["skipped"]
    assert ("beyond --depth" in skipped) is (depth > 0)


@pytest.mark.parametrize("name", EVERY)
def test_redirects_do_not_make_a_page_deeper(name: str) -> None:
    site: Site = {
        "": "->/en",
        "en": "->/en/home",
        "en/home": ["a1"],
        "a1": "->/a2",
        "a2": ["b.csv"],
        "b.csv": "x,1",
    }
    assert "b.csv" in asked(build(name, brief(depth=2)), site)
    assert "b.csv" not in asked(build(name, brief(depth=1)), site)


@pytest.mark.parametrize("name", EVERY)
def test_the_slash_rule_does_not_make_a_page_deeper(name: str) -> None:
    rows: dict[str, Any] = {f"x/{n}": f"->/x/{n}/" for n in range(9)}
    site: Site = {
        "": [f"x/{n}" for n in range(9)],
        **rows,
        **{f"x/{n}/": [f"{n}.csv"] for n in range(9)},
        **{f"{n}.csv": f"{n},1" for n in range(9)},
    }
    urls = asked(build(name, brief(depth=2)), site)
    assert {f"{n}.csv" for n in range(9)} <= {*urls}


def test_a_shorter_way_counts_also_after_a_restart() -> None:
    site = SiteState(brief(depth=3))
    assert links(site, page("", "/a1")) == ["a1"]
    assert links(site, page("a1", "/b1", "/c1")) == ["b1", "c1"]
    assert links(site, page("b1", "/d1")) == ["d1"]  # three links away: nothing behind it counts
    site = restored(site)
    assert links(site, page("c1", "/d1", "/e1")) == ["e1"]
    assert links(site, page("e1", "/f1")) == []
    assert site.skipped == {"beyond --depth": 1}
    twin = SiteState(brief(depth=3))
    links(twin, page("", "/a1", "/b1"))
    links(twin, page("a1", "/c1"))
    assert links(twin, page("c1", "/d1")) == ["d1"]
    links(twin, page("b1", "/d1", "/x1"))  # by which it is two links away
    links(twin, page("x1", "/d1"))  # and by a longer way, too
    assert links(twin, page("d1", "/e1")) == ["e1"]


def test_what_was_too_deep_from_one_page_may_be_reached_from_another() -> None:
    site = SiteState(brief(depth=2))
    site.starts()
    links(site, page("", "/a1", "/a2"))
    links(site, page("a1", "/b1"))
    assert links(site, page("b1", "/c1", "/a1", "/")) == []
    assert site.skipped == {"beyond --depth": 1}  # known pages are not left out
    assert links(site, page("a2", "/c1")) == ["c1"]


def test_what_stands_on_no_page_is_beyond_any_depth() -> None:
    listed = [Link(f"{HOME}b1", "", "", "sitemap")]
    for depth, number in ((2, 0), (0, 1)):
        site = SiteState(brief(depth=depth))
        site.starts()
        links(site, page("", "/a1"))
        assert len(site.admit(listed, 0.0)) == number


def test_sitemaps_are_no_way_round_the_depth() -> None:
    made: Any = build("vein", brief(depth=1))
    step = made.propose()
    made.hear_sitemaps([f"{HOME}sitemap.xml"], 0.0)
    made.observe(step, answer({"": ["a1"]}, step))
    assert made.propose().request.url == f"{HOME}a1"
    assert made.propose() is None


# Files on other hosts.

AWAY = ["http://cdn.test/a.csv", "http://cdn.test/b.xlsx?v=1", "http://b.test/get?format=csv"]
PAGES = ["http://cdn.test/", "http://b.test/page.html", "http://b.test/share?u=http://a.test/x.csv"]


def test_files_on_other_hosts_are_counted_by_host_each_once() -> None:
    site = SiteState(brief())
    assert links(site, page("", *AWAY, *PAGES, "/a")) == ["a"]
    site = restored(site)
    assert (
        links(site, page("a", AWAY[0], f"{AWAY[0]}?utm_source=x", "http://b.test/logo.png")) == []
    )
    assert site.read(moved(f"{HOME}c", "http://d.test/d.csv")).goal == ""
    assert site.read(moved(f"{HOME}d", "http://d.test/login")).goal == ""
    assert site.summary()["elsewhere"] == {"cdn.test": 2, "b.test": 1, "d.test": 1}
    assert site.skipped == {"off the site": 9, "redirect off the site": 2}
    assert json.loads(json.dumps(site.summary())) == site.summary()


def test_a_run_without_such_files_says_nothing_of_them() -> None:
    site = SiteState(brief())
    links(site, page("", *PAGES))
    assert "elsewhere" not in site.summary()


def test_files_that_the_globs_leave_out_are_not_offered() -> None:
    site = SiteState(brief(exclude=Globs(["//b.test/*"]), include=Globs(["/a/"])))
    links(site, page("", *AWAY))
    assert site.summary()["elsewhere"] == {"cdn.test": 2}
    site = SiteState(brief(include=Globs(["//b.test/*"]), linked_hosts=True))
    assert links(site, page("", *AWAY)) == [AWAY[2]]


@pytest.mark.parametrize("name", EVERY)
def test_linked_files_are_asked_for_and_pages_of_other_hosts_never_read(name: str) -> None:
    site: Site = {
        "": ["/cdn.test/a.csv", "/cdn.test/page.csv", "/cdn.test/go.csv", "/cdn.test/", "b1"],
        "b1": ["c.csv"],
        "c.csv": "->http://cdn.test/c.csv",
        "http://cdn.test/a.csv": "a,1",
        "http://cdn.test/page.csv": ["/cdn.test/d.csv", "d1"],
        "http://cdn.test/go.csv": "->http://store.test/key/1",
        "http://store.test/key/1": "e,1",
        "http://cdn.test/c.csv": "c,1",
    }
    made = build(name, brief(linked_hosts=True))
    gone_to = {*asked(made, site)} - {"http://cdn.test/page.csv"}  # sb sees by a HEAD what it is
    assert sorted(gone_to) == [
        "",
        "b1",
        "c.csv",
        "http://cdn.test/a.csv",
        "http://cdn.test/c.csv",
        "http://cdn.test/go.csv",
        "http://store.test/key/1",
    ]
    assert "elsewhere" not in made.summary()


def test_sitemaps_of_other_hosts_are_not_read() -> None:
    made: Any = build("vein", brief(linked_hosts=True))
    step = made.propose()
    made.hear_sitemaps(["http://cdn.test/sitemap.csv"], 0.0)
    made.observe(step, answer({"": ["/cdn.test/all.xml"]}, step))
    listed = b"<urlset><url><loc>http://cdn.test/b.csv</loc></url></urlset>"
    seen = []
    while step := made.propose():
        seen.append(step.request.url.removeprefix(HOME))
        xml = (("Content-Type", "application/xml"),)
        response = Response(url=step.request.url, status=200, headers=xml, body=listed)
        made.observe(step, response if "all.xml" in step.request.url else answer({}, step))
    assert seen == ["http://cdn.test/all.xml", "sitemap.xml"]


def test_the_hosts_with_files_are_bounded() -> None:
    away = [f"http://h{n}.test/a.csv" for n in range(MOST_HOSTS + 5)]
    site = SiteState(brief(linked_hosts=True))
    assert len(links(site, page("", *away, "http://h1.test/b.csv"))) == MOST_HOSTS + 1
    assert site.skipped == {f"beyond {MOST_HOSTS:,} other hosts": 5}
    left = SiteState(brief())
    links(left, page("", *away))
    assert 0 < len(left.summary()["elsewhere"]) <= 100


def test_a_state_from_before_there_were_bounds_is_taken_up() -> None:
    site = SiteState(brief())
    links(site, page("", "/a"))
    old = {key: value for key, value in site.state().items()
           if key not in ("roots", "depths", "elsewhere")}  # fmt: skip
    twin = SiteState(brief())
    twin.restore(old)
    assert links(twin, page("a", "/a", "/b")) == ["b"]


# All of it at once.


@pytest.mark.parametrize("name", EVERY)
def test_a_bounded_harvest_goes_on_from_its_state(name: str) -> None:
    small = partial(ToySite, topics=2, datasets=2, news=4)
    case = Case(make=lambda web, seed: build(name, bounded(seed)), web=small)
    steps = run(case).steps
    urls = {step.request.url for step in steps}
    assert "https://other.test/x.csv" in urls
    assert not any("/moved/" in url for url in urls)
    goes_on_from_its_state(case)


def bounded(seed: int) -> Brief:
    return replace(
        harvest_brief(seed),
        more=(f"{HOST}/topic/1",),
        exclude=Globs(["*/moved/*"]),
        depth=3,
        linked_hosts=True,
    )
