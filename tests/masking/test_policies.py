"""Policies: what each listed identifier becomes, what a recipe may choose, what is asked of people."""

from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import sfumato as sf
from sfumato.hierarchy import Intervals
from sfumato.masking import Agreement, Policy, Vault, masking_plan, policy_named
from sfumato.masking.policy import policy_names
from sfumato.masking.zip3 import INHABITED, RESTRICTED, zip3
from sfumato.recipe.job import job_of
from sfumato.recipe.load import load
from sfumato.report.answer import headline
from tests.masking.examples import kinds, people, rows_of, write

EIGHTEEN = "ABCDEFGHIJKLMNOPQR"
IDENTIFYING = [
    "name", "street", "city", "county", "precinct", "postcode", "geocode", "phone", "fax", "email", "ssn",
    "medical-record-number", "health-plan-number", "account-number", "licence-number", "vehicle-id",
    "device-id", "url", "ip-address", "biometric", "image", "other-id", "free-text",
]  # fmt: skip


def test_safe_harbor_lists_the_eighteen_identifiers() -> None:
    assert "".join(line.key for line in policy_named("safe-harbor").identifiers) == EIGHTEEN


@pytest.mark.golden
def test_the_zip_prefixes_are_those_of_the_census(shared: Path) -> None:
    folder = shared / "data" / "text" / "hipaa"
    with (folder / "zip3_population_census2020.csv").open() as file:
        population = {row["zip3"]: int(row["population_2020"]) for row in csv.DictReader(file)}
    with (folder / "restricted_zip3.csv").open() as file:
        listed = {row["zip3"] for row in csv.DictReader(file) if row["census2020_computed"] == "1"}
    assert population.keys() == INHABITED
    assert {prefix for prefix, people in population.items() if people <= 20_000} == RESTRICTED == listed
    for number in range(1000):
        prefix = f"{number:03}"
        shown = prefix if population.get(prefix, 0) > 20_000 else "000"
        assert zip3(prefix + "01") == shown


def test_safe_harbor_reduces_dates_ages_and_zip_codes(tmp_path: Path) -> None:
    """Ages over 89 and births that reveal them are one group; a thinly settled prefix is 000."""
    this_year = dt.date.today().year
    rows = people(40)
    old = [
        f"{2000 + i},Old{i},o{i}@x.example,{90 + i},03601,{this_year - 90 - i}-05-01,yes,flu"
        for i in range(8)
    ]
    young = [f"{3000 + i},Young{i},y{i}@x.example,89,03601,{this_year - 89}-05-01,yes,flu" for i in range(8)]
    text = kinds(
        age="role: insensitive, kind: age",
        postcode="role: insensitive, kind: zip",
        born="role: insensitive, kind: birth-date",
        ill="role: quasi-identifier, kind: other",
    )
    released = sf.run(write(tmp_path, text, rows + old + young))
    found = rows_of(released.data)
    assert list(found[0]) == ["age", "zip", "born", "consent", "ill"]
    assert {row["zip"] for row in found} == {"021", "000"}
    assert {row["age"] for row in found} == {"31", "32", "33", "89", "90+"}
    last = f"{this_year - 90} or earlier"
    assert {row["born"] for row in found} == {*(str(1950 + i) for i in range(5)), str(this_year - 89), last}
    assert all((row["age"] == "90+") == (row["born"] == last) for row in found)


def test_a_hierarchy_goes_on_from_the_reduced_values(tmp_path: Path) -> None:
    rows = [*people(40), "9,Old,o@x.example,97,02131,1925-05-01,yes,flu", *people(40)[:3]]
    text = kinds(age="role: quasi-identifier, kind: age, hierarchy: {intervals: {widths: [5, 10], top: 90}}")
    text = text.replace("method: mondrian", "method: {optimal-lattice: {suppress: 0.1}}")
    released = sf.run(write(tmp_path, text, [row for i, row in enumerate(rows) if i != 41]))
    done = {column.name: column.treatment for column in released.evidence.columns}
    assert done["age"].startswith("ages over 89 are one group, 90+")
    assert done["born"].startswith("reduced to the year")
    assert done["zip"].startswith("reduced to three digits")


def test_the_risk_before_is_that_of_the_values_before(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, kinds()))
    assert released.evidence.risk_before.uniques == 30
    assert released.evidence.risk_after.uniques == 0


