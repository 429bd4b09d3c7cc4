"""Sets of codes that are recognised in files, and tables that stay tables."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from sfumato.core.errors import BadInput
from sfumato.recipe.codes.init import CodesProposal, system_of
from sfumato.recipe.init import Proposal, propose_either, write_recipe
from sfumato.recipe.load import load

ICD_9 = ("401.9", "250.00", "V30.00", "E812.0", "038.9")


def long_table(names: str, codes: tuple[str, ...] = ICD_9, people: int = 8) -> str:
    """Write a file with three rows for each person: who, which stay, which code."""
    rows = [f"p{i},s{i}{j // 2},{codes[(i + j) % len(codes)]}" for i in range(people) for j in range(3)]
    return "\n".join([names, *rows]) + "\n"


def proposed(folder: Path, name: str, content: str) -> Proposal | CodesProposal:
    (folder / name).write_text(content)
    return propose_either(folder / name)


@pytest.mark.parametrize(
    "names",
    [
        "SUBJECT_ID,HADM_ID,ICD9_CODE",
        "patient,encounter,diagnosis_code",
        "customer_id,invoice,product",
        "Patientennummer,visit,dx",
        "person_id,stay,condition",
        "user,session,item",
        "id,visit,code",
        "user_id,order_id,product_id",
        "person_id,visit_occurrence_id,condition_concept_id",
    ],
)
def test_a_long_table_is_recognised_by_its_names(names: str, tmp_path: Path) -> None:
    found = proposed(tmp_path, "visits.csv", long_table(names))
    assert isinstance(found, CodesProposal)
    person, visit, code = names.split(",")
    assert (found.guess.person, found.guess.visit, found.guess.codes) == (person, visit, (code,))
    assert found.guess.layout == "long"
    assert found.people == 8


def test_codes_are_recognised_by_their_values_too(tmp_path: Path) -> None:
    found = proposed(tmp_path, "visits.csv", long_table("patient,stay,what"))
    assert isinstance(found, CodesProposal)
    assert found.guess.codes == ("what",)
    assert found.system == "icd9cm"


def test_a_basket_stands_for_a_person_where_nobody_is_named(tmp_path: Path) -> None:
    found = proposed(tmp_path, "shop.csv", "invoice,product\n1,a\n1,b\n2,a\n2,c\n")
    assert isinstance(found, CodesProposal)
    assert found.guess.person == "invoice"
    assert "no column names a person" in found.reason("invoice")


def test_codes_that_a_spreadsheet_rounded_are_passed_over_for_their_texts(tmp_path: Path) -> None:
    rows = "".join(f"p{i},1.24171E+14,cold\np{i},4.0055E+7,flu\np{i},1.24171E+14,cough\n" for i in range(6))
    found = proposed(tmp_path, "conditions.csv", "PATIENT,CODE,DESCRIPTION\n" + rows)
    assert isinstance(found, CodesProposal)
    assert found.guess.codes == ("DESCRIPTION",)
    assert "a spreadsheet has rounded its values" in found.reason("CODE")


@pytest.mark.parametrize(
    ("name", "content", "layout"),
    [
        ("shop.dat", "1 2 3\n2 3\n", "baskets"),
        ("sets.jsonl", '{"who": "a", "codes": ["x", "y"]}\n{"who": "b", "codes": ["x"]}\n', "lists"),
        ("arrays.jsonl", '["x", "y"]\n["x"]\n', "lists"),
        ("cells.csv", "patient,diagnoses\n1,E11.9;I10\n2,I10\n3,E11.9;J45.909\n", "cells"),
        ("blanks.csv", "patient,x\n1,E11.9 I10\n2,I10\n3,E11.9 J45.909\n", "cells"),
        (
            "log.txt",
            "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n7\tdry mouth\t2006-03-01\t1\thttp://a.org\n"
            "7\tdentist\t2006-03-01\t\t\n3\tdentist york\t2006-03-01\t\t\n",
            "search-log",
        ),
    ],
)
def test_other_layouts_are_recognised(name: str, content: str, layout: str, tmp_path: Path) -> None:
    found = proposed(tmp_path, name, content)
    assert isinstance(found, CodesProposal)
    assert found.guess.layout == layout


def test_a_list_column_of_parquet_is_recognised_beside_any_other_column(tmp_path: Path) -> None:
    table = pa.table({"age": [30, 40, 50], "sex": list("fmf"), "items": [["a"], ["b"], []]})
    pq.write_table(table, tmp_path / "sets.parquet")
    found = propose_either(tmp_path / "sets.parquet")
    assert isinstance(found, CodesProposal)
    assert found.guess.codes == ("items",)


@pytest.mark.parametrize(
    "content",
    [
        "patient_id,age,sex,diagnosis\n" + "".join(f"p{i // 2},3{i % 5},f,E1{i % 4}.9\n" for i in range(40)),
        "patient_id,diagnosis\n" + "".join(f"p{i},E1{i % 4}.9\n" for i in range(40)),
        "patient_id,diagnosis\n" + "".join(f"p{i // 2},E1{i // 2 % 4}.9\n" for i in range(40)),
        "patient_id,zip_code,bought\n" + "".join(f"p{i // 2},{10000 + i},x\n" for i in range(40)),
        "patient_id,address\n" + "".join(f"p{i},{i} High Street; York\n" for i in range(40)),
        "patient_id,diagnosis_date\n" + "".join(f"p{i // 2},2020-01-{i % 28 + 1:02}\n" for i in range(40)),
        "patient_id,ward_name\n" + "".join(f"p{i // 2},ward {i % 4}\n" for i in range(40)),
        "patient_id,record_code\n" + "".join(f"p{i // 2},{i}\n" for i in range(40)),
        "patient_id,diagnosis,severity\n" + "".join(f"p{i // 2},E1{i % 4}.9,{i % 3}\n" for i in range(40)),
    ],
    ids=[
        "demographics",
        "one row each",
        "the same code again",
        "a zip code",
        "an address with a separator",
        "a date",
        "names of something else",
        "a number for each row",
        "another measure",
    ],
)
def test_tables_stay_tables(content: str, tmp_path: Path) -> None:
    assert isinstance(proposed(tmp_path, "people.csv", content), Proposal)


def test_the_kind_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    path.write_text(long_table("patient,stay,dx"))
    assert isinstance(propose_either(path, kind="table"), Proposal)
    path.write_text("age,sex\n30,f\n31,m\n")
    with pytest.raises(BadInput, match="no column was recognised that holds codes"):
        propose_either(path, kind="codes")
    with pytest.raises(BadInput, match="there is no kind 'sets'"):
        propose_either(path, kind="sets")


def test_a_policy_for_identifiers_is_refused_for_codes(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text(long_table("patient,stay,dx"))
    with pytest.raises(BadInput, match="is for tables"):
        write_recipe(tmp_path / "visits.csv", policy="safe-harbor")
    assert not (tmp_path / "recipe.yaml").exists()


def test_plain_numbers_are_goods_unless_the_name_speaks_of_diagnoses() -> None:
    assert system_of(("401", "389", "2500"), "item")[0] is None
    assert system_of(("4019", "3899", "25000"), "icd9_code")[0] == "icd9cm"
    assert system_of(("E11.9", "I10", "J45.909"), "x")[0] == "icd10cm"
    assert system_of(("apple", "pear"), "diagnosis")[0] is None
    assert system_of((), "dx") == (None, None)


def test_the_recipe_says_why_and_is_valid(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text(long_table("patient,stay,dx", (*ICD_9, "odd"), people=12))
    path, _ = write_recipe(tmp_path / "visits.csv", k=3)
    text = path.read_text()
    recipe = load(path)
    resource = recipe.resource
    assert (resource.kind, resource.layout) == ("codes", "long")
    field = resource.table_schema.fields[2]
    assert (field.system, field.hierarchy, field.unknown) == ("icd9cm", "icd9cm", "prefix")
    assert yaml.safe_load(text)["models"] == [{"k-m-anonymity": {"k": 3, "m": 2}}]
    assert "5 of 6 codes are known to it" in text
    assert "# names the person, with several rows for some: 12 in 36 rows" in text
    assert "odd" not in text


def test_a_hierarchy_beside_the_data_comes_first(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text(long_table("patient,stay,dx"))
    (tmp_path / "hierarchies").mkdir()
    rows = "".join(f"{code},some,*\n" for code in ICD_9)
    (tmp_path / "hierarchies" / "dx.csv").write_text(rows)
    path, _ = write_recipe(tmp_path / "visits.csv")
    field = load(path).resource.table_schema.fields[2]
    assert field.hierarchy == {"csv": "hierarchies/dx.csv"}
