"""What a problem asks of a method: its questions, or a refusal of those that the method cannot answer."""

from __future__ import annotations

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
