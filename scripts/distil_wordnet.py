"""Distil the nouns of WordNet 3.0 that Sfumato ships from the files of the database.

    python scripts/distil_wordnet.py FOLDER

The folder holds ``data.noun``, ``index.noun``, ``noun.exc`` and ``cntlist.rev``: the folder that the Debian
package wordnet-base (3.0-37) installs, or ``dict`` of Princeton's own archive. Taken are the nouns with their
meanings in order of frequency, how often each was tagged in texts, what lies above a meaning (hypernyms and
instance hypernyms), the word that a meaning is called by, and irregular plurals; glosses and all other
pointers stay behind. The form of the file is told in ``sfumato/text/ontology/wordnet.py``.
"""

from __future__ import annotations

import argparse
import io
import lzma
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

TARGET = Path(__file__).resolve().parents[1] / "src" / "sfumato" / "text" / "ontology" / "data"
ABOVE = ("@", "@i")
"""the pointers to hypernyms and to instance hypernyms"""


def lines(path: Path) -> Iterator[list[str]]:
    """Return the fields of each line; those that begin with a space are the licence."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            if not line.startswith(" "):
                yield line.partition(" | ")[0].split()


def synsets(path: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Return each synset: its offset, its words, and the offsets of the synsets above it."""
    for fields in lines(path):
        many = int(fields[3], 16)
        pointers = fields[5 + 2 * many :]
        above = [
            pointers[at + 1]
            for at in range(0, 4 * int(fields[4 + 2 * many]), 4)
            if pointers[at] in ABOVE and pointers[at + 2] == "n"
        ]
        yield fields[0], [fields[4 + 2 * place] for place in range(many)], above


def tagged(path: Path) -> dict[tuple[str, int], int]:
    """Return how often the n-th meaning of a noun was tagged."""
    found = {}
    for key, number, count in lines(path):
        lemma, _, rest = key.partition("%")
        if rest.startswith("1:"):
            found[lemma, int(number)] = int(count)
    return found


def words_as_bytes(words: list[str]) -> NDArray[np.uint8]:
    """Write words one on each line."""
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def planes(values: list[int]) -> NDArray[np.uint8]:
    """Lay first all lowest bytes, then all second ones …: neighbours are alike and pack well."""
    return np.ascontiguousarray(np.array(values, "<i4").view(np.uint8).reshape(-1, 4).T)


def distilled(folder: Path) -> bytes:
    """Return the content of the file."""
    listed = list(synsets(folder / "data.noun"))
    number = {offset: place for place, (offset, _, _) in enumerate(listed)}
    counts = tagged(folder / "cntlist.rev")
    lemmas: list[str] = []
    many, meanings, often, capital = [], [], [], []
    for fields in lines(folder / "index.noun"):
        lemma, offsets = fields[0], fields[-int(fields[2]) :]
        lemmas.append(lemma.replace("_", " "))
        many.append(len(offsets))
        for place, offset in enumerate(offsets, 1):
            meanings.append(number[offset])
            often.append(counts.get((lemma, place), 0))
            spelt = next(word for word in listed[number[offset]][1] if word.lower() == lemma)
            capital.append(spelt != lemma)
    place_of = {lemma: place for place, lemma in enumerate(lemmas)}
    names = [words[0].replace("_", " ") for _, words, _ in listed]
    above = [[number[offset] for offset in parents] for _, _, parents in listed]
    plurals = [" ".join((fields[0], fields[1])) for fields in lines(folder / "noun.exc")]
    file = io.BytesIO()
    for array in (
        words_as_bytes(lemmas),
        np.array(many, np.uint8),
        planes(meanings),
        np.array(often, np.uint16),
        np.packbits(np.array(capital)),
        np.array([len(parents) for parents in above], np.uint8),
        planes([place - parent for place, parents in enumerate(above) for parent in parents]),
        planes([place_of[name.lower()] for name in names]),
        np.packbits(np.array([name != name.lower() for name in names])),
        words_as_bytes([name for name in names if name != name.lower()]),
        words_as_bytes(plurals),
    ):
        np.save(file, array, allow_pickle=False)
    print(f"{len(listed):,} meanings of {len(lemmas):,} nouns")
    return lzma.compress(file.getvalue(), preset=9 | lzma.PRESET_EXTREME)


def licence(folder: Path) -> str:
    """Return the licence as the database carries it."""
    with (folder / "data.noun").open(encoding="utf-8") as file:
        told = [line.strip().partition(" ")[2].strip() for line in file if line.startswith(" ")]
    return "\n".join(told) + "\n"


def main() -> None:
    """Write the file and the licence."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    content = distilled(folder)
    TARGET.mkdir(exist_ok=True)
    (TARGET / "wordnet.xz").write_bytes(content)
    (TARGET / "LICENSE.wordnet.txt").write_text(licence(folder), encoding="utf-8")
    print(f"wordnet.xz: {len(content):,} bytes")


if __name__ == "__main__":
    main()
