"""Reads the file that CRFsuite writes after training: the exact weights, which its text dump rounds.

Okazaki, "CRFsuite: a fast implementation of conditional random fields" (2007). The file has a header of
twelve words, the features (what, from, to, weight), and two tables that give numbers their names.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput

_FEATURE = np.dtype([("what", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
_HEADER = struct.Struct("<4sI4sI8I")
_STRINGS = struct.Struct("<4s5I")
_STATE = 0


@dataclass(frozen=True)
class Learned:
    """Weights of attributes for labels, and of labels after labels."""

    labels: tuple[str, ...]
    attributes: tuple[str, ...]
    states: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
    """attribute, label, weight"""
    transitions: NDArray[np.float64]
    """from × to"""


def read_crfsuite(data: bytes) -> Learned:
    """Read the bytes of a model that CRFsuite trained."""
    try:
        header = _HEADER.unpack_from(data)
        if header[0] != b"lCRF" or header[2] != b"FOMC":
            raise BadInput("this is not a model of CRFsuite")
        features_at, labels_at, attributes_at = header[7:10]
        count = struct.unpack_from("<I", data, features_at + 8)[0]
        features = np.frombuffer(data, _FEATURE, count, features_at + 12)
        labels = _strings(data, labels_at)
        attributes = _strings(data, attributes_at)
    except (struct.error, ValueError, IndexError):
        raise BadInput("the model of CRFsuite is damaged") from None
    states = features[features["what"] == _STATE]
    steps = features[features["what"] != _STATE]
    transitions = np.zeros((len(labels), len(labels)))
    transitions[steps["source"], steps["target"]] = steps["weight"]
    return Learned(
        labels,
        attributes,
        (
            states["source"].astype(np.int64),
            states["target"].astype(np.int64),
            states["weight"].astype(np.float64),
        ),
        transitions,
    )


def _strings(data: bytes, base: int) -> tuple[str, ...]:
    magic, _, _, _, count, back = _STRINGS.unpack_from(data, base)
    if magic != b"CQDB":
        raise ValueError("no table of strings")
    found = []
    for place in struct.unpack_from(f"<{count}I", data, base + back):
        size = struct.unpack_from("<I", data, base + place + 4)[0]
        found.append(data[base + place + 8 : base + place + 8 + size - 1].decode())
    return tuple(found)
