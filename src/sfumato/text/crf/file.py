"""The file of a model: xz over a magic word, a JSON header and arrays of whole numbers.

Nothing in it can run. The same model gives the same bytes. Reading checks all numbers before it uses them.
"""

from __future__ import annotations

import json
import lzma
import struct
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.text.crf.features import CHANNELS, PHRASE_ROWS, SLOTS
from sfumato.text.crf.labels import names_of
from sfumato.text.crf.model import Model, Provenance
from sfumato.text.crf.weights import STEPS, Weights
from sfumato.text.crf.words import VERSION
from sfumato.text.kinds import Kind

MAGIC = b"sfumato crf 1\n"
GREATEST = 256 * 2**20
"""bytes that a file may unpack to"""
_LENGTH = struct.Struct("<I")
_PARTS = ("trait", "code", "phrase", "transition")


def packed(model: Model) -> bytes:
    """Return the bytes of a model's file. Weights are rounded (see ``weights.py``)."""
    weights = model.weights
    arrays: list[NDArray[Any]] = [np.diff(weights.codes, prepend=np.int64(0)).astype("<i8")]
    for scores in (weights.trait_scores, weights.code_scores, weights.phrase_scores, weights.transitions):
        steps = np.rint(scores.ravel() / weights.step).astype(np.int64)
        places = np.flatnonzero(steps)
        arrays += [np.diff(places, prepend=0).astype("<u4"), steps[places].astype("<i2")]
    header = {
        "features": VERSION,
        "labels": weights.labels,
        "kinds": {label: kind.value for label, kind in model.kinds.items()},
        "step": weights.step,
        "sizes": [len(array) for array in arrays[0::2]],
        "provenance": asdict(model.provenance),
        "vocabulary": model.vocabulary,
        "traits": weights.traits,
    }
    head = json.dumps(header, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    body = b"".join([MAGIC, _LENGTH.pack(len(head)), head, *(array.tobytes() for array in arrays)])
    return lzma.compress(body, lzma.FORMAT_XZ, lzma.CHECK_SHA256, 9 | lzma.PRESET_EXTREME)


def unpacked(data: bytes, where: str = "") -> Model:
    """Read a model's file."""
    try:
        body = _decompressed(data)
        if not body.startswith(MAGIC):
            raise ValueError("no magic word")
        start = len(MAGIC) + _LENGTH.size
        end = start + _LENGTH.unpack_from(body, len(MAGIC))[0]
        header = json.loads(body[start:end])
        if header["features"] != VERSION:
            raise BadInput(
                "the model was made by another version of Sfumato", where=where, remedy="train it again"
            )
        return _model(header, memoryview(body)[end:])
    except (
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        struct.error,
        lzma.LZMAError,
        EOFError,
        RecursionError,
        MemoryError,
    ):
        raise BadInput("the file is damaged, or is no model", where=where, remedy="train it again") from None


def _decompressed(data: bytes) -> bytes:
    reader = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=2**29)
    body = reader.decompress(data, GREATEST)
    if not reader.eof or reader.unused_data:
        raise ValueError("cut short, too long, or followed by something")
    return body


def _model(header: dict[str, Any], rest: memoryview) -> Model:
    kinds = {_text(label): Kind(kind) for label, kind in header["kinds"].items()}
    labels = tuple(_text(label) for label in header["labels"])
    if labels != tuple(name for name in names_of(kinds) if name in labels):
        raise ValueError("labels do not fit their kinds")
    vocabulary = tuple(_text(word) for word in header["vocabulary"])
    traits = tuple(_text(trait) for trait in header["traits"])
    step = float(header["step"])
    if not 0.0 < step < 1e6 or len({*vocabulary}) != len(vocabulary) or len({*traits}) != len(traits):
        raise ValueError("no step, or something is there twice")
    sizes = [int(size) for size in header["sizes"]]
    if len(sizes) != len(_PARTS) + 1 or min(sizes) < 0:
        raise ValueError("arrays are missing")
    codes, rest = _array(rest, "<i8", sizes[0])
    codes = np.cumsum(codes)
    if len(codes) and (codes[0] < 0 or codes[-1] >> 58 >= CHANNELS or (np.diff(codes) <= 0).any()):
        raise ValueError("codes are not in order")
    count = len(labels)
    shapes = [(len(traits), SLOTS, count), (len(codes), count), (PHRASE_ROWS, count), (count, count)]
    parts = []
    for size, shape in zip(sizes[1:], shapes, strict=True):
        places, rest = _array(rest, "<u4", size)
        steps, rest = _array(rest, "<i2", size)
        if (np.abs(steps) > STEPS).any():
            raise ValueError("a weight is out of range")
        scores = np.zeros(int(np.prod(shape)))
        scores[np.cumsum(places)] = steps * step
        parts.append(scores.reshape(shape))
    if len(rest):
        raise ValueError("something follows")
    weights = Weights(labels, traits, parts[0], codes, parts[1], parts[2], parts[3])
    return Model(weights, vocabulary, kinds, _provenance(header["provenance"]))


def _array(rest: memoryview, kind: str, size: int) -> tuple[NDArray[np.int64], memoryview]:
    taken = np.frombuffer(rest, kind, size)
    return taken.astype(np.int64), rest[taken.nbytes :]


def _provenance(found: dict[str, Any]) -> Provenance:
    if not isinstance(found["trained_on_real_notes"], bool):
        raise ValueError("nobody says whether the notes were real")
    settings = {_text(key): float(value) for key, value in found["settings"].items()}
    return Provenance(
        trained_on=_text(found["trained_on"]),
        trained_on_real_notes=found["trained_on_real_notes"],
        notes=int(found["notes"]),
        words=int(found["words"]),
        least_notes=int(found["least_notes"]),
        settings=settings,
        language=_text(found["language"]),
        rounds=int(found["rounds"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value
