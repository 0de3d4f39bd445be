"""How sites look to each other."""

from filon.verbs.discover.strategies.scout.peers import OWN, Peers

VECTORS = {
    "one": {"gdp": 0.8, "bank": 0.6},
    "two": {"gdp": 0.6, "bank": 0.8},
    "odd": {"bets": 1.0},
    "far": {"poem": 1.0},
}
SAID = {"one": 1.0, "two": 0.8, "odd": 0.9, "far": 0.0}


def fitted(wanted: dict[str, float] | None = None) -> Peers:
    """Return peers of four sites, of which three speak of the user's words."""
    peers = Peers()
    peers.fit(VECTORS, SAID, VECTORS, wanted or {})
    return peers


def chances(peers: Peers) -> dict[str, float]:
    """Return how sure it is of each site."""
    return {site: peers.chance(site, VECTORS[site], SAID[site]) for site in VECTORS}


def test_who_is_like_the_others_is_surer_than_who_is_only_like_itself() -> None:
    sure = chances(fitted())
    assert sure["one"] > 0.5 < sure["two"]
    assert sure["far"] < sure["odd"] < 0.5


def test_nothing_is_known_of_anybody_before_it_is_fitted() -> None:
    assert Peers().chance("one", VECTORS["one"], 1.0) == 0.5
    peers = Peers()
    peers.fit({}, {}, [], {})
    assert peers.chance("one", VECTORS["one"], 1.0) == 0.5


def test_what_the_user_says_of_a_site_counts() -> None:
    turned_down = chances(fitted({"one": 0.0, "two": 0.0}))
    assert turned_down["one"] < chances(fitted())["one"]


def test_words_are_told_that_more_of_the_sites_on_the_topic_have() -> None:
    peers = fitted()
    peers.learn_words([{"gdp", "bank", "csv"}, {"gdp", "csv"}], [{"csv"}, {"bank", "csv"}], [], 9)
    assert set(peers.words) == {"gdp"}, "bank is in one of them only, csv in all"


def test_a_word_of_the_user_says_half_at_least_if_it_tells_anything() -> None:
    peers = fitted()
    bags = [{"gdp", "bank"}, {"gdp", "bank"}]
    peers.learn_words(bags, [{"bank"}], ["bank", "poem"], 9)
    assert peers.words["gdp"] == 1.0
    assert OWN <= peers.words["bank"] < 1.0
    assert "poem" not in peers.words


def test_it_goes_on_from_its_state() -> None:
    one, other = fitted(), Peers()
    one.learn_words([{"gdp"}, {"gdp"}], [], [], 9)
    other.restore(one.state())
    assert chances(one) == chances(other)
    assert one.words == other.words
