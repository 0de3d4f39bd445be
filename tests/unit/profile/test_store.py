"""profiles.sqlite in a run folder: each file once, whatever happens in between."""

from pathlib import Path

import pytest

from filon.core import Find, Request, Response, Step, UserError
from filon.profile.shape import Profile
from filon.profile.store import Found, Profiles
from filon.profile.worker import NOT_INSTALLED
from filon.run.folder import RunFolder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    bodies = {"a.csv": b"a,b\n1,2\n3,4\n", "same.csv": b"a,b\n1,2\n3,4\n", "b.pdf": b"%PDF-1.7"}
    with RunFolder.create(tmp_path / "run", {}) as run:
        for name, body in bodies.items():
            url = f"http://a.test/{name}"
            step = Step(request=Request(url=url))
            found = Find(kind="file", url=url, name=name, mime="")
            answer = Response(url=url, status=200, body=body, size_bytes=len(body))
            run.record(run.begin(step), step, answer, [found], idle=False)
    return tmp_path / "run"


def test_each_file_is_profiled_once(run: Path) -> None:
    with Profiles(run) as profiles:
        assert [found.name for found in profiles.missing()] == ["a.csv", "b.pdf"]
        assert profiles.make() == 2
        assert profiles.make() == 0
        assert [(found.name, told.problem) for found, told in profiles] == [
            ("a.csv", ""),
            ("b.pdf", "damaged"),
        ]


def test_what_was_read_before_an_interruption_stays(run: Path) -> None:
    def stop(found: Found, told: Profile) -> None:
        raise KeyboardInterrupt

    with Profiles(run) as profiles, pytest.raises(KeyboardInterrupt):
        profiles.make(stop)
    with Profiles(run) as profiles:
        assert [found.name for found in profiles.missing()] == ["b.pdf"]
        assert profiles.make() == 1


def test_what_lacked_a_library_is_read_again(run: Path) -> None:
    with Profiles(run) as profiles:
        profiles.make()
        first = profiles.files()[0].sha256
        profiles._put(Profile(sha256=first, problem=NOT_INSTALLED, detail="It needs a library."))
        assert [found.sha256 for found in profiles.missing()] == [first]
        assert profiles.make() == 1
        assert profiles.make() == 0


def test_a_file_that_is_gone_is_told(run: Path) -> None:
    for path in (run / "files").rglob("*"):
        if path.is_file():
            path.unlink()
    with Profiles(run) as profiles:
        profiles.make()
        assert {told.problem for _, told in profiles} == {"unreadable"}


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a run"):
        Profiles(tmp_path)
