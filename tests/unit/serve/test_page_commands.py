"""Each page shows the command line that does the same, and that command line works."""

import html
import re
import shlex
import shutil
from pathlib import Path

import pytest

from fake_run import FakeRun
from filon.cli import run
from unit.catalog.conftest import runs, store
from unit.serve.test_fleets import make
from unit.serve.visitor import Browser, visiting

__all__ = ["runs", "store"]
_LINK = re.compile(r'href="(/[^"#]*)')
_SHELL = re.compile(r"<pre[^>]*><code>(.*?)</code></pre>", re.S)
#: Not pages of ours: files, and what programs read.
_NO_PAGE = re.compile(r"/(static|kept|export|download|openapi)[/.?]|/original$|[?&]as=")
#: Pages that differ in these alone are of one kind.
_NAMED = re.compile(r"[0-9a-f]{12,}|\d+|(?<==)[^&]*")
#: Commands that ask a person, never end, or are of another program.
_NOT_RUN = re.compile(r"filon (review|watch)|keyring|curl")


async def everywhere(browser: Browser) -> dict[str, str]:
    """Return a page of each kind that links lead to, by their addresses."""
    waiting, found, kinds = ["/"], dict[str, str](), set[str]()
    while waiting:
        address = waiting.pop(0)
        kind = _NAMED.sub("*", address)
        if kind in kinds or _NO_PAGE.search(address):
            continue
        kinds.add(kind)
        found[address] = await browser.text(address)
        waiting += [html.unescape(link) for link in _LINK.findall(found[address])]
    return found


@pytest.fixture(scope="module")
def pages(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a visitor sees of two runs, a fleet and a catalog."""
    home = tmp_path_factory.mktemp("all") / "my runs"
    shutil.copytree(runs, home)
    make(home)
    with FakeRun(home / "example.org-001") as made:
        made.step("http://example.org/")

    return visiting(everywhere, home)


def test_each_page_shows_the_command_that_does_the_same(pages: dict[str, str]) -> None:
    assert len(pages) > 20
    assert [address for address, page in pages.items() if not _SHELL.search(page)] == []


def test_the_commands_that_are_shown_do_something(
    pages: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = [html.unescape(_SHELL.findall(page)[-1]) for page in pages.values()]
    # One of each: two that write would write the same file.
    tried = {tuple(one.split()[:3]): one for one in shown if not _NOT_RUN.match(one)}
    assert len(tried) > 8
    assert [command for command in tried.values() if run(shlex.split(command)[1:]) != 0] == []
