"""Pieces: a run that was killed goes on elsewhere, and ends as if nothing had been."""

import asyncio
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import filon.fleet.pieces
import filon.run.archive
import filon.run.folder
from crash.check import check_archive, check_finds, check_steps, reachable
from crash.walk import ROOT, Maze, Walk
from filon.core import Account, Budget, MachineError, Request, Response, drive
from filon.fleet.blobs import FolderBlobs
from filon.fleet.model import Lease, Site
from filon.fleet.pieces import DamagedError, Pieces, Place, key_of, last_place, marked, restore
from filon.fleet.run_folders import RunFolders
from filon.run.folder import RunFolder

SIZE = 120
SITE = "maze.test"


class KilledError(Exception):
    pass


class Saving(Maze):
    """Has all answers so far in pieces before it sends a request, and dies after so many."""

    def __init__(self, pieces: Pieces | None, most: int) -> None:
        super().__init__(SIZE, wait_s=0)
        self.pieces, self.left, self.asked = pieces, most, list[str]()

    async def fetch(self, request: Request) -> Response:
        if self.pieces:
            await self.pieces.save()
        if not self.left:
            raise KilledError
        self.left -= 1
        self.asked.append(request.url)
        return await super().fetch(request)


def opened(folder: Path) -> RunFolder:
    if folder.exists():
        return RunFolder.open(folder)
    return RunFolder.create(folder, {"verb": "walk"})


async def walk(folder: Path, web: Saving) -> str:
    """Begin a run or go on with it; a kill leaves the folder as it is."""
    run = opened(folder)
    strategy = Walk()
    again = run.rewind(strategy)
    try:
        stopped = await drive(strategy, web, Account(Budget(), 1, run.spent), run, again=again)
        run.finish(stopped, strategy)
        return stopped
    finally:
        run.close()


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    ledger = sqlite3.connect(folder / "ledger.sqlite")
    try:
        return ledger.execute(query).fetchall()
    finally:
        ledger.close()


STEPS = "SELECT step, answer, after, method, url, parent, arm, score, status, sha256 FROM steps"
FINDS = "SELECT find, step, url, name, mime, sha256, page_title FROM finds"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filon.run.folder, "EVERY_ANSWERS", 20)
    monkeypatch.setattr(filon.run.archive, "LIMIT_BYTES", 30_000)


@pytest.mark.parametrize("whole_after", [7, 1000])
def test_a_run_that_is_killed_again_and_again_ends_as_if_it_never_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole_after: int
) -> None:
    monkeypatch.setattr(filon.fleet.pieces, "WHOLE_AFTER", whole_after)
    monkeypatch.setattr(filon.fleet.pieces, "INLINE_BYTES", 3000)
    blobs = FolderBlobs(tmp_path / "blobs")
    asked: list[str] = []

    async def live(epoch: int, most: int) -> bool:
        folder = tmp_path / f"node{epoch}" / SITE
        place = await last_place(blobs, SITE, epoch)
        after = await restore(blobs, SITE, place, folder) if place else None
        web = Saving(Pieces(blobs, SITE, epoch, folder, after), most)
        try:
            await walk(folder, web)
        except KilledError:
            return False
        finally:
            asked.extend(web.asked)
            assert web.pieces
            await web.pieces.save()
            web.pieces.close()
        return True

    async def all_lives() -> Path:
        for epoch, most in enumerate([3, 1, 17, 40, 2, 1000], start=1):
            if await live(epoch, most):
                return tmp_path / f"node{epoch}" / SITE
            shutil.rmtree(tmp_path / f"node{epoch}")
        raise AssertionError("it has not ended")

    folder = asyncio.run(all_lives())
    asyncio.run(walk(tmp_path / "once", Saving(None, 1000)))
    for query in (STEPS, FINDS):
        assert rows(folder, query) == rows(tmp_path / "once", query)
    assert len(asked) == len(set(asked))  # nothing was asked for twice
    truth = reachable(ROOT, SIZE)
    check_steps(folder, truth)
    check_finds(folder, truth)
    check_archive(folder, truth)


def test_a_folder_that_is_at_hand_goes_on_behind_its_last_piece(tmp_path: Path) -> None:
    blobs, folder = FolderBlobs(tmp_path / "blobs"), tmp_path / SITE

    async def use() -> None:
        pieces = Pieces(blobs, SITE, 1, folder)
        with pytest.raises(KilledError):
            await walk(folder, Saving(pieces, 30))
        pieces.close()
        with pytest.raises(KilledError):
            await walk(folder, Saving(None, 20))  # of which no piece tells
        place = await last_place(blobs, SITE, 2)
        assert place
        later = Pieces(blobs, SITE, 2, folder, await marked(blobs, SITE, place))
        assert await later.save()
        later.close()
        last = await last_place(blobs, SITE, 3)
        assert last == Place(2, 1)
        await restore(blobs, SITE, last, tmp_path / "other" / SITE)
        for query in (STEPS, FINDS):
            assert rows(tmp_path / "other" / SITE, query) == rows(folder, query)

    asyncio.run(use())


def test_a_piece_that_came_there_without_an_answer_is_gone_on_from(tmp_path: Path) -> None:
    blobs, folder = FolderBlobs(tmp_path / "blobs"), tmp_path / SITE
    put, failing = blobs.put, {3: True, 5: False}  # whether it came there, by number

    async def unanswered(key: str, data: bytes | Path) -> None:
        number = int(key[-6:]) if key.startswith("sites/") else 0
        if failing.get(number, True):
            await put(key, data)
        if number in failing:
            raise MachineError("503")

    blobs.put = unanswered  # type: ignore[method-assign]

    async def use() -> None:
        pieces = Pieces(blobs, SITE, 1, folder)
        for most in (5, 1, 1, 1, 1, 1):
            with pytest.raises(KilledError):
                await walk(folder, Saving(None, most))
            try:
                await pieces.save()
            except MachineError:
                pieces.cpu_s += 1.0  # it goes on meanwhile
        last = await last_place(blobs, SITE, 2)
        assert last == pieces.last == Place(1, 6)
        await restore(blobs, SITE, last, tmp_path / "other" / SITE)
        for query in (STEPS, FINDS):
            assert rows(tmp_path / "other" / SITE, query) == rows(folder, query)
        pieces.close()

    asyncio.run(use())


