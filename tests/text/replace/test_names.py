"""Names: their parts, who is who in a record, and how they are written anew."""

from __future__ import annotations

import re

import pytest

from sfumato.masking.contract import Secrets
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Known, Record
from sfumato.text.replace import Pseudonyms, Surrogates, Tags
from sfumato.text.replace.lore import NameLore
from sfumato.text.replace.names import As, mention
from sfumato.text.replace.people import people
from tests.growth import grows_with_the_length
from tests.text.replace.examples import marked, replaced


@pytest.mark.parametrize(
    ("written", "given", "family", "alone"),
    [
        ("Whitfield, Eleanor M", ["Eleanor"], ["Whitfield"], []),
        ("Eleanor M. Whitfield", ["Eleanor"], ["Whitfield"], []),
        ("M. Clark", [], ["Clark"], []),
        ("Eleanor M", ["Eleanor"], [], []),
        ("Clark", [], [], ["Clark"]),
        ("Sethi-Brown", [], [], ["Sethi", "Brown"]),
        ("Hans-Dietrich Kusch", ["Hans", "Dietrich"], ["Kusch"], []),
        ("Dr. Ana van der Berg, M.D.", ["Ana"], ["Berg"], []),
        ("García López, María de la Cruz", ["María", "Cruz"], ["García", "López"], []),
        ("O’Brien’s", [], [], ["O’Brien"]),
        ("Robert Smith, Jr., MD", ["Robert"], ["Smith"], []),
        ("Smith, M.D.", [], [], ["Smith"]),
        ("Do, Minh", ["Minh"], ["Do"], []),
        ("Md Rahman", ["Md"], ["Rahman"], []),
        ("Don Smith", ["Don"], ["Smith"], []),
        ("Anna D.O. Smith", ["Anna"], ["Smith"], []),
        ("MINH DO", ["MINH"], ["DO"], []),
        ("Dr. Mr Smith", [], [], ["Smith"]),
        ("Smith Miss", ["Smith"], ["Miss"], []),
        ("MD Smith", ["MD"], ["Smith"], []),
        ("MD", [], [], ["MD"]),
        ("Dr", [], [], ["Dr"]),
    ],
)
def test_a_name_has_parts(written: str, given: list[str], family: list[str], alone: list[str]) -> None:
    said = mention(written)
    assert "".join(piece.text for piece in said.pieces) == written
    assert [piece.text for piece in said.words(As.GIVEN)] == given
    assert [piece.text for piece in said.words(As.FAMILY)] == family
    assert [piece.text for piece in said.words(As.ALONE)] == alone


