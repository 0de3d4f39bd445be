"""The parts of `vein`, each by what it promises."""

import numpy as np
import pytest

from filon.learn.ridge import FEW_ROWS, GrowingDesign, Ridge, Rows, Vector, design, sums
from filon.page.links import Link
from filon.page.types import Types
from filon.verbs.harvest.strategies.vein.features import (
    AT_HUNCH,
    AT_OTHERS,
    AT_TWIN,
    GROUPS,
    HUNCHES,
    TWIN,
    WIDTH,
    Features,
    Tracks,
    Twins,
    number,
    values,
)
from filon.verbs.harvest.strategies.vein.value import (
    DISCOUNT,
    DOUBT,
    DRY,
    FILE,
    FOLDER,
    HALVED_AFTER,
    HINTED,
    HOPE,
    KNOWN_PAGE,
    PAGE,
    TYPED,
    UNKNOWN,
    WINDOW,
    Credit,
    Outcomes,
    Prior,
)

PAGE_URL = "http://a.org/topic/3/list"
LINKS = [
    Link("http://a.org/topic/3/data.csv", "/html/body/ul.files/li/a", "Data 2019", "a", "now .new"),
    Link("http://a.org/news/17", "/html/body/nav/a", "Read more", "a"),
]


# Ridge.


def test_ridge_finds_the_solution_of_the_normal_equations() -> None:
    rng = np.random.RandomState(0)
    rows = np.sort(rng.randint(1, 30, size=(60, 5)), axis=1).astype(np.uint16)
    labels = rng.rand(60)
    dense = np.zeros((60, 30))
    for row, features in zip(dense, rows, strict=True):
        np.add.at(row, features, 1)
    exact = np.linalg.solve(dense.T @ dense + 2.0 * np.eye(30), dense.T @ labels)
    model = Ridge(30, penalty=2.0)
    model.fit(design(rows, np.ones(30, dtype=np.float32)), labels, np.zeros(60), rounds=100)
    assert model.weights == pytest.approx(exact, abs=1e-3)


def test_ridge_goes_on_from_a_dual_solution() -> None:
    rows = np.array([[1, 2], [2, 3], [4, 0]], dtype=np.uint16)
    labels = np.array([1.0, 0.0, 2.0])
    whole, parts = Ridge(8, 1.0), Ridge(8, 1.0)
    known = design(rows, np.ones(8, dtype=np.float32))
    whole.fit(known, labels, np.zeros(3), rounds=30)
    dual = np.zeros(3)
    for _ in range(40):
        dual = parts.fit(known, labels, dual, rounds=1)
    assert parts.weights == pytest.approx(whole.weights, abs=1e-3)


@pytest.mark.parametrize("count", [90, FEW_ROWS, FEW_ROWS + 1, 2 * FEW_ROWS])
def test_rows_that_come_bit_by_bit_teach_what_all_at_once_teach(count: int) -> None:
    rng = np.random.RandomState(1)
    rows = rng.randint(0, 300, size=(count, 12)).astype(np.uint16)
    labels, weighs = rng.rand(count), rng.rand(300).astype(np.float32)
    known, at_once = GrowingDesign(weighs), GrowingDesign(weighs)
    for start, end in ((0, 1), (1, 1), (1, 40), (40, 90), (90, count)):
        known.add(rows[start:end])
    at_once.add(rows)
    every, some = np.arange(count), np.flatnonzero(rng.rand(count) < 0.5)
    for of in (every, some):
        exact, whole, parts = Ridge(300, 2.0), Ridge(300, 2.0), Ridge(300, 2.0)
        zeros = np.zeros(len(of))
        sparse = exact.fit(design(rows[of], weighs), labels[of], zeros, rounds=30)
        dual = whole.fit(at_once.design().only(of), labels[of], zeros, rounds=30)
        assert dual == pytest.approx(sparse, abs=1e-3)
        assert whole.weights == pytest.approx(exact.weights, abs=1e-3)
        # A resume adds all at once what came bit by bit: it must go the same way to the last bit.
        assert (parts.fit(known.design().only(of), labels[of], zeros, rounds=30) == dual).all()
        assert (parts.weights == whole.weights).all()
    assert parts.weights.any()


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("count", [3, 16, 17, 400])
def test_few_rows_and_many_are_summed_up_to_the_same_bit(count: int, columns: int) -> None:
    rng = np.random.RandomState(count)
    rows = rng.randint(0, 500, size=(count, 80)).astype(np.uint16)
    table = rng.rand(500, columns).astype(np.float32)
    table[0] = 0.0
    one_by_one = np.concatenate([sums(rows[i : i + 1], table) for i in range(count)])
    assert (sums(rows, table) == one_by_one).all()
    whole = table.astype(np.float64)[rows].sum(axis=1)
    assert sums(rows, table) == pytest.approx(whole, rel=1e-5)


