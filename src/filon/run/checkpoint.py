"""A strategy's state as bytes: MessagePack, numpy arrays and big integers in it, under zstd.

Versioned, and no pickle: a run folder from a stranger runs no code. Tuples come back as lists,
as they would from JSON. `rewind` brings a strategy to where a run stands: the last checkpoint,
then the ledger's tail.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from filon.core import MachineError, State, Step, Strategy
from filon.core.step import pack, unpack
from filon.run.archive import Answers
from filon.run.disk import SECRET_HEADERS
from filon.run.ledger import Ledger, Proposal, columns

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_MAGIC = b"filon-checkpoint-1\n"
_ARRAY, _BIG = 1, 2
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


def dump(checkpoint: Checkpoint) -> bytes:
    """Turn a checkpoint into bytes."""
    flying = [[number, _plain(step)] for number, step in checkpoint.flying.items()]
    packer = msgpack.Packer(default=_pack, unicode_errors="surrogatepass")
    press = zstd.ZstdCompressor(options=_OPTIONS)
    # Piece by piece: whole, the packed state of a million URLs takes as much as the URLs again.
    out, piece = bytearray(_MAGIC), bytearray()
    for part in _parts({"state": checkpoint.state, "flying": flying}, packer):
        piece += part
        if len(piece) >= PIECE_BYTES:
            out += press.compress(piece)
            piece.clear()
    out += press.compress(piece)
    out += press.flush()
    return bytes(out)


def load(data: bytes) -> Checkpoint:
    """Turn bytes back into a checkpoint; UnreadableError where that cannot be."""
    if not data.startswith(_MAGIC):
        raise UnreadableError("made by another version")
    try:
        plain = msgpack.unpackb(
            zstd.decompress(data[len(_MAGIC) :]),
            ext_hook=_unpack,
            strict_map_key=False,
            unicode_errors="surrogatepass",
        )
        flying = {number: unpack(step) for number, step in plain["flying"]}
        return Checkpoint(state=plain["state"], flying=flying)
    except (zstd.ZstdError, msgpack.UnpackException, ValueError, TypeError, KeyError) as error:
        raise UnreadableError(str(error)) from error


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
            checkpoint = load(row["state"])
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


def _parts(value: Any, packer: msgpack.Packer) -> Iterator[bytes]:
    """Pack a value; what is long, an element at a time."""
    kind = type(value)
    if kind is dict:
        yield packer.pack_map_header(len(value))
        for key, item in value.items():
            yield packer.pack(key)
            yield from _parts(item, packer)
    elif kind in (list, tuple):
        yield packer.pack_array_header(len(value))
        for start in range(0, len(value), TOGETHER):
            some = value[start : start + TOGETHER]
            if _SCALARS.issuperset(map(type, some)):
                yield b"".join(map(packer.pack, some))
            else:
                for item in some:
                    is_long = type(item) in (list, tuple, dict) and len(item) > SHORT
                    yield from _parts(item, packer) if is_long else (packer.pack(item),)
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
