from fractions import Fraction

import numpy as np
import pytest
from Bio.Align import PairwiseAligner
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dna.align import Scoring, pairwise
from sfumato.dna.align.pairwise import Columns, Fit, fit
from sfumato.dna.align.scoring import UNIT
from sfumato.hierarchy.iupac import GAP, parse
from tests.oracles.alignment import best_score, overlap, score_of
from tests.oracles.iupac import BASES

codes = st.text("ACGTN" + "".join(BASES), max_size=9)
plain = st.text("ACGT", max_size=12)


@pytest.fixture(autouse=True)
def _narrow_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short texts would fit into the first band; a band of one diagonal to each side must be widened."""
    monkeypatch.setattr(pairwise, "NARROWEST", 1)


def laid(one: str, other: str, scoring: Scoring = Scoring()) -> Fit:  # noqa: B008 - frozen
    return fit(parse(one), Columns.of_sequence(parse(other), scoring))


def shown(one: str, other: str, steps: list[int]) -> tuple[str, str]:
    """The two rows of an alignment."""
    letters, columns = iter(one), iter(other)
    pairs = [("-" if step == 2 else next(letters), "-" if step == 1 else next(columns)) for step in steps]
    assert not [*letters, *columns]
    return "".join(x for x, _ in pairs), "".join(y for _, y in pairs)


def changed(chance: np.random.Generator, text: str, changes: int) -> str:
    """A text with some letters replaced, some runs left out and some put in."""
    letters = list(text)
    for _ in range(changes):
        at, run = int(chance.integers(len(letters) + 1)), int(chance.integers(1, 12))
        kind = chance.integers(3)
        new = list(chance.choice(list("ACGT"), run))
        if kind == 0:
            letters[at : at + 1] = new[:1]
        elif kind == 1:
            letters[at : at + run] = []
        else:
            letters[at:at] = new
    return "".join(letters)


@settings(max_examples=150, deadline=None)
@given(codes, codes)
def test_the_score_is_that_of_the_whole_dynamic_programme(one: str, other: str) -> None:
    found = laid(one, other)
    assert found.certain
    assert Fraction(found.score, UNIT) == best_score(one, other)


@settings(max_examples=60, deadline=None)
@given(plain, plain, st.integers(1, 6), st.integers(-30, 0), st.integers(-9, -3), st.integers(-3, -1))
def test_the_score_is_greatest_for_any_points_and_the_steps_earn_it(
    one: str, other: str, match: int, mismatch: int, opening: int, extending: int
) -> None:
    points = (match, mismatch, opening, extending)
    found = laid(one, other, Scoring(*points))
    assert Fraction(found.score, UNIT) == best_score(one, other, *points)
    assert score_of(*shown(one, other, found.steps.tolist()), *points) == Fraction(found.score, UNIT)


@pytest.mark.parametrize(("one", "other"), [("AAA", "CC"), ("CC", "AAA"), ("TAAAG", "TCCG")])
def test_runs_of_gaps_on_both_sides_may_touch(one: str, other: str) -> None:
    points = (5, -30, -3, -1)
    found = laid(one, other, Scoring(*points))
    assert Fraction(found.score, UNIT) == best_score(one, other, *points)
    assert score_of(*shown(one, other, found.steps.tolist()), *points) == Fraction(found.score, UNIT)
    assert {1, 2} <= {*found.steps.tolist()}


@settings(deadline=None)
@given(codes, codes)
def test_the_steps_use_every_letter_once_and_earn_the_score(one: str, other: str) -> None:
    found = laid(one, other)
    rows = shown(one, other, found.steps.tolist())
    assert score_of(*rows) == Fraction(found.score, UNIT)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("changes", [0, 3, 40])
def test_long_sequences_score_as_biopython_says(seed: int, changes: int) -> None:
    chance = np.random.default_rng(seed)
    one = "".join(chance.choice(list("ACGT"), 300))
    other = changed(chance, one, changes)
    aligner = PairwiseAligner(
        mode="global", match_score=5, mismatch_score=-4, open_gap_score=-10, extend_gap_score=-1
    )
    for first, second in ((one, other), (other, one)):
        found = laid(first, second)
        assert found.certain
        assert found.score / UNIT == aligner.score(first, second)


def test_unrelated_sequences_score_as_biopython_says() -> None:
    chance = np.random.default_rng(7)
    one, other = ("".join(chance.choice(list("ACGT"), size)) for size in (150, 230))
    aligner = PairwiseAligner(
        mode="global", match_score=5, mismatch_score=-4, open_gap_score=-10, extend_gap_score=-1
    )
    assert laid(one, other).score / UNIT == aligner.score(one, other)


def test_a_band_that_may_not_grow_says_that_it_is_not_certain() -> None:
    one, other = "ACGT" * 20, "TTGCA" * 16
    found = fit(parse(one), Columns.of_sequence(parse(other), Scoring()), most_cells=1)
    assert not found.certain
    assert score_of(*shown(one, other, found.steps.tolist())) == Fraction(found.score, UNIT)
    assert found.score < laid(one, other).score


def test_nothing_against_something_is_one_run_of_gaps() -> None:
    assert laid("", "").score == 0
    assert laid("ACG", "").steps.tolist() == [1, 1, 1]
    assert laid("", "ACG").steps.tolist() == [2, 2, 2]
    assert laid("", "ACG").score == -12 * UNIT


def test_a_run_of_n_is_never_cut_out() -> None:
    one = "ACGTAC" + "N" * 200 + "GTTGCA"
    other = "ACGTAC" + "ACGT" * 50 + "GTTGCA"
    assert set(laid(one, other).steps.tolist()) == {0}


def test_codes_score_by_how_much_their_sets_overlap() -> None:
    table = Scoring().table()
    masks = {code: int(parse(code)[0]) for code in BASES}
    for one, x in masks.items():
        for other, y in masks.items():
            assert Fraction(int(table[x, y]), UNIT) == overlap(one, other, 5, -4)
    assert table[1, GAP] == -UNIT


@pytest.mark.parametrize(
    "points", [(0, -4, -10, -1), (5, 1, -10, -1), (5, -4, -1, -2), (5, -4, 0, 0), (5, -4, -1, 0)]
)
def test_points_that_make_no_sense_are_refused(points: tuple[int, int, int, int]) -> None:
    with pytest.raises(BadInput, match="scoring"):
        Scoring(*points)
