"""Verify released statistics: what their bytes show, and what only the house or the mechanism can prove."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from sfumato.core.describe import verdict_told
from sfumato.core.errors import BadInput, SfumatoError
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.evidence_dna import DnaEvidence, FiguresEvidence
from sfumato.core.findings import Finding, Status, Verification, finding, many, written_again
from sfumato.core.named import build, parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.system import raise_system_fault
from sfumato.core.verdict import Verdict
from sfumato.dna.contract import Published, Statistics, StatisticsMethod, StatisticsModel
from sfumato.dna.models.membership import MembershipBound
from sfumato.dna.models.private import DifferentialPrivacy
from sfumato.dna.models.statistics import STATISTICS_MODELS
from sfumato.dna.reading import read_statistics
from sfumato.dna.writing.names import check_sites
from sfumato.recipe.dna.statistics_evidence import IN_THE_HOUSE, STRIPPED, peaks_told
from sfumato.recipe.dna.statistics_figures import disagreeing, in_order, named_publicly, outside
from sfumato.recipe.dna.statistics_file import is_canonical
from sfumato.recipe.dna.statistics_job import ORDER
from sfumato.recipe.dna.statistics_methods import (
    is_noisy,
    method_of,
    method_told,
    needs_cases,
    refuse_not_kept,
    uses_cases,
)
from sfumato.recipe.dna.statistics_price import Cost, meaning_of, most_spent, neighbours_of
from sfumato.recipe.dna.statistics_schema import SITE, ReleasedStatistics, figures_declared
from sfumato.recipe.dna.statistics_warned import warnings_of
from sfumato.recipe.on_disk import DATA_FILES, data_file, load_part, release_folder
from sfumato.recipe.risk import PERSONS_COUNTED, ROWS_AS_PEOPLE
from sfumato.recipe.verify_every import about_the_recipe, attacks, files, in_words, report_told
from sfumato.recipe.verify_figures import (
    HELD,
    UNREADABLE,
    drawn_in_secret,
    fingerprint_and_size,
    left_open,
    not_held,
    schema_as_released,
)
from sfumato.release.names import EVIDENCE, REPORT, SCHEMA

_DRAWN = "every figure got its noise, drawn in secret, and the sites were chosen without looking at people"


@dataclass(frozen=True)
class StatisticsOnDisk:
    """A release folder whose evidence and schema can be read; what they claim is not checked yet."""

    evidence: DnaEvidence
    schema: ReleasedStatistics
    path: Path

    @classmethod
    def read(cls, release: str | Path) -> StatisticsOnDisk:
        """Read a release folder, or the folder that holds one."""
        folder = release_folder(release)
        evidence = load_part(folder / EVIDENCE, DnaEvidence)
        if evidence.form != "statistics" or evidence.figures is None:
            raise BadInput(
                "this release holds no statistics", where=str(folder), remedy="give one of statistics"
            )
        schema = load_part(folder / SCHEMA, ReleasedStatistics)
        return cls(evidence, schema, data_file(folder, evidence, DATA_FILES))

    @property
    def figures(self) -> FiguresEvidence:
        """What the evidence tells of the figures."""
        assert self.evidence.figures is not None
        return self.evidence.figures


@dataclass(frozen=True)
class _Told:
    """The method and the promises that the recipe names, as objects."""

    method: StatisticsMethod
    models: tuple[StatisticsModel, ...]


def verify_statistics(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a folder with released statistics from its bytes."""
    on_disk = StatisticsOnDisk.read(release)
    evidence, path = on_disk.evidence, on_disk.path
    progress.step("reading the release")
    findings = [
        fingerprint_and_size(path, evidence),
        schema_as_released(path.with_name(SCHEMA), evidence.schema_sha256),
        files(path.parent, evidence),
        report_told(path.parent / REPORT, evidence),
        about_the_recipe(evidence),
        *attacks(evidence),
    ]
    try:
        told = _told(evidence)
    except SfumatoError as problem:
        claim = "the method keeps the promises of the recipe"
        return Verification((*findings, Finding(claim, Status.REFUTED, problem.what)))
    findings.append(_agree(on_disk, told))
    findings += _in_the_file(on_disk, told)
    progress.step("checking the promises")
    findings += _promises(on_disk, told)
    if original is not None:
        findings.append(
            Finding(
                "the figures were counted over this original",
                Status.NOT_CHECKED,
                "who was counted, and who is a case, only the steward knows",
            )
        )
    return Verification(tuple(findings))


