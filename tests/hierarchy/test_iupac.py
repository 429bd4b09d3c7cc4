import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.hierarchy.iupac import ANY, GAP, SIZE, Lattice, genotypes, iupac, letters, parse, sets
from tests.oracles import iupac as oracle

LATTICES = [iupac(level) for level in (1, 2, 3, 4)] + [genotypes()]
NAMES = ["gap level 1", "gap level 2", "gap level 3", "gap level 4", "genotypes"]
every_lattice = pytest.mark.parametrize("lattice", LATTICES, ids=NAMES)


def join(lattice: Lattice, *masks: int) -> int:
    return int(lattice.join(np.array(masks, np.uint8)))


def holds(lattice: Lattice, large: int, small: int) -> bool:
    """Whether one set lies above another: a gap lies below N alone."""
    if GAP in (large, small) and lattice.gap == GAP:
        return large == small or (small == GAP and large == ANY)
    return large & small == small


@pytest.fixture(scope="module")
def golden(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "golden" / "dna.json").read_text())["iupac"]
    return found


@pytest.mark.golden
def test_codes_stand_for_the_bases_of_the_golden_cases(golden: dict[str, Any]) -> None:
    masks = iupac().masks
    assert {code: sum(masks[base] for base in bases) for code, bases in golden["sets"].items()} == {
        code: mask for code, mask in masks.items() if code != "-"
    }


@pytest.mark.golden
def test_levels_joins_and_distances_are_those_of_the_golden_cases(golden: dict[str, Any]) -> None:
    lattice = iupac()
    table = lattice.distances()
    masks = lattice.masks
    assert len(golden["join"]) == len(golden["distance"]) == 120
    for code, level in golden["level"].items():
        assert lattice.levels[masks[code]] == level
    for pair, joined in golden["join"].items():
        assert join(lattice, masks[pair[0]], masks[pair[1]]) == masks[joined]
    for pair, distance in golden["distance"].items():
        assert table[masks[pair[0]], masks[pair[1]]] == distance


@pytest.mark.golden
def test_gaps_lie_where_the_golden_cases_say(golden: dict[str, Any]) -> None:
    masks = iupac().masks
    usual, fifth = iupac().distances(), iupac(1).distances()
    gap = golden["gap"]
    assert usual[masks["A"], GAP] == gap["d_A_gap_level3"]
    assert usual[masks["R"], GAP] == gap["d_R_gap_level3"]
    assert usual[masks["N"], GAP] == gap["d_N_gap_level3"]
    assert fifth[masks["A"], GAP] == gap["d_A_gap_level1"]


def test_the_codes_are_all_sets_of_bases() -> None:
    assert set(oracle.BASES.values()) == oracle.all_sets("ACGT")
    assert {mask for code, mask in iupac().masks.items() if code != "-"} == set(range(1, 16))


def test_the_distance_of_two_sets_of_bases_is_the_size_of_their_difference() -> None:
    table = iupac().distances()
    for x, y in product(range(1, 16), repeat=2):
        assert table[x, y] == (x ^ y).bit_count()


@pytest.mark.parametrize(
    ("lattice", "codes"),
    [(iupac(), oracle.BASES), (genotypes(), oracle.GENOTYPES)],
    ids=["bases", "genotypes"],
)
def test_joins_and_distances_are_those_of_plain_sets(
    lattice: Lattice, codes: dict[str, oracle.Things]
) -> None:
    table = lattice.distances()
    for one, other in product(codes, repeat=2):
        x, y = lattice.masks[one], lattice.masks[other]
        found = lattice.spellings[join(lattice, x, y)]
        assert found == oracle.smallest_holding(codes[one], codes[other], codes)
        assert table[x, y] == oracle.distance(one, other, codes)


@every_lattice
def test_the_join_is_the_least_set_above_both(lattice: Lattice) -> None:
    masks = list(lattice.masks.values())
    for x, y in product(masks, repeat=2):
        z = join(lattice, x, y)
        above = [mask for mask in masks if holds(lattice, mask, x) and holds(lattice, mask, y)]
        assert z in above
        assert all(holds(lattice, mask, z) for mask in above)


@every_lattice
def test_the_join_is_commutative_associative_and_idempotent(lattice: Lattice) -> None:
    masks = list(lattice.masks.values())
    for x, y, z in product(masks, repeat=3):
        assert join(lattice, x, y) == join(lattice, y, x)
        assert join(lattice, join(lattice, x, y), z) == join(lattice, x, join(lattice, y, z))
        assert join(lattice, x, x) == x


@given(st.sampled_from(LATTICES), st.data())
def test_a_join_of_many_is_a_chain_of_joins_in_any_order(lattice: Lattice, data: st.DataObject) -> None:
    row = st.lists(st.sampled_from(sorted(lattice.masks.values())), min_size=1, max_size=8)
    many = data.draw(row)
    shuffled = data.draw(st.permutations(many))
    chained = shuffled[0]
    for mask in shuffled[1:]:
        chained = join(lattice, chained, mask)
    assert join(lattice, *many) == chained


@every_lattice
def test_the_distance_is_symmetric_and_keeps_the_triangle_inequality(lattice: Lattice) -> None:
    table = lattice.distances()
    masks = list(lattice.masks.values())
    for x, y, z in product(masks, repeat=3):
        assert table[x, y] == table[y, x] >= 0
        assert table[x, x] == 0
        assert table[x, z] <= table[x, y] + table[y, z]


@every_lattice
def test_only_a_gap_of_level_four_and_n_are_two_things_without_a_distance(lattice: Lattice) -> None:
    table = lattice.distances()
    masks = list(lattice.masks.values())
    alike = {frozenset({x, y}) for x, y in product(masks, repeat=2) if x != y and table[x, y] == 0}
    at_four = lattice.gap == GAP and lattice.levels[GAP] == 4
    assert alike == ({frozenset({ANY, GAP})} if at_four else set())


def test_a_gap_keeps_to_itself_and_is_n_with_everything_else() -> None:
    lattice = iupac()
    assert join(lattice, GAP, GAP) == GAP
    assert {join(lattice, GAP, mask) for mask in range(1, 16)} == {ANY}


@pytest.mark.parametrize("level", [0, 5, -1])
def test_a_gap_lies_between_a_fifth_base_and_n(level: int) -> None:
    with pytest.raises(BadInput, match="level of a gap"):
        iupac(level)


@given(st.text("ACGTRYSWKMBDHVN-acgtryswkmbdhvn", max_size=60))
def test_what_is_parsed_is_spelt_the_same_in_upper_case(text: str) -> None:
    assert iupac().spelt(parse(text)) == text.upper()


def test_exactly_sixteen_letters_are_read_in_both_cases() -> None:
    read = {chr(byte) for byte in np.flatnonzero(sets())}
    assert read == set("ACGTRYSWKMBDHVN-acgtryswkmbdhvn")
    assert len({int(mask) for mask in sets()} - {0}) == 16
    assert (letters()[[0, *range(17, SIZE)]] == ord("?")).all()


@pytest.mark.parametrize(("text", "count"), [("ACXGT", "one letter"), ("AC*Z?", "3 letters")])
def test_an_illegal_letter_is_named_by_its_position_and_not_by_itself(text: str, count: str) -> None:
    with pytest.raises(BadInput, match=f"^chr, row 2: {count} of the sequence") as error:
        parse(text, where="chr, row 2")
    assert "position 3" in str(error.value)
    assert not {"X", "*", "Z"} & {*str(error.value)}


def test_letters_beyond_ascii_are_illegal() -> None:
    with pytest.raises(BadInput, match="position 2"):
        parse("Aé")
