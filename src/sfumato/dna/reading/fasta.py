"""FASTA (Pearson and Lipman 1988): a line with ``>`` and a header, then the lines of a sequence.

Headers identify (accession numbers, isolates, laboratories, names). They are kept apart and never written.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.reading.content import Content, content_of, text_of
from sfumato.dna.reading.parts import part
from sfumato.dna.reading.rows import Rows, check_names
from sfumato.hierarchy.iupac import parse, sets

_PROTEIN = b"EFILPQZJOX*"
"""letters of amino acids that are no code of a base"""


def read_fasta(path: Path | str, *, aligned: bool | None = None) -> Rows:
    """Read sequences. Lower case (soft-masked) is read as upper case; ``-`` is a gap.

    ``aligned`` says whether the columns of the file belong together: when it is left out, sequences of the
    same length are taken as an alignment. Say False where they only happen to be equally long.
    """
    path = Path(path)
    if content_of(path) is not Content.FASTA:
        raise BadInput("this is no FASTA file", where=str(path), remedy="open it with open_rows")
    text = b"".join(text_of(path)).removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    # Latin-1 keeps every byte what it is: a header may be in any encoding, a wrong letter is found below.
    handle = io.StringIO(text.lstrip().decode("latin-1"))
    names: list[str] = []
    sequences: list[NDArray[np.uint8]] = []
    for title, letters in part("Bio.SeqIO.FastaIO").SimpleFastaParser(handle):
        place = f"{path}, sequence {len(names) + 1:,}"
        if not letters:
            raise BadInput("there is a header without a sequence", where=place, remedy="remove it")
        names.append((_header(title).split() or [""])[0])
        sequences.append(spelt_bases(letters.encode("latin-1"), place))
    check_names(names, "sequence name", str(path))
    return Rows(as_rows(sequences, aligned, str(path)), tuple(names))


def spelt_bases(letters: bytes, where: str) -> NDArray[np.uint8]:
    """Read letters as bases, and say more of letters that are none where more can be said."""
    wrong = bytes(set(letters.upper().translate(None, _legal())))
    if b"U" in wrong and not wrong.strip(b"U"):
        raise BadInput("the sequence is RNA", where=where, remedy="write T for U")
    if wrong and sum(wrong.count(letter) for letter in _PROTEIN) >= 2 and not wrong.strip(_PROTEIN):
        raise BadInput("the sequence looks like a protein", where=where, remedy="give sequences of bases")
    return parse(letters, where)


def as_rows(sequences: Sequence[NDArray[np.uint8]], aligned: bool | None, where: str) -> Aligned | Unaligned:
    """Return sequences as an alignment where they are one."""
    lengths = {len(sequence) for sequence in sequences}
    if aligned and len(lengths) > 1:
        raise BadInput(
            f"the {len(sequences):,} sequences have {len(lengths):,} different lengths "
            f"({min(lengths):,} to {max(lengths):,})",
            where=where,
            remedy="align them, or do not say that they are aligned",
        )
    if aligned or (aligned is None and len(lengths) == 1):
        return Aligned(np.stack(sequences))
    return Unaligned(tuple(sequences))


def _header(title: str) -> str:
    """Return a header as UTF-8 where it is, else byte for byte: two names stay two names."""
    try:
        return title.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return title


@cache
def _legal() -> bytes:
    return bytes(np.flatnonzero(sets()).astype(np.uint8))
