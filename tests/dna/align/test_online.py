import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dna.align import Banded, Newcomer, OnlineAligner, Scoring
from sfumato.dna.align.online import profile
from sfumato.dna.align.pairwise import Columns, fit
from sfumato.dna.align.scoring import UNIT
from sfumato.dna.aligned import Aligned, Unaligned, aligned
from sfumato.hierarchy.iupac import genotypes, iupac, parse

OLD = ("ACGTTGCA--ACGT", "ACGTTGCAGGACGT", "ACG-TGCA--ACGT")


def whole(found: Newcomer) -> str:
    """The newcomer's letters in their order, those without a column among the others."""
    text = ""
    extra = list(zip(found.before.tolist(), iupac().spelt(found.extra), strict=True))
    for column, letter in enumerate([*iupac().spelt(found.cells), ""]):
        text += "".join(x for at, x in extra if at == column) + letter
    return text.replace("-", "")


@settings(deadline=None)
@given(
    st.lists(st.text("ACGTN", min_size=1, max_size=10), min_size=1, max_size=5), st.text("ACGTR", max_size=14)
)
def test_every_letter_of_a_newcomer_is_in_a_column_or_reported(old: list[str], new: str) -> None:
    existing = Banded().align(Unaligned(tuple(parse(text) for text in old)))
    found = OnlineAligner(existing).fit(parse(new))
    assert whole(found) == new
    assert len(found.cells) == existing.width
    assert found.whole == (not len(found.extra))


@settings(deadline=None)
@given(st.text("ACGTN", min_size=1, max_size=12), st.text("ACGTN", max_size=12))
def test_with_one_row_it_is_the_alignment_of_two_sequences(old: str, new: str) -> None:
    scoring = Scoring()
    cells = parse(old)[None]
    online = fit(parse(new), profile(cells, scoring))
    pair = fit(parse(new), Columns.of_sequence(parse(old), scoring))
    assert online.score == pair.score


def test_passing_a_column_by_is_a_gap_beside_those_alone_who_have_a_letter_there() -> None:
    found = fit(parse("ACGTTGCAACGT"), profile(aligned(*OLD).cells, Scoring()))
    # Twelve matches with the first row; twelve and two gaps with the second; eleven and a gap with the third.
    assert found.score == UNIT * (60 + (60 - 10 - 1) + (55 - 1))


@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_row_that_is_there_finds_its_own_columns(row: int) -> None:
    existing = aligned(*OLD)
    found = OnlineAligner(existing).fit(parse(OLD[row].replace("-", "")))
    assert iupac().spelt(found.cells) == OLD[row]
    assert found.whole


def test_letters_without_a_column_are_reported_with_their_place() -> None:
    found = OnlineAligner(aligned(*OLD)).fit(parse("TTACGTTGCAACGTCC"))
    assert iupac().spelt(found.cells) == OLD[0]
    assert iupac().spelt(found.extra) == "TTCC"
    assert found.before.tolist() == [0, 0, 14, 14]
    assert not found.whole


def test_the_alignment_is_not_touched_by_newcomers() -> None:
    existing = aligned(*OLD)
    before = existing.cells.copy()
    ready = OnlineAligner(existing)
    first = ready.fit(parse("ACGTTGCAACGT")).cells
    ready.fit(parse("ACGAAAACGT"))
    assert np.array_equal(existing.cells, before)
    assert np.array_equal(ready.fit(parse("ACGTTGCAACGT")).cells, first)


def test_genotypes_and_empty_alignments_have_no_columns_to_keep() -> None:
    with pytest.raises(BadInput, match="only sequences of bases"):
        OnlineAligner(Aligned(np.ones((1, 2), np.uint8), genotypes()))
    with pytest.raises(BadInput, match="no row yet"):
        OnlineAligner(Aligned(np.ones((0, 2), np.uint8)))
