"""Identifiers that hide: behind look-alikes, marks of spreadsheets, titles, initials, in names of columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.schema import Role
from sfumato.masking import masking_plan
from sfumato.recipe.guess import ColumnSummary, guess
from sfumato.recipe.identifier_forms import form_of, is_nested
from sfumato.recipe.init import write_recipe
from sfumato.recipe.kept_columns import refuse_identifying_codes
from sfumato.recipe.person_names import are_names_of_persons

HIDDEN = {
    "hyphens that do not break": ("934\u201141\u20115864", "925\u201145\u20111207"),
    "zero width": ("ada@\u200bpost.example", "jk@\u200bpost.example"),
    "digits of another script": ("６１７-５５５-０１９９", "６１７-５５５-０１４２"),
    "formulas of a spreadsheet": ('="934-41-5864"', '="925-45-1207"'),
    "apostrophes of a spreadsheet": ("'617-555-0199", "'617-555-0142"),
    "names in networks": ("@ada_lovelace", "@jurgen.k"),
    "telephones as numbers": ("6175550199", "6175550142"),
    "telephones as a spreadsheet writes them": ("6.175550199E+09", "6.175550142E+09"),
    "telephones as fractions": ("6175550199.0", "6175550142.0"),
    "numbers of people in a formula": ('="934415864"', '="925451207"'),
}
NAMES = {
    "initials before": ("A. Lovelace", "J. Kowalski", "G. Rossi", "M. Yilmaz"),
    "initials behind": ("Lovelace, Ada K.", "Kowalski, Jürgen", "Rossi, Giulia M.", "Yilmaz, Mehmet"),
    "titles": ("Mrs Smith", "Mr Jones", "Ms Brown", "Dr. Taylor"),
    "small letters": ("ada lovelace", "jürgen kowalski", "giulia rossi", "mehmet yilmaz"),
    "as in an address": ("ada.lovelace", "jurgen.kowalski", "giulia.rossi", "mehmet.yilmaz"),
}


@pytest.mark.parametrize("what", HIDDEN)
def test_what_hides_an_identifier_does_not_make_it_a_quasi_identifier(what: str) -> None:
    column = ColumnSummary("x", "string", 40, 2, 0, HIDDEN[what] * 20)
    assert guess(column).role is Role.IDENTIFIER


@pytest.mark.parametrize("value", ["617\u2011555\u20110199", "ada@\u200bpost.example"])
def test_a_kept_column_and_codes_are_looked_over_without_what_hides(value: str) -> None:
    form = form_of(value)
    assert form is not None
    assert form.sure


@pytest.mark.parametrize("what", NAMES)
def test_names_are_found_in_other_orders_and_letters(what: str) -> None:
    assert are_names_of_persons(NAMES[what])


@pytest.mark.parametrize(
    "values",
    [
        ("52000", "48000", "61000"),
        ("123456789.5", "987654321.5"),
        ("20210131", "20210201"),
        ("150000000", "1200", "35"),
    ],
)
def test_amounts_and_days_are_no_numbers_of_people(values: tuple[str, ...]) -> None:
    assert guess(ColumnSummary("x", "string", 60, len(values), 0, values * 20)).role is not Role.IDENTIFIER


@pytest.mark.parametrize(
    "values",
    [
        ("type a", "type b", "not known"),
        ("blue eyes", "green eyes", "brown eyes"),
        ("never smoked", "former smoker", "current smoker"),
        ("heart failure", "breast cancer", "high fever"),
        ("MR brain", "MR spine", "mr head"),
        ("Prof-specialty", "Exec-managerial", "Craft-repair"),
    ],
)
def test_other_words_in_small_letters_are_no_names(values: tuple[str, ...]) -> None:
    assert not are_names_of_persons(values)


@pytest.mark.parametrize(
    "name", ["lname", "pt_name", "NAME_LAST", "Name (full)", "имя", "Фамилия", "이름", "όνομα"]
)
def test_columns_of_names_are_known_by_more_names(name: str) -> None:
    assert guess(ColumnSummary(name, "string", 40, 4, 0, ("Qevrix", "Moruk") * 20)).role is Role.IDENTIFIER


SECRET_NUMBERS = {
    "numbers of people, one each": [900_110_000 + 7 * i for i in range(60)],
    "numbers of people, shared": [934_415_864, 925_451_207, 911_223_344] * 20,
    "telephones": [6_175_550_100 + i for i in range(60)],
    "days without separators": [20_200_301 + i % 28 for i in range(60)],
    "points in time": [pd.Timestamp(2020, 3, 1 + i % 3, 10) for i in range(60)],
}


def kept_as_other(values: list[Any]) -> Any:
    people = pd.DataFrame({"age": [30 + i % 2 for i in range(len(values))], "column": values})
    plan = masking_plan(kinds={"age": "age", "column": "other"}, policy="safe-harbor")
    return sf.protect(
        people, quasi=["age"], sensitive="column", models=sf.KAnonymity(2), masking=plan, method=sf.Keep()
    )


@pytest.mark.parametrize("what", SECRET_NUMBERS)
def test_a_policy_looks_over_numbers_and_times_as_it_does_texts(what: str) -> None:
    with pytest.raises(sf.BadInput, match="its kind is 'other'"):
        kept_as_other(SECRET_NUMBERS[what])


@pytest.mark.parametrize("values", [[52_000, 61_000, 48_500] * 20, [1.5, 2.25, 120.0] * 20])
def test_a_policy_lets_amounts_pass(values: list[Any]) -> None:
    assert kept_as_other(values).verdicts[0].holds


@pytest.mark.parametrize("form", ["{d} March 2020", "Mar {d}, 2020", "2020{m:02d}{d:02d}", "{d}-Apr-2020"])
def test_a_sensitive_column_of_days_is_refused_however_they_are_written(form: str) -> None:
    days = [form.format(d=1 + i % 28, m=1 + i % 12) for i in range(300)]
    people = pd.DataFrame({"age": [20 + i % 11 for i in range(300)], "day": days})
    with pytest.raises(sf.PromiseNotMet, match="dates, which others may know"):
        sf.protect(people, quasi=["age"], sensitive="day", models=sf.KAnonymity(5), method=sf.Keep())


@pytest.mark.parametrize("hidden", ["MRN 4839201", "12 Rose Lane", "617\u2011555\u20110199"])
def test_codes_are_looked_over_as_other_columns_are(hidden: str) -> None:
    with pytest.raises(sf.BadInput, match="1 of its 3 codes") as refused:
        refuse_identifying_codes("codes", ["I10", "E11.9", hidden])
    assert hidden not in str(refused.value)


def test_codes_of_all_kinds_are_no_identifiers() -> None:
    codes = ["I10", "4548-4", "1.1.1.27", "900000000000207008", "0002-8215-01", "99213", "E0112", "C18.9/2"]
    refuse_identifying_codes("codes", codes)


def test_an_identifier_is_found_anywhere_in_a_long_text() -> None:
    for before in (0, 290, 350, 395, 5_000):
        form = form_of("x" * before + " call 617-555-0199 " + "y" * 900)
        assert form is not None
        assert form.kind == "phone"
    assert form_of("ACGT" * 5_000) is None


@pytest.mark.parametrize("depth", [2, 600, 900])
def test_lists_in_lists_are_nested_however_deep(depth: int) -> None:
    assert is_nested("[" * depth + "]" * depth)


def test_a_file_without_a_header_is_refused_without_its_first_record(tmp_path: Path) -> None:
    lines = [f"Ada Lovelace,{30 + i % 4},ada@post.example" for i in range(40)]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    with pytest.raises(sf.BadInput, match="the name of column 3") as refused:
        write_recipe(tmp_path / "data.csv")
    assert "ada" not in str(refused.value).lower().replace("data.csv", "")


def test_no_release_has_a_column_that_is_called_like_a_person() -> None:
    people = pd.DataFrame({"age": [30] * 10, "ada@post.example": ["yes"] * 10})
    with pytest.raises(sf.BadInput, match="the name of column 2") as refused:
        sf.protect(people, quasi=["age"], models=sf.KAnonymity(2))
    assert "ada" not in str(refused.value)
