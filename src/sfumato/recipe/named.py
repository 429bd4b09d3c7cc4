"""Things that recipes call by name (models, methods, utilities), and their parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from sfumato.core.errors import BadInput, nearest

T = TypeVar("T")


def build(registry: Mapping[str, type[T]], spec: str | Mapping[str, Any], what: str) -> T:
    """Make an object from its name, or from ``{name: {parameter: value}}``.

    >>> from sfumato.table.models import MODELS
    >>> build(MODELS, {"k-anonymity": {"k": 5}}, "model")
    KAnonymity(k=5)
    """
    if isinstance(spec, str):
        name, parameters = spec, {}
    elif len(spec) == 1:
        name, given = next(iter(spec.items()))
        parameters = dict(given or {})
    else:
        raise BadInput(f"a {what} is one name with its parameters", remedy="put each into an item of its own")
    if name not in registry:
        raise BadInput(f"there is no {what} '{name}'", remedy=nearest(name, registry))
    kind = registry[name]
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    chosen = {}
    for key, value in parameters.items():
        attribute = key.replace("-", "_")
        if attribute not in fields:
            raise BadInput(f"'{key}' is not a parameter of {name}", remedy=nearest(attribute, fields))
        chosen[attribute] = value
    for field in fields.values():
        needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if needed and field.name not in chosen:
            raise BadInput(
                f"{name} needs the parameter '{field.name}'", remedy=f"write {name}: {{{field.name}: …}}"
            )
    return kind(**chosen)


def parameters_of(thing: Any) -> dict[str, int | float | str]:
    """Return the parameters of such an object as plain values, those that are not set left out."""
    found = dataclasses.asdict(thing)
    plain = (int, float)
    return {
        key: value if isinstance(value, plain) else str(value)
        for key, value in found.items()
        if value is not None
    }


def spell(thing: Any) -> dict[str, dict[str, int | float | str]]:
    """Spell an object the way a recipe does."""
    return {thing.name: parameters_of(thing)}
