"""The Python door to sets of codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.codes.disassociated import Disassociated
from sfumato.codes.models import KmAnonymity
from sfumato.codes.published import PublishedSets
from tests.recipe.codes.examples import NAMES, PEOPLE, ward

TREE = sf.Tree({"any": {"A": ["a1", "a2", "a3"], "B": ["b1", "b2"], "S": ["s1", "s2"], "C": ["c1", "c2"]}})
ROWS = [(NAMES[n], code) for n, codes in enumerate(PEOPLE) for code in codes.split()]
LONG = {"who": [who for who, _ in ROWS], "code": [code for _, code in ROWS], "ward": ["x"] * len(ROWS)}
ASKED: dict[str, Any] = {"person": "who", "code": "code", "hierarchy": TREE}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_data_come_back_in_the_frame_that_they_came_in(frame: Any) -> None:
    release = sf.protect_codes(frame(LONG), models=KmAnonymity(3, 2), **ASKED)
    assert isinstance(release.data, type(frame(LONG)))
    assert len(release.data) == len(PEOPLE) - 1
    assert release.verdicts[0].holds
    assert 0 < release.utility["ncp"] < 1
    assert release.evidence.edition == "steward"
    assert release.public.edition == "public"
    records = [list(record) for record in release.data["codes"]]
    assert sf.check_codes([[str(i) for i in r] for r in records], models=KmAnonymity(3, 2))[0].holds


@pytest.mark.parametrize("output", ["lists", "cells", "long"])
def test_released_records_lie_as_asked(output: str) -> None:
    frame = pd.DataFrame(LONG)
    release = sf.protect_codes(frame, models={"k-m-anonymity": {"k": 3, "m": 2}}, output=output, **ASKED)
    assert list(release.data.columns) == (["record", "codes"] if output == "long" else ["codes"])
    assert sf.check_codes(release.data, models=KmAnonymity(3, 2))[0].holds
    assert not sf.check_codes(release.data, models=KmAnonymity(15, 2))[0].holds


def test_a_file_and_a_recipe_give_the_same_promise(tmp_path: Path) -> None:
    ward(tmp_path)
    release = sf.protect_codes(
        tmp_path / "visits.csv",
        person="patient",
        visit="visit",
        code="code",
        hierarchy=TREE,
        sensitive=["s1", "s2"],
        models=KmAnonymity(3, 2),
        method="apriori",
    )
    made = sf.run(tmp_path / "recipe.yaml")
    assert [str(v) for v in release.verdicts] == [str(v) for v in made.verdicts]
    assert release.utility["ncp"] == {one.name: one.value for one in made.evidence.utility}["ncp"]
    shown, public = release.public.model_dump(), made.evidence.model_dump()
    assert shown["recipe"]["models"] == public["recipe"]["models"]
    assert isinstance(release.data, pa.Table)


def test_policies_may_be_given_in_a_call() -> None:
    release = sf.protect_codes(
        pd.DataFrame(LONG),
        person="who",
        code="code",
        models={"privacy-constraints": {"k": 3, "constraints": {"extract": {"size": 2}}}},
        method="ugaclip",
        utility_constraints=[["a1", "a2"], ["b1", "b2"]],
        measures=["query-error"],
    )
    assert release.verdicts[0].holds
    assert {"constraints-broken", "query-error"} <= release.utility.keys()
    assert "extracted" in release.evidence.notes[-1]


def test_a_disassociated_release_is_handed_over_as_clusters(tmp_path: Path) -> None:
    release = sf.protect_codes(
        pd.DataFrame(LONG),
        person="who",
        code="code",
        models={"disassociated-k-m-anonymity": {"k": 3, "m": 2}},
        method="disassociation",
    )
    assert isinstance(release.data, Disassociated)
    assert release.evidence.form == "disassociated"
    assert release.evidence.became is None
    assert "chunks" in release.report(tmp_path / "report.html").read_text()


def test_reports_are_written_for_two_audiences(tmp_path: Path) -> None:
    release = sf.protect_codes(pd.DataFrame(LONG), models=KmAnonymity(3, 2), **ASKED)
    steward = release.report(tmp_path / "steward.html").read_text()
    public = release.report(tmp_path / "public.html", public=True).read_text()
    for words in ("Risk before and after", "What became of the codes", "Signature"):
        assert words in steward
        assert words not in public
    for words in ("What the file shows", "What could still be learned", "up to 2 codes of theirs"):
        assert words in steward
        assert words in public
    with pytest.raises(sf.BadInput, match="cannot be written there"):
        release.report(tmp_path / "nowhere" / "report.html")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"code": "cod"}, "did you mean 'code'"),
        ({"person": "code"}, "both codes and person"),
        ({"output": "list"}, "did you mean 'lists'"),
        ({"order": "sorted"}, "'order' cannot be 'sorted'"),
        ({"models": []}, "no model was given"),
        ({"models": 5}, "'model' is a int"),
        ({"models": KmAnonymity}, "'model' is a type"),
        ({"method": "mondrian"}, "there is no method 'mondrian'"),
        ({"sensitive": [401.1]}, "write codes in quotes"),
        ({"hierarchy": None}, "along a hierarchy, and there is none"),
        ({"measures": [5]}, "a measure is a int"),
        ({"layout": "lng"}, "'layout' cannot be 'lng'; did you mean 'long'"),
        ({"unknown": "drop"}, "'unknown' cannot be 'drop'"),
        ({"system": "icd11"}, "there is no code system"),
        ({"visit": "ward", "layout": "cells"}, "visits are known only in the layout long"),
        ({"layout": "search-log", "code": ["code", "ward"]}, "one column of queries"),
        ({"code": ["code", "ward"], "layout": "long"}, "2 columns have the role codes"),
    ],
)
def test_a_call_that_cannot_be_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(sf.BadInput, match=said):
        sf.protect_codes(pd.DataFrame(LONG), **{"models": KmAnonymity(3, 2), **ASKED, **change})


def test_nobody_and_nothing_to_protect_is_refused() -> None:
    empty = pd.DataFrame({"who": ["a", "b"], "code": [None, ""]})
    with pytest.raises(sf.BadInput, match="2 people and no code"):
        sf.protect_codes(empty, models=KmAnonymity(1, 1), **ASKED)


def test_a_check_takes_sets_however_they_come() -> None:
    records = [["401", "295"], ["401"], ["401", "295"]]
    model = {"k-m-anonymity": {"k": 2, "m": 2}}
    table = pa.table({"codes": ["401 295", "401", "295 401"]})
    for data in (records, PublishedSets.of(records), table, pd.DataFrame({"codes": records})):
        assert sf.check_codes(data, models=model)[0].achieved == "k = 2"


def test_a_check_reads_what_labels_stand_for_and_which_codes_are_sensitive() -> None:
    table = pa.table({"codes": ["401 295", "401", "401.1", "401 295"]})
    items = {"401": ["401.1", "401.9"], "401.1": ["401.1"], "295": ["295"]}
    nodes, leaves = sf.check_codes(
        table, items=items, models=[KmAnonymity(2, 1), {"k-m-anonymity": {"k": 2, "m": 1, "match": "leaf"}}]
    )
    assert not nodes.holds
    assert leaves.holds
    lkc = {"lkc-privacy": {"l": 1, "k": 2, "c": 0.6}}
    assert not sf.check_codes(table, items=items, models=lkc, sensitive="295")[0].holds
    with pytest.raises(sf.BadInput, match="did you mean 'cells'"):
        sf.check_codes(table, models=lkc, layout="cell")
    with pytest.raises(sf.BadInput, match="public and sensitive codes together"):
        sf.check_codes(table, items=items, models=lkc, sensitive=["401.1"])


def test_codes_are_read_whatever_their_layout() -> None:
    frame = pd.DataFrame({"who": ["b", "a", "b"], "code": ["401.1", "295", "295"]})
    assert list(sf.read_codes(frame, sf.Long("who", "code")).sets) == [("295",), ("295", "401.1")]
    cells = pd.DataFrame({"codes": ["401.1;295", "295"]})
    assert list(sf.read_codes(cells, sf.Cells("codes")).sets) == [("295", "401.1"), ("295",)]
