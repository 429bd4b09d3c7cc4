"""How trees over the values of SNPs are read, and how a recipe spells them.

=================================================  ==============================================
``purines-pyrimidines``, ``strong-weak``,          the trees of ``hierarchy/snp``; ``flat`` is for
``amino-keto``, ``carriers``, ``flat``             bases and genotypes
``snp.csv`` or ``{csv: snp.csv, delimiter: ";"}``  a file, beside the recipe: leaf;level 1;level 2;…
``{rows: [[A, R, N], [C, Y, N], …]}``              the same, in place
``{tree: {N: {R: [A, G], Y: [C, T]}}}``            sets inside sets
``{parents: {A: R, G: R, R: N, …}}``               the parent of each set
=================================================  ==============================================

Labels are codes of IUPAC, or genotypes as VCF writes them (``0/1``, ``1|0``, ``./1``); ``*`` is the set of
everything. Every path ends there, every set holds those below it and has one parent, and all four bases (all
three genotypes) are in the tree. A gap lies below N unless the tree says so itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput, nearest
from sfumato.hierarchy.csvfile import line_numbers, read_columns
from sfumato.hierarchy.iupac import SIZE, Lattice, genotypes, iupac
from sfumato.hierarchy.snp import TREES, SnpTree, flat
from sfumato.hierarchy.tree import Tree

_WHERE = "tree of SNPs"
_KINDS = ("csv", "rows", "tree", "parents")
_FILES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
_ALL = "*"

Place = Callable[[int], str]
"""how the n-th path (from 0) is called in an error"""


def snp_tree(
    spec: Mapping[str, Any] | str, base_folder: Path = Path(), *, lattice: Lattice | None = None
) -> SnpTree:
    """Read a tree as a recipe spells it; files are looked for from ``base_folder``.

    ``lattice`` says what the data are; a tree over something else is refused.

    >>> tree = snp_tree({"tree": {"N": {"R": ["A", "G"], "Y": ["C", "T"]}}})
    >>> tree == snp_tree("purines-pyrimidines")
    True
    """
    found = _from_word(spec, base_folder, lattice) if isinstance(spec, str) else _from_kind(spec, base_folder)
    if lattice is not None and found.lattice.name != lattice.name:
        raise BadInput(
            f"the tree is over {found.lattice.name} and the data are {lattice.name}",
            where=_WHERE,
            remedy="take a tree over the same values",
        )
    return found


def _from_word(word: str, base_folder: Path, lattice: Lattice | None) -> SnpTree:
    if word == "flat":
        return flat(lattice)
    if word in TREES:
        return TREES[word]()
    if word.lower().endswith(_FILES):
        return read_snp_tree(base_folder / word)
    raise BadInput(f"there is no tree '{word}'", where=_WHERE, remedy=nearest(word, {*TREES, *_KINDS}))


def _from_kind(spec: Mapping[str, Any], base_folder: Path) -> SnpTree:
    if not isinstance(spec, Mapping):
        raise BadInput("a tree is a word or a mapping", where=_WHERE, remedy=nearest("", {*TREES, *_KINDS}))
    kinds = [key for key in spec if key in _KINDS]
    beside = {"delimiter"} if "csv" in kinds else set()
    for key in spec:
        if key not in _KINDS and key not in beside:
            raise BadInput(f"there is no key '{key}'", where=_WHERE, remedy=nearest(str(key), _KINDS))
    if len(kinds) != 1:
        raise BadInput(
            f"a tree needs exactly one kind and has {len(kinds)}",
            where=_WHERE,
            remedy=f"use one of {', '.join(_KINDS)}",
        )
    kind, inside = kinds[0], spec[kinds[0]]
    if kind == "csv":
        if not isinstance(inside, str | Path):
            raise BadInput("csv must be the path of a file", where=_WHERE)
        delimiter = spec.get("delimiter")
        if delimiter is not None and (not isinstance(delimiter, str) or len(delimiter) != 1):
            raise BadInput("delimiter must be one character", where=_WHERE)
        return read_snp_tree(base_folder / inside, delimiter)
    if kind == "rows":
        if not _is_list(inside) or not all(_is_list(row) for row in inside):
            raise BadInput("rows must be a list of paths, each a list of labels", where=_WHERE)
        return snp_tree_of([[as_text(label) for label in row] for row in inside])
    if kind == "parents":
        if not isinstance(inside, Mapping):
            raise BadInput("parents must be a mapping", where=_WHERE, remedy="write {A: R, R: N, …}")
        # The parent of everything may be left out or named as itself.
        return snp_tree_of(
            Tree.from_parents(
                {child: up for child, up in inside.items() if as_text(child) != as_text(up)}
            ).rows()
        )
    return snp_tree_of(Tree(inside).rows())


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def read_snp_tree(path: str | Path, delimiter: str | None = None) -> SnpTree:
    """Read a CSV file of paths: a leaf, the set above it, …, the set of everything. No header line."""
    path = Path(path)
    columns, delimiter = read_columns(path, delimiter)
    rows = list(zip(*([labels[at] for at in numbers] for numbers, labels in columns), strict=True))
    return snp_tree_of(rows, lambda row: f"{path}, line {line_numbers(path, delimiter)[row]}")


def snp_tree_of(
    paths: Sequence[Sequence[str]], place: Place = lambda row: f"path {row + 1} of the tree of SNPs"
) -> SnpTree:
    """Take the paths from memory, each from a leaf to the set of everything; a label may be repeated.

    >>> tree = snp_tree_of([("0/0", "0/.", "./."), ("0/1", "0/.", "./."), ("1/1", "1/1", "./.")])
    >>> tree.height, len(tree.leaves)
    (2, 3)
    """
    if not paths:
        raise BadInput("the tree is empty", where=_WHERE, remedy="give one path for each value")
    lattice = _lattice_of(paths, place)
    edges: dict[int, int] = {lattice.top: lattice.top}
    said: dict[int, int] = {}
    for row, path in enumerate(paths):
        masks = [_mask(label, lattice, place(row)) for label in path]
        if masks[-1] != lattice.top:
            raise BadInput(
                "the path does not end at the set of everything",
                where=place(row),
                remedy=f"end it with {lattice.spellings[lattice.top]} or *",
            )
        for below, up in pairwise(masks):
            if below == up:
                continue
            if lattice.closed[below | up] != up:
                raise BadInput(
                    "a set of the path does not hold the one before it",
                    where=place(row),
                    remedy="each set holds all that is below it, as R (A or G) holds A",
                )
            if edges.setdefault(below, up) != up:
                raise BadInput(
                    f"a set has another parent here than in {place(said[below])}",
                    where=place(row),
                    remedy="give each set one parent",
                )
            said.setdefault(below, row)
    _refuse_missing(edges, lattice)
    if lattice.gap is not None:
        edges.setdefault(lattice.gap, lattice.top)
    return SnpTree(lattice, tuple(edges.get(mask, 0) for mask in range(SIZE)))


def _refuse_missing(edges: Mapping[int, int], lattice: Lattice) -> None:
    single = [mask for mask in lattice.masks.values() if mask.bit_count() == 1 and mask != lattice.gap]
    missing = sum(mask not in edges for mask in single)
    if missing:
        are = "is" if missing == 1 else "are"
        raise BadInput(
            f"{missing} of the {len(single)} {lattice.name} {are} not in the tree",
            where=_WHERE,
            remedy="give each of them a path",
        )


def _lattice_of(paths: Sequence[Sequence[str]], place: Place) -> Lattice:
    """Which lattice the first label that says it belongs to."""
    for row, path in enumerate(paths):
        if len(path) < 2:
            raise BadInput(
                "the path has fewer than two labels",
                where=place(row),
                remedy="write a value, the sets above it and at last *, such as A;R;*",
            )
    for path in paths:
        for label in path:
            if label.strip() != _ALL:
                return genotypes() if {*label} & {*"/|"} else iupac()
    return iupac()


def _mask(label: str, lattice: Lattice, where: str) -> int:
    text = label.strip()
    if text == _ALL:
        return lattice.top
    if lattice.gap is None:
        text = _genotype(text)
    mask = lattice.masks.get(text.upper())
    if mask is None:
        raise BadInput(
            f"a label is none of {lattice.name}", where=where, remedy=f"known are: {', '.join(lattice.masks)}"
        )
    return mask


def _genotype(text: str) -> str:
    """Without phase: 1|0 is 0/1, and ./0 is 0/. (at least one reference allele)."""
    alleles = text.replace("|", "/").split("/")
    turned = "/".join(reversed(alleles))
    return turned if turned in genotypes().masks else "/".join(alleles)


def snp_spec(tree: SnpTree) -> dict[str, Any] | str:
    """Write a tree as a recipe spells it.

    >>> snp_spec(snp_tree("strong-weak"))
    'strong-weak'
    >>> snp_spec(snp_tree_of([(base, "*") for base in "ACGT"]))
    'flat'
    """
    if tree == flat(tree.lattice):
        return "flat"
    for name, made in TREES.items():
        if tree == made():
            return name
    spelt = tree.lattice.spellings
    return {"parents": {spelt[mask]: spelt[up] for mask, up in enumerate(tree.parent) if up not in (0, mask)}}
