"""Attacks before and after: adversaries are run on the original without identifiers, and on the release.

Every release is attacked by a small set of adversaries; a recipe may ask for more, and bound them. Where a
bound does not hold, nothing is published. What was found is for the steward alone: only that the bounds
held is public.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sfumato.core import evidence as ev
from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput, PromiseNotMet, SfumatoError, SystemFault
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.engine.contract import Table
from sfumato.masking import mask_population
from sfumato.recipe.attack_ask import AskedAttack, Exceeded, exceeded, over_columns
from sfumato.recipe.attack_knowledge import (
    REMEDIES,
    other_release,
    people_of,
    population_of,
    reason_of,
    unmet,
    widened,
)
from sfumato.recipe.outcome import Outcome
from sfumato.table.attacks import ATTACKS
from sfumato.table.attacks.attribute_inference import AttributeInference
from sfumato.table.attacks.contract import Attack, Knowledge, People
from sfumato.table.published import PublishedTable

BY_DEFAULT = ("linkage", "homogeneity", "skewness", "similarity", "attribute-inference")
"""adversaries that attack every release, where they apply"""
FUZZY = "fuzzy-linkage"
"""attacks releases whose quasi-identifiers were changed"""
MOST_COMPARED = 50_000
"""rows up to which that one is run unasked: it holds both tables in memory"""
MOST_ROWS = 2_000_000
"""rows up to which people are linked unasked"""
MOST_CELLS = 200_000
"""different combinations of quasi-identifiers up to which that is done, and rows up to which classes are
attacked: sensitive values are counted in every class, which takes time and memory"""
MOST_WEIGHED = 4_000_000
"""values times rows up to which a classifier is trained unasked: a tenth of a second or two"""
KNOWS_ALL = "the quasi-identifiers of everybody in the original"
KNOWS_A_FILE = "an identified file"

_BETTER = {
    Threat.IDENTITY: "ask for a larger k, make hierarchies coarser",
    Threat.ATTRIBUTE: "promise more about the sensitive column (entropy-l-diversity, t-closeness, …)",
    Threat.MEMBERSHIP: "promise delta-presence, release a smaller sample",
    Threat.INFERENCE: "generalise or randomise what the sensitive value follows from",
}

_WITH_VALUES = ("never", "groups", "values", "prior", "places")
"""parameters that may hold values of the data, which no evidence tells"""

_SAID = {
    "at-most": "succeeds for {share} of {people}",
    "advantage-at-most": "succeeds for {share} more of {people} than it would without their data",
    "sure-at-most": "is sure of {share} of {people}",
}


@dataclass(frozen=True)
class Sides:
    """The two tables that are attacked, and what adversaries hold about each."""

    outcome: Outcome
    released: PublishedTable

    @cached_property
    def after(self) -> PublishedTable:
        """What would be released; with who is who where rows are not people or values not true."""
        outcome = self.outcome
        several = outcome.job.schema.person is not None and not outcome.rows_are_persons
        # Where labels overlap, only ids tell which of the records that agree is somebody's own.
        unsure = outcome.perturbed is not None or outcome.job.method.classes_overlap
        changed = outcome.job.schema.person is not None and unsure
        found = outcome.in_house if several or changed else self.released
        return dataclasses.replace(found, hierarchies={**found.hierarchies, **outcome.protected.hierarchies})

    @cached_property
    def before(self) -> PublishedTable:
        """The original of those who agreed, as it was."""
        masked = self.outcome.masked
        return self._original(self.outcome.original if masked is None else masked.before)

    @cached_property
    def reduced(self) -> PublishedTable:
        """The original as masks and repairs left it, which is what the labels of the release are about."""
        masked, job = self.outcome.masked, self.outcome.job
        watched = (*job.schema.quasi, *job.schema.sensitive, job.schema.person)
        if masked is None or not any(name in job.masking.masks or name in masked.mended for name in watched):
            return self.before
        return self._original(masked.table)

    def _original(self, table: Table) -> PublishedTable:
        schema, after = self.outcome.job.schema, self.after
        return PublishedTable(
            table,
            schema.quasi,
            schema.sensitive,
            # Rows that are one person's each need no second count of persons.
            schema.person if after.person else None,
            known=schema.known,
            hierarchies=after.hierarchies,
        )

    def held(self, asked: AskedAttack, target: PublishedTable, truth: PublishedTable) -> Knowledge:
        """Return what an adversary holds about one of the sides."""
        protected = self.outcome.protected
        laid = {} if target is self.before else {**protected.start.hierarchies, **protected.hierarchies}
        columns = {name: name for name in truth.quasi}
        people: People = People(truth.table, columns, truth.person)
        if asked.people is not None:
            table = target.table.engine.read(asked.people)
            where = f"attack {asked.attack.name}, 'with'"
            people = people_of(table, target, asked.columns, person=target.person, where=where)
        population = None
        job, engine = self.outcome.job, target.table.engine
        if job.population is not None and Need.POPULATION in asked.attack.needs:
            raw = engine.read(job.population)
            everybody = raw if target is self.before else mask_population(raw, job.schema, job.masking)
            person = target.person or job.schema.person
            population = population_of(everybody, target, person=person, asked=job.population_person)
            if target is not self.before and person in job.masking.masks:
                # The list has the ids as they were, and the release those that a mask made of them.
                population = dataclasses.replace(population, same_ids=False)
        others = tuple(other_release(other, target.table.engine, target) for other in asked.others)
        return Knowledge(people, laid, truth, others, population, truthful=_truthful(self.outcome))


def attacked(
    outcome: Outcome, released: PublishedTable, *, by_default: bool = True, progress: Progress = SILENT
) -> list[ev.AttackEvidence]:
    """Run what the job asks for and, unless told otherwise, what attacks every release.

    Raises ``PromiseNotMet`` when a bound does not hold.
    """
    asked = list(outcome.job.attacks)
    unasked = _unasked(asked, outcome) if by_default else []
    if not asked and not unasked:
        return []
    progress.step("attacking the release")
    sides = Sides(outcome, released)
    found = []
    for number, ask in enumerate([*asked, *unasked]):
        progress.update(number / len([*asked, *unasked]), ask.attack.name)
        unasked_for = number >= len(asked)
        if unasked_for and (reason := _too_large(ask.attack, outcome)):
            found.append(not_run_evidence(ask.attack, reason))
        else:
            found += _both(ask, sides, strict=not unasked_for)
    order = [str(threat) for threat in Threat]
    return sorted(found, key=lambda one: (order.index(one.threat), one.name != BY_DEFAULT[0]))


def _unasked(asked: Sequence[AskedAttack], outcome: Outcome) -> list[AskedAttack]:
    """Make the attacks that every release gets, but for those that somebody named.

    Where quasi-identifiers were changed, exact linkage finds few and says little: the fuzzy one is run too.
    """
    named = {one.attack.name for one in asked}
    wanted = BY_DEFAULT if _truthful(outcome) else (*BY_DEFAULT, FUZZY)
    return [AskedAttack(ATTACKS[name]()) for name in wanted if name in ATTACKS and name not in named]


def _both(ask: AskedAttack, sides: Sides, *, strict: bool) -> list[ev.AttackEvidence]:
    """Run an attack on both sides, once for every sensitive column if it names none."""
    attack = ask.attack
    before_held = sides.held(ask, sides.before, sides.before)
    after_held = sides.held(ask, sides.after, sides.reduced)
    need = unmet(attack, sides.after, after_held)
    if need is not None:
        if strict:
            raise BadInput(f"the attack needs {need}", where=f"attacks, {attack.name}", remedy=REMEDIES[need])
        # That a table has no sensitive column is no gap in what was measured.
        return [] if need is Need.SENSITIVE else [not_run_evidence(attack, f"it needs {need}")]
    found = []
    for one in over_columns(attack, sides.after):
        if not strict and (dear := _too_dear(one, sides)):
            found.append(not_run_evidence(one, dear))
            continue
        try:
            after = one.run(widened(sides.after, after_held.people), after_held)
            if ask.people is None:
                _refuse_unread(after, sides.outcome)
            before = _before(one, sides, before_held)
        except SystemFault:
            raise
        except SfumatoError as problem:
            if strict:
                problem.where = problem.where or f"attacks, {attack.name}"
                raise
            found.append(not_run_evidence(one, reason_of(problem)))
            continue
        refuse_exceeded(ask, after)
        found.append(_evidence(ask, one, before, _about_changed_values(after, sides.outcome)))
    return found


def _too_large(attack: Attack, outcome: Outcome) -> str:
    """Say why an attack is not run unasked on a large table."""
    cells = outcome.protected.counted.cells
    rows = MOST_CELLS if Need.SENSITIVE in attack.needs else MOST_ROWS
    rows = MOST_COMPARED if attack.name == FUZZY else rows
    if cells.total_rows > rows:
        return f"the table has more than {rows:,} rows: name it under 'attacks' to run it"
    if len(cells) > MOST_CELLS or not outcome.protected.start.at_the_bottom:
        return (
            f"the quasi-identifiers have more than {MOST_CELLS:,} different combinations: name it under "
            "'attacks' to run it"
        )
    return ""


def _too_dear(attack: Attack, sides: Sides) -> str:
    """Say why an attack is not run unasked: a classifier weighs every value for every record."""
    column = getattr(attack, "column", None)
    if not isinstance(attack, AttributeInference) or column is None:
        return ""
    values = len(sides.after.values_of(column).domain)
    if values * sides.outcome.protected.counted.cells.total_rows <= MOST_WEIGHED:
        return ""
    return f"it would weigh {values:,} values for every record: name it under 'attacks' to run it"


def _truthful(outcome: Outcome) -> bool:
    """Say whether quasi-identifiers were only generalised or hidden."""
    steps = [] if outcome.perturbed is None else outcome.perturbed.done
    quasi = {*outcome.job.schema.quasi}
    return not any({*done.step.columns} & quasi for done in steps if not done.step.truthful)


def _refuse_unread(result: AttackResult, outcome: Outcome) -> None:
    """Refuse a linkage that misses people who are surely there: their labels were not understood.

    Of the original only those have no record in a truthful release who were suppressed or not drawn.
    """
    if not _truthful(outcome):
        return
    missed = result.details.get("no match", 0)
    gone = outcome.protected.solution.suppressed_rows + outcome.left_out
    if isinstance(missed, int) and missed > gone:
        people = "1 person" if missed - gone == 1 else f"{missed - gone:,} people"
        raise BadInput(
            f"no record of {people} was found although they are in the release: labels are not understood",
            remedy="give the hierarchies of the quasi-identifiers, or report it",
        )


def _before(attack: Attack, sides: Sides, held: Knowledge) -> AttackResult | None:
    """Attack the original; None where the attack is about how the release was made."""
    if unmet(attack, sides.before, held) is not None:
        return None
    return attack.run(widened(sides.before, held.people), held)


def _about_changed_values(result: AttackResult, outcome: Outcome) -> AttackResult:
    """Say what changed values mean: claims about them are about what was released, and others find more."""
    steps = [] if outcome.perturbed is None else outcome.perturbed.done
    changing = [done.step for done in steps if not done.step.truthful]
    told = ""
    if result.attack == "linkage":
        known = [name for name in outcome.job.schema.quasi if any(name in step.columns for step in changing)]
        by = dict.fromkeys(step.name for step in changing if {*step.columns} & {*known})
        if known:
            listed = ", ".join(f"'{name}'" for name in known)
            told = f"{listed} was changed by {', '.join(by)}: fuzzy-linkage may find more"
    elif not any(m.column == result.column for m in outcome.protected.mechanisms):
        changed = [step.name for step in changing if result.column in step.columns]
        if changed:
            told = f"values were changed by {', '.join(changed)}: claims are right about what was released"
    return dataclasses.replace(result, note="; ".join(note for note in (result.note, told) if note))


def refuse_exceeded(ask: AskedAttack, result: AttackResult, better: Mapping[Threat, str] = _BETTER) -> None:
    """Publish nothing when an adversary is right more often than allowed."""
    broken = exceeded(ask.bounds, result)
    if not broken:
        return
    worst = broken[0]
    of = f" on '{result.column}'" if result.column else ""
    everybody = result.attempts + result.left_out
    people = "1 person" if everybody == 1 else f"{everybody:,} people"
    said = _SAID[worst.key].format(share=_written(worst), people=people)
    if result.scored is Scored.CLAIMED:
        raise PromiseNotMet(
            f"what {result.attack}{of} claims about {people} cannot be compared with the truth: "
            "no bound can be shown to hold",
            where="attacks",
            remedy="nothing was published; name the person column, or leave out the bound",
        )
    remedy = better[result.threat]
    if worst.unproven:
        said += f", counting {worst.unproven:,} whom it never compared"
        remedy = f"let the attack compare everybody, {remedy}"
    raise PromiseNotMet(
        f"{result.attack}{of} {said}, and at most {100 * worst.bound:g} % is allowed",
        where="attacks",
        remedy=f"nothing was published; {remedy}, or raise the bound",
    )


def _written(worst: Exceeded) -> str:
    """Write a share with as many digits as tell it from its bound."""
    for digits in range(1, 16):
        told = f"{float(100 * worst.found):.{digits}f}"
        if float(told) > 100 * worst.bound:
            break
    return f"{told} %"


def _evidence(
    ask: AskedAttack, attack: Attack, before: AttackResult | None, after: AttackResult
) -> ev.AttackEvidence:
    knows = ""
    if ask.people is not None:
        knows = KNOWS_A_FILE
    elif Need.PEOPLE in attack.needs:
        knows = KNOWS_ALL
    parameters = {
        name: f"{len(value)} given" if name in _WITH_VALUES and isinstance(value, list | dict) else value
        for name, value in parameters_of(attack).items()
        if name != "column"
    }
    return ev.AttackEvidence(
        name=attack.name,
        title=attack.title,
        threat=str(attack.threat),
        column=after.column,
        parameters=parameters,
        knows=knows,
        before=None if before is None else figures_of(before),
        after=figures_of(after),
        bounds=dict(ask.bounds),
        held=True if ask.bounds else None,
    )


def not_run_evidence(attack: Attack, reason: str) -> ev.AttackEvidence:
    """Write down that an attack was not run, and why."""
    return ev.AttackEvidence(
        name=attack.name,
        title=attack.title,
        threat=str(attack.threat),
        column=getattr(attack, "column", None),
        not_run=reason,
    )


def figures_of(result: AttackResult) -> ev.AttackFigures:
    """Return the figures of a result; details and victims stay behind."""
    return ev.AttackFigures(
        attempts=result.attempts,
        success=min(result.success, 1.0),
        baseline=min(result.baseline, 1.0),
        guessing=min(result.guessing, 1.0),
        certain=result.certain,
        highest=min(result.highest, 1.0),
        scored=str(result.scored),
        note=result.note,
        compared=result.compared,
        not_compared=None if result.compared is None else (result.not_compared or 0) + result.left_out,
    )
