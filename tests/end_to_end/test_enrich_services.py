"""`filon enrich` and services that refuse, change, run out or are not there."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

import filon as filon_in_python
from command import Ended, filon
from enriching import HIDDEN, LOCAL, enrich, rows_of
from searchbox import SearchBox, serving, write_table


def test_a_wrong_key_is_told_at_the_first_call_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = 'how = "query"\nname = "key"\nsecret = "BOX_KEY"'
    with serving(HIDDEN, key="right-key") as box:
        box.source(tmp_path, key=key)
        missing = enrich(tmp_path, box)
        assert missing.code == 2
        assert "BOX_KEY" in missing.sentence
        assert box.calls == 0
        monkeypatch.setenv("BOX_KEY", "wrong-key")
        wrong = enrich(tmp_path, box)
        assert wrong.code == 2
        assert "does not accept the key" in wrong.sentence
        assert "wrong-key" not in wrong.err
        assert box.calls == 1
        assert not (tmp_path / "run").exists()
        monkeypatch.setenv("BOX_KEY", "right-key")
        right = enrich(tmp_path, box)
    assert right.json["rows"] == {"filled": 60, "absent": 10}
    for path in [*(tmp_path / "run").rglob("*"), *(tmp_path / "cache").rglob("*")]:
        if path.is_file():
            assert b"right-key" not in path.read_bytes(), path


def test_a_storm_of_429_ends_the_run_and_loses_nothing(tmp_path: Path) -> None:
    def storm(call: int, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        return (429, {"Retry-After": "0"}, b"{}") if 10 < call <= 15 else (200, {}, body)

    with serving(HIDDEN, vice=storm) as box:
        ended = enrich(tmp_path, box, "--budget", 200)
        assert ended.code == 0, ended.err
        assert box.calls == ended.json["calls"] == 15
        assert 0 < ended.json["rows"]["filled"] < 60
        assert any("refuses one call after the other" in note for note in ended.json["notes"])
        resumed = filon(tmp_path, "resume", "run", "--budget", 16, "--json")
    assert resumed.code == 0, resumed.err
    # The call that was refused is made again, and now it is answered.
    assert box.log[15] == (box.log[14][0], 200)
    answered = [target for target, status in box.log if status == 200]
    assert len(answered) == len(set(answered)) == 11


def test_answers_that_change_in_mid_run_stop_it_with_what_came_before(tmp_path: Path) -> None:
    broken = True

    def change(call: int, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        if call <= 10 or not broken:
            return 200, {}, body
        return 200, {}, json.dumps({"results": json.loads(body)["hits"]}).encode()

    with serving(HIDDEN, vice=change) as box:
        ended = enrich(tmp_path, box)
        assert ended.code == 4
        assert "does not answer as its description says" in ended.sentence
        assert "filon resume" in ended.sentence
        assert box.calls <= 14
        filled = sum(bool(row["filon_id"]) for row in rows_of(tmp_path / "run/enriched.csv"))
        assert filled > 0
        broken = False
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["rows"]["filled"] > filled


def test_a_field_that_no_answer_has_is_told(tmp_path: Path) -> None:
    def renamed(call: int, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        return 200, {}, body.replace(b'"isbn"', b'"isbn13"')

    with serving(HIDDEN, vice=renamed) as box:
        ended = enrich(tmp_path, box, "--budget", 10)
    assert ended.code == 0, ended.err
    (note,) = ended.json["notes"]
    assert "records has isbn; they have title, author, year." in note


def test_a_refusal_by_a_service_without_a_key_does_not_blame_the_key(tmp_path: Path) -> None:
    with serving(HIDDEN, vice=lambda call, body: (403, {}, b'{"error": "go away"}')) as box:
        ended = enrich(tmp_path, box)
    assert ended.code == 2
    assert "its description names none" in ended.sentence
    assert "403: go away" in ended.sentence


def untold(box: SearchBox, folder: Path) -> None:
    """Write a description that leaves it to the answers which fields there are."""
    box.source(folder, answer='results = "$.hits"\nid = "$.id"\nfields = "*"', answer_fields="")
    told = (folder / "box.toml").read_text().replace("[answer.fields]\n", "")
    (folder / "box.toml").write_text(told)


def test_rows_are_covered_where_only_the_answers_tell_the_fields(tmp_path: Path) -> None:
    with serving(HIDDEN) as box:
        untold(box, tmp_path)
        ended = enrich(tmp_path, box, "--budget", 20)
        assert ended.code == 0, ended.err
        with filon_in_python.open_run(tmp_path / "run") as run:
            assert sum(1 for _ in run) >= ended.json["rows"]["filled"] > 10


def test_a_field_that_the_first_records_do_not_have_is_told_at_once(tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", LOCAL)
    with serving(HIDDEN) as box:
        untold(box, tmp_path)
        wish = ("--match", "title=titel", "--add", "year", "--out", "run", "--delay", 0)
        ended = filon(tmp_path, "enrich", "t.csv", "--from", "box.toml", *wish)
    assert ended.code == 2
    assert "did you mean 'title'?" in ended.sentence
    assert box.calls == 1
    assert not (tmp_path / "run").exists()


def fill(folder: Path, add: str, out: str = "run", *more: object) -> Ended:
    """Ask for a column of a source whose description names no fields."""
    wish = ("--match", "title", "--add", add, "--out", out, "--delay", 0, *more)
    return filon(folder, "enrich", "t.csv", "--from", "box.toml", *wish)


def test_a_misspelt_field_to_add_is_told_after_the_first_answer(tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", LOCAL)
    with serving(HIDDEN) as box:
        untold(box, tmp_path)
        ended = fill(tmp_path, "isbn,yaer")
        assert (ended.code, box.calls) == (2, 1)
        assert "box has no field 'yaer' for --add: did you mean year?" in ended.sentence
        assert not (tmp_path / "run").exists()
        again = fill(tmp_path, "isbn,year", "run", "--budget", 1)
    assert again.code == 0, again.err
    assert "1 answer at hand from earlier runs, free" in again.out


def test_a_field_like_no_other_is_told_after_some_records(tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", LOCAL)
    with serving(HIDDEN) as box:
        untold(box, tmp_path)
        ended = fill(tmp_path, "publisher")
    assert ended.code == 2
    assert "no field 'publisher' for --add: it has id, title, author, year, isbn." in ended.sentence
    assert box.calls <= 5


def test_a_field_that_few_records_have_is_no_mistake(tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", LOCAL)
    hidden = [{**row, **({"ibsn": "x"} if at % 15 == 0 else {})} for at, row in enumerate(HIDDEN)]
    with serving(hidden) as box:
        untold(box, tmp_path)
        ended = fill(tmp_path, "isbn,ibsn", "run", "--budget", 10)
    assert ended.code == 0, ended.err


def test_a_quota_that_the_answers_tell_of_ends_the_run_before_it_is_refused(
    tmp_path: Path,
) -> None:
    def quota(call: int, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        left = 12 - call
        headers = {"X-Left": str(max(left, 0)), "X-Reset": "86400"}
        return (200, headers, body) if left >= 0 else (429, headers, b"{}")

    limits = 'remaining = "X-Left"\nreset = "X-Reset"\nreset_is = "seconds"\nprice = 0.5'
    with serving(HIDDEN, vice=quota) as box:
        box.source(tmp_path, limits=limits)
        ended = enrich(tmp_path, box)
    assert ended.code == 0, ended.err
    assert box.calls == 12
    assert all(status == 200 for _, status in box.log)
    assert ended.json["spent"] == 6.0
    assert any("quota" in note for note in ended.json["notes"])


def test_a_service_that_is_not_there_is_told(tmp_path: Path) -> None:
    with serving(HIDDEN[:3]) as box:
        box.source(tmp_path)
    ended = enrich(tmp_path, box)
    assert ended.code == 2
    assert "does not answer" in ended.sentence
    assert not (tmp_path / "run").exists()
