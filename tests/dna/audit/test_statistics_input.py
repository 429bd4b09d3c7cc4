"""What a study must not be: marks that are numbers, nobody at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sfumato.core.errors import BadInput
from sfumato.dna.contract import Study
from sfumato.dna.methods.frequencies import Frequencies
from tests.dna.statistics.populations import source, study

ROWS = np.random.default_rng(1).binomial(2, 0.3, (5, 8)).astype(np.int8)


@pytest.mark.parametrize("marks", [[1, 1, 1, 0, 0, 0, 0, 0], [2, 2, 2, 1, 1, 1, 1, 1], [1.0] * 8])
def test_cases_that_are_marked_by_numbers_are_refused(marks: list[Any]) -> None:
    """As numbers of people they would pick the first two people over and over: another χ², and no error."""
    with pytest.raises(BadInput, match="true and false"):
        Study(source(ROWS), np.array(marks))


def test_figures_of_nobody_are_not_published() -> None:
    with pytest.raises(BadInput, match="no people"):
        Frequencies().publish(study(ROWS[:, :0]))
