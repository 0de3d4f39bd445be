import json

from filon.demo.search_box import PAGE, SearchBox

BOX = SearchBox(
    [{"name": f"Mill {n}", "river": "Elz" if n % 2 else "Aller"} for n in range(30)], "at"
)


def test_all_words_must_match_and_the_first_are_shown_first() -> None:
    said = json.loads(BOX.answer("/search", {"q": "mill elz"}).body)
    assert said["total"] == 15
    assert [one["name"] for one in said["at"]] == [f"Mill {n}" for n in range(1, 2 * PAGE, 2)]
    rest = json.loads(BOX.answer("/search", {"q": "mill elz", "page": "2"}).body)["at"]
    assert len(rest) == 15 - PAGE


def test_no_words_match_nothing() -> None:
    assert json.loads(BOX.answer("/search", {}).body) == {"total": 0, "page": 1, "at": []}


def test_what_is_no_search_is_refused() -> None:
    assert BOX.answer("/", {}).status == 404
    assert BOX.answer("/search", {"q": "mill", "page": "0"}).status == 400
