"""``sfumato dna attack``: run adversaries who hold DNA against a release, and show what they learn."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from sfumato.cli.attack_shown import asked_by_name, check_bound, refuse_place, shown
from sfumato.cli.dna_read import Reading
from sfumato.cli.dna_target import RowsTarget, genotypes_of, known_rows, population_of, target_of
from sfumato.core.attack import AttackResult, Scored, in_per_cent
from sfumato.core.errors import BadInput, SfumatoError, SystemFault
from sfumato.core.files import real_path
from sfumato.core.progress import Progress
from sfumato.core.verdict import Threat
from sfumato.dna.attacks import (
    ATTACKS,
    Answer,
    BeaconAttack,
    CaseOrControl,
    Homer,
    Kinship,
    Knowledge,
    LikelihoodRatio,
    SequenceLinkage,
)
from sfumato.dna.contract import Statistics
from sfumato.dna.reading import samples_of
from sfumato.recipe.attack import AttackReport
from sfumato.recipe.attack_knowledge import NotRun, reason_of

ON_STATISTICS = (Homer, LikelihoodRatio, CaseOrControl, BeaconAttack, Kinship)
ON_ROWS = (SequenceLinkage, Kinship)
_READS = {
    Homer.name: ("frequency",),
    LikelihoodRatio.name: ("frequency",),
    CaseOrControl.name: ("case_frequency", "control_frequency"),
    BeaconAttack.name: ("present",),
}
"""columns without which an attack on statistics is not tried unasked"""


@dataclass(frozen=True)
class Held:
    """Files that an adversary or the house holds, as options name them."""

    members: Path | None = None
    outside: Path | None = None
    reference: Path | None = None
    person_genotypes: Path | None = None
    original: Path | None = None
    with_: Path | None = None
    reading: Reading = dataclasses.field(default_factory=Reading)
    counted_over: int | None = None

    def check(self) -> None:
        """Refuse files that play two parts: thresholds would be set on the very people who are asked for."""
        parts = {
            "--members": self.members,
            "--person-genotypes": self.person_genotypes,
            "--outside": self.outside,
            "--reference": self.reference,
        }
        given = [(option, real_path(path)) for option, path in parts.items() if path is not None]
        for number, (option, path) in enumerate(given):
            for other, earlier in given[:number]:
                if path == earlier:
                    raise BadInput(
                        f"{other} and {option} are the same file",
                        where=str(path),
                        remedy="give different people: those of one part would be taken as those of another",
                    )
        if self.members is not None and self.person_genotypes is not None:
            raise BadInput("there are --members and --person-genotypes", remedy="give one of them")
        if self.original is not None and self.with_ is not None:
            raise BadInput("there are --original and --with", remedy="give one of them")


def run_dna_attack(
    target: Path,
    held: Held,
    attacks: Sequence[str],
    *,
    victims: Path | None,
    at_most: float | None,
    as_json: bool,
    console: Console,
    progress: Progress,
) -> bool:
    """Attack, print, and say whether every attack stayed within the bound."""
    check_bound(at_most)
    held.check()
    if victims is not None:
        refuse_place(victims, target)
    asked = asked_by_name(attacks, ATTACKS, "write --at-most, --with or --members")
    progress.step("reading")
    found = target_of(target, held.reading, held.counted_over)
    if isinstance(found, Statistics):
        report = _of_statistics(found, held, asked, victims is not None, progress)
    else:
        report = _of_rows(found, held, asked, victims is not None, progress)
    said = [line for result in report for line in _details(result)]
    return shown(report, at_most, victims, said, as_json, console)


def _of_statistics(
    target: Statistics, held: Held, asked: list[Any] | None, victims: bool, progress: Progress
) -> AttackReport:
    for option, path in (("--original", held.original), ("--with", held.with_)):
        if path is not None:
            raise BadInput("this is about rows", where=option, remedy="give --members and --outside")
    source = held.members or held.person_genotypes
    if source is None:
        raise BadInput(
            "there is nobody to attack",
            where="--members",
            remedy="give 'sfumato dna attack' genotypes of people in the data, or with --person-genotypes of "
            "people to ask about",
        )
    option = "--members" if held.members is not None else "--person-genotypes"
    people = genotypes_of(source, option)
    outside = None if held.outside is None else genotypes_of(held.outside, "--outside")
    reference = None if held.reference is None else population_of(held.reference)
    cases = held.reading.cases(samples_of(people)) if held.members is not None else None
    knowledge = Knowledge(people, outside, reference, cases=cases)
    run = _Run(target, knowledge, held.members is None, victims, progress)
    if asked is not None:
        _refuse_others(asked, ON_STATISTICS, "statistics")
        return run.all(asked, strict=True)
    usual = [kind() for kind in ON_STATISTICS if kind is not Kinship and _told(target, kind.name)]
    if not usual:
        raise BadInput(
            "no published column is one that an attack reads",
            remedy="name the attack and its column: --attack 'homer: {column: ...}'",
        )
    return run.all(usual, strict=False)


def _told(target: Statistics, attack: str) -> bool:
    return all(column in target.columns for column in _READS[attack])


def _of_rows(
    target: RowsTarget, held: Held, asked: list[Any] | None, victims: bool, progress: Progress
) -> AttackReport:
    for option, path in (("--reference", held.reference), ("--person-genotypes", held.person_genotypes)):
        if path is not None:
            raise BadInput("this is about statistics", where=option, remedy="give --original or --with")
    reading = dataclasses.replace(held.reading, people=None, phenotype=None)
    known = held.original or held.with_
    named = "--original" if held.original is not None else "--with"
    original = None if known is None else known_rows(known, named, target, reading)
    knowledge = Knowledge(original=original)
    if held.members is not None or held.outside is not None:
        knowledge = dataclasses.replace(knowledge, **_relatives(target, held, reading))
    run = _Run(target.rows, knowledge, False, victims, progress)
    if asked is not None:
        _refuse_others(asked, ON_ROWS, "rows")
        report = run.all(asked, strict=True)
    else:
        usual: list[Any] = [] if original is None else [SequenceLinkage()]
        usual += [] if knowledge.people is None else [Kinship()]
        if not usual:
            raise BadInput(
                "there is nobody to look for",
                where="--original",
                remedy="give the original rows, what is known of people as --with, or relatives as --members",
            )
        report = run.all(usual, strict=False)
    nobody = any(one.attack == SequenceLinkage.name and not one.success for one in report)
    if held.with_ is None:
        if nobody:
            # Rows that were only made less precise fit their people: a success of 0 would be of strangers.
            raise BadInput(
                "nobody of the original fits any row of the target",
                where="--original",
                remedy="give the rows that the release was made from, read in the same way",
            )
        return report
    unsure = "whether people of --with are in the release is not known: they are taken to be"
    none = "nobody of --with fits any row: they are not in it, or what is known of them is spelt otherwise"
    return dataclasses.replace(report, notes=(*report.notes, none if nobody else unsure))


def _relatives(target: RowsTarget, held: Held, reading: Reading) -> Mapping[str, Any]:
    """Read people who have a relative in the data and people who have none, at the target's positions."""
    if held.members is None or held.outside is None:
        raise BadInput(
            "kinship compares people who have a relative in the data with people who have none",
            where="--outside" if held.members is not None else "--members",
            remedy="give both --members and --outside",
        )
    near = known_rows(held.members, "--members", target, reading)
    others = known_rows(held.outside, "--outside", target, reading)
    people = near.with_cells(np.concatenate([near.cells, others.cells]))
    people = dataclasses.replace(people, persons=None)
    # Which row is the relative's is not known here: 0 only says that there is one.
    relatives = np.where(np.arange(len(people)) < len(near), 0, -1).astype(np.int64)
    return {"people": people, "relatives": relatives}


