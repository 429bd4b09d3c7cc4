"""What a learned proposal must hold to be believed."""

from __future__ import annotations

import pytest

from sfumato.text.detectors.plausible import Plausible
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL
from sfumato.text.word_list import word_list

JUDGE = Plausible(word_list("en"))


def judged(marked: str, kind: Kind) -> tuple[str, float]:
    """Judge what stands in braces, held for a kind with a certainty of 0.9."""
    start, end = marked.index("{"), marked.index("}") - 1
    page = Page(marked.replace("{", "").replace("}", ""))
    tokens = page.tokens
    inside = [place for place, at in enumerate(tokens.starts) if start <= at < end]
    first, last, certainty = JUDGE.judged(page, inside[0], inside[-1], kind, 0.9)
    return page.text[tokens.starts[first] : tokens.ends[last]], certainty


@pytest.mark.parametrize(
    ("text", "kind", "left"),
    [
        ("from {workstation 10.20.3.4} today", Kind.IP, "10.20.3.4"),
        ("my number is {still 984 780 3039}", Kind.PHONE, "984 780 3039"),
        ("Seen by {Halsted afterwards} there.", Kind.NAME, "Halsted"),
        ("HER DAUGHTER {NIAMH AFTERWARDS}.", Kind.NAME, "NIAMH"),
        ("He moved to {Kalamazoo who} was", Kind.LOCATION, "Kalamazoo"),
        ("Called to Troy. {Collected June 3}", Kind.DATE, "June 3"),
        ("Called at {Toowoomba 22}:08 by her", Kind.LOCATION, "Toowoomba"),
        ("Visit {June 3, 2011 22}:08", Kind.DATE, "June 3, 2011"),
        ("Triage {16APR2011 1157} there", Kind.DATE, "16APR2011"),
    ],
)
def test_words_that_cannot_belong_to_it_are_left_outside(text: str, kind: Kind, left: str) -> None:
    assert judged(text, kind) == (left, 0.9)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Tramadol {p.r.n}. daily", Kind.URL),
        ("Ask the {workstation} there", Kind.IP),
        ("At {T18:29:17Z} it began", Kind.IP),
        ("Shift {2300-0700} was calm", Kind.ID),
        ("paged again {0410} and again", Kind.PHONE),
        ("hemoglobin {A1c} today", Kind.ID),
        ("Dialysed against {2K/2.5Ca} today", Kind.DATE),
        ("In March {of} this year", Kind.DATE),
        ("ED triage {12} noon", Kind.DATE),
        ("Exam.\n{Neck}\nNormal.", Kind.LOCATION),
        ("It was fine.\n{REVIEW OF SYSTEMS}\nNormal.", Kind.LOCATION),
        ("It was fine. {Noncontributory}. Normal.", Kind.NAME),
        ("She lives at the {nursing facility}. He is well.", Kind.LOCATION),
        ("There was {hypochromia}. He is well.", Kind.NAME),
        ("Seen on rounds {w} the team. He is well.", Kind.NAME),
        ("He was there {at} noon.", Kind.EMAIL),
    ],
)
def test_what_cannot_be_what_it_is_held_for_is_doubtful(text: str, kind: Kind) -> None:
    assert judged(text, kind)[1] == DOUBTFUL


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Seen by {Halsted} there.", Kind.NAME),
        ("{Hope} was here with her son.", Kind.NAME),
        ("seen on rounds, {will rose} is ok and eats", Kind.NAME),
        ("DISCHARGED TO {BATH} TODAY", Kind.LOCATION),
        ("accession {SH-02-22222} was read", Kind.ID),
        ("the last four are {8321} on file", Kind.ID),
        ("seen {21JUL2013} there", Kind.DATE),
        ("seen {3rd of July} there", Kind.DATE),
        ("it began in {2011} there", Kind.DATE),
        ("write to {ada@example.org} today", Kind.EMAIL),
        ("look at {portal.example.org/r} today", Kind.URL),
        ("Parents of {de la Cruz} came.", Kind.NAME),
        ("works at the {Blue Heron Foundry} now", Kind.LOCATION),
        ("a {welder} by trade", Kind.PROFESSION),
    ],
)
def test_what_can_be_what_it_is_held_for_stays_as_it_is(text: str, kind: Kind) -> None:
    assert judged(text, kind) == (text[text.index("{") + 1 : text.index("}")], 0.9)


@pytest.mark.parametrize(
    ("text", "large"),
    [
        ("born in {Japan}", True),
        ("from {North Carolina}", True),
        ("from {Kalamazoo}", False),
        ("{Las Cruces}", False),
    ],
)
def test_a_state_or_a_country_is_told_from_a_town(text: str, large: bool) -> None:
    start, end = text.index("{"), text.index("}") - 1
    page = Page(text.replace("{", "").replace("}", ""))
    inside = [place for place, at in enumerate(page.tokens.starts) if start <= at < end]
    assert JUDGE.may_be_kept(page, inside[0], inside[-1]) is large
