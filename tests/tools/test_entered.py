"""The count of files that a run enters before its first request."""

import sys

import pytest

from tools.entered import COMMANDS, PACKAGE, Watch, entered

#: Files that a reader can be asked to follow.
MOST, MOST_OF_HARVEST = 50, 35


def test_the_rooms_of_a_harvest_are_entered_up_to_the_web() -> None:
    files = entered("harvest")
    assert len(files) == len(set(files)) <= MOST_OF_HARVEST
    assert {"cli/commands.py", "verbs/harvest/__init__.py", "web/live.py"} <= set(files)
    assert not [file for file in files if file.startswith(("demo/", "verbs/enrich/"))]
    assert "web/exchange.py" not in files  # the first request goes there, and no sooner


@pytest.mark.parametrize("verb", [verb for verb in COMMANDS if verb != "harvest"])
def test_every_verb_gets_to_its_first_request(verb: str) -> None:
    files = entered(verb)
    assert f"verbs/{verb}/__init__.py" in files
    assert len(files) <= MOST
    assert not [file for file in files if file.startswith("verbs/harvest/strategies/")]


def test_what_runs_while_a_module_is_imported_does_not_count() -> None:
    made: dict[str, object] = {}
    source = "def one(): return 1\nvalue = one()\nclass Kind:\n    other = one()\n"
    watch = Watch()
    sys.setprofile(watch)
    exec(compile(source, f"{PACKAGE}made.py", "exec"), made)
    sys.setprofile(None)
    assert watch.files == {}
    sys.setprofile(watch)
    made["one"]()  # type: ignore[operator]
    sys.setprofile(None)
    assert list(watch.files) == ["made.py"]