def test_the_report_lists_all_eighteen_asks_to_attest_and_claims_nothing(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, kinds()))
    for folder in (released.release, released.steward):
        report = (folder / "report.html").read_text()
        for line in policy_named("safe-harbor").identifiers:
            assert f"({line.key}) " in report
        assert "complian" not in report.lower()
        assert "complian" not in (folder / "evidence.json").read_text().lower()
        assert "transformations were applied" in report
        assert ("no actual knowledge" in report) == (folder == released.steward)
    assert released.evidence.policy is not None
    done = {line.key: line.done for line in released.evidence.policy.lines}
    assert done["A"] == {"name": "left out"}
    assert done["B"]["zip"].startswith("reduced to three digits")
    assert done["D"] == {}
    assert done["H"] == {"id": "left out"}


def test_every_column_must_say_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(sf.BadInput, match=r"column 'ill': the policy 'safe-harbor' needs to know what"):
        sf.run(write(tmp_path, kinds(ill="role: sensitive")))
    with pytest.raises(sf.BadInput, match=r"does not know the kind 'emial'.*did you mean 'email'"):
        sf.run(write(tmp_path, kinds(email="role: identifier, kind: emial")))


@pytest.mark.parametrize("kind", IDENTIFYING)
@pytest.mark.parametrize("role", ["identifier", "quasi-identifier", "sensitive", "insensitive"])
def test_an_identifier_is_left_out_whatever_its_role_says(tmp_path: Path, kind: str, role: str) -> None:
    field = f"role: {role}, kind: {kind}" + (", hierarchy: flat" if role == "quasi-identifier" else "")
    job = job_of(load(write(tmp_path, kinds(name=field))), tmp_path)
    assert "name" not in job.schema.released


@pytest.mark.parametrize(
    "mask",
    ["{mask: {keep_last: 4}}", "keyed-pseudonym", "reversible-pseudonym", "surrogate", "date-shift", "year"],
)
def test_under_safe_harbor_only_random_codes_stand_for_identifiers(tmp_path: Path, mask: str) -> None:
    for kind in ("name", "other-id", "other") if mask != "year" else ("name", "other-id"):
        with pytest.raises(sf.BadInput, match=r"column 'name': the policy 'safe-harbor'"):
            sf.run(write(tmp_path, kinds(name=f"role: identifier, kind: {kind}, mask: {mask}")))
    released = sf.run(write(tmp_path, kinds(name="role: identifier, kind: name, mask: pseudonym")))
    assert "name" in rows_of(released.data)[0]


def test_a_known_sensitive_column_can_be_left_out_by_a_policy(tmp_path: Path) -> None:
    field = "role: sensitive, known: true, kind: ssn"
    job = job_of(load(write(tmp_path, kinds(email=field))), tmp_path)
    assert "email" not in (*job.schema.released, *job.schema.known)


def test_a_policy_never_releases_what_the_recipe_leaves_out(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, kinds(born="role: identifier, kind: birth-date")))
    assert "born" not in rows_of(released.data)[0]


def test_a_reduction_cannot_be_chosen_away(tmp_path: Path) -> None:
    for mask in ("year", "age-90"):
        with pytest.raises(sf.BadInput, match="asks for 'zip3' here"):
            sf.run(write(tmp_path, kinds(postcode=f"role: quasi-identifier, kind: zip, mask: {mask}")))


def test_a_hierarchy_of_dates_over_years_is_an_error_that_helps(tmp_path: Path) -> None:
    text = kinds(born="role: quasi-identifier, kind: birth-date, hierarchy: {dates: {}}")
    with pytest.raises(sf.BadInput, match=r"only the year of its dates is left.*intervals"):
        sf.run(write(tmp_path, text))


def lds(agreement: str = "agreement: dua.yaml") -> str:
    return kinds(more=f"policy: limited-data-set\n{agreement}")


