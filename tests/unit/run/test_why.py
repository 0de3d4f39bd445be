import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fake_run import START, FakeRun, database
from filon.core import UserError
from filon.run.chain import chain
from filon.run.why import why

CSV = f"{START}files/a.csv"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "run"
    with FakeRun(path) as fake:
        fake.step(f"{START}robots.txt", kind="robots", mime="text/plain")
        fake.step(START, kind="start", why="it is the start page")
        page = f"{START}topics"
        fake.step(page, parent=START, status=0, error="timeout", detail="30 s", mime="")
        fake.step(page, parent=START, kind="retry", why="the last try failed (timeout)")
        fake.step(f"{START}old", parent=page, status=301, location=f"{START}new", arm="/html/a")
        fake.step(f"{START}new", parent=f"{START}old", kind="redirect", score=1.5, expected=2.25)
        fake.step(CSV, parent=f"{START}new", method="HEAD", kind="head", mime="text/csv")
        fake.find(CSV, b"a,b", name="Zahlen 2024.csv", parent=f"{START}new", why="it ends in .csv")
        fake.step(f"{START}lost", parent=page, status=302, location=f"{START}never")
        fake.step(f"{START}gone", parent=page, status=302, location="/never/there?x")
        fake.step(f"{START}photo", parent=page, mime="image/png", cut="type")
        fake.step(f"{START}slow", parent=page, answered=False)
        told = [{"name": "/html/a", "pulls": 3, "mean": 0.5, "left": 17, "example": START}]
        fake.end("budget", {"arms": told, "skipped": {"calendar": 12}})
    return path


def test_the_chain_goes_from_the_start_page_to_the_url(run: Path) -> None:
    steps = chain(run, CSV)
    assert [step["step"] for step in steps] == [2, 3, 4, 5, 6, 7, 8]
    assert [step["kind"] for step in steps] == [
        "start",
        "link",
        "retry",
        "link",
        "redirect",
        "head",
        "target",
    ]
    assert steps[-1]["find"] == "Zahlen 2024.csv"
    assert steps[0]["find"] is None


def test_each_step_is_told_with_its_reason_and_what_it_got(run: Path) -> None:
    told = why(run, CSV)
    assert told.startswith(f"{CSV}\n  was found as Zahlen 2024.csv, 6 steps from the start.")
    assert f"1. step 2: {START}\n     because it is the start page\n" in told
    assert "got no proper answer: timeout (30 s)" in told
    assert "because the last try failed (timeout)" in told
    assert f"got status 301, which names {START}new" in told
    assert "of the group /html/a" in told
    assert "because the server sent the request on to it; score 1.5; 2.25 finds expected" in told
    assert "step 7 (HEAD)" in told
    assert "because it ends in .csv\n     got status 200, CSV, 3 B, kept as Zahlen 2024.csv" in told


@pytest.mark.parametrize(
    "asked",
    [
        CSV.removeprefix("https://"),
        CSV.replace("https", "http"),
        f"{CSV}#top",
        f" {CSV}/ ",
        "Zahlen 2024.csv",
        "zahlen 2024.CSV",
        "a.csv",
        "/files/a.csv",
        "files/a.csv",
    ],
)
def test_a_url_is_known_by_what_a_person_would_type(run: Path, asked: str) -> None:
    assert chain(run, asked)[-1]["url"] == CSV


def test_a_find_is_known_by_the_beginning_of_its_hash(run: Path) -> None:
    sha256 = database(run / "ledger.sqlite", "SELECT sha256 FROM finds")[0][0]
    assert chain(run, sha256[:8].upper())[-1]["url"] == CSV
    assert chain(run, f"sha256:{sha256}")[-1]["url"] == CSV
    assert chain(run, sha256[:5]) == []


