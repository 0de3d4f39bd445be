from selectolax.lexbor import LexborHTMLParser

from filon.page.links import ALONE, NEAREST, links
from filon.page.surroundings import MAX_WORD, MOST_MARKS, MOST_WORDS, Surroundings

URL = "http://a.org/list/"
ROWS = """<table class=all>
<tr><td><a href=1>One</a><td class="status complete">Reported <img src=x.png alt="as PDF"></tr>
<tr class=odd><td><a href=2>Two</a><td class=status>Not yet</tr></table>"""


def around(html: str) -> list[str]:
    return [link.around for link in links(html.encode(), URL, around=ALONE)]


def test_a_row_of_a_table_belongs_to_its_only_link() -> None:
    assert around(ROWS) == ["One Reported as PDF .status .complete", "Two Not yet .odd .status"]


def test_links_to_one_place_are_one() -> None:
    card = "<div class=card><a href=1><img alt=Cover></a><h2><a href=1>One</a></h2> 2019</div>"
    assert around(card + "<a href=3>b</a>") == ["Cover One 2019 .card"] * 2 + ["b"]


def test_a_link_to_the_page_itself_does_not_count() -> None:
    assert (
        around("<p>One <a href=1>a</a> <a href='#top'>up</a></p><a href=2>b</a>")[0] == "One a up"
    )


def test_a_part_that_leads_to_several_places_is_nobodys() -> None:
    assert around("<p class=x>See <a href=1>a</a> or <a href=2>b</a></p>") == ["a", "b"]


def test_scripts_say_nothing() -> None:
    html = "<div><script>var data</script><a href=1>a</a></div><a href=2>b</a>"
    assert around(html)[0] == "a"


def test_everything_is_bounded() -> None:
    words = " ".join(f"w{number}{'x' * 99}" for number in range(999))
    marks = " ".join(f"m{number}" for number in range(999))
    html = f"<div class='{marks}'><a href=1>{words}</a></div><a href=2>b</a>"
    said = around(html)[0].split()
    assert len(said) <= MOST_WORDS + MOST_MARKS
    assert max(map(len, said)) <= MAX_WORD + 1
    deep = LexborHTMLParser("<div>" * 3000 + "<a href=1>a</a>")
    linked = [(node, "1") for node in deep.css("a")]
    assert Surroundings(linked).of(*linked[0]) in ("a", "")


def test_the_nearest_block_is_read_where_that_is_asked_for() -> None:
    found = links(ROWS.encode(), URL, around=NEAREST)
    assert [link.around for link in found] == ["One", "Two"]


def test_few_chosen_links_have_around_them_what_they_have_among_all() -> None:
    card = "<li class=c{0}><p><a href={0}>a{0}</a> <a href={0}#x>again</a></p> <i>at {0}</i></li>"
    cards = [card.format(number // 2) for number in range(60)]
    html = "<ul>" + "<a href='#top'>up</a>".join(cards) + "</ul>"
    every = {link.url: link.around for link in links(html.encode(), URL, around=ALONE)}
    for step in (1, 7, 29):
        seen: set[str] = set()

        def is_new(url: str, step: int = step, seen: set[str] = seen) -> bool:
            fresh = url not in seen
            seen.add(url)
            return fresh and int(url.rpartition("/")[2] or 1) % step == 0

        some = links(html.encode(), URL, around=ALONE, wanted=is_new)
        assert some
        assert all(link.around == every[link.url] for link in some)
