from filon.verbs.discover.strategies.scout.topic import ENOUGH_READ, TELLING, Topic, stems

WATER = "water quality of rivers with nitrate samples from many measuring stations"
RIVER = "nitrate samples of rivers from measuring stations along the shore"
NEWS = "the council talked about its budget, the harbour and the weather of this week"
PAINTING = (
    "colours on paper, brushes, frames, painters, gallery, exhibition, pictures and portraits"
)
TRAFFIC = "counts of cars and buses on roads, timetables and stops of the town"


def filled(topic: str = "water quality") -> Topic:
    """Return a topic of which many sites speak, and many do not."""
    one = Topic(topic)
    for number in range(8):
        one.read(f"water{number}.example", f"{WATER} {'nitrate ' * number}")
    for number in range(20):
        one.read(f"news{number}.example", f"{NEWS if number % 2 else TRAFFIC} number{number}")
    one.due()
    return one


def test_words_lose_their_endings() -> None:
    assert stems("Statistics of statistical offices") == ["statis", "statis", "office"]


def test_who_says_only_the_users_word_in_another_sense_is_not_on_the_topic() -> None:
    one = Topic("water")
    for number in range(18):
        one.read(f"water{number}.example", f"{WATER} {'nitrate ' * number}")
    for number in range(20):
        one.read(f"news{number}.example", f"{NEWS if number % 2 else TRAFFIC} number{number}")
    one.read("colours.example", f"water water water {PAINTING}")
    one.hear("gallery.example", PAINTING)
    one.due()
    assert one.near("water0.example") >= 1 > one.near("colours.example") > 0.5
    few = Topic("water")  # too few to tell what else goes with the word
    few.read("colours.example", f"water water water {PAINTING}")
    assert few.near("colours.example") >= 1


def test_who_speaks_of_the_topic_is_on_it_and_others_are_not() -> None:
    one = filled()
    assert all(one.near(f"water{number}.example") >= 1 for number in range(8))
    assert not [number for number in range(20) if one.near(f"news{number}.example") >= 1]
    assert one.chance("water0.example") > 0.5 > one.chance("news0.example")


def test_who_says_the_same_in_other_words_is_on_the_topic() -> None:
    one = filled()
    one.read("rivers.example", RIVER)
    assert one.near("rivers.example") >= 1
    assert "water" not in RIVER


def test_all_that_is_heard_and_read_of_a_site_counts() -> None:
    one = filled()
    one.read("quiet.example", "welcome to the start page of the portal")
    before = one.near("quiet.example")
    one.hear("quiet.example", "data on water quality")
    one.read("quiet.example", WATER)
    assert before < 1 <= one.near("quiet.example")


def test_the_less_was_said_of_a_site_the_less_sure_it_is() -> None:
    one = filled()
    one.hear("short.example", "water quality")
    one.hear("long.example", WATER * 5)
    one.hear("news.example", NEWS)
    assert 0 < one.odds("short.example") < one.odds("long.example")
    assert one.odds("news.example") < 0 == one.odds("unknown.example")


def test_what_the_user_says_of_a_site_counts_more_than_its_words() -> None:
    one, other = filled(), filled()
    for each in (one, other):
        for number in range(4):
            each.read(f"odd{number}.example", "pelicans and herons nest here every spring")
    one.judge("odd0.example", True)
    for each in (one, other):
        each._fit()
    assert one.near("odd1.example") > other.near("odd1.example")


def test_words_are_told_once_enough_was_read_and_never_twice() -> None:
    early = Topic("water quality")
    early.read("water.example", WATER)
    assert early.words({}, 5) == []
    early.read("river.example", WATER)
    early.due()
    assert set(early.words({}, 5, early=True)) <= set(WATER.split()) - {"water", "quality"}
    assert early.words({}, 5, early=True)
    one = filled()
    assert ENOUGH_READ <= 28
    words = one.words({}, 5)
    assert set(words) <= set(WATER.split())
    assert not {"water", "quality", "the"} & set(words)
    assert not set(words) & set(one.words(dict.fromkeys(words), 5))


