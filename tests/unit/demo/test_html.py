from filon.demo.choice import draw, pick, shuffled, token
from filon.demo.html import Html, el, join


def test_plain_text_is_escaped_and_markup_is_not() -> None:
    assert el("p.a.b", "1 < 2", Html("<br>")) == '<p class="a b">1 &lt; 2<br></p>'
    assert join("&", el("br")) == "&amp;<br>"


def test_attributes_are_quoted() -> None:
    assert el("a", href='/?a="b"&c') == '<a href="/?a=&quot;b&quot;&amp;c"></a>'


def test_choices_belong_to_their_name() -> None:
    assert {draw(6, "die", throw) for throw in range(100)} == set(range(6))
    assert pick("abc", "x") == pick("abc", "x")
    assert shuffled(range(50), "x") != shuffled(range(50), "y")
    assert sorted(shuffled(range(50), "x")) == list(range(50))
    assert len({token("x", number) for number in range(100)}) == 100
