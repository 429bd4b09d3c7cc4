"""Roles that are guessed from names, values and counts, and the reasons given."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.schema import Role, Schema
from sfumato.recipe import detectors
from sfumato.recipe.guess import ColumnSummary, Guess, guess, guess_roles
from sfumato.recipe.init import write_recipe
from sfumato.recipe.vocabulary import ALONE, TOPICS, parts_of

PERSON, IDENTIFIER, WEIGHT = Role.PERSON, Role.IDENTIFIER, Role.WEIGHT
QUASI, SENSITIVE, INSENSITIVE = Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE


def column(name: str, *values: str, rows: int = 5000, distinct: int = 40, missing: int = 0) -> ColumnSummary:
    return ColumnSummary(name, "string", rows, distinct, missing, values)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("patient_id", PERSON),
        ("SUBJECT_ID", PERSON),
        ("Patient", PERSON),
        ("Patientennummer", PERSON),
        ("id paciente", PERSON),
        ("fnlwgt", WEIGHT),
        ("sampling weight", WEIGHT),
        ("Hochrechnungsfaktor", WEIGHT),
        ("name", IDENTIFIER),
        ("patientName", IDENTIFIER),
        ("Vorname", IDENTIFIER),
        ("apellidos", IDENTIFIER),
        ("Prénom", IDENTIFIER),
        ("phone_number", IDENTIFIER),
        ("Straße", IDENTIFIER),
        ("Record Number", IDENTIFIER),
        ("age", QUASI),
        ("patient_age", QUASI),
        ("age_at_diagnosis", QUASI),
        ("Alter", QUASI),
        ("edad", QUASI),
        ("âge", QUASI),
        ("dateOfBirth", QUASI),
        ("Geburtsdatum", QUASI),
        ("fecha_de_nacimiento", QUASI),
        ("Date de naissance", QUASI),
        ("sex", QUASI),
        ("Geschlecht", QUASI),
        ("ZIP", QUASI),
        ("zip_code", QUASI),
        ("PLZ", QUASI),
        ("Código Postal", QUASI),
        ("city_name", QUASI),
        ("marital-status", QUASI),
        ("Familienstand", QUASI),
        ("estado civil", QUASI),
        ("native-country", QUASI),
        ("Staatsangehörigkeit", QUASI),
        ("job title", QUASI),
        ("métier", QUASI),
        ("weight", QUASI),
        ("diagnosis", SENSITIVE),
        ("diagnosis_code", SENSITIVE),
        ("Hauptdiagnose", SENSITIVE),
        ("enfermedad", SENSITIVE),
        ("maladies", SENSITIVE),
        ("drug_name", SENSITIVE),
        ("HIVStatus", SENSITIVE),
        ("icd10", SENSITIVE),
        ("Einkommen", SENSITIVE),
        ("salary-class", SENSITIVE),
        ("religion", SENSITIVE),
    ],
)
def test_the_name_of_a_column_tells_its_role(name: str, role: Role) -> None:
    found = guess(column(name))
    assert found.role is role
    assert "the name says '" in found.reason


@pytest.mark.parametrize("name", ["percentage", "message", "assets", "patient_type", "shift", "ward_name"])
def test_a_word_inside_another_one_says_nothing(name: str) -> None:
    assert "not recognised" in guess(column(name)).reason


@pytest.mark.parametrize(
    ("values", "plural"),
    [
        (("ann@example.org", "b.lee@clinic.example.com"), "e-mail addresses"),
        (("https://example.org/a", "www.example.com"), "web addresses"),
        (("123e4567-e89b-12d3-a456-426614174000",), "unique identifiers (UUID)"),
        (("192.0.2.17", "2001:db8::1"), "internet addresses (IP)"),
        (("900-12-3456",), "national identity numbers"),
        (("12345678Z", "X1234567L"), "national identity numbers"),
        (("4111 1111 1111 1111", "5500-0000-0000-0004"), "payment card numbers"),
        (("DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"), "bank account numbers (IBAN)"),
        (("+49 30 1234567", "(555) 010-4477", "555-010-4477"), "telephone numbers"),
    ],
)
def test_values_of_obvious_identifiers_are_recognised_whatever_the_name(
    values: tuple[str, ...], plural: str
) -> None:
    found = guess(column("x", *values))
    assert found.role is IDENTIFIER
    assert found.reason == f"values look like {plural} (100 %)"


@pytest.mark.parametrize(
    "value",
    [
        "2024-01-05",
        "05/01/2024",
        "1234567",
        "12.5",
        "1,234,567",
        "81701",
        "12:30",
        "A41.9",
        "n/a",
        "",
        "10–19",
    ],
)
def test_dates_numbers_and_codes_are_no_obvious_identifiers(value: str) -> None:
    assert not any(pattern.matches(value) for pattern in detectors.IDENTIFIERS)


@given(st.integers(10**11, 10**17 - 1).map(str))
def test_every_number_has_exactly_one_last_digit_that_passes_luhns_check(digits: str) -> None:
    digits = "4" + digits
    passing = [last for last in "0123456789" if detectors.is_card_number(digits + last)]
    assert len(passing) == 1


@given(st.text(max_size=40))
def test_detectors_take_any_text(value: str) -> None:
    for pattern in detectors.IDENTIFIERS:
        assert pattern.matches(value) in (True, False)
    for detector in (detectors.is_date, detectors.is_sex, detectors.is_full_name, detectors.is_prose):
        assert detector(value) in (True, False)


def test_the_reason_says_how_many_values_look_alike() -> None:
    values = [f"user{number}@example.org" for number in range(99)] + ["none"]
    assert guess(column("x", *values)).reason == "values look like e-mail addresses (99 %)"


def test_a_nearly_unique_column_that_nobody_recognises_is_an_identifier() -> None:
    found = guess(column("x17", "Q7-1", "Q7-2", distinct=4998))
    assert found.role is IDENTIFIER
    assert found.reason == "nearly every row has a value of its own: 4,998 of 5,000"


def test_missing_values_do_not_hide_that_a_column_is_nearly_unique() -> None:
    assert guess(column("x17", distinct=480, missing=4500)).role is IDENTIFIER
    assert guess(column("x17", distinct=400, missing=4500)).role is QUASI


def test_a_handful_of_rows_does_not_make_a_column_unique() -> None:
    assert guess(column("x17", rows=19, distinct=19)).role is QUASI
    assert guess(column("x17", rows=20, distinct=20)).role is IDENTIFIER


def test_a_column_that_nobody_recognises_is_taken_as_known_to_others() -> None:
    found = guess(column("x17", distinct=2))
    assert (found.role, found.hierarchy) == (QUASI, "flat")
    assert found.certainty < 0.5
    assert guess(column("x17", distinct=12)).hierarchy == "infer"


def test_a_column_with_one_value_or_none_is_insensitive() -> None:
    assert guess(column("x17", "a", distinct=1)).role is INSENSITIVE
    assert guess(column("x17", distinct=0, missing=5000)).role is INSENSITIVE
    assert guess(column("x17", "a", distinct=1, missing=10)).role is QUASI


def test_dates_are_quasi_identifiers_whatever_they_are_dates_of() -> None:
    found = guess(column("diagnosis_date", "2024-02-29", "2023-01-01"))
    assert (found.role, found.hierarchy) == (QUASI, {"dates": {}})
    assert guess(ColumnSummary("x", "DATE", 5000, 300, 0)).hierarchy == {"dates": {}}
    assert guess(column("x", "29.02.2024", "01.03.2024")).hierarchy == "infer"


def test_hierarchies_fit_what_the_column_holds() -> None:
    assert guess(column("zip", "81701")).hierarchy == {"mask": {}}
    assert guess(column("age", "41", "7")).hierarchy == {
        "intervals": {"widths": [5, 10, 20], "origin": 0, "top": 90}
    }
    assert guess(column("age group", "40-49", "50+")).hierarchy == "infer"
    assert guess(column("diagnosis")).hierarchy is None


def test_values_that_give_themselves_away_are_recognised_under_any_name() -> None:
    assert guess(column("x", "m", "w", distinct=2)).reason == "values look like sexes (100 %)"
    assert guess(column("x", "A41.9", "B20", "I10")).role is SENSITIVE
    assert guess(column("x", "AA", "AG", "GG", distinct=3)).role is SENSITIVE
    assert guess(column("x", "Ann Lee", "Bo Ford", "Cy Dale-Moor", distinct=3000)).role is IDENTIFIER
    assert guess(column("x", "Office Clerk", "Bus Driver", distinct=30)).role is QUASI


def test_free_text_is_not_released_as_it_is() -> None:
    note = "Mrs Westbridge was admitted on 2023-03-14 with acute appendicitis and did well."
    found = guess(column("diagnosis_text", note, distinct=4000))
    assert found.role is IDENTIFIER
    assert "may hold names" in found.reason


def test_a_nearly_unique_sensitive_column_stays_sensitive_and_is_pointed_out() -> None:
    found = guess(column("salary", "41250", distinct=4900))
    assert found.role is SENSITIVE
    assert "4,900 of 5,000" in found.reason


def test_a_person_column_with_gaps_cannot_say_whose_rows_they_are() -> None:
    found = guess(column("patient_id", distinct=4000, missing=12))
    assert found.role is IDENTIFIER
    assert "12 rows do not have one" in found.reason


def test_only_one_column_is_the_person_and_only_one_the_weight() -> None:
    columns = [column("patient_id"), column("member_id"), column("wgt", "2"), column("perwt", "3")]
    guesses = guess_roles(columns)
    assert [found.role for found in guesses.values()] == [PERSON, IDENTIFIER, WEIGHT, QUASI]
    assert "'patient_id' is the person already" in guesses["member_id"].reason


def test_a_date_of_birth_beside_an_age_is_left_out() -> None:
    birth, age = column("birth_date", "1990-01-31"), column("age", "34")
    assert guess_roles([birth])["birth_date"].role is QUASI
    assert guess_roles([birth, age])["birth_date"].role is IDENTIFIER
    assert guess_roles([birth, age])["age"].role is QUASI


def test_a_hierarchy_file_for_a_quasi_identifier_comes_before_a_guessed_one() -> None:
    files = {"job": "hierarchies/job.csv", "diagnosis": "hierarchies/diagnosis.csv", "gone": "gone.csv"}
    guesses = guess_roles([column("job"), column("diagnosis"), column("zip")], files)
    assert [found.hierarchy for found in guesses.values()] == [
        {"csv": "hierarchies/job.csv"},
        None,
        {"mask": {}},
    ]


@given(
    st.lists(
        st.builds(
            ColumnSummary,
            st.sampled_from(sorted(word for topic in TOPICS + ALONE for word in topic.words))
            | st.text(max_size=12),
            st.sampled_from(["string", "BIGINT", "DATE", "VARCHAR"]),
            st.just(100),
            st.integers(0, 60),
            st.integers(0, 40),
            st.lists(st.text(max_size=12), max_size=4).map(tuple),
        ),
        max_size=8,
        unique_by=lambda summary: summary.name,
    )
)
def test_guesses_for_any_table_make_a_schema(columns: list[ColumnSummary]) -> None:
    guesses = guess_roles(columns)
    assert list(guesses) == [summary.name for summary in columns]
    Schema.of(
        guesses,
        person=_only(guesses, PERSON),
        weight=_only(guesses, WEIGHT),
        quasi=[name for name, found in guesses.items() if found.role is QUASI],
    )
    for summary in columns:
        found = guesses[summary.name]
        assert 0 <= found.certainty <= 1
        assert found.reason
        assert (found.hierarchy is not None) == (found.role is QUASI)


@pytest.mark.parametrize(
    "value", ["zq77@example.org", "Zq77 Lee", "zq77", "zq77 was seen again and again and again today"]
)
@pytest.mark.parametrize("name", ["x", "name", "diagnosis", "age", "patient_id", "zip"])
def test_values_are_never_shown(name: str, value: str) -> None:
    for distinct in (1, 40, 5000):
        summary = column(name, value, distinct=distinct)
        assert "zq77" not in (repr(summary) + repr(guess(summary))).lower()


def _only(guesses: dict[str, Guess], role: Role) -> str | None:
    names = [name for name, found in guesses.items() if found.role is role]
    assert len(names) <= 1
    return names[0] if names else None


def test_words_are_spelt_the_way_names_are_split() -> None:
    for topic in TOPICS + ALONE:
        for word in topic.words:
            assert parts_of(word) == [word]


def test_no_word_speaks_of_two_topics() -> None:
    words = [word for topic in TOPICS + ALONE for word in topic.words]
    assert len(words) == len(set(words))


def test_a_recipe_for_a_policy_says_what_every_column_seems_to_hold(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    rows = [f"p{i},Ann {i},{i}@example.org,{30 + i % 9},F,0213{i % 4},flu,x{i % 3}" for i in range(40)]
    data.write_text("\n".join(["patient_id,name,e_mail,age,sex,zip,diagnosis,colour", *rows]) + "\n")
    path, _ = write_recipe(data, policy="safe-harbor")
    recipe = yaml.safe_load(path.read_text())
    kinds = {field["name"]: field.get("kind") for field in recipe["resources"][0]["schema"]["fields"]}
    assert recipe["policy"] == "safe-harbor"
    assert kinds == {
        "patient_id": "other-id",
        "name": "name",
        "e_mail": "email",
        "age": "age",
        "sex": "other",
        "zip": "zip",
        "diagnosis": "other",
        "colour": "other",
    }


def test_a_policy_that_does_not_exist_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "30\n" * 30)
    with pytest.raises(BadInput, match="policy"):
        write_recipe(data, policy="safe-habour")
    assert not (tmp_path / "recipe.yaml").exists()
