"""Numbers as people write them: passports, accounts with a slip, pairs, plates, addresses of machines."""

from __future__ import annotations

import ipaddress
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.masking.contract import Secrets
from sfumato.text.detectors.patterns.accounts import IBAN_LENGTHS, Accounts
from sfumato.text.detectors.patterns.web import Web
from sfumato.text.kinds import Kind
from sfumato.text.note import Found, Record
from sfumato.text.page import Page
from sfumato.text.replace import Tags
from sfumato.text.replace.apply import applied
from sfumato.text.span import Span
from tests.text.patterns.marking import as_found, spans

SPANISH = (
    ("Aporta {pasaporte} AAB123456 en vigor.", "AAB123456"),
    ("Presentó su {pasaporte} español XDA987654 al ingreso.", "XDA987654"),
    ("Se identifica con AAC654321 ({pasaporte}).", "AAC654321"),
    ("Su número de {pasaporte} es BCD234567.", "BCD234567"),
    ("{Pasaporte}: PAF 472913.", "PAF 472913"),
    ("{IBAN} ES91 2100 0418 4502 0005 1332", "ES91 2100 0418 4502 0005 1332"),
    ("{IBAN} ES91 2100 0418 4502 0005 1333", "ES91 2100 0418 4502 0005 1333"),
    ("{Cuenta} ES12 2004 1998 2010 0005 2001", "ES12 2004 1998 2010 0005 2001"),
    ("{Cuenta}: 2100 0418 45 0200051333", "2100 0418 45 0200051333"),
    ("{CCC} 2038 1999 42 6000123456", "2038 1999 42 6000123456"),
    ("{NIF} 12345678Z", "12345678Z"),
    ("{NIF} B12345674", "B12345674"),
    ("{Tarjeta} 4111 1111 1111 1112", "4111 1111 1111 1112"),
    ("Paga con {tarjeta} 2004 1999 2010 2001", "2004 1999 2010 2001"),
    ("{Tarjeta sanitaria} 28 1234567890", "28 1234567890"),
)


@pytest.mark.parametrize(("text", "number"), SPANISH)
def test_a_spanish_number_goes_whole_and_its_label_stays(text: str, number: str) -> None:
    said = re.sub(r"[{}]", "", text)
    assert sf.scrub(said, language="es") == said.replace(number, "**ID-NUM")


@pytest.mark.parametrize("pairs", ["AB 12 34 56 C", "AB123456C", "AB-12-34-56-C"])
@pytest.mark.parametrize("form", ["NI number {}", "her National Insurance No. is {}.", "{} on file"])
def test_a_national_insurance_number_goes_however_it_is_spaced(pairs: str, form: str) -> None:
    assert sf.scrub(form.format(pairs)) == form.format("**ID-NUM")


@pytest.mark.parametrize("plate", ["AB12 CDE", "AB12CDE", "7ABC123"])
@pytest.mark.parametrize(
    "form", ["vehicle registration {}", "Vehicle registration: {}", "the registration of his car: {}"]
)
def test_a_plate_behind_vehicle_registration_goes(plate: str, form: str) -> None:
    assert sf.scrub(form.format(plate)) == form.format("**ID-NUM")


@pytest.mark.parametrize(
    "text", ["in a car accident, MVA 2012", "car crash, L4 MRI normal", "registration desk"]
)
def test_what_follows_a_car_is_no_plate(text: str) -> None:
    assert not [span for span in sf.find_identifiers(text) if span.kind is Kind.ID]


addresses = (
    st.integers(1, 2**128 - 1)
    | st.integers(1, 2**32 - 1)
    | st.builds(
        lambda high, low: (high << 112) | low,
        st.sampled_from((0x2001, 0x1998, 0xFE80, 0x2004)),
        st.integers(0, 999),
    )
)


@given(addresses, st.sampled_from(("short", "long", "upper", "zone", "prefix", "bracketed", "labelled")))
def test_an_ipv6_address_is_found_whole_in_every_form(number: int, form: str) -> None:
    address = ipaddress.IPv6Address(number)
    assume(len(address.compressed) > 4 or address.compressed.startswith("::"))
    shown = {"long": address.exploded, "upper": address.compressed.upper()}.get(form, address.compressed)
    shown += {"zone": "%eth0", "prefix": "/64"}.get(form, "")
    around = {"bracketed": "seen [{}]:8080 today", "labelled": "IP:{} today"}.get(form, "from {}, today")
    text = around.format(shown)
    assert any(shown in span.of(text) for span in Web().find(Page(text)) if span.kind is Kind.IP)


@pytest.mark.parametrize(
    "address", ["::ffff:192.168.1.10", "64:ff9b::192.0.2.33", "::1", "2001:db8:a:b:c:d:e:f", "2001:db8::1"]
)
def test_nothing_of_a_mixed_or_short_ipv6_address_stays(address: str) -> None:
    assert sf.scrub(f"from {address} today").replace("::", "") == "from **IP-ADDRESS today"


MACS = """
MAC {0123.4567.89ab}; device {001A.2B3C.4D5E}; at {00.1A.2B.3C.4D.5E} now
{00:1A:2B:3C:4D:5E}, {00-1A-2B-3C-4D-5E}, mac address: {00 1A 2B 3C 4D 5E}
"""
NO_MACHINES = """
at 12:30:15, ratio 1:2:3, 10-12-14-16-18-20, version 1.2.3, score 4::, 12.5.2004
"""


@pytest.mark.parametrize("line", MACS.strip().split("\n"))
def test_addresses_of_devices_are_found_with_dots_colons_dashes_or_blanks(line: str) -> None:
    assert as_found(line, Web()) == line


@pytest.mark.parametrize("line", [part.strip() for part in NO_MACHINES.split(",")])
def test_times_ratios_and_outlines_are_no_machines(line: str) -> None:
    assert [span for span in spans(line, Web()) if span.kind is Kind.IP] == []


@given(st.sampled_from(sorted(IBAN_LENGTHS)), st.data(), st.booleans())
def test_an_account_of_the_length_of_its_country_is_found_whatever_its_check_digits(
    country: str, data: st.DataObject, spaced: bool
) -> None:
    rest = data.draw(
        st.text("0123456789", min_size=IBAN_LENGTHS[country] - 2, max_size=IBAN_LENGTHS[country] - 2)
    )
    number = country + rest
    if spaced:
        number = " ".join(number[place : place + 4] for place in range(0, len(number), 4))
    text = f"pay to {number}, please"
    assert number in {span.of(text) for span in Accounts().find(Page(text))}


def test_four_digits_of_a_longer_number_are_no_year_even_if_somebody_calls_them_one() -> None:
    for text, stays in (("2100 0418 4502 0005", False), ("2004 1998 2010 2001", False), ("in 2004", True),
                        ("1998-2004", True), ("2004 12 patients", True)):  # fmt: skip
        start = re.search(r"\d{4}", text)
        assert start is not None
        found = Found(Record.of(text), ((Span(*start.span(), Kind.DATE, "year"),),))
        [changes] = Tags().changes(found, Secrets())
        assert (applied(text, changes)[0] == text) is stays
