"""What a proposal says of columns that are no quasi-identifiers: whom they tell apart when they are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sfumato.core.schema import Field, Role, Schema
from sfumato.engine.contract import Engine, Table
from sfumato.recipe.guess import Guess
from sfumato.recipe.known_columns import OTHERS, in_words
from sfumato.table.risk.dependence import Dependences

MOST_COLUMNS = 100
"""columns that a proposal looks at: of more, say of genotypes, a release tells"""


def with_candidates(guesses: Mapping[str, Guess], engine: Engine, table: Table, k: int) -> dict[str, Guess]:
    """Add to the reason of each released column that is no quasi-identifier whom it tells apart.

    The data are as they came, so both ends are told: with all quasi-identifiers, which a release shows less
    precisely, and by the column alone, which no generalisation of other columns changes.
    """
    schema = Schema(tuple(Field(name, guess.role) for name, guess in guesses.items()))
    depends = Dependences(table, schema.quasi, schema.person)
    found = dict(guesses)
    others = [name for name, guess in guesses.items() if guess.role in OTHERS]
    for name in others[:MOST_COLUMNS]:
        guess = guesses[name]
        both = engine.candidates(table, schema.quasi, name, fewer_than=k, person=schema.person)
        alone = engine.candidates(table, (), name, fewer_than=k, person=schema.person)
        dependent = depends.of(name) if guess.role is Role.SENSITIVE else None
        reason = guess.reason
        if both.fewer:
            reason += (
                f"; {alone.fewer:,} of {alone.people:,} people have fewer than {k} candidates by it alone, "
                f"{both.fewer:,} by it and the quasi-identifiers as they are"
            )
        if dependent is not None:
            reason += f"; it {in_words(dependent)}, so others may know it: please look"
        found[name] = replace(guess, reason=reason)
    return found