def _asked(outcomes: Outcomes, rows: Rows) -> None:
    for count, one in enumerate(rows):
        outcomes.send(one)
        if count % 3:
            outcomes.add(one, 0.1, count % 2 == 0, 0.5 * count, 1000)


@pytest.mark.parametrize("count", [3, 40])
def test_outcomes_go_on_from_their_state_as_if_nothing_had_been(count: int) -> None:
    rng = np.random.RandomState(count)
    rows = rng.randint(0, 2000, size=(count + 30, WIDTH)).astype(np.uint16)
    whole, again = Outcomes(), Outcomes()
    _asked(whole, rows[:count])
    whole.refit(drought=7)
    _asked(whole, rows[count : count + 5])  # since then
    again.restore(whole.state())
    for _ in range(2):
        told, same = (one.predict(rows, np.full(len(rows), 0.1)) for one in (whole, again))
        assert all((one == other).all() for one, other in zip(told, same, strict=True))
        for one in (whole, again):
            _asked(one, rows[count + 5 :])
            one.refit(drought=3)


def test_outcomes_go_on_from_a_state_of_old() -> None:
    rows = np.random.RandomState(2).randint(1, 2000, size=(40, WIDTH)).astype(np.uint16)
    known, again = Outcomes(), Outcomes()
    _asked(known, rows)
    known.refit(drought=20)
    # Version 3 had one number a feature in place of what was sent of late.
    state = known.state()
    (at, tried), start = state["tried"], np.zeros(len(values()))
    start[AT_HUNCH : AT_HUNCH + HUNCHES] = state["start"]
    start[AT_TWIN] = KNOWN_PAGE / TWIN * 50 / (50 + known.count + 20)
    doubt = np.full(len(start), DOUBT)
    doubt[at] = DOUBT / (1 + tried / HALVED_AFTER)
    behind = np.zeros(len(start))
    behind[state["models"][1]["at"]] = state["models"][1]["weights"]
    del state["latest"]
    again.restore(state | {"version": 3, "hope": start + behind + (1 + 20 / DRY) * doubt})
    told, same = (one.predict(rows, np.full(40, 0.1)) for one in (known, again))
    assert same.hoped == pytest.approx(told.hoped, rel=1e-4)
    assert (same.chances == told.chances).all()


# Features and priors.


def test_a_row_has_distinct_features_and_room_to_spare() -> None:
    rows = Features().rows(LINKS, PAGE_URL, 1)
    assert rows.shape == (2, WIDTH)
    assert 0 in rows[0]
    assert set(rows[0].tolist()) != set(rows[1].tolist())


@pytest.mark.parametrize("group", GROUPS)
def test_each_group_of_features_can_be_switched_off(group: str) -> None:
    whole = Features().rows(LINKS, PAGE_URL, 1)[0]
    less = Features(frozenset({group})).rows(LINKS, PAGE_URL, 1)[0]
    assert set(less.tolist()) < set(whole.tolist())


def test_numbers_in_urls_are_alike() -> None:
    """Two pages of one series share far more features than two pages of different kinds."""
    path, page = "/html/body/a", "http://a.org/"
    years = [Link(f"http://a.org/year/{n}/", path, str(n), "a") for n in (2011, 2019)]
    other = Link("http://a.org/people/smith", "/html/body/nav/a", "Smith", "a")
    first, second, third = (set(row.tolist()) for row in Features().rows([*years, other], page, 0))
    assert len(first & second) > 2 * len(first & third)


@pytest.mark.parametrize(
    ("url", "text", "chance"),
    [
        ("http://a.org/x.csv", "", FILE),
        ("http://a.org/x.CSV?v=1", "", FILE),
        ("http://a.org/x.html", "", PAGE),
        ("http://a.org/x.pdf", "", PAGE),
        ("http://a.org/download/77", "", HINTED),
        ("http://a.org/node/77", "Table 3 (XLSX, 20 kB)", HINTED),
        ("http://a.org/node/77", "More", UNKNOWN),
        ("http://a.org/topic/", "More", FOLDER),
        ("http://a.org/v1.2", "More", UNKNOWN),
        ("http://a.org/sitemap.xml", "", UNKNOWN),
    ],
)
def test_the_prior_goes_by_the_look_of_a_link(url: str, text: str, chance: float) -> None:
    assert Prior(Types.parse("data")).chance(Link(url, "/html/body/a", text, "a")) == chance


def test_hints_can_be_switched_off() -> None:
    link = Link("http://a.org/download/77", "/html/body/a", "CSV", "a")
    assert Prior(Types.parse("data"), hints=False).chance(link) == UNKNOWN


