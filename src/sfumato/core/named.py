"""Things that recipes call by name (models, methods, utilities), and their parameters."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from sfumato.core.errors import BadInput, SfumatoError, nearest
from sfumato.core.evidence import Parameter

T = TypeVar("T")


def build(registry: Mapping[str, type[T]], spec: str | Mapping[str, Any], what: str, where: str = "") -> T:
    """Make an object from its name, or from ``{name: {parameter: value}}``.

    >>> from sfumato.table.models import MODELS
    >>> build(MODELS, {"k-anonymity": {"k": 5}}, "model")
    KAnonymity(k=5, missing=None, up_to=None)
    """
    spelt: Mapping[str, Any] = {spec: {}} if isinstance(spec, str) else spec
    if len(spelt) != 1:
        raise BadInput(
            f"a {what} is one name with its parameters",
            where=where,
            remedy="put each into an item of its own",
        )
    name, given = next(iter(spelt.items()))
    if name not in registry:
        raise BadInput(f"there is no {what} '{name}'", where=where, remedy=nearest(name, registry))
    kind = registry[name]
    try:
        return kind(**_parameters(kind, name, given or {}))
    except SfumatoError as problem:
        problem.where = problem.where or where
        raise


def _parameters(kind: type[Any], name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check names and types of parameters."""
    fields = {field.name: field for field in dataclasses.fields(kind)}
    types = get_type_hints(kind)
    chosen = {}
    for key, value in given.items():
        attribute = key.replace("-", "_")
        if attribute not in fields:
            raise BadInput(f"'{key}' is not a parameter of {name}", remedy=nearest(attribute, fields))
        chosen[attribute] = _typed(value, types[attribute], f"'{key}' of {name}")
        _refuse_beyond_use(chosen[attribute], attribute, f"'{key}' of {name}")
    for field in fields.values():
        needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if needed and field.name not in chosen:
            raise BadInput(
                f"{name} needs the parameter '{field.name}'", remedy=f"write {name}: {{{field.name}: …}}"
            )
    return chosen


_MOST = 10**12
"""no number of people, rows or units that a parameter speaks of is larger"""
_LEAST = 1e-100
_MOST_OF = {
    "coalitions": 100_000,
    "effort": 10_000,
    "rounds": 10_000,
    "seed": 2**63 - 1,
    "smoothing": 10**9,
    "theta": 10**6,
}
"""parameters that buy quality with time or memory: beyond this, a line of a recipe would never end"""
_VALUES = frozenset(["top", "top_as", "bottom", "bottom_as", "low", "high"])
"""parameters that are values of the data, such as milliseconds since 1970: they are only compared"""
_LEAST_OF = {"base": 1e-9, "corrupted": 1e-9, "expected": 1e-9, "keep": 1e-9, "seed": 0}
"""below this, exact arithmetic on the counts would not fit into machine words"""


def _refuse_beyond_use(value: Any, attribute: str, what: str) -> None:
    """Refuse numbers that nobody needs, and that make a few letters into hours or gigabytes.

    Recipes and the evidence of strangers are built here alike.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return
    if attribute in _VALUES and isinstance(value, float):
        return
    most, least = _MOST_OF.get(attribute, _MOST), _LEAST_OF.get(attribute, _LEAST)
    if abs(value) > most and value not in (math.inf, -math.inf):
        raise BadInput(f"{what} is far too large", remedy=f"write at most {most:,}")
    if abs(value) == math.inf and attribute in _MOST_OF:
        raise BadInput(f"{what} is far too large", remedy=f"write at most {most:,}")
    if 0 < abs(value) < least or (attribute == "seed" and value < 0):
        raise BadInput(f"{what} is far too small", remedy=f"write at least {least:g}")


def _typed(value: Any, kind: Any, what: str) -> Any:
    """Give a value the type of its parameter, or say what it should be."""
    choices = _choices(kind)
    allowed = (kind, *get_args(kind))
    try:
        if not choices and isinstance(value, bool | str) and type(value) not in allowed:
            raise ValueError
        return TypeAdapter(kind).validate_python(value)
    except ValueError:
        if choices:
            raise BadInput(
                f"{what} has a value that it cannot have", remedy=nearest(str(value), choices)
            ) from None
        words = () if get_origin(kind) is tuple else _WORDS.items()
        wanted = next((word for known, word in words if known in allowed), "a list")
        raise BadInput(f"{what} must be {wanted}", remedy="check the value") from None


_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def _choices(kind: Any) -> list[str]:
    """List the values of an enumeration or of literals, also where the parameter may be left out."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    if get_origin(kind) is Literal:
        return [str(choice) for choice in get_args(kind)]
    return next((found for part in get_args(kind) if (found := _choices(part))), [])


def measures_named(registry: Mapping[str, type[Any]], given: Any, does: str) -> tuple[Any, ...]:
    """Take measures of lost utility as they are (they can do ``does``), or make them from their spelling."""
    listed = list(given) if isinstance(given, list | tuple) else [given]
    found = []
    for number, one in enumerate(listed):
        if isinstance(one, str | Mapping):
            found.append(build(registry, one, "measure", f"measures[{number}]"))
        elif isinstance(one, type) or not hasattr(one, does):
            raise BadInput(
                f"a measure is a {type(one).__name__}",
                remedy=f"give an object, or a name: {', '.join(registry)}",
            )
        else:
            found.append(one)
    names = [measure.name for measure in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"the measure '{twice}' is there twice", where="measures", remedy="keep one of them")
    return tuple(found)


def parameters_of(thing: Any) -> dict[str, Parameter]:
    """Return the parameters of such an object as plain values; those that say nothing are left out."""
    found = {}
    for field in dataclasses.fields(thing):
        value = getattr(thing, field.name)
        unset = value is None or value == () or (value is False and field.default is False)
        if field.init and not unset:
            found[field.name] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    """Write a parameter as a recipe would: lists and mappings of plain values."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return value if value is None or isinstance(value, int | float) else str(value)


def spell(thing: Any) -> dict[str, dict[str, Parameter]]:
    """Spell an object the way a recipe does."""
    return {thing.name: parameters_of(thing)}
