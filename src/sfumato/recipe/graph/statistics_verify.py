"""Verify released statistics of a network: what their bytes show, and what only the mechanism can prove."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from sfumato.core.describe import verdict_told
from sfumato.core.errors import BadInput, SfumatoError
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.evidence_graph import GraphEvidence, GraphFiguresEvidence
from sfumato.core.findings import Finding, Status, Verification, finding, many, written_again
from sfumato.core.named import build, parameters_of, spell
from sfumato.core.progress import SILENT, Progress
from sfumato.core.system import raise_system_fault
from sfumato.graph.contract import Statistics
from sfumato.graph.models import DifferentialPrivacy
from sfumato.graph.models.private import NEIGHBOURS
from sfumato.graph.reading import read_statistics
from sfumato.recipe.graph.network_warned import NODES_AS_PEOPLE
from sfumato.recipe.graph.statistics_evidence import STRIPPED
from sfumato.recipe.graph.statistics_figures import disagreeing, outside, rows_expected
from sfumato.recipe.graph.statistics_file import is_canonical
from sfumato.recipe.graph.statistics_job import OPTIONS, ORDER
from sfumato.recipe.graph.statistics_methods import StatisticsMethod, method_of, refuse_not_kept
from sfumato.recipe.graph.statistics_price import (
    EDGE,
    IN_WORDS,
    check_prices,
    meaning_of,
    neighbours_of,
    spent_by,
    text_of,
)
from sfumato.recipe.graph.statistics_schema import ReleasedGraphStatistics, columns_declared, statistic_of
from sfumato.recipe.graph.statistics_warned import warnings_of_statistics
from sfumato.recipe.model import GraphPart
from sfumato.recipe.on_disk import DATA_FILES, data_file, load_part, release_folder
from sfumato.recipe.verify_every import about_the_recipe, files, in_words, report_told
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


@dataclass(frozen=True)
class GraphStatisticsOnDisk:
    """A release folder whose evidence and schema can be read; what they claim is not checked yet."""

    evidence: GraphEvidence
    figures: GraphFiguresEvidence
    schema: ReleasedGraphStatistics
    path: Path

    @classmethod
    def read(cls, release: str | Path) -> GraphStatisticsOnDisk:
        """Read a release folder, or the folder that holds one."""
        folder = release_folder(release)
        evidence = load_part(folder / EVIDENCE, GraphEvidence)
        if evidence.form != "statistics" or evidence.figures is None:
            raise BadInput(
                "this release holds no statistics", where=str(folder), remedy="give one of statistics"
            )
        schema = load_part(folder / SCHEMA, ReleasedGraphStatistics)
        return cls(evidence, evidence.figures, schema, data_file(folder, evidence, DATA_FILES))


@dataclass(frozen=True)
class _Told:
    """The method and the promises that the recipe names, as objects."""

    method: StatisticsMethod
    models: tuple[DifferentialPrivacy, ...]
    epsilon: Fraction


def verify_graph_statistics(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a folder with released statistics of a network from its bytes."""
    on_disk = GraphStatisticsOnDisk.read(release)
    evidence, path = on_disk.evidence, on_disk.path
    progress.step("reading the release")
    findings = [
        fingerprint_and_size(path, evidence),
        schema_as_released(path.with_name(SCHEMA), evidence.schema_sha256),
        files(path.parent, evidence),
        report_told(path.parent / REPORT, evidence),
        about_the_recipe(evidence),
    ]
    try:
        told = _told(evidence)
    except SfumatoError as problem:
        claim = "the method keeps the promises of the recipe"
        return Verification((*findings, Finding(claim, Status.REFUTED, problem.what)))
    findings.append(_agree(on_disk, told))
    findings += _in_the_file(on_disk, told)
    progress.step("checking the promises")
    findings += [
        _price(on_disk.figures, told),
        drawn_in_secret("every figure got its noise, drawn in secret", on_disk.figures.randomness),
        left_open(evidence, warnings_of_statistics(told.method, told.epsilon)),
    ]
    findings += [
        _promise(claim, model, told) for claim, model in zip(evidence.verdicts, told.models, strict=True)
    ]
    if original is not None:
        findings.append(
            Finding(
                "the figures were counted over this original",
                Status.NOT_CHECKED,
                "noise hides whether they were, as it should",
            )
        )
    return Verification(tuple(findings))


def _told(evidence: GraphEvidence) -> _Told:
    """Make method and promises from the recipe; raises ``BadInput`` where that cannot be."""
    spec: Any = evidence.recipe.get("method")
    if not isinstance(spec, dict):
        raise BadInput("the recipe names no method")
    registry = {DifferentialPrivacy.name: DifferentialPrivacy}
    models = tuple(
        build(registry, {told.model: dict(told.parameters)}, "model") for told in evidence.verdicts
    )
    try:
        method = method_of(spec, models)
    except (TypeError, ValueError, AttributeError):
        raise BadInput("the recipe names no method") from None
    if spell(method) != spec:
        raise BadInput("the recipe spells its method otherwise than it is")
    check_prices(method, models)
    refuse_not_kept(method, models)
    return _Told(method, models, spent_by(method, models))


