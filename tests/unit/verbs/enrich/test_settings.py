from filon.verbs.enrich.settings import EnrichSettings

ASKED = {"table": "papers.csv", "source": "openalex", "add": "doi"}


def test_a_header_was_once_that_of_the_table() -> None:
    old = EnrichSettings.of({**ASKED, "header": False, "headers": ["A: b"]})
    assert old == EnrichSettings.of({**ASKED, "header_row": False, "header": ["A: b"]})
    assert (old.header_row, old.header) == (False, ("A: b",))
