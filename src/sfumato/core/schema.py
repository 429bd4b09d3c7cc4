"""Roles of columns: what an adversary may know, what must stay hidden, who a row is about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sfumato.core.errors import BadInput, nearest

NEARLY_UNIQUE = 0.9
"""a column where this share of the rows has a value of its own can point at people"""
FEWEST_ROWS = 20
"""below this many rows, values of their own say nothing"""


def is_nearly_unique(distinct: int, present: int) -> bool:
    """Say whether nearly every row has a value of its own.

    >>> is_nearly_unique(95, 100), is_nearly_unique(19, 19)
    (True, False)
    """
    return present >= FEWEST_ROWS and distinct >= NEARLY_UNIQUE * present


class Role(StrEnum):
    """The part that a column plays."""

    PERSON = "person"
    """names the individual; every model counts distinct persons; never released"""
    IDENTIFIER = "identifier"
    """points at one person directly (name, e-mail, record number); never released as it is"""
    QUASI_IDENTIFIER = "quasi-identifier"
    """may be known to an adversary from elsewhere (age, ZIP code, sex); is generalised"""
    SENSITIVE = "sensitive"
    """what must not be learned about a person (diagnosis, salary); released, watched by models"""
    INSENSITIVE = "insensitive"
    """neither known nor harmful; released as it is"""
    WEIGHT = "weight"
    """how many people of the population a row stands for; released as it is"""
    GUARD = "guard"
    """names the node of the sensitive column's hierarchy that a person wants hidden; never released"""
    CODES = "codes"
    """holds the codes of which each person has a set (diagnoses, goods, search terms); of sets alone"""
    VISIT = "visit"
    """says which codes were written down together (a stay, a basket); of sets alone, never released"""
    TEXT = "text"
    """holds notes in which people are named; of text alone, released with everything found replaced"""
    SEQUENCE = "sequence"
    """holds a sequence of bases, or with others one position each; of DNA alone, released less precisely"""


@dataclass(frozen=True)
class Field:
    """One column: its name, its type as text, its role.

    ``confirmed`` says that a person has looked at a column by which people could be found and vouches that
    nobody outside can know its values. ``known`` says that an adversary may know a sensitive column: it is
    then a quasi-identifier for the promises about the other sensitive columns.
    """

    name: str
    role: Role
    type: str = "string"
    confirmed: bool = False
    known: bool = False
    masked: bool = False
    """an identifier or person that is released as a code, a mask or a surrogate"""


@dataclass(frozen=True)
class Schema:
    """The columns of one table in their order, with their roles.

    >>> schema = Schema.of(["name", "age", "disease"], identifier=["name"], quasi=["age"])
    >>> schema.quasi
    ('age',)
    >>> schema.released
    ('age', 'disease')
    """

    fields: tuple[Field, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for field in self.fields:
            if field.name in seen:
                raise BadInput(
                    "the column is there twice", where=f"column '{field.name}'", remedy="rename one of them"
                )
            seen.add(field.name)
            if field.known and field.role is not Role.SENSITIVE:
                raise BadInput(
                    f"it is declared known to the adversary and is {field.role}, not sensitive",
                    where=f"column '{field.name}'",
                    remedy="make it a quasi-identifier, or take 'known' away",
                )
        for role in (Role.PERSON, Role.WEIGHT, Role.GUARD, Role.VISIT):
            names = self.with_role(role)
            if len(names) > 1:
                listed = ", ".join(f"'{name}'" for name in names)
                raise BadInput(
                    f"more than one column has the role {role}: {listed}", remedy="keep one of them"
                )

    @classmethod
    def of(
        cls,
        columns: Iterable[str],
        *,
        quasi: Iterable[str] = (),
        sensitive: Iterable[str] = (),
        identifier: Iterable[str] = (),
        person: str | None = None,
        weight: str | None = None,
        guard: str | None = None,
        confirmed: Iterable[str] = (),
        known: Iterable[str] = (),
    ) -> Schema:
        """Give roles to columns by name; those not named are insensitive."""
        columns = list(columns)
        role_of: dict[str, Role] = {}
        named = [
            (Role.QUASI_IDENTIFIER, list(quasi)),
            (Role.SENSITIVE, list(sensitive)),
            (Role.IDENTIFIER, list(identifier)),
            (Role.PERSON, [person] if person else []),
            (Role.WEIGHT, [weight] if weight else []),
            (Role.GUARD, [guard] if guard else []),
        ]
        for role, names in named:
            for name in names:
                if name not in columns:
                    raise BadInput(f"there is no column '{name}' to be {role}", remedy=nearest(name, columns))
                if role_of.get(name) == role:
                    raise BadInput(f"the column '{name}' is named twice", remedy="name it once")
                if name in role_of:
                    raise BadInput(
                        f"the column is both {role_of[name]} and {role}",
                        where=f"column '{name}'",
                        remedy="give it one role",
                    )
                role_of[name] = role
        sure = set(confirmed)
        for name in sure - set(columns):
            raise BadInput(f"there is no column '{name}' to be confirmed", remedy=nearest(name, columns))
        shared = set(known)
        for name in shared - set(columns):
            raise BadInput(f"there is no column '{name}' to be known", remedy=nearest(name, columns))
        return cls(
            tuple(
                Field(
                    name,
                    role_of.get(name, Role.INSENSITIVE),
                    confirmed=name in sure,
                    known=name in shared,
                )
                for name in columns
            )
        )

    def with_role(self, role: Role) -> tuple[str, ...]:
        """Return the names of the columns with a role, in column order."""
        return tuple(field.name for field in self.fields if field.role is role)

    @property
    def columns(self) -> tuple[str, ...]:
        """All column names in order."""
        return tuple(field.name for field in self.fields)

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return self.with_role(Role.QUASI_IDENTIFIER)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns."""
        return self.with_role(Role.SENSITIVE)

    @property
    def known(self) -> tuple[str, ...]:
        """The sensitive columns that an adversary may know."""
        return tuple(field.name for field in self.fields if field.known)

    @property
    def guard(self) -> str | None:
        """The column that names what people want hidden, if there is one."""
        names = self.with_role(Role.GUARD)
        return names[0] if names else None

    @property
    def person(self) -> str | None:
        """The column that names the individual, if there is one."""
        names = self.with_role(Role.PERSON)
        return names[0] if names else None

    @property
    def weight(self) -> str | None:
        """The column of sampling weights, if there is one."""
        names = self.with_role(Role.WEIGHT)
        return names[0] if names else None

    @property
    def released(self) -> tuple[str, ...]:
        """The columns that a release holds: all but persons, identifiers, guards and visits."""
        hidden = (Role.PERSON, Role.IDENTIFIER, Role.GUARD, Role.VISIT)
        return tuple(field.name for field in self.fields if field.masked or field.role not in hidden)

    def field(self, name: str) -> Field:
        """Return one field by name."""
        for field in self.fields:
            if field.name == name:
                return field
        raise BadInput(f"there is no column '{name}'", remedy=nearest(name, self.columns))
