from filon.core import Response
from filon.testing import Listed, play
from filon.testing.case import Case, answer
from filon.testing.site import ToySite


def says(url: str, at_s: float) -> Response:
    return Response(url=url, status=200 if at_s < 3 else 404, at_s=at_s)


def test_urls_are_asked_for_in_their_order_and_a_success_is_a_find() -> None:
    urls = [f"http://a.org/{number}" for number in range(4)]
    run = play(Listed(urls), says)
    assert [step.request.url for step in run.steps] == urls
    assert [find.url for find in run.finds] == urls[:2]


def test_it_goes_on_from_its_state() -> None:
    first, second = Listed(["http://a.org/", "http://b.org/"]), Listed(["x", "http://b.org/"])
    first.propose()
    second.restore(first.state())
    assert first.propose() == second.propose()


def test_a_case_answers_at_once() -> None:
    case = Case(make=lambda web, seed: Listed(ToySite().targets()), web=ToySite)
    step = case.make(None, 1).propose()
    assert step
    assert answer(case.web(), step.request).ok
