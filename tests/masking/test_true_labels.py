"""Hidden and open values (000, 90+, the earliest birth): under no method or hierarchy is a label untrue."""

from __future__ import annotations

import random

import pandas as pd
import pytest

import sfumato as sf
from sfumato.engine import open_engine
from sfumato.masking import masking_plan
from sfumato.recipe.api import job_for
from sfumato.recipe.outcome import carry_out
from sfumato.table.methods import METHODS

from ..oracles.true_labels import true_of_age, true_of_birth, true_of_zip3

ROWS = 200
HIDDEN = ("69201", "82101", "03601", "87901", "20301")
SHOWN = tuple(f"{prefix:03}31" for prefix in (10, 11, 12, 13, 14, 21, 24, 100, 101, 104, 105, 106, 107, 108))
OWN = {"workload-mondrian": {"target": "ill"}}
NOT_HERE = {"safepub"}
"""draws a sample under differential privacy; its levels are those of the hierarchies that are tried here"""


def people(seed: int = 1) -> pd.DataFrame:
    draw = random.Random(seed)
    return pd.DataFrame(
        {
            "key": range(ROWS),
            "zip": [draw.choice(HIDDEN if i % 20 == 0 else SHOWN) for i in range(ROWS)],
            "age": [str(draw.randint(60, 108)) for _ in range(ROWS)],
            "born": [f"{draw.randint(1915, 1960)}-05-01" for _ in range(ROWS)],
            "ill": [draw.choice(["flu", "cold", "asthma"]) for _ in range(ROWS)],
        }
    )


PLAN = masking_plan(
    {"zip": "zip3", "age": "age-90", "born": {"birth-year": {"this_year": 2026}}, "key": "pseudonym"}
)


def release(column: str, method: object, hierarchies: dict[str, object]) -> pd.DataFrame:
    """What would be published, with the row of each person; nothing is attacked or measured."""
    data = people()[["key", column, "ill"]]
    plan = masking_plan({name: mask for name, mask in PLAN.masks.items() if name in (column, "key")})
    engine = open_engine("duckdb")
    try:
        job = job_for(
            data,
            engine,
            quasi=[column],
            person="key",
            sensitive="ill",
            models=[sf.KAnonymity(12)],
            method=method,
            hierarchies=hierarchies,
            masking=plan,
        )
        outcome = carry_out(job, engine)
        shown = engine.arrow(outcome.protected.table).to_pandas()
    finally:
        engine.close()
    assert outcome.masked is not None
    rows = outcome.masked.secrets.vault.values_anywhere(shown["key"])
    return shown.assign(row=[int(str(row)) for row in rows])


LAID = {
    "none": None,
    "infer": "infer",
    "mask": {"mask": {}},
    "intervals": {"intervals": {"widths": [5, 10, 50]}},
    "others": {"intervals": {"widths": [5, 10, 50]}, "others": "root"},
}


EVERY = [name for name in METHODS if name not in NOT_HERE]
CASES = [
    *(("zip", laid, name) for laid in LAID for name in EVERY),
    *((column, "none", name) for column in ("age", "born") for name in EVERY),
    *(
        (column, laid, name)
        for column in ("age", "born")
        for laid in ("infer", "mask", "intervals", "others")
        for name in ("optimal-lattice", "datafly", "mondrian")
    ),
]


@pytest.mark.parametrize(("column", "laid", "name"), CASES)
def test_every_label_is_true_of_everybody(column: str, laid: str, name: str) -> None:
    hierarchies = {} if LAID[laid] is None else {column: LAID[laid]}
    try:
        shown = release(column, {name: OWN.get(name, {})}, hierarchies)
    except (sf.BadInput, sf.PromiseNotMet):
        # Keeping everything breaks the promise; masks of ages would say 9* of somebody who is 104.
        assert name == "keep" or (laid == "mask" and column != "zip")
        return
    truth = people()
    for row, label in zip(shown["row"], shown[column], strict=True):
        label = None if pd.isna(label) else str(label)
        was = truth.loc[row, column]
        if column == "zip":
            assert true_of_zip3(label, was[:3], was in HIDDEN), label
            assert label in (None, "*", "000") or was not in HIDDEN
        elif column == "age":
            assert true_of_age(label, int(was)), label
        else:
            assert true_of_birth(label, int(was[:4])), label
