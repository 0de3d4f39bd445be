"""The rooms of the house: what is generic speaks of no verb."""

import re
from pathlib import Path

import pytest

import filon
from filon.verbs.registry import VERBS

HOME = Path(filon.__file__).parent
GENERIC = (
    *("core", "guards", "learn", "page", "portals", "run", "services", "web"),
    *("profile", "catalog"),
)
#: Words that mean something else here: links are followed, OAI-PMH speaks of harvesters, and a page
#: may name another that takes its place.
_OTHERWISE = re.compile(r"\bharvester|can be harvested|discovery API|http-equiv.*refresh")
_NAMED = re.compile(rf"filon[ .](?:verbs\b|{'|'.join(VERBS)})|\b(?:{'|'.join(VERBS)})\b", re.I)


@pytest.mark.parametrize("room", GENERIC)
def test_a_generic_room_names_no_verb(room: str) -> None:
    named = [
        f"{path.relative_to(HOME)}:{number}: {line.strip()}"
        for path in sorted((HOME / room).rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if _NAMED.search(_OTHERWISE.sub("", line)) and not _is_of_links(line)
    ]
    assert named == []


def _is_of_links(line: str) -> bool:
    """Say whether the only verb in a line is what one does with links and redirects."""
    rest = re.sub(r"\bfollow\b(?!\s*(?:URI|verb))", "", line)
    return not _NAMED.search(rest) and "filon follow" not in line


def test_runs_are_dispatched_alike_whatever_their_verb_is() -> None:
    """It is known which verbs begin a run, and how a round goes on; all else a verb says itself."""
    asked = re.compile(rf"\"(?:{'|'.join({*VERBS} - {'refresh'})})\"")
    named = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted((HOME / "dispatch").rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if asked.search(line) and not line.strip().startswith((">>>", "...", "BEGINS = "))
    ]
    assert named == []


def test_urls_are_split_in_one_place_which_never_raises() -> None:
    splitting = re.compile(r"\burl(?:split|join|parse)\b(?!\.)|\burllib\.parse\.")
    found = {
        str(path.relative_to(HOME))
        for path in HOME.rglob("*.py")
        if splitting.search(path.read_text("utf-8"))
    }
    assert found == {str(Path("page") / "url.py")}


def test_every_room_stands_in_the_picture_of_the_house() -> None:
    told = (HOME.parents[1] / "docs/architecture.md").read_text("utf-8")
    rooms = [path.name for path in HOME.iterdir() if (path / "__init__.py").exists()]
    assert [room for room in sorted(rooms) if f"\n  {room}/ " not in told] == []


def test_every_folder_of_unit_tests_has_its_room() -> None:
    here = Path(__file__).parent
    holding = {path.parent.relative_to(here) for path in here.rglob("test_*.py")}
    assert [str(folder) for folder in sorted(holding) if not (HOME / folder).is_dir()] == []


#: Tests of no module: of the package as a whole.
OF_ALL = {
    "test_api": "the public names, which filon/__init__.py takes from every verb",
    "test_rooms": "the rooms themselves",
}


def test_every_test_file_is_named_after_what_it_tests() -> None:
    """A module or a package, `test_NAME.py`; an aspect of one, `test_NAME_ASPECT.py`."""
    here = Path(__file__).parent
    strange = [
        str(path.relative_to(here))
        for path in sorted(here.rglob("test_*.py"))
        if not _mirrors(path.relative_to(here)) and path.stem not in OF_ALL
    ]
    assert strange == []


def _mirrors(path: Path) -> bool:
    room, words = HOME / path.parent, path.stem.split("_")[1:]
    known = {each.stem for each in room.iterdir()} | {room.name}
    return any("_".join(words[:count]) in known for count in range(1, len(words) + 1))
