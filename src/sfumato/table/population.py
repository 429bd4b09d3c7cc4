"""A list of the population: whose its rows are, and how many of them repeat another.

A population is made of people. Where a column of the list names them, somebody with several rows counts
once; where none does, rows are taken as people, and rows that repeat another in every column are counted
so that they can be warned of.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow.compute as pc

from sfumato.core.errors import BadInput, nearest
from sfumato.engine.contract import Table

ROWS_TAKEN = "no column names the people of the population: each of its rows counts as one person"
"""warned of where a list has nothing but quasi-identifiers, so that a repeat says nothing"""


def folded(name: str) -> str:
    """Write the name of a column without case and signs.

    >>> folded("Patient-ID") == folded("patient_id")
    True
    """
    return "".join(letter for letter in name.casefold() if letter.isalnum()) or name


def person_asked(population: object, person: str | None) -> str | None:
    """Return the person column that is asked for; refuse one of a population that is not there."""
    if population is None and person is not None:
        raise BadInput(
            "'population_person' speaks of a population that is not there", remedy="give 'population', too"
        )
    return person


def person_of(
    population: Table, asked: str | None, of_table: str | None, quasi: Sequence[str] = ()
) -> str | None:
    """Return the column that names the people of a population: the one asked for, else that of the table.

    The name of the table's person column is found without case and signs, too: rows that are one person's
    must not count as several people because a list writes ``Patient_ID`` for ``patient_id``.
    """
    if asked is not None:
        if asked not in population.names:
            raise BadInput(
                f"the population has no column '{asked}' to name its people",
                remedy=nearest(str(asked), population.names),
            )
        if asked in quasi:
            raise BadInput(
                f"'{asked}' is a quasi-identifier, and cannot name the people of the population",
                remedy="name a column that no two people share",
            )
        found: str | None = asked
    elif of_table is None:
        return None
    else:
        alike = [name for name in population.names if folded(name) == folded(of_table)]
        found = of_table if of_table in alike else alike[0] if len(alike) == 1 else None
    if found is not None:
        refuse_rows_of_nobody(population, found)
    return found


def refuse_rows_of_nobody(population: Table, person: str) -> None:
    """Refuse a list that names people in some of its rows only: the others would count as nobody."""
    rows = lacking = 0
    for batch in population.engine.count(population, [person]):
        rows += pc.sum(batch.column(1)).as_py() or 0
        lacking += pc.sum(batch.column(1).filter(batch.column(0).is_null())).as_py() or 0
    if lacking:
        raise BadInput(
            f"{lacking:,} of {rows:,} rows of the population do not say whose they are",
            where=f"column '{person}' of the population",
            remedy="give every row its person, or name no person column",
        )


def repeated_rows(table: Table) -> int:
    """Count rows that are the same as an earlier one in all columns, those that name people too."""
    again = 0
    for batch in table.engine.count(table, table.names):
        again += int(pc.sum(batch.column(len(table.names))).as_py() or 0) - batch.num_rows
    return again


def repeats_among(population: Table, quasi: Sequence[str], person: str | None) -> int:
    """Count rows of a population that may be a person's second one, where no column names people.

    Where a list holds nothing but ``quasi``, people who look alike are expected to repeat each other.
    """
    known = {folded(name) for name in quasi}
    if person is not None or {folded(name) for name in population.names} <= known:
        return 0
    return repeated_rows(population)


def repeats_in_words(again: int) -> str:
    """Write that rows of a population repeat another; nothing where none does.

    >>> repeats_in_words(4)
    '4 rows repeat another in every column of the population'
    """
    if not again:
        return ""
    repeat = "1 row repeats" if again == 1 else f"{again:,} rows repeat"
    return f"{repeat} another in every column of the population"
