"""WordNet 3.0: 82,115 concepts (synsets) of 117,798 English nouns.

Miller: "WordNet: a lexical database for English" (1995). ``data/wordnet.xz`` holds numpy arrays one after the
other, packed by LZMA: the nouns in small letters, one on each line; how many senses each has; the concepts of
the senses, the usual one first; how often each was tagged; whether it is written with capitals; how many
parents each concept has; by how much the number of a parent is smaller; the noun that names each concept;
which names have capitals, and these; irregular plurals with their singulars. Whole numbers lie in planes: all
lowest bytes, then all second ones, and so on.
"""

from __future__ import annotations

import functools
import io
import lzma
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from sfumato.text.ontology.ontology import Ints, Ontology


@functools.cache
def wordnet() -> Ontology:
    """Return the nouns of WordNet, with hypernyms and instance hypernyms as parents.

    >>> nouns = wordnet()
    >>> [nouns.labels[above] for above in nouns.parents_of(nouns.senses_of("Sacramento")[0])]
    ['state capital']
    """
    packed = files("sfumato.text.ontology").joinpath("data", "wordnet.xz").read_bytes()
    stream = io.BytesIO(lzma.decompress(packed))
    words, many, senses, tagged, capital, width, steps, names, upper, spelt, plurals = (
        np.lib.format.read_array(stream, allow_pickle=False) for _ in range(11)
    )
    nouns = _lines(words)
    sense_starts, parent_starts = _starts(many), _starts(width)
    child = np.repeat(np.arange(len(width)), width)
    labels = [nouns[place] for place in _numbers(names).tolist()]
    written = np.flatnonzero(np.unpackbits(upper, count=len(labels)))
    for place, name in zip(written.tolist(), _lines(spelt), strict=True):
        labels[place] = name
    arrays = (_numbers(senses), child - _numbers(steps), tagged.astype(np.int64))
    for array in (*arrays, sense_starts, parent_starts):
        array.flags.writeable = False
    return Ontology(
        "WordNet",
        labels,
        parent_starts,
        arrays[1],
        dict(zip(nouns, range(len(nouns)), strict=True)),
        sense_starts,
        arrays[0],
        np.unpackbits(capital, count=int(sense_starts[-1])).astype(np.bool_),
        arrays[2],
        dict(line.split(" ", 1) for line in _lines(plurals)),
    )


def _lines(content: NDArray[np.uint8]) -> list[str]:
    return content.tobytes().decode().split("\n")


def _numbers(planes: NDArray[np.uint8]) -> Ints:
    return np.ascontiguousarray(planes.T).view("<i4").ravel().astype(np.int64)


def _starts(many: NDArray[np.uint8]) -> Ints:
    return np.concatenate(([0], np.cumsum(many, dtype=np.int64)))
