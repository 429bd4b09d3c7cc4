"""Numbers, places, ages and addresses of the net: made up, generalised, masked or coded."""

from __future__ import annotations

import ipaddress
import re

import pytest

from sfumato.core.errors import BadInput
from sfumato.hierarchy import Tree
from sfumato.masking.contract import Secrets
from sfumato.masking.pseudonyms import KeyedPseudonym
from sfumato.text.replace import Generalisation, Masks, Pseudonyms, Removal, Surrogates, Tags
from sfumato.text.replace.addresses import address
from sfumato.text.replace.ages import age_of, with_age
from tests.text.replace.examples import hows, marked, replaced


def made(note: str, key: Secrets, policy: str = "safe-harbor") -> list[str]:
    return [change.after for change in Surrogates(policy=policy).changes(marked(note), key)[0]]


def test_phones_keep_their_form_and_ring_nowhere(key: Secrets) -> None:
    full, short, plus, extension, pager = made(
        "{PHONE (615) 322-1234} {PHONE 760-6027} {PHONE +1 485 935 3581} {PHONE 313-544-3847 x643} "
        "{PHONE 43180}",
        key,
    )
    assert re.fullmatch(r"\([2-9]\d\d\) 555-01\d\d", full)
    assert re.fullmatch(r"555-01\d\d", short)
    assert re.fullmatch(r"\+1 [2-9]\d\d 555 01\d\d", plus)
    assert re.fullmatch(r"[2-9]\d\d-555-01\d\d x\d{3}", extension)
    assert re.fullmatch(r"\d{5}", pager)
    assert pager != "43180"


def test_words_inside_numbers_and_rooms_go_unless_they_say_what_it_is(key: Secrets) -> None:
    phone, asked, room = made(
        "{PHONE tel 615-322-1234} {PHONE Bob 615-322-1234} {LOCATION/room Bed 4B Smith wing}", key
    )
    assert re.fullmatch(r"tel \d{3}-555-01\d\d", phone)
    assert "Bob" not in asked
    assert re.fullmatch(r"Bed \w{2} \w{5} wing", room)
    assert "Smith" not in room


def test_social_security_numbers_are_such_as_nobody_has(key: Secrets) -> None:
    dashed, plain, last_four = made("{SSN 411-16-8757} {SSN 411168757} {SSN 8757}", key)
    assert re.fullmatch(r"9\d\d-(?:0[1-9]|[1-4]\d)-\d{4}", dashed)
    assert plain == dashed.replace("-", "")
    assert re.fullmatch(r"\d{4}", last_four)
    assert last_four != "8757"


def test_equal_numbers_stay_equal_and_keep_their_form(key: Secrets) -> None:
    one, two, three, four = made("{ID 359-71-46} {ID 3597146} {ID SH-62-15830} {ID 359-71-46}", key)
    assert one.replace("-", "") == two
    assert one == four
    assert re.fullmatch(r"[A-Z]{2}-\d{2}-\d{5}", three)


def test_machines_get_addresses_of_the_documentation(key: Secrets) -> None:
    four, six, mac = made("{IP 10.20.30.40} {IP fe80::1ff:fe23:4567:890a} {IP A4:5E:60:C1:22:09}", key)
    documentation = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")
    assert any(ipaddress.ip_address(four) in ipaddress.ip_network(net) for net in documentation)
    assert ipaddress.ip_address(six) in ipaddress.ip_network("2001:db8::/32")
    assert mac.startswith("00:00:5E:00:53:")


def test_mail_is_that_of_the_surrogate(key: Secrets) -> None:
    name, mail, short = made(
        "{NAME Lauretta Soylu} {EMAIL lauretta.soylu@hosp.example.net} {EMAIL lsoylu31@x.example}", key
    )
    given, family = name.lower().split()
    assert mail == f"{given}.{family}@example.org"
    assert re.fullmatch(rf"{given[0]}{family}\d\d@example\.org", short)
    assert "31" not in short


def test_pages_keep_their_scheme(key: Secrets) -> None:
    page, host = made("{URL https://portal.example.com/p/8572335} {URL www.hospital.example}", key)
    assert re.fullmatch(r"https://example\.org/[a-z]{8}", page)
    assert host == "www.example.org"


def test_a_city_becomes_one_of_the_same_state(key: Secrets) -> None:
    from sfumato.text.surrogate_lists import load_surrogates

    of_texas = {city for city, state in load_surrogates("en").cities if state == "TX"}
    [city] = made("lives in {LOCATION/city Pawnee Rock}, TX.", key)
    assert city in of_texas
    [full] = made("{LOCATION Franklin, Texas}", key)
    assert full.endswith(", Texas")
    assert full.removesuffix(", Texas") in of_texas


def test_an_address_in_one_span_keeps_its_form_and_state(key: Secrets) -> None:
    [home] = made("{LOCATION 8860 Walker Mountain Apt 31, Absaraka, ND 58002}", key)
    cut = address(home)
    assert re.fullmatch(r"\d{4} .+ Apt \d\d", cut.street)
    assert cut.state == "ND"
    assert cut.zip.startswith("580")
    assert not {"8860", "Walker", "Mountain", "31", "Absaraka", "58002"} & set(re.findall(r"\w+", home))


def test_a_zip_code_that_few_people_share_is_another(key: Secrets) -> None:
    hidden, shown, everything = (
        *made("{LOCATION/zip 03601} {LOCATION/zip 37064}", key),
        *made("{LOCATION/zip 37064}", key, "everything"),
    )
    assert hidden[:3] != "036"
    assert shown[:3] == "370"
    assert everything[:3] != "370"


