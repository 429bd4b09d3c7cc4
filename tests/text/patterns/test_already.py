"""What was de-identified before stays, and a name in bold is no tag."""

from __future__ import annotations

import pytest

from sfumato.text.compete import compete
from sfumato.text.detectors.patterns.already import LABEL, Already
from sfumato.text.kinds import Kind
from sfumato.text.languages.en import patterns
from sfumato.text.page import Page

TAGS = [
    "**NAME[AAA, BBB M]", "**DATE[Jan 17 2003]", "**ID-NUM", "**AGE[over 89]", "**PLACE",
    "[**2101-3-4**]", "[**Hospital 1234**]", "[**First Name8 (NamePattern2)**]", "<NAME>", "<DATE_1>",
    "[REDACTED]", "[Patient Name]", "[NAME 2]", "{{PHONE}}", "XXXX", "XXX-XX-XXXX", "***",
    "***-**-****", "____", "██████",
]  # fmt: skip
NO_TAGS = [
    "**JOHN SMITH**", "[John Smith]", "<john@example.com>", "**NAME[John Smith]", "[Patient Lee]", "XL",
    "x2",
]  # fmt: skip


@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_of_an_earlier_system_is_recognised_whole(tag: str) -> None:
    text = f"seen {tag} today"
    found = list(Already().find(Page(text)))
    assert [(span.of(text), span.kind, span.label) for span in found] == [(tag, Kind.CLINICAL, LABEL)]


@pytest.mark.parametrize("tag", TAGS)
def test_nothing_inside_a_tag_is_replaced_again(tag: str) -> None:
    text = f"Patient: {tag} MRN: {tag}\nseen {tag} by {tag}"
    page = Page(text)
    assert compete(text, [span for detector in patterns() for span in detector.find(page)]) == ()


@pytest.mark.parametrize("text", NO_TAGS)
def test_a_name_in_bold_or_in_brackets_is_no_tag(text: str) -> None:
    assert list(Already().find(Page(text))) == []
