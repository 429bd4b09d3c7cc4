"""Adversaries run against a release of sets in the house, before and after: for the steward alone."""

from __future__ import annotations

import dataclasses
from math import comb
from typing import Any

import numpy as np
import pyarrow as pa

from sfumato.codes.attacks import CoverProblem, KnownCodes, SensitiveCode
from sfumato.codes.attacks.contract import Attack, Identified, Knowledge
from sfumato.codes.attacks.searched import Searched
from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import PublishedSets
from sfumato.codes.reading import ReadCodes, read_codes
from sfumato.core import evidence as ev
from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, SfumatoError, SystemFault, nearest
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Schema
from sfumato.core.verdict import Threat
from sfumato.engine.sources import Source
from sfumato.recipe.attack_ask import AskedAttack
from sfumato.recipe.attack_knowledge import REMEDIES, reason_of
from sfumato.recipe.attacked import KNOWS_A_FILE, figures_of, not_run_evidence, refuse_exceeded
from sfumato.recipe.codes.layout import layout_of
from sfumato.recipe.codes.outcome import CodesOutcome

USUAL_KNOWN = 2
"""codes that an adversary knows where no promise says how many"""
MOST_KNOWN = 3
MOST_OCCURRENCES = 3_000_000
"""codes of all people together up to which a release is attacked unasked"""
MOST_WORK = 300_000_000
"""sets of codes up to which all of them are looked at unasked: some seconds"""
MOST_IN_CHUNKS = 1_000_000
"""the same for chunks"""
KNOWS_CODES = "the codes of everybody in the original"
BETTER = {
    Threat.IDENTITY: "ask for a larger k or for more known codes (m)",
    Threat.ATTRIBUTE: "promise more about sensitive codes (hkp-coherence, rho-uncertainty, …)",
    Threat.MEMBERSHIP: "release less",
    Threat.INFERENCE: "promise more about sensitive codes (hkp-coherence, rho-uncertainty, …)",
}


def attacked_codes(outcome: CodesOutcome, progress: Progress = SILENT) -> list[ev.AttackEvidence]:
    """Run what the job asks for, and what attacks every release of sets.

    Raises ``PromiseNotMet`` when a bound does not hold.
    """
    asked = list(outcome.job.attacks)
    named = {one.attack.name for one in asked}
    large = outcome.problem.sets.occurrences > MOST_OCCURRENCES
    unasked = [
        AskedAttack(one if large else _within_reach(one, outcome))
        for one in by_default(outcome)
        if one.name not in named
    ]
    progress.step("attacking the release")
    found = []
    for number, ask in enumerate([*asked, *unasked]):
        progress.update(number / len([*asked, *unasked]), ask.attack.name)
        if large and number >= len(asked):
            reason = f"people have more than {MOST_OCCURRENCES:,} codes: name it under 'attacks' to run it"
            found.append(not_run_evidence(ask.attack, reason))
            continue
        one = _both(ask, outcome, strict=number < len(asked))
        found.append(one if number < len(asked) else _weakened(one, ask.attack, outcome))
    order = [str(threat) for threat in Threat]
    return sorted(found, key=lambda one: order.index(one.threat))


def by_default(outcome: CodesOutcome) -> list[Any]:
    """Return the adversaries that attack every release: they know as much as the promises allow for."""
    questions = [model.question() for model in outcome.problem.models]
    sizes = [question.size for question in questions if question.size is not None]
    m = min(max(sizes, default=USUAL_KNOWN), MOST_KNOWN)
    chunks = isinstance(outcome.solution.published, Disassociated)
    # Where every promise takes sensitive codes to be unknown, so does the adversary that it is about.
    public = bool(outcome.job.sensitive) and not any(question.sensitive_known for question in questions)
    found: list[Any] = [KnownCodes(m, public=public and not chunks)]
    if chunks:
        found.append(CoverProblem())
    elif outcome.job.sensitive:
        found.append(SensitiveCode(m))
    return found