@pytest.mark.parametrize("filler", ["a", "-", "'", " ", "A a ", "a'b", "M. ", "a\u0301"])
def test_cutting_a_name_takes_linear_time(filler: str) -> None:
    text = filler * (200_000 // len(filler))
    assert "".join(piece.text for piece in mention(text).pieces) == text
    assert grows_with_the_length(mention, filler, short=10_000)


@pytest.mark.parametrize("written", ["AL", "DE", "IV", "MD", "Dr", "E.W.", "ejw", "J R", "D.O."])
def test_initials_are_replaced_letter_by_letter(written: str, key: Secrets) -> None:
    [made] = replaced(marked(f"{{NAME/initials {written}}}"), Surrogates(), key)
    assert len(made) == len(written)
    for old, new in zip(written, made, strict=True):
        assert (old == new) == (not old.isalpha())
        assert old.islower() == new.islower()


def test_more_than_26_names_have_codes_of_their_own(key: Secrets) -> None:
    letters = "bcdfghjklmnpqrstvwz"
    families = [f"{one.upper()}{two}ostova{two}" for one in letters for two in letters][:150]
    found = marked(" ".join(f"{{NAME/patient {family}}}" for family in families))
    codes = re.findall(r"\*\*NAME\[(\w+)\]", replaced(found, Tags(), key)[0])
    assert len(set(codes)) == 150
    assert all(len(set(code.rstrip("0123456789"))) == 1 for code in codes)
    tagged = marked(" ".join(f"{{NAME **NAME[{code}]}}" for code in codes))
    assert replaced(tagged, Tags(), key) == [tagged.record.notes[0].text]


def test_codes_say_nothing_of_the_names(key: Secrets) -> None:
    one = marked("{NAME Ada Lovelace} and {NAME/doctor Grace Hopper}")
    two = marked("{NAME Joan Clarke} and {NAME/doctor Jean Bartik}")
    assert replaced(one, Tags(), key) == replaced(two, Tags(), key)


def test_staff_count_down_and_the_family_up(key: Secrets) -> None:
    found = marked("{NAME/patient Eleanor Whitfield}, seen by Dr. {NAME Clark} and {NAME Ana Poole}, RN")
    assert replaced(found, Tags(), key) == [
        "**NAME[BBB AAA], seen by Dr. **NAME[WWW] and **NAME[VVV UUU], RN"
    ]


def test_a_doctor_is_staff_in_all_mentions(key: Secrets) -> None:
    found = marked("Dear Dr. {NAME Bilgin}: {NAME Soylu} is well. cc: {NAME Bilgin}")
    assert replaced(found, Tags(), key) == ["Dear Dr. **NAME[WWW]: **NAME[AAA] is well. cc: **NAME[WWW]"]


def test_middle_initials_show_only_where_the_policy_says_so(key: Secrets) -> None:
    found = marked("{NAME Whitfield, Eleanor M}; {NAME M. Clark}; {NAME/initials EW}")
    assert replaced(found, Tags(), key) == ["**NAME[AAA, BBB]; **NAME[CCC]; **NAME[BBB AAA]"]
    shifted = Tags(policy="shifted-dates")
    assert replaced(found, shifted, key) == ["**NAME[AAA, BBB M]; **NAME[CCC]; **NAME[BBB AAA]"]


def test_a_misspelt_name_is_the_name(key: Secrets) -> None:
    found = marked("{NAME Eleanor Whitfield}, Mrs. {NAME Whitfeild}, {NAME WHITFILD}")
    assert replaced(found, Tags(), key) == ["**NAME[BBB AAA], Mrs. **NAME[AAA], **NAME[AAA]"]
    family = replaced(found, Surrogates(), key)[0].split(",")[0].split()[1]
    assert replaced(found, Surrogates(), key)[0].endswith(f"Mrs. {family}, {family.upper()}")


def test_names_that_people_bear_are_no_misspellings(key: Secrets) -> None:
    found = marked("{NAME Maria} and {NAME Maria} and {NAME Marta}")
    assert replaced(found, Tags(), key) == ["**NAME[AAA] and **NAME[AAA] and **NAME[BBB]"]


def test_capitals_are_initials_unless_they_are_a_name_of_the_record(key: Secrets) -> None:
    known = people(marked("Seen by {NAME EW}"), NameLore("en"))
    assert known.mentions[0][0].words(As.INITIAL)
    named = people(marked("Seen by {NAME NG}, {NAME Anna Ng}"), NameLore("en"))
    assert named.mentions[0][0].words(As.ALONE)


def test_surrogates_keep_case_possessive_and_hyphens(key: Secrets) -> None:
    found = marked(
        "{NAME STEELE, SHIVANSH E}/{NAME steele}/{NAME Steele's}/{NAME Sethi-Brown}/{NAME Shivansh}"
    )
    upper, lower, possessive, double, given = replaced(found, Surrogates(), key)[0].split("/")
    family, first, initial = re.split(r", | ", upper)
    assert upper.isupper()
    assert initial != "E"
    assert lower == family.lower()
    assert possessive == f"{family.capitalize()}'s"
    assert re.fullmatch(r"[A-Z]\w+-[A-Z]\w+", double)
    assert given.upper() == first


def test_initials_are_those_of_the_surrogate(key: Secrets) -> None:
    found = marked("{NAME Eleanor Whitfield} / {NAME/initials EW} / {NAME E.W.} / {NAME E. Whitfield}")
    full, capitals, dotted, short = replaced(found, Surrogates(), key)[0].split(" / ")
    given, family = full.split()
    assert capitals == given[0] + family[0]
    assert dotted == f"{given[0]}.{family[0]}."
    assert short == f"{given[0]}. {family}"
    assert capitals != "EW"


def test_a_middle_initial_is_that_of_the_middle_name(key: Secrets) -> None:
    found = marked("{NAME Eleanor Marie Whitfield} / {NAME Whitfield, Eleanor M}")
    full, short = replaced(found, Surrogates(), key)[0].split(" / ")
    given, middle, family = full.split()
    assert short == f"{family}, {given} {middle[0]}"


@pytest.mark.parametrize(
    ("note", "is_female"),
    [
        ("{NAME Eleanor Whitfield}", True),
        ("{NAME Robert Whitfield}", False),
        ("Her husband {NAME Xhqan} came.", False),
        ("His wife, {NAME Xhqan}, came.", True),
        ("{NAME/patient Xhqan Whitfield} is a 40-year-old woman", True),
    ],
)
def test_given_names_keep_their_gender(note: str, is_female: bool, key: Secrets) -> None:
    from sfumato.text.surrogate_lists import load_surrogates

    lists = load_surrogates("en")
    own = lists.given_female if is_female else lists.given_male
    for person in range(12):
        found = marked(note.replace("{NAME Xhqan}", "{NAME/relative Xhqan}"), person=f"P{person}")
        made = Surrogates().changes(found, key)[0][0].after
        assert made.split()[0] in own


def test_surrogates_are_no_names_of_the_record_or_of_what_is_known(key: Secrets) -> None:
    from sfumato.text.surrogate_lists import load_surrogates

    lists = load_surrogates("en")
    left = lists.family[100], lists.family[1000]
    avoid = tuple(name for name in lists.family if name not in left)
    found = marked("{NAME/doctor Qxyl} and {NAME/doctor Zzor}")
    assert set(re.split(" and ", replaced(found, Surrogates(avoid=avoid), key)[0])) == set(left)
    record = Record(found.record.notes, "P1", (Known(Kind.NAME, f"{left[0]}, Ann"),))
    made = Surrogates(avoid=avoid).changes(Found(record, found.spans), key)[0]
    assert left[0] not in [change.after for change in made]


def test_two_people_never_become_one_even_when_the_list_is_used_up(key: Secrets) -> None:
    from sfumato.text.surrogate_lists import load_surrogates

    avoid = load_surrogates("en").family
    found = marked("{NAME/doctor Qxyl} {NAME/doctor Zzor}")
    one, two = replaced(found, Surrogates(avoid=avoid), key)[0].split()
    assert one != two


def test_another_person_has_other_surrogates_for_the_same_doctor(key: Secrets) -> None:
    note = "Dr. {NAME Holloway}"
    made = {replaced(marked(note, person=f"P{number}"), Surrogates(), key)[0] for number in range(10)}
    assert len(made) > 5


def test_a_pseudonym_belongs_to_the_person_in_all_forms(key: Secrets) -> None:
    found = marked(
        "{NAME Whitfield, Eleanor M}|{NAME Eleanor Whitfield}|{NAME E. Whitfield}|{NAME/initials EW}|"
        "{NAME Carol Whitfield}"
    )
    *patient, daughter = replaced(found, Pseudonyms(), key)[0].split("|")
    assert len(set(patient)) == 1
    assert daughter not in patient
    assert re.fullmatch(r"NAME-[A-Z2-7]{16}", daughter)


def test_a_familiar_name_is_the_formal_one_of_the_record(key: Secrets) -> None:
    found = marked("{NAME Robert Whitfield}; {NAME/relative Bob} came; {NAME Bob Poole} too")
    assert replaced(found, Tags(), key) == ["**NAME[BBB AAA]; **NAME[CCC] came; **NAME[CCC DDD] too"]
    alone = marked("{NAME Robert Whitfield}; {NAME/relative Bob} came; {NAME Bob Whitfield} too")
    assert replaced(alone, Tags(), key) == ["**NAME[BBB AAA]; **NAME[BBB] came; **NAME[BBB AAA] too"]
