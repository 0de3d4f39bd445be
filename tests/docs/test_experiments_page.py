"""docs/experiments.md: every table says which command makes it, and the commands can be typed."""

import re
import shlex

import pytest

from command import finish, start_python
from docs.pages import ROOT, blocks
from docs.reader import typed

PAGE = ROOT / "docs/experiments.md"
_SECTION = re.compile(r"^(?=##+ )", re.M)
_TABLE = re.compile(r"^\s*\| ?-{3}", re.M)
_ABOVE = "(#how-to-repeat-it)"
#: Programs of the experiments, with all options that the page gives them.
PROGRAMS: dict[str, set[str]] = {}
for _words in (shlex.split(line) for block in blocks(PAGE) for line in typed(block)):
    if _words[:2] == ["python", "-m"] and (_options := {w for w in _words if w.startswith("--")}):
        PROGRAMS.setdefault(_words[2], set()).update(_options)


def _says_how(section: str) -> bool:
    return "```sh\n" in section or _ABOVE in section


def test_every_section_with_a_table_names_the_command_that_makes_it() -> None:
    """It has one, it points to the one for all, or the chapter that it is in does."""
    without, chapter, tables = [], "", 0
    for section in _SECTION.split(PAGE.read_text("utf-8"))[1:]:
        if section.startswith("## "):
            chapter = section
        if _TABLE.search(section):
            tables += 1
            if not (_says_how(section) or _says_how(chapter)):
                without.append(section.splitlines()[0])
    assert tables > 20
    assert without == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_knows_the_options_that_the_page_gives_it(program: str) -> None:
    ended = finish(start_python(ROOT, "-m", program, "--help"))
    assert ended.code == 0, ended.err
    assert PROGRAMS[program] - set(re.findall(r"--[\w-]+", ended.out)) == set()