# Outcomes.


def row(*features: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint16]]:
    filled = np.zeros(WIDTH, dtype=np.uint16)
    filled[: len(features)] = [AT_OTHERS + feature for feature in features]
    return filled


def behind(outcomes: Outcomes, rows: Rows) -> Vector:
    return outcomes.predict(rows, np.zeros(len(rows))).hoped


def test_links_like_those_that_were_targets_become_likelier() -> None:
    outcomes = Outcomes()
    for _ in range(12):
        outcomes.add(row(1, 2, 3), 0.1, True, 0.0, 10)
        outcomes.add(row(1, 4, 5), 0.1, False, 0.0, 10)
    outcomes.refit()
    chances = outcomes.predict(np.stack([row(1, 2, 3), row(1, 4, 5)]), np.array([0.1, 0.1])).chances
    assert chances[0] > 0.5 > 0.15 > chances[1]


def test_one_dead_file_does_not_condemn_its_kind() -> None:
    outcomes = Outcomes()
    outcomes.add(row(1, 2, 3), 0.9, False, 0.0, 10)
    outcomes.refit()
    assert outcomes.predict(row(1, 2, 3)[None], np.array([0.9])).chances[0] > 0.7


def test_kinds_of_pages_tried_in_vain_fall_behind_untried_ones() -> None:
    outcomes = Outcomes(doubt=False)
    for _ in range(10):
        outcomes.add(row(1, 2, 3), 0.0, False, 0.0, 10)
    outcomes.refit()
    tried, untried = behind(outcomes, np.stack([row(1, 2, 3), row(7, 8, 9)]))
    assert tried < untried == pytest.approx(np.expm1(HOPE))


def test_among_equals_a_kind_that_was_asked_for_comes_after_one_that_was_not() -> None:
    outcomes = Outcomes()
    outcomes.send(row(1, 2, 3))
    outcomes.refit()
    flying, new = behind(outcomes, np.stack([row(1, 2, 3), row(7, 8, 9)]))
    assert flying < new == pytest.approx(np.expm1(HOPE + 3 * DOUBT))


def test_in_a_drought_doubt_grows() -> None:
    outcomes = Outcomes()
    for _ in range(30):
        outcomes.send(row(1, 2, 3))
        outcomes.add(row(1, 2, 3), 0.0, False, 0.0, 10)
    both = np.stack([row(1, 2, 3), row(1, 2, 9)])
    gaps = []
    for drought in (0, 100):
        outcomes.refit(drought=drought)
        known, new = behind(outcomes, both)
        gaps.append(new - known)
    assert gaps[1] > gaps[0] + 10 * DOUBT > 10 * DOUBT


def test_a_number_in_a_url_weighs_more_than_a_word_and_a_word_around_it_less() -> None:
    weights = values()
    assert weights[number("about", "201", "4")] > weights[number("word", "data")] == 1
    assert weights[number("near", "data")] < 1


# Twins.


def test_the_twins_of_a_page_are_known_when_it_was_read() -> None:
    twins = Twins()
    twins.wait("http://a.org/list/?nav=top", 4)
    twins.wait("http://a.org/other/", 5)
    assert not twins.features("http://a.org/list/")
    ((slot, url, features),) = twins.read("http://a.org/list/")
    assert (slot, url) == (4, "http://a.org/list/?nav=top")
    assert features == twins.features("http://a.org/list?nav=foot") != []
    assert features[0] == twins.features("http://a.org/List/index.html?page=2")[0]
    assert features[1] != twins.features("http://a.org/list/?page=2")[1]
    assert not twins.features("http://a.org/lists/")


def test_what_a_twin_is_worth_is_learnt_by_its_parameters() -> None:
    outcomes, twins = Outcomes(doubt=False), Twins()
    twins.read("http://a.org/list/")
    nav, page = (twins.features(f"http://a.org/list/?{name}=2") for name in ("nav", "page"))
    rows = np.stack([row(1, 2, 3) for _ in range(3)])
    rows[1, -3:-1], rows[2, -3:-1] = nav, page
    single, first, second = behind(outcomes, rows)
    assert first == second < single
    for _ in range(10):
        for features, brought in zip(rows, (2.0, 0.0, 2.0), strict=True):
            outcomes.add(features, 0.0, False, brought, 10)
    outcomes.refit()
    single, first, second = behind(outcomes, rows)
    assert first < 1 < second == pytest.approx(single, rel=0.2)


# Hints.


