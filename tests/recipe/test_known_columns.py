"""What passes unseen in a table of 300 people: each trap is warned of or refused, by call and by recipe."""

from __future__ import annotations

import datetime as dt
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.core.evidence import ColumnExposure
from sfumato.core.findings import Status
from sfumato.core.verdict import Basis
from sfumato.demo.hospital import generate
from sfumato.recipe.init import write_recipe
from sfumato.recipe.verify_columns import CLAIM, WARNED
from tests.oracles import known_columns as oracle
from tests.recipe.examples import forge_report

PEOPLE = 300
QUASI = ("age", "zip", "sex")
DRAW = random.Random(11)
WARD = pd.DataFrame(
    {
        "age": [str(DRAW.randrange(18, 90)) for _ in range(PEOPLE)],
        "zip": [f"372{DRAW.randrange(10, 60)}" for _ in range(PEOPLE)],
        "sex": [DRAW.choice("fm") for _ in range(PEOPLE)],
        "ill": [DRAW.choice(("flu", "asthma", "cancer", "none")) for _ in range(PEOPLE)],
    }
)
VISITS = [(dt.date(2024, 1, 1) + dt.timedelta(DRAW.randrange(200))).isoformat() for _ in range(PEOPLE)]
NOTES = [
    f"came in with pain in the left arm, was given {DRAW.randrange(250)} mg and sent home"
    for _ in range(PEOPLE)
]
LEVELS = {"age": {"intervals": {"widths": [5, 10, 20]}}, "zip": {"mask": {}}, "sex": "flat"}


def protect(data: pd.DataFrame, *, quasi: Sequence[str] = QUASI, **options: Any) -> sf.Release:
    options.setdefault("sensitive", ["ill"])
    options.setdefault("models", [sf.KAnonymity(5)])
    options.setdefault("method", sf.Mondrian())
    return sf.protect(data, quasi=list(quasi), **options)


def run(
    folder: Path,
    data: pd.DataFrame,
    roles: dict[str, str],
    models: str = "k-anonymity: {k: 5}",
    method: str = "mondrian",
) -> Any:
    data.to_csv(folder / "people.csv", index=False)
    told = {**dict.fromkeys(QUASI, "role: quasi-identifier"), "ill": "role: sensitive", **roles}
    fields = "".join(f"        - {{name: {n}, {told[n]}}}\n" for n in data.columns)
    promised = "".join(f"  - {model}\n" for model in models.split(" + "))
    (folder / "recipe.yaml").write_text(
        f"sfumato: 1\nresources:\n  - path: people.csv\n    schema:\n      fields:\n{fields}"
        f"models:\n{promised}method: {method}\n"
    )
    return sf.run(folder / "recipe.yaml", out=folder / "out", replace=True)


def exposure_of(evidence: Any, column: str) -> ColumnExposure:
    found: ColumnExposure = next(one for one in evidence.exposure if one.column == column)
    return found


