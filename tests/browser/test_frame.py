"""What every page has: a way in, the frame round the content, sentences for what went wrong."""

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Served, begin
from browser.looks import check, focused
from filon.serve.words import t

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

PASSWORD = "correct horse battery"


@pytest.fixture
def guarded(tmp_path: "Path", monkeypatch: pytest.MonkeyPatch) -> "Iterator[Served]":
    """A server that asks for a password."""
    home = tmp_path / "runs"
    home.mkdir()
    monkeypatch.setenv("FILON_PASSWORD", PASSWORD)
    server = begin(home, "--password")
    yield server
    server.stop()


@pytest.mark.parametrize("width", [400, 1200])
def test_the_password_is_typed_by_keys(chromium: "Browser", guarded: Served, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(guarded.first)
    check(page)
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    check(page)
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("navigation").wait_for()
    assert context.cookies()[0].get("value", "") not in page.content()
    assert page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Log out").click()
    page.get_by_label("Password").wait_for()
    page.goto(f"{guarded.root}/")
    page.get_by_label("Password").wait_for()
    context.close()


def test_the_first_tab_skips_to_the_content(page: "Page", served: Served) -> None:
    page.goto(f"{served.root}/api")
    check(page)
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_the_token_leaves_the_address(page: "Page", served: Served) -> None:
    assert "token" not in page.url
    assert page.evaluate("document.cookie") == ""


def test_what_is_not_there_is_told_on_a_page(chromium: "Browser", served: Served) -> None:
    context = chromium.new_context(viewport={"width": 400, "height": 800})
    page = context.new_page()
    page.goto(f"{served.root}/nowhere")
    assert page.get_by_text("filon serve").is_visible()  # who is not in
    check(page)
    page.goto(served.first)
    page.goto(f"{served.root}/nowhere")
    assert page.get_by_text("There is no such page here.").is_visible()
    check(page)
    context.close()


def test_what_is_being_done_is_told_within_a_narrow_window(page: "Page", served: Served) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(f"{served.root}/catalog")
    run = "upper-lakes-water-agency.example.org-001"
    page.evaluate(
        "said => document.querySelector('main').insertAdjacentHTML('beforeend', said)",
        f'<p class="dim state running">{t("catalog.taking_in", run=run)}</p>',
    )
    check(page)


def test_the_command_is_copied(page: "Page", served: Served) -> None:
    page.goto(f"{served.root}/schedules")
    page.get_by_text("The same in a shell").click()
    shown = page.locator(".shell code").inner_text()
    assert shown.startswith("filon watch ")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("Copied", exact=True).wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == shown
    check(page)
