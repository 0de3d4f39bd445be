"""`vein` as a whole, on small sites."""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from filon.core import MachineError, Request, Response, Step
from filon.core.blocks import by_blocks
from filon.page.types import Types
from filon.run.checkpoint import Checkpoint, Pieces, dump, load
from filon.testing.site import CSV, HOST, ToySite, page
from filon.verbs.harvest.strategies import Brief, build
from filon.verbs.harvest.strategies import site as site_state
from filon.verbs.harvest.strategies.vein import frontier, shelves
from filon.verbs.harvest.strategies.vein.site_prior import SIZE, SitePrior
from oldstates import in_one_piece
from unit.verbs.harvest.strategies.site import Site, answer, brief, told, walk
from unit.verbs.harvest.strategies.vein.crawls import Enlarged, crawl, vein


def needed(told: list[tuple[Step, Response]], site: ToySite, share: float = 0.9) -> int:
    goal, found = share * len(site.targets()), 0
    for number, (step, _) in enumerate(told, start=1):
        found += site.kind(step.request.url) == "target"
        if found >= goal:
            return number
    raise AssertionError("not found")


def test_needs_far_fewer_requests_than_breadth_first_where_news_lead_nowhere() -> None:
    site, other = ToySite(news=300), ToySite(news=300)
    plain = build("bfs", Brief(start=other.start, types=Types.parse("data")))
    learnt = needed(crawl(vein(site, stop="never"), site), site)
    assert learnt < 0.5 * needed(crawl(plain, other), other)


def test_stops_by_itself_with_everything_found() -> None:
    site = ToySite(news=900)
    strategy = vein(site)
    told = crawl(strategy, site)
    found = {step.request.url for step, _ in told} & set(site.targets())
    assert found == set(site.targets())
    assert strategy.summary()["stopped"] == "early-stop"
    assert len(told) < 900
    assert strategy.summary()["forecast"]["most"] <= 2


def test_gives_up_a_large_site_without_any_target_when_most_of_it_was_seen() -> None:
    site = ToySite(topics=1, datasets=0, news=600)
    strategy = vein(site)
    whole = len(crawl(vein(site, stop="never"), site))
    assert 0.4 * whole < len(crawl(strategy, site)) < 0.9 * whole
    assert strategy.summary()["stopped"] == "early-stop"


class InLanguages(ToySite):
    """Has the pages that matter in three languages, each linked by its like in the first alone."""

    def __init__(self, sets: int, others: int) -> None:
        self.sets, self.others = sets, others
        super().__init__()

    def _build(self) -> Iterator[tuple[str, tuple[int, str, bytes]]]:
        sets = [f"set/{number}" for number in range(self.sets)]
        others = [f"about/{number}" for number in range(self.others)]
        first = [f"/en/{each}" for each in (*others, *sets)]
        yield "/", page(first[: self.others], "ul.about", first[self.others :], "ul.sets")
        for language in ("en", "de", "fr"):
            for each in (*sets, *others):
                switch = [f"/{other}/{each}" for other in ("en", "de", "fr")]
                file = f"/files/{language}-{each.replace('/', '-')}.csv"
                files = [file] if each in sets else []
                yield f"/{language}/{each}", page(switch, "p.languages", files, "div.files")
                if files:
                    yield file, (200, "text/csv", CSV + file.encode())


def test_a_language_menu_on_pages_without_files_says_nothing_of_those_on_pages_with_them() -> None:
    site = InLanguages(sets=60, others=120)
    told = crawl(vein(site), site)
    assert len({step.request.url for step, _ in told} & set(site.targets())) == 180


