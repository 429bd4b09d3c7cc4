"""Names by what stands around them: each rule with lines that it must find and lines that it must leave."""

from __future__ import annotations

from functools import cache

import pytest

from sfumato.text.finder import Finder
from sfumato.text.finders import finder_of
from sfumato.text.kinds import Kind
from sfumato.text.note import Record


@cache
def rules() -> Finder:
    return finder_of("en", "none")


def names(text: str) -> list[str]:
    return [span.of(text) for span in rules().find(Record.of(text)).spans[0] if span.kind is Kind.NAME]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The wound was shown to Adebayo before closure.", ["Adebayo"]),
        ("Wojciechowska was resting when I came in.", ["Wojciechowska"]),
        ("Mildred slept well.", ["Mildred"]),
        ("NOTHING FURTHER UNTIL WOJCIECHOWSKA IS SEEN.", ["WOJCIECHOWSKA"]),
    ],
)
def test_a_word_that_is_a_name_and_nothing_else_is_one_wherever_it_stands(
    text: str, found: list[str]
) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Rose gave the tablets at noon.", ["Rose"]),
        ("June quit smoking.", ["June"]),
        ("Frank takes a water pill.", ["Frank"]),
        ("Will taught him the exercises.", ["Will"]),
        ("Rose bengal stain negative. June visit planned. Will need a ride.", []),
        ("May benefit from therapy. Frank blood in stool. Mark the site.", []),
    ],
)
def test_a_word_that_is_a_name_as_well_is_one_where_it_does_what_people_do(
    text: str, found: list[str]
) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Frost's drops were renewed.", ["Frost"]),
        ("We rang Zzorinsky's office twice.", ["Zzorinsky"]),
        ("Parkinson's disease, Crohn's flare, Bell's palsy.", []),
        ("Today's visit; patient's chart.", []),
    ],
)
def test_what_somebody_owns_tells_that_it_is_somebody(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Please call the desk and ask for Brantov.", ["Brantov"]),
        ("Follow up with Brantov in two weeks.", ["Brantov"]),
        ("Report from Brantov received.", ["Brantov"]),
        ("Supervisor Brantov was told.", ["Brantov"]),
        ("His parole officer is Brantov.", ["Brantov"]),
        ("Escorted by Ofc. Hand.", ["Hand"]),
        ("Crew: Quarles / Brantov", ["Quarles", "Brantov"]),
        ("the label says Brantov", ["Brantov"]),
        ("She goes by Bud; formerly Brantov.", ["Bud", "Brantov"]),
        ("Anesthesia: Kim, S.   Scrub: T. Long", ["Kim, S", "T. Long"]),
        ("Follow up with Cardiology. Report from Radiology received.", []),
        ("ask for help, wait for results, under observation", []),
    ],
)
def test_clinical_turns_of_phrase_announce_people(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("seen on rounds w knight. terrell black doing ok, daughter pat wants update", 3),
        ("paged lebedev again, d/w thiruvengadam on call", 2),
        ("pt resting, bp stable, will call her son if any change, pain 3 of 10, black stool", 0),
        ('seen by w. berger, specimen labeled "hall, vihaan" and left here', 2),
        ("takes one tablet per day. salter-harris fracture of the wrist, healing well", 0),
    ],
)
def test_a_note_in_small_letters_has_names_in_small_letters(text: str, found: int) -> None:
    assert len(names(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Copies to von Bülow and de los Santos.", ["von Bülow", "de los Santos"]),
        ("Plan: el-Haddad agrees to stay.", ["el-Haddad"]),
        ("PCP delaCruz-Guimarães was told.", ["delaCruz-Guimarães"]),
        ("DE LOS SANTOS, IRIS J  MR 11-80713", ["DE LOS SANTOS, IRIS J"]),
        ("The van Monday was late; den and la-la land.", []),
    ],
)
def test_names_begin_with_particles(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('Halina ("Coco") Kwon is single.', ['Halina ("Coco") Kwon']),
        ('Name: Obinna "Duke" di Bartolo', ['Obinna "Duke" di Bartolo']),
        ("this is Jae-won calling", ["Jae-won"]),
    ],
)
def test_nicknames_and_hyphens_stay_inside_a_name(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Thanks!\nGrace", ["Grace"]),
        ("Warmly, Margaux Begay, MS, CGC", ["Margaux Begay"]),
        ("See you in spring. Violet", ["Violet"]),
        ("Thx, JU\nHello Jarek, sent.", ["JU", "Jarek"]),
    ],
)
def test_a_letter_is_closed_with_a_name(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pills were sorted. KM", ["KM"]),
        ("checked, 2nd RN VH\nFerritin 9", ["VH"]),
        ("Subject 12, initials BN, consented", ["BN"]),
        ("LAST: Krämer   FIRST: Katarzyna   MI: C   SEX F", ["Krämer", "Katarzyna", "C"]),
        ("KG:tn  Job 808073863", ["KG", "tn"]),
        ("Roommate (K.W.) heard it.", ["K.W"]),
        ("Registered by HM", ["HM"]),
        ("Reviewed and agree. (JDK)", ["JDK"]),
        ("Held for pain. -NW\nNext shift", ["NW"]),
        ("Signed LW/PC 4:21PM", ["LW", "PC"]),
        ("read 2/3 by s. h.", ["s. h"]),
        ("page me 47410 - XW", ["XW"]),
        ("Mace, VM, 104 M, bed 9", ["Mace, VM"]),
        ("Lasix 40 mg p.o. b.i.d., nitro p.r.n.", []),
        ("Seen in ED by PT and OT. Discussed with ICU.", []),
        ("Given 5 mg IM. Signed, RN BSN", []),
        ("at 8 A.M. in the U.S. by I.V. route", []),
        ("threshold 0.4 ms. Bath given", []),
    ],
)
def test_initials_stand_in_places_of_their_own(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("user=xthibodeaux action=VIEW", ["xthibodeaux"]),
        ("Printed by bouchard.j on the ward", ["bouchard.j"]),
        ("Client: šimek, ekkehard   Medicaid", ["šimek, ekkehard"]),
        ("Client: doing well   Medicaid", []),
        ("TO: Utilization Review, fax", []),
    ],
)
def test_fields_hold_logins_and_names_in_small_letters(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Salter-Harris II fracture. Child-Pugh B cirrhosis. Le Fort I fracture plated.",
        "Kegel exercises taught; McKenzie extension tolerated.",
        "Ahmed valve placed. Fitzpatrick type II skin.",
        "0.5 mL IM L deltoid",
        "PT'S CAR, TAG LEFT AT SCENE",
        "SWAN-GANZ TIP IN THE RIGHT PULMONARY ARTERY.",
        "MARITAL: M   LANG: OTHER",
    ],
)
def test_what_is_named_after_people_is_nobody(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I spoke with Pfeiffer. Rounds w/ Shimizu and Nelson.", ["Pfeiffer", "Shimizu", "Nelson"]),
        ("Please ask for Hodgkin.", ["Hodgkin"]),
        (
            "Discharged with Foley. Sent home with Foley. Home with Hickman line. Seen for Hodgkin lymphoma.",
            [],
        ),
    ],
)
def test_somebody_may_bear_the_name_of_a_thing(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_a_street_that_ends_in_dr_is_no_title() -> None:
    assert "Busan" not in names("1848 Mill Dr\nBusan, NH 96891")


def test_a_name_goes_on_in_the_next_line_of_running_text() -> None:
    text = "She was brought in last night by her probation officer Sipho\nHesumondo and left at noon."
    assert names(text) == ["Sipho\nHesumondo"]


def test_a_list_of_people_is_followed_to_its_end() -> None:
    text = "Present: Tavakoli, Velazquez, Rose (nurse navigator)."
    assert ", ".join(names(text)) == "Tavakoli, Velazquez, Rose"
