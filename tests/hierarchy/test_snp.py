from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.hierarchy.iupac import ANY, GAP, SIZE, UNKNOWN, A, C, G, T, genotypes, iupac
from sfumato.hierarchy.snp import TREES, SnpTree, carriers, flat, purines_and_pyrimidines
from sfumato.hierarchy.snp_spec import read_snp_tree, snp_spec, snp_tree, snp_tree_of

PURINES = [("A", "R", "N"), ("G", "R", "N"), ("C", "Y", "N"), ("T", "Y", "N")]
every_tree = pytest.mark.parametrize("name", TREES)


def spelt(tree: SnpTree) -> dict[str, str]:
    """The parent of each set, as it is written."""
    names = tree.lattice.spellings
    return {names[mask]: names[up] for mask, up in enumerate(tree.parent) if up}


@st.composite
def trees(draw: st.DrawFn) -> SnpTree:
    """Any tree over bases or genotypes: sets are joined two by two, or brought up to everything."""
    lattice = draw(st.sampled_from([iupac(), genotypes()]))
    roots = [mask for mask in lattice.masks.values() if mask.bit_count() == 1 and mask != lattice.gap]
    edges = {lattice.top: lattice.top}
    if lattice.gap is not None:
        edges[lattice.gap] = lattice.top
    while len(roots) > 1:
        one, other = draw(st.permutations(roots))[:2]
        joined = int(lattice.closed[one | other])
        for mask in (one, other):
            edges.setdefault(mask, joined if mask != joined else lattice.top)
        roots = [mask for mask in roots if mask not in (one, other, joined)] + [joined]
    edges.setdefault(roots[0], lattice.top)
    edges[lattice.top] = lattice.top
    return SnpTree(lattice, tuple(edges.get(mask, 0) for mask in range(SIZE)))


def test_the_usual_tree_has_purines_and_pyrimidines() -> None:
    assert spelt(snp_tree("purines-pyrimidines")) == {
        "A": "R", "G": "R", "C": "Y", "T": "Y", "R": "N", "Y": "N", "-": "N", "N": "N",
    }  # fmt: skip


def test_the_other_trees_are_what_their_names_say() -> None:
    assert spelt(snp_tree("strong-weak")) == {
        "C": "S", "G": "S", "A": "W", "T": "W", "S": "N", "W": "N", "-": "N", "N": "N",
    }  # fmt: skip
    assert spelt(snp_tree("amino-keto")) == {
        "A": "M", "C": "M", "G": "K", "T": "K", "M": "N", "K": "N", "-": "N", "N": "N",
    }  # fmt: skip
    assert spelt(snp_tree("carriers")) == {
        "0/0": "./.", "0/1": "./1", "1/1": "./1", "./1": "./.", "./.": "./.",
    }  # fmt: skip
    assert spelt(snp_tree("flat")) == {**dict.fromkeys("ACGT-", "N"), "N": "N"}
    assert spelt(snp_tree("flat", lattice=genotypes())) == dict.fromkeys(("0/0", "0/1", "1/1", "./."), "./.")


@every_tree
def test_every_named_tree_is_written_by_its_name_and_read_again(name: str) -> None:
    tree = TREES[name]()
    assert snp_spec(tree) == name
    assert snp_tree(name, lattice=tree.lattice) == tree


@given(trees())
def test_every_tree_survives_being_written_in_a_recipe(tree: SnpTree) -> None:
    written = yaml.safe_load(yaml.safe_dump(snp_spec(tree)))
    assert snp_tree(written, lattice=tree.lattice) == tree


@given(trees())
def test_ancestors_grow_level_by_level_to_the_root(tree: SnpTree) -> None:
    nodes = [mask for mask, up in enumerate(tree.parent) if up]
    assert tree.root == tree.lattice.top
    for mask in nodes:
        line = tree.ancestors[:, mask].tolist()
        assert line[0] == mask
        assert line[-1] == tree.root
        for below, up in pairwise(line):
            assert up in (below, tree.parent[below])
        steps = 0
        while mask != tree.root:
            mask, steps = tree.parent[mask], steps + 1
        assert tree.depths[line[0]] == steps
    assert tree.height == tree.depths.max() == len(tree.ancestors) - 1
    outside = [mask for mask in range(SIZE) if not tree.parent[mask]]
    assert (tree.depths[outside] == -1).all()
    assert not tree.ancestors[:, outside].any()


@given(trees())
def test_every_set_enters_the_tree_and_joins_hold_both(tree: SnpTree) -> None:
    closed = tree.lattice.closed
    for x in tree.lattice.masks.values():
        entry = int(tree.entries[x])
        assert closed[entry | x] == entry
        assert entry == x or not tree.parent[x]
        for y in tree.lattice.masks.values():
            above = int(tree.joins[x, y])
            assert above == tree.joins[y, x]
            assert closed[above | x] == closed[above | y] == above
            below = [mask for mask, up in enumerate(tree.parent) if up == above != mask]
            entries = {int(tree.entries[x]), int(tree.entries[y])}
            lower = [child for child in below if all(_reaches(tree, entry, child) for entry in entries)]
            assert not lower


def _reaches(tree: SnpTree, mask: int, above: int) -> bool:
    while mask != above and mask != tree.root:
        mask = tree.parent[mask]
    return mask == above


