"""From measures of risk to the figures of the evidence: a name, a title, the disclosure it is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.evidence import (
    AttributeRiskEvidence,
    GrowthEvidence,
    IdentifyingEvidence,
    RiskFigure,
)
from sfumato.core.verdict import Threat
from sfumato.table.risk.against import Against
from sfumato.table.risk.household import HouseholdRisk
from sfumato.table.risk.identification import IdentificationUniqueness
from sfumato.table.risk.individual import IndividualRisk
from sfumato.table.risk.journalist import ITS_OWN_POPULATION, JournalistRisk, MarketerRisk
from sfumato.table.risk.log_linear import LogLinearRisk
from sfumato.table.risk.membership import MembershipExposure
from sfumato.table.risk.population_uniqueness import PopulationUniqueness
from sfumato.table.risk.sensitive_values import SensitiveValueRisk
from sfumato.table.risk.subsets import SubsetRisks
from sfumato.table.risk.suda import Suda

MOST_IDENTIFYING = 10
"""combinations that evidence lists"""
NOT_CONVERGED = "the estimate does not converge: that is no sign of safety"
NOBODY_ALONE = "not defined: nobody is alone in the table"


@dataclass(frozen=True)
class _About:
    """Makes figures about one kind of disclosure."""

    threat: Threat
    column: str | None = None

    def share(self, name: str, title: str, meaning: str, value: float | None, said: str = "") -> RiskFigure:
        """Make a figure whose value is a share."""
        return self._made(name, title, meaning, value, said, people=False)

    def people(self, name: str, title: str, meaning: str, value: float | None, said: str = "") -> RiskFigure:
        """Make a figure whose value counts people."""
        return self._made(name, title, meaning, value, said, people=True)

    def _made(
        self, name: str, title: str, meaning: str, value: float | None, said: str, *, people: bool
    ) -> RiskFigure:
        return RiskFigure(
            name=name,
            title=title,
            threat=str(self.threat),
            column=self.column,
            value=value,
            people=people,
            meaning=meaning,
            said=said,
        )


_IDENTITY = _About(Threat.IDENTITY)
_MEMBERSHIP = _About(Threat.MEMBERSHIP)


def linking(
    sizes: NDArray[np.int64], persons: int, threshold: float, against: Against | None
) -> Iterator[RiskFigure]:
    """Measure journalist and marketer risk; against a list also λ1 to λ3."""
    if against is None:
        journalist = JournalistRisk.without_population(sizes, persons, threshold)
        marketer, said = MarketerRisk.without_population(sizes, persons), ITS_OWN_POPULATION
    else:
        journalist, said = JournalistRisk.of(against, threshold), ""
        marketer = MarketerRisk.of(against)
    share = _IDENTITY.share
    yield share(
        "journalist-highest",
        "highest journalist risk",
        "for the person hidden least",
        journalist.highest,
        said,
    )
    yield share(
        "journalist-average",
        "average journalist risk",
        "for one of the people",
        journalist.average,
        said,
    )
    yield share(
        "journalist-at-risk",
        f"journalist risk above {threshold:g}",
        "of the people",
        journalist.share_above,
        said,
    )
    yield share("marketer", "marketer risk", "of the records get the right name", marketer.share, said)
    if against is None:
        return
    found = IdentificationUniqueness.of(against)
    first = None if found.lambda_1 is None else float(found.lambda_1)
    said = NOBODY_ALONE if first is None else ""
    yield share("lambda-1", "λ1", "of the uniques, unique in the list", first, said)
    yield share("lambda-2", "λ2", "of the people, unique in both", float(found.lambda_2))
    yield share("lambda-3", "λ3", "of the list, unique in it", float(found.lambda_3))


def presence(against: Against) -> Iterator[RiskFigure]:
    """Measure how surely a list tells who is in the table."""
    found = MembershipExposure.of(against)
    share = _MEMBERSHIP.share
    yield share("membership-least", "least chance to be in it", "of people who look alike", found.least)
    yield share(
        "membership-greatest",
        "greatest chance to be in it",
        "of people who look alike",
        found.greatest,
    )
    yield share("membership-mean", "mean chance to be in it", "for one of the population", found.mean)
    yield share("membership-above", "more likely in than not", "of the population", found.share_above)
    yield _MEMBERSHIP.people(
        "membership-surely", "surely in it", "people with all who look alike", found.surely_in
    )


def unique_in_population(sizes: NDArray[np.int64], population: int, persons: int) -> Iterator[RiskFigure]:
    """Estimate how many of a population of known size are alone in it."""
    # Who is in several classes was counted in each of them, and so is the population, at the same fraction.
    counted = round(Fraction(int(sizes.sum()) * population, persons))
    unique = PopulationUniqueness.of(sizes, counted, "dankar")
    said = "; ".join(unique.said) or (NOT_CONVERGED if unique.share is None else "")
    meaning = f"of the population ({unique.estimator.replace('-', ' ')})"
    yield _IDENTITY.share("population-uniqueness", "population uniqueness", meaning, unique.share, said)


def individually(
    sizes: NDArray[np.int64], stand_for: NDArray[np.float64], persons: int, threshold: float
) -> Iterator[RiskFigure]:
    """Estimate the risk of each from how many of the population their class stands for."""
    risk = IndividualRisk.of(sizes, stand_for, persons, threshold)
    yield _IDENTITY.people(
        "individual-expected", "expected to be found", "people, by individual risk", risk.expected
    )
    yield _IDENTITY.share(
        "individual-average", "average individual risk", "estimated from the sample", risk.average
    )
    yield _IDENTITY.share(
        "individual-highest", "highest individual risk", "estimated from the sample", risk.highest
    )
    title = f"individual risk above {threshold:g}"
    yield _IDENTITY.share("individual-at-risk", title, "of the people", risk.share_above)


def modelled(risk: LogLinearRisk, persons: int) -> Iterator[RiskFigure]:
    """Say what a log-linear model makes of those who are alone, at most all of the persons."""
    unique, right = (
        None if value is None else min(value, float(persons))
        for value in (risk.population_uniques, risk.correct_matches)
    )
    said = "; ".join(("the log-linear model takes columns as independent", *risk.said))
    meaning = "people unique in both, modelled"
    yield _IDENTITY.people("log-linear-uniques", "log-linear τ1", meaning, unique, said)
    meaning = "uniques linked rightly, modelled"
    yield _IDENTITY.people("log-linear-matches", "log-linear τ2", meaning, right, said)


def living_together(risk: HouseholdRisk) -> Iterator[RiskFigure]:
    """Say what finding one member of a household does to the others."""
    meaning = f"people, in {risk.households:,} households"
    yield _IDENTITY.people("household-expected", "found with their household", meaning, risk.expected)
    meaning = "somebody of the household is found"
    yield _IDENTITY.share("household-highest", "highest household risk", meaning, risk.highest)
    title = f"household risk above {float(risk.threshold):g}"
    yield _IDENTITY.share("household-at-risk", title, "of the people", risk.share_above)


def special(found: Suda, *, fraction_known: bool) -> Iterator[RiskFigure]:
    """Say how many are alone with few values."""
    share = found.scored / found.records
    meaning = f"alone by up to {found.up_to} columns"
    yield _IDENTITY.share("suda-uniques", "special uniques (SUDA)", meaning, share)
    if fraction_known:
        said = found.said or ("" if found.scored else NOBODY_ALONE)
        meaning = "of matches with uniques"
        yield _IDENTITY.share("suda-match", "right matches (DIS)", meaning, found.dis, said)


def values(column: str, found: SensitiveValueRisk) -> Iterator[RiskFigure]:
    """Say how often a sensitive value is told, with and without the person's own record."""
    about, beyond = _About(Threat.ATTRIBUTE, column), _About(Threat.INFERENCE, column)
    blind = f"a blind guess: {100 * found.blind:.1f} %"
    alike = "all who look alike share it"
    yield about.share("value-sure", f"'{column}' is sure", alike, found.sure)
    yield about.share("value-guessed", f"'{column}' is guessed rightly", blind, found.guessed)
    title = f"'{column}' is guessed without them"
    yield beyond.share("value-without", title, blind, found.without)


