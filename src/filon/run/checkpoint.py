"""A strategy's state as bytes: MessagePack, numpy arrays and big integers in it, under zstd.

Versioned, and no pickle: a run folder from a stranger runs no code. Tuples come back as lists,
as they would from JSON. `rewind` brings a strategy to where a run stands: the last checkpoint,
then the ledger's tail.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from filon.core import MachineError, State, Step, Strategy
from filon.core.blocks import Blocks
from filon.core.step import pack, unpack
from filon.run.archive import Answers
from filon.run.disk import SECRET_HEADERS
from filon.run.ledger import Ledger, Proposal, columns

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_MAGIC = b"filon-checkpoint-1\n"
_ARRAY, _BIG, _PIECES = 1, 2, 3
#: A longer list or table is packed by its elements.
SHORT = 16
#: So many texts or numbers of a list are packed in one go.
TOGETHER = 1000
_SCALARS = frozenset({str, int, float, bool, bytes, type(None)})
#: So much of what is packed is held until it is compressed.
PIECE_BYTES = 1 << 20
_OPTIONS: dict[int, int] = {
    zstd.CompressionParameter.compression_level: 1,
    zstd.CompressionParameter.checksum_flag: 1,
}


class UnreadableError(Exception):
    """Not a checkpoint, or a damaged one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A strategy's state, and the steps that it waits for."""

    state: State
    flying: dict[int, Step] = field(default_factory=dict)


class Pieces:
    """The blocks of states that are stored apart, each once, as long as it stays as it is.

    `new` and `old` are to be written and to be deleted together with the checkpoint that was just
    dumped; `keep` says that this was done. What a checkpoint no longer needs is needed by the one
    before it, so it is deleted with the next one.

    earlier: the pieces that are stored already, of another session.
    """

    def __init__(self, earlier: Sequence[int] = ()) -> None:
        self.new: list[tuple[int, bytes]] = []
        self.old: list[int] = []
        self._earlier = list(earlier)  # the checkpoint before the first one needs them
        self._next = 1 + max(earlier, default=0)
        # By part of a state: whose it is, and of each block its mark and its piece.
        self._stored: dict[tuple[int, str], tuple[object, list[tuple[int, int]]]] = {}
        self._changed: dict[tuple[int, str], tuple[object, list[tuple[int, int]]]] = {}
        self._replaced: list[int] = []

    def begin(self) -> None:
        """Forget what was dumped and not kept."""
        self.new, self._changed, self._replaced = [], {}, []

    def keep(self) -> None:
        """Take note that a checkpoint is stored, with its new pieces."""
        gone = [part for part in self._stored if part not in self._changed]
        self._replaced += [piece for part in gone for _, piece in self._stored[part][1]]
        self._stored, self.old = self._changed, self._replaced + self._earlier
        self._earlier = []
        self.begin()

    def of(self, part: Blocks) -> list[int]:
        """Return the numbers of the pieces that hold the blocks of a part."""
        name = (id(part.owner), part.name)  # an owner that is held here keeps its id
        known = self._stored[name][1] if name in self._stored else []
        held = []
        for place, mark in enumerate(part.marks):
            if place < len(known) and known[place][0] == mark:
                held.append(known[place])
                continue
            if place < len(known):
                self._replaced.append(known[place][1])
            self.new.append((self._next, b"".join(_pressed(part.read(place)))))
            held.append((mark, self._next))
            self._next += 1
        self._replaced += [piece for _, piece in known[len(part.marks) :]]
        self._changed[name] = (part.owner, held)
        return [piece for _, piece in held]


def dump(checkpoint: Checkpoint, pieces: Pieces | None = None) -> bytes:
    """Turn a checkpoint into bytes; where there are pieces, its blocks are among them."""
    flying = [[number, _plain(step)] for number, step in checkpoint.flying.items()]
    if pieces:
        pieces.begin()
    plain = {"state": checkpoint.state, "flying": flying}
    return b"".join([_MAGIC, *_pressed(plain, pieces)])


def _pressed(value: Any, pieces: Pieces | None = None) -> Iterator[bytes]:
    """Pack and compress a value."""
    packer = msgpack.Packer(default=_pack, unicode_errors="surrogatepass")
    press = zstd.ZstdCompressor(options=_OPTIONS)
    # Bit by bit: whole, the packed state of a million URLs takes as much as the URLs again.
    some = bytearray()
    for part in _parts(value, packer, pieces):
        some += part
        if len(some) >= PIECE_BYTES:
            yield press.compress(some)
            some.clear()
    yield press.compress(some)
    yield press.flush()


