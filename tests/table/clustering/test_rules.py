"""Clusterings keep every rule that a model can give, judged by definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.table.judge import Judge
from sfumato.table.methods.clustering import BottomUp, TopDown
from sfumato.table.rule import Rule
from tests.oracles import rules as oracle

RULES = [rules for some in oracle.ANY_RULE.values() for rules in some]


@pytest.mark.parametrize("rules", RULES, ids=str)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_class_satisfies_the_rules_or_nothing_is_published(
    rules: tuple[Rule, ...], data: st.DataObject
) -> None:
    watched = data.draw(oracle.watched())
    method: Any = data.draw(st.sampled_from([BottomUp(), TopDown(), TopDown(output="hierarchy", block=4)]))
    problem = oracle.problem_of(watched, rules)
    try:
        judge = Judge.of(problem)
    except BadInput:
        return
    try:
        solution = method.search(problem)
    except PromiseNotMet:
        together = np.zeros(len(problem.cells), np.int64)
        few = problem.cells.total_persons < judge.smallest
        assert few or not judge.satisfied(together, 1).all()
        return
    assert judge.satisfied(solution.classes, solution.boxes.shape[1]).all()
