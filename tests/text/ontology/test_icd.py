"""The ICD as an ontology: codes, and what they are called."""

from __future__ import annotations

from importlib.resources import files

import pytest

from sfumato.text.methods.sanitise import Sanitise
from sfumato.text.note import Record
from sfumato.text.ontology import icd, icd_names
from sfumato.text.replace.apply import applied


def sanitised(method: Sanitise, text: str) -> str:
    return applied(text, method.changes(Record.of(text))[0])[0]


@pytest.mark.parametrize(
    ("system", "code", "chain"),
    [
        ("icd10cm", "E11.9", ["E11.9", "E11", "E08-E13", "E00-E89", "diagnosis"]),
        ("icd9cm", "401.9", ["401.9", "401", "401-405", "390-459", "diagnosis"]),
    ],
)
def test_codes_climb_to_their_chapters(system: str, code: str, chain: list[str]) -> None:
    codes = icd(system)
    assert [codes.labels[one] for one in codes.above(codes.one(code))] == chain


def test_codes_in_a_text_are_shown_as_less_precise_codes() -> None:
    method = Sanitise(50, ("E11.9",), ontology=icd("icd10cm"))
    assert sanitised(method, "Coded e11.9 (E11.9).") == "Coded E11 (E11)."


def test_names_climb_to_their_chapters() -> None:
    names = icd_names()
    chain = [names.labels[one] for one in names.above(names.one("Type 2 diabetes mellitus"))]
    assert chain == [
        "type 2 diabetes mellitus",
        "diabetes mellitus",
        "endocrine, nutritional and metabolic diseases",
        "diagnosis",
    ]
    assert len(names) > 46_000
    assert all(names.parents_of(one) for one in range(1, len(names)))


def test_inclusion_terms_are_other_words_for_a_code() -> None:
    names = icd_names()
    assert set(names.senses_of("classical cholera")) <= names.under(names.one("cholera"))


def test_a_note_is_sanitised_by_names_of_diagnoses() -> None:
    method = Sanitise(100, ("Crohn's disease", "gout"), ontology=icd_names(), prefer=())
    text = "History of Crohn’s disease. Gout since May."
    shown = sanitised(method, text)
    assert "Crohn" not in shown
    assert "Gout" not in shown
    assert shown.endswith(" since May.")


def test_the_names_are_small_and_say_where_they_come_from() -> None:
    data = files("sfumato.text.ontology").joinpath("data")
    assert len(data.joinpath("icd10cm_names.xz").read_bytes()) < 500_000
    assert "simple-icd-10-cm" in data.joinpath("NOTICE.md").read_text(encoding="utf-8")
