"""The one check: does what is published answer a question with yes?

Every way of counting has a file of its own: ``support`` (how many hold it), ``told`` (what they share),
``listed`` (itemsets that a policy names).
"""

from __future__ import annotations

from dataclasses import replace

from sfumato.codes.check.findings import Answer
from sfumato.codes.check.known import Known, Seen, as_shown, by_leaves
from sfumato.codes.check.listed import listed
from sfumato.codes.check.support import of_any_size, of_records, up_to
from sfumato.codes.check.told import told_by_any, told_up_to
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.errors import BadInput


def answer(published: PublishedSets, question: Question, *, every: bool = False) -> Answer:
    """Ask a question of published sets; it ends where an itemset breaks it, unless ``every`` one counts.

    A family without itemsets that some record holds (no records, records without items) keeps every promise.

    >>> sets = PublishedSets.of([["a", "b"], ["a", "b"], ["a", "c"]])
    >>> answer(sets, Question(Family.UP_TO, support=2, size=1)).holds
    False
    >>> answer(sets, Question(Family.UP_TO, support=2, size=2), every=True).violations
    2
    """
    if question.family is Family.LISTED:
        return listed(published, question)
    tells = question.confidence is not None or question.spread is not None
    if question.family is Family.RECORD and (tells or question.leaves):
        raise BadInput("whole records are compared as they are shown, and only counted", where="question")
    if question.family is Family.ANY and question.spread is not None:
        raise BadInput("a distance from all records is bounded for up to m items only", where="question")
    if question.leaves and tells and question.sensitive_known:
        raise BadInput("sensitive codes that are known are matched as they are shown", where="question")
    if question.leaves and not tells and not every:
        # Whoever shows the same items matches the same codes, and items are far quicker to count.
        shown = answer(published, replace(question, leaves=False))
        if shown.holds:
            return replace(shown, exact=shown.support is None, witness=None)
    seen = by_leaves(published) if question.leaves else as_shown(published)
    if seen is None:
        raise BadInput(
            "there are too many codes under the items, so that the promise could not be checked",
            where="published sets",
            remedy="match items as they are shown",
        )
    if not tells:
        return _counted(seen, question, every)
    if question.family is Family.UP_TO:
        return _told_up_to(seen, question, every)
    return _told_by_any(seen, question, every)


def _counted(seen: Seen, question: Question, every: bool) -> Answer:
    """Count holders alone."""
    visible = seen if question.sensitive_known else seen.public()
    known = Known.of(visible, question.sensitive_known)
    if question.family is Family.RECORD:
        return of_records(visible, known, question.support)
    if question.size is None:
        return of_any_size(visible, known, question.support, every)
    return up_to(visible, known, question.size, question.support, every)


def _told_up_to(seen: Seen, question: Question, every: bool) -> Answer:
    """Count holders first, which is quick, then look at what they share."""
    if question.support > 1 and not every:
        counted = _counted(seen, question, every)
        if not counted.holds:
            return counted
    return told_up_to(seen, Known.of(seen, question.sensitive_known), question, every)


def _told_by_any(seen: Seen, question: Question, every: bool) -> Answer:
    """Look at what itemsets of any size tell, and at who holds them if that is bounded, too."""
    told = told_by_any(seen, Known.of(seen, question.sensitive_known), question, every)
    if question.support == 1:
        return told
    counted = _counted(seen, question, every)
    both = replace(
        told,
        holds=counted.holds and told.holds,
        exact=counted.exact and told.exact,
        looked_at=counted.looked_at + told.looked_at,
        violations=counted.violations + told.violations,
        support=counted.support,
    )
    return both if counted.holds else replace(both, witness=counted.witness)
