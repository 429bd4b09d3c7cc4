"""Questions and conversations audited as mechanisms: ours are not refuted, broken databases are caught.

False alarms: each audit is wrong with probability 10⁻⁸ at most, and there are fewer than 20. Bounds of broken
databases lie 1 or more above their claims on average and vary by 0.15: 0.2 is five standard deviations away.
"""

from __future__ import annotations

import pytest

from sfumato.query.attacks.audited import MECHANISMS
from sfumato.query.attacks.broken import BROKEN

CONFIDENCE = 1 - 1e-8


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_database_is_not_refuted(name: str) -> None:
    found = MECHANISMS[name].audit(samples=600, confidence=CONFIDENCE)
    assert found.verdict == "not refuted", str(found)
    assert len(MECHANISMS) < 20


@pytest.mark.parametrize("name", BROKEN)
def test_broken_databases_are_caught(name: str) -> None:
    case = BROKEN[name]
    found = case.audit(samples=case.samples // 2, confidence=CONFIDENCE)
    assert found.refuted
    assert found.epsilon > float(found.claim.epsilon) + 0.2