def test_the_same_page_in_another_language_is_known_by_its_name() -> None:
    """Of 30 chapters in 12 languages one has the file, the same in each."""
    languages = [f"l{letter}" for letter in "abcdefghijkl"]
    chapters = [f"ch{number:02}" for number in range(30)]
    web: dict[str, list[str] | str | int] = {"": [f"{name}/index.html" for name in languages]}
    for name in languages:
        web[f"{name}/index.html"] = [f"{name}/{chapter}" for chapter in chapters]
        web |= {f"{name}/{chapter}": [f"{name}/ch00"] for chapter in chapters}
        web[f"{name}/ch17"] = [f"{name}/table.csv"]
        web[f"{name}/table.csv"] = "a,b\n1,2\n"
    asked = told(walk(build("vein", brief(stop="never")), web))
    files = [number for number, line in enumerate(asked) if line.endswith(".csv")]
    assert len(files) == len(languages)
    assert files[-1] - files[2] < 5 * len(files)


#: The 151st chapter of `Handbook`.
ARCHIVE = "/chapter/eba"


class Handbook(ToySite):
    """Has 216 chapters, all in one list; some have a file, and name that with all others there."""

    def _build(self) -> Iterator[tuple[str, tuple[int, str, bytes]]]:
        words = map("".join, itertools.product("abcdef", repeat=3))
        chapters = [f"/chapter/{word}" for word in words]
        samples = chapters[2::20]
        yield "/", page(chapters, "ul.contents", [], "p.none")
        for chapter in chapters:
            name = chapter.rpartition("/")[2]
            files = [f"/files/{name}.csv"] if chapter in samples else []
            if chapter == ARCHIVE:
                files = [f"/files/{number}.csv" for number in range(40)]
            more = [ARCHIVE] if chapter in samples else []
            yield chapter, page(["/"], "p.top", [*files, *more], "p.text")
            for file in files:
                yield file, (200, "text/csv", CSV + file.encode())


def no_hint() -> SitePrior:
    return SitePrior(lambda: np.zeros((2, SIZE), dtype=np.float32))


def test_a_page_that_stands_beside_files_too_is_asked_for_before_others_of_its_list() -> None:
    def asked(prior: Callable[[], SitePrior] | None = no_hint, **options: str) -> int:
        told = crawl(vein(Handbook(), stop="never", prior=prior, options=options), Handbook())
        urls = [step.request.url.removeprefix(HOST) for step, _ in told]
        assert len(urls) == len(set(urls))
        return urls.index(ARCHIVE)

    assert asked() < 0.5 * asked(sightings="off")
    assert asked(prior=None) == asked(prior=None, sightings="off")  # two guesses are no better


def test_never_stops_when_told_so() -> None:
    site = ToySite(news=900)
    strategy = vein(site, stop="never")
    assert len(crawl(strategy, site)) > 1500
    assert not strategy.summary()["stopped"]


@pytest.mark.parametrize("part", ["hubs", "slash", "sitemaps", "noise", "hints", "text", "path"])
def test_finds_everything_with_any_part_switched_off(part: str) -> None:
    site = ToySite()
    told = crawl(vein(site, stop="never", options={part: "off"}), site)
    assert {step.request.url for step, _ in told} >= set(site.targets())


def test_says_why_in_plain_words() -> None:
    site = ToySite()
    told = crawl(vein(site, stop="never"), site)
    text = told[60][0].reason.text
    assert "known links it was worth most" in text
    assert "at such a place led to about" in text
    assert told[60][0].reason.outlook == "left: too early to tell"
    assert told[-30][0].reason.outlook.startswith("about ")


def slashed() -> dict[str, tuple[int, str, bytes]]:
    pages = {f"/s/{i}/": page([f"/files/s{i}.csv"], "div.x", ["/"], "p") for i in range(9)}
    moved = {f"/s/{i}": (301, f"/s/{i}/", b"") for i in range(9)}
    index = {"/": page([f"/s/{i}" for i in range(4)], "ul.a", ["/more"], "p")}
    more = {"/more": page([f"/s/{i}" for i in range(4, 9)], "ul.b", ["/"], "p")}
    files = {f"/files/s{i}.csv": (200, "text/csv", CSV) for i in range(9)}
    return {**pages, **moved, **index, **more, **files}