def _told(evidence: DnaEvidence) -> _Told:
    """Make method and promises from the recipe; raises ``BadInput`` where that cannot be."""
    spec: Any = evidence.recipe.get("method")
    if not isinstance(spec, dict):
        raise BadInput("the recipe names no method")
    models = tuple(
        build(STATISTICS_MODELS, {told.model: dict(told.parameters)}, "model") for told in evidence.verdicts
    )
    try:
        method = method_of(spec)
    except (TypeError, ValueError, AttributeError):
        raise BadInput("the recipe names no method") from None
    refuse_not_kept(method, models)
    if method_told(method) != spec:
        raise BadInput("the recipe spells its method otherwise than it is")
    return _Told(method, models)


def _agree(on_disk: StatisticsOnDisk, told: _Told) -> Finding:
    """Evidence, schema and recipe must tell the same story."""
    evidence, schema, figures = on_disk.evidence, on_disk.schema, on_disk.figures
    output: Any = evidence.recipe.get("output")
    declared = figures_declared(figures.columns, told.method, figures.people)
    same = (
        schema.file == evidence.data.file
        and isinstance(output, dict)
        and f"data.{output.get('format')}" == schema.file
        and schema.sites == list(SITE)
        and schema.figures == declared
        and evidence.data.rows == figures.sites
        and evidence.method == told.method.name
        and evidence.truthful is not is_noisy(told.method)
        and evidence.rows is None
        and evidence.order == ORDER
        and evidence.stripped == list(STRIPPED)
        and evidence.people == (PERSONS_COUNTED if _names_persons(evidence) else ROWS_AS_PEOPLE)
        and (figures.people is not None and figures.people >= 1)
        and (figures.cases is None or uses_cases(told.method))
        and (figures.cases is not None or not needs_cases(told.method))
        and (figures.cases is None or (figures.people is not None and 0 < figures.cases < figures.people))
    )
    return finding(
        "evidence, schema and recipe tell the same of the figures",
        same,
        many(len(figures.columns), "column"),
        "they disagree",
    )


def _names_persons(evidence: DnaEvidence) -> bool:
    """Say whether the recipe tells that something named the person of each sample."""
    recipe: Any = evidence.recipe
    try:
        return "person" in recipe["resources"][0]["dna"]
    except (KeyError, IndexError, TypeError):
        return False


def _in_the_file(on_disk: StatisticsOnDisk, told: _Told) -> list[Finding]:
    """Read the figures, and check them against what is declared and against each other."""
    figures, path = on_disk.figures, on_disk.path
    try:
        found = read_statistics(path)
        check_sites(found.sites, bases=False)
        # A packed file with rubbish behind it is found when it is unpacked once more.
        alone = is_canonical(path, found)
    except UNREADABLE as problem:
        raise_system_fault(problem)
        return [not_held(problem)]
    declared = on_disk.schema.figures
    if list(found.columns) != [one.name for one in declared] or list(found.columns) != figures.columns:
        return [Finding(HELD, Status.REFUTED, "the file has other columns")]
    wrong, apart = outside(found, declared), disagreeing(found, told.method, figures.people, figures.cases)
    return [
        finding(
            f"the release tells of {many(figures.sites, 'site')}",
            len(found.sites) == figures.sites,
            "counted",
            f"it has {len(found.sites):,}",
        ),
        finding(
            "sites come in the order of the genome, each once, under public names",
            in_order(found.sites) and named_publicly(found.sites),
            "read and compared",
            "they do not",
        ),
        finding(HELD, not wrong, "all lie in their range", f"others in {', '.join(wrong)}"),
        finding(
            "figures that follow from each other agree",
            not apart,
            "computed again where they do",
            f"they do not: {'; '.join(apart)}",
        ),
        written_again(f"{path.name} holds the figures and nothing else", alone),
        finding(
            "the report draws what the file holds",
            peaks_told(found) == figures.peaks,
            "computed again",
            "other p-values are drawn",
        ),
        *_choice(found, told),
    ]


