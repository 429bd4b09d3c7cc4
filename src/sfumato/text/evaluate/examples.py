"""Examples of what went wrong, with the text around them: **for the steward only**.

They show what people may not see, and that is what they are for: to mend the finder. An ``Evaluation`` holds
none of them, and neither does anything that is released.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sfumato.text.annotation.annotated import Annotated
from sfumato.text.evaluate.compared import Outcome, Token, compare, runs
from sfumato.text.evaluate.evaluation import NOTHING
from sfumato.text.evaluate.scope import HIPAA, Scope
from sfumato.text.span import Span

_AROUND = 30


@dataclass(frozen=True, slots=True)
class Example:
    """One or more tokens that were held for something else; texts are kept out of the printed form."""

    gold: str
    found: str
    note: str
    template: str
    before: str = field(repr=False)
    held: str = field(repr=False)
    after: str = field(repr=False)
    detector: str = ""


def examples(
    notes: Sequence[Annotated], found: Sequence[Iterable[Span]], scope: Scope = HIPAA, *, each: int = 5
) -> tuple[Example, ...]:
    """Return some examples of every cell off the diagonal of the confusion table, those that leak first.

    Neighbouring tokens with the same fate are one example.

    >>> from sfumato.text.kinds import Kind
    >>> note = Annotated("Seen by Ada Lovelace today", (Span(8, 20, Kind.NAME),), id="1")
    >>> [(one.gold, one.found, one.held) for one in examples([note], [[Span(21, 26, Kind.DATE)]])]
    [('NAME', '–', 'Ada Lovelace'), ('–', 'DATE', 'today')]
    """
    cells: dict[tuple[bool, str, str], list[Example]] = defaultdict(list)
    for note, spans in zip(notes, found, strict=True):
        for run in runs(compare(note, spans, scope).tokens):
            first, last = run[0], run[-1]
            if not _wrong(first):
                continue
            gold = NOTHING if first.gold is None else first.gold.kind.value
            hit = NOTHING if first.found is None else first.found.kind.value
            cell = cells[first.outcome is not Outcome.MISSED, gold, hit]
            if len(cell) < each:
                cell.append(
                    Example(
                        gold,
                        hit,
                        note.id,
                        note.template,
                        note.text[max(0, first.start - _AROUND) : first.start],
                        note.text[first.start : last.end],
                        note.text[last.end : last.end + _AROUND],
                        first.found.detector if first.found else "",
                    )
                )
    return tuple(example for cell in sorted(cells) for example in cells[cell])


def _wrong(token: Token) -> bool:
    if token.outcome is not Outcome.FOUND or token.gold is None or token.found is None:
        return True
    return token.gold.kind is not token.found.kind
