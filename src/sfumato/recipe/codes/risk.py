"""The risk of a file of codes, as a call and as a command: read, measure, and say what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from sfumato.codes.icd import System
from sfumato.codes.reading import ReadCodes, read_codes
from sfumato.codes.reading.opening import sourced
from sfumato.codes.risk import (
    CodesRisk,
    SubsetExposure,
    coarsened,
    exposure,
    three_digits,
    visit_exposure,
)
from sfumato.codes.risk.sensitive_codes import exact_share
from sfumato.codes.sets import Visits
from sfumato.core.errors import BadInput, nearest
from sfumato.core.evidence_codes_risk import AloneBy, CoarserCodes, CodesRiskEvidence, KnownCodes
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Schema
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine
from sfumato.recipe.codes.columns import listed_texts, schema_of
from sfumato.recipe.codes.layout import layout_of

LAYOUTS = ("long", "cells", "lists", "baskets", "search-log")
UP_TO = 3
"""codes that somebody knows, when nothing is said"""
THREE = "three digits"
_COARSER: dict[str, Callable[[str], str]] = {
    System.ICD9CM: three_digits,
    System.ICD10CM: lambda code: code[:3],
}


def codes_risk(
    data: Any,
    *,
    code: str | Sequence[str],
    person: str | None = None,
    visit: str | None = None,
    layout: str | None = None,
    separator: str | None = None,
    system: str | None = None,
    sensitive: Iterable[str] = (),
    population: Any = None,
    k: int = 5,
    up_to: int = UP_TO,
    threshold: float = 0.5,
    progress: Progress = SILENT,
) -> CodesRiskEvidence:
    """Measure how exposed people are to somebody who knows some of their codes, or all.

    ``code`` is the column that holds the codes, ``person`` the one that names whose they are, ``visit`` the
    one that says which were written down together. ``population`` holds the codes of everybody, in the same
    columns. Up to ``up_to`` codes are taken as known; fewer than ``k`` people who fit are few. With a
    ``system`` of ICD everything is measured again with codes of three digits. For ``sensitive`` codes it is
    measured who can be told to have one, surely or with a confidence above ``threshold``.

    >>> import pandas as pd, sfumato as sf
    >>> visits = pd.DataFrame({"who": list("aabbcc"), "code": ["401", "295", "401", "295", "401", "250"]})
    >>> found = sf.codes_risk(visits, code="code", person="who", k=2, up_to=1)
    >>> found.figure("worst-1-unique").value
    0.3333333333333333
    """
    limit = exact_share(threshold)
    read, everybody = read_for_risk(
        data,
        code=code,
        person=person,
        visit=visit,
        layout=layout,
        separator=separator,
        system=system,
        population=population,
        progress=progress,
    )
    ways = {THREE: _COARSER[system]} if system in _COARSER else {}
    found = exposure(
        read.sets,
        k=k,
        m=up_to,
        visits=read.visits,
        population=None if everybody is None else everybody.sets,
        sensitive=listed_texts(sensitive, "sensitive"),
        threshold=limit,
        coarser=ways,
        progress=progress,
    )
    return _evidence(_with_visits(found, read, ways, k), read, ways)


def _with_visits(
    found: CodesRisk, read: ReadCodes, ways: dict[str, Callable[[str], str]], k: int
) -> CodesRisk:
    """Measure visits also with the codes said less precisely."""
    if read.visits is None:
        return found
    coarser = []
    for name, risk in found.coarser:
        visits = Visits(coarsened(read.visits.sets, ways[name]), read.visits.owner)
        told = visit_exposure(coarsened(read.sets, ways[name]), visits, k)
        coarser.append((name, replace(risk, visits=told)))
    return replace(found, coarser=tuple(coarser))


def read_for_risk(
    data: Any,
    *,
    code: str | Sequence[str],
    person: str | None,
    visit: str | None,
    layout: str | None,
    separator: str | None,
    system: str | None,
    population: Any = None,
    progress: Progress = SILENT,
) -> tuple[ReadCodes, ReadCodes | None]:
    """Read a file of codes whose columns are named, and a list of everybody; refuse files without codes."""
    if layout is not None and layout not in LAYOUTS:
        raise BadInput(f"there is no layout '{layout}'", remedy=nearest(layout, LAYOUTS))
    progress.step("reading")
    engine = open_engine("duckdb")
    try:
        table = engine.read(sourced(data))
        schema = schema_of(table.names, code, person, visit)
        read = read_codes(table, layout_of(table, schema, layout, separator), system=system)
        if not read.sets.occurrences:
            raise BadInput(
                f"{len(read.sets)} people and no code were read",
                where=f"column '{code if isinstance(code, str) else code[0]}'",
                remedy="check the column with the codes, and the layout",
            )
        everybody = None
        if population is not None:
            everybody = _population(engine, population, schema, code, layout, separator, system)
        return read, everybody
    finally:
        engine.close()


def _population(
    engine: Engine,
    population: Any,
    schema: Schema,
    code: str | Sequence[str],
    layout: str | None,
    separator: str | None,
    system: str | None,
) -> ReadCodes:
    """Read the codes of everybody; the list has the columns of the data, or some of them."""
    table = engine.read(sourced(population))
    for name in [code] if isinstance(code, str) else code:
        if name not in table.names:
            raise BadInput(
                f"the population has no column '{name}'",
                where="population",
                remedy=nearest(name, table.names),
            )
    known = Schema(tuple(column for column in schema.fields if column.name in table.names))
    return read_codes(table, layout_of(table, known, layout, separator), system=system)


def _evidence(found: CodesRisk, read: ReadCodes, ways: dict[str, Callable[[str], str]]) -> CodesRiskEvidence:
    counts, alone = read.counts, found.smallest
    coarser = [
        CoarserCodes(
            name=name,
            codes=len(coarsened(read.sets, ways[name]).domain),
            unique=_share(risk.alike_unique, risk.alike_found),
            steps=[_step(one) for one in risk.subsets],
        )
        for name, risk in found.coarser
    ]
    return CodesRiskEvidence(
        records=len(read.sets),
        people=found.people,
        codes=counts.distinct,
        occurrences=counts.occurrences,
        empty=counts.empty,
        visits=None if read.visits is None else len(read.visits.owner),
        k=found.k,
        searched=found.searched,
        figures=found.figures(),
        steps=[_step(one) for one in found.subsets],
        alone=None
        if alone is None
        else AloneBy(by_size=list(alone.by_size), more=alone.more, never=alone.never),
        coarser=coarser,
        said=[*read.notes, *found.said],
    )


def _share(number: int | None, people: int) -> float | None:
    return number / people if number is not None and people else None


def _step(one: SubsetExposure) -> KnownCodes:
    drawn = one.random
    return KnownCodes(
        known=one.known,
        worst_unique=_share(one.unique, one.people),
        worst_below=_share(one.below, one.people),
        random_unique=None if drawn is None else drawn.unique,
        random_below=None if drawn is None else drawn.below,
    )
