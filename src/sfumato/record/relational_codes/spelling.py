"""Things that are called by name beside a table: the spelling of recipes, taken from Python, too."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from sfumato.core.errors import BadInput, nearest


def made(registry: Mapping[str, type[Any]], given: Any, what: str, where: str) -> Any:
    """Make an object from its name or from ``{name: {parameter: value}}``; take one that is made as it is.

    >>> from sfumato.codes.methods import METHODS
    >>> made(METHODS, {"apriori": {"suppress": 0.05}}, "method for sets", "codes").suppress
    0.05
    """
    spelt = {given: {}} if isinstance(given, str) else given
    if isinstance(given, type) or not (isinstance(spelt, Mapping) or dataclasses.is_dataclass(spelt)):
        raise BadInput(
            f"'{where}' is neither the name of a {what} nor a {what.partition(' ')[0]}",
            remedy=f"known are: {', '.join(registry)}",
        )
    if not isinstance(spelt, Mapping):
        return given
    if len(spelt) != 1:
        raise BadInput(f"a {what} is one name with its parameters", where=where, remedy="name one")
    name, parameters = next(iter(spelt.items()))
    if name not in registry:
        raise BadInput(f"there is no {what} '{name}'", where=where, remedy=nearest(str(name), registry))
    known = [field.name for field in dataclasses.fields(registry[name]) if field.init]
    chosen = {str(key).replace("-", "_"): value for key, value in (parameters or {}).items()}
    for key in chosen:
        if key not in known:
            raise BadInput(f"'{key}' is not a parameter of {name}", where=where, remedy=nearest(key, known))
    try:
        return registry[name](**chosen)
    except TypeError:
        raise BadInput(
            f"{name} was not given all of its parameters", where=where, remedy=f"they are: {', '.join(known)}"
        ) from None


def spelling(thing: Any) -> str | dict[str, dict[str, Any]]:
    """Spell an object as a recipe does: by its name, and those parameters that are not the usual ones.

    >>> from sfumato.codes.methods import AprioriAnonymisation
    >>> spelling(AprioriAnonymisation()), spelling(AprioriAnonymisation(suppress=0.05))
    ('apriori', {'apriori': {'suppress': 0.05}})
    """
    said = {
        field.name: list(value) if isinstance(value, tuple) else value
        for field in dataclasses.fields(thing)
        if field.init and (value := getattr(thing, field.name)) != field.default
    }
    return {thing.name: said} if said else str(thing.name)
