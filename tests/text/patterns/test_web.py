"""Addresses of mailboxes, pages and machines are found without any language."""

from __future__ import annotations

import pytest

from sfumato.text.detectors.patterns.web import Web
from sfumato.text.kinds import Kind
from tests.text.patterns.marking import as_found, lines, spans

FOUND = """
write to {lauretta.soylu@hosp.example.net}.
mail ({rroskosz31@example.com}), or {o'hara+notes@mail.example.org}
Portal: {http://mychart.example.org/p/MRN438784}
see {www.mychart.example.org/p/303-28-62}.
on {mychart.example.org} or {example.com/visit?id=4},
from {10.0.0.12}, {192.168.1.1:8080} and {fe80::1ff:fe23:4567:890a}
device {00:1B:44:11:3A:B7} or {00-1B-44-11-3A-B7}
IP {203.0.113.7}; host {2001:db8:85a3:8d3:1319:8a2e:370:7348}
HTTPS: {https://example.org/a_(b)}
{jörg@müller.example.de} wrote
"""

LEFT = """
version 1.2.3.4, section 3.2.1.5, at 12:30:15, ratio 1:2:3
b.i.d.and then, e.g. this, i.e.no, p.o.qd, U.S.A., a.m
3.5 mg, 0.5.mg, 98.6.The, end.In the morning, Mr.X
seen @ 10 and @ home; 5 @ a time
12:30 and 1::2
"""


@pytest.mark.parametrize("line", lines(FOUND))
def test_an_address_is_found(line: str) -> None:
    assert as_found(line, Web()) == line


@pytest.mark.parametrize("line", lines(LEFT))
def test_dots_colons_and_at_signs_of_notes_are_left(line: str) -> None:
    assert as_found(line, Web()) == line


def test_each_has_its_kind() -> None:
    text = "a@b.example.com http://c.example.com 10.0.0.1"
    assert [span.kind for span in spans(text, Web())] == [Kind.EMAIL, Kind.URL, Kind.IP]
