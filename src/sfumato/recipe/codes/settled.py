"""Settle policies once the data were read: names become codes, and what was to be extracted is extracted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sfumato.codes.contract import Constraint, SetModel
from sfumato.codes.policies import (
    GWAS_DISEASES,
    expand,
    extract_privacy_constraints,
    extract_utility_constraints,
)
from sfumato.codes.reading import ReadCodes
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput, nearest
from sfumato.recipe.codes.asked import CONSTRAINTS, AskedModel, Extract

_KNOWN = ("visits", "history")
_GWAS = "gwas"


@dataclass(frozen=True)
class Settled:
    """What is promised and what analysts need, over the codes of the data; and what is worth knowing."""

    models: tuple[SetModel, ...]
    utility: tuple[Constraint, ...]
    notes: tuple[str, ...] = ()


def settle(
    models: tuple[SetModel | AskedModel, ...],
    utility: tuple[Constraint, ...] | Extract,
    read: ReadCodes,
    tree: CodeTree | None,
) -> Settled:
    """Build the models whose constraints come from the data, and read names of nodes as their codes."""
    notes: list[str] = []
    built = []
    for model in models:
        if isinstance(model, AskedModel):
            model = model.settled(_extracted(model, read, notes))
        elif getattr(model, CONSTRAINTS, ()):
            named = getattr(model, CONSTRAINTS)
            model = _with(model, _expanded(named, read, tree, "privacy constraints", notes))
        built.append(model)
    if isinstance(utility, Extract):
        needed = _diseases(utility, read, tree, notes)
    else:
        needed = _expanded(utility, read, tree, "utility constraints", notes)
    return Settled(tuple(built), needed, tuple(notes))


def _with(model: Any, constraints: tuple[Constraint, ...]) -> SetModel:
    found: SetModel = replace(model, constraints=constraints)
    return found


def _expanded(
    named: tuple[Constraint, ...], read: ReadCodes, tree: CodeTree | None, what: str, notes: list[str]
) -> tuple[Constraint, ...]:
    found = expand(named, read.sets.domain, tree)
    if found.absent:
        names = "1 name" if found.absent == 1 else f"{found.absent:,} names"
        notes.append(f"{names} in the {what} stand for nothing in the data")
    return found.constraints


def _extracted(model: AskedModel, read: ReadCodes, notes: list[str]) -> tuple[Constraint, ...]:
    """Find the rare itemsets that an adversary may know."""
    options, where = _options(model.extract, ("from", "size", "codes"))
    known = options.get("from", "history")
    if known not in _KNOWN:
        raise BadInput("'from' must be visits or history", where=where, remedy=nearest(str(known), _KNOWN))
    if known == "visits" and read.visits is None:
        raise BadInput(
            "constraints are to be extracted from visits, and no column has the role visit",
            where=where,
            remedy="give it to the column that names the visit, or write 'from: history'",
        )
    k = model.parameters.get("k")
    if not isinstance(k, int) or isinstance(k, bool):
        raise BadInput(f"{model.name} needs the parameter 'k'", where=where, remedy="write k: 5")
    codes = options.get("codes")
    if codes is not None and not (isinstance(codes, list) and all(isinstance(c, str) for c in codes)):
        raise BadInput(
            "'codes' must be a list of texts", where=where, remedy="write codes in quotes: '401.10'"
        )
    policy = extract_privacy_constraints(
        read.sets,
        k,
        visits=read.visits if known == "visits" else None,
        codes=None if codes is None else expand([codes], read.sets.domain).constraints[0],
        size=options.get("size"),
    )
    if not policy.constraints:
        raise BadInput(
            f"everything that {known} show is held by {k} people or more: there is nothing to protect",
            where=where,
            remedy="leave the model out, or ask for a higher k",
        )
    notes.append(
        f"{len(policy):,} privacy constraints were extracted from what {known} show: {policy.rare:,} of "
        f"{policy.looked_at:,} itemsets are held by fewer than {k} people"
    )
    return policy.constraints


def _diseases(
    extract: Extract, read: ReadCodes, tree: CodeTree | None, notes: list[str]
) -> tuple[Constraint, ...]:
    """Find the codes of the diseases that analysts need to count."""
    options, where = _options(extract, ("diseases", "overlaps"))
    given = options.get("diseases")
    diseases: Mapping[str, Any]
    if given == _GWAS:
        diseases = GWAS_DISEASES
    elif isinstance(given, list) and given and all(isinstance(name, str) for name in given):
        diseases = {name: name for name in given}
    elif isinstance(given, Mapping) and given and all(_is_named(codes) for codes in given.values()):
        diseases = given
    else:
        raise BadInput(
            "'diseases' must be 'gwas', a list of codes or nodes, or names with theirs",
            where=where,
            remedy="for example {asthma: '493', depression: ['296.2', '296.3']}",
        )
    policy = extract_utility_constraints(
        read.sets, diseases, hierarchy=tree, overlaps=options.get("overlaps", "merge")
    )
    notes.append(
        f"{len(policy):,} utility constraints were made from {len(diseases):,} diseases; {policy.merged:,} "
        f"share codes with another one, {len(policy.absent):,} do not occur"
    )
    return policy.constraints


def _is_named(codes: Any) -> bool:
    return isinstance(codes, str) or (isinstance(codes, list) and all(isinstance(c, str) for c in codes))


def _options(extract: Extract, known: tuple[str, ...]) -> tuple[Mapping[str, Any], str]:
    where = f"{extract.where}.extract"
    for key in extract.options:
        if key not in known:
            raise BadInput(f"there is no option '{key}'", where=where, remedy=nearest(str(key), known))
    return extract.options, where
