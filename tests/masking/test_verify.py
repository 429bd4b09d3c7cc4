"""A release with masks can be verified, replaced and planned like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.core.findings import Status
from sfumato.masking import Vault, masking_plan
from sfumato.recipe.job import job_of
from sfumato.recipe.load import load
from sfumato.recipe.plan import plan_of
from sfumato.release.pipeline import Released
from tests.masking.examples import KEY, kinds, people, recipe, rows_of, write

CONSENT = 'consent: {column: consent, keep: ["yes"]}'
MASKED = recipe(
    "role: identifier, mask: {mask: {keep_first: 1}}",
    f"{CONSENT}\nmasking: {{keyFrom: MASKING_TEST_KEY, recipient: A, purpose: B}}",
    person="role: person, mask: pseudonym",
    email="role: identifier, mask: reversible-pseudonym",
    born="role: identifier, mask: keyed-pseudonym",
)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASKING_TEST_KEY", KEY)


@pytest.fixture
def released(tmp_path: Path) -> Released:
    rows = [
        ",".join([*r.split(",")[:5], f"19{10 + i}-01-01", *r.split(",")[6:]]) for i, r in enumerate(people())
    ]
    rows[4] = rows[4].replace(",yes,", ",no,")
    return sf.run(write(tmp_path, MASKED, rows))


def test_a_release_with_masks_verifies(released: Released) -> None:
    found = sf.verify(released.release, original=released.release.parent / "people.csv")
    assert not found.refuted, [str(finding) for finding in found.refuted]
    masked = [str(finding) for finding in found.findings if "are masked" in finding.claim]
    assert len(masked) == 4
    assert all(line.startswith(Status.CONFIRMED) for line in masked)


@pytest.mark.parametrize("column", ["id", "name", "email", "born"])
def test_a_value_among_the_codes_is_noticed(released: Released, column: str) -> None:
    rows = rows_of(released.data)
    rows[3][column] = "Ada Lovelace"
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    released.data.write_text("\n".join(lines) + "\n")
    wrong = [finding.claim for finding in sf.verify(released.release).refuted]
    assert any(claim.startswith(f"the values of {column} are masked") for claim in wrong)


def test_an_identifier_without_a_mask_is_refuted(released: Released) -> None:
    for name in ("evidence.json",):
        path = released.release / name
        path.write_text(path.read_text().replace('"mask": "pseudonym"', '"mask": ""'))
    wrong = [finding.claim for finding in sf.verify(released.release).refuted]
    assert any("no identifier as it was" in claim for claim in wrong)


def test_a_policy_verifies_too(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, kinds(name="role: identifier, kind: name, mask: pseudonym")))
    found = sf.verify(released.release, original=tmp_path / "people.csv")
    assert not found.refuted, [str(finding) for finding in found.refuted]


def test_a_replaced_release_goes_on_with_its_codes(tmp_path: Path) -> None:
    path = write(tmp_path, recipe("role: identifier, mask: pseudonym"))
    before = {row["name"] for row in rows_of(sf.run(path).data)}
    again = sf.run(write(tmp_path, path.read_text(), people(35)), replace=True)
    assert before < {row["name"] for row in rows_of(again.data)}
    assert len(Vault.read(again.steward / "vault.jsonl")) == 35


def test_a_plan_counts_what_would_be_counted(tmp_path: Path) -> None:
    rows = [row.replace(",02130,", ",2130,") for row in people()]
    rows[4] = rows[4].replace(",yes,", ",no,")
    path = write(tmp_path, kinds(more=f"policy: safe-harbor\n{CONSENT}"), rows)
    plan = plan_of(job_of(load(path), tmp_path), tmp_path)
    assert plan.rows == plan.persons == 29
    assert plan.cells == 15
    assert {entry.name for entry in tmp_path.iterdir()} == {"people.csv", "recipe.yaml"}


def test_python_masks_by_the_same_names(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    write(tmp_path, "", people())
    release = sf.protect(
        path,
        quasi=["age", "zip"],
        sensitive="ill",
        identifier=["name", "email", "born", "consent"],
        person="id",
        models=sf.KAnonymity(2),
        method=sf.Mondrian(),
        masking=masking_plan({"name": "pseudonym"}, kinds={"zip": "zip"}, consent=("consent", ["yes"])),
    )
    assert release.data.column_names == ["name", "age", "zip", "ill"]
    assert release.vault is not None
    assert len(release.vault) == 30
    assert (
        sf.protect(
            path,
            quasi="age",
            models=sf.KAnonymity(2),
            confirmed=["id", "name", "email", "born"],
            method=sf.Mondrian(),
        ).vault
        is None
    )
