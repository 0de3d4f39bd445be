"""What holds of every page: no violation that axe-core knows, and no scrolling sideways."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: WCAG 2.2 AA and what axe's authors hold to be best practice.
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}

PICTURES = Path(__file__).resolve().parents[2] / "docs/pictures"
#: Pictures are of pages that are so wide at least.
WIDE = 1000
_NAMES = "header a, main :is(h1, h2, button, label, summary, .figures dt)"
_IN_CONTENT = "document.activeElement.closest('main') !== null"
_NUMBER = re.compile(r"\d[\d.,:]*")


def check(page: "Page", *schemes: str) -> None:
    """Check the page as it is shown now, or in these colours."""
    from axe_playwright_python.sync_playwright import Axe

    for scheme in schemes or ("as it is",):
        if schemes:
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        found = Axe().run(page, options=RULES).response["violations"]
        told = [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
        assert told == [], f"{page.url}, {scheme}"
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, f"{page.url} scrolls sideways by {width} px"


def focused(page: "Page") -> str:
    """Return what the keyboard is at: its name, as a reader of screens has it."""
    told: str = page.evaluate(
        "(e => e.getAttribute('aria-label') || e.labels?.[0]?.innerText || e.innerText || e.name)"
        "(document.activeElement)"
    )
    return told.strip()


def tab_to(page: "Page", name: str, most: int = 200, *, exact: bool = False) -> None:
    """Go by the Tab key to what has that name, or begins so, or is the field of that flag.

    exact: it has just that name, and stands in the content: the navigation has a "Start", too.
    """
    for _ in range(most):
        page.keyboard.press("Tab")
        label = focused(page)
        if exact and label == name and page.evaluate(_IN_CONTENT):
            return
        if exact:
            continue
        if label.startswith(name) or (name.startswith("--") and name in label.split()):
            return
    raise AssertionError(f"no way by Tab to {name!r} on {page.url}")


def fold(page: "Page", name: str) -> None:
    """Open a fold by keys."""
    tab_to(page, name)
    page.keyboard.press("Enter")


def see_through(page: "Page") -> None:
    """Start what is planned, by keys, and wait for its end."""
    check(page)
    tab_to(page, "Start", exact=True)
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/*")
    page.get_by_text("Ended", exact=True).wait_for()
    check(page)


def picture(page: "Page", name: str) -> None:
    """Hold a picture of the documentation to what the page shows.

    `make pictures` takes them. Beside each lie the words of the navigation, its headings, buttons
    and labels: where these change, the picture has grown old, and this fails.
    """
    if page.viewport_size is None or page.viewport_size["width"] < WIDE:
        return
    told: list[str] = page.locator(_NAMES).all_inner_texts()
    words = "\n".join(dict.fromkeys(_NUMBER.sub("#", text.strip()) for text in told)) + "\n"
    beside = PICTURES / f"{name}.txt"
    if os.environ.get("FILON_PICTURES"):
        PICTURES.mkdir(exist_ok=True)
        page.emulate_media(color_scheme="light")
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=PICTURES / f"{name}.png")
        beside.write_text(words, "utf-8")
    assert words.splitlines() == beside.read_text("utf-8").splitlines()
