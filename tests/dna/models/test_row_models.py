"""Every promise about rows says what its definition says, on rows that are small enough to count by hand."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.dna.aligned import Aligned, Unaligned, aligned
from sfumato.dna.contract import Demand, Problem
from sfumato.dna.models import ROW_MODELS, Bins, GenotypeKMap, SequenceKAnonymity, SnpExposure
from sfumato.dna.models import snp_exposure as exposure_module
from sfumato.hierarchy.iupac import genotypes, parse
from tests.oracles import dna_models as oracle

LETTERS = "ACGTRN-"
EXAMPLES: dict[str, tuple[Any, ...]] = {
    "sequence-k-anonymity": (SequenceKAnonymity(2), SequenceKAnonymity(2, positions=[1])),
    "bins": (Bins(within=2, across=2), Bins(within=1, across=2, positions=[2]), Bins(within=2)),
    "genotype-k-map": (GenotypeKMap(2), GenotypeKMap(1, positions=["1"])),
    "snp-exposure": (SnpExposure(1, 2), SnpExposure(2, 2), SnpExposure(2, 3, positions=[1, 2])),
}
ALL = [model for models in EXAMPLES.values() for model in models]
every_model = pytest.mark.parametrize("model", ALL, ids=str)


@st.composite
def written(draw: st.DrawFn, letters: str = LETTERS) -> list[str]:
    width = draw(st.integers(2, 5))
    row = st.text(alphabet=letters, min_size=width, max_size=width)
    kinds = draw(st.lists(row, min_size=1, max_size=4))
    return draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=9))


def with_persons(rows: list[str], persons: list[int] | None) -> Aligned:
    cells = np.stack([parse(row) for row in rows])
    return Aligned(cells, persons=None if persons is None else np.array(persons, np.int64))


def drawn_persons(data: st.DataObject, rows: list[str]) -> list[int]:
    """One row each, or some people with several rows."""
    if data.draw(st.booleans()):
        return list(range(len(rows)))
    return data.draw(st.lists(st.integers(0, 5), min_size=len(rows), max_size=len(rows)))


def columns(model: Any, width: int) -> list[int]:
    return list(range(width)) if model.positions is None else [int(one) - 1 for one in model.positions]


def expected(model: Any, rows: list[str], persons: list[int], population: list[str]) -> tuple[bool, int]:
    """Whether it holds, and the worst count, by the definition."""
    at = columns(model, len(rows[0]))
    match model:
        case SequenceKAnonymity():
            worst = min(oracle.people_alike(rows, persons, at))
            return worst >= model.k, worst
        case Bins():
            worst = min(oracle.people_alike(rows, persons, at))
            least = min(oracle.rarest_value(row) for row in rows)
            return worst >= model.across and least >= model.within, worst
        case GenotypeKMap():
            who = list(range(len(population)))
            worst = min(oracle.people_fitting(row, population, who, at) for row in rows)
            return worst >= model.k, worst
        case SnpExposure():
            worst, _ = oracle.fewest_by_snps(rows, persons, at, model.at_a_time, model.k)
            return worst >= model.k, worst
    raise AssertionError(model)


def said(verdict: Verdict) -> tuple[str, int]:
    """The sign and the figure that a verdict ends with."""
    found = re.search(r"([=≥≤]) (\d+)$", verdict.achieved)
    assert found
    return found[1], int(found[2])


def test_every_registered_model_has_an_example() -> None:
    assert set(ROW_MODELS) == set(EXAMPLES)
    assert all(type(model) is ROW_MODELS[name] for name, models in EXAMPLES.items() for model in models)


@every_model
@given(written(), written(), st.data())
@settings(max_examples=40, deadline=None)
def test_it_says_what_the_oracle_says(
    model: Any, rows: list[str], others: list[str], data: st.DataObject
) -> None:
    persons = drawn_persons(data, rows)
    population = [(row * 3)[: len(rows[0])] for row in [*others, *rows]]
    verdict = model.check(with_persons(rows, persons), population=with_persons(population, None))
    holds, worst = expected(model, rows, persons, population)
    assert verdict.holds == holds
    assert verdict.holds == (verdict.violations == 0) == (verdict.witness is None)
    sign, figure = said(verdict)
    assert figure == worst if sign == "=" else figure <= worst


@every_model
@given(written(), st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_the_order_of_rows_does_not_matter_and_nothing_is_changed(
    model: Any, rows: list[str], random: Any
) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    published, others = with_persons(rows, None), with_persons(rows, None)
    before = published.cells.copy()
    once, again = (model.check(published, population=others) for _ in range(2))
    turned = model.check(with_persons(shuffled, None), population=others)
    assert once == again
    assert (once.holds, once.achieved, once.violations) == (turned.holds, turned.achieved, turned.violations)
    assert np.array_equal(published.cells, before)


@given(written(), st.integers(1, 3), st.integers(1, 4), st.data())
@settings(max_examples=80, deadline=None)
def test_snp_exposure_finds_the_fewest_and_every_row_below_k(
    rows: list[str], known: int, k: int, data: st.DataObject
) -> None:
    persons = drawn_persons(data, rows)
    verdict = SnpExposure(known, k).check(with_persons(rows, persons))
    fewest, exposed = oracle.fewest_by_snps(rows, persons, range(len(rows[0])), known, k)
    assert verdict.violations == len(exposed)
    if not verdict.holds:
        assert verdict.achieved == f"k = {fewest}"
        assert verdict.witness is not None
        assert verdict.witness.size == fewest
        shown = verdict.witness.rows
        assert {row - 1 for row in shown} <= exposed
        assert len({persons[row - 1] for row in shown}) <= fewest
        assert len(verdict.witness.columns) <= known


@given(written("ACN"), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_sequence_k_anonymity_implies_snp_exposure_for_every_number(rows: list[str], known: int) -> None:
    doubled = with_persons(rows * 2, None)
    assert SequenceKAnonymity(2).check(doubled).holds
    assert SnpExposure(known, 2).check(doubled).holds


def test_two_positions_that_look_the_same_can_be_known_to_differ() -> None:
    """Both columns hold A and C in the same rows: A here and C there fits only the row that is open."""
    rows = ["AA", "AA", "CC", "CC", "MM"]
    verdict = SnpExposure(2, 2).check(with_persons(rows, None))
    fewest, exposed = oracle.fewest_by_snps(rows, range(5), range(2), 2, 2)
    assert (fewest, exposed) == (1, {4})
    assert verdict.achieved == "k = 1"
    assert verdict.violations == 1


def test_nobody_knows_two_values_of_one_position() -> None:
    """A and G at the first position would leave only the two rows that are open there."""
    rows = ["AC", "AC", "AT", "AT", "GC", "GC", "GT", "GT", "RC", "RT"]
    assert oracle.fewest_by_snps(rows, range(10), range(2), 2, 3) == (3, set())
    assert SnpExposure(2, 3).check(with_persons(rows, None)).achieved == "k = 3"


@given(st.lists(st.text(alphabet="AGR", min_size=2, max_size=2), min_size=8, max_size=16), st.integers(2, 4))
@settings(max_examples=80, deadline=None)
def test_open_cells_of_many_rows_are_counted_as_the_oracle_counts(rows: list[str], k: int) -> None:
    verdict = SnpExposure(2, k).check(with_persons(rows, None))
    fewest, exposed = oracle.fewest_by_snps(rows, range(len(rows)), range(2), 2, k)
    sign, figure = said(verdict)
    assert (verdict.holds, verdict.violations) == (fewest >= k, len(exposed))
    assert figure == fewest if sign == "=" else figure <= fewest


def test_the_release_of_the_lecture_is_two_anonymous_and_the_original_is_not() -> None:
    original = aligned("AATTA", "AATGA", "ATTCA", "AATGA")
    assert SequenceKAnonymity(2).check(original).violations == 2
    released = aligned("AWTYA", "AATGA", "AWTYA", "AATGA")
    assert SequenceKAnonymity(2).check(released).achieved == "k = 2"


def test_two_rows_of_one_person_are_one_person() -> None:
    rows = with_persons(["ACGT", "ACGT"], [7, 7])
    verdict = SequenceKAnonymity(2).check(rows)
    assert verdict.achieved == "k = 1"
    assert not SnpExposure(1, 2).check(rows).holds
    assert not Bins(across=2).check(rows).holds


def test_with_several_rows_of_a_person_the_release_alone_does_not_prove_it() -> None:
    assert SequenceKAnonymity(1).check(with_persons(["A", "A"], [7, 7])).basis is Basis.ORIGINAL
    assert SequenceKAnonymity(1).check(with_persons(["A", "A"], [7, 8])).basis is Basis.RELEASE


def test_what_is_not_known_is_a_value_of_its_own() -> None:
    assert not SequenceKAnonymity(2).check(aligned("AN", "AC")).holds
    assert SequenceKAnonymity(2).check(aligned("AN", "AN")).holds


def test_what_is_not_known_hides_a_person_from_those_who_know_snps() -> None:
    assert SnpExposure(1, 2).check(aligned("N", "N")).holds
    assert not SnpExposure(1, 2).check(aligned("N", "A")).holds


def test_a_cell_that_is_open_may_be_a_gap() -> None:
    assert GenotypeKMap(1).check(aligned("N"), population=aligned("-")).holds
    assert not GenotypeKMap(1).check(aligned("V"), population=aligned("-")).holds


def test_somebody_of_the_population_who_is_not_known_is_not_counted() -> None:
    assert not GenotypeKMap(1).check(aligned("R"), population=aligned("N")).holds
    assert GenotypeKMap(1).check(aligned("N"), population=aligned("N")).holds


def test_a_person_with_two_rows_in_the_population_is_counted_once() -> None:
    people = with_persons(["AC", "AG", "AT"], [1, 1, 2])
    assert GenotypeKMap(2).check(aligned("AN"), population=people).achieved == "k = 2"


def test_genotypes_are_counted_like_bases() -> None:
    published = Aligned(np.array([[1, 6], [1, 6], [3, 4]], np.uint8), genotypes())
    people = Aligned(np.array([[1, 2], [1, 4], [2, 4], [7, 4]], np.uint8), genotypes())
    verdict = GenotypeKMap(2).check(published, population=people)
    assert verdict.achieved == "k = 2"
    assert SnpExposure(1, 2).check(published).violations == 1
    assert SequenceKAnonymity(2).check(published).violations == 1


def test_the_population_is_matched_by_the_names_of_positions() -> None:
    published = Aligned(np.stack([parse("AC")]), positions=("MT:73", "MT:150"))
    turned = Aligned(np.stack([parse("GCA")]), positions=("MT:9", "MT:150", "MT:73"))
    assert GenotypeKMap(1).check(published, population=turned).holds
    with pytest.raises(BadInput, match="lacks 1 of the 2 positions"):
        GenotypeKMap(1).check(published, population=turned.columns(np.array([0, 1])))


def test_a_name_that_two_columns_of_the_population_bear_is_refused() -> None:
    published = Aligned(np.stack([parse("A")]), positions=("MT:73",))
    twice = Aligned(np.stack([parse("AC")]), positions=("MT:73", "MT:73"))
    with pytest.raises(BadInput, match="same name"):
        GenotypeKMap(1).check(published, population=twice)
    assert GenotypeKMap(1).check(twice, population=twice).holds


def test_sequences_of_different_lengths_are_compared_as_texts() -> None:
    texts = Unaligned(tuple(parse(text) for text in ("ACG", "AC", "ACG", "AC", "")))
    verdict = SequenceKAnonymity(2).check(texts)
    assert (verdict.violations, verdict.witness is not None and verdict.witness.rows) == (1, (5,))
    assert Bins(within=2).check(texts).violations == 4


def test_positions_of_sequences_that_are_not_aligned_mean_nothing() -> None:
    texts = Unaligned((parse("ACG"), parse("AC")))
    for model in (SequenceKAnonymity(2, positions=[1]), SnpExposure(1, 2), GenotypeKMap(2)):
        with pytest.raises(BadInput, match="not aligned"):
            model.check(texts, population=aligned("A"))


def test_a_witness_names_positions_and_never_values() -> None:
    published = Aligned(np.stack([parse(row) for row in ("ACK", "ACK", "AYK")]), positions=("a", "b", "c"))
    verdict = SequenceKAnonymity(2, positions=["b"]).check(published)
    assert str(verdict.witness) == "a class of 1 on b (row 3)"
    wide = Aligned(np.ones((2, 40), np.uint8) * np.array([[1], [2]], np.uint8))
    assert "on 40 positions (row 1" in str(SequenceKAnonymity(2).check(wide).witness)


def test_no_rows_keep_every_promise_and_say_so() -> None:
    nobody = Aligned(np.zeros((0, 3), np.uint8))
    for model in ALL:
        verdict = model.check(nobody, population=aligned("AAA"))
        assert verdict.holds
        assert verdict.achieved == "no rows"


def test_a_name_that_several_columns_bear_means_all_of_them() -> None:
    rows = Aligned(np.stack([parse("AC"), parse("AG")]), positions=("MT:73", "MT:73"))
    assert not SequenceKAnonymity(2, positions=["MT:73"]).check(rows).holds


def test_positions_are_read_by_name_once_there_are_rows() -> None:
    rows = Aligned(np.stack([parse("ACG")]), positions=("MT:73", "MT:150", "MT:195"))
    model = SequenceKAnonymity(2, positions=["MT:195", 1])
    with pytest.raises(BadInput, match="by name"):
        model.demand()
    assert model.on(rows).demand() == Demand(people=2, positions=(0, 2))
    (placed,) = Problem(rows, (model,)).models
    assert placed.demand().positions == (0, 2)


def test_demands_are_what_the_models_promise() -> None:
    assert SequenceKAnonymity(3).demand() == Demand(people=3)
    assert Bins(4, 5, positions=[2, 1]).demand() == Demand(people=5, positions=(0, 1), alike=4)
    assert GenotypeKMap(3).demand() == Demand(people=3, mapped=True)
    assert SnpExposure(2, 5).demand() == Demand(people=5, at_a_time=2)


@pytest.mark.parametrize("wrong", [0, -1, True, 2.0, "2", 10**13])
@pytest.mark.parametrize("make", [SequenceKAnonymity, Bins, GenotypeKMap, lambda k: SnpExposure(k, 2)])
def test_what_is_no_number_of_people_is_refused(make: Any, wrong: Any) -> None:
    with pytest.raises(BadInput, match="whole number"):
        make(wrong)


@pytest.mark.parametrize("wrong", [[], "MT:73", [0], [1.5], [True], 3])
def test_what_are_no_positions_is_refused(wrong: Any) -> None:
    with pytest.raises(BadInput, match="positions must be"):
        SequenceKAnonymity(2, positions=wrong)


def test_positions_that_are_not_there_are_refused() -> None:
    for positions, match in ((["MT:74"], "not among"), ([6], "beyond")):
        with pytest.raises(BadInput, match=match):
            SequenceKAnonymity(2, positions=positions).check(aligned("AATTA"))


def test_a_population_is_needed_and_must_be_of_the_same_kind() -> None:
    with pytest.raises(BadInput, match="nobody in it"):
        GenotypeKMap(2).check(aligned("A"))
    with pytest.raises(BadInput, match="genotypes"):
        GenotypeKMap(2).check(aligned("A"), population=Aligned(np.ones((1, 1), np.uint8), genotypes()))


def test_too_many_sets_are_refused_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    rows = Aligned((1 << random.integers(0, 2, (400, 30))).astype(np.uint8))
    assert SnpExposure(2, 2).check(rows).holds
    monkeypatch.setattr(exposure_module, "MOST_WORK", 2_000)
    with pytest.raises(PromiseNotMet, match=r"435 sets of 2 positions"):
        SnpExposure(2, 2).check(rows)


def test_a_promise_that_is_broken_early_needs_no_search_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    cells = (1 << random.integers(0, 2, (400, 30))).astype(np.uint8)
    cells[0, 0] = 4
    monkeypatch.setattr(exposure_module, "MOST_WORK", 2_000)
    verdict = SnpExposure(3, 2).check(Aligned(cells))
    assert not verdict.holds
    assert verdict.achieved == "k ≤ 1"


@every_model
def test_every_model_speaks_of_itself(model: Any) -> None:
    assert model.in_words()
    assert not model.in_words().endswith(".")
    assert (Threat.IDENTITY in model.protects_from) == (model != Bins(within=2))
    assert isinstance(model.stops, tuple)


def test_only_promises_about_all_positions_stop_linkage() -> None:
    assert SequenceKAnonymity(2).stops == ("sequence-linkage",)
    assert SequenceKAnonymity(2, positions=[1]).stops == ()
    assert Bins(within=5).stops == ()
