"""What methods for statistics share: nothing is handed out that breaks a promise."""

from __future__ import annotations

from sfumato.core.errors import PromiseNotMet
from sfumato.core.verdict import Verdict
from sfumato.dna.contract import Published, StatisticsModel, Study


def broken(published: Published, study: Study, models: tuple[StatisticsModel, ...]) -> Verdict | None:
    """Return the first promise that does not hold."""
    for model in models:
        verdict = model.check(published, study)
        if not verdict.holds:
            return verdict
    return None


def kept(published: Published, study: Study, models: tuple[StatisticsModel, ...], remedy: str) -> Published:
    """Return what is to be published, or raise ``PromiseNotMet``."""
    verdict = broken(published, study, models)
    if verdict is not None:
        raise PromiseNotMet(
            f"{verdict.model} does not hold: required {verdict.required}, achieved {verdict.achieved}",
            where=f"{len(published.kept):,} sites",
            remedy=remedy,
        )
    return published
