"""How well two annotators agree: the ceiling for any finder that learns from them.

- Tokens: Cohen's κ = (p − e) / (1 − e) (1960), p the share of tokens that both hold for the same kind (or
  both for nothing), e the share that they would by chance. Most tokens are nothing, so that p alone flatters.
- Spans: F1 of the one against the other, with both ends and the kind right. Where what is *not* annotated
  cannot be counted, κ tends to it (Hripcsak & Rothschild, 2005).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.core.errors import BadInput
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.annotation.cover import Cover
from sfumato.text.page import tokenise


@dataclass(frozen=True)
class Agreement:
    """How well two annotators agree. A figure about nothing is ``None``."""

    notes: int
    tokens: int
    kappa: float | None
    span_f1: float | None
    by_kind: Mapping[str, float | None]
    """F1 of spans by kind"""
    only_first: int
    """tokens that the first marked and the second did not"""
    only_second: int
    other_kind: int
    """tokens that both marked, as different kinds"""

    def __str__(self) -> str:
        kappa, f1 = ("not known" if value is None else f"{value:.3f}" for value in (self.kappa, self.span_f1))
        return (
            f"κ of tokens {kappa}, F1 of spans {f1} (notes: {self.notes}). Tokens marked by the first alone: "
            f"{self.only_first}, by the second alone: {self.only_second}, as different kinds: "
            f"{self.other_kind}"
        )


def agreement(first: Sequence[Annotated], second: Sequence[Annotated]) -> Agreement:
    """Compare two annotations of the same notes, in the same order.

    >>> from sfumato.text.kinds import Kind
    >>> from sfumato.text.span import Span
    >>> text = "Ada saw Eve in May"
    >>> one = Annotated(text, (Span(0, 3, Kind.NAME), Span(8, 11, Kind.NAME)))
    >>> two = Annotated(text, (Span(0, 3, Kind.NAME), Span(15, 18, Kind.DATE)))
    >>> outcome = agreement([one], [two])
    >>> outcome.span_f1, outcome.only_first, outcome.only_second
    (0.5, 1, 1)
    """
    if len(first) != len(second) or any(a.text != b.text for a, b in zip(first, second, strict=True)):
        raise BadInput("the two did not annotate the same texts", where="agreement", remedy="sort both by id")
    pairs: Counter[tuple[str, str]] = Counter()
    spans: dict[str, list[int]] = {}
    for one, two in zip(first, second, strict=True):
        pairs.update(zip(_kinds(one), _kinds(two), strict=True))
        marked, other = ({(s.start, s.end, s.kind.value) for s in note.spans} for note in (one, two))
        for place, keys in enumerate((marked & other, marked, other)):
            for _, _, kind in keys:
                spans.setdefault(kind, [0, 0, 0])[place] += 1
    total = [sum(counts[place] for counts in spans.values()) for place in range(3)]
    return Agreement(
        len(first),
        sum(pairs.values()),
        _kappa(pairs),
        _f1(total),
        {kind: _f1(spans[kind]) for kind in sorted(spans)},
        only_first=sum(n for (a, b), n in pairs.items() if a and not b),
        only_second=sum(n for (a, b), n in pairs.items() if b and not a),
        other_kind=sum(n for (a, b), n in pairs.items() if a and b and a != b),
    )


def _kinds(note: Annotated) -> list[str]:
    """Return for every word what it is held for, the empty text for nothing."""
    tokens = tokenise(note.text)
    marked = Cover(note.spans)
    kinds = []
    for word, start, end in zip(tokens.words, tokens.starts, tokens.ends, strict=True):
        if any(letter.isalnum() for letter in word):
            over = marked.over(start, end)
            kinds.append(over[0].kind.value if over else "")
    return kinds


def _kappa(pairs: Counter[tuple[str, str]]) -> float | None:
    """Return κ, ``None`` where chance alone would agree on everything."""
    total = sum(pairs.values())
    by_first: Counter[str] = Counter()
    by_second: Counter[str] = Counter()
    for (one, two), number in pairs.items():
        by_first[one] += number
        by_second[two] += number
    chance = sum(by_first[kind] * by_second[kind] for kind in by_first)
    if chance == total * total:
        return None
    agreed = sum(number for (one, two), number in pairs.items() if one == two)
    return (agreed * total - chance) / (total * total - chance)


def _f1(counts: Sequence[int]) -> float | None:
    both, one, two = counts
    return 2 * both / (one + two) if one + two else None