def _refuse_others(asked: Sequence[Any], fitting: tuple[type[Any], ...], what: str) -> None:
    for attack in asked:
        if not isinstance(attack, fitting):
            names = ", ".join(kind.name for kind in fitting)
            raise BadInput(
                f"the attack '{attack.name}' is not run on {what} here",
                where="--attack",
                remedy=f"try: {names}",
            )


@dataclass(frozen=True, eq=False)
class _Run:
    """One target, and what is known about its people."""

    target: Any
    knowledge: Knowledge
    unknown: bool
    """whether the people who are asked about need not be in the data"""
    victims: bool
    progress: Progress

    def all(self, attacks: Sequence[Any], *, strict: bool) -> AttackReport:
        """Run attacks; one that nobody asked for by name may fail, and is told as not run."""
        results: list[AttackResult] = []
        not_run: list[NotRun] = []
        notes: list[str] = []
        for attack in attacks:
            self.progress.step(f"attacking: {attack.title}")
            try:
                if self.unknown and isinstance(attack, CaseOrControl):
                    notes.append(self._answers(attack))
                else:
                    results.append(self._result(attack))
            except SystemFault:
                raise
            except SfumatoError as problem:
                if strict:
                    problem.where = problem.where or attack.name
                    raise
                not_run.append(NotRun(attack.name, attack.threat, reason_of(problem)))
        if not results and not notes:
            raise BadInput(
                f"no attack could be run: {'; '.join(dict.fromkeys(one.reason for one in not_run))}",
                remedy="give what they need, or name another with --attack",
            )
        order = list(Threat)
        results.sort(key=lambda result: order.index(result.threat))
        titles = {attack.name: attack.title for attack in attacks}
        return AttackReport(tuple(results), tuple(not_run), tuple(notes), titles)

    def _result(self, attack: Any) -> AttackResult:
        found: AttackResult = attack.run(
            self.target, self.knowledge, victims=self.victims, progress=self.progress
        )
        if self.unknown:
            people = self.knowledge.members
            return claimed(found, 0 if people is None else people.people)
        if isinstance(attack, Kinship) and not isinstance(self.target, Statistics):
            # Nobody said which row is the relative's.
            kept = {key: value for key, value in found.details.items() if key != "relative's row found"}
            return dataclasses.replace(found, details=kept)
        return found

    def _answers(self, attack: CaseOrControl) -> str:
        """Count the three answers about people of whom nothing is known."""
        people, outside = self.knowledge.members, self.knowledge.outside
        if people is None or outside is None:
            raise BadInput(
                "there are no people outside the data to set thresholds on",
                where=attack.name,
                remedy="give --outside",
            )
        said = Counter(attack.answers(self.target, people, outside))
        told = [f"{said[answer]:,} {answer}" for answer in Answer]
        if said[None]:
            told.append(f"{said[None]:,} without a known genotype")
        return f"{attack.name}: {', '.join(told)}"


