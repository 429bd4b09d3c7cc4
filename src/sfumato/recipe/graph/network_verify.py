"""Verify a released network or grouping: re-check every claim that its bytes allow, and say what the others
would need."""

from __future__ import annotations

import gzip
import math
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa

from sfumato.core.describe import means_what_it_says, verdict_told
from sfumato.core.errors import BadInput, MissingPart, SfumatoError, SystemFault
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.evidence_graph import GraphEvidence
from sfumato.core.findings import Finding, Status, Verification, finding, many
from sfumato.core.named import build, spell
from sfumato.core.progress import SILENT, Progress
from sfumato.core.system import raise_system_fault
from sfumato.graph.contract import Model
from sfumato.graph.grouped import Grouped
from sfumato.graph.methods import METHODS
from sfumato.graph.models import MODELS
from sfumato.recipe.graph.network_evidence import ORDER
from sfumato.recipe.graph.network_file import Published, is_canonical
from sfumato.recipe.graph.network_job import TOLD_OPTIONS
from sfumato.recipe.graph.network_outcome import only_adds
from sfumato.recipe.graph.network_reading import NAMES, STRIPPED
from sfumato.recipe.graph.network_schema import NUMBERING, ReleasedNetwork, columns_of, files_of
from sfumato.recipe.graph.network_shown import grouping_shown, network_shown
from sfumato.recipe.graph.network_warned import NODES_AS_PEOPLE, warnings_of
from sfumato.recipe.graph.on_disk import NetworkOnDisk
from sfumato.recipe.verify_every import (
    about_the_recipe,
    as_released,
    attacks,
    files,
    in_words,
    report_told,
)
from sfumato.recipe.verify_figures import fingerprint_and_size
from sfumato.release.names import REPORT, SCHEMA

_KEYS = {"sfumato", "title", "resources", "models", "method", "output"}
_CLOSE = 1e-9
"""by which logarithms of two machines may differ"""
_BROKEN = (OSError, EOFError, zlib.error, gzip.BadGzipFile, pa.ArrowException)


def verify_network(
    release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
) -> Verification:
    """Re-check a folder with a released network or grouping from its bytes."""
    on_disk = NetworkOnDisk.read(release)
    evidence, schema, path = on_disk.evidence, on_disk.schema, on_disk.path
    progress.step("reading the release")
    table = [] if evidence.table is None else [evidence.table.file]
    findings = [
        fingerprint_and_size(path, evidence),
        _meaning(path, evidence, schema, on_disk.format),
        files(path.parent, evidence, (*files_of(evidence.form, on_disk.format)[1], *table)),
        report_told(path.parent / REPORT, evidence),
        _agree(evidence, schema, on_disk.format),
        about_the_recipe(evidence),
        *attacks(evidence),
    ]
    try:
        published = on_disk.published()
    except SystemFault:
        raise
    except SfumatoError as problem:
        claim = "the files hold a network or groups, numbered from 1 without a gap"
        return Verification((*findings, Finding(claim, Status.REFUTED, problem.what)))
    findings += _counted(published, evidence)
    findings.append(_nothing_else(path.parent, published, on_disk.format))
    findings.append(_warned(evidence, schema, published))
    progress.step("checking the promises")
    ours = [claim for claim in evidence.verdicts if claim.model in MODELS or evidence.table is None]
    findings += [_promise(claim, published) for claim in ours]
    if not ours:
        findings.append(Finding("the network keeps a promise", Status.REFUTED, "there is none"))
    findings += _people(path.parent, evidence, schema, published)
    findings.append(_truth(evidence))
    if original is not None:
        findings.append(
            Finding(
                "the release was made from the original",
                Status.NOT_CHECKED,
                "it does not say which node became which: only the steward can compare",
            )
        )
    return Verification(tuple(findings))


def _meaning(path: Path, evidence: GraphEvidence, schema: ReleasedNetwork, format_: str) -> Finding:
    """The schema, and the files that belong to the released one, must be those that were released."""
    expected = files_of(evidence.form, format_)[1]
    return finding(
        "what belongs to the data is as it was released",
        as_released(path.with_name(SCHEMA), evidence.schema_sha256, schema.more, expected),
        "the fingerprints are the same",
        "a fingerprint is another: the schema, or a file beside the data, was changed",
    )