def attributes(risks: SubsetRisks, suda: Suda | None) -> list[AttributeRiskEvidence]:
    """List single columns, the one that tells most people apart first."""
    contributed = dict(zip(suda.columns, suda.contributions, strict=True)) if suda and suda.scored else {}
    single = [risk for risk in risks.subsets if len(risk.columns) == 1]
    single.sort(key=lambda risk: (-(risk.separation or 0.0), -risk.classes))
    return [
        AttributeRiskEvidence(
            name=risk.columns[0],
            distinct=risk.classes,
            distinction=risk.distinction,
            separation=risk.separation,
            unique_share=risk.unique_share,
            contribution=contributed[risk.columns[0]] / 100 if contributed else None,
        )
        for risk in single
    ]


def growth(risks: SubsetRisks) -> list[GrowthEvidence]:
    """Say how risk grows with the number of known columns; the last step knows all of them."""
    steps = [
        GrowthEvidence(
            columns=step.size,
            least=step.least_unique,
            mean=step.mean_unique,
            greatest=step.greatest_unique,
            mean_risk=step.mean_average,
        )
        for step in risks.growth
    ]
    whole = risks.together
    if len(whole.columns) > risks.up_to:
        share = whole.unique_share
        steps.append(
            GrowthEvidence(
                columns=len(whole.columns), least=share, mean=share, greatest=share, mean_risk=whole.average
            )
        )
    return steps


def identifying(risks: SubsetRisks) -> list[IdentifyingEvidence]:
    """List the smallest combinations by which half of the people or more are alone."""
    return [
        IdentifyingEvidence(
            columns=list(risk.columns), unique_share=risk.unique_share, average_risk=risk.average
        )
        for risk in risks.identifying()[:MOST_IDENTIFYING]
    ]
