"""Streets, boxes, cities before their state and ZIP codes are found; the state stays."""

from __future__ import annotations

import pytest

from sfumato.text.languages.en.addresses import Addresses
from tests.text.patterns.marking import as_found, lines, spans

FOUND = """
lives at {8860 Walker Mountain Apt 31}, {Absaraka}, ND {58002}. I saw
Address: {3897 Megan Land}, {Ovid} NY {14521}
at {118 Sycamore Lane}, {Franklin}, TN {37064} and
{12 N. 5th St., Suite 4}
{1600 Pennsylvania Ave NW #12}
{P.O. Box 123} or {PO Box 77}
{RR 2 Box 14}, {County Road 12}, {US Highway 41}
{4521 Hwy 9} North
corner of {Elm Street} and {5th Ave}
zip code {37064}, ZIP: {37064-1234}
lives in {Pawnee Rock}, TX.
moved from {Portland}, OR to {Boise}, ID.
{St. Louis}, MO {63101}
born in {Nashville}, Tennessee
{9216 Reed Lake #75}, {Monaca}, PA {15061}
resides at {12 main street}
mail to {221B Baker Street}
Ship to {44 Rue Lane}, {New Castle}, DE {19720-1234}
at {68046 Prospect Road}, {Manila} on Monday
lives at {97 Oak⏎Park Place}, {Omaha}, NE
in Room {412B}, Rm {5-213}, bed #{2}
"""

LEFT = """
CHEST 2 VIEWS; 3 Vessel Run; 5 Day Course; 12 Lead
10 minute drive; 2 weeks on the road; 30 mile walk
Jane Smith, MD; Paul Cruz, PA; Breast, CA; Acute, MI
seen in OR; Na 138, K 4.1; Route: PO; 5 mg po daily
500 mL Ringer Lactate; T 98.6; stage 2 Rest
room air; operating room 3; bed rest; recovery room
120 Grams; 24 hour Holter; 100 Percent Rest
the road to recovery; in the way; on the street
"""


@pytest.mark.parametrize("line", lines(FOUND))
def test_an_address_is_found_in_its_parts(line: str) -> None:
    assert as_found(line, Addresses()) == line


@pytest.mark.parametrize("line", lines(LEFT))
def test_what_is_no_address_is_left(line: str) -> None:
    assert as_found(line, Addresses()) == line


def test_the_parts_are_labelled() -> None:
    found = spans("118 Sycamore Lane, Franklin, TN 37064", Addresses())
    assert [span.label for span in found] == ["street", "city", "zip"]
