"""What answers of rounds tell of files and pages: each compared with what was known."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from filon.core import Find, Reason, Request, Response, Step
from filon.run import history
from filon.run.folder import RunFolder
from filon.run.history import HISTORY, History, next_number, rounds, run_of, runs_before

SITE = "http://a.test/"
PAGE = b"<!doctype html><p>Figures of <b>%d</b> towns <a href=/a.csv>a</a> <a href=/b.csv>b</a>"
LOGIN = b"<!doctype html><form><input name=who><input type=password></form>"
SOON = b"<!doctype html><h1>We are back soon</h1><p>Our site is being worked on.</p>"
Answer = dict[str, Any]


def write(path: Path, day: int, *answers: Answer) -> None:
    """Write a run: each answer by its address, status, headers and body; find: it is kept."""
    with RunFolder.create(path, {}) as store:
        for answer in answers:
            url, body = SITE + answer["at"], answer.get("body", b"")
            mime = answer.get("mime", "text/html" if body.startswith(b"<!") else "text/csv")
            why = Reason(kind=answer.get("kind", "look"))
            step = Step(request=Request(url=url), parent=answer.get("parent", ""), reason=why)
            response = Response(
                url=url,
                status=answer.get("status", 200),
                headers=(("Content-Type", mime), *answer.get("headers", {}).items()),
                body=body,
                error=answer.get("error", ""),
                size_bytes=len(body),
                at_s=day * 86_400.0,
            )
            is_file = answer.get("find", bool(body) and mime == "text/csv")
            parent = answer.get("parent", "")
            found = [Find(kind="file", url=url, name=answer["at"], parent=parent)]
            finds = found if is_file else []
            store.record(store.begin(step), step, response, finds, idle=False)


def file(name: str, body: bytes = b"x,y\n1,2\n", **more: Any) -> Answer:
    return {"at": name, "body": body, "parent": SITE, **more}


def told(run: Path) -> list[tuple[str, str, int]]:
    with History(run) as known:
        changes = known.changes()
    return [(one["what"], one["url"].removeprefix(SITE), one["round"]) for one in changes]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A page with two files."""
    page = {"at": "", "body": PAGE % 7}
    tagged = {"ETag": '"1"', "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"}
    write(tmp_path / "run", 1, page, file("a.csv", headers=tagged), file("b.csv", b"p,q\n3,4\n"))
    return tmp_path / "run"


def test_what_is_known_before_the_first_round(run: Path) -> None:
    with History(run) as known:
        page, a, b = known.things(1)
        assert list(known.looks(1)) == []
    assert (page.kind, a.kind, b.kind) == ("page", "file", "file")
    assert page.weight == pytest.approx(2.0)
    assert (a.etag, a.modified[:3], b.etag) == ('"1"', "Mon", "")
    assert told(run) == []


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ({"at": "a.csv", "status": 304}, []),
        (file("a.csv"), []),
        (file("a.csv", b"x,y\n1,3\n"), ["changed"]),
        ({"at": "a.csv", "status": 404}, ["vanished"]),
        ({"at": "a.csv", "status": 410}, ["vanished"]),
        ({"at": "a.csv", "status": 503}, []),
        ({"at": "a.csv", "status": 0, "error": "timeout"}, []),
        ({"at": "a.csv", "body": b"<!doctype html>It is no longer here"}, ["vanished"]),
        ({"at": "a.csv", "body": LOGIN}, []),
        ({"at": "a.csv", "body": b"Access denied", "find": False}, ["vanished"]),
        ({"at": "a.csv", "body": b"", "find": False}, []),
        ({**file("a.csv"), "find": False}, []),
        ({**file("a.csv"), "find": False, "mime": "text/html"}, []),
        ({"at": "a.csv", "status": 302, "headers": {"Location": "/nobody-asked"}}, []),
        ({"at": "b.csv", "status": 304}, []),
        (file("new.csv", b"n\n1\n"), ["new"]),
    ],
)
def test_an_answer_tells(run: Path, answer: Answer, what: list[str]) -> None:
    write(run / "rounds/0001", 2, answer)
    assert [one for one, _, _ in told(run)] == what


