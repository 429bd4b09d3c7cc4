"""Columns of a file of codes, as they are named in calls and commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfumato.core.errors import BadInput, nearest
from sfumato.core.schema import Field, Role, Schema


def schema_of(
    columns: Iterable[str], code: str | Sequence[str], person: str | None, visit: str | None
) -> Schema:
    """Give the named columns their roles; every other one is left out."""
    names = list(columns)
    roles = dict.fromkeys([code] if isinstance(code, str) else code, Role.CODES)
    for name, role in ((person, Role.PERSON), (visit, Role.VISIT)):
        if name is None:
            continue
        if name in roles:
            raise BadInput(
                f"the column is both {roles[name]} and {role}",
                where=f"column '{name}'",
                remedy="give it one role",
            )
        roles[name] = role
    for name in roles:
        if name not in names:
            raise BadInput(f"there is no column '{name}'", remedy=nearest(name, names))
    return Schema(tuple(Field(name, roles.get(name, Role.IDENTIFIER)) for name in names))


def listed_texts(given: Iterable[str], what: str) -> list[str]:
    """Take texts, or one; refuse what is none: 401.10 without quotes would be a number."""
    listed = [given] if isinstance(given, str) else list(given)
    if not all(isinstance(one, str) for one in listed):
        raise BadInput(f"'{what}' must hold texts", remedy="write codes in quotes: '401.10'")
    return listed
