"""Masks by name: how recipes and policies spell them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError

from sfumato.core.errors import BadInput, nearest
from sfumato.masking.contract import Mask
from sfumato.masking.partial import Cover, Remove
from sfumato.masking.pseudonyms import KeyedPseudonym, ReversiblePseudonym, VaultPseudonym
from sfumato.masking.reduce import Age90, BirthYear, Year, Zip3
from sfumato.masking.shift import DateShift
from sfumato.masking.surrogates import Surrogate

MASKS: dict[str, type[Any]] = {
    kind.name: kind
    for kind in (
        Remove,
        Cover,
        VaultPseudonym,
        KeyedPseudonym,
        ReversiblePseudonym,
        Surrogate,
        DateShift,
        Year,
        BirthYear,
        Age90,
        Zip3,
    )
}
"""every mask by the name that recipes use"""

Spec = str | Mapping[str, Any]


def mask_from_spec(spec: Spec, where: str = "") -> Mask:
    """Make a mask from its name, or from ``{name: {parameter: value}}``.

    >>> mask_from_spec({"mask": {"keep_last": 4}})
    Cover(character='*', keep_first=0, keep_last=4, keep_domain=False)
    """
    spelt: Mapping[str, Any] = {spec: {}} if isinstance(spec, str) else spec
    if len(spelt) != 1:
        raise BadInput("a mask is one name with its parameters", where=where, remedy="keep one of them")
    name, given = next(iter(spelt.items()))
    if name not in MASKS:
        raise BadInput(f"there is no mask '{name}'", where=where, remedy=nearest(str(name), MASKS))
    if given is not None and not isinstance(given, Mapping):
        raise BadInput(f"the parameters of {name} are not a map", where=where, remedy=f"write {name}: {{…}}")
    try:
        made: Mask = MASKS[name](**_parameters(name, given or {}))
    except BadInput as problem:
        problem.where = problem.where or where
        raise
    return made


def _parameters(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    kind = MASKS[name]
    fields = [field.name for field in dataclasses.fields(kind)]
    types = get_type_hints(kind)
    chosen = {}
    for key, value in given.items():
        attribute = str(key).replace("-", "_")
        if attribute not in fields:
            raise BadInput(f"'{key}' is not a parameter of {name}", remedy=nearest(attribute, fields))
        try:
            chosen[attribute] = TypeAdapter(types[attribute]).validate_python(value, strict=True)
        except ValidationError:
            choices = [str(choice) for choice in get_args(types[attribute]) if isinstance(choice, str)]
            remedy = f"choose one of: {', '.join(choices)}" if choices else "check the value"
            raise BadInput(f"'{key}' of {name} has a value that it cannot have", remedy=remedy) from None
    return chosen


def mask_to_spec(mask: Mask) -> Spec:
    """Spell a mask the way a recipe does; it holds no secret.

    >>> mask_to_spec(Cover(keep_last=4)), mask_to_spec(Year())
    ({'mask': {'keep_last': 4}}, 'year')
    """
    fields: tuple[dataclasses.Field[Any], ...] = dataclasses.fields(mask)  # type: ignore[arg-type]  # all masks are
    set_ = {field.name: getattr(mask, field.name) for field in fields}
    own = {field.name: set_[field.name] for field in fields if set_[field.name] != field.default}
    return {mask.name: own} if own else mask.name
