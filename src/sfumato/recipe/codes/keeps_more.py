"""The nearest setting that keeps more: tried where half of a release or more would say nothing.

Nearest is the same promise by another method, then one code less that an adversary knows, then fewer people
to hide among. What is found is for the steward: it was computed from the raw data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from sfumato.codes.contract import Problem, SetMethod
from sfumato.codes.methods.best_of import BestOf
from sfumato.core.errors import SfumatoError

_LESS = 0.05
"""by so much a setting must lose less to be worth a word"""
_LARGEST = 300_000
"""occurrences of codes up to which other promises are tried"""


@dataclass(frozen=True)
class Setting:
    """A promise and a method that lose less; ``models`` and ``method`` as a recipe spells them."""

    models: str
    method: str
    loss: float

    def __str__(self) -> str:
        return f"{self.models} with the method {self.method} (NCP {self.loss:.2f})"


def nearest_setting(problem: Problem, method: SetMethod | None, loss: float) -> Setting | None:
    """Return the nearest setting that loses clearly less than ``loss``, or None where none was found.

    ``method`` is the one that was used: it is not proposed again for the same promise.
    """
    for models in _promises(problem):
        same = models == problem.models
        if not same and problem.sets.occurrences > _LARGEST:
            break
        try:
            best = BestOf().choose(replace(problem, models=models))[0]
        except SfumatoError:
            continue
        used = same and method is not None and best.method == method
        if best.loss is not None and best.loss <= loss - _LESS and not used:
            return Setting(", ".join(map(_spelt, models)), best.method.name, best.loss)
    return None


def advice(problem: Problem, method: SetMethod | None, loss: float) -> str:
    """Put the nearest setting into a sentence, without its full stop."""
    found = nearest_setting(problem, method, loss)
    if found is None:
        return "no nearer setting that was tried keeps more: it takes more people, or a hierarchy that fits"
    return f"the nearest setting that keeps more: {found}, instead of NCP {loss:.2f}"


def _promises(problem: Problem) -> Iterator[tuple[Any, ...]]:
    """Go through the promise as it is, and through weaker ones where it is a single one about k and m."""
    yield problem.models
    if len(problem.models) != 1:
        return
    model: Any = problem.models[0]
    k, m = getattr(model, "k", None), getattr(model, "m", None)
    if not isinstance(k, int):
        return
    smaller = [value for value in (k - 1, k - 2, k // 2, 2) if 2 <= value < k]
    if isinstance(m, int):
        for fewer in range(m - 1, 0, -1):
            yield (replace(model, m=fewer),)
    for people in sorted({*smaller}, reverse=True):
        yield (replace(model, k=people),)
    if isinstance(m, int) and m > 1 and k > 2:
        yield (replace(model, k=2, m=1),)


def _spelt(model: Any) -> str:
    told = ", ".join(f"{key}: {getattr(model, key)}" for key in ("k", "m") if hasattr(model, key))
    return f"{model.name} {{{told}}}" if told else str(model.name)