TRAPS = {
    "copy": (WARD["zip"], "follows from 'zip'"),
    "visit": (VISITS, "dates"),
    "note": (NOTES, "free text"),
    "number": ([str(DRAW.randrange(121)) for _ in range(PEOPLE)], "no promise covers it"),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_an_insensitive_column_that_tells_people_apart_is_refused_until_confirmed(trap: str) -> None:
    values, reason = TRAPS[trap]
    data = WARD.assign(**{trap: list(values)})
    with pytest.raises(sf.PromiseNotMet, match=f"column '{trap}': it is insensitive.*{reason}") as error:
        protect(data)
    assert "have fewer than 5 candidates when it is known, too" in error.value.what
    assert "'confirmed: true'" in error.value.remedy
    release = protect(data, confirmed=[trap])
    told = exposure_of(release.evidence, trap)
    published = release.data.astype(object).where(release.data.notna(), None).to_dict("records")
    people, fewer, added = oracle.candidates(published, QUASI, trap, 5)
    assert (told.people, told.fewer, told.added) == (people, fewer, added)
    assert fewer > PEOPLE / 5
    assert any(f"{fewer} of 300 people" in w and f"'{trap}' is known" in w for w in release.evidence.warnings)
    with pytest.raises(sf.PromiseNotMet) as both:
        protect(data.assign(again=data[trap]))
    assert both.value.remedy.endswith("look also at 'again'")
    # Another column that is confirmed does not help.
    with pytest.raises(sf.PromiseNotMet, match=f"column '{trap}'"):
        protect(data, confirmed=["ill"])


@pytest.mark.parametrize("trap", TRAPS)
def test_the_same_column_is_refused_in_a_recipe(trap: str, tmp_path: Path) -> None:
    data = WARD.assign(**{trap: list(TRAPS[trap][0])})
    with pytest.raises(sf.PromiseNotMet, match=f"column '{trap}'"):
        run(tmp_path, data, {trap: "role: insensitive"})
    assert not (tmp_path / "out" / "release").exists()
    released = run(tmp_path, data, {trap: "role: insensitive, confirmed: true"})
    assert exposure_of(released.evidence, trap).confirmed
    found = {one.claim: one.status for one in sf.verify(released.release).findings}
    assert (found[CLAIM], found[WARNED]) == (Status.CONFIRMED, Status.CONFIRMED)
    assert Status.REFUTED not in found.values()


@pytest.mark.parametrize("trap", ["copy", "visit", "note"])
def test_a_sensitive_column_that_others_know_all_the_same_is_refused_too(trap: str, tmp_path: Path) -> None:
    data = WARD.assign(**{trap: list(TRAPS[trap][0])})
    with pytest.raises(sf.PromiseNotMet, match=f"column '{trap}': it is sensitive"):
        protect(data, sensitive=["ill", trap])
    with pytest.raises(sf.PromiseNotMet, match=f"column '{trap}': it is sensitive"):
        run(tmp_path, data, {trap: "role: sensitive"})
    assert exposure_of(protect(data, sensitive=["ill", trap], confirmed=[trap]).evidence, trap).confirmed


def test_a_plain_sensitive_column_is_reported_only() -> None:
    data = WARD.assign(salary=[str(100 * (i % 60)) for i in DRAW.sample(range(PEOPLE), PEOPLE)])
    release = protect(data, sensitive=["ill", "salary"])
    told = exposure_of(release.evidence, "salary")
    assert told.fewer == PEOPLE
    assert told.why == []
    assert not any("salary" in warning and "promise" not in warning for warning in release.evidence.warnings)


def test_amounts_that_one_person_has_are_usual_and_rare_codes_are_not() -> None:
    plain = WARD.drop(columns="ill")
    pay = protect(plain.assign(pay=[str(1000 + 7 * i) for i in range(PEOPLE)]), sensitive=["pay"])
    assert (exposure_of(pay.evidence, "pay").singles, exposure_of(pay.evidence, "pay").amounts) == (
        PEOPLE,
        True,
    )
    assert not any("single person" in warning for warning in pay.evidence.warnings)
    codes = protect(plain.assign(code=["250", *(str(400 + i % 40) for i in range(299))]), sensitive=["code"])
    assert any("1 value of the sensitive column 'code'" in warning for warning in codes.evidence.warnings)


def test_a_copy_is_no_ground_for_diversity(tmp_path: Path) -> None:
    """Both sexes are in every group, and whoever knows somebody's sex knows the copy of it."""
    data = WARD.assign(gender=WARD["sex"].map({"f": "woman", "m": "man"}))
    models = [sf.KAnonymity(5), sf.DistinctLDiversity(2, column="gender")]
    lattice = sf.OptimalLattice(suppress=0.1)
    release = protect(
        data,
        sensitive=["gender"],
        identifier=["ill"],
        models=models,
        method=lattice,
        hierarchies=LEVELS,
        confirmed=["gender"],
    )
    warned = [w for w in release.evidence.warnings if "hide nothing" in w]
    assert len(warned) == 1
    assert "follows from 'sex'" in warned[0]
    assert f"{exposure_of(release.evidence, 'gender').fewer} of " in warned[0]
    released = run(
        tmp_path,
        data,
        {"gender": "role: sensitive, confirmed: true", "ill": "role: identifier"},
        "k-anonymity: {k: 5} + distinct-l-diversity: {l: 2, column: gender}",
    )
    assert any("hide nothing" in w and "follows from 'sex'" in w for w in released.evidence.warnings)


@pytest.mark.parametrize("by_recipe", [False, True])
def test_an_outlier_that_a_range_ends_at_is_told_to_the_steward(by_recipe: bool, tmp_path: Path) -> None:
    income = [str(DRAW.randrange(5000)) for _ in range(PEOPLE - 1)]
    data = WARD.assign(income=[*income, "9999999"])
    quasi = (*QUASI, "income")
    if by_recipe:
        released = run(tmp_path, data, {"income": "role: quasi-identifier"})
        steward, public = released.evidence.warnings, (released.release / "evidence.json").read_text()
    else:
        release = protect(data, quasi=quasi)
        assert release.public is not None
        assert any(str(label).endswith("-9999999]") for label in release.data["income"])
        steward, public = release.evidence.warnings, release.public.model_dump_json()
    assert any(
        "a printed range of 'income' ends at a value far away" in w and "1 person" in w for w in steward
    )
    assert "a printed range" not in public
    calm = protect(WARD.assign(income=[*income, "4999"]), quasi=quasi)
    assert not any("printed range" in warning for warning in calm.evidence.warnings)


@pytest.mark.parametrize("by_recipe", [False, True])
def test_a_sensitive_value_of_a_single_person_is_warned_of(by_recipe: bool, tmp_path: Path) -> None:
    data = WARD.assign(ill=["kuru", *WARD["ill"][1:]])
    evidence = run(tmp_path, data, {}).evidence if by_recipe else protect(data).evidence
    assert any("1 value of the sensitive column 'ill' is a single person's" in w for w in evidence.warnings)
    assert exposure_of(evidence, "ill").singles == 1
    assert "kuru" not in json.dumps(evidence.warnings)
    assert not any("single person's" in warning for warning in protect(WARD).evidence.warnings)


@pytest.mark.parametrize("by_recipe", [False, True])
@pytest.mark.parametrize("value", [None, " "])
def test_a_quasi_identifier_without_any_value_is_warned_of(
    by_recipe: bool, value: str | None, tmp_path: Path
) -> None:
    data = WARD.assign(town=pd.Series([value] * PEOPLE, dtype=object))
    if by_recipe:
        warnings = run(tmp_path, data, {"town": "role: quasi-identifier"}).evidence.warnings
    else:
        warnings = protect(data, quasi=(*QUASI, "town")).evidence.warnings
    assert sum("'town' has no value in any row" in warning for warning in warnings) == 1


def test_a_clean_table_earns_no_new_warning() -> None:
    warnings = protect(WARD).evidence.warnings
    assert [w for w in warnings if "candidates" in w or "single person" in w or "printed" in w] == []


def test_one_in_five_is_allowed_and_one_more_is_not() -> None:
    """Groups of ten, in one of which five have another value than the rest."""
    rows = [{"q": f"g{i // 10}", "ill": "flu", "mark": "b" if i % 25 == 0 else "a"} for i in range(50)]
    data = pd.DataFrame(rows)
    options: dict[str, Any] = {"quasi": ["q"], "method": sf.Keep(), "models": [sf.KAnonymity(2)]}
    # Two people of 50 are alone with their mark.
    assert exposure_of(protect(data, **options).evidence, "mark").added == 2
    edge = data.assign(mark=[f"b{i}" if i < 10 else "a" for i in range(50)])
    found = protect(edge, **options).evidence
    assert exposure_of(found, "mark").added == 10  # of 50
    assert any("10 of 50 people" in warning for warning in found.warnings)
    beyond = data.assign(mark=[f"b{i}" if i < 11 else "a" for i in range(50)])
    with pytest.raises(sf.PromiseNotMet, match="11 of 50 people have fewer than 2 candidates"):
        protect(beyond, **options)


def test_persons_are_counted_and_not_their_rows() -> None:
    """Everybody has three rows with one ward: rows look like a crowd, and are one person."""
    data = pd.DataFrame(
        {"who": f"p{i // 3}", "q": "all", "ill": "flu", "ward": f"w{i // 3}"} for i in range(90)
    )
    options: dict[str, Any] = {
        "quasi": ["q"],
        "person": "who",
        "models": [sf.KAnonymity(3)],
        "method": sf.Keep(),
    }
    with pytest.raises(sf.PromiseNotMet, match="30 of 30 people have fewer than 3 candidates"):
        protect(data, **options)
    told = exposure_of(protect(data, confirmed=["ward"], **options).evidence, "ward")
    assert (told.people, told.fewer, told.basis) == (30, 30, Basis.ORIGINAL)


def test_a_column_is_looked_at_as_it_is_released(tmp_path: Path) -> None:
    """Days tell everybody apart; of the year alone that a mask leaves nobody is told apart."""
    data = WARD.assign(visit=VISITS)
    released = run(tmp_path, data, {"visit": "role: insensitive, mask: year"})
    told = exposure_of(released.evidence, "visit")
    assert (told.fewer, told.why) == (0, ["insensitive"])


def test_codes_that_nobody_outside_knows_are_reported_only(tmp_path: Path) -> None:
    data = WARD.assign(name=[f"Person {i}" for i in range(PEOPLE)])
    released = run(tmp_path, data, {"name": "role: identifier, mask: pseudonym"})
    told = exposure_of(released.evidence, "name")
    assert (told.fewer, told.why) == (PEOPLE, [])


def test_without_a_k_five_candidates_are_asked_for_and_small_classes_are_not_blamed_on_the_column() -> None:
    data = pd.DataFrame(
        {"q": [f"g{i // 3}" for i in range(60)], "ill": ["flu", "cold", "none"] * 20, "mark": ["a"] * 60}
    )
    options: dict[str, Any] = {"quasi": ["q"], "method": sf.Keep(), "models": [sf.DistinctLDiversity(3)]}
    told = exposure_of(protect(data, **options).evidence, "mark")
    assert (told.k, told.fewer, told.added) == (5, 60, 0)
    split = data.assign(mark=["a", "a", "b"] * 20)
    with pytest.raises(sf.PromiseNotMet, match=r"column 'mark': .*60 of 60 people have fewer than 5"):
        protect(split, **options)


@pytest.mark.parametrize("what", ["figure", "warning", "column", "reason", "confirmation"])
def test_whoever_changes_what_is_told_is_found_out(what: str, tmp_path: Path) -> None:
    data = WARD.assign(copy=WARD["zip"])
    release = run(tmp_path, data, {"copy": "role: insensitive, confirmed: true"}).release
    evidence = json.loads((release / "evidence.json").read_text())
    told = next(one for one in evidence["exposure"] if one["column"] == "copy")
    if what == "figure":
        evidence["warnings"] = [w.replace(str(told["fewer"]), "3") for w in evidence["warnings"]]
        told.update(fewer=3, added=3)
    elif what == "warning":
        evidence["warnings"] = [w for w in evidence["warnings"] if "'copy'" not in w]
    elif what == "column":
        evidence["exposure"].remove(told)
        evidence["warnings"] = [w for w in evidence["warnings"] if "'copy'" not in w]
    elif what == "reason":
        told["why"] = []
        evidence["warnings"] = [w for w in evidence["warnings"] if "'copy'" not in w]
    else:
        told["confirmed"] = False
        evidence["warnings"] = [w.replace(", and it is confirmed", "") for w in evidence["warnings"]]
    (release / "evidence.json").write_text(json.dumps(evidence))
    forge_report(release)
    refuted = [one.claim for one in sf.verify(release).refuted]
    assert {CLAIM, WARNED} & set(refuted)


def test_risk_counts_every_other_column() -> None:
    data = WARD.assign(copy=WARD["zip"], name=[f"n{i}" for i in range(PEOPLE)])
    found = sf.risk(data, quasi=["sex", "zip"], sensitive="ill", identifier="name")
    assert [one.column for one in found.exposure] == ["age", "ill", "copy"]
    told = {one.column: one for one in found.exposure}
    rows = data.to_dict("records")
    for column in told:
        wanted = oracle.candidates(rows, ["sex", "zip"], column, 5)
        assert (told[column].people, told[column].fewer, told[column].added) == wanted
    assert any(f"'age' {told['age'].fewer}" in sentence for sentence in found.said)
    empty = sf.risk(data.assign(town=None), quasi=["sex", "town"])
    assert any("'town' has no value" in sentence for sentence in empty.said)


def test_a_recipe_is_proposed_with_the_figures(tmp_path: Path) -> None:
    data = WARD.assign(diagnosis=WARD["ill"], salary=WARD["zip"]).drop(columns="ill")
    data.to_csv(tmp_path / "people.csv", index=False)
    recipe = write_recipe(tmp_path / "people.csv")[0].read_text()
    rows = data.to_dict("records")
    for column in ("diagnosis", "salary"):
        alone = oracle.candidates(rows, [], column, 5)[1]
        both = oracle.candidates(rows, QUASI, column, 5)[1]
        assert f"# {alone} of 300 people have fewer than 5 candidates by it alone, {both} by it and" in recipe
    assert "it follows from 'zip', so others may know it" in recipe


def test_the_synthetic_hospital_earns_no_new_warning(tmp_path: Path) -> None:
    hospital = generate(tmp_path / "demo", patients=1000, seed=7)
    released = sf.run(write_recipe(hospital.patients)[0], out=tmp_path / "out")
    words = ("candidates", "single person's", "printed range", "no value in any row", "hide nothing")
    assert [w for w in released.evidence.warnings if any(word in w for word in words)] == []
    assert [one.why for one in released.evidence.exposure] == [[], [], [], [], []]


def test_nobody_outside_is_told_that_rows_of_a_value_are_one_persons() -> None:
    """Two rows show a value, and it is a single person's: so these two rows belong together."""
    people = pd.DataFrame(
        {
            "who": [i // 2 for i in range(400)],
            "age": [20 + 10 * (i % 2) for i in range(400)],
            "ill": ["rare" if i < 2 else "abc"[i % 3] for i in range(400)],
        }
    )
    found = sf.protect(
        people, quasi=["age"], sensitive="ill", person="who", models=sf.KAnonymity(3), method=sf.Keep()
    )
    assert found.public is not None
    assert not any("single person's" in warning for warning in found.public.warnings)
    assert [one.singles for one in found.public.exposure] == [None]
    assert any("single person's" in warning for warning in found.evidence.warnings)