def test_letters_that_a_browser_shows_decoded_are_known(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(f"{START}gr%C3%B6%C3%9Fe", kind="start")
    assert len(chain(tmp_path / "run", f"{START}größe")) == 1


def test_a_link_with_a_password_is_known_as_the_page_has_it(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(START.replace("://", "://***@"), kind="start")
    assert len(chain(tmp_path / "run", START.replace("://", "://me:secret@"))) == 1
    assert "secret" not in why(tmp_path / "run", START.replace("://", "://me:secret@"))


def test_names_that_several_finds_share_are_all_told(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.find(f"{START}1", name="data.csv")
        fake.find(f"{START}2", name="data.csv")
    told = why(tmp_path / "run", "data.csv")
    assert told.startswith(f"{START}1\n")
    assert f"1 other step may be meant as well:\n    {START}2" in told


def test_a_cut_body_is_told(run: Path) -> None:
    assert "its body was left out, for its type" in why(run, f"{START}photo")


def test_a_step_without_an_answer_is_told(run: Path) -> None:
    told = why(run, f"{START}slow")
    assert "but no answer was written down" in told
    assert "got no answer that was written down" in told


def test_a_parent_that_the_ledger_does_not_hold_is_told(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(f"{START}a", parent=f"{START}sitemap.xml")
    told = why(tmp_path / "run", f"{START}a")
    assert f"The ledger does not tell how {START}sitemap.xml was reached." in told


@pytest.mark.parametrize(
    ("answer", "said"),
    [({"status": 0, "error": "connect"}, "connect"), ({"status": 429}, "status 429")],
)
def test_rules_that_could_not_be_had_are_not_told_to_be_read(
    tmp_path: Path, answer: dict[str, Any], said: str
) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(f"{START}robots.txt", kind="robots", **answer)
    told = why(tmp_path / "run", f"{START}a")
    assert f"robots.txt could not be read in step 1 ({said}): nothing else is asked for" in told
    assert "was read" not in told


def test_a_url_that_was_never_asked_for_gets_what_is_known(run: Path) -> None:
    told = why(run, f"{START}files/b.csv?x=1")
    assert "was not asked for in this run (12 requests)" in told
    assert "12 requests went to its host" in told
    assert "robots.txt was read in step 1 (status 200)" in told
    assert "by reason: calendar 12" in told
    assert "17 links were still waiting" in told
    assert "The run ended: the budget was spent." in told
    assert told.endswith(f"Like it, and asked for:\n    {CSV}")
    assert chain(run, f"{START}files/b.csv?x=1") == []


def test_a_redirect_that_was_not_followed_is_told(run: Path) -> None:
    assert f"Step 9, {START}lost, redirects to it." in why(run, f"{START}never")
    assert f"Step 10, {START}gone, redirects to it." in why(run, f"{START}never/there?x")


def test_another_host_is_told(run: Path) -> None:
    told = why(run, "elsewhere.example/x")
    assert "No request went to its host, elsewhere.example" in told
    assert "the run started at statistik.example.org" in told


def test_a_name_that_nothing_has_is_not_taken_for_a_host_only(run: Path) -> None:
    told = why(run, "b.cs")
    assert "No file that was found has this name, nor has a host that was asked." in told
    assert "its host" not in told


def test_the_same_page_with_another_query_is_offered(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(f"{START}list?page=1", kind="start")
    assert f"{START}list?page=1" in why(tmp_path / "run", f"{START}list?page=9")


@pytest.mark.parametrize("asked", ["", "#", "/", "https://", "http://[", "%", "\x1b[31m", "é"])
def test_a_strange_question_gets_an_answer_without_escape_codes(run: Path, asked: str) -> None:
    told = why(run, asked)
    assert "was not asked for" in told
    assert "\x1b" not in told


def test_terminal_escapes_and_bidi_marks_are_shown_as_numbers(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\u202e\x9b"
    with FakeRun(tmp_path / "run") as fake:
        fake.step(f"{START}{evil}", kind=evil, why=evil, arm=evil, error="tls", detail=evil)
        fake.step(f"{START}b", location=evil, cut=evil)
        fake.find(f"{START}c", name=evil, parent=f"{START}{evil}")
    for url in (f"{START}{evil}", f"{START}b", f"{START}c"):
        told = why(tmp_path / "run", url)
        assert told.replace("\n", "").isprintable()
        assert "\\x1b]0;owned" in told or "\\u202e" in told


def test_a_redirect_without_end_is_told_by_its_ends(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(f"{START}r", status=302, location=f"/first{'a' * 60_000}last")
    told = why(tmp_path / "run", f"{START}r")
    assert "which names /firstaaa" in told
    assert "aaalast, " in told
    assert len(told) < 1000


def test_a_long_chain_is_told_at_both_ends(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(f"{START}0", kind="start")
        for n in range(1, 100):
            fake.step(f"{START}{n}", parent=f"{START}{n - 1}")
    told = why(tmp_path / "run", f"{START}99")
    assert "… 70 steps between …" in told
    assert "99 steps from the start" in told
    assert len(chain(tmp_path / "run", f"{START}99")) == 100


def test_a_redirect_loop_ends(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        for n in range(6):
            there, back = (f"{START}{(n + k) % 2}" for k in (0, 1))
            fake.step(there, parent=back, kind="redirect", status=302, location=back)
    steps = [step["step"] for step in chain(tmp_path / "run", f"{START}1")]
    assert steps == sorted(set(steps))


def test_only_answers_that_were_in_can_have_led_to_a_step(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(START, kind="start", why="first")
        fake.step(f"{START}a", parent=START, answer=None)
        fake.step(START, kind="retry", why="second", answer=2)
        fake.step(f"{START}b", parent=START, after=1)
    assert chain(tmp_path / "run", f"{START}b")[0]["why"] == "first"


def test_a_folder_that_is_not_a_run_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a run"):
        why(tmp_path, START)


@pytest.mark.parametrize(
    ("expected", "told"), [(1.0, "1 find expected"), (2.5, "2.5 finds expected")]
)
def test_what_was_expected_is_told_in_the_right_number(
    run: Path, expected: float, told: str
) -> None:
    with closing(sqlite3.connect(run / "ledger.sqlite")) as ledger:
        ledger.execute("UPDATE steps SET expected = ? WHERE url = ?", (expected, CSV))
        ledger.commit()
    assert told in why(run, CSV)


@pytest.mark.parametrize(("score", "told"), [(5266.4, "score 5,266\n"), (2.345, "score 2.35\n")])
def test_a_score_is_written_out(run: Path, score: float, told: str) -> None:
    with closing(sqlite3.connect(run / "ledger.sqlite")) as ledger:
        ledger.execute("UPDATE steps SET score = ?, expected = 0 WHERE url = ?", (score, CSV))
        ledger.commit()
    assert told in why(run, CSV)


def test_requests_to_a_host_are_those_that_left(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(START, kind="start")
        fake.step(f"{START}kept", parent=START, sends=0)  # an answer that was at hand
        fake.step(f"{START}twice", parent=START, sends=2)
        fake.end("budget")
    assert "3 requests went to its host" in why(tmp_path / "run", f"{START}elsewhere")


@pytest.mark.parametrize(
    ("learnt", "says"),
    [
        ({"left": 5, "arms": []}, "5 links were still waiting"),
        ({"frontier": 1, "arms": [{"name": "a", "left": 9}]}, "1 link was still waiting"),
        ({"arms": [{"name": "a", "left": 2}, {"name": "b", "left": 3}]}, "5 links were still"),
    ],
)
def test_links_that_wait_are_counted_as_the_strategy_does(
    tmp_path: Path, learnt: dict[str, object], says: str
) -> None:
    with FakeRun(tmp_path / "run") as fake:
        fake.step(START, kind="start")
        fake.end("budget", learnt)
    assert says in why(tmp_path / "run", f"{START}elsewhere")


def test_rounds_tell_why_something_was_looked_at_again(run: Path) -> None:
    new = f"{START}files/new.csv"
    for number in (1, 2):
        with FakeRun(run / f"rounds/{number:04}") as fake:
            fake.step(CSV, kind="look", why=f"it was seen {number} d ago", status=304, mime="")
            if number == 1:
                fake.find(new, b"a,b", name="new.csv", parent=START, why="it ends in .csv")
            else:
                fake.step(new, kind="look", why="a list says so", status=304, mime="")
    told = why(run, CSV)
    assert told.index("it ends in .csv") < told.index("again in round 1")
    assert "because it was seen 1 d ago" in told
    assert "because it was seen 2 d ago" in told
    told = why(run, new)
    assert "but in its rounds" in told
    assert told.index("it ends in .csv") < told.index("again in round 2")
    assert "because a list says so" in told
