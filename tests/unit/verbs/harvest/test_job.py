import pytest

from filon.core import Find, Reason, Request, Response, Step, UserError
from filon.verbs.harvest.job import FirstPage

URL = "https://a.test/"


def step(url: str = URL, kind: str = "start") -> Step:
    return Step(request=Request(url=url), reason=Reason(kind=kind))


def answer(url: str = URL, status: int = 200, **more: str) -> Response:
    headers = tuple((name.replace("_", "-"), value) for name, value in more.items())
    return Response(url=url, status=status, headers=headers)


def failed(error: str, url: str = URL) -> Response:
    return Response(url=url, error=error, detail="certificate has expired")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        ("dns", "The host a.test does not exist"),
        ("connect", "https://a.test refuses"),
        ("tls", "certificate has expired"),
        ("private", "private address"),
    ],
)
def test_a_host_that_cannot_be_reached_ends_the_run_at_once(error: str, says: str) -> None:
    robots = "https://a.test/robots.txt"
    with pytest.raises(UserError, match=says):
        FirstPage(URL).watch(step(robots, "robots"), failed(error, robots), [])


def test_a_later_failure_does_not_end_the_run() -> None:
    first = FirstPage(URL)
    first.watch(step(), answer(content_type="text/html"), [])
    first.watch(step("https://b.a.test/", "link"), failed("dns", "https://b.a.test/"), [])
    assert first.complaint() == ""


@pytest.mark.parametrize(
    ("response", "says"),
    [
        (answer(status=404), "answers 404 (Not Found)"),
        (answer(status=999), "answers 999"),
        (answer(content_type="application/pdf"), "--types application/pdf"),
        (answer(status=301, location="http://b.test/x"), "filon harvest http://b.test/x"),
        (answer(status=301, location="mailto:x"), "no further"),
        (failed("timeout"), "does not answer"),
        (failed("protocol"), "http://"),
    ],
)
def test_a_start_page_that_leads_nowhere_is_told(response: Response, says: str) -> None:
    first = FirstPage(URL)
    first.watch(step(), response, [])
    assert says in first.complaint()


def test_a_redirect_within_the_site_is_followed() -> None:
    first = FirstPage(URL)
    first.watch(step(), answer(status=302, location="/en/"), [])
    first.watch(step(f"{URL}en/", "redirect"), answer(f"{URL}en/", 403), [])
    assert f"{URL}en/ answers 403" in first.complaint()


def test_a_retry_of_robots_txt_is_not_a_page() -> None:
    first, robots = FirstPage(URL), f"{URL}robots.txt"
    first.watch(step(robots, "robots"), answer(robots, 503), [])
    first.watch(step(robots, "retry"), answer(robots, 503), [])
    assert "answers 503" in first.complaint()
    assert "--no-robots" in first.complaint()


def test_robots_txt_that_forbids_the_start_page_is_told() -> None:
    first, robots = FirstPage(URL), f"{URL}robots.txt"
    first.watch(step(robots, "robots"), answer(robots, 200), [])
    assert "forbids" in first.complaint()


def test_where_something_was_found_there_is_nothing_to_complain() -> None:
    first = FirstPage(URL)
    first.watch(step(), answer(content_type="text/csv"), [Find(kind="file", url=URL)])
    assert first.complaint() == ""


def test_other_starts_that_fail_are_no_sign_of_life() -> None:
    first = FirstPage(URL, [f"{URL}b"])
    first.watch(step(), answer(status=404), [])
    first.watch(step(f"{URL}b"), answer(f"{URL}b", 404), [])
    assert "404" in first.complaint()
    first.watch(step(f"{URL}b"), answer(f"{URL}b", content_type="text/html"), [])
    assert first.complaint() == ""