def test_asks_for_the_goal_of_a_redirect_once_it_knows_the_rule() -> None:
    sites = Enlarged(slashed), Enlarged(slashed)
    with_rule = crawl(vein(sites[0], stop="never"), sites[0])
    without = crawl(vein(sites[1], stop="never", options={"slash": "off"}), sites[1])
    found = {step.request.url for step, _ in with_rule}
    assert {f"{HOST}/files/s{i}.csv" for i in range(9)} <= found
    assert len(with_rule) < len(without)


NEWS = [f"news{n}" for n in range(30)]
#: A promising link leads to the last of many equal pages.
WAITING: Site = {
    "": ["data1", "data2", "list", *NEWS],
    "data1": "a,b",
    "data2": "a,b",
    "list": "->/news29",
    **{path: ["list"] for path in NEWS},
    "news29": ["data3", "data4", "list"],
    "data3": "a,b",
    "data4": "a,b",
}


def test_a_redirect_to_a_page_that_waits_is_followed_at_once() -> None:
    strategy = build("vein", brief(stop="never"))
    asked = told(walk(strategy, WAITING))
    assert asked[asked.index("GET /list") + 1] == "GET /news29"
    assert sorted(asked) == sorted([*(f"GET /{path}" for path in WAITING), "GET /sitemap.xml"])


def test_a_page_that_left_before_its_turn_no_longer_waits() -> None:
    strategy = build("vein", brief(stop="never"))
    while (step := strategy.propose()) and not step.request.url.endswith("/news29"):
        strategy.observe(step, answer(WAITING, step))
    assert step
    strategy.observe(step, answer(WAITING, step))
    waiting = in_one_piece(strategy.state()["frontier"])["urls"]
    assert "http://a.test/news28" in waiting
    assert "http://a.test/news29" not in waiting


def test_a_redirect_to_what_was_asked_or_left_out_is_not_followed() -> None:
    site: Site = {"": ["logo.png", "old", "odd"], "old": "->/logo.png", "odd": "->/"}
    asked = told(walk(build("vein", brief(stop="never")), site))
    assert sorted(asked) == ["GET /", "GET /odd", "GET /old", "GET /sitemap.xml"]


def test_an_address_by_the_slash_rule_that_waits_is_asked_for_by_the_links_value() -> None:
    site: Site = {
        "": [*(f"s/{n}" for n in range(8)), *NEWS, "s/7/"],
        **{f"s/{n}": f"->/s/{n}/" for n in range(8)},
        **{f"s/{n}/": [f"data{n}"] for n in range(8)},
        **{f"data{n}": "a,b" for n in range(8)},
        **{path: ["s/7/"] for path in NEWS},
    }
    steps = walk(build("vein", brief(stop="never")), site)
    asked = told(steps)
    arms = [steps[asked.index(f"GET /s/{n}/")].reason.arm for n in (6, 7)]
    assert arms[0] == arms[1]  # the place of the link without a slash
    assert len(asked) == len(set(asked))
    assert {f"GET /data{n}" for n in range(8)} <= set(asked)


def test_a_run_of_an_older_version_knows_what_waits() -> None:
    strategy = build("vein", brief(stop="never"))
    for _ in range(5):
        step = strategy.propose()
        assert step
        strategy.observe(step, answer(WAITING, step))
    state = strategy.state()
    assert len(state.pop("asked")) == 5
    state["frontier"] = in_one_piece(state["frontier"])
    state["territory"]["seen"] = np.sort(np.concatenate(state["territory"]["seen"]))
    twin = build("vein", brief(stop="never"))
    twin.restore(state)
    assert told(walk(twin, WAITING)) == told(walk(strategy, WAITING))