def test_an_answer_without_cause_says_nothing(run: Path) -> None:
    write(run / "rounds/0001", 2, {"at": "b.csv", "status": 304}, {"at": "a.csv", "status": 404})
    write(run / "rounds/0002", 3, {"at": "a.csv", "status": 304})
    with History(run) as known:
        assert known.counts(1) == {"failed": 1, "vanished": 1}
        assert known.counts(2) == {"failed": 1}


@pytest.mark.parametrize(
    "answers",
    [
        [{"at": "a.csv", "body": SOON}, {"at": "b.csv", "body": SOON}],
        [{"at": "", "body": SOON}, {"at": "a.csv", "body": SOON}, {"at": "b.csv", "status": 404}],
        [
            {"at": "a.csv", "status": 302, "headers": {"Location": "/soon"}},
            {"at": "soon", "body": SOON, "kind": "redirect"},
            {"at": "b.csv", "status": 302, "headers": {"Location": "/soon"}},
            {"at": "", "status": 302, "headers": {"Location": "/soon"}},
        ],
        [
            {"at": "a.csv", "status": 302, "headers": {"Location": "/login"}},
            {"at": "login", "body": LOGIN, "kind": "redirect"},
            {"at": "", "body": PAGE % 7},
        ],
        [
            {"at": "a.csv", "status": 302, "headers": {"Location": "/c.csv"}},
            {"at": "c.csv", "status": 302, "headers": {"Location": "/a.csv"}, "kind": "redirect"},
        ],
    ],
)
def test_a_site_that_is_closed_for_now_has_lost_nothing(run: Path, answers: list[Answer]) -> None:
    write(run / "rounds/0001", 2, *answers)
    assert ("vanished", "a.csv", 1) not in told(run)
    with History(run) as known:
        page = known.things(2)[0]
        assert known.counts(1)["failed"] >= 1
    assert page.weight == pytest.approx(2.0)  # what was known of it is not lost


def test_a_page_in_place_of_some_files_says_that_they_are_gone(run: Path) -> None:
    gone = b"<!doctype html><h1>Sorry</h1><p>There is no such thing here.</p>"
    answers = [{"at": name, "body": gone} for name in ("a.csv", "b.csv")]
    write(run / "rounds/0001", 2, {"at": "", "body": PAGE % 7}, *answers)
    assert told(run) == [("vanished", "a.csv", 1), ("vanished", "b.csv", 1)]


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"x,y\n1,2\n", [("moved", "a.csv", 1)]),
        (b"x,y\n1,3\n", [("moved", "a.csv", 1), ("new", "c.csv", 1)]),
    ],
)
def test_where_a_file_is_sent_on_to_is_where_it_moved(
    run: Path, body: bytes, what: list[tuple[str, str, int]]
) -> None:
    sent_on = {"at": "a.csv", "status": 301, "headers": {"Location": "/c.csv"}}
    write(run / "rounds/0001", 2, sent_on, file("c.csv", body, kind="redirect"))
    assert told(run) == what
    write(run / "rounds/0002", 3, sent_on, file("c.csv", body, kind="redirect"))
    assert told(run) == what


def test_what_is_sent_home_is_gone(run: Path) -> None:
    sent_home = {"at": "a.csv", "status": 301, "headers": {"Location": "/"}}
    home = {"at": "", "body": PAGE % 7, "kind": "redirect"}
    write(run / "rounds/0001", 2, sent_home, home, file("b.csv", b"p,q\n3,4\n"))
    assert told(run) == [("vanished", "a.csv", 1)]


def test_what_is_sent_on_to_another_known_file_is_gone(run: Path) -> None:
    sent_on = {"at": "a.csv", "status": 301, "headers": {"Location": "/b.csv"}}
    write(run / "rounds/0001", 2, sent_on, file("b.csv", b"p,q\n3,4\n", kind="redirect"))
    assert told(run) == [("vanished", "a.csv", 1)]


