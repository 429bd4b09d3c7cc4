"""The nearest setting for a table and codes that keeps more of the codes, where half of them say nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sfumato.codes.utility.certainty_penalty import CertaintyPenalty
from sfumato.core.errors import SfumatoError
from sfumato.record.relational_codes.contract import RecordsProblem
from sfumato.record.relational_codes.k_km_anonymity import KKmAnonymity
from sfumato.record.relational_codes.method import RelationalCodes

_LESS = 0.05
"""by so much a setting must lose less to be worth a word"""
_LARGEST = 20_000
"""people up to whom other settings are tried"""


def advice_on_records(problem: RecordsProblem, method: RelationalCodes, loss: float) -> str:
    """Put the nearest setting that loses clearly less of the codes into a sentence, without its full stop."""
    for said, model, other in _settings(problem.model, method):
        if len(problem.sets) > _LARGEST:
            break
        try:
            found = other.protect(replace(problem, model=model))
        except SfumatoError:
            continue
        measured = CertaintyPenalty().of(problem.sets, found.published.sets)
        if measured is not None and measured.value <= loss - _LESS:
            return f"the nearest setting that keeps more: {said} (NCP {measured.value:.2f}, not {loss:.2f})"
    return "no nearer setting that was tried keeps more: it takes more people, or fewer quasi-identifiers"


def _settings(
    model: KKmAnonymity, method: RelationalCodes
) -> Iterator[tuple[str, KKmAnonymity, RelationalCodes]]:
    best = replace(method, codes="best-of")
    if best != method:
        yield "the same promise with 'codes: best-of'", model, best
    if method.bounded == "relational" and method.delta < 0.5:
        yield "the same promise with 'delta: 0.5'", model, replace(best, delta=0.5)
    if model.m > 1:
        yield "k-km-anonymity with m: 1", replace(model, m=1), best
    for k in sorted(
        {value for value in (model.k - 1, model.k // 2, 2) if 2 <= value < model.k}, reverse=True
    ):
        yield f"k-km-anonymity with k: {k}", replace(model, k=k), best
