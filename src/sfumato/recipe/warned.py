"""What a release warns of: what no promise covers, what may tell more than it seems, what is not true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfumato.core.evidence import ColumnEvidence
from sfumato.core.schema import Role, Schema
from sfumato.core.verdict import Basis, Threat
from sfumato.masking.partial import Cover
from sfumato.recipe.outcome import Outcome
from sfumato.table.population import ROWS_TAKEN, repeats_in_words
from sfumato.table.protect import SamplesRecords, rules_of
from sfumato.table.rule import smallest_class

OF_A_SEED = (
    "chance came from a seeded generator: whoever knows the seed could undo it, so do not publish this"
)


def _hidden(schema: Schema) -> tuple[str, ...]:
    return schema.with_role(Role.PERSON) + schema.with_role(Role.IDENTIFIER)


def _uncovered(outcome: Outcome) -> list[str]:
    """List the sensitive columns that no promise is about."""
    job = outcome.job
    watched = {rule.column for rule in rules_of(job.models, job.schema)}
    randomised = {mechanism.column for mechanism in outcome.protected.mechanisms}
    promised = any(m.basis is Basis.MECHANISM and Threat.ATTRIBUTE in m.protects_from for m in job.models)
    covered = watched | (randomised if promised else set())
    return [name for name in job.schema.sensitive if name not in covered]


def warnings_about(outcome: Outcome) -> Iterable[str]:
    """Say what the promises leave open, one sentence each, without its full stop."""
    job, solution = outcome.job, outcome.protected.solution
    uncovered = _uncovered(outcome)
    if uncovered:
        names = ", ".join(uncovered)
        yield (
            f"no promise covers the sensitive column{'s' * (len(uncovered) > 1)} ({names}): people who look "
            "alike may all share a sensitive value, which is then learned without finding anybody's record"
        )
    in_classes = {
        t for model in job.models if model.basis is not Basis.MECHANISM for t in model.protects_from
    }
    if smallest_class(rules_of(job.models, job.schema)) < 2 and Threat.IDENTITY in in_classes:
        yield "k = 1 promises nothing: everybody may stand alone with their quasi-identifiers"
    for model in job.models:
        if getattr(model, "base", "released") == "input":
            yield (
                f"{model.name} compares with the input, which is not released: compared with the release, a "
                "class may say more about its people than was promised"
            )
        elif not model.stops:
            yield (
                f"{model.name} as it was asked for stops no attack: those who agree with a record by a "
                "hidden value need not agree with each other, and linkage may still find people"
            )
    if not job.models:
        yield (
            "no statistical promise is made: a policy says what is done with identifiers, and somebody may "
            "still stand alone with what is left"
        )
    if job.schema.person is None:
        yield "no column names the person: if somebody has several rows, they count as several people"
    if job.population is not None and outcome.protected.population_person is None:
        again = repeats_in_words(outcome.protected.population_repeats)
        more = "if the same people are listed several times, fewer look alike than promised"
        yield f"{again}: {more}" if again else ROWS_TAKEN
    hidden = _hidden(job.schema)
    linking = [name for name, mask in job.masking.masks.items() if mask.repeats and name in hidden]
    if linking and not outcome.rows_are_persons:
        yield (
            f"rows with the same code ({', '.join(linking)}) are the same person's: the promises are about "
            "single rows, and somebody who knows several rows of a person may know more"
        )
    shown = [name for name, mask in job.masking.masks.items() if isinstance(mask, Cover) and mask.keeps_some]
    if shown:
        yield (
            f"a part of every covered value is shown ({', '.join(shown)}): no promise covers it, and whoever "
            "knows it may find a person by it"
        )
    yield from _about_steps(outcome)
    if isinstance(job.method, SamplesRecords):
        yield (
            "only a sample was released: how many records were left out or mended would tell of people, "
            "and is not told"
        )
    start = outcome.protected.start
    if not start.at_the_bottom:
        raised = zip(solution.cells.names, start.skipped, strict=True)
        names = ", ".join(f"{name} from level {level}" for name, level in raised if level)
        yield f"the search started above the values to fit into memory ({names}); it is optimal from there"
    inferred = [name for name in start.hierarchies if name not in job.hierarchies]
    if inferred:
        yield f"hierarchies were inferred from the data for: {', '.join(inferred)}"


def says_little(columns: Sequence[ColumnEvidence]) -> Iterable[str]:
    """Warn of a table in which half of the quasi-identifiers or more are at the root in every record."""
    quasi = [column for column in columns if column.role == Role.QUASI_IDENTIFIER]
    gone = [column.name for column in quasi if column.height and column.level == column.height]
    if gone and 2 * len(gone) >= len(quasi):
        yield (
            f"{len(gone)} of {len(quasi)} quasi-identifiers are at the root of their hierarchies and say "
            f"nothing ({', '.join(gone)}): a smaller k, some suppression or the method mondrian keeps more"
        )


def _about_steps(outcome: Outcome) -> Iterable[str]:
    """Warn of values that are no longer true, and of chance that can be drawn again."""
    if outcome.perturbed is None:
        return
    untrue = [done.step for done in outcome.perturbed.done if not done.step.truthful]
    if untrue:
        told = "; ".join(f"{step.name} of {', '.join(step.columns)}" for step in untrue)
        yield f"values were perturbed ({told}): single values need not be true of the person of their record"
    for done in outcome.perturbed.done:
        if "warning" in done.published:
            yield str(done.published["warning"])
    if not outcome.perturbed.secret:
        yield OF_A_SEED
