"""The pages of a review: with and without a script, and what the web said is text."""

import re
from pathlib import Path

from filon.verbs.discover.found.verdicts import read_verdicts
from golden.folders import unpack
from unit.serve.visitor import Browser, visiting


def key(page: str) -> str:
    found = re.search(r'name="key" value="([^"]+)"', page)
    assert found
    return found[1]


def test_a_site_is_decided_on_by_a_form(tmp_path: Path) -> None:
    run = unpack("discover", tmp_path)

    async def visit(browser: Browser) -> None:
        assert "/decide/discover" in await browser.text("/decide")
        page = await browser.text("/decide/discover")
        assert "Is this what you look for?" in page
        assert "filon review" in page
        said = await browser.post("/decide/discover", {"said": "no", "key": key(page)})
        assert (said.status, said.headers["Location"]) == (303, "/decide/discover")
        assert key(await browser.text("/decide/discover")) != key(page)
        used = await browser.post("/decide/discover", {"said": "use"})
        assert "The result is written anew." in await browser.text(used.headers["Location"])

    visiting(visit, tmp_path)
    assert [one["said"] for one in read_verdicts(run).values()] == ["rejected"]


def test_a_script_gets_the_next_question_alone(tmp_path: Path) -> None:
    unpack("discover", tmp_path)

    async def visit(browser: Browser) -> None:
        page = await browser.text("/decide/discover")
        form = {"said": "yes", "key": key(page)}
        said = await browser.post("/decide/discover", form, headers={"HX-Request": "true"})
        piece = await said.text()
        assert "<html" not in piece
        assert key(piece) != key(page)
        undone = await browser.post(
            "/decide/discover", {"said": "undo"}, headers={"HX-Request": "true"}
        )
        assert key(await undone.text()) == key(page)
        used = await browser.post(
            "/decide/discover", {"said": "use"}, headers={"HX-Request": "true"}
        )
        assert "written anew" in await used.text()

    visiting(visit, tmp_path)


def test_an_answer_of_a_tab_that_has_grown_stale_is_told_and_not_taken(tmp_path: Path) -> None:
    run = unpack("discover", tmp_path)

    async def visit(browser: Browser) -> None:
        first = key(await browser.text("/decide/discover"))
        await browser.post("/decide/discover", {"said": "yes", "key": first})
        for headers in ({}, {"HX-Request": "true"}):
            late = await browser.post(
                "/decide/discover", {"said": "no", "key": first}, headers=headers
            )
            page = await late.text()
            assert "was answered meanwhile" in page
            assert key(page) != first
        assert "was answered meanwhile" not in await browser.text("/decide/discover")

    visiting(visit, tmp_path)
    assert [one["said"] for one in read_verdicts(run).values()] == ["accepted"]


def test_nonsense_is_a_sentence(tmp_path: Path) -> None:
    unpack("discover", tmp_path)
    unpack("harvest", tmp_path)

    async def visit(browser: Browser) -> None:
        assert (await browser.get("/decide/none")).status == 404
        said = await browser.post("/decide/discover", {"said": "perhaps"})
        assert said.status == 400
        assert "one of yes, no, skip" in await said.text()
        refused = await browser.get("/decide/harvest")
        assert refused.status == 400
        assert "nothing to review" in await refused.text()

    visiting(visit, tmp_path)


def test_an_empty_home_says_so(tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        assert "nothing to decide yet" in await browser.text("/decide")

    visiting(visit, tmp_path)
