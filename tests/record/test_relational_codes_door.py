"""The Python door to a table and codes about the same people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.codes.contract import Problem
from sfumato.codes.methods.apriori import AprioriAnonymisation
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import SeededRandom
from sfumato.hierarchy import Balanced, Tree
from sfumato.hierarchy.ladder import UncoveredValues
from sfumato.record.relational_codes import (
    KKmAnonymity,
    PublishedRecords,
    RecordsRelease,
    RelationalCodes,
    protect_records,
)
from tests.oracles.relational_codes import fewest

TREE = Tree({"any": {"401": ["401.0", "401.1"], "295": None}})
PEOPLE = {"who": list("abcdef"), "age": [20, 21, 40, 41, 60, 61], "sex": list("fmfmfm")}
VISITS = {
    "who": list("aabbcddeef"),
    "code": ["401.0", "295", "401.1", "295", "401.0", "401.1", "295", "295", "401.0", "295"],
}


def protected(
    people: Any = None, visits: Any = None, *, k: int = 2, m: int = 2, delta: float = 1.0, **more: Any
) -> RecordsRelease:
    return protect_records(
        pl.DataFrame(PEOPLE) if people is None else people,
        pl.DataFrame(VISITS) if visits is None else visits,
        **{
            "person": "who",
            "quasi": ["age", "sex"],
            "code": "code",
            "model": KKmAnonymity(k, m),
            "code_hierarchy": TREE,
            "method": RelationalCodes(delta=delta),
            **more,
        },
    )


def test_one_release_holds_quasi_identifiers_and_items_and_nothing_else() -> None:
    release = protected(pl.DataFrame({**PEOPLE, "name": list("uvwxyz")}))
    assert release.data.columns == ["age", "sex", "codes"]
    assert release.data["codes"].dtype == pl.List(pl.String)
    rows = release.data.select("age", "sex").rows()
    reached = fewest(rows, [list(items) for items in release.data["codes"]], 2)
    assert reached is not None
    assert reached >= 2
    assert release.verdicts[0].holds


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_same_kind_of_frame_comes_out(frame: Any) -> None:
    release = protected(frame(PEOPLE), frame(VISITS))
    assert isinstance(release.data, type(frame(PEOPLE)))


def test_both_losses_are_told() -> None:
    release = protected(delta=1.0, method=RelationalCodes("rmerge", 1.0))
    assert release.utility["table.gcp"] == 1.0
    assert 0.0 <= release.utility["codes.ncp"] <= 1.0
    assert release.utility["codes.utility-loss"] < 0.0
    assert release.utility["codes.ncp"] == pytest.approx(release.details["T"])
    assert release.utility["table.gcp"] == pytest.approx(release.details["R"])


def test_rows_leave_in_a_drawn_order_unless_kept() -> None:
    kept = protected(order="kept").data
    drawn = protected(random=SeededRandom(1)).data
    permutation = SeededRandom(1).permutation(6).tolist()
    assert drawn.rows() == [kept.rows()[place] for place in permutation]
    assert permutation != sorted(permutation)


def test_cells_can_be_asked_for() -> None:
    assert protected(output="cells", order="kept").data["codes"].dtype == pl.String


def test_codes_may_lie_in_lists_or_cells_and_the_person_be_called_otherwise() -> None:
    lists = pl.DataFrame({"patient": list("abc"), "held": [["295"], ["295", "401.0"], []]})
    cells = pl.DataFrame({"patient": list("abc"), "held": ["295", "295;401.0", ""]})
    expected = protected(visits=lists, code="held", code_person="patient", order="kept").data
    assert protected(
        visits=cells, code="held", code_person="patient", separator=";", order="kept"
    ).data.equals(expected)
    assert protected(
        visits=cells, code="held", code_person="patient", layout="cells", order="kept"
    ).data.equals(expected)


def test_files_are_read(tmp_path: Path) -> None:
    pl.DataFrame(PEOPLE).write_csv(tmp_path / "people.csv")
    pl.DataFrame(VISITS).write_csv(tmp_path / "visits.csv")
    release = protected(tmp_path / "people.csv", str(tmp_path / "visits.csv"), order="kept")
    assert release.data.to_pylist() == protected(pa.table(PEOPLE), order="kept").data.to_pylist()


def test_people_are_joined_whether_they_are_numbers_or_texts() -> None:
    people = pl.DataFrame({**PEOPLE, "who": [1, 2, 3, 4, 5, 6]})
    visits = pl.DataFrame({"who": ["1", "2", "3", "4", "5", "6"], "code": ["295"] * 6})
    assert protected(people, visits).details["codes left out"] == 0


def test_people_without_codes_stay_with_an_empty_set_and_are_counted() -> None:
    visits = pl.DataFrame({"who": list("abcd"), "code": ["295"] * 4})
    release = protected(visits=visits, order="kept", delta=1.0)
    assert len(release.data) == 6
    assert [list(items) for items in release.data["codes"]] == [["295"]] * 4 + [[], []]
    assert "of 6 people, 2 have no code: kept, with an empty set" in release.notes


def test_a_person_whose_codes_are_all_missing_counts_as_one_without_codes() -> None:
    visits = pl.DataFrame({"who": list("abcdef"), "code": ["295"] * 5 + [None]})
    assert "of 6 people, 1 has no code: kept, with an empty set" in protected(visits=visits).notes


def test_codes_of_people_who_are_not_in_the_table_are_refused_or_left_out_and_counted() -> None:
    visits = pl.DataFrame({"who": [*VISITS["who"], "z", "z"], "code": [*VISITS["code"], "999", "295"]})
    with pytest.raises(BadInput, match=r"of 7 people with codes, 1 is not in the table.*strangers='drop'"):
        protected(visits=visits)
    release = protected(visits=visits, strangers="drop", order="kept")
    assert "codes of 1 person who is not in the table were left out" in release.notes
    # The code that only the stranger has is in no hierarchy, and is gone with them.
    assert release.data.equals(protected(order="kept").data)


def test_nobody_in_common_is_refused_whatever_is_said_of_strangers() -> None:
    visits = pl.DataFrame({"who": ["x", "y"], "code": ["295", "295"]})
    with pytest.raises(BadInput, match="nobody with codes is in the table"):
        protected(visits=visits, strangers="drop")


@pytest.mark.parametrize(
    ("people", "message"),
    [
        ({**PEOPLE, "who": list("abcdee")}, "1 row is about somebody who has another row"),
        ({**PEOPLE, "who": ["a", "b", "c", "d", "e", None]}, "1 row has no person"),
        ({**PEOPLE, "who": ["a", "b", "c", "d", " ", ""]}, "2 rows have no person"),
        ({"who": [], "age": [], "sex": []}, "no rows"),
    ],
)
def test_tables_that_do_not_say_whose_rows_they_hold_are_refused(people: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        protected(pl.DataFrame(people, schema_overrides={"who": pl.String}))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"quasi": []}, "no column is a quasi-identifier"),
        ({"quasi": ["age", "age"]}, "named twice"),
        ({"quasi": ["age", "who"]}, "named twice"),
        ({"quasi": ["agee"]}, "there is no column 'agee'"),
        ({"code": "cod"}, "there is no column 'cod'"),
        ({"person": "whom"}, "there is no column 'whom'"),
        ({"output": "long"}, "'output' cannot be 'long'"),
        ({"order": "random"}, "'order' cannot be 'random'"),
        ({"unknown": "keep"}, "'unknown' cannot be 'keep'"),
        ({"strangers": "keep"}, "'strangers' cannot be 'keep'"),
        ({"layout": "wide"}, "'layout' cannot be 'wide'"),
        ({"separator": ";", "layout": "long"}, "a separator is for cells"),
        ({"code_hierarchy": None}, "generalises along a hierarchy"),
        ({"hierarchies": {"agee": Tree({"*": ["20"]})}}, "'agee' is no quasi-identifier"),
    ],
)
def test_calls_that_cannot_be_understood_are_refused(more: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        protected(**more)


def test_a_quasi_identifier_may_not_be_called_like_the_released_codes() -> None:
    people = pl.DataFrame(PEOPLE).rename({"age": "codes"})
    with pytest.raises(BadInput, match="rename the column"):
        protected(people, quasi=["codes", "sex"])


def test_codes_that_the_hierarchy_does_not_know_are_refused_shown_under_the_root_or_left_out() -> None:
    visits = pl.DataFrame({"who": [*VISITS["who"], "a", "b"], "code": [*VISITS["code"], "999", "999"]})
    with pytest.raises(UncoveredValues):
        protected(visits=visits)
    assert protected(visits=visits, unknown="root").verdicts[0].holds
    left_out = protected(visits=visits, unknown="suppress", order="kept")
    assert left_out.data.equals(protected(order="kept").data)
    assert any("does not know left out" in note for note in left_out.notes)


def test_hierarchies_say_how_quasi_identifiers_are_generalised() -> None:

    release = protected(
        hierarchies={"age": Balanced(2)}, method=RelationalCodes(delta=1.0, output="hierarchy")
    )
    assert release.verdicts[0].holds


def test_k_larger_than_the_number_of_people_is_a_promise_that_cannot_be_met() -> None:
    with pytest.raises(PromiseNotMet, match="more than the 6 persons"):
        protected(k=7)


def test_no_message_holds_a_value_of_the_data() -> None:
    visits = pl.DataFrame(
        {"who": [*VISITS["who"], "secret-person"], "code": [*VISITS["code"], "secret-code"]}
    )
    with pytest.raises(BadInput) as refused:
        protected(visits=visits)
    with pytest.raises(BadInput) as unknown:
        protected(visits=pl.DataFrame({"who": ["a"], "code": ["secret-code"]}))
    assert "secret" not in str(refused.value) + str(unknown.value)


@pytest.mark.golden
def test_patients_whose_table_and_codes_are_protected_apart_are_found_and_together_they_are_not(
    shared: Path,
) -> None:
    clinical = shared / "data" / "codes" / "clinical"
    people = pl.read_csv(clinical / "synthea_1k_patients.csv.gz", infer_schema=False).select(
        "Id", "GENDER", "RACE", year=pl.col("BIRTHDATE").str.slice(0, 4).cast(pl.Int64)
    )
    conditions = pl.read_csv(clinical / "synthea_1k_conditions.csv.gz", infer_schema=False)
    conditions = conditions.drop_nulls("PATIENT")
    quasi, model = ["year", "GENDER", "RACE"], KKmAnonymity(5, 2)
    release = protect_records(
        people,
        conditions,
        person="Id",
        code_person="PATIENT",
        quasi=quasi,
        code="DESCRIPTION",
        code_hierarchy=Balanced(5),
        model=model,
        method=RelationalCodes(delta=0.2),
    )
    assert release.verdicts[0].holds
    assert release.utility["table.gcp"] <= 0.2
    assert release.utility["codes.ncp"] < 0.3

    table = sf.protect(
        people, quasi=quasi, identifier=["Id"], models=[sf.KAnonymity(5)], method=sf.Mondrian(), order="kept"
    )
    assert table.verdicts[0].holds
    held = dict(conditions.group_by("PATIENT").agg(pl.col("DESCRIPTION").unique()).rows())
    sets = CodeSets.of([held.get(one, []) for one in people["Id"]])
    tree = CodeTree.of(Balanced(5), sets.domain)
    codes = AprioriAnonymisation().protect(Problem(sets, (KmAnonymity(5, 2),), tree)).published
    assert isinstance(codes, PublishedSets)
    assert KmAnonymity(5, 2).check(codes).holds
    apart = model.check(PublishedRecords(table.data.select(quasi).to_arrow(), codes))
    assert not apart.holds
    assert apart.achieved == "k = 1"
