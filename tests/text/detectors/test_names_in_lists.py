"""Names by their place in lists, logs and firms: lines that must be found, and lines that must be left."""

from __future__ import annotations

from functools import cache

import pytest

from sfumato.text.detectors.plausible import Plausible
from sfumato.text.finder import Finder
from sfumato.text.finders import finder_of
from sfumato.text.kinds import Kind
from sfumato.text.note import Record
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL
from sfumato.text.word_list import word_list


@cache
def rules() -> Finder:
    return finder_of("en", "none")


def found(text: str, *kinds: Kind) -> list[str]:
    wanted = kinds or (Kind.NAME,)
    return [span.of(text) for span in rules().find(Record.of(text)).spans[0] if span.kind in wanted]


def hidden(text: str, *words: str) -> bool:
    """Say whether no letter of some words is left, whatever they were taken for."""
    spans = rules().find(Record.of(text)).spans[0]
    places = [text.index(word) for word in words]
    return all(
        any(span.start <= at < span.end for span in spans)
        for place, word in zip(places, words, strict=True)
        for at in range(place, place + len(word))
        if text[at].isalnum()
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("rm 12 st. clair, 21f, resting", "st. clair"),
        ("rm 4 ng, 93f, day 2", "ng"),
        ("bed 9 long, 40 m, npo", "long"),
        ("please call downs pgr 5795 for fever", "downs"),
        ("page august pager 78813 if temp rises", "august"),
    ],
)
def test_a_list_of_the_ward_tells_who_is_meant_whatever_the_word_is(text: str, name: str) -> None:
    assert found(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "rm 12 ready, clean and empty",
        "bed 4 vacant, 2 rns on",
        "call clinic pgr 5795 for fever",
        "call the pager 5795",
        "room 12 was cleaned, 21 beds are left",
    ],
)
def test_a_room_or_a_pager_alone_names_nobody(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("10:42 D. Park signed order 3.", ["D. Park"]),
        ("0930 K. Osei pushed the dose.", ["K. Osei"]),
        ("13:37 Watanabe, Art opened the chart.", ["Watanabe, Art"]),
        ("14:20 JT resting.", ["JT"]),
        ("10:42 C. Diff sent. 14:20 BP rechecked. Gave 5 M. Vicryl in stock.", []),
    ],
)
def test_somebody_acts_after_a_clock_time_in_a_log(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("MEDIC O. DOWN ON SCENE.", ["O. DOWN"]),
        ("BYSTANDER WILL STATES PT FELL.", ["WILL"]),
        ("BYSTANDER PAT STATES PT FELL.", ["PAT"]),
        ("ATTENDING WILL STATE THE REASON.", []),
        ("RESIDENT WILL CALL.", []),
    ],
)
def test_a_role_in_capitals_announces_a_name_that_is_a_word(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "initials"),
    [
        ("Report given to Sharon and SZ.", "SZ"),
        ("Shanice Mensah-el-Haddad (SM) was seen.", "SM"),
        ("Read at noon. Transcribed: lm.", "lm"),
        ("Order verified RPh KJ 1820.", "KJ"),
        ("Seen early. AB denies pain.", "AB"),
        ("AB is a 34 yo woman.", "AB"),
        ("Stable. AB's husband is here.", "AB"),
        ("All is well.\nGK/ȘT   D: 09.10.07", "ȘT"),
    ],
)
def test_initials_beside_a_person_are_found(text: str, initials: str) -> None:
    assert hidden(text, initials)


