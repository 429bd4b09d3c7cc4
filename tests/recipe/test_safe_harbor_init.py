"""``init`` knows the 18 Safe Harbor kinds by name and by look, and writes recipes that run."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import sfumato as sf
from sfumato.core.schema import Role
from sfumato.recipe.guess import ColumnSummary, guess, guess_roles
from sfumato.recipe.identifier_forms import form_of
from sfumato.recipe.init import write_recipe
from sfumato.recipe.kinds import kind_for, kind_of

NAMED = {
    "name": "name first_name LastName apellidos Vorname cognome nazwisko next_of_kin",
    "street": "street address home_address Strasse indirizzo",
    "city": "city town municipality hospital",
    "zip": "zip zip_code ZIP5",
    "birth-date": "dob birth_date dateOfBirth Geburtsdatum",
    "admission-date": "admission_date admission",
    "age": "age age_years",
    "phone": "phone telephone mobile_phone Telefonnummer",
    "fax": "fax fax_number",
    "email": "email e_mail e-mail_address correo",
    "ssn": "ssn social_security_number",
    "medical-record-number": "mrn medical_record_number record_number MRN",
    "health-plan-number": "plan_number health_plan_number member_no beneficiary_number mbi plan_no",
    "account-number": "account account_no bank_account acct_number iban credit_card",
    "licence-number": "licence license_number drivers_license certificate_no npi dea_number",
    "vehicle-id": "plate license_plate licence_plate vin vehicle_id number_plate Kennzeichen",
    "device-id": "device device_id serial_number device_serial imei pacemaker_id",
    "url": "url website home_page_url weburl",
    "ip-address": "ip ip_address ipv4",
    "biometric": "fingerprint voice_print_biometric iris_scan retina biometrics",
    "image": "photo photograph picture face_photo image_file selfie",
    "free-text": "note comments remarks",
}
LOOKS = {
    "email": "ada{}@post.example",
    "phone": "617-555-01{:02}",
    "ssn": "934-41-58{:02}",
    "medical-record-number": "MRN 48392{:02}",
    "health-plan-number": "1EG4-TE5-MK{:02}",
    "account-number": "Acct 4839-22{:02}",
    "vehicle-id": "1FTSW21P34ED123{:02}",
    "device-id": "SN-483{:02}-A",
    "url": "https://people.example/{}",
    "ip-address": "192.0.2.{}",
    "biometric": "fingerprint 9f8e7d{:02}",
    "image": "face_{}.jpg",
    "street": "{} Rose Lane",
    "licence-number": "license S999888{:02}",
    "other-id": "PT-00483{:02}",
}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, names in NAMED.items() for name in names.split()]
)
def test_a_kind_is_known_by_its_name(kind: str, name: str) -> None:
    assert kind_of(name) == kind
    kept = {"city", "zip", "birth-date", "admission-date", "age"}
    if kind not in kept:
        found = guess(ColumnSummary(name, "string", 500, 40, 0, ("a", "b")))
        assert found.role in (Role.IDENTIFIER, Role.PERSON)


@pytest.mark.parametrize("kind", LOOKS)
def test_a_kind_is_known_by_the_look_of_its_values(kind: str) -> None:
    values = tuple(LOOKS[kind].format(i) for i in range(10, 40))
    found = guess(ColumnSummary("spalte", "string", 500, 30, 0, values))
    assert found.role is Role.IDENTIFIER
    assert kind_for("spalte", values, found.role) == kind


@pytest.mark.parametrize("name", ["device_type", "image_count", "account_balance", "planned", "licence_fee"])
def test_words_beside_others_are_not_taken_for_numbers_of_people(name: str) -> None:
    found = guess(ColumnSummary(name, "string", 500, 4, 0, ("a", "b", "c", "d")))
    assert found.role is not Role.IDENTIFIER


@pytest.mark.parametrize(
    "value",
    [
        "0002-8215-01",
        "2024.01.31",
        "1.234.567",
        "1 234 567",
        "100.5-200.7",
        "2.16.840.1.113883",
        "I21.4",
        "120/80",
        "2023-03-14",
        "12/31/2024",
        "K35.8",
        "12345-6",
        "rs429358",
        "T1N0M0",
        "50 mg",
        "$1,234.56",
        "[20-29]",
        "100000-199999",
        "HLA-B27",
        "COVID-19",
        "SARS-CoV-2",
        "12:30:15",
        "chr1:12345",
        "NM_000546",
        "Q4 2021",
        "10509002",
        "736381000119106",
        "Z79.899",
        "0DTJ4ZZ",
        "99213",
        "vitamin B12 1000 mcg",
        "ward 12",
        ">=50K",
        "H01",
    ],
)
def test_what_records_hold_otherwise_is_no_identifier(value: str) -> None:
    assert form_of(value) is None


def test_numbers_of_wards_are_no_diagnoses() -> None:
    wards = tuple(f"H{i:02}" for i in range(1, 12))
    assert guess(ColumnSummary("where", "string", 500, 11, 0, wards)).role is Role.QUASI_IDENTIFIER
    codes = ("I10", "E11.9", "J45", "K35.8")
    assert guess(ColumnSummary("what", "string", 500, 4, 0, codes)).role is Role.SENSITIVE


def test_the_id_of_a_table_of_people_is_the_person() -> None:
    columns = [
        ColumnSummary(
            "Id", "string", 50, 50, 0, tuple(f"b9c610cd-28a6-4636-ccb6-c7a0d2a4c{i:03}" for i in range(50))
        ),
        ColumnSummary("BIRTHDATE", "string", 50, 45, 0, ("1961-02-03",)),
    ]
    assert guess_roles(columns)["Id"].role is Role.PERSON
    several = [ColumnSummary("Id", "string", 50, 40, 0, ("a",)), columns[1]]
    assert guess_roles(several)["Id"].role is not Role.PERSON
    wards = [columns[0], ColumnSummary("beds", "string", 50, 9, 0, ("12",))]
    assert guess_roles(wards)["Id"].role is Role.IDENTIFIER


def test_a_column_of_notes_is_proposed_as_text(tmp_path: Path) -> None:
    notes = [
        "Feels well today, no cough.",
        "Seen by Dr Jones, has a fever.",
        "Calls back on Monday, still weak.",
    ]
    rows = [f"P{i},{notes[i % 3]!r}" for i in range(30)]
    data = tmp_path / "visits.csv"
    data.write_text("patient_id,note\n" + "\n".join(row.replace("'", '"') for row in rows) + "\n")
    path, proposal = write_recipe(data)
    resource = yaml.safe_load(path.read_text())["resources"][0]
    assert resource["kind"] == "text"
    assert {field.name: field.role for field in proposal.schema.fields}["note"] is Role.TEXT


FILES = {
    "people": "Id,BIRTHDATE,SSN,DRIVERS,FIRST,LAST,RACE,GENDER,CITY,STATE,COUNTY,ZIP,LAT,INCOME\n"
    + "".join(
        f"b9c610cd-28a6-4636-ccb6-c7a0d2a4c{i:03},{1950 + i % 50}-05-01,934-41-58{i:02},S999{i:05},"
        f"Ann{i},Bee{i},white,{'FM'[i % 2]},Boston,Massachusetts,Suffolk,0213{i % 6},42.{i},{30000 + i}\n"
        for i in range(60)
    ),
    "unknown columns": "spalte,farbe,stufe,wann\n"
    + "".join(f"x{i % 3},{['rot', 'blau'][i % 2]},{i % 4},{i % 28 + 1}.3.2024\n" for i in range(60)),
    "foreign postcodes": "plz,alter,geschlecht\n" + "".join(f"1{i % 5}A,{30 + i % 9},w\n" for i in range(60)),
    "nothing left": "name,city,hospital\n" + "".join(f"Ann{i},Rome,General\n" for i in range(60)),
}


@pytest.mark.parametrize("name", FILES)
def test_a_recipe_under_safe_harbor_runs(name: str, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text(FILES[name], encoding="utf-8")
    path, _ = write_recipe(data, policy="safe-harbor")
    fields = yaml.safe_load(path.read_text())["resources"][0]["schema"]["fields"]
    assert all(field.get("kind") for field in fields)
    if name == "nothing left":
        with pytest.raises(sf.BadInput):
            sf.run(path, out=tmp_path / "out")
        return
    released = sf.run(path, out=tmp_path / "out")
    assert released.evidence.policy is not None
    text = (released.release / "data.csv").read_text(encoding="utf-8")
    assert not [one for one in ("934-41", "S99900", "Ann1", "Boston", "Suffolk") if one in text]