def test_a_checkpoint_of_what_has_changed_is_as_good_as_a_whole_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (frontier, shelves):
        monkeypatch.setattr(module, "SHELF", 8)
    monkeypatch.setattr(site_state, "BLOCK", 8)
    site, pieces, stored, written = ToySite(), Pieces(), dict[int, bytes](), []
    strategy = vein(site, stop="never")
    for turn in itertools.count():
        crawl(strategy, site, most=1 + turn % 5)
        with by_blocks():
            told = dump(Checkpoint(state=strategy.state()), pieces)
        written.append(len(pieces.new))
        stored |= dict(pieces.new)
        for gone in pieces.old:
            del stored[gone]
        pieces.keep()
        whole = dump(Checkpoint(state=strategy.state()))
        assert dump(load(told, stored.__getitem__)) == whole
        if not len(strategy.frontier):  # type: ignore[attr-defined]
            break
    assert turn > 20
    assert sum(written) < len(stored) * turn / 3


def test_credit_does_not_leak_along_a_chain() -> None:
    letters: dict[str, list[str] | str | int] = {f"letter{n}": [f"letter{n + 1}"] for n in range(9)}
    letters |= {"letter6": ["letter7", *(f"data{n}.csv" for n in range(9))], "letter9": []}
    site = {"": ["letter0"], **letters, **{f"data{n}.csv": "a,b" for n in range(9)}}
    strategy = build("vein", brief(stop="never"))
    walk(strategy, site)
    labels = {url: label for url, *_, label in strategy.state()["credit"]["pages"]}
    assert labels["http://a.test/letter6"] == pytest.approx(9, rel=0.2)
    assert [labels[f"http://a.test/letter{n}"] for n in (3, 4, 5)] == [0, 0, 0]


def test_credit_goes_up_from_a_list_to_what_led_there() -> None:
    shelves: dict[str, list[str] | str | int] = {
        f"list{n}": [f"list{10 * n + i}" for i in range(1, 4)] for n in (1, 11)
    }
    shelves |= {f"list{n}": [f"data{n}-{i}.csv" for i in range(9)] for n in (111, 112, 113)}
    files = {f"data{n}-{i}.csv": "a,b" for n in (111, 112, 113) for i in range(9)}
    strategy = build("vein", brief(stop="never"))
    walk(strategy, {"": ["list1"], **shelves, **files})
    labels = {url: label for url, *_, label in strategy.state()["credit"]["pages"]}
    assert labels["http://a.test/list11"] > 1


def test_frames_are_asked_for_at_once() -> None:
    frames = "<frameset><frame src=/menu><frame src=/text></frameset>"
    pages = {
        "": "".join(f"<a href=/{path}>x</a>" for path in ("old", "new", "about")),
        "old": frames,
        "menu": "<a href=/papers>x</a>",
    }
    asked, strategy = [], build("vein", brief(stop="never"))
    while step := strategy.propose():
        path = step.request.url.removeprefix("http://a.test/")
        asked.append((path, step.reason.text))
        body = pages.get(path, "").encode()
        html = (("Content-Type", "text/html"),)
        strategy.observe(step, Response(url=step.request.url, status=200, headers=html, body=body))
    paths = [path for path, _ in asked]
    at = paths.index("old")
    assert paths[at + 1 : at + 3] == ["menu", "text"]
    assert asked[at + 1][1] == "it is a frame of the page before it"
    assert len(paths) == len(set(paths)) == 8


def listed() -> dict[str, tuple[int, str, bytes]]:
    """A folder whose pages all redirect to themselves with a slash, but for some dead ones."""
    numbers = [i for i in range(60) if i % 15 != 6]
    pages = {f"/s/{i}/": page([f"/files/s{i}.csv"], "div.x", ["/"], "p") for i in numbers}
    moved = {f"/s/{i}": (301, f"/s/{i}/", b"") for i in numbers}
    files = {f"/files/s{i}.csv": (200, "text/csv", CSV) for i in numbers}
    return {
        **pages,
        **moved,
        **files,
        "/": page([f"/s/{i}" for i in range(30)], "ul.a", ["/more"], "p"),
        "/more": page([f"/s/{i}" for i in range(30, 60)], "ul.a", ["/"], "p"),
    }


def test_dead_links_in_a_folder_lose_no_page_that_redirects() -> None:
    site = Enlarged(listed)
    told = crawl(vein(site, stop="never"), site)
    assert {step.request.url for step, _ in told} >= {url for url in site.targets() if "/s" in url}
    assert sum(response.redirects for _, response in told) < 10


