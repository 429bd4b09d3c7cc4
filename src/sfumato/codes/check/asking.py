"""The one check: does what is published answer a question with yes?"""

from __future__ import annotations

from sfumato.codes.check.findings import Answer
from sfumato.codes.check.known import Known, Seen, as_shown, by_leaves
from sfumato.codes.check.support import of_any_size, of_records, up_to
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.errors import BadInput


def answer(published: PublishedSets, question: Question, *, every: bool = False) -> Answer:
    """Ask a question of published sets. It ends at the first itemset that breaks it, unless ``every`` counts.

    >>> sets = PublishedSets.of([["a", "b"], ["a", "b"], ["a", "c"]])
    >>> answer(sets, Question(Family.UP_TO, support=2, size=1)).holds
    False
    >>> answer(sets, Question(Family.UP_TO, support=2, size=2), every=True).violations
    2
    """
    seen: Seen | None = by_leaves(published) if question.leaves else as_shown(published)
    if seen is None:
        raise BadInput("too much")
    if not question.sensitive_known:
        seen = seen.public()
    known = Known.of(seen, question.sensitive_known)
    if question.family is Family.RECORD:
        return of_records(seen, known, question.support)
    if question.family is Family.ANY:
        return of_any_size(seen, known, question.support, every)
    assert question.size is not None
    return up_to(seen, known, question.size, question.support, every)
