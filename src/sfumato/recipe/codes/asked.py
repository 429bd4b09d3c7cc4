"""Policies that a recipe asks for: listed in place, in a file, or to be extracted from the data.

Which itemsets are rare is known only when the data were read. So a job holds what was asked for, and the
constraints are settled between reading and searching. They are the steward's and are never released.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.codes.contract import Constraint, SetModel
from sfumato.codes.models import MODELS
from sfumato.codes.policies import read_constraints
from sfumato.core.errors import BadInput
from sfumato.core.named import build

KEPT = "kept by the steward"
"""what stands for constraints wherever everybody can read"""
CONSTRAINTS = "constraints"
RULES = "rules"
HIDDEN = (CONSTRAINTS, RULES)
"""parameters of models that tell of single people, or of what is feared"""
EXTRACT = "extract"
IN_HOUSE = {
    "required": "as the steward's policy asks",
    "achieved": "checked in the house",
    "note": "",
    "meaning": "what the steward's policy lists is protected",
}
"""what everybody reads of a promise about constraints: how many there are, and how rare, is not told"""


@dataclass(frozen=True)
class Extract:
    """How constraints are to be found in the data."""

    options: Mapping[str, Any]
    where: str


@dataclass(frozen=True)
class AskedModel:
    """A model whose constraints come from the data."""

    name: str
    parameters: Mapping[str, Any]
    extract: Extract

    def settled(self, constraints: tuple[Constraint, ...]) -> SetModel:
        """Build the model with constraints that were found."""
        spec = {self.name: {**self.parameters, CONSTRAINTS: constraints}}
        model: SetModel = build(MODELS, spec, "model", self.extract.where)
        return model


def asked_model(spec: str | Mapping[str, Any], where: str, folder: Path) -> SetModel | AskedModel:
    """Build a model; one with constraints of the data waits until these were read."""
    if isinstance(spec, Mapping) and len(spec) == 1:
        name, parameters = next(iter(spec.items()))
        if name in MODELS and isinstance(parameters, Mapping) and CONSTRAINTS in parameters:
            place = f"{where}.{name}.{CONSTRAINTS}"
            found = _constraints(parameters[CONSTRAINTS], place, folder)
            if isinstance(found, Extract):
                rest = {key: value for key, value in parameters.items() if key != CONSTRAINTS}
                return AskedModel(name, rest, found)
            spec = {name: {**parameters, CONSTRAINTS: found}}
        if name in MODELS and isinstance(parameters, Mapping) and RULES in parameters:
            place = f"{where}.{name}.{RULES}"
            spec = {name: {**parameters, RULES: _rules(parameters[RULES], place)}}
    model: SetModel = build(MODELS, spec, "model", where)
    return model


def _rules(given: Any, where: str) -> tuple[tuple[Constraint, Constraint], ...]:
    """Take rules as pairs: the codes that are known, and those that must not be told from them."""
    if not isinstance(given, list | tuple):
        raise BadInput(
            "rules are pairs of lists of codes", where=where, remedy="write [[['401.2'], ['295']]]"
        )
    found = []
    for number, rule in enumerate(given):
        place = f"{where}[{number}]"
        if not isinstance(rule, list | tuple) or len(rule) != 2:
            raise BadInput(
                "a rule is what is known and what is told", where=place, remedy="write [['401.2'], ['295']]"
            )
        known, told = listed_constraints(rule, place)
        found.append((known, told))
    return tuple(found)


def asked_utility(given: Any, folder: Path) -> tuple[Constraint, ...] | Extract:
    """Read the utility policy of a recipe."""
    return _constraints(given, "utility-constraints", folder)


def _constraints(given: Any, where: str, folder: Path) -> tuple[Constraint, ...] | Extract:
    if isinstance(given, str):
        return read_constraints(folder / given)
    if isinstance(given, Mapping):
        options = given.get(EXTRACT)
        if set(given) != {EXTRACT} or not (options is None or isinstance(options, Mapping)):
            raise BadInput(
                "constraints are lists of codes, the path of a file, or 'extract' with its options",
                where=where,
                remedy="for example {extract: {from: visits}}",
            )
        return Extract(dict(options or {}), where)
    return listed_constraints(given, where)


def listed_constraints(given: Any, where: str) -> tuple[Constraint, ...]:
    """Take constraints as lists of codes, each a text: 401.10 without quotes would be a number."""
    if not isinstance(given, list | tuple):
        raise BadInput("constraints are lists of codes", where=where, remedy="for example [['401.1', '295']]")
    found = []
    for number, one in enumerate(given):
        if not isinstance(one, list | tuple) or not one:
            raise BadInput(
                "a constraint is a list of codes", where=f"{where}[{number}]", remedy="write ['401.1', '295']"
            )
        if not all(isinstance(code, str) for code in one):
            raise BadInput(
                "a code is not a text", where=f"{where}[{number}]", remedy="write codes in quotes: '401.10'"
            )
        found.append(tuple(one))
    return tuple(found)
