"""Traces: what other columns tell of a value once they were changed by it.

A promise about randomised values holds when nothing but the randomised value depends on the true one. A
step that groups, matches or draws other columns by a column before it is randomised breaks that: ages
that were averaged among people with the same illness show who has the same illness.
"""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.core.errors import BadInput
from sfumato.table.perturbation.contract import Perturbation
from sfumato.table.perturbation.microaggregation import Microaggregation
from sfumato.table.perturbation.pram import Pram
from sfumato.table.perturbation.randomisation import MatrixRandomisation, RetentionReplacement
from sfumato.table.perturbation.randomisation_small_domain import SmallDomainRandomisation
from sfumato.table.perturbation.synthetic import Synthetic

_RANDOMISES = (Pram, RetentionReplacement, MatrixRandomisation, SmallDomainRandomisation)


def refuse_traces(steps: Sequence[Perturbation]) -> None:
    """Refuse a column that is randomised after others were changed by it.

    >>> by_illness = Microaggregation(["age"], strata=["ill"])
    >>> randomised = RetentionReplacement("ill", gamma=3)
    >>> refuse_traces([randomised, by_illness])
    >>> refuse_traces([by_illness, randomised])
    Traceback (most recent call last):
    ...
    sfumato.core.errors.BadInput: column 'ill': other columns were changed by it (microaggregation) before ...
    """
    shaped: dict[str, str] = {}
    safe: set[str] = set()
    for step in steps:
        if isinstance(step, _RANDOMISES):
            for name in step.columns:
                if name in shaped:
                    raise BadInput(
                        f"other columns were changed by it ({shaped[name]}) before it is randomised, "
                        "and tell of its true values",
                        where=f"column '{name}'",
                        remedy="randomise it first",
                    )
            safe.update(step.columns)
        shaped.update({name: step.name for name in _shaping(step) if name not in safe})


def _shaping(step: Perturbation) -> tuple[str, ...]:
    """Return the columns that decide how others are changed."""
    by = (*getattr(step, "strata", ()), *getattr(step, "match", ()))
    together = isinstance(step, Synthetic) or (
        isinstance(step, Microaggregation) and step.method != "optimal"
    )
    return (*by, *step.columns) if together and len(step.columns) > 1 else by