def test_what_failed_at_first_is_asked_for_some_times_and_then_new(tmp_path: Path) -> None:
    run = tmp_path / "run"
    failed = [{"at": "a.csv", "status": 503}, {"at": "b.csv", "status": 0, "error": "timeout"}]
    write(run, 1, *failed, {"at": "c.csv", "status": 404}, {"at": "d.csv", "status": 403})
    with History(run) as known:
        assert [thing.url.removeprefix(SITE) for thing in known.things(1)] == ["a.csv", "b.csv"]
    write(run / "rounds/0001", 2, file("a.csv"), failed[1])
    assert told(run) == [("new", "a.csv", 1)]
    for number in (2, 3):
        write(run / f"rounds/{number:04}", 1 + number, failed[1])
    with History(run) as known:
        assert [thing.url.removeprefix(SITE) for thing in known.things(3)] == ["a.csv", "b.csv"]
        assert [thing.url.removeprefix(SITE) for thing in known.things(4)] == ["a.csv"]


def test_what_is_gone_here_and_the_same_elsewhere_has_moved(run: Path) -> None:
    write(run / "rounds/0001", 2, {"at": "a.csv", "status": 404}, file("c.csv"))
    assert told(run) == [("moved", "a.csv", 1)]
    with History(run) as known:
        (change,) = known.changes()
        things = {thing.url: thing.is_gone for thing in known.things(2)}
    assert change["to"] == f"{SITE}c.csv"
    assert (things[f"{SITE}a.csv"], things[f"{SITE}c.csv"]) == (True, False)


def test_what_moved_is_told_whichever_address_is_looked_at_first(run: Path) -> None:
    write(run / "rounds/0001", 2, file("c.csv"), {"at": "b.csv", "status": 404})
    write(run / "rounds/0002", 3, {"at": "a.csv", "status": 404}, file("d.csv", b"p,q\n3,4\n"))
    assert told(run) == [
        ("new", "c.csv", 1),
        ("vanished", "b.csv", 1),
        ("moved", "a.csv", 2),
        ("new", "d.csv", 2),
    ]
    with History(run) as known:
        moved, new = known.changes()[2:]
    assert moved["to"] == f"{SITE}c.csv"
    assert new["before"] == f"{SITE}b.csv"


def test_what_stays_away_is_told_once_and_what_comes_back_is_told(run: Path) -> None:
    for number, status in enumerate((404, 404, 503, 200, 304), start=1):
        answer = file("a.csv") if status == 200 else {"at": "a.csv", "status": status}
        write(run / f"rounds/{number:04}", 1 + number, answer)
    assert told(run) == [("vanished", "a.csv", 1), ("back", "a.csv", 4)]


def test_a_page_is_the_same_where_only_its_clock_moved(run: Path) -> None:
    clock = b"<p>Last updated: 2 May 2026, 10:%02d</p>"
    write(run / "rounds/0001", 2, {"at": "", "body": PAGE % 7 + clock % 1})
    write(run / "rounds/0002", 3, {"at": "", "body": PAGE % 7 + clock % 2})
    write(run / "rounds/0003", 4, {"at": "", "body": PAGE % 8 + clock % 3})
    with History(run) as known:
        outcomes = [look.outcome for look in known.looks(9) if look.kind == "page"]
    assert outcomes[1:] == ["same", "changed"]


def test_a_page_has_brought_what_is_new_on_it_and_behind_it(run: Path) -> None:
    page, more = {"at": "", "body": PAGE % 8}, {"at": "more", "body": PAGE % 9, "parent": SITE}
    new = file("c.csv", b"n\n1\n", parent=f"{SITE}more")
    write(run / "rounds/0001", 2, page, more, new, file("a.csv", b"x,y\n1,3\n"))
    write(run / "rounds/0002", 3, page, file("a.csv", b"x,y\n1,4\n"))
    with History(run) as known:
        brought = [look.brought for look in known.looks(9) if look.url == SITE]
        things = {thing.url: thing for thing in known.things(9)}
    assert brought == [1, 0]  # a known file that changed is nothing new on its page
    assert things[f"{SITE}more"].weight > 0.0