@pytest.mark.parametrize(
    ("url", "hint", "chance"),
    [
        ("http://a.org/export.php", "text/csv", TYPED),
        ("http://a.org/77", "text/csv", TYPED),
        ("http://a.org/77", "text/html", PAGE),
        ("http://a.org/77", "download", HINTED),
        ("http://a.org/77.ipynb", "download", UNKNOWN),
        ("http://a.org/a.csv", "text/html", FILE),
    ],
)
def test_what_the_page_says_of_a_link_is_a_hint(url: str, hint: str, chance: float) -> None:
    link = Link(url, "/html/body/a", "Get it", "a", hint=hint)
    assert Prior(Types.parse("data")).chance(link) == chance
    if chance in (TYPED, HINTED):
        assert Prior(Types.parse("data"), hints=False).chance(link) in (PAGE, UNKNOWN)


def test_a_label_can_be_corrected_while_it_is_remembered() -> None:
    outcomes = Outcomes()
    number = outcomes.add(row(1, 2), 0.0, False, 0.0, 10)
    outcomes.relabel(number, 50.0)
    outcomes.relabel(-1, 99.0)
    for _ in range(8):
        outcomes.refit()
    assert behind(outcomes, row(1, 2)[None])[0] > 1
    for _ in range(WINDOW):
        outcomes.add(row(3), 0.0, False, 0.0, 10)
    outcomes.relabel(number, 1e9)
    outcomes.refit()
    assert behind(outcomes, row(1, 2)[None])[0] < 1


def test_expectations_stay_finite_however_features_add_up() -> None:
    outcomes = Outcomes()
    for _ in range(200):
        outcomes.add(row(*range(WIDTH)), 0.0, False, 1e300, 10)
    outcomes.refit()
    assert np.isfinite(behind(outcomes, np.full((1, WIDTH), 1, dtype=np.uint16))).all()


# Credit.


def test_a_page_that_leads_to_good_pages_is_good() -> None:
    labels: dict[int, float] = {}
    credit = Credit(labels.__setitem__)
    credit.earn("index", np.zeros(0), "", 0)
    assert labels[0] == 0
    credit.earn("one", np.array([6.0]), "index", 1)
    assert labels[0] == pytest.approx(DISCOUNT * 6 / 2)
    credit.earn("two", np.array([6.0]), "index", 2)
    assert labels[0] == pytest.approx(DISCOUNT * 12 / 3)
    credit.spend("index")
    assert labels[0] == pytest.approx(DISCOUNT * 12 / 4)
    assert labels[1] == 6.0


def test_a_page_is_never_worth_less_than_what_it_links() -> None:
    labels: dict[int, float] = {}
    credit = Credit(labels.__setitem__)
    credit.earn("page", np.array([3.0]), "", 0)
    for _ in range(50):
        credit.spend("page")
    assert labels[0] == 3.0


def test_links_that_may_not_be_followed_earn_a_page_nothing() -> None:
    labels: dict[int, float] = {}
    credit = Credit(labels.__setitem__)
    credit.earn("index", np.zeros(0), "", 0)
    credit.earn("page", np.array([0.9, 0.9]), "index", 1)
    for _ in range(3):
        credit.deny("page", 0.9)
    assert labels == {0: 0.0, 1: 0.0}


def test_a_link_that_proved_a_target_counts_as_one() -> None:
    labels: dict[int, float] = {}
    credit = Credit(labels.__setitem__)
    credit.earn("page", np.array([0.2, 0.4]), "", 0)
    assert labels[0] == pytest.approx(0.6)
    credit.confirm("page")
    credit.confirm("nowhere")
    credit.confirm("page")
    assert labels[0] == pytest.approx(2.0)


def test_a_circle_of_pages_ends() -> None:
    credit = Credit(lambda number, label: None)
    credit.earn("a", np.array([1.0]), "b", 0)
    credit.earn("b", np.array([1.0]), "a", 1)
    credit.spend("a")


# Telling.


def test_tracks_tell_what_links_at_a_place_brought() -> None:
    tracks = Tracks()
    arm = tracks.number("/html/body/ul/li/a")
    assert tracks.name(arm) == "…/ul/li/a"
    assert "no link" in tracks.say(arm)
    tracks.note(arm, 2.0)
    tracks.note(arm, 4.0)
    told = "2 links at such a place led to about 3.00 ± 0.71 new files each"
    assert tracks.say(arm) == told
    summed = tracks.summary({arm: 3})[0]
    assert (summed["mean"], summed["left"]) == (3.0, 3)


def test_elements_with_a_number_of_their_own_are_one_place() -> None:
    tracks, again = Tracks(), Tracks()
    arm = tracks.number("/html/body/ul/li/a.card#card-7183")
    assert tracks.number("/html/body/ul/li/a.card#card-9") == arm
    assert tracks.name(arm) == "…/ul/li/a.card#card-7183"
    again.restore(tracks.state())
    assert again.number("/html/body/ul/li/a.card#card-12") == arm
