from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dna.align import Banded, Scoring, snvrs
from sfumato.dna.align.banded import Growing, nearest_first
from sfumato.dna.align.online import profile
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.hierarchy.iupac import GAP, parse

many = st.lists(st.text("ACGTRN", max_size=14), min_size=1, max_size=6)


def unaligned(*texts: str) -> Unaligned:
    return Unaligned(tuple(parse(text) for text in texts))


def rows(found: Aligned) -> list[str]:
    return [found.lattice.spelt(row) for row in found.cells]


class Steps:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.done: list[float] = []

    def step(self, what: str) -> None:
        self.steps.append(what)

    def update(self, done: float, note: str = "") -> None:
        self.done.append(done)


@settings(deadline=None)
@given(many)
def test_rows_without_gaps_are_the_sequences(texts: list[str]) -> None:
    found = Banded().align(unaligned(*texts))
    assert [row.replace("-", "") for row in rows(found)] == texts
    assert len({len(row) for row in rows(found)}) == 1
    assert not (found.cells == GAP).all(axis=0).any()


@settings(deadline=None)
@given(many, st.data())
def test_equal_sequences_have_equal_rows(texts: list[str], data: st.DataObject) -> None:
    again = data.draw(st.sampled_from(texts))
    found = rows(Banded().align(unaligned(*texts, again)))
    assert found[-1] == found[texts.index(again)]


@settings(deadline=None)
@given(many)
def test_the_columns_of_a_growing_alignment_are_those_of_its_rows(texts: list[str]) -> None:
    growing = Growing(Scoring(), most_cells=10_000)
    added = [(text, growing.add(parse(text), times)) for times, text in enumerate(texts, 1)]
    place = {column: at for at, column in enumerate(growing.order.tolist())}
    rows = []
    for times, (text, columns) in enumerate(added, 1):
        letters = {place[column]: letter for column, letter in zip(columns.tolist(), text, strict=True)}
        assert list(letters) == sorted(letters)
        rows += ["".join(letters.get(at, "-") for at in range(len(place)))] * times
    expected = profile(np.stack([parse(row) for row in rows]), Scoring())
    assert np.array_equal(growing.columns.profile, expected.profile)
    assert np.array_equal(growing.columns.open_skipped, expected.open_skipped)
    assert np.array_equal(growing.columns.extend_skipped, expected.extend_skipped)
    assert growing.columns.open_extra == expected.open_extra
    assert growing.columns.extend_extra == expected.extend_extra


def test_two_deletions_and_an_insertion_stand_where_they_belong() -> None:
    found = Banded().align(
        unaligned("ACGTTGCAACGT", "ACGTTGCAACGT", "ACGTGCAACGT", "ACGTTGCAGGACGT", "GTTGCAACGT")
    )
    assert rows(found) == [
        "ACGTTGCA--ACGT",
        "ACGTTGCA--ACGT",
        "ACG-TGCA--ACGT",
        "ACGTTGCAGGACGT",
        "--GTTGCA--ACGT",
    ]
    assert snvrs(found).tolist() == [0, 1, 3, 8, 9]


def test_letters_that_several_sequences_have_beyond_the_others_share_columns() -> None:
    found = Banded().align(unaligned(*["ACGTACGGTT"] * 5, "ACGTACGGTTCC", "ACGTACGGTTC"))
    assert {row.count("-") for row in rows(found)[5:]} == {0, 1}
    assert found.width == 12


def test_gaps_that_were_there_are_put_anew() -> None:
    assert rows(Banded().align(unaligned("AC--GT", "ACGT", "-ACGT"))) == ["ACGT"] * 3


def test_persons_stay_with_their_rows() -> None:
    persons = np.array([7, 7, 3])
    found = Banded().align(Unaligned((parse("AC"), parse("ACG"), parse("AC")), persons))
    assert found.owners.tolist() == [7, 7, 3]


def test_progress_is_told_and_ends_at_one() -> None:
    told = Steps()
    Banded().align(unaligned("AC", "ACG", "AC"), progress=told)
    assert told.steps == ["aligning"]
    assert told.done == [0.5, 1.0]


def test_first_comes_the_sequence_that_shares_most_words() -> None:
    common = "ACGTTGCAACGTAGGCT"
    texts = ["TTTTTTTTTTTTTTTTT", common, common[:-1] + "A", "C" + common[1:]]
    assert nearest_first([parse(text) for text in texts], np.array([1, 1, 1, 1])) == [1, 2, 3, 0]
    assert nearest_first([parse(text) for text in texts], np.array([9, 1, 1, 1]))[0] == 0
    assert nearest_first([parse("AC"), parse("ACG"), parse("NNNNNNN")], np.array([5, 5, 1])) == [2, 1, 0]


def test_the_order_of_the_input_does_not_matter() -> None:
    texts = ["ACGTTGCAACGT", "ACGTGCAACGT", "ACGTTGCAGGACGT", "GTTGCAACGTA"]
    found = rows(Banded().align(unaligned(*texts)))
    assert rows(Banded().align(unaligned(*texts[::-1]))) == found[::-1]


def test_no_sequence_at_all_is_refused() -> None:
    with pytest.raises(BadInput, match="no sequence to align"):
        Banded().align(Unaligned(()))
    with pytest.raises(BadInput, match="room for at least one cell"):
        Banded(most_cells=0)


@pytest.mark.golden
def test_fifteen_human_mitochondria_lie_in_almost_the_columns_of_one(shared: Path) -> None:
    records = (shared / "data" / "dna" / "mtDNA_H100s.fasta").read_text().split(">")[1:]
    texts = ["".join(record.split("\n")[1:]).upper() for record in records]
    found = Banded().align(unaligned(*texts))
    assert [row.replace("-", "") for row in rows(found)] == texts
    longest = max(map(len, texts))
    assert longest <= found.width <= longest + 5
    # Of two human mitochondria about one base in 400 differs; a shifted row would differ almost everywhere.
    inner = [at for at in snvrs(found) if 20 <= at < 16_400]
    assert len(inner) <= 150
