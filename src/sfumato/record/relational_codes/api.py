"""The Python door to records of two kinds: a table and codes about the same people, released as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.codes.reading.opening import sourced
from sfumato.codes.utility.certainty_penalty import CertaintyPenalty
from sfumato.codes.utility.utility_loss import UtilityLoss
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.verdict import Verdict
from sfumato.engine import open_engine
from sfumato.engine.contract import Order
from sfumato.engine.frames import like
from sfumato.engine.sources import FILES, Frame, SqlTable
from sfumato.hierarchy import Hierarchy, from_spec
from sfumato.record.relational_codes.contract import RecordsSolution
from sfumato.record.relational_codes.joined import Joined, Strangers, layout_of
from sfumato.record.relational_codes.k_km_anonymity import KKmAnonymity
from sfumato.record.relational_codes.method import RelationalCodes
from sfumato.record.relational_codes.published import PublishedRecords
from sfumato.record.relational_codes.registry import RECORD_METHODS, RECORD_MODELS
from sfumato.record.relational_codes.run import RecordsAsked, held, left_out, look_at, side_by_side, true
from sfumato.record.relational_codes.spelling import made
from sfumato.table.utility.measures import global_certainty_penalty

_OUTPUTS = ("lists", "cells")
_UNKNOWN = ("error", "prefix", "root", "suppress")
AnyHierarchy = Hierarchy | str | Mapping[str, Any]


@dataclass(frozen=True)
class RecordsRelease:
    """Released records of two kinds in memory: the data, the verdicts, what was lost in either part."""

    data: Any = field(repr=False)
    """a frame like the table that came in: its quasi-identifiers and a column ``codes``, rows shuffled"""
    verdicts: tuple[Verdict, ...]
    utility: Mapping[str, float]
    """``table.gcp``, ``codes.ncp`` and, where it can be told, ``codes.utility-loss``: lower is better"""
    notes: tuple[str, ...]
    """what was left out, mended or kept empty: for the steward"""
    details: Mapping[str, int | float | str] = field(repr=False)
    """figures of the search: for the steward"""
    published: PublishedRecords = field(repr=False)
    """the same in the order of the original: for the house alone"""


def protect_records(
    table: Any,
    codes: Any,
    *,
    person: str,
    quasi: Sequence[str],
    code: str,
    model: KKmAnonymity | Mapping[str, Any],
    method: RelationalCodes | str | Mapping[str, Any] | None = None,
    hierarchies: Mapping[str, AnyHierarchy] | None = None,
    code_hierarchy: AnyHierarchy | None = None,
    code_person: str | None = None,
    layout: str | None = None,
    separator: str | None = None,
    system: str | None = None,
    unknown: str = "error",
    strangers: Strangers = "error",
    output: str = "lists",
    order: str = "shuffled",
    random: Random | None = None,
    progress: Progress = SILENT,
) -> RecordsRelease:
    """Protect a table and the codes of the same people together and return one release in memory.

    ``table`` has one row for each ``person`` and the columns ``quasi``; ``codes`` names the person in
    ``code_person`` (the same column name unless given) and holds codes in ``code``. Both are frames, files
    or sources. Of the table only the quasi-identifiers are released. Model and method are objects or the
    spelling of recipes: ``{"relational-codes": {"codes": {"apriori": {"suppress": 0.05}}}}``.

    >>> import pandas as pd, sfumato as sf
    >>> people = pd.DataFrame({"who": list("abcd"), "age": [20, 25, 60, 65]})
    >>> visits = pd.DataFrame({"who": list("aabbccdd"), "code": ["401.0", "295", "401.1", "295"] * 2})
    >>> tree = sf.Tree({"any": {"401": ["401.0", "401.1"], "295": None}})
    >>> release = protect_records(people, visits, person="who", quasi=["age"], code="code",
    ...                           model=KKmAnonymity(2, 2), code_hierarchy=tree)
    >>> sorted(zip(release.data["age"], release.data["codes"].map(list)))[0]
    ('[20-25]', ['295', '401'])
    >>> print(release.verdicts[0])
    k-km-anonymity holds: required k ≥ 2 in every class for any 2 items, achieved k = 2
    """
    _check_choices(output, order, unknown)
    promised: KKmAnonymity = made(RECORD_MODELS, model, "model about a table and codes", "model")
    asked = RecordsAsked(
        person,
        tuple(quasi),
        promised,
        RelationalCodes()
        if method is None
        else made(RECORD_METHODS, method, "method for a table and codes", "method"),
        {name: built for name, told in (hierarchies or {}).items() if (built := _hierarchy(told))},
        _hierarchy(code_hierarchy),
        system,
        unknown,
        strangers,
    )
    engine = open_engine("duckdb")
    try:
        progress.step("reading")
        long = engine.read(sourced(codes))
        whose = person if code_person is None else code_person
        found = look_at(
            asked, engine.read(sourced(table)), long, layout_of(long, code, whose, layout, separator)
        )
    finally:
        engine.close()
    solution = asked.method.protect(found.problem, progress=progress)
    progress.step("checking")
    drawn = SecretRandom() if random is None else random
    data = side_by_side(solution.published, output, Order(order), drawn)
    verdict = held(data, output, solution, promised)
    true(found.joined, solution)
    framed = not isinstance(table, (str, Path, SqlTable, Frame, *FILES))
    return RecordsRelease(
        like(table, data) if framed else data,
        (verdict,),
        _utility(solution, found.joined),
        (*found.joined.notes, *left_out(solution)),
        solution.details,
        solution.published,
    )


def _check_choices(output: str, order: str, unknown: str) -> None:
    for value, known, what in (
        (output, _OUTPUTS, "output"),
        (order, tuple(Order), "order"),
        (unknown, _UNKNOWN, "unknown"),
    ):
        if value not in known:
            raise BadInput(f"'{what}' cannot be '{value}'", remedy=nearest(str(value), known))


def _hierarchy(given: AnyHierarchy | None) -> Hierarchy | None:
    if given is None or not isinstance(given, str | Mapping):
        return given
    return from_spec(given, Path())


def _utility(solution: RecordsSolution, joined: Joined) -> dict[str, float]:
    found = {"table.gcp": global_certainty_penalty(solution.relational)}
    for measure in (CertaintyPenalty(), UtilityLoss()):
        measured = measure.of(joined.sets, solution.published.sets)
        if measured is not None:
            found[f"codes.{measure.name}"] = measured.value
    return found