class WithVisits(ToySite):
    """Adds a new number to every link of every answer, and says what time it is."""

    def answer(self, request: Request) -> Response:
        response = super().answer(request)
        numbers = itertools.count(len(self.log) * 1000)
        body = re.sub(rb'href="([^"]*)"', lambda m: _visited(m[1], next(numbers)), response.body)
        body += b"<p>%d</p>" % self.clock_s if "html" in response.mime else b""
        return replace(response, body=body, size_bytes=len(body))


def _visited(path: bytes, number: int) -> bytes:
    return b'href="%b?visit=%d"' % (path, number)


def test_numbers_that_change_with_every_answer_do_not_make_a_site_endless() -> None:
    site = WithVisits()
    strategy = vein(site, stop="never")
    told = crawl(strategy, site, most=3000)
    found = {step.request.url.partition("?")[0] for step, _ in told}
    assert found >= set(site.targets())
    assert strategy.summary()["noise"] == ["visit"]
    assert len(told) < 1.7 * len(crawl(vein(other := ToySite(), stop="never"), other))


def test_saves_bytes_when_bytes_are_what_is_bounded() -> None:
    """A large page and a small one promise the same: the small one is taken first."""
    heavy = "<!-- " + "x" * 200_000 + " -->"

    def extra() -> dict[str, tuple[int, str, bytes]]:
        answers = {}
        for i in range(30):
            for kind in ("big", "small"):
                status, mime, body = page([f"/files/{kind}{i}.csv"], "div.x", ["/"], "p")
                body += heavy.encode() if kind == "big" else b""
                answers[f"/{kind}/{i}"] = status, mime, body
                answers[f"/files/{kind}{i}.csv"] = 200, "text/csv", CSV
        big, small = ([f"/{kind}/{i}" for i in range(30)] for kind in ("big", "small"))
        answers["/"] = page(big, "ul.big", small, "ul.small")
        return answers

    def half(cost: str) -> int:
        site = Enlarged(extra)
        told = crawl(vein(site, stop="never", cost=cost), site)
        spent = finds = 0
        for step, response in told:
            spent += response.wire_bytes
            finds += step.request.url.endswith(".csv")
            if finds == 25:
                break
        return spent

    assert half("bytes") < 0.5 * half("requests")


def test_the_summary_counts_the_links_left_by_place() -> None:
    site = ToySite(news=900)
    strategy = vein(site)
    crawl(strategy, site)
    summary = strategy.summary()
    left = sum(arm["left"] for arm in summary["arms"])
    assert 0 < left <= summary["left"]


def test_a_crawl_to_the_last_link_leaves_nothing_to_expect() -> None:
    site = ToySite()
    strategy = vein(site, stop="never")
    crawl(strategy, site)
    assert strategy.summary()["forecast"] == {"mean": 0.0, "spread": 0.0, "most": 0.0}


@pytest.mark.parametrize(("options", "most"), [({}, 1), ({"warmup": "off"}, 8)])
def test_asks_one_thing_at_a_time_while_it_knows_little(options: dict[str, str], most: int) -> None:
    site = ToySite()
    strategy = vein(site, options=options)
    crawl(strategy, site, most=3)
    flying = list(itertools.islice(iter(strategy.propose, None), 8))
    assert len(flying) == most


def test_more_requests_fly_as_more_is_known() -> None:
    site = ToySite(news=300)
    strategy = vein(site, stop="never")
    crawl(strategy, site, most=150)
    assert len(list(itertools.islice(iter(strategy.propose, None), 8))) >= 6


def test_a_state_of_another_version_is_refused_in_one_sentence() -> None:
    site = ToySite(news=3)
    strategy = vein(site)
    crawl(strategy, site)
    old = {**strategy.state(), "version": 1}
    with pytest.raises(MachineError, match="made by another version of Filon"):
        vein(site).restore(old)
