"""How a promise about randomised values is checked: from the published mechanisms, and from them alone.

What counts is the whole record. When several sensitive columns are randomised, one of them may tell
about another, so their amplifications multiply; so do those of several rows of one person. A column
that was randomised twice is as safe as its safest step: neither step undoes the other. A sensitive
column that the adversary is taken to know is part of what is believed before.

Two kinds of steps bound nothing: one whose probabilities were computed from the values, which then tell
of them; and one by sub-tables where the release does not show which sub-table a row is of, since the
value that is shown may then give it away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from sfumato.core.domain import as_text
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.hierarchy.ladder import ROOT
from sfumato.table.perturbation.contract import Mechanism
from sfumato.table.perturbation.randomisation_bounds import Amplification, amplification

if TYPE_CHECKING:
    from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class MechanismWitness(Witness):
    """Where a promise about a mechanism breaks: positions in the list of values, never the values."""

    amplification: Amplification | None = None
    reason: str = ""

    def __str__(self) -> str:
        if self.reason:
            return f"in the column '{self.columns[0]}' {self.reason}"
        if not self.columns:
            return "no column was randomised"
        found = self.amplification
        if found is None:
            return f"the column '{self.columns[0]}' was not randomised"
        return (
            f"in the column '{self.columns[0]}' value {found.likely + 1} of {self.size} becomes value "
            f"{found.result + 1} more easily than value {found.unlikely + 1} does"
        )


@dataclass(frozen=True)
class Randomised:
    """What is known of the sensitive columns of a release, together."""

    gamma: Fraction | None
    columns: tuple[str, ...]
    untouched: tuple[str, ...]
    rows_of_a_person: int
    witness: MechanismWitness


def randomised(published: PublishedTable) -> Randomised:
    """Multiply the amplifications of all sensitive columns (of all randomised ones, if none is sensitive)."""
    matrices = [mechanism for mechanism in published.mechanisms if mechanism.matrix]
    hidden = tuple(name for name in published.sensitive if name not in published.known)
    columns = hidden or tuple(dict.fromkeys(m.column for m in matrices))
    worst: tuple[Mechanism, Amplification] | None = None
    gamma: Fraction | None = Fraction(1)
    untouched: dict[str, str] = {}
    for column in columns:
        steps, reason = _steps([m for m in matrices if m.column == column], published)
        if not steps:
            untouched[column] = reason
            continue
        safest = min(steps, key=lambda step: _order(step[1].gamma))
        if worst is None or _order(safest[1].gamma) > _order(worst[1].gamma):
            worst = safest
        gamma = None if gamma is None or safest[1].gamma is None else gamma * safest[1].gamma
    rows = _most_rows(published)
    if untouched or not columns:
        first = tuple(untouched)[:1]
        witness = MechanismWitness(first, (), 0, reason=untouched[first[0]] if first else "")
        return Randomised(None, columns, tuple(untouched), rows, witness)
    assert worst is not None
    mechanism, found = worst
    return Randomised(
        None if gamma is None else gamma**rows,
        columns,
        (),
        rows,
        MechanismWitness((mechanism.column,), (), len(mechanism.values), amplification=found),
    )


def verdict_on(
    model: str,
    published: PublishedTable,
    *,
    required: str,
    protects_from: tuple[Threat, ...],
    holds: Callable[[Fraction | None], bool],
    achieved: Callable[[Fraction | None], str],
) -> Verdict:
    """Say whether a promise about γ holds for a release."""
    found = randomised(published)
    kept = bool(found.columns) and not found.untouched and holds(found.gamma)
    notes = []
    if len(found.columns) > 1:
        notes.append(f"over {', '.join(found.columns)} together")
    if found.rows_of_a_person > 1:
        notes.append(f"somebody has {found.rows_of_a_person} rows, each randomised on its own")
    return Verdict(
        model,
        kept,
        required=required,
        achieved=achieved(found.gamma),
        basis=Basis.MECHANISM,
        protects_from=protects_from,
        witness=None if kept else found.witness,
        violations=0 if kept else max(1, len(found.untouched)),
        note="; ".join(notes),
    )


def _steps(
    mechanisms: Sequence[Mechanism], published: PublishedTable
) -> tuple[list[tuple[Mechanism, Amplification]], str]:
    """Return each step that bounds something, with its amplification, and why others do not.

    Where parts of the rows differ, the amplification is that of the worst part.
    """
    reason = ""
    whole = [(m, amplification(m.matrix)) for m in mechanisms if m.where is None and not m.from_data]
    if any(m.from_data for m in mechanisms):
        reason = "the probabilities were computed from the values, and tell of them"
    for name in dict.fromkeys(m.where[0] for m in mechanisms if m.where is not None):
        parts = [m for m in mechanisms if m.where is not None and m.where[0] == name]
        if _shows_parts(published, name, parts):
            found = [(part, amplification(part.matrix)) for part in parts]
            whole.append(max(found, key=lambda step: _order(step[1].gamma)))
        else:
            reason = f"sub-tables were randomised by '{name}', which is not published as it was"
    return whole, reason


def _shows_parts(published: PublishedTable, by: str, parts: Sequence[Mechanism]) -> bool:
    """Say whether the release shows of every row which part it is of, and a value that this may have."""
    column = parts[0].column
    if by not in published.table.names or column not in published.table.names:
        return False
    may = {(part.where[1], value) for part in parts if part.where is not None for value in part.values}
    blank = {(ROOT, None), (ROOT, ROOT)}
    for batch in published.table.engine.count(published.table, [by, column]):
        for pair in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True):
            texts = tuple(None if value is None else as_text(value) for value in pair)
            if texts not in may and texts not in blank:
                return False
    return True


def _order(gamma: Fraction | None) -> tuple[bool, Fraction]:
    return (gamma is None, gamma or Fraction(0))


def _most_rows(published: PublishedTable) -> int:
    """Return how many rows one person has at most, as far as it can be seen."""
    if published.person is None:
        return 1
    batches = published.table.engine.count(published.table, [published.person])
    return max((int(pc.max(batch.column(1)).as_py()) for batch in batches if batch.num_rows), default=1)