def test_what_a_stale_worker_wrote_late_is_not_mixed_with_a_folder_at_hand(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path / "blobs")
    first, folders = tmp_path / SITE, RunFolders(tmp_path / "second", blobs)

    def lease(epoch: int) -> Lease:
        return Lease(site=Site(name=SITE, url=ROOT, host=SITE), epoch=epoch)

    async def use() -> None:
        stale = Pieces(blobs, SITE, 1, first)
        with pytest.raises(KilledError):
            await walk(first, Saving(stale, 10))
        await folders.bring(lease(2))
        with pytest.raises(KilledError):
            await walk(first, Saving(stale, 5))  # on their way when its lease ended
        with pytest.raises(KilledError):
            await walk(folders.path(SITE), Saving(None, 20))  # of which no piece tells
        after, _ = await folders.bring(lease(3))
        assert after
        assert after[0] == stale.last
        answered = f"{STEPS} WHERE answer IS NOT NULL"
        assert rows(folders.path(SITE), answered) == rows(first, answered)
        stale.close()

    asyncio.run(use())


def test_a_part_of_a_piece_that_is_gone_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filon.fleet.pieces, "INLINE_BYTES", 10)
    blobs, folder = FolderBlobs(tmp_path / "blobs"), tmp_path / SITE

    async def use() -> None:
        await walk(folder, Saving(None, 1000))
        pieces = Pieces(blobs, SITE, 1, folder)
        await pieces.save()
        pieces.close()
        next((tmp_path / "blobs" / "sites" / SITE / "1").glob("000001.*")).unlink()
        with pytest.raises(DamagedError, match="is not there"):
            await restore(blobs, SITE, pieces.last, tmp_path / "other" / SITE)

    asyncio.run(use())


def test_a_piece_of_which_a_byte_is_another_is_told(tmp_path: Path) -> None:
    blobs, folder = FolderBlobs(tmp_path / "blobs"), tmp_path / SITE

    async def use() -> None:
        await walk(folder, Saving(None, 1000))
        pieces = Pieces(blobs, SITE, 1, folder)
        await pieces.save()
        pieces.close()
        path = tmp_path / "blobs" / key_of(SITE, pieces.last)
        data = bytearray(path.read_bytes())
        for at in range(30, len(data), max(1, len(data) // 40)):
            path.write_bytes(bytes([*data[:at], data[at] ^ 1, *data[at + 1 :]]))
            with pytest.raises(DamagedError):
                await restore(blobs, SITE, pieces.last, tmp_path / "other" / SITE)

    asyncio.run(use())


def test_a_file_of_which_a_byte_is_another_is_told(tmp_path: Path) -> None:
    blobs, folder = FolderBlobs(tmp_path / "blobs"), tmp_path / SITE

    async def use() -> None:
        await walk(folder, Saving(None, 1000))
        pieces = Pieces(blobs, SITE, 1, folder)
        await pieces.save()
        pieces.close()
        path = next(one for one in (tmp_path / "blobs" / "files").rglob("*") if one.is_file())
        path.write_bytes(path.read_bytes() + b" ")
        with pytest.raises(DamagedError, match="not what was written"):
            await restore(blobs, SITE, pieces.last, tmp_path / "other" / SITE)

    asyncio.run(use())


def test_nothing_new_is_no_piece(tmp_path: Path) -> None:
    blobs, folder = FolderBlobs(tmp_path / "blobs"), tmp_path / SITE

    async def use() -> None:
        await walk(folder, Saving(None, 1000))
        pieces = Pieces(blobs, SITE, 1, folder)
        assert await pieces.save()
        assert not await pieces.save()
        assert pieces.last == Place(1, 1)
        assert pieces.stored_bytes > 0
        pieces.close()

    asyncio.run(use())


def test_pieces_of_a_later_epoch_are_not_looked_at(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path / "blobs")

    async def use() -> None:
        for place in (Place(1, 2), Place(2, 1), Place(10, 1)):
            await blobs.put(key_of(SITE, place), b"x")
        await blobs.put(f"{key_of(SITE, Place(2, 3))}.ledger.sqlite", b"x")  # of one never written
        assert await last_place(blobs, SITE, 1) is None
        assert await last_place(blobs, SITE, 2) == Place(1, 2)
        assert await last_place(blobs, SITE, 3) == Place(2, 1)
        assert await last_place(blobs, SITE, 11) == Place(10, 1)

    asyncio.run(use())


@pytest.mark.parametrize("body", [b"", b"filon-piece-9\nxx", b"filon-piece-1\nxx"])
def test_a_damaged_piece_is_told_and_leaves_nothing_behind(tmp_path: Path, body: bytes) -> None:
    blobs = FolderBlobs(tmp_path / "blobs")

    async def use() -> None:
        await blobs.put(key_of(SITE, Place(1, 1)), body)
        with pytest.raises(MachineError, match=r"1/000001 cannot be read"):
            await restore(blobs, SITE, Place(1, 1), tmp_path / "node" / SITE)
        with pytest.raises(MachineError, match="is not there"):
            await restore(blobs, SITE, Place(1, 2), tmp_path / "node" / SITE)

    asyncio.run(use())
    assert not (tmp_path / "node").exists()
