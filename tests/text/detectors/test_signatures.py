"""Initials where nothing but a person can stand."""

from __future__ import annotations

import pytest

from sfumato.text.languages.en.signatures import Signatures
from sfumato.text.page import Page
from tests.growth import grows_with_the_length


@pytest.mark.parametrize(
    ("text", "signed"),
    [
        ("Signed out by NS at 03:12.", ["NS"]),
        ("0639 tx started by HH. 2305 cramping", ["HH"]),
        ("ext 3633, at 00:38 by DR. Read back done.", ["DR"]),
        ("Insurance: group 25.\nDM 13 July 2018\n", ["DM"]),
        ("group QG5025.\r\nIS 01/14/09\r\n", ["IS"]),
        ("DD: 04-25-2016 CV/AA\n", ["CV", "AA"]),
        ("Dictated 31 July 2022 BP/cc", ["BP", "cc"]),
        ("PT EVALUATION Jun 23 2018\nGJ is a 53 y/o man s/p left TKA", ["GJ"]),
        ("HPI: MB is an 81-year-old woman", ["MB"]),
    ],
)
def test_somebody_signs(text: str, signed: list[str]) -> None:
    assert [span.of(text) for span in Signatures().find(Page(text))] == signed


@pytest.mark.parametrize(
    "text",
    [
        "confirmed by CT at 10:30",
        "Meds given by IV. Feeds given by NG.",
        "seen by PT and OT",
        "MI 2009, DM since 1998",
        "BP 128/74 on arrival",
        "MS is a chronic disease",
        "The CT of 13 July 2018 was read",
        "WBC 11.2\nINR 2.3\nHGB 10.4",
        "EDD 09/11/11. Prenatal care",
        "BP 128/74\nHR 72",
    ],
)
def test_medicine_is_left_alone(text: str) -> None:
    assert [span.of(text) for span in Signatures().find(Page(text))] == []


@pytest.mark.parametrize("piece", ["AB ", "by AB ", "1/1 ", "Jan 1 ", "AB/", "is a 5 ", "\n", ". AB is a "])
def test_time_grows_in_proportion_to_the_text(piece: str) -> None:
    assert grows_with_the_length(lambda text: list(Signatures().find(Page(text))), piece, short=10_000)
