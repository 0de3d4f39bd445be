import pytest

from filon.verbs.follow.strategies import Lead
from filon.verbs.follow.strategies.lode.kinds import kind, traits


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.org/id/thing/Quartz", "http://a.org/id/thing/Opal"),
        ("http://a.org/page/1.html", "http://a.org/page/2.html"),
        ("http://a.org/x?id=1", "http://a.org/x?id=2"),
        ("http://a.org/2019/07/x", "http://a.org/2021/11/y"),
    ],
)
def test_what_a_host_publishes_alike_is_one_kind(one: str, other: str) -> None:
    assert kind(one) == kind(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.org/id/thing/Quartz", "http://b.org/id/thing/Quartz"),
        ("http://a.org/id/thing/Quartz", "http://a.org/id/place/Quartz"),
        ("http://a.org/page/1.html", "http://a.org/page/1"),
        ("http://a.org/x?id=1", "http://a.org/x?name=1"),
        ("http://a.org/x/", "http://a.org/x/y"),
    ],
)
def test_what_differs_in_host_folder_or_form_does_not(one: str, other: str) -> None:
    assert kind(one) != kind(other)


def test_a_url_that_cannot_be_split_is_a_kind_of_its_own() -> None:
    assert kind("http://[bad/x") == "http://[bad/x"


def test_traits_tell_the_property_and_whether_the_host_speaks_of_itself() -> None:
    lead = Lead(
        uri="http://a.org/doc/7#it",
        document="http://a.org/doc/7",
        referrer="http://a.org/start",
        properties=("http://v.org/page",),
        roles=("object",),
    )
    found = traits(lead)
    assert "host=a.org" in found
    assert "local=home" in found
    assert "property=http://v.org/page&home" in found
    assert "fragment=True" in found
    assert "word=doc" in found
    assert "prefix=a.org/doc" in found
    assert {"gram=/doc", "gram=doc/", "gram=oc/7"} <= set(found)