def load(data: bytes, piece: Callable[[int], bytes] | None = None) -> Checkpoint:
    """Turn bytes back into a checkpoint; UnreadableError where that cannot be.

    piece: returns a piece by its number, and raises KeyError where there is none.
    """
    if not data.startswith(_MAGIC):
        raise UnreadableError("made by another version")

    def expand(code: int, told: bytes) -> object:
        if code != _PIECES or piece is None:
            return _unpack(code, told)
        return [_unpressed(piece(number), expand) for number in np.frombuffer(told, "<u8").tolist()]

    try:
        plain: Any = _unpressed(data[len(_MAGIC) :], expand)
        flying = {number: unpack(step) for number, step in plain["flying"]}
        return Checkpoint(state=plain["state"], flying=flying)
    except (zstd.ZstdError, msgpack.UnpackException, ValueError, TypeError, KeyError) as error:
        raise UnreadableError(str(error)) from error


def _unpressed(data: bytes, expand: Callable[[int, bytes], object]) -> object:
    return msgpack.unpackb(
        zstd.decompress(data),
        ext_hook=expand,
        strict_map_key=False,
        unicode_errors="surrogatepass",
    )


def rewind(run: Path, ledger: Ledger, strategy: Strategy) -> dict[int, Step]:
    """Replay a run and return the steps in flight by number.

    The loop asks a strategy in an order that the ledger can tell: for each answer, first the steps
    that were proposed since the answer before, then, if the row says so, one proposal of nothing,
    then the answer itself.
    """
    answers = Answers(run)
    steps_in, answers_in, flying = _restore(ledger, strategy)
    proposals = ledger.proposed(steps_in)
    waiting = next(proposals, None)
    for row in ledger.answered(answers_in):
        while waiting and waiting.after < row["answer"]:
            flying[waiting.step] = _propose(run, strategy, waiting)
            waiting = next(proposals, None)
        if row["idle"] and strategy.propose() is not None:
            raise _stranger(run, row["step"])
        step = flying.pop(row["step"])
        strategy.observe(step, answers.read(row, step.request.url))
    while waiting:
        flying[waiting.step] = _propose(run, strategy, waiting)
        waiting = next(proposals, None)
    return dict(sorted(flying.items()))


def _restore(ledger: Ledger, strategy: Strategy) -> tuple[int, int, dict[int, Step]]:
    for row in ledger.checkpoints():
        try:
            checkpoint = load(row["state"], ledger.piece)
        except UnreadableError:
            continue  # the one before it, or the whole ledger, leads to the same place
        strategy.restore(checkpoint.state)
        return row["steps"], row["answers"], dict(checkpoint.flying)
    return 0, 0, {}


def _propose(run: Path, strategy: Strategy, proposal: Proposal) -> Step:
    step = strategy.propose()
    if step is None or columns(step) != proposal.columns:
        raise _stranger(run, proposal.step)
    return step


def _stranger(run: Path, step: int) -> MachineError:
    return MachineError(
        f"{run} was made by another version of Filon: "
        f"from step {step} on, its strategy would go another way."
    )


def _parts(value: Any, packer: msgpack.Packer, pieces: Pieces | None) -> Iterator[bytes]:
    """Pack a value; what is long, an element at a time, and what is in blocks by their pieces."""
    kind = type(value)
    if kind is dict:
        yield packer.pack_map_header(len(value))
        for key, item in value.items():
            yield packer.pack(key)
            yield from _parts(item, packer, pieces)
    elif kind is Blocks and pieces:
        numbers = np.array(pieces.of(value), dtype="<u8")
        yield packer.pack(msgpack.ExtType(_PIECES, numbers.tobytes()))
    elif kind in (list, tuple):
        yield packer.pack_array_header(len(value))
        for start in range(0, len(value), TOGETHER):
            some = value[start : start + TOGETHER]
            if _SCALARS.issuperset(map(type, some)):
                yield b"".join(map(packer.pack, some))
            else:
                for item in some:
                    is_long = type(item) in (list, tuple, dict) and len(item) > SHORT
                    yield from _parts(item, packer, pieces) if is_long else (packer.pack(item),)
    else:
        yield packer.pack(value)


def _plain(step: Step) -> dict[str, Any]:
    # Promise 9: no secret in the ledger. Credentials are the web's to add, not a strategy's.
    headers = tuple(pair for pair in step.request.headers if pair[0].lower() not in SECRET_HEADERS)
    return pack(replace(step, request=replace(step.request, headers=headers)))


def _pack(value: object) -> object:
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        head = msgpack.packb([value.dtype.str, value.shape])
        return msgpack.ExtType(_ARRAY, head + np.ascontiguousarray(value).tobytes())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, int):
        length = value.bit_length() // 8 + 1
        return msgpack.ExtType(_BIG, value.to_bytes(length, "big", signed=True))
    raise TypeError(f"a state is plain data, not {type(value).__name__}")


def _unpack(code: int, data: bytes) -> object:
    if code == _BIG:
        return int.from_bytes(data, "big", signed=True)
    if code != _ARRAY:
        raise ValueError(f"unknown extension {code}")
    unpacker = msgpack.Unpacker()
    unpacker.feed(data)
    dtype, shape = unpacker.unpack()
    array = np.frombuffer(data, np.dtype(dtype), offset=unpacker.tell())
    return array.reshape(shape).copy()
