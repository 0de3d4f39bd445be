from dataclasses import replace

from filon.core import Response
from filon.services.recent import KEPT, Recent
from filon.services.search import build

ANSWER = Response(url="http://a.org/?q=a", status=200, body=b"{}", at_s=1.0)


class Reads:
    """Says the number of the reading, so that two of one answer differ."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, response: Response) -> int:
        self.count += 1
        return self.count


def test_what_a_guard_changes_of_an_answer_does_not_make_it_another() -> None:
    recent = Recent(Reads())
    assert recent(ANSWER) == recent(replace(ANSWER, at_s=2.0, took_s=3.0)) == 1


def test_another_answer_is_read_for_itself() -> None:
    recent = Recent(Reads())
    others = [
        replace(ANSWER, body=b"[]"),
        replace(ANSWER, url="http://a.org/?q=b"),
        replace(ANSWER, status=429),
        replace(ANSWER, headers=(("Link", "<b>; rel=next"),)),
        replace(ANSWER, error="closed"),
        replace(ANSWER, detail="why"),
        replace(ANSWER, cut="size"),
        replace(ANSWER, spool="file"),
    ]
    assert [recent(one) for one in [ANSWER, *others]] == [*range(1, len(others) + 2)]


def test_only_the_last_answers_are_kept() -> None:
    recent = Recent(Reads())
    first, *rest = (replace(ANSWER, url=f"http://a.org/{n}") for n in range(KEPT + 1))
    assert recent(first) == 1
    for one in rest[:-1]:
        recent(one)
    assert recent(first) == 1  # and is the last used from here on
    recent(rest[-1])
    assert recent(first) == 1
    assert recent(rest[0]) == KEPT + 2


def test_a_search_service_hands_out_what_it_has_read() -> None:
    brave = build("brave")
    body = b'{"query": {"more_results_available": true}, "web": {"results": [{"title": "A", "url": "http://a.org/"}]}}'
    answer = Response(url=brave.request("keyword", "a").url, status=200, body=body)
    first = brave.parse("keyword", answer)
    assert first.more == "1"
    assert brave.parse("keyword", replace(answer, at_s=9.0)) is first
