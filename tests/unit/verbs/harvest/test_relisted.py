"""A portal that was harvested, asked for what has changed: no socket, answers in any order."""

import json
import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from fake_run import FakeRun
from filon.core import Request, Response, Step
from filon.core.portal import Dataset, File, Listing
from filon.page.types import Types
from filon.verbs.harvest.relisted import Before, Relisted, before
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import SiteState
from unit.guards.inner import Listed, run

ROOT = "http://a.org"
SINCE_S = datetime(2026, 6, 15, tzinfo=UTC).timestamp()
OLD = frozenset(f"{ROOT}/{name}.csv" for name in "abc") | {"http://b.org/far.csv"}


@dataclass
class Toy:
    """A portal whose lists are numbered; it tells since when it was asked."""

    lists: dict[str, Listing]
    whole: bool = False
    all: Listing = field(default_factory=Listing)
    name: str = "toy"

    def confirm(self, root: str) -> Request:
        raise AssertionError("it is known")

    def confirmed(self, response: Response) -> str:
        raise AssertionError("it is known")

    def begin(self, base: str) -> Request:
        return Request(url=f"{base}/api/all")

    def read(self, response: Response) -> Listing:
        return self.all

    def since(self, base: str, moment: datetime) -> Request:
        return Request(url=f"{base}/api/since/{moment:%Y-%m-%dT%H:%M}")

    def changes(self, response: Response, moment: datetime) -> Listing:
        return self.lists[response.url.rpartition("/")[2]]


class Ear(Listed):
    """Hears what has changed."""

    heard: tuple[set[str], set[str]] | None = None

    def hear_changes(self, changed: Collection[str], same: Collection[str]) -> None:
        assert self.heard is None
        self.heard = {*changed}, {*same}


def entry(name: str) -> Dataset:
    return Dataset(id=name, url=f"{ROOT}/about/{name}", files=(csv(name),))


def csv(name: str) -> File:
    return File(url=f"{ROOT}/{name}.csv", mime="text/csv")


def relisted(toy: Toy, dates: Mapping[str, str] | None = None) -> tuple[Relisted, Ear]:
    site = SiteState(Brief(start=f"{ROOT}/", types=Types.parse("data")))
    for url in OLD:
        site.claim(url)
    inner = Ear([f"{ROOT}/page"])
    known = Before(name="toy", base=ROOT, since_s=SINCE_S, listed=OLD, dates=dates or {})
    return Relisted(inner, site, {"toy": toy}, known), inner


def answers(*names: str) -> dict[str, Response]:
    headers = (("Content-Type", "text/csv"),)
    urls = [f"{ROOT}/{name}.csv" for name in names]
    return {url: Response(url=url, status=200, headers=headers, body=b"a,b\n") for url in urls}


def urls(steps: list[Step]) -> list[str]:
    return [step.request.url.removeprefix(ROOT) for step in steps]


FIRST = "2026-06-14T23:00"  # an hour before


def test_the_lists_come_first_then_what_is_new_and_then_the_rest() -> None:
    more = Request(url=f"{ROOT}/api/more")
    toy = Toy(
        {
            FIRST: Listing(datasets=(entry("a"),), more=more),
            "more": Listing(datasets=(entry("new"),)),
        }
    )
    strategy, inner = relisted(toy)
    steps = run(strategy, answers("new"))
    assert urls(steps) == [f"/api/since/{FIRST}", "/api/more", "/new.csv", "/page"]
    assert inner.heard == (
        {f"{ROOT}/{name}" for name in ("about/a", "a.csv", "about/new", "new.csv")},
        {f"{ROOT}/b.csv", f"{ROOT}/c.csv"},  # what lies elsewhere it cannot vouch for
    )
    assert strategy.summary()["portal"]["calls"] == 2


def test_the_strategy_within_waits_for_the_last_list() -> None:
    strategy, inner = relisted(Toy({FIRST: Listing()}))
    step = strategy.propose()
    assert step
    assert strategy.propose() is None
    assert inner.heard is None
    strategy.observe(step, Response(url=step.request.url, status=200))
    assert inner.heard
    rest = strategy.propose()
    assert rest
    assert rest.request.url == f"{ROOT}/page"


def test_a_dataset_with_the_date_that_it_had_is_the_same() -> None:
    one, other = (
        Dataset(id=name, files=(csv(name),), url=f"{ROOT}/about/{name}", modified="2026-06-14")
        for name in "ab"
    )
    toy = Toy({FIRST: Listing(datasets=(one, other))})
    dates = {f"{ROOT}/a.csv": "2026-06-14", f"{ROOT}/b.csv": "2026-06-13"}
    strategy, inner = relisted(toy, dates=dates)
    run(strategy, {})
    assert inner.heard
    assert inner.heard[0] == {f"{ROOT}/b.csv", f"{ROOT}/about/b"}
    assert f"{ROOT}/a.csv" in inner.heard[1]


