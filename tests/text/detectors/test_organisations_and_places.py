"""Hospitals, employers and towns as notes write them."""

from __future__ import annotations

import re

import pytest

from sfumato.text.languages.en.addresses import Addresses
from sfumato.text.languages.en.clinical import EnglishClinical
from sfumato.text.languages.en.organisations import EnglishOrganisations
from sfumato.text.languages.en.places import EnglishPlaces
from tests.text.patterns.marking import as_found, lines, plain

DETECTORS = (EnglishPlaces(), EnglishOrganisations(), EnglishClinical(), Addresses())
LONG = "After the operation and a quiet night on the ward he "

FOUND = """
Sent to {Univ. of Quuxford Hospital} today
Seen at {Quuxford Med. Ctr. Clinic} today
Transferred to {Picheta Memorial} today
Transferred from {Sacred Quuxford General} today
Followed at the {Selargren} clinic now
He works for the {City of Defiance} now
She teaches for {Bowling Green Unified School District} now
Dressings came from {Long, Huang and Bianchi} today
Dressings came from {Hatzidakis-Hill} today
He is a welder at {Blue Heron Foundry} now
She drives for {J&R Poultry} now
She works for {Tadesse Bros. Electric} now
Client: {Crohn Cancer Institute}
Client: {University of Medicine Hat Health}
Born at {Our Lady of Mercy Infirmary} there
FLOWN TO {KENNEBUNKPORT EYE AND EAR INFIRMARY}
A divorced man from {Hope} was seen
The pharmacy in {Sandwich} was closed
PCP Kovalenko ({Medicine Hat}). Last seen
She moved to {Bird-in-Hand} last year
She is in {Quiliszkyville} now
He lives at {12 Oak St}, {Erie} {62480}
"""
LEFT = """
General anesthesia was given
Attending General Surgery today
Cardholder ID 12345
Registry ID 44431 was read
He went home from the Emergency Department
Followed at the Coumadin clinic now
Change in Weight
CITY   ST MI   ZIP
"""


def covered(line: str) -> str:
    """Return the line with braces around what is found; spans side by side count as one."""
    return re.sub(r"\}(\s)\{", r"\1", as_found(line, *DETECTORS))


@pytest.mark.parametrize("line", lines(FOUND))
def test_an_organisation_or_a_town_is_found_whole(line: str) -> None:
    assert covered(line) == re.sub(r"\}(\s)\{", r"\1", line)


@pytest.mark.parametrize("line", lines(LEFT))
def test_general_words_and_labels_are_left(line: str) -> None:
    assert as_found(line, *DETECTORS) == plain(line)


@pytest.mark.parametrize("name", ["Nwosu Surgical\nAssociates", "Children's\nHospital of Busan"])
def test_a_name_goes_on_after_the_end_of_a_wrapped_line(name: str) -> None:
    line = f"{LONG}left {{{name}}} at noon"
    assert covered(line) == line


def test_a_name_does_not_go_on_after_the_end_of_a_short_line() -> None:
    assert as_found("Seen: Nwosu\nClinic visit today", *DETECTORS) == "Seen: Nwosu\nClinic visit today"


def test_a_house_number_at_the_end_of_a_wrapped_line_belongs_to_the_street() -> None:
    line = f"{LONG}was seen at {{33\nRasmussen-Jackson Rd #87}} by us"
    assert as_found(line, *DETECTORS) == line


@pytest.mark.parametrize("unit", ["Univ. ", "City of ", "Long, ", "A-", "Memorial ", "a\n", "the Xx clinic "])
def test_long_runs_are_read_in_time_in_proportion_to_their_length(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert as_found(text, *DETECTORS)
