"""A portal's own lists round a harvest strategy: no socket, answers in any order."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from filon.core import Find, Request, Response, Step, Strategy
from filon.core.portal import Dataset, File, Listing
from filon.page.types import Types
from filon.page.url import Globs
from filon.run.checkpoint import Checkpoint, dump, load
from filon.verbs.harvest.portal import MAX_SAID, MOST_CALLS, Enumerated
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import SiteState
from unit.guards.inner import run

ROOT = "http://a.org"
HOME = f"{ROOT}/"


@dataclass
class Toy:
    """A portal whose API is at /api, with a page of datasets for each list."""

    lists: list[Listing] = field(default_factory=list)
    name: str = "toy"

    def confirm(self, root: str) -> Request:
        return Request(url=f"{root}/api")

    def confirmed(self, response: Response) -> str:
        return ROOT if response.body == b"yes" else ""

    def begin(self, base: str) -> Request:
        return Request(url=f"{base}/api/list/0")

    def read(self, response: Response) -> Listing:
        number = response.url.rpartition("/")[2]
        return self.lists[int(number)] if response.ok else Listing(detail="it is gone")


def html(url: str, *hrefs: str) -> Response:
    body = "".join(f'<a href="{href}">x</a>' for href in hrefs).encode()
    headers = (("Content-Type", "text/html"),)
    return Response(url=url, status=200, headers=headers, body=b"<html>" + body, size_bytes=99)


def csv(url: str) -> Response:
    headers = (("Content-Type", "text/csv"),)
    return Response(url=url, status=200, headers=headers, body=b"a,b\n1,2\n", size_bytes=8)


def said(url: str, body: bytes) -> Response:
    return Response(url=url, status=200, body=body, size_bytes=len(body))


def page(number: int) -> Request:
    return Request(url=f"{ROOT}/api/list/{number}")


def file(url: str, mime: str = "text/csv", again: bool = False) -> File:
    return File(url=url, mime=mime, again=again)


def dataset(files: Sequence[File]) -> Dataset:
    return Dataset(id="1", url=f"{ROOT}/about", files=tuple(files))


def entry(*names: str) -> Dataset:
    return dataset([file(f"{ROOT}/{name}.csv") for name in names])


def listing(one: Dataset, more: Request | None = None, also: Sequence[Request] = ()) -> Listing:
    return Listing(datasets=(one,), more=more, also=tuple(also))


def harvest(
    toy: Toy,
    places: Sequence[tuple[str, str]] = (("toy", ROOT),),
    types: str = "data",
    **bounds: Any,
) -> Enumerated:
    inner = build("bfs", Brief(start=HOME, types=Types.parse(types), **bounds))
    site = getattr(inner, "site", None)
    assert isinstance(site, SiteState)
    return Enumerated(inner, site, {"toy": toy}, lambda response: places)


def web(*files: str) -> dict[str, Response]:
    answers = [html(HOME, "/b.csv", "/c"), html(f"{ROOT}/c", "/d.csv"), said(f"{ROOT}/api", b"yes")]
    answers += [csv(f"{ROOT}/{name}.csv") for name in (*files, "b", "d")]
    answers += [said(page(number).url, b"[]") for number in range(9)]
    return {answer.url: answer for answer in answers}


def urls(steps: list[Step]) -> list[str]:
    return [step.request.url.removeprefix(ROOT) for step in steps]


def test_the_lists_come_before_links_and_each_page_of_them_before_the_next() -> None:
    toy = Toy([listing(entry("1", "2"), more=page(1)), listing(entry("3"))])
    steps = run(harvest(toy), web("1", "2", "3"))
    assert urls(steps) == [
        *("/", "/api", "/api/list/0", "/1.csv", "/2.csv", "/api/list/1", "/3.csv"),
        *("/b.csv", "/c", "/d.csv"),
    ]
    kinds = [step.reason.kind for step in steps[1:7]]
    assert kinds == ["portal", "portal", "target", "target", "portal", "target"]
    assert all(step.reason.text and step.parent for step in steps[1:7])


def test_nothing_is_asked_for_twice_whoever_found_it_first() -> None:
    toy = Toy([listing(entry("b", "1", "1", "d"), also=[page(0), page(1)]), listing(entry("1"))])
    found = urls(run(harvest(toy), web("1")))
    assert len(found) == len(set(found))
    assert {"/1.csv", "/b.csv", "/d.csv"} <= set(found)


def test_files_off_the_site_and_of_other_types_are_left() -> None:
    files = [file("http://b.org/1.csv"), file(f"{ROOT}/2.pdf", "application/pdf")]
    strategy = harvest(Toy([listing(dataset([*files, file(f"{ROOT}/3", "")]))]))
    steps = run(strategy, web())
    assert not {"http://b.org/1.csv", "/2.pdf", "/3"} & set(urls(steps))
    assert strategy.summary()["skipped"]["off the site"] == 1


def test_files_off_the_site_are_counted_by_host_or_taken() -> None:
    away = "http://cdn.test/export"
    toy = Toy([listing(dataset([file(f"{ROOT}/1.csv"), file(away)]))])
    strategy = harvest(toy)
    assert away not in urls(run(strategy, web("1")))
    assert strategy.summary()["elsewhere"] == {"cdn.test": 1}
    toy = Toy([listing(dataset([file(f"{ROOT}/1.csv"), file(away)]))])
    assert away in urls(run(harvest(toy, linked_hosts=True), web("1") | {away: csv(away)}))


def test_the_globs_hold_for_lists_and_for_the_files_on_them() -> None:
    toy = Toy([listing(entry("1", "2"))])
    asked = urls(run(harvest(toy, exclude=Globs(["/1.csv"])), web("1", "2")))
    assert "/2.csv" in asked
    assert "/1.csv" not in asked
    toy = Toy([listing(entry("1", "2"))])
    strategy = harvest(toy, exclude=Globs(["/api*"]))
    assert urls(run(strategy, web("1", "2"))) == ["/", "/b.csv", "/c", "/d.csv"]
    assert strategy.summary()["portal"]["problem"] == "--exclude keeps its API out"


def test_of_one_table_in_several_formats_the_first_wanted_is_taken() -> None:
    xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    shapes = [("csv", "text/csv", False), ("xlsx", xlsx, True), ("json", "application/json", True)]
    files = [file(f"{ROOT}/{n}.{e}", mime, again) for n in "12" for e, mime, again in shapes]
    for types, ending in (("data", "csv"), ("xlsx,json", "xlsx"), ("json", "json")):
        steps = run(harvest(Toy([listing(dataset(files))]), types=types), web())
        listed = [url for url in urls(steps) if url.startswith(("/1.", "/2."))]
        assert listed == [f"/1.{ending}", f"/2.{ending}"]


def test_two_places_are_tried_and_no_more() -> None:
    places = [("toy", f"{ROOT}/{n}") for n in range(5)]
    strategy = harvest(Toy(), places)
    steps = run(strategy, web())
    assert [url for url in urls(steps) if url.endswith("/api")] == ["/0/api", "/1/api"]
    assert strategy.summary()["portal"]["problem"]


def test_what_robots_txt_forbids_is_not_counted_as_a_try() -> None:
    places = [("toy", f"{ROOT}/{n}") for n in range(3)]
    denied = {
        f"{ROOT}/{n}/api": Response(url=f"{ROOT}/{n}/api", error="robots", detail="forbidden")
        for n in range(2)
    }
    steps = run(harvest(Toy(), places), web() | denied)
    assert "/2/api" in urls(steps)


def test_a_call_that_has_moved_is_followed() -> None:
    moved = (("Location", "/new/api"),)
    answers = web("1") | {
        f"{ROOT}/api": Response(url=f"{ROOT}/api", status=301, headers=moved),
        f"{ROOT}/new/api": said(f"{ROOT}/new/api", b"yes"),
    }
    assert "/1.csv" in urls(run(harvest(Toy([listing(entry("1"))])), answers))


def test_a_listed_file_that_has_moved_is_followed_and_found() -> None:
    moved = (("Location", "/real/1.csv"),)
    answers = web() | {f"{ROOT}/1.csv": Response(url=f"{ROOT}/1.csv", status=302, headers=moved)}
    answers |= {f"{ROOT}/real/1.csv": csv(f"{ROOT}/real/1.csv")}
    assert "/real/1.csv" in urls(run(harvest(Toy([listing(entry("1"))])), answers))


def test_lists_without_end_are_bounded() -> None:
    class Endless(Toy):
        def read(self, response: Response) -> Listing:
            return Listing(more=page(int(response.url.rpartition("/")[2]) + 1))

    steps = run(harvest(Endless()), web(), most=2 * MOST_CALLS)
    assert sum("/list/" in url for url in urls(steps)) == MOST_CALLS


def test_a_page_that_gives_nothing_away_changes_nothing() -> None:
    plain = run(build("bfs", Brief(start=HOME, types=Types.parse("data"))), web())
    strategy = harvest(Toy(), ())
    assert run(strategy, web()) == plain
    assert "portal" not in strategy.summary()


def test_a_state_can_be_taken_and_restored_at_any_time() -> None:
    toy = Toy(
        [listing(entry("1", "2"), more=page(1), also=[page(2)]), listing(entry("3")), Listing()]
    )
    answers, chance = web("1", "2", "3"), random.Random(3)
    whole: Strategy = harvest(toy)
    flying: list[Step] = []
    checked = 0
    while checked < 200:
        copy = harvest(toy)
        copy.restore(whole.state())
        if len(flying) < 3 and (step := whole.propose()):
            assert copy.propose() == step
            flying.append(step)
        elif flying:
            step = flying.pop(chance.randrange(len(flying)))
            assert copy.observe(step, answers[step.request.url]) == whole.observe(
                step, answers[step.request.url]
            )
        else:
            break
        assert plain(copy.state()) == plain(whole.state())
        checked += 1
    assert checked > 15


def plain(thing: object) -> object:
    """A state that can be compared."""
    if isinstance(thing, np.ndarray):
        return thing.tolist()
    if isinstance(thing, dict):
        return {key: plain(value) for key, value in thing.items()}
    return [plain(each) for each in thing] if isinstance(thing, list) else thing


def test_the_finds_are_those_of_the_files() -> None:
    strategy = harvest(Toy([listing(entry("1"))]))
    found: list[str] = []
    answers = web("1")
    look: Callable[[], Step | None] = strategy.propose
    while step := look():
        found += [find.url for find in strategy.observe(step, answers[step.request.url])]
    assert found == [f"{ROOT}/{name}.csv" for name in ("1", "b", "d")]


def told(url: str) -> Dataset:
    one = File(url=url, name="Births\x00 by year", mime="text/csv")
    return Dataset(
        id="1", title="B" * 900, url=f"{ROOT}/about", files=(one,), licence="ODbL", modified="2020"
    )


def test_a_listed_file_is_told_as_the_portal_tells_it_also_where_it_has_moved() -> None:
    toy = Toy([listing(told(f"{ROOT}/e.csv"), page(1)), listing(told(f"{ROOT}/f.csv"))])
    answers = web("e")
    there = (("Location", "/new/f.csv"),)
    answers[f"{ROOT}/f.csv"] = Response(url=f"{ROOT}/f.csv", status=302, headers=there)
    answers[f"{ROOT}/new/f.csv"] = csv(f"{ROOT}/new/f.csv")
    strategy = harvest(toy)
    finds: dict[str, Find] = {}
    while step := strategy.propose():
        response = answers.get(step.request.url, Response(url=step.request.url, status=404))
        strategy.restore(load(dump(Checkpoint(state=strategy.state()))).state)
        finds |= {find.url: find for find in strategy.observe(step, response)}
    for url in (f"{ROOT}/e.csv", f"{ROOT}/new/f.csv"):
        find = finds[url]
        assert (find.link_text, find.licence, find.modified) == ("Births by year", "ODbL", "2020")
        assert len(find.page_title) == MAX_SAID
    assert finds[f"{ROOT}/d.csv"].licence == ""
    assert not strategy.state()["said"]


def test_a_state_from_before_portals_said_more_than_addresses_is_taken_up() -> None:
    strategy = harvest(Toy([listing(entry("e"))]))
    state = strategy.state()
    del state["said"]
    strategy.restore(state)
    assert strategy.state()["said"] == {}
