"""Rules that read a release find nothing in it, or the promise does not hold."""

from __future__ import annotations

from collections import Counter

import pytest

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis
from sfumato.text.models import DetectedIdentifiersRemoved
from sfumato.text.models.contract import Handled
from sfumato.text.note import Record


def verdict(*released: str, promise: DetectedIdentifiersRemoved | None = None) -> tuple[bool, str]:
    promise = promise or DetectedIdentifiersRemoved()
    counts: Counter[str] = Counter()
    for text in released:
        counts += promise.counted(Handled(Record.of(text), (text,), ((),)))
    found = promise.verdict(counts)
    assert found.basis is Basis.RELEASE
    return found.holds, f"{found.achieved} {found.note}"


def test_tags_and_masks_pass() -> None:
    assert verdict("Call **PHONE, write to **EMAIL or XXX-XXX-XXXX.", "**NAME[AAA] is well")[0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("write to ada@example.org", "EMAIL"),
        ("SSN: 411-16-8757", "SSN"),
        ("see https://example.org/x", "URL"),
        ("from 192.168.1.44", "IP"),
    ],
)
def test_one_thing_that_is_left_breaks_it_and_no_value_is_told(text: str, kind: str) -> None:
    holds, told = verdict("all is well", text)
    assert not holds
    assert f"1 {kind}" in told
    assert "example" not in told
    assert "411" not in told


def test_kinds_that_are_not_listed_are_not_looked_at() -> None:
    assert verdict("write to ada@example.org", promise=DetectedIdentifiersRemoved(("SSN",)))[0]


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(BadInput, match="no kind 'MAIL'"):
        DetectedIdentifiersRemoved(("MAIL",))
    with pytest.raises(BadInput, match="no kind is listed"):
        DetectedIdentifiersRemoved(())
    with pytest.raises(BadInput, match="threshold"):
        DetectedIdentifiersRemoved(threshold=0)
    with pytest.raises(BadInput, match="no language"):
        DetectedIdentifiersRemoved(language="xx")