def test_a_code_outside_the_tree_enters_at_the_lowest_set_that_holds_it() -> None:
    tree = purines_and_pyrimidines()
    assert tree.entries[A | T] == ANY
    assert tree.entries[A | G] == A | G
    assert tree.entries[GAP] == GAP
    assert carriers().entries[3] == UNKNOWN


def test_the_arrays_of_a_tree_cannot_be_written_to() -> None:
    tree = flat()
    for array in (tree.steps, tree.depths, tree.ancestors, tree.entries, tree.joins):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    assert tree.steps.dtype == np.uint8


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_a_file_of_paths_is_read(tmp_path: Path, delimiter: str) -> None:
    (tmp_path / "snp.csv").write_text("\n".join(delimiter.join(path) for path in PURINES) + "\n")
    assert snp_tree("snp.csv", tmp_path) == purines_and_pyrimidines()
    assert snp_tree({"csv": "snp.csv", "delimiter": delimiter}, tmp_path) == purines_and_pyrimidines()


def test_rows_nested_sets_and_parents_are_three_spellings_of_one_tree() -> None:
    assert (
        snp_tree({"rows": [list(path) for path in PURINES]})
        == snp_tree({"tree": {"N": {"R": ["A", "G"], "Y": ["C", "T"]}}})
        == snp_tree({"parents": {"A": "R", "G": "R", "C": "Y", "T": "Y", "R": "N", "Y": "N"}})
        == purines_and_pyrimidines()
    )


def test_a_star_is_everything_and_small_letters_are_large_ones() -> None:
    assert snp_tree({"tree": {"r": ["a", "g"], "y": ["c", "t"]}}) == purines_and_pyrimidines()
    assert snp_tree_of([(base, "*") for base in "ACGT"]) == flat()


def test_genotypes_are_read_without_their_phase() -> None:
    paths = [("0|0", "./.", "*"), ("1|0", "1/.", "*"), ("1|1", "./1", "*")]
    assert snp_tree_of(paths) == carriers()


def test_a_gap_may_have_a_path_of_its_own_to_n_alone() -> None:
    assert snp_tree_of([*PURINES, ("-", "N")]) == purines_and_pyrimidines()
    with pytest.raises(BadInput, match="path 5 of the tree of SNPs: a set of the path does not hold"):
        snp_tree_of([*PURINES, ("-", "R", "N")])


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["A;R;N", "G;R;N", "C;R;N", "T;Y;N"], 3, "does not hold the one before it"),
        (["A;R;N", "G;K;N", "C;Y;N", "T;Y;N", "R;D;N"], 5, "another parent here than in .* line 1"),
        (["A;R;N", "G;R;N", "C;Y;N", "X;Y;N"], 4, "a label is none of bases"),
        (["A;R;N", "", "G;R;R", "C;Y;N", "T;Y;N"], 3, "does not end at the set of everything"),
        (["A;N", "C;N", "G;0/1", "T;N"], 3, "a label is none of bases"),
        (["0/0;./.", "0/1;./.", "1/2;./."], 3, "a label is none of genotypes"),
        (["A", "C", "G", "T"], 1, "fewer than two labels"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(
    tmp_path: Path, lines: list[str], line: int, message: str
) -> None:
    path = tmp_path / "snp.csv"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(BadInput, match=message) as error:
        read_snp_tree(path)
    assert error.value.where == f"{path}, line {line}"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("purine-pyrimidines", "did you mean 'purines-pyrimidines'"),
        ({"tree": {"N": ["A", "C"]}}, "2 of the 4 bases are not in the tree"),
        ({"rows": [["0/0", "./."], ["1/1", "*"]]}, "1 of the 3 genotypes is not in the tree"),
        ({"rows": []}, "the tree is empty"),
        ({"rows": "ACGT"}, "rows must be a list of paths"),
        ({"rows": [["A", "N"]], "delimiter": ";"}, "there is no key 'delimiter'"),
        ({}, "exactly one kind and has 0"),
        ({"csv": 3}, "csv must be the path of a file"),
        ({"csv": "snp.csv", "delimiter": ";;"}, "delimiter must be one character"),
        ({"parents": ["A"]}, "parents must be a mapping"),
        (["A"], "a word or a mapping"),
    ],
)
def test_a_wrong_spelling_is_refused(spec: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        snp_tree(spec)


def test_a_tree_over_other_values_than_the_data_is_refused() -> None:
    with pytest.raises(BadInput, match="the tree is over genotypes and the data are bases"):
        snp_tree("carriers", lattice=iupac())
    assert snp_tree("strong-weak", lattice=iupac(1)).root == ANY


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ({A: C | T, C | T: ANY, ANY: ANY}, "does not hold its child"),
        ({A: A | G, ANY: ANY}, "a parent has no place"),
        ({A: A, C: C}, "one root and this one has 2"),
        ({}, "one root and this one has 0"),
        ({G | GAP: ANY, ANY: ANY}, "no set of bases"),
    ],
)
def test_a_tree_that_is_none_cannot_be_made(edges: dict[int, int], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        SnpTree(iupac(), tuple(edges.get(mask, 0) for mask in range(SIZE)))


def test_leaves_are_nobodys_parent() -> None:
    assert purines_and_pyrimidines().leaves == (A, C, G, T, GAP)