def _within_reach(attack: Any, outcome: CodesOutcome) -> Any:
    """Let the adversary know codes by chance where too many choices of them would have to be looked at."""
    if getattr(attack, "choose", "") != "worst":
        return attack
    sets, published = outcome.problem.sets, outcome.solution.published
    lengths = np.diff(sets.starts).tolist()
    work = sum(comb(length, min(size, length)) for length in lengths for size in range(1, attack.m + 1))
    if isinstance(published, PublishedSets):
        searched = Searched.of(published)
        work = max(work, searched.work(searched.known(sets), attack.m))
        most = MOST_WORK
    else:
        most = MOST_IN_CHUNKS
    return attack if work <= most else dataclasses.replace(attack, choose="random")


def _weakened(found: ev.AttackEvidence, attack: Any, outcome: CodesOutcome) -> ev.AttackEvidence:
    """Tell how an adversary that nobody asked for was kept from knowing all that promises allow for."""
    told = []
    if getattr(attack, "choose", "") == "random":
        told.append("the known codes were drawn by chance, since all choices of them are too many to look at")
    sizes = [model.question().size for model in outcome.problem.models]
    most = max((size for size in sizes if size is not None), default=0)
    if most > MOST_KNOWN and hasattr(attack, "m"):
        told.append(f"{MOST_KNOWN} codes are known, where a promise allows for {most}")
    if not told or found.after is None:
        return found
    note = "; ".join(part for part in (found.after.note, *told) if part)
    return found.model_copy(update={"after": found.after.model_copy(update={"note": note})})


def _both(ask: AskedAttack, outcome: CodesOutcome, *, strict: bool) -> ev.AttackEvidence:
    """Attack the original as it is, and what would be published."""
    attack: Any = ask.attack
    problem = outcome.problem
    before = PublishedSets.as_it_is(problem.sets, problem.sensitive)
    after = outcome.solution.published
    try:
        people = None if ask.people is None else _people(ask.people, outcome)
        held = Knowledge(problem.sets, aligned=True, visits=problem.visits, people=people)
        need = unmet(attack, held)
        if need is not None:
            raise BadInput(f"the attack needs {need}", remedy=REMEDIES[need])
        found = attack.run(after, held)
        was = None if isinstance(attack, CoverProblem) else attack.run(before, held)
    except SystemFault:
        raise
    except SfumatoError as problem_found:
        if strict:
            problem_found.where = problem_found.where or f"attacks, {attack.name}"
            raise
        return not_run_evidence(attack, reason_of(problem_found))
    refuse_exceeded(ask, found, BETTER)
    return _evidence(ask, was, found)


def unmet(attack: Attack, knowledge: Knowledge) -> Need | None:
    """Return what an attack on sets needs and is not at hand; of sensitive codes it speaks itself."""
    at_hand = {
        Need.PEOPLE: knowledge.people is not None,
        Need.ORIGINAL: knowledge.original is not None,
    }
    return next((need for need, there in at_hand.items() if need in attack.needs and not there), None)


def _people(source: Source, outcome: CodesOutcome) -> Identified:
    """Read an identified file, and find out who of it is who."""
    job, table = outcome.job, outcome.found.table.engine.read(source)
    known = Schema(tuple(column for column in job.schema.fields if column.name in table.names))
    for name in job.codes:
        if name not in table.names:
            raise BadInput(f"the identified file has no column '{name}'", remedy=nearest(name, table.names))
    read = read_codes(table, layout_of(table, known, job.layout, job.separator), system=job.system)
    return identified(read, outcome.found.read)


def identified(file: ReadCodes, original: ReadCodes | None) -> Identified:
    """Say for everybody in a file which record of the original is theirs, where both name people."""
    if original is None or file.people is None or original.people is None:
        return Identified(file.sets)
    row = {who: place for place, who in enumerate(original.people.cast(pa.string()).to_pylist())}
    named = file.people.cast(pa.string()).to_pylist()
    return Identified(file.sets, np.array([row.get(who, -1) for who in named], np.int64))


def _evidence(ask: AskedAttack, before: AttackResult | None, after: AttackResult) -> ev.AttackEvidence:
    attack = ask.attack
    knows = KNOWS_CODES if Need.ORIGINAL in attack.needs else ""
    return ev.AttackEvidence(
        name=attack.name,
        title=attack.title,
        threat=str(attack.threat),
        parameters=parameters_of(attack),
        knows=KNOWS_A_FILE if ask.people is not None else knows,
        before=None if before is None else figures_of(before),
        after=figures_of(after),
        bounds=dict(ask.bounds),
        held=True if ask.bounds else None,
    )