def test_a_limited_data_set_keeps_dates_and_zip_codes_and_needs_an_agreement(tmp_path: Path) -> None:
    recipe = write(tmp_path, lds(""))
    with pytest.raises(sf.BadInput, match="requires a data use agreement"):
        sf.run(recipe)
    recipe = write(tmp_path, lds())
    with pytest.raises(sf.BadInput, match="no such agreement"):
        sf.run(recipe)
    agreed = tmp_path / "dua.yaml"
    agreed.write_text("recipient: The university\npurpose: Asthma\nexpires: 2020-01-01\n")
    with pytest.raises(sf.BadInput, match="expired on 2020-01-01"):
        sf.run(recipe)
    agreed.write_text(f"recipient: The university\npurpose: Asthma\nexpires: {dt.date.today()}\n")
    released = sf.run(recipe)
    assert list(rows_of(released.data)[0]) == ["age", "zip", "born", "consent", "ill"]
    assert released.evidence.agreement is not None
    assert released.evidence.agreement.recipient == "The university"
    assert "The university" in (released.steward / "report.html").read_text()
    assert "The university" not in (released.release / "evidence.json").read_text()
    assert released.evidence.policy is not None
    assert len(released.evidence.policy.lines) == 16


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no keys"),
        ("recipient: A\npurpose: B\n", "needs the key 'expires'"),
        ("recipient: A\nexpires: 2099-01-01\n", "needs the key 'purpose'"),
        ("recipient: A\npurpose: B\nexpires: soon\n", "needs the key 'expires'"),
        ("recipient: A\npurpose: B\nexpires: 2099-01-01\nexpired: no\n", "did you mean 'expires'"),
        ("recipient: [\n", "is not YAML"),
    ],
)
def test_an_agreement_that_says_too_little_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "dua.yaml"
    path.write_text(text)
    with pytest.raises(sf.BadInput, match=said):
        Agreement.read(path)


def test_an_agreement_holds_on_its_last_day(tmp_path: Path) -> None:
    path = tmp_path / "dua.yaml"
    path.write_text("recipient: A\npurpose: B\nexpires: 2030-06-30\n")
    assert Agreement.read(path, today=dt.date(2030, 6, 30)).recipient == "A"
    with pytest.raises(sf.BadInput, match="expired"):
        Agreement.read(path, today=dt.date(2030, 7, 1))


def test_users_can_add_policies(tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_text(
        "name: house-rules\ntitle: Rules of the house\nallowed: [remove, pseudonym]\n"
        "identifiers:\n  - {key: '1', title: Names, kinds: {name: {mask: {keep_first: 1}}}}\n"
        "kept: [email, age, zip, birth-date, medical-record-number]\n"
    )
    text = kinds(more="policy: house.yaml", name="role: insensitive, confirmed: true, kind: name")
    released = sf.run(write(tmp_path, text))
    assert {row["name"] for row in rows_of(released.data)} == {"P********"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: x\n", "'title' of the policy"),
        (
            "name: x\ntitle: y\nallowed: [pseudonim]\nidentifiers: [{key: a, title: b, kinds: {c: year}}]\n",
            "did you mean",
        ),
        (
            "name: x\ntitle: y\nallowed: []\nidentifiers: [{key: a, title: b, kinds: {c: gone}}]\n",
            "no mask 'gone'",
        ),
        ("- a\n", "has no keys"),
        ("a: [\n", "is not YAML"),
    ],
)
def test_a_broken_policy_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "house.yaml").write_text(text)
    with pytest.raises(sf.BadInput, match=said):
        policy_named("house.yaml", tmp_path)


def test_an_unknown_policy_is_an_error() -> None:
    with pytest.raises(sf.BadInput, match="did you mean 'safe-harbor'"):
        policy_named("safe-harbour")
    assert all(isinstance(policy_named(name), Policy) for name in policy_names())


@pytest.mark.parametrize(
    ("value", "said"),
    [("p{}@mail.example", "e-mail addresses"), ("123-45-6{:03}", "national identity numbers")],
)
def test_a_column_that_holds_more_than_it_says_is_refused(tmp_path: Path, value: str, said: str) -> None:
    rows = [row.replace(",yes,", f",{value.format(i)},") for i, row in enumerate(people())]
    text = kinds(consent="role: insensitive, confirmed: true, kind: other")
    with pytest.raises(sf.BadInput, match=f"column 'consent': its values look like {said}") as caught:
        sf.run(write(tmp_path, text, rows))
    assert value.format(0) not in str(caught.value)


