"""What a release of sets warns of: what no promise covers, and what may tell more than it seems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfumato.codes.contract import SetModel
from sfumato.codes.question import Family
from sfumato.core.evidence_codes import ShownEvidence
from sfumato.core.verdict import Threat
from sfumato.hierarchy import Hierarchy, to_spec
from sfumato.recipe.codes.outcome import CodesOutcome
from sfumato.recipe.codes.places import CHUNKS


def warnings_about(outcome: CodesOutcome, layout: str, shown: ShownEvidence) -> Iterable[str]:
    """Say what the promises leave open, one sentence each, without its full stop."""
    job = outcome.job
    yield from says_little(shown)
    yield from warnings_of(
        outcome.problem.models,
        layout,
        sensitive=bool(job.sensitive),
        person=job.schema.person is not None,
        made_of_data=_is_made_of_data(job.hierarchy),
    )


def says_little(shown: ShownEvidence) -> Iterable[str]:
    """Warn of a release in which half of the items or more stand for every code there is.

    >>> list(says_little(ShownEvidence(records=2, empty=0, items=2, occurrences=3, at_root=1)))
    []
    """
    if shown.at_root and 2 * shown.at_root >= shown.occurrences:
        yield (
            f"{shown.at_root:,} of {shown.occurrences:,} items that the release shows stand for every code "
            "there is: they say nothing"
        )
    elif shown.records and not shown.occurrences and shown.clusters is None:
        yield f"none of {shown.records:,} records shows any item: the release says nothing"


def _is_made_of_data(hierarchy: Hierarchy | None) -> bool:
    return hierarchy is not None and made_of_data(to_spec(hierarchy))


def made_of_data(spec: object) -> bool:
    """Say whether a hierarchy, as recipes spell it, is laid over the codes that occur.

    >>> made_of_data("balanced"), made_of_data({"balanced": 3, "others": "root"}), made_of_data("icd9cm")
    (True, True, False)
    """
    return spec == _BALANCED or (isinstance(spec, dict) and _BALANCED in spec)


_BALANCED = "balanced"


def warnings_of(
    models: Sequence[SetModel], layout: str, *, sensitive: bool, person: bool, made_of_data: bool
) -> Iterable[str]:
    """Say it from what everybody knows of a release, so that nobody can strike a warning out."""
    yield from _about_knowledge(models)
    if sensitive and not any(Threat.ATTRIBUTE in model.protects_from for model in models):
        yield (
            "no promise bounds how surely a sensitive code can be told: those who look alike may all have "
            "it, and it is then learned without finding anybody's record"
        )
    if not sensitive:
        yield "no code was declared sensitive: what all who look alike share is learned of each of them"
    if not person:
        yield "no column names the person: if somebody has several rows, they count as several people"
    if layout == "long":
        yield "in the long layout a record that shows nothing cannot be seen: such people are not in the file"
    if made_of_data and layout != CHUNKS:
        yield (
            "the hierarchy was made of the codes that occur: schema.json names all of them under the items "
            "that are shown, also those that hardly anybody has"
        )
    if layout == CHUNKS:
        yield (
            "codes of a person stand in several chunks: which belong together is hidden, and counts of codes "
            "that lie in different chunks can only be estimated"
        )
    if any(model.question().support < 2 and not _bounds_confidence(model) for model in models):
        yield "k = 1 promises nothing: everybody may stand alone with their codes"


def _bounds_confidence(model: SetModel) -> bool:
    question = model.question()
    return question.confidence is not None or question.spread is not None


def _about_knowledge(models: Iterable[SetModel]) -> Iterable[str]:
    """Warn of adversaries who know more than was allowed for, where no model covers any knowledge."""
    identity = [model.question() for model in models if Threat.IDENTITY in model.protects_from]
    families = {question.family for question in identity}
    if families & {Family.ANY, Family.RECORD}:
        return
    known = max((question.size or 0 for question in identity if question.family is Family.UP_TO), default=0)
    if known:
        many = "one code" if known == 1 else f"{known} codes"
        yield (
            f"people are protected from those who know up to {many} of theirs: whoever knows more may find "
            "their record"
        )
    elif Family.LISTED in families:
        yield "only the itemsets of the policy are protected: whoever knows other codes may find a record"
    elif not identity:
        yield "no promise hides which record is a person's: whoever knows some of their codes may find it"
