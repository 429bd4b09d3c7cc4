from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.verdict import Basis
from tests.oracles.k_anonymity import smallest_class
from tests.table import lecture_tables as lecture


def achieved(data: pd.DataFrame, quasi: str, person: str | None = None) -> str:
    return sf.check(data, quasi=quasi.split(), models=[sf.KAnonymity(1)], person=person)[0].achieved


@pytest.mark.parametrize(
    ("data", "quasi", "k"),
    [
        (lecture.NOT_2_ANONYMOUS, "sex age zip", 1),
        (lecture.REPAIRED, "sex age zip", 2),
        (lecture.RACE_BIRTH_GENDER_ZIP, "race birth gender zip", 2),
        (lecture.SEX_AGE_DIAGNOSIS, "sex age", 2),
        (lecture.ONE_CLASS_OF_FIVE, "sex age zip", 5),
        (lecture.MULTIDIMENSIONAL, "age postcode", 3),
        (lecture.LOCAL, "age postcode", 2),
        (lecture.DE_IDENTIFIED, "age postcode sex", 1),
        (lecture.RECORD_SUPPRESSED, "age postcode sex", 2),
        (lecture.VALUE_SUPPRESSED, "age postcode sex", 2),
    ],
)
def test_the_lecture_tables_have_the_k_of_the_lecture(data: pd.DataFrame, quasi: str, k: int) -> None:
    assert achieved(data, quasi) == f"k = {k}"


def test_k_anonymity_holds_at_the_boundary_and_not_one_above() -> None:
    for k, holds in ((1, True), (2, True), (3, False)):
        verdict = sf.check(lecture.SEX_AGE_DIAGNOSIS, quasi=["sex", "age"], models=[sf.KAnonymity(k)])[0]
        assert verdict.holds is holds


def test_the_witness_is_the_row_that_stands_alone() -> None:
    verdict = sf.check(lecture.NOT_2_ANONYMOUS, quasi=["sex", "age", "zip"], models=[sf.KAnonymity(2)])[0]
    assert not verdict.holds
    assert verdict.witness is not None
    assert verdict.witness.rows == (5,)
    assert verdict.witness.size == 1
    assert verdict.violations == 1
    assert "20-29" not in str(verdict)


def test_persons_are_counted_once_however_many_rows_they_have() -> None:
    data = pd.DataFrame({"age": [30, 30, 30], "who": ["a", "a", "b"]})
    assert achieved(data, "age") == "k = 3"
    assert achieved(data, "age", person="who") == "k = 2"


def test_counting_persons_cannot_be_checked_from_the_release_alone() -> None:
    data = pd.DataFrame({"age": [30, 30], "who": ["a", "b"]})
    verdict = sf.check(data, quasi=["age"], models=[sf.KAnonymity(2)], person="who")[0]
    assert verdict.basis is Basis.ORIGINAL


def test_missing_is_a_value_of_its_own() -> None:
    data = pd.DataFrame({"age": ["30", "30", None], "sex": ["F", "F", "F"]})
    assert achieved(data, "age sex") == "k = 1"


def test_an_empty_table_breaks_no_promise_and_says_so() -> None:
    verdict = sf.check(
        pd.DataFrame({"age": pd.Series([], dtype=str)}), quasi=["age"], models=[sf.KAnonymity(2)]
    )[0]
    assert verdict.holds
    assert verdict.achieved == "no records"


@pytest.mark.parametrize("k", [0, -1, 2.5, True, "5"])
def test_k_must_be_a_whole_number_of_at_least_one(k: object) -> None:
    with pytest.raises(sf.BadInput, match="whole number"):
        sf.KAnonymity(k)  # type: ignore[arg-type]


values = st.sampled_from(["a", "b", None])


@given(st.lists(st.tuples(values, values, st.sampled_from("xyz")), min_size=1, max_size=12))
def test_check_agrees_with_counting_by_hand(rows: list[tuple[str | None, str | None, str]]) -> None:
    data = pd.DataFrame(rows, columns=["p", "q", "who"], dtype=object)
    records = data.to_dict("records")
    assert achieved(data, "p q") == f"k = {smallest_class(records, ['p', 'q'])}"
    assert achieved(data, "p q", person="who") == f"k = {smallest_class(records, ['p', 'q'], 'who')}"
