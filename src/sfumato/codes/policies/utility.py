"""UPE: the utility constraints that diseases under study call for.

Utility policy extraction after G. Loukides, A. Gkoulalas-Divanis and B. Malin, "Anonymization of electronic
medical records for validating genome-wide association studies" (PNAS 2010): the codes that define a disease
may be generalised with each other and with nothing else, so that its cases and controls can still be counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from sfumato.codes.contract import Constraint
from sfumato.codes.policies.constraints import Names
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput, nearest
from sfumato.hierarchy.ladder import Hierarchy

_WHERE = "extracting utility constraints"
Overlaps = Literal["merge", "refuse"]


@dataclass(frozen=True)
class UtilityPolicy:
    """Utility constraints that share no code. ``names[i]`` are the diseases of ``constraints[i]``.

    ``merged`` counts diseases that share codes with another one and went into one constraint with it: these
    can then only be counted together. ``absent`` are diseases none of whose codes occurs.
    """

    constraints: tuple[Constraint, ...] = field(repr=False)
    names: tuple[tuple[str, ...], ...]
    merged: int
    absent: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.constraints)


def extract_utility_constraints(
    sets: CodeSets,
    diseases: Mapping[str, str | Iterable[str]],
    *,
    hierarchy: Hierarchy | CodeTree | None = None,
    overlaps: Overlaps = "merge",
) -> UtilityPolicy:
    """Make one constraint for each disease from the codes of the data that define it.

    A disease is given by codes, categories (``493`` is 493 and 493.xx, ``296.0`` also 296.0x), prefixes
    (``493.*``) or labels of nodes of the hierarchy. Diseases that share codes are merged and counted, or
    refused with ``overlaps="refuse"``.

    >>> sets = CodeSets.of([["493.00", "296.01"], ["493.92", "401.1"]])
    >>> policy = extract_utility_constraints(sets, {"asthma": "493", "psoriasis": ["696.0", "696.1"]})
    >>> policy.constraints, policy.absent
    ((('493.00', '493.92'),), ('psoriasis',))
    """
    if overlaps not in get_args(Overlaps):
        raise BadInput(
            f"there is no way '{overlaps}' to treat overlaps",
            where=_WHERE,
            remedy=nearest(overlaps, get_args(Overlaps)),
        )
    names = Names(sets.domain, hierarchy)
    defined = {
        disease: {
            code for name in ([given] if isinstance(given, str) else given) for code in names.disease(name)
        }
        for disease, given in diseases.items()
    }
    present = {disease: codes for disease, codes in defined.items() if codes}
    disjoint, together = merge_overlapping([tuple(sorted(codes)) for codes in present.values()])
    merged = sum(len(members) for members in together if len(members) > 1)
    if merged and overlaps == "refuse":
        raise BadInput(
            f"{merged} diseases share codes with another one",
            where=_WHERE,
            remedy="give each code to one of them, or let overlaps be merged",
        )
    listed = list(present)
    return UtilityPolicy(
        disjoint,
        tuple(tuple(listed[member] for member in members) for members in together),
        merged,
        tuple(disease for disease, codes in defined.items() if not codes),
    )


def merge_overlapping(
    constraints: Sequence[Constraint],
) -> tuple[tuple[Constraint, ...], tuple[tuple[int, ...], ...]]:
    """Merge constraints that share codes; return what comes out and which ones went into each.

    >>> merge_overlapping([("a", "b"), ("c",), ("b", "d")])
    ((('a', 'b', 'd'), ('c',)), ((0, 2), (1,)))
    """
    groups: list[tuple[list[int], set[str]]] = []
    for number, constraint in enumerate(constraints):
        members, codes = [number], set(constraint)
        apart = []
        for group in groups:
            if group[1].isdisjoint(codes):
                apart.append(group)
            else:
                members += group[0]
                codes |= group[1]
        groups = [*apart, (sorted(members), codes)]
    groups.sort(key=lambda group: group[0])
    return tuple(tuple(sorted(codes)) for _, codes in groups), tuple(tuple(members) for members, _ in groups)