def _agree(evidence: GraphEvidence, schema: ReleasedNetwork, format_: str) -> Finding:
    """Files, schema, evidence and recipe must tell the same story."""
    output, method = evidence.recipe.get("output"), evidence.recipe.get("method")
    named = list(method) if isinstance(method, dict) else []
    agree = (
        schema.file == evidence.data.file
        and schema.form == evidence.form
        and schema.columns == columns_of(evidence.form, format_, labelled=schema.labelled)
        and schema.numbering == NUMBERING
        and isinstance(output, dict)
        and output.get("format") == format_
        and named == [evidence.method]
        and evidence.method in METHODS
        and evidence.truthful == METHODS[evidence.method].truthful
        and schema.labelled == ("label" in _options(evidence))
        and (evidence.network is None) == (evidence.form == "grouping")
        and (evidence.grouping is None) == (evidence.form == "network")
        and evidence.figures is None
        and (evidence.table is None) == (schema.people is None)
        and evidence.order == ORDER
        and evidence.stripped == [what for what in STRIPPED if what in evidence.stripped]
        and NAMES in evidence.stripped
        and _plain(evidence)
        and _spelt_in_full(method)
    )
    return finding(
        "files, schema, evidence and recipe tell of the same release",
        agree,
        f"a {evidence.form}, written as {format_}",
        "they disagree",
    )


