"""What a dump has told."""

import pyoxigraph as ox

from filon.verbs.follow.strategies.datasets import Coverage


def said(folder: str, count: int, each: int = 3) -> list[ox.Triple]:
    return [
        ox.Triple(
            ox.NamedNode(f"{folder}{number}"),
            ox.NamedNode(f"http://v.example/{at}"),
            ox.Literal(str(number)),
        )
        for number in range(count)
        for at in range(each)
    ]


def test_subjects_of_a_whole_dump_are_told_and_others_are_not() -> None:
    known = Coverage()
    known.learn(said("http://a.example/id/", 9))
    assert "http://a.example/id/8" in known
    assert "http://a.example/id/9" not in known


def test_of_a_dump_of_which_only_the_beginning_was_read_the_folder_is_told() -> None:
    known = Coverage()
    known.learn(said("http://a.example/id/", 9), whole=False)
    assert "http://a.example/id/9" in known
    assert "http://a.example/doc/9" not in known


def test_a_mention_is_not_a_description() -> None:
    known = Coverage()
    known.learn([*said("http://a.example/id/", 9), *said("http://b.example/id/", 9, each=1)])
    known.learn(said("http://c.example/id/", 4))
    assert "http://b.example/id/1" not in known
    assert "http://c.example/id/1" not in known


def test_a_prefix_that_a_catalogue_names_is_believed_if_the_dump_has_anything_of_it() -> None:
    known = Coverage()
    spaces = ("http://a.example/id/", "http://d.example/")
    known.learn(said("http://a.example/id/", 1), spaces)
    assert "http://a.example/id/77" in known
    assert "http://d.example/1" not in known


def test_documents_with_fragments_count_once() -> None:
    known = Coverage()
    known.learn(said("http://a.example/all#", 50))
    assert "http://a.example/all" not in known


def test_it_goes_on_from_its_state() -> None:
    known, other = Coverage(), Coverage()
    known.learn(said("http://a.example/id/", 9), ("http://a.example/id/",))
    other.restore(known.state())
    assert "http://a.example/id/3" in other
    assert len(other) == 9
    assert other.prefixes == ("http://a.example/id/",)


def test_a_vocabulary_in_one_document_is_a_dump_when_its_terms_redirect_to_it() -> None:
    known = Coverage()
    known.offer("http://a.example/all.ttl", said("http://a.example/term/", 9))
    known.redirected("http://a.example/term/1", "http://a.example/all.ttl")
    assert "http://a.example/term/5" not in known
    known.redirected("http://a.example/term/99", "http://a.example/all.ttl")
    known.redirected("http://a.example/term/2", "http://a.example/other.ttl")
    assert "http://a.example/term/5" not in known
    again = Coverage()
    again.restore(known.state())
    for one in (known, again):
        one.redirected("http://a.example/term/2", "http://a.example/all.ttl")
        assert "http://a.example/term/5" in one
        assert "http://a.example/term/99" not in one