@pytest.mark.parametrize("method", ["mondrian", "{optimal-lattice: {suppress: 0.3}}"])
@pytest.mark.parametrize("hierarchy", ["", ", hierarchy: {intervals: {widths: [5, 20]}}"])
def test_labels_of_the_oldest_have_an_open_end(tmp_path: Path, method: str, hierarchy: str) -> None:
    """Every label that somebody over 89 is in says so, at any level, and no other does."""
    last = dt.date.today().year - 90
    old = [f"{5000 + i},Old{i},o{i}@x.example,{91 + i},02131,{last - i}-05-01,yes,flu" for i in range(6)]
    text = kinds(
        age=f"role: quasi-identifier, kind: age{hierarchy}",
        born=f"role: quasi-identifier, kind: birth-date{hierarchy}",
        ill="role: sensitive, kind: other",
        person="role: person, kind: other-id, mask: pseudonym",
    ).replace("method: mondrian", f"method: {method}")
    released = sf.run(write(tmp_path, text, [*people(), *old]))
    codes = {
        code: value
        for value, code in Vault.read(released.steward / "vault.jsonl").entries[("", "", "")].items()
    }
    seen = 0
    for row in rows_of(released.data):
        over_89 = int(codes[row["id"]]) >= 5000
        seen += over_89
        assert ("+" in row["age"] or row["age"] == "*") or not over_89, row
        assert any(sign in row["born"] for sign in ("earlier", "≤", "<", "*")) or not over_89, row
        if row["age"] == "90+":
            assert over_89
    assert seen
    assert not sf.check(
        pl.read_csv(released.data, infer_schema=False), quasi=["age", "zip", "born"], models=sf.KAnonymity(2)
    )[0].witness


def test_a_method_that_climbs_gets_intervals_with_an_open_end(tmp_path: Path) -> None:
    """Inferred intervals would reach over the oldest: 1930-1939 is untrue of somebody born in 1920."""
    text = kinds().replace("method: mondrian", "method: optimal-lattice")
    job = job_of(load(write(tmp_path, text)), tmp_path)
    last = dt.date.today().year - 90
    assert job.hierarchies["age"] == Intervals((5, 10, 20), top=90)
    assert job.hierarchies["born"] == Intervals((5, 10, 20), bottom=last + 1)
    assert not job_of(load(write(tmp_path, kinds())), tmp_path).hierarchies


class TestAPolicyAlone:
    """A policy without a model is a valid recipe, and says that nothing statistical is promised."""

    RECIPE = """
sfumato: 1
policy: safe-harbor
resources:
  - path: data.csv
    schema:
      fields:
        - {name: who, role: identifier, kind: name}
        - {name: zip, role: quasi-identifier, kind: zip}
        - {name: ill, role: sensitive, kind: other}
"""

    def made(self, folder: Path, more: str = "") -> Path:
        rows = [f"Person{i},02{130 + i},flu" for i in range(30)]
        (folder / "data.csv").write_text("who,zip,ill\n" + "\n".join(rows) + "\n", encoding="utf-8")
        (folder / "recipe.yaml").write_text(self.RECIPE + more, encoding="utf-8")
        return folder / "recipe.yaml"

    @pytest.mark.parametrize("more", ["", "models: []\n"])
    def test_it_makes_a_release_that_promises_nothing(self, tmp_path: Path, more: str) -> None:
        released = sf.run(self.made(tmp_path, more), out=tmp_path / "out")
        assert released.evidence.verdicts == []
        assert any("no statistical promise is made" in told for told in released.evidence.warnings)
        said = "The steps of HIPAA Safe Harbor were taken; no statistical promise is made."
        assert headline(released.evidence) == said
        page = (released.release / "report.html").read_text(encoding="utf-8")
        assert "no statistical promise is made" in page
        assert "Person" not in (released.release / "data.csv").read_text(encoding="utf-8")

    def test_verify_refutes_nothing_of_it_and_says_that_nothing_is_promised(self, tmp_path: Path) -> None:
        released = sf.run(self.made(tmp_path), out=tmp_path / "out")
        found = sf.verify(released.release)
        assert not found.refuted
        assert any("none is made: a policy was applied" in one.detail for one in found.findings)

    def test_without_a_policy_something_must_be_promised(self, tmp_path: Path) -> None:
        path = self.made(tmp_path, "models: []\n")
        path.write_text(
            path.read_text(encoding="utf-8").replace("policy: safe-harbor\n", ""), encoding="utf-8"
        )
        with pytest.raises(sf.BadInput, match="nothing would be promised"):
            sf.run(path, out=tmp_path / "out")

    def test_python_takes_a_policy_alone_too(self) -> None:
        data = pd.DataFrame({"zip": ["02131"] * 3, "ill": ["a", "b", "a"]})
        plan = masking_plan(kinds={"zip": "zip", "ill": "other"}, policy="safe-harbor")
        assert sf.protect(data, quasi="zip", sensitive="ill", models=[], masking=plan).verdicts == ()
        with pytest.raises(sf.BadInput, match="no model was given"):
            sf.protect(data, quasi="zip", sensitive="ill", models=[])
