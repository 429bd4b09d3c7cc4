"""Candidates when a column is known beside the quasi-identifiers.

A promise of k-anonymity is about the declared quasi-identifiers and nothing else. Somebody who also knows
what stands in another released column compares that, too: their candidates for a person are the records with
the same quasi-identifiers and the same value there. With classes E and the value v(r) of record r,

    candidates(r) = |{persons of s ∈ E(r) : v(s) = v(r)}|,

and a person has fewer than k of them where one of their records has. It is counted on the table as it is
published, where the data live. L. Sweeney, "k-anonymity: a model for protecting privacy" (2002), leaves it to
the data holder to name everything that may be known elsewhere: this shows what was not named.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.engine.contract import Candidates
from sfumato.hierarchy.ladder import ROOT
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule, RuleKind, smallest_class
from sfumato.table.wildcards import wildcard_frequencies

USUAL_K = 5
"""candidates that everybody should have where no promise says how many"""


def candidates_asked(rules: tuple[Rule, ...]) -> int:
    """Return how many candidates the promises give everybody; ``USUAL_K`` where they give no number above 1.

    >>> candidates_asked((Rule(RuleKind.MIN_PERSONS, (3,), True),)), candidates_asked(())
    (3, 5)
    """
    k = smallest_class(tuple(rule for rule in rules if rule.kind is RuleKind.MIN_PERSONS))
    return k if k > 1 else USUAL_K


def candidates_with(published: PublishedTable, column: str, k: int, *, wildcards: bool = False) -> Candidates:
    """Count the people with fewer than k candidates when a column is known, too.

    With ``wildcards`` a hidden quasi-identifier agrees with every value, as such promises read it; a missing
    value of the column is a value of its own even then.
    """
    if wildcards and published.person is None:
        return _agreeing(published, column, k)
    return published.table.engine.candidates(
        published.table, published.quasi, column, fewer_than=k, person=published.person
    )


def _agreeing(published: PublishedTable, column: str, k: int) -> Candidates:
    """Count candidates where hidden values agree with all; combinations come into memory."""
    table, names = published.table, [*published.quasi, column]
    batches = list(table.engine.count(table, names))
    if not batches:
        return Candidates(0, 0, 0)
    found = pa.Table.from_batches(batches)
    rows = np.asarray(found.column(len(names)).to_numpy(), np.int64)
    codes = np.empty((len(names), len(rows)), np.int64)
    hidden = np.zeros(codes.shape, np.bool_)
    for j, name in enumerate(names):
        values = found.column(j).to_pylist()
        code_of = {value: code for code, value in enumerate(Domain.of(name, values).values)}
        codes[j] = [code_of[value] for value in values]
        if j < len(published.quasi):
            hidden[j] = [value in (None, ROOT) for value in values]
    known: NDArray[np.int64] = wildcard_frequencies(codes, hidden, rows)
    alone = wildcard_frequencies(codes[:-1], hidden[:-1], rows)
    few = known < k
    return Candidates(int(rows.sum()), int(rows[few].sum()), int(rows[few & (known < alone)].sum()))