def _plain(evidence: GraphEvidence) -> bool:
    """Say whether the recipe holds what every such recipe holds, and no key beside that tells more."""
    recipe: Any = evidence.recipe
    try:
        network, *people = recipe["resources"]
        return (
            set(recipe) - {"attacks"} == _KEYS
            and recipe["sfumato"] == 1
            and recipe["title"] == evidence.title
            and set(recipe["output"]) == {"format"}
            and set(network) == {"name", "kind", "graph"}
            and (network["name"], network["kind"]) == ("network", "graph")
            and set(network["graph"]) <= set(TOLD_OPTIONS)
            and len(people) <= 1
            and (_people_plain(people[0], evidence) if people else evidence.table is None)
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return False


def _people_plain(told: Any, evidence: GraphEvidence) -> bool:
    """The same of the table beside the network; the room of tables is opened only where there is one."""
    from sfumato.recipe.graph.people_verify import people_are_plain

    return people_are_plain(told, released=evidence.table is not None)


def _spelt_in_full(method: Any) -> bool:
    """Say whether the recipe tells every parameter of its method as it is: a missing one would be read as the
    usual one, whatever was used."""
    try:
        return bool(spell(build(METHODS, method, "method")) == method)
    except (SfumatoError, TypeError, ValueError):
        return False


def _options(evidence: GraphEvidence) -> dict[str, Any]:
    recipe: Any = evidence.recipe
    try:
        return dict(recipe["resources"][0]["graph"])
    except (KeyError, IndexError, TypeError, ValueError):
        return {}


def _counted(published: Published, evidence: GraphEvidence) -> list[Finding]:
    """Count again what the files show."""
    if isinstance(published, Grouped):
        return _counted_groups(published, evidence)
    found, told = network_shown(published), evidence.network
    claim = "no network" if told is None else f"{many(told.nodes, 'node')} and {many(told.edges, 'edge')}"
    shown = f"{many(found.nodes, 'node')} and {many(found.edges, 'edge')}"
    return [
        finding(claim, found == told, "counted, with all degrees", f"{shown}, or other degrees or labels"),
        _rows(evidence, published.edges),
    ]


def _counted_groups(published: Grouped, evidence: GraphEvidence) -> list[Finding]:
    found, told = grouping_shown(published), evidence.grouping
    same = told is not None and (
        found == told.model_copy(update={"log_worlds": found.log_worlds})
        and math.isclose(found.log_worlds, told.log_worlds, rel_tol=_CLOSE, abs_tol=_CLOSE)
    )
    claim = "no groups" if told is None else f"{many(told.groups, 'group')} of {many(told.nodes, 'node')}"
    shown = f"{many(found.groups, 'group')} of {many(found.nodes, 'node')}"
    return [
        finding(claim, same, "counted, with their edges", f"{shown}, or other sizes or counts of edges"),
        _rows(evidence, len(published.sizes)),
    ]


def _rows(evidence: GraphEvidence, found: int) -> Finding:
    told = evidence.data.rows
    return finding(f"the file has {many(told, 'row')}", found == told, "counted", f"it has {found:,}")


def _nothing_else(folder: Path, published: Published, format_: str) -> Finding:
    """A checker that passes over a remark or a column would confirm what others read otherwise."""
    claim = "the files hold the network and nothing else"
    try:
        same = is_canonical(folder, published, format_)
    except (SfumatoError, *_BROKEN) as problem:
        raise_system_fault(problem)
        return Finding(claim, Status.REFUTED, "they could not be read again")
    return finding(
        claim, same, "written once more, they are the same", "written once more, they would be others"
    )


def _warned(evidence: GraphEvidence, schema: ReleasedNetwork, published: Published) -> Finding:
    """Who was counted and what the promises leave open must be told: both follow from what is public."""
    claim = "the evidence tells what the promises leave open"
    try:
        models = [_model_of(one) for one in evidence.verdicts if one.model in MODELS]
        method = build(METHODS, _method(evidence), "method")
    except SfumatoError:
        return Finding(claim, Status.REFUTED, "a promise or the method is not as it should be")
    expected = list(
        warnings_of(
            models,
            adds_only=only_adds(method),
            labelled=schema.labelled,
            grouping=grouping_shown(published) if isinstance(published, Grouped) else None,
        )
    )
    if evidence.table is not None and schema.people is not None:
        from sfumato.recipe.graph.people_warned import warnings_of_people

        expected += warnings_of_people(evidence.table, schema.people, evidence.verdicts)
    return finding(
        claim,
        expected == evidence.warnings and evidence.people == NODES_AS_PEOPLE,
        many(len(evidence.warnings), "warning"),
        "a warning is missing or invented, or who was counted is told otherwise",
    )


def _method(evidence: GraphEvidence) -> dict[str, Any]:
    method = evidence.recipe.get("method")
    if not isinstance(method, dict):
        raise BadInput("the recipe does not name its method")
    return method


def _model_of(claim: VerdictEvidence) -> Model:
    model: Model = build(MODELS, {claim.model: dict(claim.parameters)}, "model")
    return model


def _promise(claim: VerdictEvidence, published: Published) -> Finding:
    words = in_words(claim)
    if claim.model not in MODELS:
        return Finding(words, Status.NOT_CHECKED, "this version does not know the model")
    try:
        model = _model_of(claim)
        if not means_what_it_says(claim, model) or spell(model) != {claim.model: claim.parameters}:
            return Finding(words, Status.REFUTED, "it means something else than the evidence says")
        if not claim.holds:
            return Finding(words, Status.REFUTED, "the evidence says that it does not hold")
        verdict = model.check(published)
    except MissingPart as problem:
        return Finding(words, Status.NOT_CHECKED, str(problem))
    except SystemFault:
        raise
    except SfumatoError as problem:
        return Finding(words, Status.REFUTED, f"it cannot be checked: {problem.what}")
    same = claim == verdict_told(model, verdict, claim.parameters)
    return finding(words, verdict.holds and same, verdict.achieved, str(verdict))


def _people(
    folder: Path, evidence: GraphEvidence, schema: ReleasedNetwork, published: Published
) -> list[Finding]:
    """Re-check the table about the nodes."""
    if evidence.table is None or schema.people is None:
        return []
    from sfumato.recipe.graph.people_verify import verify_people

    return verify_people(folder, evidence, schema.people, published.nodes)


def _truth(evidence: GraphEvidence) -> Finding:
    """Which node was whose is not told, so nobody else can compare edges."""
    needs = "needs the house, where it was compared before the release"
    if evidence.form == "grouping":
        return Finding("every count is that of the network", Status.NOT_CHECKED, needs)
    method = evidence.recipe.get("method")
    parameters = method.get(evidence.method) if isinstance(method, dict) else None
    if only_adds(evidence.method, parameters if isinstance(parameters, dict) else None):
        return Finding("every edge of the network is there", Status.NOT_CHECKED, needs)
    return Finding(
        "edges are those of the network but for some", Status.NOT_CHECKED, "needs the house to compare"
    )