def test_without_a_topic_all_are_as_near() -> None:
    one = Topic("")
    one.read("a.example", WATER)
    assert one.chance("a.example") == 1.0


def test_it_goes_on_from_its_state() -> None:
    one, other = filled(), Topic("water quality")
    other.restore(one.state())
    for each in (one, other):
        each.read("late.example", RIVER)
        each.due()
    sites = ["late.example", "water1.example", "news1.example"]
    assert [one.near(site) for site in sites] == [other.near(site) for site in sites]
    assert one.words({}, 9) == other.words({}, 9)
    assert one.state() == other.state()


def test_what_was_asked_before_the_state_was_stored_is_answered_alike_after() -> None:
    one, other = filled(), Topic("water quality")
    before = one.near("water1.example")
    one.read("late.example", RIVER)  # rarities change, and no new profile is due
    other.restore(one.state())
    assert other.near("water1.example") == one.near("water1.example") == before


def test_telling_of_it_changes_nothing() -> None:
    one = filled()
    for number in range(9):
        one.read(f"late{number}.example", RIVER)
    before = one.state()
    now = one.now()
    assert now.chance("late1.example") > 0.5
    assert one.state() == before
    assert one.due(), "it is still to be made anew where that is decided"
    assert one.near("late1.example") == now.near("late1.example")


def test_telling_words_say_at_most_one_and_none_are_known_at_first() -> None:
    assert Topic("water quality").telling() == {}
    told = filled().telling()
    assert {"water", "quality"} <= set(told)
    assert len(told) <= TELLING + 2
    assert max(told.values()) == 1.0
    assert all(0.0 < says <= 1.0 for says in told.values())


FURNITURE = "readme license main commits csv download issues"
TABLES = "harvest of barley and wheat by county"


def furnished() -> Topic:
    """Return a topic of which four of the first nine sites are; all have the same furniture."""
    one = Topic("farm crops")
    for number in range(4):
        one.read(f"crops{number}.example", f"farm crops {TABLES} {FURNITURE} yield{number}")
    for number, words in enumerate([NEWS, TRAFFIC, RIVER, "goals of a football league", "poems"]):
        one.read(f"other{number}.example", f"{words} {words} {FURNITURE}")
    one.due()
    return one


def test_words_that_stand_on_any_page_tell_nothing() -> None:
    told = furnished().telling()
    assert {"barley", "wheat", "farm"} <= set(told)
    assert not set(FURNITURE.split()) & set(told)


def test_a_site_is_not_on_the_topic_for_its_own_words() -> None:
    one = furnished()
    one.read("odd.example", f"{'betting odds of goals ' * 9} farm {FURNITURE}")
    promises = {site: one.promise(site) for site in ("crops0.example", "odd.example")}
    assert one.chance("odd.example") > 0.5, "by the profile that it is a part of"
    assert promises["odd.example"] < 0.5 < promises["crops0.example"]


def test_a_site_of_which_nothing_is_known_promises_nothing() -> None:
    assert furnished().promise("unknown.example") == 0.0
    assert Topic("").promise("unknown.example") == 1.0


def test_promises_are_the_same_after_a_restart() -> None:
    one, other = furnished(), Topic("farm crops")
    one.promise("crops0.example")
    one.read("late.example", TABLES)
    other.restore(one.state())
    for site in ("crops0.example", "late.example", "other1.example"):
        assert other.promise(site) == one.promise(site)
    assert other.telling() == one.telling()


def test_a_state_from_before_promises_is_taken_up() -> None:
    one, other = furnished(), Topic("farm crops")
    state = one.state()
    del state["peers"]
    other.restore(state)
    assert other.promise("crops0.example") == one.promise("crops0.example")
