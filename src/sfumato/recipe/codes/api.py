"""The Python door to sets of codes: the same job as a recipe, spelt as a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as dc_replace
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.codes.attacks import ATTACKS
from sfumato.codes.contract import SetMethod, SetModel
from sfumato.codes.disassociated import Disassociated
from sfumato.codes.methods import METHODS
from sfumato.codes.models import MODELS
from sfumato.codes.published import PublishedSets
from sfumato.codes.reading import read_published
from sfumato.codes.reading.opening import sourced
from sfumato.codes.sets import CodeSets, read_only
from sfumato.codes.writing import published_table
from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput, nearest
from sfumato.core.evidence_codes import CodesEvidence, StewardCodesEvidence
from sfumato.core.fingerprint import input_fingerprint
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.verdict import Verdict
from sfumato.engine import open_engine
from sfumato.engine.contract import Order
from sfumato.engine.frames import like
from sfumato.engine.sources import FILES, Frame, SqlTable
from sfumato.hierarchy import Hierarchy, from_spec
from sfumato.recipe.arguments import built, choice
from sfumato.recipe.attack_ask import asked_attacks
from sfumato.recipe.attack_target import held_by
from sfumato.recipe.codes.asked import AskedModel, asked_model, asked_utility
from sfumato.recipe.codes.attack_ask import checked_set_attacks
from sfumato.recipe.codes.columns import listed_texts, schema_of
from sfumato.recipe.codes.evidence import gather_codes
from sfumato.recipe.codes.job import CodesJob, default_method
from sfumato.recipe.codes.measured import set_measures
from sfumato.recipe.codes.outcome import carry_out_codes
from sfumato.recipe.codes.places import CHUNKS
from sfumato.report import save as save_report

Models = SetModel | str | Mapping[str, Any] | Sequence[SetModel | str | Mapping[str, Any]]
_LAYOUTS = ("lists", "cells", "long")


@dataclass(frozen=True)
class CodesRelease:
    """Released sets in memory: the data, the verdicts, what was lost, and a report on request."""

    data: Any = field(repr=False)
    """a frame like the one that came in, its records shuffled; clusters of chunks after disassociation"""
    verdicts: tuple[Verdict, ...]
    evidence: StewardCodesEvidence = field(repr=False)
    public: CodesEvidence = field(repr=False)
    """the evidence that may go out with the data"""
    published: PublishedSets | Disassociated = field(repr=False)
    """the same in the order of the original: for the house alone"""

    @property
    def utility(self) -> dict[str, float | list[float]]:
        """What was lost, by measure: lower is better."""
        return {measure.name: measure.value for measure in self.evidence.utility}

    def report(self, path: str | Path, *, public: bool = False) -> Path:
        """Write the report, for the steward or for the public."""
        return save_report(self.public if public else self.evidence, path)


def protect_codes(
    data: Any,
    *,
    code: str | Sequence[str],
    models: Models,
    person: str | None = None,
    visit: str | None = None,
    method: SetMethod | str | Mapping[str, Any] | None = None,
    hierarchy: Hierarchy | str | Mapping[str, Any] | None = None,
    sensitive: Iterable[str] = (),
    utility_constraints: Any = (),
    layout: str | None = None,
    separator: str | None = None,
    system: str | None = None,
    unknown: str = "error",
    measures: Any = (),
    attacks: Any = (),
    output: str = "lists",
    order: str = "shuffled",
    title: str = "Untitled release",
    random: Random | None = None,
    progress: Progress = SILENT,
) -> CodesRelease:
    """Protect sets of codes in a frame (or a file, or a source) and return a release in memory.

    ``code`` is the column that holds the codes, ``person`` the one that names whose they are, ``visit`` the
    one that says which were written down together; all other columns are left out. Models, method and
    hierarchy are objects or the spelling of recipes. ``output`` is how the released records lie in the
    frame: lists, cells or long.

    >>> import pandas as pd, sfumato as sf
    >>> visits = pd.DataFrame({"who": list("aabbccdd"), "code": ["401.0", "295"] * 2 + ["401.1", "295"] * 2})
    >>> tree = sf.Tree({"any": {"401": ["401.0", "401.1"], "295": None}})
    >>> release = sf.protect_codes(visits, person="who", code="code", hierarchy=tree,
    ...                            models={"k-m-anonymity": {"k": 4, "m": 2}})
    >>> sorted(release.data["codes"][0])
    ['295', '401']
    >>> print(release.verdicts[0])
    k-m-anonymity holds: required k ≥ 4 for any 2 items, achieved k = 4
    """
    if output not in _LAYOUTS:
        raise BadInput(f"'output' cannot be '{output}'", remedy=nearest(output, _LAYOUTS))
    engine = open_engine("duckdb")
    try:
        source = sourced(data)
        promised = _models(models)
        job = CodesJob(
            source=source,
            schema=schema_of(engine.read(source).names, code, person, visit),
            models=promised,
            method=default_method(promised)
            if method is None
            else built(METHODS, method, "method", "protect"),
            layout=layout,
            separator=separator,
            hierarchy=_hierarchy(hierarchy),
            system=system,
            unknown=unknown,
            sensitive=tuple(dict.fromkeys(listed_texts(sensitive, "sensitive"))),
            utility=asked_utility(utility_constraints, Path()),
            measures=set_measures(measures),
            attacks=checked_set_attacks(asked_attacks(attacks, held_by, registry=ATTACKS)),
            title=title,
            order=choice(Order, order, "order"),
            output_layout=output,
            random=SecretRandom() if random is None else random,
        )
        return _in_memory(job, engine, data, progress)
    finally:
        engine.close()


def _in_memory(job: CodesJob, engine: Any, data: Any, progress: Progress) -> CodesRelease:
    """Carry a job out, check it and gather its evidence; nothing is written."""
    outcome = carry_out_codes(job, engine, progress)
    found = outcome.solution.published
    progress.step("checking")
    if isinstance(found, Disassociated):
        frame: Any = found
        released: PublishedSets | Disassociated = found
        rows, layout = len(found.clusters), CHUNKS
    else:
        table = published_table(found, job.output_layout, order=job.order, random=job.random)
        released = read_published(table, job.output_layout, found.items)
        framed = not isinstance(data, (str, Path, SqlTable, Frame, *FILES))
        frame, rows, layout = like(data, table) if framed else table, table.num_rows, job.output_layout
    batches = (batch.serialize().to_pybytes() for batch in engine.scan(outcome.found.table))
    gathered = gather_codes(
        outcome,
        released,
        ev.DataEvidence(file="in memory", sha256="", rows=rows, bytes=0),
        layout,
        "",
        input_fingerprint(batches, outcome.found.read.counts.rows, None),
        progress=progress,
    )
    return CodesRelease(frame, gathered.verdicts, gathered.steward, gathered.public, found)


def check_codes(
    data: Any,
    *,
    models: Models,
    sensitive: Iterable[str] = (),
    items: Mapping[str, Sequence[str]] | None = None,
    layout: str | None = None,
    column: str = "codes",
) -> tuple[Verdict, ...]:
    """Ask models about published sets, whoever made them.

    ``data`` is a frame or file whose ``column`` holds what each record shows (a list, or a cell such as
    ``295 (401.2,401.4)``), or a list of records; ``items`` says for which codes a label stands.

    >>> import sfumato as sf
    >>> print(sf.check_codes([["a", "b"], ["a", "b"], ["a"]], models={"k-m-anonymity": {"k": 2, "m": 2}})[0])
    k-m-anonymity holds: required k ≥ 2 for any 2 items, achieved k = 2
    """
    if layout is not None and layout not in _LAYOUTS:
        raise BadInput(f"'layout' cannot be '{layout}'", remedy=nearest(layout, _LAYOUTS))
    published = published_from(data, items, layout, column)
    marked = set(listed_texts(sensitive, "sensitive"))
    if marked and isinstance(published, PublishedSets):
        published = marked_sets(published, marked)
    found = []
    for model in _models(models):
        if isinstance(model, AskedModel):
            raise BadInput("constraints can be extracted from an original only", remedy="list them")
        found.append(model.check(published))
    return tuple(found)


def published_from(
    data: Any,
    items: Mapping[str, Sequence[str]] | None = None,
    layout: str | None = None,
    column: str = "codes",
) -> PublishedSets | Disassociated:
    """Take published sets as they are, or read them from records, a frame or a file."""
    if isinstance(data, PublishedSets | Disassociated):
        return data
    if isinstance(data, CodeSets):
        return PublishedSets.as_it_is(data)
    if isinstance(data, list | tuple) and all(isinstance(record, list | tuple | set) for record in data):
        return PublishedSets.of(data)
    return read_published(data, layout, items, column=column)


def marked_sets(published: PublishedSets, sensitive: set[str]) -> PublishedSets:
    """Mark the items of sensitive codes; an item that holds public ones, too, is neither."""
    items = published.items
    flags = np.zeros(len(items), np.bool_)
    for item in range(len(items)):
        inside = [items.domain[code] in sensitive for code in items.under(item)]
        if any(inside) and not all(inside):
            raise BadInput(
                "an item stands for public and sensitive codes together",
                remedy="name all of its codes as sensitive, or none",
            )
        flags[item] = any(inside)
    return dc_replace(published, items=dc_replace(items, sensitive=read_only(flags, np.bool_)))


def _models(models: Models) -> tuple[SetModel | AskedModel, ...]:
    listed = list(models) if isinstance(models, Sequence) and not isinstance(models, str) else [models]
    if not listed:
        raise BadInput("no model was given", remedy="say what to promise, such as KmAnonymity(5, 2)")
    found: list[SetModel | AskedModel] = []
    for number, model in enumerate(listed):
        if isinstance(model, str | Mapping):
            found.append(asked_model(model, f"models[{number}]", Path()))
        else:
            found.append(built(MODELS, model, "model", "question"))
    return tuple(found)


def _hierarchy(given: Any) -> Hierarchy | None:
    if given is None or hasattr(given, "ladder"):
        found: Hierarchy | None = given
        return found
    return from_spec(given, Path())
