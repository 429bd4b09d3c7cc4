"""Verify the table about nodes that is released beside a network: from its bytes alone."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pyarrow as pa

from sfumato.core.describe import verdict_told
from sfumato.core.errors import SfumatoError, SystemFault
from sfumato.core.evidence import VerdictEvidence
from sfumato.core.evidence_graph import GraphEvidence, PeopleTableEvidence
from sfumato.core.files import read_bytes
from sfumato.core.findings import Finding, Status, finding, many, written_again
from sfumato.core.fingerprint import sha256_of
from sfumato.core.named import build, parameters_of, spell
from sfumato.core.schema import Role
from sfumato.core.system import raise_system_fault
from sfumato.core.temporary import temporary_folder
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Order
from sfumato.graph.models import MODELS as GRAPH_MODELS
from sfumato.graph.reading.published import NODE
from sfumato.recipe.graph.people_file import open_people
from sfumato.recipe.graph.people_job import HIDDEN
from sfumato.recipe.graph.people_release import STEM
from sfumato.recipe.known_columns import must_be_confirmed
from sfumato.recipe.released_schema import ReleasedSchema
from sfumato.recipe.text.on_disk import remarks_in
from sfumato.recipe.verify import blanked_stay, labels_lifted
from sfumato.recipe.verify_columns import CLAIM, counted_again
from sfumato.recipe.verify_every import in_words
from sfumato.table.methods import METHODS
from sfumato.table.models import MODELS
from sfumato.table.published import PublishedTable

_FILES = (f"{STEM}.csv", f"{STEM}.parquet")
_BROKEN = (OSError, EOFError, pa.ArrowException, ValueError)


def verify_people(folder: Path, evidence: GraphEvidence, schema: ReleasedSchema, nodes: int) -> list[Finding]:
    """Re-check everything that is claimed about the table; ``nodes`` are those of the network."""
    table = evidence.table
    assert table is not None
    held = "the table about nodes is the one that was released"
    path = folder / table.file
    if table.file not in _FILES or schema.file != table.file or path.is_symlink() or not path.is_file():
        return [Finding(held, Status.REFUTED, "it is not there, or has a strange name")]
    findings = [
        finding(held, sha256_of(path) == table.sha256, "the fingerprint is the same", "it was changed"),
        _columns(evidence, table, schema),
    ]
    claim = f"the table has a row for each of {many(nodes, 'node')}, in their order"
    try:
        with contextlib.closing(open_engine("duckdb")) as engine:
            published = open_people(path, schema, table.blanked, engine)
            numbers = engine.arrow(published.table).column(NODE).to_pylist()
            right = [str(one) for one in numbers] == [str(one) for one in range(1, nodes + 1)]
            findings.append(finding(claim, right and table.rows == nodes, "read", "it has others"))
            findings += labels_lifted(engine, published.table, schema)
            findings += blanked_stay(published)
            findings += _exposed(published, table)
            findings.append(_nothing_else(engine, published, path))
            findings += [
                _promise(one, published) for one in evidence.verdicts if one.model not in GRAPH_MODELS
            ]
    except SystemFault:
        raise
    except SfumatoError as problem:
        findings.append(Finding(claim, Status.REFUTED, problem.what))
    except _BROKEN as problem:
        raise_system_fault(problem)
        findings.append(Finding(claim, Status.REFUTED, "the table cannot be read"))
    if all(one.model in GRAPH_MODELS for one in evidence.verdicts):
        findings.append(Finding("something is promised about the table", Status.REFUTED, "nothing is"))
    return findings


def people_are_plain(told: Any, *, released: bool) -> bool:
    """Say whether the recipe describes the table beside a network with the words that it needs, and no more;
    ``released`` is false where nothing of it is published but labels."""
    words = {"name", "schema", *(("method",) if released else ())}
    method = told.get("method")
    try:
        spelt = not released or spell(build(METHODS, method, "method")) == method
    except (SfumatoError, TypeError, ValueError):
        return False
    return (
        spelt
        and words <= set(told) <= {*words, "encoding", "missingValues", "delimiter"}
        and told["name"] == "people"
        and set(told["schema"]) == {"fields"}
        and all(
            {"name", "role"} <= set(one) <= {"name", "role", "known", "hierarchy"}
            and one["role"] in set(map(str, Role))
            and one.get("known", True) is True
            for one in told["schema"]["fields"]
        )
    )


def _columns(evidence: GraphEvidence, table: PeopleTableEvidence, schema: ReleasedSchema) -> Finding:
    """File, schema, evidence and recipe must name the same columns, and no name of a node among them."""
    recipe: Any = evidence.recipe
    try:
        network, people = recipe["resources"]
        label = network["graph"].get("label")
        told = [(one["name"], one["role"], "known" in one) for one in people["schema"]["fields"]]
        shown = [one for one in told if one[1] not in HIDDEN and one[0] != label]
        expected = [(NODE, str(Role.INSENSITIVE), False), *shown]
    except (KeyError, TypeError, ValueError, AttributeError):
        expected = []
    found = [(one.name, str(one.role), one.known) for one in schema.fields]
    return finding(
        "the table has the columns and roles that the recipe names, and no name of a node",
        found == expected and table.columns == [one[0] for one in found],
        many(len(found), "column"),
        "table, schema, evidence and recipe disagree",
    )


def _exposed(published: PublishedTable, table: PeopleTableEvidence) -> list[Finding]:
    """Count again how many people have few candidates when another column is known, too."""
    others = [name for name in table.columns if name != NODE and name not in published.quasi]
    if not others:
        return []
    same = [one.column for one in table.exposure] == others and all(
        counted_again(one, published) and (one.confirmed or not must_be_confirmed(one))
        for one in table.exposure
    )
    return [finding(CLAIM, same, "counted", "the figures of the table about nodes are others")]


def _nothing_else(engine: Engine, published: PublishedTable, path: Path) -> Finding:
    """Write what was read once more and compare: what a reader passes over would be missing then."""
    claim = f"{path.name} holds the table and nothing else"
    if path.suffix == ".parquet":
        return finding(claim, not remarks_in(path), "no remark is in it", "it carries remarks")
    with temporary_folder() as folder:
        again = folder / path.name
        engine.write(published.table, again, order=Order.KEPT)
        same = again.read_bytes() == read_bytes(path)
    return written_again(claim, same)


def _promise(claim: VerdictEvidence, published: PublishedTable) -> Finding:
    words = f"{in_words(claim)}, of the table about nodes"
    if claim.model not in MODELS:
        return Finding(words, Status.NOT_CHECKED, "this version does not know the model")
    model = build(MODELS, {claim.model: dict(claim.parameters)}, "model")
    verdict = model.check(published)
    same = claim == verdict_told(model, verdict, parameters_of(model))
    return finding(words, verdict.holds and same, verdict.achieved, str(verdict))
