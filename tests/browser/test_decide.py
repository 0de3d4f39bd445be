"""Sites are decided on by single keys, and what was said outlives the page."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Served
from browser.looks import check, picture
from filon.verbs.discover.found.verdicts import read_verdicts
from golden.folders import unpack

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def home(tmp_path: Path) -> Path:
    unpack("discover", tmp_path)
    return tmp_path


def test_by_keys_alone(page: "Page", served: Served) -> None:
    from playwright.sync_api import expect

    page.goto(f"{served.root}/decide/discover")
    check(page)
    asked = page.locator("input[name=key]")
    first = asked.input_value()
    page.keyboard.press("n")
    expect(asked).not_to_have_value(first)
    assert page.evaluate("document.activeElement.id") == "asked"
    second = asked.input_value()
    page.keyboard.press("y")
    expect(asked).not_to_have_value(second)
    page.keyboard.press("u")
    expect(asked).to_have_value(second)
    picture(page, "decide")
    page.get_by_role("button", name="Use the answers now").click()
    page.get_by_text("The result is written anew.").wait_for()
    check(page)
    assert {url: one["said"] for url, one in read_verdicts(served.home / "discover").items()} == {
        first: "rejected"
    }
    page.reload()
    assert asked.input_value() == second


def test_without_a_script_buttons_answer_and_no_keys_are_offered(
    chromium: "Browser", served: Served
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(served.first)
    page.goto(f"{served.root}/decide/discover")
    assert not page.get_by_text("Answer with single keys").is_visible()
    asked = page.locator("input[name=key]").input_value()
    page.get_by_role("button", name="No", exact=True).click()
    assert page.locator("input[name=key]").input_value() != asked
    context.close()
