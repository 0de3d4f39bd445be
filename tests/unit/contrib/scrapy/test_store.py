from pathlib import Path

import pytest
from scrapy import Request, Spider
from scrapy.http import Response

from filon.contrib.scrapy.store import FILE, Kept, Store
from filon.page.links import Link

LINK = Link("http://a.test/1", "/html/body/a", "One", "a", "near", "download")


class Small(Spider):
    name = "small"

    def detail(self, response: Response, *_: object, **__: object) -> None: ...

    def failed(self, failure: object) -> None: ...


def test_a_request_comes_back_as_it_was_with_its_callbacks(tmp_path: Path) -> None:
    spider = Small()
    store = Store(spider, str(tmp_path))
    sent = Request(
        "http://a.test/1",
        callback=spider.detail,
        errback=spider.failed,
        cb_kwargs={"page": 3},
        meta={"item": {"tags": {"x"}}},
        headers={"X-Token": "t"},
        priority=7,
    )
    number, why = store.add(sent)
    assert not why
    assert store.is_on_disk(number)
    back = store.take(number)
    assert back.to_dict(spider=spider) == sent.to_dict(spider=spider)
    assert back.callback == spider.detail
    assert back.errback == spider.failed
    store.close()


def test_what_was_not_answered_is_there_in_the_next_session(tmp_path: Path) -> None:
    store = Store(Small(), str(tmp_path))
    (one, _), (two, _), (three, _) = (
        store.add(Request(f"http://a.test/{n}", priority=n)) for n in (1, 2, 3)
    )
    store.place(one, "http://a.test/", LINK)
    store.take(one)  # and the process is killed before its answer
    store.done(two)
    store.learn(b"state")
    store.close()
    again = Store(Small(), str(tmp_path))
    assert again.kept() == [Kept(one, 1, "http://a.test/", LINK), Kept(three, 3, "", None)]
    assert again.learnt == b"state"
    number, _ = again.add(Request("http://a.test/4"))
    assert number > three
    again.close()


def test_a_request_that_cannot_be_written_down_waits_in_memory(tmp_path: Path) -> None:
    store = Store(Small(), str(tmp_path))
    odd = Request("http://a.test/1", callback=lambda response, *_, **__: None)
    number, why = store.add(odd)
    assert "lambda" in why
    assert not store.is_on_disk(number)
    assert store.take(number) is odd
    store.done(number)
    assert store.kept() == []
    store.close()


def test_without_a_folder_nothing_is_kept() -> None:
    store = Store(Small(), None)
    sent = Request("http://a.test/1")
    number, why = store.add(sent)
    assert (store.take(number), why) == (sent, "")
    assert (store.kept(), store.learnt) == ([], b"")


def test_a_job_of_another_scheduler_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "requests.queue").mkdir()
    (tmp_path / "requests.queue/active.json").write_text("[0]")
    with pytest.raises(ValueError, match="begun with Scrapy's own scheduler"):
        Store(Small(), str(tmp_path))
    assert not (tmp_path / FILE).exists()


def test_a_file_that_is_no_job_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database, but longer than its head" * 100)
    with pytest.raises(ValueError, match="cannot be read"):
        Store(Small(), str(tmp_path))
