import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.dna.align import snvrs
from sfumato.dna.align.snvr import ROWS_AT_ONCE
from sfumato.dna.aligned import Aligned, aligned
from sfumato.hierarchy.iupac import genotypes
from tests.oracles.iupac import BASES

tables = st.integers(1, 6).flatmap(
    lambda width: st.lists(st.text("ACGTRYN-", min_size=width, max_size=width), min_size=1, max_size=6)
)


@pytest.mark.golden
def test_the_golden_example_varies_at_positions_two_and_four(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "dna.json").read_text())["snvr_example"]
    found = snvrs(aligned(*golden["sequences"]))
    assert (found + 1).tolist() == golden["snvr_positions_1based"] == [2, 4]


@given(tables)
def test_columns_vary_where_letters_do(texts: list[str]) -> None:
    expected = [at for at, column in enumerate(zip(*texts, strict=True)) if len(set(column)) > 1]
    assert snvrs(aligned(*texts)).tolist() == expected


@given(tables)
def test_columns_surely_vary_where_sets_have_nothing_in_common(texts: list[str]) -> None:
    things = {**BASES, "-": frozenset("-")}
    expected = [
        at
        for at, column in enumerate(zip(*texts, strict=True))
        if any(not things[x] & things[y] for x in column for y in column)
    ]
    assert snvrs(aligned(*texts), surely=True).tolist() == expected


def test_n_and_gaps_can_be_told_from_bases() -> None:
    rows = aligned("AAA", "NA-", "AAA")
    assert snvrs(rows).tolist() == [0, 2]
    assert snvrs(rows, surely=True).tolist() == [2]


def test_one_row_or_none_never_varies() -> None:
    assert snvrs(aligned("ACGT")).size == 0
    nobody = Aligned(np.zeros((0, 3), np.uint8))
    assert snvrs(nobody).size == snvrs(nobody, surely=True).size == 0


def test_a_row_far_down_is_seen() -> None:
    cells = np.ones((ROWS_AT_ONCE + 2, 3), np.uint8)
    cells[-1, 1] = 2
    rows = Aligned(cells)
    assert snvrs(rows).tolist() == snvrs(rows, surely=True).tolist() == [1]


def test_genotypes_vary_too() -> None:
    rows = Aligned(np.array([[1, 2, 7], [1, 4, 2]], np.uint8), genotypes())
    assert snvrs(rows).tolist() == [1, 2]
    assert snvrs(rows, surely=True).tolist() == [1]
