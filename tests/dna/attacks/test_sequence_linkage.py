"""Linkage of released rows by known SNPs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned, Unaligned, aligned
from sfumato.dna.attacks import Knowledge, SequenceLinkage
from sfumato.hierarchy.iupac import Lattice, genotypes, iupac
from tests.oracles.dna_attacks import fitting_rows

SEED = ("AATTA", "AATGA", "ATTCA", "AATGA")


def in_house(original: Aligned) -> Knowledge:
    return Knowledge(original=original, kept=np.arange(len(original)))


def test_the_lecture_sequences_as_they_are_and_paired() -> None:
    original = aligned(*SEED)
    raw = SequenceLinkage(5).run(original, in_house(original), victims=True)
    assert (raw.success, raw.certain, raw.baseline) == (0.75, 2, 0.25)
    assert [(one.row, one.candidates) for one in raw.victims] == [(1, 1), (3, 1), (2, 2), (4, 2)]
    paired = aligned("AWTYA", "AATGA", "AWTYA", "AATGA")
    found = SequenceLinkage(5).run(paired, in_house(original))
    assert (found.success, found.certain, found.highest) == (0.5, 0, 0.5)


def masks_as_values(lattice: Lattice, mask: int) -> set[str]:
    """The single values that a set stands for, by its definition; N may be a gap too."""
    single = {text: one for text, one in lattice.masks.items() if one.bit_count() == 1}
    found = {text for text, one in single.items() if one & mask}
    return found | {"-"} if lattice.gap is not None and mask == lattice.top else found


@st.composite
def releases(draw: st.DrawFn) -> tuple[Lattice, NDArray[np.uint8], NDArray[np.uint8], int]:
    """Rows, and the same rows in groups of at least k joined; sometimes with gaps and unknown cells."""
    lattice = draw(st.sampled_from([iupac(), genotypes()]))
    values = [mask for mask in lattice.masks.values() if mask.bit_count() == 1] + [lattice.top]
    rows, width, k = draw(st.integers(2, 9)), draw(st.integers(1, 6)), draw(st.integers(1, 3))
    cells = np.array(
        draw(
            st.lists(
                st.lists(st.sampled_from(values), min_size=width, max_size=width),
                min_size=rows,
                max_size=rows,
            )
        ),
        np.uint8,
    )
    k = min(k, rows)
    published = cells.copy()
    starts = list(range(0, rows - k + 1, k))
    for place, start in enumerate(starts):
        end = rows if place == len(starts) - 1 else start + k
        published[start:end] = lattice.join(cells[start:end])
    return lattice, cells, published, k


@given(releases(), st.integers(1, 6), st.sampled_from(["rarest", "random"]), st.integers(0, 3))
def test_k_anonymous_rows_bound_the_chance_by_one_in_k_and_candidates_are_those_of_the_oracle(
    release: tuple[Lattice, NDArray[np.uint8], NDArray[np.uint8], int], snps: int, choose: str, seed: int
) -> None:
    lattice, cells, published, k = release
    if (cells == lattice.top).all():
        return
    attack = SequenceLinkage(snps, choose, seed)
    original, shown = Aligned(cells, lattice), Aligned(published, lattice)
    found = attack.run(shown, in_house(original), victims=True)
    assert found.highest <= 1 / k
    assert found.details["people whose own row does not fit"] == 0
    columns, known = attack._known(cells, lattice.top, np.random.default_rng(seed), _rarity(attack, shown))
    as_sets = [[masks_as_values(lattice, int(cell)) for cell in row] for row in published]
    total = Fraction(0)
    for row in range(len(cells)):
        told = {
            int(column): masks_as_values(lattice, int(cell))
            for column, cell in zip(columns[row], known[row], strict=True)
            if column >= 0
        }
        assert len(told) == min(snps, int((cells[row] != lattice.top).sum()))
        fits = fitting_rows(told, as_sets)
        assert row in fits
        total += Fraction(1, len(fits))
    assert found.success == float(total / len(cells))


def _rarity(attack: SequenceLinkage, shown: Aligned) -> Any:
    from sfumato.dna.attacks.sequence_linkage import _rows_that_hold, holding

    return _rows_that_hold(shown, holding(shown.lattice)) if attack.choose == "rarest" else None


def _genotypes(people: int, sites: int) -> Aligned:
    chance = np.random.default_rng(1)
    drawn = chance.binomial(2, chance.uniform(0.02, 0.5, sites), (people, sites))
    return Aligned(np.array([1, 2, 4], np.uint8)[drawn], genotypes())


def test_of_many_people_some_are_drawn_and_it_is_said() -> None:
    original = _genotypes(200, 40)
    everybody = SequenceLinkage(5).run(original, in_house(original), victims=True)
    drawn = SequenceLinkage(5, most_people=60).run(original, in_house(original), victims=True)
    assert (drawn.attempts, everybody.attempts) == (60, 200)
    assert "drawn at random from 200" in str(drawn)
    assert "drawn" not in str(everybody)
    assert drawn.baseline == everybody.baseline == 1 / 200
    # Many people have several rarest SNPs to choose five of, so only who is looked for is the same.
    assert len({one.row for one in drawn.victims}) == 60
    assert abs(drawn.success - everybody.success) < 0.2
    assert SequenceLinkage(5, most_people=200).run(original, in_house(original)) == SequenceLinkage(5).run(
        original, in_house(original)
    )


def test_drawn_people_with_all_their_cells_known_have_the_candidates_that_they_have_among_everybody() -> None:
    original = _genotypes(90, 7)
    everybody = SequenceLinkage(7).run(original, in_house(original), victims=True)
    drawn = SequenceLinkage(7, most_people=30).run(original, in_house(original), victims=True)
    of_all = {one.row: one.candidates for one in everybody.victims}
    assert {one.row: one.candidates for one in drawn.victims}.items() <= of_all.items()
    assert drawn.details["people whose own row does not fit"] == 0


def test_people_looked_for_in_several_turns_are_found_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    original = _genotypes(50, 30)
    at_once = SequenceLinkage(4).run(original, in_house(original), victims=True)
    monkeypatch.setattr("sfumato.dna.attacks.sequence_linkage._CELLS_AT_ONCE", 7 * 30)
    assert SequenceLinkage(4).run(original, in_house(original), victims=True) == at_once


def test_more_known_snps_find_more_people_and_rare_ones_find_them_sooner() -> None:
    chance = np.random.default_rng(1)
    frequency = chance.uniform(0.02, 0.5, 80)
    cells = np.array([1, 2, 4], np.uint8)[chance.binomial(2, frequency, (200, 80))]
    original = Aligned(cells, genotypes())
    by_number = [
        SequenceLinkage(snps, "random").run(original, in_house(original)).success for snps in (1, 5, 40)
    ]
    assert by_number[0] < by_number[1] < by_number[2]
    rarest = SequenceLinkage(5).run(original, in_house(original)).success
    assert rarest > by_number[1]
    assert SequenceLinkage(30).run(original, in_house(original)).success > 0.99


def test_several_rows_of_a_person_count_once_and_their_share_is_told() -> None:
    rows = Aligned(aligned("AC", "AC", "AC", "AT").cells, persons=np.array([7, 7, 7, 9]))
    shown = aligned("AY", "AY", "AY", "AY")
    found = SequenceLinkage(2).run(shown, in_house(rows))
    assert (found.attempts, found.success, found.highest) == (2, 0.5, 0.5)
    assert found.details["largest share of rows"] == 0.75


def test_people_who_were_left_out_are_not_found() -> None:
    original = aligned("AA", "CC", "GG")
    found = SequenceLinkage(2).run(aligned("GG", "AA"), Knowledge(original=original, kept=np.array([2, 0])))
    assert found.success == pytest.approx(2 / 3)
    assert found.details["people whose own row does not fit"] == 1


def test_without_knowing_whose_rows_they_are_success_is_expected() -> None:
    original = aligned("AA", "CC", "GG")
    found = SequenceLinkage(2).run(aligned("AA", "CC", "CC"), Knowledge(original=original))
    assert (found.scored, found.success) == (Scored.EXPECTED, 0.5)


def test_what_cannot_be_compared_is_refused() -> None:
    original = aligned("AA", "CC")
    for target, known, words in (
        (aligned("AAA"), in_house(original), "3 positions"),
        (Unaligned((np.array([1], np.uint8),)), in_house(original), "lost their common positions"),
        (original, Knowledge(), "nobody to attack"),
        (original, Knowledge(original=original, kept=np.array([0])), "does not fit"),
        (original, Knowledge(original=original, kept=np.array([0, 2])), "does not fit"),
        (aligned("NN"), Knowledge(original=aligned("NN")), "nothing is known"),
    ):
        with pytest.raises(BadInput, match=words):
            SequenceLinkage().run(target, known)
    with pytest.raises(BadInput, match="no such choice"):
        SequenceLinkage(choose="worst")
    with pytest.raises(BadInput, match="whole number"):
        SequenceLinkage(snps=0)
    with pytest.raises(BadInput, match="whole number"):
        SequenceLinkage(most_people=0)


@pytest.mark.golden
def test_a_few_rare_sites_of_mtdna_find_most_people(shared: Any) -> None:
    from cyvcf2 import VCF

    rows = []
    for record in VCF(str(shared / "data" / "dna" / "1000G.ALL.chrMT.phase1.vcf.gz")):
        if record.is_snp and len(record.ALT) == 1:
            rows.append(np.where(record.gt_types == 0, 1, 2))
    original = Aligned(np.array(rows, np.uint8).T.copy())
    few, many = (SequenceLinkage(snps).run(original, in_house(original)).success for snps in (1, 20))
    assert 0.3 < few < many
    assert many > 0.8
