"""The attack of the lecture: disease, gene, age of onset, and the names that they lead to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sfumato.core.attack import Scored
from sfumato.core.errors import BadInput
from sfumato.dna.aligned import aligned
from sfumato.dna.attacks import GenotypePhenotype, Knowledge, KnownMutation, Patients, ReleasedDna, genes_read
from sfumato.dna.attacks.genes import DISEASES, Onset, diseases_of_codes, diseases_of_genes

HD, FMR1 = frozenset({"HD"}), frozenset({"FMR1"})
LECTURE = ReleasedDna(
    (HD, FMR1),
    {"gender": ("Male", "Female"), "age": ("78", "58")},
    (frozenset({"333.4"}), frozenset({"759.83"})),
)
VOTERS = {"gender": ("Female", "Male"), "age": ("58", "78")}


def test_the_two_rows_of_the_lecture_are_joined_with_the_voter_list() -> None:
    known = Knowledge(patients=Patients(VOTERS, rows=np.array([1, 0])))
    found = GenotypePhenotype().run(LECTURE, known, victims=True)
    assert (found.success, found.certain, found.baseline, found.scored) == (1.0, 2, 0.5, Scored.MEASURED)
    assert [victim.row for victim in found.victims] == [1, 2]
    assert found.details["people whose disease is read"] == 2


def test_dna_alone_says_the_disease_and_the_disease_says_who() -> None:
    dna = ReleasedDna((HD, FMR1))
    codes = (frozenset({"759.83", "401.9"}), frozenset({"333.4"}))
    found = GenotypePhenotype().run(dna, Knowledge(patients=Patients(VOTERS, codes, rows=np.array([1, 0]))))
    assert (found.success, found.details["people whose disease is read"]) == (1.0, 2)


def test_dna_beside_demographics_tells_the_voters_disease_without_any_code() -> None:
    released = replace(LECTURE, codes=None)
    found = GenotypePhenotype().run(released, Knowledge(patients=Patients(VOTERS)))
    assert found.details["people whose disease is read"] == 2
    assert found.scored is Scored.EXPECTED


def test_people_alike_in_all_that_is_known_are_not_told_apart() -> None:
    released = ReleasedDna((HD, HD, frozenset()), {"gender": ("Male",) * 3})
    patients = Patients({"gender": ("Male",) * 2}, (frozenset({"333.4"}), frozenset({"401.9"})))
    found = GenotypePhenotype().run(released, Knowledge(patients=patients), victims=True)
    assert [(victim.row, victim.candidates) for victim in found.victims] == [(2, 1), (1, 2)]
    assert found.success == 0.75
    assert found.details["people whose disease is read"] == 1


def test_what_is_not_known_parts_nobody() -> None:
    released = ReleasedDna((None, HD), {"gender": (None, "Male")})
    patients = Patients({"gender": ("Male", None)}, (frozenset({"333.4"}), None))
    found = GenotypePhenotype().run(released, Knowledge(patients=patients))
    assert (found.success, found.certain) == (0.5, 0)


def test_the_age_of_onset_parts_people_with_the_same_disease() -> None:
    released = ReleasedDna((HD, HD), repeats=(42, 55))
    ill = frozenset({"333.4"})
    patients = Patients({}, (ill, ill), onset=(50.0, 26.0), rows=np.array([0, 1]))
    found = GenotypePhenotype().run(released, Knowledge(patients=patients))
    assert (found.success, found.certain) == (1.0, 2)
    without = GenotypePhenotype().run(replace(released, repeats=None), Knowledge(patients=patients))
    assert without.success == 0.5


def test_more_repeats_begin_earlier_and_rare_lengths_are_not_judged() -> None:
    onset = Onset()
    ages = [onset.mean(repeats) for repeats in range(36, 61)]
    assert ages == sorted(ages, reverse=True)
    assert 50 < onset.mean(42) < 55
    assert onset.fits(20, 5)
    assert not onset.fits(50, 80)


def test_a_claim_about_somebody_elses_row_is_wrong() -> None:
    patients = Patients(VOTERS, rows=np.array([0, -1]))
    found = GenotypePhenotype().run(LECTURE, Knowledge(patients=patients))
    assert found.success == 0
    assert found.details["people whose own row does not fit"] == 1
    assert found.details["people who fit one row"] == 2


def test_every_disease_of_the_table_has_genes_and_codes_of_its_own() -> None:
    assert len(DISEASES) == 9
    for disease in DISEASES:
        assert disease.name in diseases_of_genes(frozenset(disease.genes))
        assert diseases_of_codes(frozenset({disease.codes[0] + "9"})) == {disease.name}
    assert len(diseases_of_genes(frozenset({"HBB"}))) == 2
    assert not diseases_of_codes(frozenset({"401.9"}))


def test_genes_are_read_only_where_dna_shows_them() -> None:
    mutations = (KnownMutation("2", "T", "HD"), KnownMutation("99", "A", "PAH"))
    assert genes_read(aligned("AT", "AA", "AW", "AN"), mutations) == (HD, frozenset(), None, None)
    with pytest.raises(BadInput, match="none of the known mutations"):
        genes_read(aligned("AT"), (KnownMutation("7", "T", "HD"),))


def test_what_cannot_be_joined_is_refused() -> None:
    with pytest.raises(BadInput, match="nobody to attack"):
        GenotypePhenotype().run(LECTURE, Knowledge())
    with pytest.raises(BadInput, match="nothing in common"):
        GenotypePhenotype().run(ReleasedDna((HD,)), Knowledge(patients=Patients(VOTERS)))
    with pytest.raises(BadInput, match="no rows"):
        GenotypePhenotype().run(ReleasedDna(()), Knowledge(patients=Patients(VOTERS)))
    with pytest.raises(BadInput, match="past the release"):
        GenotypePhenotype().run(LECTURE, Knowledge(patients=Patients(VOTERS, rows=np.array([0, 2]))))
    with pytest.raises(BadInput, match="same length"):
        ReleasedDna((HD,), {"age": ("1", "2")})
    with pytest.raises(BadInput, match="as many rows"):
        Patients(VOTERS, rows=np.array([0]))
