"""The golden runs with a sensitive column: their cells, who has which value, and their models as rules."""

from __future__ import annotations

import gzip
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from sfumato.core.domain import Domain
from sfumato.hierarchy.ladder import Ladder
from sfumato.table.cells import Cells, Histogram
from sfumato.table.rule import Rule
from sfumato.table.rule import RuleKind as Kind
from sfumato.table.solution import Problem
from tests.oracles.arx_tables import ladder_of, read_hierarchy


@cache
def _read(
    shared: Path, dataset: str, hierarchies: tuple[tuple[str, str], ...], sensitive: str
) -> tuple[Cells, tuple[Ladder, ...]]:
    names = [*(name for name, _ in hierarchies), sensitive]
    with gzip.open(shared / dataset) as file:
        table = pa_csv.read_csv(
            file,
            parse_options=pa_csv.ParseOptions(delimiter=";"),
            convert_options=pa_csv.ConvertOptions(
                include_columns=names,
                column_types={name: pa.string() for name in names},
                strings_can_be_null=False,
            ),
        )
    domains, codes = [], []
    for name in names:
        column = table[name].to_pylist()
        domain = Domain.of(name, column)
        code_of = {value: code for code, value in enumerate(domain.values)}
        domains.append(domain)
        codes.append(np.array([code_of[value] for value in column], np.int64))
    cell_codes, cell = np.unique(np.array(codes[:-1]), axis=1, return_inverse=True)
    cell = cell.reshape(-1)
    count = cell_codes.shape[1]
    size = len(domains[-1])
    keys, persons = np.unique(cell * size + codes[-1], return_counts=True)
    starts = np.searchsorted(keys, np.arange(count + 1) * size).astype(np.int64)
    histogram = Histogram(domains[-1], (), ((),), starts, keys % size, persons.astype(np.int64))
    rows = np.bincount(cell, minlength=count).astype(np.int64)
    ladders = tuple(
        ladder_of(name, list(domain.values), read_hierarchy(shared / path))
        for (name, path), domain in zip(hierarchies, domains, strict=False)
    )
    cells = Cells(tuple(domains[:-1]), cell_codes.astype(np.int32), rows, rows, None, (histogram,))
    return cells, ladders


def rule_of(model: dict[str, Any]) -> Rule:
    """Write one model of a golden run as a rule."""
    column = model.get("attribute")

    def with_fraction(kind: Kind, number: float, *more: int) -> Rule:
        found = Fraction(str(number))
        return Rule(kind, (found.numerator, found.denominator, *more), kind is not Kind.DISCLOSURE, column)

    match model["model"]:
        case "k-anonymity":
            return Rule(Kind.MIN_PERSONS, (model["k"],), True)
        case "distinct-l-diversity":
            return Rule(Kind.DISTINCT, (model["l"],), True, column)
        case "entropy-l-diversity":
            assert model["estimator"] == "shannon"
            return with_fraction(Kind.ENTROPY, model["l"])
        case "recursive-(c,l)-diversity":
            return with_fraction(Kind.RECURSIVE, model["c"], model["l"])
        case "basic-beta-likeness":
            return with_fraction(Kind.LIKENESS, model["beta"])
        case "enhanced-beta-likeness":
            return with_fraction(Kind.LIKENESS_ENHANCED, model["beta"])
        case "delta-disclosure-privacy":
            return with_fraction(Kind.DISCLOSURE, model["delta"])
        case "t-closeness" if model["distance"] == "equal":
            return with_fraction(Kind.CLOSE_EQUAL, model["t"])
        case "t-closeness" if model["distance"] == "hierarchical":
            return with_fraction(Kind.CLOSE_HIERARCHICAL, model["t"])
        case "t-closeness":
            return with_fraction(Kind.CLOSE_ORDERED, model["t"], 1)
    raise AssertionError(model["model"])


def problem_of(shared: Path, case: dict[str, Any], rules: tuple[Rule, ...] | None = None) -> Problem:
    """Read the table of a golden run with its sensitive column."""
    hierarchies = tuple((name, case["hierarchies"][name]) for name in case["quasi_identifiers"])
    cells, ladders = _read(shared, case["dataset"], hierarchies, case["sensitive"])
    folder = (shared / hierarchies[0][1]).parent
    of_values = {}
    for model in case["privacy_models"]:
        if "hierarchy" in model:
            domain = cells.histograms[0].domain
            lines = read_hierarchy(folder / f"{model['hierarchy']}.gz")
            of_values[domain.name] = ladder_of(domain.name, list(domain.values), lines)
    models = tuple(rule_of(model) for model in case["privacy_models"]) if rules is None else rules
    return Problem(cells, ladders, models, of_values)
