"""What mkdocs does not do by itself: the pages at the top of the checkout, the navigation, the API.

docs/README.md is the one list of pages. Its headings are the sections of the navigation, and the
first link of each row of its tables is a page, those in decisions/ apart, which are a section of
their own. A page that it does not list comes last.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
#: Files outside docs/ that are pages of the site, and what they are called there.
TOP = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "LICENSE": "license.md",
}
#: What programs and plugins stand on: the public names, the nouns, and what is there to learn with.
ROOMS = ("filon", "filon.core", "filon.learn", "filon.testing")
_HEADING = re.compile(r"^## (.+)$")
_ROW = re.compile(r"^\| \[([^\]]+)\]\(([^)#:/]+\.md)\)")
_LINK = re.compile(r"\[([^\]\n]+)\]\(([^)#\s:]+)(#[^)\s]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give the navigation."""
    sections, listed = _listed()
    docs = Path(config.docs_dir)
    decisions = sorted(
        docs.glob("decisions/*.md"), key=lambda page: (page.name != "README.md", page)
    )
    sections += _section("Decisions", docs, decisions)
    unlisted = sorted({*docs.glob("*.md")} - {docs / name for name in (*listed, "README.md")})
    sections += _section("More", docs, unlisted)
    api = [{room: _api_page(room)} for room in ROOMS if _source(room)]
    about = [{name.removesuffix(".md").capitalize(): page} for name, page in _tops()[1:]]
    config.nav = ["index.md", *sections, {"Modules": api}, {"Project": about}]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what lies outside docs/, and a page for each room of the API."""
    for name, page in _tops():
        text = (ROOT / name).read_text("utf-8")
        if not name.endswith(".md"):
            text = f"# {name.capitalize()}\n\n```text\n{text}```\n"
        files.append(File.generated(config, page, content=text))
    for room in ROOMS:
        if source := _source(room):
            files.append(File.generated(config, _api_page(room), content=_room(room, source)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Let links lead where their goals are on the site; a file that is no page is only named."""
    uri = page.file.src_uri
    home = next((name for name, at in TOP.items() if at == uri), f"docs/{uri}")
    pages = {**TOP, "docs/README.md": "index.md"}

    def moved(link: re.Match[str]) -> str:
        text, target, anchor = link[1], link[2], link[3] or ""
        goal = posixpath.normpath(posixpath.join(posixpath.dirname(home), target))
        if goal not in pages and not goal.startswith("docs/"):
            return text if (ROOT / goal).exists() else link[0]
        at = pages.get(goal, goal.removeprefix("docs/"))
        return f"[{text}]({posixpath.relpath(at, posixpath.dirname(uri) or '.')}{anchor})"

    return _LINK.sub(moved, markdown)


def _listed() -> tuple[list[Any], set[str]]:
    """Return the sections of docs/README.md, and the pages in them."""
    sections: list[dict[str, list[dict[str, str]]]] = []
    for line in (ROOT / "docs/README.md").read_text("utf-8").splitlines():
        if heading := _HEADING.match(line):
            sections.append({heading[1]: []})
        elif (row := _ROW.match(line)) and sections:
            (pages,) = sections[-1].values()
            pages.append({row[1].replace("`", ""): row[2]})
    kept = [section for section in sections if all(section.values())]
    return kept, {
        at for section in kept for pages in section.values() for p in pages for at in p.values()
    }


def _section(title: str, docs: Path, pages: list[Path]) -> list[Any]:
    names = [page.relative_to(docs).as_posix() for page in pages]
    return [{title: names}] if names else []


def _tops() -> list[tuple[str, str]]:
    return [(name, page) for name, page in TOP.items() if (ROOT / name).is_file()]


def _source(room: str) -> Path | None:
    """Return where a room is: a folder or a file, or nothing where it does not exist."""
    path = ROOT / "src" / room.replace(".", "/")
    return next((each for each in (path, path.with_suffix(".py")) if each.exists()), None)


def _api_page(room: str) -> str:
    return f"modules/{room}.md"


def _room(room: str, source: Path) -> str:
    """Return the page of a room: the public names for `filon` itself, else all its modules."""
    if room == "filon" or source.is_file():
        return f"# {room}\n\n::: {room}\n"
    names = sorted(path.relative_to(source).with_suffix("") for path in source.rglob("*.py"))
    modules = [".".join((room, *name.parts)) for name in names if name.name[0] != "_"]
    return f"# {room}\n\n" + "\n".join(f"::: {module}\n" for module in modules)
