"""Tables for attacks on classes: those of the lectures, and random ones that are small enough to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from hypothesis import strategies as st

from sfumato.hierarchy import Tree
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.published import PublishedTable
from tests.oracles.models import publish
from tests.table.lecture_tables import table

NOTHING = Knowledge()
"""an adversary who holds the release alone"""

HEART_DISEASE = table(
    "zip age disease",
    *("476**|2*|Heart Disease",) * 3,
    "4790*|≥40|Flu",
    "4790*|≥40|Heart Disease",
    "4790*|≥40|Cancer",
    "476**|3*|Heart Disease",
    "476**|3*|Cancer",
    "476**|3*|Cancer",
)
THREE_DIVERSE = table(
    "zip age salary disease",
    "476**|2*|20|Gastric Ulcer",
    "476**|2*|30|Gastritis",
    "476**|2*|40|Stomach Cancer",
    "4790*|≥40|50|Gastritis",
    "4790*|≥40|100|Flu",
    "4790*|≥40|70|Bronchitis",
    "476**|3*|60|Bronchitis",
    "476**|3*|80|Pneumonia",
    "476**|3*|90|Stomach Cancer",
)
STOMACH = Tree(
    {
        "ill": {
            "stomach": ["Gastric Ulcer", "Gastritis", "Stomach Cancer"],
            "lungs": ["Flu", "Bronchitis", "Pneumonia"],
        }
    }
)

rows_of_values = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from([0, 1, 2, 7])), min_size=1, max_size=9
)
"""a class and a sensitive number each"""


def published(rows: Sequence[tuple[Any, Any]], **more: Any) -> PublishedTable:
    """Publish rows of a class and a value."""
    return publish(pd.DataFrame(rows, columns=["quasi", "ill"]).astype(object), ["quasi"], ["ill"], **more)
