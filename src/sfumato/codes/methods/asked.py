"""What a problem asks of a method: its questions, or a refusal of those that the method cannot answer."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sfumato.codes.contract import Problem, SetMethod
from sfumato.codes.question import Question
from sfumato.core.errors import BadInput, PromiseNotMet


def questions_of(problem: Problem, method: SetMethod) -> tuple[Question, ...]:
    """Return the questions of all models; refuse models that the method does not enforce."""
    if not problem.models:
        raise BadInput(f"{method.name} was given no promise to keep", remedy="name a model")
    questions = tuple(model.question() for model in problem.models)
    for model, question in zip(problem.models, questions, strict=True):
        if not method.enforces(question):
            raise BadInput(
                f"{method.name} does not enforce {model.name}",
                remedy="choose a method that enforces it, or leave the model out",
            )
    return questions


def most_support(problem: Problem, questions: tuple[Question, ...]) -> int:
    """Return the largest k asked for; refuse one that is larger than the number of records."""
    k = max(question.support for question in questions)
    if 0 < len(problem.sets) < k:
        raise PromiseNotMet(
            f"k is {k} and there are {len(problem.sets)} records",
            remedy=f"choose k of at most {len(problem.sets)}",
        )
    return k


def exact_share(value: Any, what: str, where: str, remedy: str) -> Fraction:
    """Return a share between 0 and 1 as it was written.

    >>> exact_share(0.1, "the share", "rare-codes", "try 0.05")
    Fraction(1, 10)
    """
    if isinstance(value, int | float | Fraction | Decimal) and not isinstance(value, bool):
        with suppress(ValueError):  # what is not finite, or has thousands of digits, is no fraction
            exact = Fraction(str(value))
            if 0 <= exact <= 1:
                return exact
    raise BadInput(f"{what} must lie between 0 and 1", where=where, remedy=remedy)