def _agree(on_disk: GraphStatisticsOnDisk, told: _Told) -> Finding:
    """Evidence, schema and recipe must tell the same story, and of hidden nodes not how many there are."""
    evidence, schema, figures = on_disk.evidence, on_disk.schema, on_disk.figures
    output: Any = evidence.recipe.get("output")
    public = neighbours_of(told.method) == EDGE
    # Where nodes are public there are some, and else nothing may tell how many.
    nodes_told = (figures.nodes is not None and figures.nodes >= 1) if public else figures.nodes is None
    same = (
        nodes_told
        and schema.file == evidence.data.file
        and isinstance(output, dict)
        and f"data.{output.get('format')}" == schema.file
        and schema.statistic == figures.statistic == statistic_of(told.method)
        and schema.figures == columns_declared(told.method, figures.nodes)
        and figures.columns == [one.name for one in schema.figures]
        and figures.rows == evidence.data.rows == rows_expected(told.method, figures.nodes)
        and evidence.method == told.method.name
        and not evidence.truthful
        and (evidence.network, evidence.grouping, evidence.table) == (None, None, None)
        and evidence.order == ORDER
        and evidence.people == NODES_AS_PEOPLE
        and evidence.stripped == list(STRIPPED)
        and _plain(evidence)
    )
    return finding(
        "evidence, schema and recipe tell the same of the figures",
        same,
        many(len(figures.columns), "column"),
        "they disagree",
    )


def _plain(evidence: GraphEvidence) -> bool:
    """Say whether the recipe holds what all such recipes hold, and no key beside that could tell a figure."""
    recipe: dict[str, Any] = evidence.recipe
    try:
        ((options, resource),) = [(dict(one["graph"]), one) for one in recipe["resources"]]
        GraphPart.model_validate(options)
    except (KeyError, TypeError, ValueError):
        return False
    return (
        set(recipe) == {"sfumato", "title", "resources", "models", "method", "output"}
        and resource == {"name": "network", "kind": "graph", "graph": options}
        and set(options) <= set(OPTIONS)
        and (recipe["sfumato"], recipe["title"], list(recipe["output"])) == (1, evidence.title, ["format"])
    )


def _in_the_file(on_disk: GraphStatisticsOnDisk, told: _Told) -> list[Finding]:
    """Read the figures, and check them against what is declared and against each other."""
    figures, path = on_disk.figures, on_disk.path
    try:
        found = read_statistics(path)
        # A packed file with rubbish behind it is found when it is unpacked once more.
        alone = is_canonical(path, found)
    except UNREADABLE as problem:
        raise_system_fault(problem)
        return [not_held(problem)]
    declared = columns_declared(told.method, figures.nodes)
    if list(found.columns) != [one.name for one in declared]:
        return [Finding(HELD, Status.REFUTED, "the file has other columns")]
    wrong, rows = outside(found, declared), _rows_in(found)
    apart = [] if wrong else disagreeing(found, told.method, figures.nodes)
    return [
        finding(
            f"the file has {many(figures.rows, 'row')}",
            rows == figures.rows == rows_expected(told.method, figures.nodes),
            "counted, and as many as the method writes",
            f"it has {rows:,}, or the method writes others",
        ),
        finding(HELD, not wrong, "all lie in their range", f"others in {', '.join(wrong)}"),
        finding(
            "figures are such as the method publishes",
            not wrong and not apart,
            "computed again",
            f"they are not: {'; '.join(apart) or 'some lie outside of their range'}",
        ),
        written_again(f"{path.name} holds the figures and nothing else", alone),
    ]


def _rows_in(found: Statistics) -> int:
    return len(next(iter(found.columns.values())))


def _price(figures: GraphFiguresEvidence, told: _Told) -> Finding:
    """What was spent follows from the method and the promises."""
    neighbours = neighbours_of(told.method)
    same = (
        figures.epsilon == text_of(told.epsilon)
        and figures.delta is None
        and figures.neighbours == IN_WORDS[neighbours]
        and figures.meaning == meaning_of(told.epsilon, neighbours)
    )
    return finding(
        "the price that is told is what the method spends",
        same,
        f"ε = {figures.epsilon}",
        "it is another, or it is told what does not follow from it",
    )


def _promise(claim: VerdictEvidence, model: DifferentialPrivacy, told: _Told) -> Finding:
    words = in_words(claim)
    spent, details = {"epsilon": float(told.epsilon)}, {NEIGHBOURS: neighbours_of(told.method)}
    verdict = model.check(Statistics({}), spent=spent, details=details)
    same = claim == verdict_told(model, verdict, parameters_of(model))
    if not (verdict.holds and told.epsilon <= model.exact_epsilon and same):
        return Finding(words, Status.REFUTED, "what was spent does not keep it, or it is told otherwise")
    return Finding(words, Status.NOT_CHECKED, f"proved by the mechanism, at the price of {verdict.achieved}")