def test_the_history_is_made_anew_at_any_time(run: Path) -> None:
    write(run / "rounds/0001", 2, file("a.csv", b"x,y\n1,3\n"))
    before = told(run)
    (run / HISTORY).write_bytes(b"no database")
    assert told(run) == before
    (run / HISTORY).unlink()
    assert told(run) == before


def test_a_history_of_an_older_version_is_made_anew_but_for_differences(run: Path) -> None:
    write(run / "rounds/0001", 2, file("a.csv", b"x,y\n1,3\n"))
    before = told(run)
    with History(run) as known:
        known.keep_difference("1", "2", {"text": "a row"})
    with sqlite3.connect(run / HISTORY) as db:
        db.execute("UPDATE looks SET outcome = 'vanished'")
        db.execute("PRAGMA user_version = 2")
    assert told(run) == before
    with History(run) as known:
        assert known.difference("1", "2") == {"text": "a row"}


def test_where_nothing_may_be_written_it_is_told_all_the_same(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(run) == []
    write(run / "rounds/0001", 2, file("a.csv", b"x,y\n1,3\n"))
    connect = history._connect

    def read_only(path: str) -> Any:
        db = connect(path)
        db.execute(f"PRAGMA query_only = {path != ':memory:'}")
        return db

    monkeypatch.setattr(history, "_connect", read_only)
    assert told(run) == [("changed", "a.csv", 1)]


def test_a_round_sees_what_was_known_before_it_whatever_came_since(run: Path) -> None:
    write(run / "rounds/0001", 2, file("a.csv", b"x,y\n1,3\n"), {"at": "b.csv", "status": 404})
    write(run / "rounds/0002", 3, file("a.csv", b"x,y\n1,4\n"))
    with History(run) as known:
        first, second = known.things(1), known.things(2)
    assert [thing.is_gone for thing in first] == [False, False, False]
    assert [thing.is_gone for thing in second] == [False, False, True]
    assert first[1].sha256 != second[1].sha256
    assert [path.name for path in rounds(run)] == ["0001", "0002"]
    assert run_of(run / "rounds/0002") == run


def test_copies_of_rounds_are_none_and_the_ten_thousandth_is_after_the_rest(run: Path) -> None:
    for number, name in enumerate(("0001", "9999", "10000")):
        write(run / "rounds" / name, 2 + number, file("a.csv", b"x,y\n1,%d\n" % (3 + number)))
    for copy in ("0001.bak", "copy of 0001", "1", "00001"):
        shutil.copytree(run / "rounds/0001", run / "rounds" / copy)
    assert [path.name for path in rounds(run)] == ["0001", "9999", "10000"]
    assert [round for _, _, round in told(run)] == [1, 9_999, 10_000]
    assert next_number(run) == 10_001
    assert [path.name for path in runs_before(run / "rounds/10000")[1:]] == ["0001", "9999"]


def test_dates_are_those_that_the_run_itself_saw(run: Path) -> None:
    later = {"headers": {"Last-Modified": "Mon, 02 Nov 2026 07:00:00 GMT"}}
    write(run / "rounds/0001", 2, file("a.csv", b"x\n3\n") | later, file("c.csv", b"x\n") | later)
    with History(run) as known:
        (dated,) = [one for one in known.dates() if one.url != f"{SITE}b.csv"]
    assert (dated.url, dated.at_s) == (f"{SITE}a.csv", 86_400.0)
    assert dated.modified == "Mon, 01 Jan 2024 00:00:00 GMT"


def test_of_contents_each_is_told_with_its_time(run: Path) -> None:
    write(run / "rounds/0001", 2, file("a.csv", b"x,y\n1,3\n"))
    write(run / "rounds/0002", 3, file("a.csv", b"x,y\n1,3\n"))
    with History(run) as known:
        held = dict(known.contents())
    assert [at_s / 86_400 for _, at_s in held[f"{SITE}a.csv"]] == [1, 2]