def test_hospitals_and_employers_share_no_word_with_the_true_ones(key: Secrets) -> None:
    hospital, firm = made("{LOCATION/hospital Gomez Rehabilitation Center} {LOCATION Wagner Ltd}", key)
    assert not {"gomez", "rehabilitation", "center"} & set(hospital.lower().split())
    assert not {"wagner", "ltd"} & set(firm.lower().split())


@pytest.mark.parametrize(
    ("written", "after", "age"),
    [
        ("93", "-year-old", 93), ("93 y/o", "", 93), ("93F", "", 93), ("93", " months", 7),
        ("6-month-old", "", 0), ("ninety-three-year-old", "", 93), ("a hundred", "", 100),
        ("in her nineties", "", 90), ("101", "", 101),
        ("elderly", "", None), ("aged 45", "", 45), ("93 mo", "", 7), ("85 años", "", 85),
    ],
)  # fmt: skip
def test_an_age_is_read_in_years(written: str, after: str, age: int | None) -> None:
    assert age_of(written, after) == age


def test_text_with_an_age_stays_grammatical() -> None:
    assert with_age("93-year-old", "90+") == "90+-year-old"
    assert with_age("one hundred and two year old", "90+") == "90+ year old"


def test_ages_up_to_89_stay_unless_everything_goes(key: Secrets) -> None:
    note = "{AGE 89}, {AGE 90}, {AGE elderly}, {AGE 93}-month-old"
    assert replaced(marked(note), Tags(), key) == ["89, **AGE[over 89], **AGE[over 89], 93-month-old"]
    assert hows(marked(note), Tags(), key) == ["kept", "lumped", "lumped", "kept"]
    everything = Surrogates(policy="everything")
    drawn = int(replaced(marked("{AGE 45}"), everything, key)[0])
    assert 40 <= drawn < 50
    assert drawn != 45
    assert replaced(marked("{AGE 45}"), Generalisation(policy="everything"), key) == ["40-49"]


def test_a_hierarchy_of_the_user_generalises(key: Secrets) -> None:
    cities = Tree({"USA": {"New York": ["Ovid", "Ithaca"], "Texas": ["Dallas"]}})
    state = Generalisation(hierarchies={"city": cities})
    country = Generalisation(hierarchies={"city": cities}, levels={"city": 2})
    found = marked("from {LOCATION/city OVID}, {LOCATION/city Nowhere}")
    assert replaced(found, state, key) == ["from New York, [city]"]
    assert replaced(found, country, key) == ["from USA, [city]"]
    assert "city by hierarchies" in state.describe()


def test_a_level_needs_a_hierarchy() -> None:
    with pytest.raises(BadInput, match="there is no hierarchy for 'city'"):
        Generalisation(levels={"city": 1})
    with pytest.raises(BadInput, match="must be 1 or more"):
        Generalisation(hierarchies={"city": Tree({"USA": ["Ovid"]})}, levels={"city": 0})


def test_three_digits_of_a_zip_code_or_none(key: Secrets) -> None:
    found = marked("{LOCATION/zip 37064} {LOCATION/zip 03601}")
    assert replaced(found, Generalisation(), key) == ["370 000"]
    assert replaced(found, Generalisation(policy="everything"), key) == ["[zip] [zip]"]


def test_masks_have_one_length_unless_asked_otherwise(key: Secrets) -> None:
    found = marked("{NAME Ada Lovelace}, {ID 7}")
    assert replaced(found, Masks(), key) == ["****, ****"]
    assert replaced(found, Masks(character="X", same_length=True), key) == ["XXX XXXXXXXX, X"]
    assert replaced(found, Removal(), key) == [", "]
    with pytest.raises(BadInput, match="must be"):
        Masks(character="?")  # type: ignore[arg-type]


def test_the_pseudonym_of_a_number_is_that_of_a_column(key: Secrets) -> None:
    [code] = KeyedPseudonym(16, "mrn").labels(["30418827"], key)
    found = marked("MRN {ID 30418827}")
    assert replaced(found, Pseudonyms(domain="mrn"), key) == [f"MRN ID-NUM-{code}"]


def test_tags_say_what_it_was(key: Secrets) -> None:
    note = (
        "{LOCATION/street 1 Elm St} {LOCATION/city Ovid} {LOCATION/zip 14521} {EMAIL a@b.c} "
        "{SSN 411-16-8757} {IP 1.2.3.4}"
    )
    assert replaced(marked(note), Tags(), key) == ["**STREET **CITY **ZIP-CODE **EMAIL **SSN **IP-ADDRESS"]


def test_what_only_looks_like_a_tag_is_replaced(key: Secrets) -> None:
    found = marked("**NAME[{NAME Ada Lovelace}] **{NAME JOHN} **NAME[{NAME AAA}]")
    assert replaced(found, Tags(), key) == [
        "**NAME[**NAME[BBB AAA]] ****NAME[CCC] **NAME[AAA]"
    ]  # fmt: skip


def test_places_without_a_label_are_told_by_their_form(key: Secrets) -> None:
    note = (
        "{LOCATION 14521} {LOCATION 3897 Megan Land} {LOCATION Mercy Clinic} {LOCATION Ovid} "
        "{LOCATION 1 Elm St, Ovid}"
    )
    assert replaced(marked(note), Tags(), key) == ["**ZIP-CODE **STREET **INSTITUTION **LOCATION **LOCATION"]


def test_an_age_that_was_lumped_before_stays(key: Secrets) -> None:
    assert replaced(marked("{AGE 90}+ and {AGE 90+}"), Generalisation(), key) == ["90+ and 90+"]
