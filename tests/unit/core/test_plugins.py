import sys
from pathlib import Path

import pytest

from filon.core import MachineError, UserError
from filon.core.plugins import Registry


@pytest.fixture
def errors() -> Registry[type[Exception]]:
    return Registry("error", "filon.no-such-group", {"user": "filon.core.errors:UserError"})


def test_ours_have_their_short_name(errors: Registry[type[Exception]]) -> None:
    assert errors.name_of(UserError) == "user"
    assert errors["user"] is UserError
    assert [*errors] == ["user"]


def test_what_can_be_imported_is_found_again_by_its_path(
    errors: Registry[type[Exception]],
) -> None:
    path = errors.name_of(MachineError)
    assert path == "filon.core.errors:MachineError"
    other: Registry[type[Exception]] = Registry("error", "filon.no-such-group", {})
    assert other[path] is MachineError


def test_what_cannot_be_imported_is_held_by_this_registry_only(
    errors: Registry[type[Exception]],
) -> None:
    class Mine(Exception):  # noqa: N818
        pass

    path = errors.name_of(Mine)
    assert "<locals>.Mine" in path
    assert errors[path] is Mine
    other: Registry[type[Exception]] = Registry("error", "filon.no-such-group", {})
    with pytest.raises(UserError) as refusal:
        other.find(path)
    assert str(refusal.value) == (
        "The error Mine was handed over in Python and cannot be imported: "
        "hand it over again, as filon.resume(run, error=Mine)."
    )


def test_a_class_that_was_replaced_in_its_module_is_held(
    errors: Registry[type[Exception]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "replaced_errors.py").write_text("class Mine(Exception): pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    import replaced_errors  # type: ignore[import-not-found]

    first = replaced_errors.Mine
    monkeypatch.setattr(replaced_errors, "Mine", KeyError)
    assert errors[errors.name_of(first)] is first
    del sys.modules["replaced_errors"]


def test_a_path_that_leads_nowhere_is_a_users_error(errors: Registry[type[Exception]]) -> None:
    with pytest.raises(UserError, match=r"The error no_such\.module:X cannot be loaded: No module"):
        errors.find("no_such.module:X")
    with pytest.raises(UserError, match="no error 'usr'"):
        errors.find("usr")


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another package, as an installer leaves it: one of its modules cannot be imported."""
    (tmp_path / "stranger_things.py").write_text("class Tide: pass\nclass Ebb: pass\n")
    (tmp_path / "stranger_broken.py").write_text("raise ValueError('no moon.')\n")
    about = tmp_path / "stranger-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[filon.tries]\n"
        "harvest.tide = stranger_things:Tide\n"
        "follow.ebb = stranger_things:Ebb\n"
        "harvest.bfs = stranger_things:Ebb\n"
        "harvest.broken = stranger_broken:Broken\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_verb_sees_what_packages_name_after_it_and_our_names_stay_ours(stranger: Path) -> None:
    ours = {"bfs": "filon.core.errors:UserError"}
    known: Registry[type] = Registry("strategy", "filon.tries", ours, within="harvest")
    assert [*known] == ["bfs", "tide", "broken"]
    assert known["tide"].__name__ == "Tide"
    assert known["bfs"] is UserError
    assert "ebb" not in known


def test_what_is_broken_is_told_by_name_and_keeps_nobody_from_the_rest(stranger: Path) -> None:
    known: Registry[type] = Registry("strategy", "filon.tries", {}, within="harvest")
    assert [*known.sound()] == ["tide", "bfs"]
    with pytest.raises(UserError) as refusal:
        known.find("broken")
    assert str(refusal.value) == (
        "The strategy broken of the package stranger (stranger_broken:Broken) cannot be loaded: "
        "ValueError: no moon."
    )


def test_a_name_of_two_packages_means_neither(stranger: Path) -> None:
    about = stranger / "other-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[filon.tries]\nharvest.tide = stranger_things:Ebb\n")
    known: Registry[type] = Registry("strategy", "filon.tries", {}, within="harvest")
    with pytest.raises(UserError, match=r"more than one strategy, of the package .+ and the pack"):
        known.find("tide")
    assert known.find("stranger_things:Tide").__name__ == "Tide"
    assert "tide" not in known.sound()


def test_what_a_stranger_makes_has_what_its_kind_has() -> None:
    known: Registry[type] = Registry("clock", "filon.no-such-group", {})
    assert known.make("builtins:list", "ab", "sort") == ["a", "b"]
    with pytest.raises(UserError, match=r"The clock builtins:list cannot be used: it is no clock"):
        known.make("builtins:list", "ab", "tick")
    with pytest.raises(UserError, match="cannot be used: ValueError: invalid literal"):
        known.make("builtins:int", "ab")