def _choice(found: Statistics, told: _Told) -> list[Finding]:
    """So many sites were chosen as the recipe says."""
    named = getattr(told.method, "sites", None)
    count = getattr(told.method, "count", None if named is None else len(named))
    if count is None:
        return []
    return [
        finding(
            f"{many(count, 'site')} were chosen", len(found.sites) == count, "counted", "there are others"
        )
    ]


def _promises(on_disk: StatisticsOnDisk, told: _Told) -> list[Finding]:
    evidence, figures = on_disk.evidence, on_disk.figures
    found: list[Finding] = []
    cost: Cost | None = None
    if is_noisy(told.method):
        cost, finding_of_price = _price(figures, told)
        found += [finding_of_price, drawn_in_secret(_DRAWN, figures.randomness)]
    elif (
        figures.epsilon is not None
        or figures.delta is not None
        or figures.neighbours
        or figures.meaning
        or figures.randomness
    ):
        found.append(Finding("no price is told of figures without noise", Status.REFUTED, "there is one"))
    found.append(_words(on_disk, told, cost))
    for claim, model in zip(evidence.verdicts, told.models, strict=True):
        found.append(_promise(claim, model, figures, cost))
    if not evidence.verdicts:
        found.append(Finding("the release keeps a promise", Status.REFUTED, "it makes none"))
    return found


def _price(figures: FiguresEvidence, told: _Told) -> tuple[Cost | None, Finding]:
    """What was spent follows from the method and the promises; of δ a method may spend nothing."""
    claim = "the price that is told is what the method spends"
    try:
        most = most_spent(told.method, told.models, figures.sites)
        cost = most if figures.delta is not None else Cost(most.epsilon)
        same = (
            figures.epsilon == cost.epsilon_text
            and figures.delta == cost.delta_text
            and figures.neighbours == neighbours_of(told.method)
            and figures.meaning == meaning_of(cost, figures.neighbours)
        )
    except (SfumatoError, ArithmeticError):
        return None, Finding(claim, Status.REFUTED, "it cannot be worked out")
    spelt = f"ε = {figures.epsilon}" + (f", δ = {figures.delta}" if figures.delta else "")
    return cost, finding(claim, same, spelt, "it is another, or it is told what does not follow from it")


def _words(on_disk: StatisticsOnDisk, told: _Told, cost: Cost | None) -> Finding:
    """What is warned of follows from what everybody can read, so that nobody can strike a warning out."""
    evidence = on_disk.evidence
    try:
        expected = list(
            warnings_of(told.method, told.models, cost, person=evidence.people == PERSONS_COUNTED)
        )
    except (SfumatoError, ArithmeticError):
        expected = []
    return left_open(evidence, expected)


def _bound_told(model: MembershipBound) -> VerdictEvidence:
    """Return what a release tells of a bound that was measured in the house, word for word."""
    required = model.bound().in_words()
    kept = Verdict(model.name, True, required, required, model.basis, model.protects_from, note=IN_THE_HOUSE)
    return verdict_told(model, kept, parameters_of(model))


def _promise(
    claim: VerdictEvidence, model: StatisticsModel, figures: FiguresEvidence, cost: Cost | None
) -> Finding:
    words = in_words(claim)
    if isinstance(model, DifferentialPrivacy):
        if cost is None:
            return Finding(words, Status.REFUTED, "no price is told")
        spent = {"epsilon": float(cost.epsilon)} | ({"delta": float(cost.delta)} if cost.delta else {})
        made = Published(cast("Any", None), cast("Any", None), spent, {"neighbours": figures.neighbours})
        verdict = model.check(made, cast("Any", None))
        exactly = cost.epsilon <= model.exact_epsilon and cost.delta <= model.exact_delta
        if not (verdict.holds and exactly and claim == verdict_told(model, verdict, parameters_of(model))):
            return Finding(words, Status.REFUTED, "what was spent does not keep it, or it is told otherwise")
        return Finding(
            words, Status.NOT_CHECKED, f"proved by the mechanism, at the price of {verdict.achieved}"
        )
    if not isinstance(model, MembershipBound) or claim != _bound_told(model):
        return Finding(words, Status.REFUTED, "it does not hold, or it is told otherwise")
    return Finding(
        words,
        Status.NOT_CHECKED,
        "it was measured in the house, on people who were held out: only the steward can repeat it",
    )
