from pathlib import Path
from typing import Any

import pytest

from filon.cli import run
from filon.cli.app import COMMANDS, load
from filon.cli.commands import gather, words
from filon.core import UserError
from filon.verbs.enrich import EnrichSettings
from filon.verbs.follow import FollowSettings
from filon.verbs.harvest import HarvestSettings
from filon.verbs.registry import VERBS


def asked(name: str, *typed: str) -> dict[str, Any]:
    """Return the settings that are asked for by what is typed after `filon NAME`."""
    command = load(name)
    with command.make_context(name, list(typed)) as context:
        given = dict(context.params)
    return gather(VERBS.find(name)().settings, given, given.get("config"))


def test_only_what_was_given_counts() -> None:
    assert asked("harvest", "example.org", "--dry-run", "--json") == {"url": "example.org"}


def test_flags_have_the_words_of_the_settings() -> None:
    switches = ("--no-robots", "--no-cookies", "--insecure", "--no-portals")
    typed = ("--delay", "0.5", "--max-size", "2MB", "--set", "alpha=1.5", "--set", "model=nb")
    more = ("--connect-to", "::a:1", "--connect-to", "b::c:", "--ca-file", "roots.pem")
    assert asked("harvest", "a.test", *switches, *typed, *more) == {
        "url": "a.test",
        "delay": 0.5,
        "max_size": 2_000_000,
        "robots": False,
        "cookies": False,
        "insecure": True,
        "portals": False,
        "set": {"alpha": 1.5, "model": "nb"},
        "connect_to": ("::a:1", "b::c:"),
        "ca_file": "roots.pem",
    }


def test_a_file_is_read_and_flags_win(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(
        'budget = 300\ndelay = 2\nconnect-to = "::a:1"\nmax_size = "1kB"\nout = "here"\n'
        "robots = false\n[set]\nalpha = 2\n"
    )
    assert asked("harvest", "a.test", "--delay", "3", "--config", str(file)) == {
        "url": "a.test",
        "budget": "300",
        "delay": 3.0,
        "connect_to": ("::a:1",),
        "max_size": 1000,
        "out": "here",
        "robots": False,
        "set": {"alpha": 2},
    }


def test_a_file_may_use_old_words(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('from = "openalex"\ndelay_s = 2\nverify_tls = false\nadd = ["doi", "year"]\n')
    assert gather(EnrichSettings, {}, file) == {
        "source": "openalex",
        "delay": 2,
        "insecure": True,
        "add": "doi,year",
    }


def test_a_file_holds_only_what_can_be_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("since_s = 3\n")
    with pytest.raises(UserError, match="no option"):
        gather(EnrichSettings, {}, file)


@pytest.mark.parametrize("text", ["500", "5req", "fast", "", "-1MB"])
def test_a_size_needs_its_unit(text: str) -> None:
    with pytest.raises(UserError):
        asked("harvest", "a.test", "--max-size", text)


def test_headers_in_a_file_stay_out_of_the_list_of_processes(tmp_path: Path) -> None:
    (tmp_path / "h").write_text("A: b\n\nC: d\n")
    typed = ("--header", f"@{tmp_path / 'h'}", "--header", "E: f")
    assert asked("harvest", "a.test", *typed)["header"] == ("A: b", "C: d", "E: f")


def test_a_file_of_headers_that_cannot_be_read_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(b"\xff\xd8")
    with pytest.raises(UserError, match=r"none cannot be read: No such file or directory\.$"):
        asked("harvest", "a.test", "--header", f"@{tmp_path / 'none'}")
    with pytest.raises(UserError, match=r"picture is not a text with one header a line\.$"):
        asked("harvest", "a.test", "--header", f"@{tmp_path / 'picture'}")


def test_a_list_of_sites_that_is_empty_is_told_as_one_of_sites(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("# nothing\n")
    with pytest.raises(UserError, match=r"none\.txt holds no address of a site\.$"):
        asked("acquire", "--sites", str(tmp_path / "none.txt"))


@pytest.mark.parametrize(
    ("name", "usage"),
    [
        ("harvest", "[URL] [URL]..."),
        ("follow", "[URI]..."),
        ("acquire", "[TOPIC]..."),
        ("learn", "{RUN}..."),
        ("list", "[FOLDER]"),
    ],
)
def test_a_usage_line_has_each_bracket_once(
    name: str, usage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run([name, "--help"])
    assert f"filon {name} [OPTIONS] {usage} " in capsys.readouterr().out


def test_seeds_are_typed_and_stand_in_a_file(tmp_path: Path) -> None:
    first, second = "http://example.org/1", "http://example.org/2"
    (tmp_path / "s.txt").write_text(f"{second}\n")
    assert asked("follow", first, "--seeds", str(tmp_path / "s.txt"))["seeds"] == (first, second)
    assert FollowSettings.from_words({"seeds": [first, tmp_path / "s.txt"]}).seeds == (
        first,
        second,
    )


def test_a_topic_is_words() -> None:
    assert asked("discover", "food", "security", "--language", "fr, es") == {
        "topic": "food security",
        "language": ("fr", "es"),
    }


def test_every_word_of_a_file_is_a_flag() -> None:
    for name in VERBS:
        flags = {flag for parameter in load(name).params for flag in parameter.opts}
        for word in words(VERBS.find(name)().settings) if "--config" in flags else ():
            assert flags & {f"--{word}", f"--no-{word}"}, f"{name}: {word}"


def test_the_list_of_commands_says_what_each_says_itself() -> None:
    for name, (_, line) in COMMANDS.items():
        assert load(name).help.partition("\n\n")[0].replace("\n", " ") == line, name


def test_few_words_are_checked() -> None:
    with pytest.raises(UserError, match="way to stop"):
        HarvestSettings.from_words({"url": "a.test", "stop": "soon"})


def test_ctrl_c_that_python_wraps_in_an_error_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        """As a class that is made when Ctrl-C is typed: Python 3.11 raises a RuntimeError."""

        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    def start(*_: Any, **__: Any) -> None:
        type("Loading", (), {"field": Interrupted()})

    monkeypatch.setattr("filon.cli.app.app", start)
    assert run(["list"]) == 130
    assert capsys.readouterr().err == "filon: Interrupted.\n"