def test_what_a_portal_deleted_is_to_be_looked_at() -> None:
    strategy, inner = relisted(Toy({FIRST: Listing(gone=(f"{ROOT}/about/b",))}))
    run(strategy, {})
    assert inner.heard
    assert inner.heard[0] == {f"{ROOT}/about/b"}


def test_what_is_missing_in_a_list_of_all_is_to_be_looked_at() -> None:
    listing = Listing(datasets=(entry("a"),), same=("b",))
    strategy, inner = relisted(
        Toy({FIRST: listing}, True, Listing(datasets=(entry("a"), entry("b"))))
    )
    run(strategy, {})
    assert inner.heard
    changed, same = inner.heard
    assert f"{ROOT}/c.csv" in changed
    assert same == {f"{ROOT}/b.csv"}


def test_where_a_list_fails_nothing_is_vouched_for() -> None:
    failed = Listing(problem="down", detail="The portal answers 500.")
    strategy, inner = relisted(Toy({FIRST: failed}))
    run(strategy, {})
    assert inner.heard == (set(), set())
    assert strategy.summary()["portal"]["problem"] == "The portal answers 500."


def test_a_portal_that_refuses_the_filter_is_asked_for_all() -> None:
    refused = Listing(problem="query", detail="The portal answers 400.")
    strategy, inner = relisted(Toy({FIRST: refused, "all": Listing(datasets=(entry("a"),))}))
    assert urls(run(strategy, {})) == [f"/api/since/{FIRST}", "/api/all", "/page"]
    assert inner.heard
    assert inner.heard[1] == {f"{ROOT}/b.csv", f"{ROOT}/c.csv"}
    assert strategy.summary()["portal"]["problem"] == ""


def test_software_that_is_no_longer_known_is_left_alone() -> None:
    site = SiteState(Brief(start=f"{ROOT}/", types=Types.parse("data")))
    known = Before(name="other", base=ROOT, since_s=SINCE_S)
    assert urls(run(Relisted(Ear([f"{ROOT}/page"]), site, {}, known), {})) == ["/page"]


def test_a_state_can_be_taken_and_restored_at_any_time() -> None:
    more = Request(url=f"{ROOT}/api/more")
    lists = {
        FIRST: Listing(datasets=(entry("a"), entry("x")), more=more),
        "more": Listing(gone=("z",)),
    }
    chance, checked = random.Random(3), 0
    whole, _ = relisted(Toy(lists))
    says, flying = answers("x"), list[Step]()
    while checked < 50:
        copy, _ = relisted(Toy(lists))
        copy.restore(whole.state())
        step = whole.propose() if len(flying) < 2 else None
        assert len(flying) == 2 or copy.propose() == step
        if step:
            flying.append(step)
        elif flying:
            step = flying.pop(chance.randrange(len(flying)))
            answer = says.get(step.request.url, Response(url=step.request.url, status=200))
            assert copy.observe(step, answer) == whole.observe(step, answer)
        else:
            break
        assert copy.state() == whole.state()
        checked += 1
    assert checked >= 8


def walked(path: Path, calls: int, *, problem: str = "", base: str = ROOT) -> Path:
    """A run folder with two calls for lists, of which `calls` were to be, and a file for each."""
    with FakeRun(path) as fake:
        for number in range(2):
            fake.step(f"{ROOT}/api/{number}", kind="portal", arm="toy", why="it lists files of a")
            fake.find(f"{ROOT}/{path.name}{number}.csv", arm="toy")
        fake.ledger.execute("UPDATE finds SET modified = '2026-06-01'")
        portal = {"software": "toy", "base": base, "calls": calls, "problem": problem}
        fake.meta(summary=json.dumps({"portal": portal} if base else {}))
    return path


def test_the_last_walk_that_came_to_its_end_counts(tmp_path: Path) -> None:
    first, second, third = (
        walked(tmp_path / name, n) for name, n in (("a", 2), ("b", 2), ("c", 3))
    )
    one, two, three = before([first]), before([first, second]), before([first, second, third])
    assert one
    assert two
    assert three
    assert (one.name, one.base) == ("toy", ROOT)
    assert len(one.listed) == 2
    assert set(one.dates) == one.listed
    assert {*three.dates.values()} == {"2026-06-01"}
    assert two.listed > one.listed
    assert three.since_s == two.since_s
    assert three.listed > two.listed


def test_what_is_no_portal_or_was_not_read_to_the_end_is_not_asked(tmp_path: Path) -> None:
    assert before([walked(tmp_path / "none", 2, base="")]) is None
    assert before([walked(tmp_path / "cut", 9)]) is None
    assert before([walked(tmp_path / "wrong", 2, problem="it failed")]) is None