@pytest.mark.parametrize(
    "text",
    [
        "Shanice Mensah (RA) takes methotrexate.",
        "Given to Sharon and RN.",
        "PT denies pain. RN states so. CT shows a nodule. OT declined.",
    ],
)
def test_capitals_that_are_nobodys_initials_stay(text: str) -> None:
    assert not any(name.isupper() for name in found(text))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We report on Silvia Westward, born in spring.", ["Silvia Westward"]),
        ("We spoke to Silvia Westward about it.", ["Silvia Westward"]),
        ("Met with Silvia Today: no pain.", ["Silvia"]),
    ],
)
def test_an_ordinary_word_with_a_capital_goes_on_with_a_given_name(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("As Quick explained, the test is done.", ["Quick"]),
        ("Rose and Mustafa are at the bedside.", ["Rose", "Mustafa"]),
        ("Please ask for Sweat.", ["Sweat"]),
        ("Will's father came.", ["Will"]),
        ("Heard from neighbor Mr. T and left.", ["T"]),
        ("1. Bell 402A - bowel obstruction, better.", ["Bell"]),
        ("Last seen by Charity (daughter).", ["Charity"]),
        ("Rose and tan spots. As noted, quick relief. She asked for water.", []),
    ],
)
def test_words_that_are_names_as_well_are_told_by_their_sentence(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "firm"),
    [
        ("Employer.............. Knight, Kealoha and Okafor", "Knight, Kealoha and Okafor"),
        ("4. Samples went to Dell'Acqua, Williams and Finkelstein (kit 5).", "Williams and Finkelstein"),
        ("Works nights for Amalgamated Freight.", "Amalgamated Freight"),
        ("Discharged to SNF (Heritage Oaks) today.", "Heritage Oaks"),
        ("Daycare - Little Sprouts.", "Little Sprouts"),
        ("Transferred from Hollis Drug today.", "Hollis Drug"),
        ("TRANSPORTED TO VA MOOSE JAW.", "VA MOOSE JAW"),
        ("her daughter is visiting from medicine hat, fine today", "medicine hat"),
        ("her daughter is visiting from st. cloud, fine today", "st. cloud"),
    ],
)
def test_no_word_of_a_firm_or_a_town_is_left(text: str, firm: str) -> None:
    assert hidden(text, firm)


@pytest.mark.parametrize(
    "text",
    [
        "Abdomen: Liver, Spleen and Kidneys normal.",
        "Denies Tylenol, Motrin and Aleve use.",
        "Crohn, Whipple and Hirschsprung disease excluded.",
        "To rehab (Physical Therapy). Dictated: yes. School - fine.",
        "Drug allergies: none. Study Drug given.",
        "Mini-Cog 4/5. Moro and Galant reflexes present. Calvert formula used.",
        "Strength 4+/5 in the left deltoid, 5/5 elsewhere.",
        "drain in place; montgomery straps changed; whipple in the past, healing well now",
    ],
)
def test_medicine_in_the_same_form_stays(text: str) -> None:
    assert found(text, *Kind) == []


@pytest.mark.parametrize(
    ("text", "first", "last", "left"),
    [
        ("Prescriber A. Robinson, DEA", 0, 5, "A. Robinson"),
        ("rm 12 großmann", 0, 2, "großmann"),
        ("MEDIC J. KIM", 0, 3, "J. KIM"),
    ],
)
def test_roles_and_labels_at_its_ends_are_no_part_of_a_learned_name(
    text: str, first: int, last: int, left: str
) -> None:
    page = Page(text)
    begin, end, certainty = Plausible(word_list("en")).judged(page, first, last, Kind.NAME, 0.9)
    assert text[page.tokens.starts[begin] : page.tokens.ends[end]] == left
    assert certainty == 0.9


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("rm 12", Kind.NAME),
        ("MEDIC", Kind.NAME),
        ("HOSP 0403", Kind.LOCATION),
        ("p.r.n", Kind.NAME),
    ],
)
def test_a_label_with_a_number_or_a_dotted_abbreviation_is_not_believed(text: str, kind: Kind) -> None:
    page = Page(text)
    *_, certainty = Plausible(word_list("en")).judged(page, 0, len(page.tokens.words) - 1, kind, 0.9)
    assert certainty == DOUBTFUL
