"""What a proposal says of columns that are no quasi-identifiers: whom they tell apart when they are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sfumato.core.schema import Field, Schema
from sfumato.engine.contract import Table
from sfumato.recipe.guess import Guess
from sfumato.recipe.known_columns import OTHERS, in_words
from sfumato.table.risk.dependence import Dependences

MOST_COLUMNS = 100
"""columns that a proposal looks at: of more, say of genotypes, a release tells"""


def with_dependences(guesses: Mapping[str, Guess], table: Table) -> dict[str, Guess]:
    """Add to the reason of a sensitive column that it follows from a quasi-identifier, or tells one."""
    schema = _schema(guesses)
    depends = Dependences(table, schema.quasi, schema.person)
    found = dict(guesses)
    for name in schema.sensitive[:MOST_COLUMNS]:
        dependent = depends.of(name)
        if dependent is not None:
            reason = f"{guesses[name].reason}; it {in_words(dependent)}, so others may know it: please look"
            found[name] = replace(guesses[name], reason=reason)
    return found


def candidates_in_words(guesses: Mapping[str, Guess], table: Table, k: int) -> dict[str, str]:
    """Write for each released column that is no quasi-identifier whom it tells apart.

    The data are as they came, so both ends are told: with all quasi-identifiers, which a release shows less
    precisely, and by the column alone, which no generalisation of other columns changes.
    """
    schema, found = _schema(guesses), {}
    others = [name for name, guess in guesses.items() if guess.role in OTHERS]
    for name in others[:MOST_COLUMNS]:
        engine, person = table.engine, schema.person
        both = engine.candidates(table, schema.quasi, name, fewer_than=k, person=person)
        alone = engine.candidates(table, (), name, fewer_than=k, person=person)
        found[name] = (
            f"{alone.fewer:,} of {alone.people:,} people have fewer than {k} candidates by it alone, "
            f"{both.fewer:,} by it and the quasi-identifiers as they are"
        )
    return found


def _schema(guesses: Mapping[str, Guess]) -> Schema:
    return Schema(tuple(Field(name, guess.role) for name, guess in guesses.items()))
