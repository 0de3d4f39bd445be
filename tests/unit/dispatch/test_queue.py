from pathlib import Path

from filon.dispatch.queue import Queue


def test_who_came_first_is_served_first(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "own" / "queue.sqlite")
    for name in ("b", "a", "c"):
        queue.add(name, ("harvest", f"https://{name}.test/"), (f"{name}.test",))
    assert [work.run for work in queue.wanted("run")] == ["b", "a", "c"]
    queue.want("b", "pause")
    queue.want("b", "run")
    assert [work.run for work in queue.wanted("run")] == ["a", "c", "b"]


def test_another_process_sees_what_was_wanted(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    Queue(path).add("a", ("discover", "bees"), (), roams=True)
    Queue(path).begun("a", 17, "before")
    work = Queue(path).work("a")
    assert work
    assert (work.begin, work.roams, work.pid, work.before) == (
        ("discover", "bees"),
        True,
        17,
        "before",
    )


def test_words_for_the_next_time_are_kept_until_it_has_ended(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "queue.sqlite")
    queue.want("a", "run", ("resume", "a", "--budget", "9"))
    queue.begun("a", 5, "")
    queue.ended("a", "run", 130)
    assert queue.all()["a"].again == ("resume", "a", "--budget", "9")
    queue.ended("a", "off", 2, "That is wrong.")
    work = queue.all()["a"]
    assert (work.again, work.code, work.said, work.pid) == ((), 2, "That is wrong.", 0)


def test_an_empty_queue_writes_nothing(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "queue.sqlite")
    assert queue.all() == {}
    assert queue.work("a") is None
    assert not list(tmp_path.iterdir())


def test_a_line_can_be_taken_out(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "queue.sqlite")
    queue.want("a", "off")
    queue.forget("a")
    assert queue.work("a") is None
