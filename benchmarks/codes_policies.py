"""CBA and UGACLIP (and their kin) under 500 constraints of the ICD-9-CM tree.

    python -m benchmarks.codes_policies

Draws 60,000 records over the leaves of ICD-9-CM from a fixed seed: categories are chosen like Zipf's law
tells, and a patient often has several codes of one category. The hierarchy comes from the neighbour folder
``shared``; without it the benchmark says so. The utility policy are 500 categories of the tree, the privacy
policy 500 rare combinations of two and three codes that patients have.
"""

from __future__ import annotations

import gzip
import sys
from functools import partial

import numpy as np

from benchmarks.result import SHARED, Result, cpu_seconds, table
from sfumato.codes.contract import Constraint, Problem
from sfumato.codes.methods.aclip import Aclip
from sfumato.codes.methods.clustering_based import ClusteringBased
from sfumato.codes.methods.constraint_based import Coat
from sfumato.codes.methods.pcta import Pcta
from sfumato.codes.methods.ugaclip import Ugaclip
from sfumato.codes.models.privacy_constraints import PrivacyConstraints
from sfumato.codes.policies import extract_privacy_constraints
from sfumato.codes.sets import CodeSets

RECORDS = 60_000
CONSTRAINTS = 500
K = 5
HIERARCHY = SHARED / "data" / "codes" / "icd" / "icd9cm_2015_hierarchy.csv.gz"
BARS = {"ugaclip": 10.0, "cba": 10.0}


def categories() -> dict[str, list[str]]:
    """Read the leaves under each category of three digits."""
    found: dict[str, list[str]] = {}
    with gzip.open(HIERARCHY, "rt", encoding="utf-8") as file:
        next(file)
        for line in file:
            leaf = line.split(";")[0]
            found.setdefault(leaf.split(".")[0], []).append(leaf)
    return found


def patients(tree: dict[str, list[str]], records: int, seed: int = 1) -> CodeSets:
    """Draw sets of codes: a few categories for each patient, one to three codes of each."""
    random = np.random.default_rng(seed)
    names = list(tree)
    random.shuffle(names)
    weights = 1 / np.arange(1, len(names) + 1)
    weights /= weights.sum()
    domain = sorted(leaf for leaves in tree.values() for leaf in leaves)
    place = {leaf: position for position, leaf in enumerate(domain)}
    leaves = [[place[leaf] for leaf in tree[name]] for name in names]
    owners, codes = [], []
    lengths = random.integers(1, 7, records)
    chosen = random.choice(len(names), lengths.sum(), p=weights)
    for owner, category in zip(np.repeat(np.arange(records), lengths).tolist(), chosen.tolist(), strict=True):
        # The first leaves of a category are its common ones.
        for pick in (random.random(random.integers(1, 4)) ** 2 * len(leaves[category])).astype(int):
            owners.append(owner)
            codes.append(leaves[category][pick])
    kept = np.unique(codes)
    number = {int(code): position for position, code in enumerate(kept)}
    return CodeSets.from_pairs(
        np.array(owners),
        np.array([number[code] for code in codes]),
        [domain[code] for code in kept],
        records,
    )


def policies(
    sets: CodeSets, tree: dict[str, list[str]]
) -> tuple[tuple[Constraint, ...], tuple[Constraint, ...]]:
    """Return a privacy policy and a utility policy of 500 constraints each."""
    occurring = set(sets.domain)
    nodes = [tuple(leaf for leaf in leaves if leaf in occurring) for leaves in tree.values()]
    nodes.sort(key=lambda node: -int(sets.supports[list(sets.positions(node))].sum()))
    utility = [node for node in nodes if len(node) > 1][:CONSTRAINTS]
    named = sorted(code for node in utility for code in node)
    rare = [
        constraint
        for size in (2, 3)
        for constraint in extract_privacy_constraints(sets, K, codes=named, size=size).constraints
        if len(constraint) == size
    ]
    random = np.random.default_rng(2)
    return tuple(rare[i] for i in sorted(random.choice(len(rare), CONSTRAINTS, replace=False))), tuple(
        utility
    )


def run() -> list[Result]:
    """Measure every set-based method; the list is empty when the hierarchy is not there."""
    if not HIERARCHY.is_file():
        print("the ICD-9-CM tree is not there (../shared): policies were not measured", file=sys.stderr)
        return []
    tree = categories()
    sets = patients(tree, RECORDS)
    privacy, utility = policies(sets, tree)
    problem = Problem(sets, (PrivacyConstraints(K, privacy),), utility=utility)
    found = []
    for method in (Ugaclip(), ClusteringBased(), Coat(), Aclip(), Pcta()):
        details = method.protect(problem).details
        seconds = cpu_seconds(partial(method.protect, problem), 3, 0)
        note = (
            f"{len(sets.domain):,} codes; {details['codes_generalised']} generalised, "
            f"{details['codes_suppressed']} suppressed"
        )
        work = f"{method.name}, {RECORDS:,} records, {CONSTRAINTS} privacy and utility constraints"
        found.append(Result(work, seconds, "s CPU", BARS.get(method.name), note=note))
    return found


if __name__ == "__main__":
    print(table("Set-based anonymisation under policies, k = 5", run()))
