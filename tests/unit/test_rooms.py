"""The rooms of the house: what is generic speaks of no verb."""

import re
from pathlib import Path

import pytest

import filon
from filon.verbs.registry import VERBS

HOME = Path(filon.__file__).parent
GENERIC = ("core", "guards", "learn", "page", "portals", "run", "services", "web")
#: Words that mean something else here: links are followed, OAI-PMH speaks of harvesters.
_OTHERWISE = re.compile(r"\bharvester|can be harvested|discovery API")
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


def test_urls_are_split_in_one_place_which_never_raises() -> None:
    splitting = re.compile(r"\burl(?:split|join|parse)\b(?!\.)|\burllib\.parse\.")
    found = {
        str(path.relative_to(HOME))
        for path in HOME.rglob("*.py")
        if splitting.search(path.read_text("utf-8"))
    }
    assert found == {str(Path("page") / "url.py")}


def test_every_folder_of_unit_tests_has_its_room() -> None:
    here = Path(__file__).parent
    holding = {path.parent.relative_to(here) for path in here.rglob("test_*.py")}
    assert [str(folder) for folder in sorted(holding) if not (HOME / folder).is_dir()] == []
