"""Adversaries run against statistics in the house, before and after: for the steward alone.

*Before* is what would be published without any protection: exact figures of all sites. *After* is what is
released. Members are the people of the data, strangers those of the reference whom no choice of sites has
seen (``dna/statistics/held_out``).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core import evidence as ev
from sfumato.core.attack import AttackResult
from sfumato.core.errors import PromiseNotMet, SfumatoError, SystemFault
from sfumato.core.evidence_dna import CurveEvidence
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.attacks import BeaconAttack, CaseOrControl, Homer, Knowledge, LikelihoodRatio, knowledge_of
from sfumato.dna.beacon import RandomisedResponse
from sfumato.dna.contract import Statistics, Study
from sfumato.dna.models.membership_scores import OF_ARMS, OF_EVERYBODY
from sfumato.dna.reading import SomePeople
from sfumato.dna.source import GenotypeSource, InMemory
from sfumato.dna.statistics.columns import Counted
from sfumato.dna.statistics.selected import dosages_of
from sfumato.dna.statistics.tables import frequency
from sfumato.recipe.attack_ask import AskedAttack
from sfumato.recipe.attack_knowledge import reason_of
from sfumato.recipe.attacked import figures_of, not_run_evidence, refuse_exceeded
from sfumato.recipe.dna.statistics_curves import asked_curve, curve
from sfumato.recipe.dna.statistics_outcome import StatisticsOutcome

MOST_GENOTYPES = 60_000_000
"""genotypes that are attacked at a time: of more sites so many are drawn"""
KNOWS = "the genotypes of everybody, and the frequencies of half of the reference"
NO_REFERENCE = "there is no reference: nobody is outside to compare with"
NO_FREQUENCIES = "nothing is published that these adversaries read: no frequency, and no test without noise"
EVERYBODY, CASES, CONTROLS, PRESENT = "frequency", "case_frequency", "control_frequency", "present"
BETTER = {
    Threat.IDENTITY: "publish less",
    Threat.ATTRIBUTE: "publish fewer sites (safe-snps), or noisy figures",
    Threat.MEMBERSHIP: "publish fewer sites (safe-snps), or noisy figures",
    Threat.INFERENCE: "publish less",
}


@dataclass(frozen=True)
class Attacked:
    """What came of it."""

    attacks: list[ev.AttackEvidence] = field(default_factory=list)
    curves: list[CurveEvidence] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Side:
    """Figures that are attacked, and what adversaries hold about their people."""

    what: str
    target: Statistics
    knowledge: Knowledge
    drawn: bool
    """whether only some of the sites are attacked"""

    def held_about(self, column: str) -> Knowledge:
        """Return the knowledge of somebody who asks for members of the group that a column is about."""
        cases, members = self.knowledge.cases, self.knowledge.members
        if column not in (CASES, CONTROLS) or cases is None or members is None:
            return self.knowledge
        group = SomePeople(members, cases if column == CASES else ~cases)
        return dataclasses.replace(self.knowledge, members=group)


def attacked_statistics(
    outcome: StatisticsOutcome, counted: Counted, progress: Progress = SILENT
) -> Attacked:
    """Run what the job asks for, and what attacks all statistics; follow it over the number of sites.

    Raises ``PromiseNotMet`` when a bound does not hold.
    """
    progress.step("attacking the statistics")
    told = told_columns(outcome, counted)
    usual = _usual(outcome, told)
    asked = [_on_what_is_told(one, told) for one in outcome.job.attacks]
    names = {one.attack.name for one in asked}
    unasked = [AskedAttack(one) for one in usual if one.name not in names]
    if outcome.study.reference is None:
        return Attacked([not_run_evidence(one.attack, NO_REFERENCE) for one in unasked], [], [NO_REFERENCE])
    try:
        before, after = _sides(outcome, counted, told)
    except SystemFault:
        raise
    except SfumatoError as problem:
        if not outcome.job.noisy:
            raise
        reason = reason_of(problem)
        return Attacked([not_run_evidence(one.attack, reason) for one in [*asked, *unasked]], [], [reason])
    found = []
    for number, ask in enumerate([*asked, *unasked]):
        progress.update(number / max(1, len(asked) + len(unasked)), ask.attack.name)
        # Of a noisy release nothing is held back for what is in the data.
        strict = number < len(asked) and not outcome.job.noisy
        found.append(_both(ask, before, after, strict=strict))
    curves, notes = _curves(outcome, before, after, told)
    for side in (before, after):
        if side is not None and side.drawn:
            notes.append(f"{side.what}: {len(side.target.sites):,} sites were drawn to be attacked")
    if not told:
        notes.append(NO_FREQUENCIES)
    return Attacked(found, curves, notes)


def told_columns(outcome: StatisticsOutcome, counted: Counted) -> dict[str, NDArray[np.float64]]:
    """Return the columns that an adversary reads off what is released, at its sites.

    From exact tests and their margins the frequencies follow (Wang et al. 2009), so they are taken as told.
    """
    columns = outcome.published.statistics.columns
    told = {name: columns[name] for name in (EVERYBODY, CASES, CONTROLS, PRESENT) if name in columns}
    if outcome.job.noisy:
        return told
    here = counted.some(outcome.published.kept)
    if any(name in columns for name in OF_EVERYBODY):
        told.setdefault(EVERYBODY, frequency(here.everybody))
    if any(name in columns for name in OF_ARMS) and here.cases is not None and here.controls is not None:
        told.setdefault(CASES, frequency(here.cases))
        told.setdefault(CONTROLS, frequency(here.controls))
    return told


def main_column(told: dict[str, NDArray[np.float64]]) -> str:
    """Return the column that is attacked unasked: of everybody, or else of the cases."""
    return CASES if EVERYBODY not in told and CASES in told else EVERYBODY


def _on_what_is_told(ask: AskedAttack, told: dict[str, NDArray[np.float64]]) -> AskedAttack:
    """Point an adversary that was named without a column at the frequencies that are released."""
    attack: Any = ask.attack
    column = main_column(told)
    if not isinstance(attack, Homer | LikelihoodRatio) or attack.column != EVERYBODY or column == EVERYBODY:
        return ask
    pointed: Any = dataclasses.replace(attack, column=column)
    return dataclasses.replace(ask, attack=pointed)


def _usual(outcome: StatisticsOutcome, told: dict[str, NDArray[np.float64]]) -> list[Any]:
    if PRESENT in told:
        return [_beacon(outcome)]
    column = main_column(told)
    found: list[Any] = [LikelihoodRatio(column=column), Homer(column=column)]
    if CASES in told and CONTROLS in told:
        found.append(CaseOrControl())
    return found if told else found[:1]


def _beacon(outcome: StatisticsOutcome) -> BeaconAttack:
    """The adversary of a Beacon knows the public chance of a wrong answer."""
    policy = getattr(outcome.job.method, "policy", None)
    sites = len(outcome.published.kept)
    if policy is None and outcome.cost is not None:
        policy = RandomisedResponse(outcome.cost.epsilon / sites)
    return BeaconAttack(flip=min(float(getattr(policy, "flip", 0.0)), 0.4999))


def without_noise(attack: Any) -> Any:
    """Return the same adversary for exact answers, none of which is wrong by chance."""
    return dataclasses.replace(attack, flip=0.0) if isinstance(attack, BeaconAttack) else attack


def _sides(
    outcome: StatisticsOutcome, counted: Counted, told: dict[str, NDArray[np.float64]]
) -> tuple[Side, Side | None]:
    study = outcome.study
    assert study.reference is not None
    room = max(1, MOST_GENOTYPES // (study.pool.people + study.reference.people))
    everywhere: dict[str, NDArray[np.float64]] = {EVERYBODY: frequency(counted.everybody)}
    everywhere[PRESENT] = (_alternate_carriers(counted) > 0).astype(np.float64)
    if counted.cases is not None and counted.controls is not None:
        everywhere |= {CASES: frequency(counted.cases), CONTROLS: frequency(counted.controls)}
    all_sites = np.arange(len(study.pool.sites), dtype=np.int64)
    before = _side("all sites, exactly", study, all_sites, everywhere, room)
    if not told:
        return before, None
    # Sources are read in rising order; released sites may come in another.
    rising = np.argsort(outcome.published.kept, kind="stable")
    columns = {name: column[rising] for name, column in told.items()}
    return before, _side("what is released", study, outcome.published.kept[rising], columns, room)


def _side(
    what: str,
    study: Study,
    which: NDArray[np.int64],
    columns: dict[str, NDArray[np.float64]],
    room: int,
) -> Side:
    """Bring some sites into memory; ``columns`` are figures of the sites ``which``."""
    drawn = len(which) > room
    if drawn:
        some = np.sort(np.random.default_rng(0).choice(len(which), room, replace=False))
        which, columns = which[some], {name: column[some] for name, column in columns.items()}

    def small(source: GenotypeSource) -> InMemory:
        return InMemory(dosages_of(source, which), study.pool.sites.some(which))

    assert study.reference is not None
    inside = Study(small(study.pool), study.cases, small(study.reference))
    cases = None if study.cases is None else int(study.cases.sum())
    target = Statistics(study.pool.sites.some(which), columns, study.pool.people, cases)
    return Side(what, target, knowledge_of(inside), drawn)


def _alternate_carriers(counted: Counted) -> NDArray[np.int64]:
    return np.asarray(counted.everybody[:, 1] + counted.everybody[:, 2], np.int64)


def _both(ask: AskedAttack, before: Side, after: Side | None, *, strict: bool) -> ev.AttackEvidence:
    attack: Any = ask.attack
    column = getattr(attack, "column", EVERYBODY)
    if after is None:
        return not_run_evidence(attack, NO_FREQUENCIES)
    try:
        found: AttackResult = attack.run(after.target, after.held_about(column))
        was: AttackResult = without_noise(attack).run(before.target, before.held_about(column))
    except SystemFault:
        raise
    except SfumatoError as problem:
        if strict:
            problem.where = f"attacks, {attack.name}" + (f", {problem.where}" if problem.where else "")
            raise
        return not_run_evidence(attack, reason_of(problem))
    if ask.bounds and after.drawn:
        raise PromiseNotMet(
            f"only {len(after.target.sites):,} sites can be attacked at once: no bound can be shown to hold",
            where=f"attacks, {attack.name}",
            remedy="release fewer sites, or leave out the bound",
        )
    refuse_exceeded(ask, found, BETTER)
    return ev.AttackEvidence(
        name=attack.name,
        title=attack.title,
        threat=str(attack.threat),
        parameters=parameters_of(attack),
        knows=KNOWS,
        before=figures_of(was),
        after=figures_of(found),
        bounds=dict(ask.bounds),
        held=True if ask.bounds else None,
    )


def _curves(
    outcome: StatisticsOutcome,
    before: Side,
    after: Side | None,
    told: dict[str, NDArray[np.float64]],
) -> tuple[list[CurveEvidence], list[str]]:
    """Follow the adversaries over rising numbers of sites, or of questions to a Beacon."""
    found: list[CurveEvidence] = []
    column = main_column(told)
    for side in (before, after):
        if side is None:
            continue
        try:
            if PRESENT in told:
                beacon = _beacon(outcome)
                beacon = beacon if side is after else without_noise(beacon)
                found.append(asked_curve(beacon, side.what, side.target, side.knowledge))
            else:
                found += curve(side.what, side.target, side.held_about(column), column)
        except SystemFault:
            raise
        except SfumatoError as problem:
            return found, [f"{side.what}: {reason_of(problem)}"]
    return found, []
