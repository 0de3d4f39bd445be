"""The site of the hostile server is what end-to-end tests count on."""

import re

import pytest

from filon.core import Request, Response
from filon.web import Live
from hostile.server import Server
from hostile.site import FILES, page
from hostile.visits import play


def links(target: str) -> list[str]:
    return re.findall(r'href="([^"]*)"', page(target, "polite").body.decode())


def test_all_files_are_reached_from_the_start_page_by_way_of_the_data_room() -> None:
    seen, waiting = set(), [link for link in links("/") if link.startswith("/data")]
    while waiting:
        target = waiting.pop()
        if target not in seen:
            seen.add(target)
            waiting += links(target)
    assert {target for target in seen if target.endswith(".csv")} == set(FILES)
    assert len({page(path, "polite").body for path in FILES}) == len(FILES) == 30


@pytest.mark.parametrize("room", ["calendar", "session", "sort", "deep", "soft"])
def test_a_trap_has_always_another_page(room: str) -> None:
    assert f"/{room}/" in links("/")
    seen, target = set(), f"/{room}/"
    for _ in range(50):
        assert page(target, "polite").status == 200
        seen.add(target)
        target = links(target)[-1]
    assert len(seen) == 50


@pytest.mark.parametrize(
    ("robots", "status", "error"),
    [
        ("polite", 200, ""),
        ("html", 200, ""),
        ("long", 200, ""),
        ("none", 404, ""),
        ("500", 500, ""),
        ("redirect-loop", 302, ""),
        ("silent", 0, "timeout"),
    ],
)
def test_robots_txt_can_behave_in_every_way(robots: str, status: int, error: str) -> None:
    async def scene(server: Server, web: Live) -> Response:
        server.robots = robots
        return await web.fetch(Request(url=server.url("/robots.txt")))

    answer = play(scene)
    assert (answer.status, answer.error) == (status, error)
    assert (answer.size_bytes > 10**7) is (robots == "long")
