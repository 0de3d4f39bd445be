from filon.core import Answer, Record
from filon.verbs.enrich.absent import absent, shows_all

DOCUMENTS = ["red fox", "red hen and chicks", "blue whale", "grey wolf"]


def test_a_row_whose_words_were_asked_for_in_vain_is_absent() -> None:
    asked = [("red", True), ("blue whale", False), ("wolf", True)]
    assert absent(DOCUMENTS, [0, 1, 2], asked, "and") == {0, 1}
    assert absent(DOCUMENTS, [3], asked, "and") == {3}
    assert absent(DOCUMENTS, [0], [("red dog", True)], "and") == set()


def test_where_any_word_matches_a_query_of_most_of_the_row_tells() -> None:
    assert absent(DOCUMENTS, [0, 1], [("red fox", False), ("red", False)], "or") == {0}


def test_an_answer_shows_all_where_the_total_or_a_short_page_says_so() -> None:
    two = (Record(id="1"), Record(id="2"))
    assert shows_all(Answer(records=two, total=2), 2)
    assert not shows_all(Answer(records=two, total=3), 2)
    assert shows_all(Answer(records=two), 3)
    assert not shows_all(Answer(records=two), 2)
    assert not shows_all(Answer(problem="down"), 2)