def claimed(result: AttackResult, people: int) -> AttackResult:
    """Turn a result about members into one about people of whom it is not known whether they are in the data.

    What is told is how many look like members, beside the share of strangers who do; an AUC would be one of
    people who need not be members, and says nothing.
    """
    alpha = float(result.details["false positive rate"])
    power = float(result.details["power"])
    kept = {
        key: value
        for key, value in result.details.items()
        if key
        in ("false positive rate", "sites", "questions about a person", "people without a known genotype")
    }
    unsure = (
        f"who of them is in the data is not known: {in_per_cent(alpha)} of strangers look like members, too"
    )
    return dataclasses.replace(
        result,
        attempts=people,
        success=power,
        baseline=alpha,
        guessing=alpha,
        certain=min(result.certain, people),
        scored=Scored.CLAIMED,
        details=kept,
        note=f"{unsure}; {result.note}" if result.note else unsure,
    )


def _details(result: AttackResult) -> list[str]:
    """Say the figures of an attack on membership that the table has no room for."""
    details = result.details
    if "auc" not in details:
        return []
    sites = f" at {int(details['sites']):,} sites" if "sites" in details else ""
    alpha, power = float(details["false positive rate"]), float(details["power"])
    return [
        f"{result.attack}: AUC {float(details['auc']):.3f} ({float(details['auc from']):.3f} to "
        f"{float(details['auc to']):.3f}){sites}; {in_per_cent(power)} of members told, with "
        f"{in_per_cent(alpha)} of strangers"
    ]
