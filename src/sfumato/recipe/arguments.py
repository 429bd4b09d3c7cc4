"""Arguments of the Python functions: names of columns, and parts as objects or spelt as in recipes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sfumato.core.errors import BadInput, nearest
from sfumato.core.named import build


def quasi_names(given: str | Iterable[str] | None) -> list[str]:
    """List the quasi-identifiers, which must be named."""
    if given is None:
        raise BadInput("columns are not given", remedy="name them: quasi=['age', 'sex']")
    return names_of(given)


def names_of(given: str | Iterable[str] | None) -> list[str]:
    """List the columns that are named; None means none."""
    if given is None:
        return []
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        if not isinstance(name, str):
            raise BadInput(f"a column name is a {type(name).__name__}", remedy="name columns by text")
    return names


def built(registry: Mapping[str, type[Any]], given: Any, what: str, ability: str) -> Any:
    """Take an object as it is, or make it from the spelling of recipes."""
    if isinstance(given, str | Mapping):
        return build(registry, given, what)
    if isinstance(given, type) or not hasattr(given, ability):
        raise BadInput(
            f"'{what}' is a {type(given).__name__}",
            remedy=f"give an object, or a name: {', '.join(registry)}",
        )
    return given


def choice(kind: Any, given: str, what: str) -> Any:
    """Take one of the values of an enumeration by its name."""
    try:
        return kind(given)
    except ValueError:
        raise BadInput(
            f"'{what}' cannot be '{given}'", remedy=nearest(given, [str(k) for k in kind])
        ) from None
