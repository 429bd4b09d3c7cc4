"""Masks in recipes: identifiers come out as codes, the vault stays with the steward, keys nowhere."""

from __future__ import annotations

import json
import stat
from collections import Counter
from datetime import date
from pathlib import Path

import jsonschema
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.masking import KeySource, Scope, Vault
from sfumato.masking.reveal import reveal
from sfumato.recipe.schemas import schema_named
from sfumato.release import pipeline as release_module
from tests.masking.examples import KEY, people, recipe, rows_of, write
from tests.oracles.k_anonymity import smallest_class

KEYED = "masking: {keyFrom: MASKING_TEST_KEY, recipient: The clinic, purpose: A study}"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASKING_TEST_KEY", KEY)


def test_an_identifier_without_a_mask_is_left_out_as_ever(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, recipe()))
    assert list(rows_of(released.data)[0]) == ["age", "zip", "consent", "ill"]
    assert not (released.steward / "vault.jsonl").exists()


def test_a_masked_identifier_is_released_in_its_masked_form(tmp_path: Path) -> None:
    text = recipe(
        "role: identifier, mask: pseudonym", email="role: identifier, mask: {mask: {keep_domain: true}}"
    )
    released = sf.run(write(tmp_path, text))
    rows = rows_of(released.data)
    assert list(rows[0]) == ["name", "email", "age", "zip", "consent", "ill"]
    assert {row["email"] for row in rows} == {"********@mail.example"}
    assert len({row["name"] for row in rows}) == len(rows)
    assert smallest_class(rows, ["age", "zip"]) >= 2


def test_codes_lie_in_the_stewards_folder_alone(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, recipe("role: identifier, mask: pseudonym")))
    vault = released.steward / "vault.jsonl"
    assert stat.S_IMODE(vault.stat().st_mode) == 0o600
    assert {path.name for path in released.release.iterdir()} == {
        "data.csv",
        "evidence.json",
        "report.html",
        "schema.json",
    }
    codes = Vault.read(vault).entries[("", "", "")]
    assert {row["name"] for row in rows_of(released.data)} <= {*codes.values()}
    assert {*codes} == {row.split(",")[1] for row in people()}


def test_nothing_raw_is_in_the_release_or_in_evidence_and_reports(tmp_path: Path) -> None:
    text = recipe(
        "role: identifier, mask: keyed-pseudonym",
        KEYED,
        person="role: person, mask: pseudonym",
        email="role: identifier, mask: reversible-pseudonym",
    )
    released = sf.run(write(tmp_path, text))
    files = [
        *released.release.iterdir(),
        released.steward / "evidence.json",
        released.steward / "report.html",
    ]
    everything = "\n".join(path.read_text() for path in files)
    assert KEY not in everything
    for person in people():
        number, name, email = person.split(",")[:3]
        assert name not in everything
        assert email not in everything
        assert f'"{number}"' not in everything
    said = json.loads((released.steward / "evidence.json").read_text())["masking"]
    assert said["key"] == "environment variable MASKING_TEST_KEY"
    assert "masking" not in json.loads((released.release / "evidence.json").read_text())


def test_both_editions_of_the_evidence_follow_their_schemas(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, recipe("role: identifier, mask: pseudonym")))
    for folder, schema in ((released.release, "evidence"), (released.steward, "steward-evidence")):
        jsonschema.validate(json.loads((folder / "evidence.json").read_text()), schema_named(schema))


def test_the_evidence_says_what_was_done(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, recipe("role: identifier, mask: pseudonym")))
    done = {column.name: column.treatment for column in released.evidence.columns}
    assert done["name"] == "replaced by a random code from the steward's vault"
    assert done["email"] == "left out"
    assert released.evidence.recipe["resources"][0]["schema"]["fields"][1]["mask"] == "pseudonym"  # type: ignore[index]


def test_the_same_value_has_the_same_code_in_every_column_table_and_run(tmp_path: Path) -> None:
    """Two tables name the same people in different columns; the second run goes on with the vault."""
    first = sf.run(write(tmp_path / "a", recipe("role: identifier, mask: pseudonym")))
    swapped = [",".join([c[0], c[2], c[1], *c[3:]]) for c in (row.split(",") for row in people())]
    more = f"masking: {{vault: {first.steward / 'vault.jsonl'}}}"
    text = recipe("role: identifier, mask: pseudonym", more, email="role: identifier, mask: pseudonym")
    second = sf.run(write(tmp_path / "b", text, swapped))
    assert {row["name"] for row in rows_of(first.data)} == {row["email"] for row in rows_of(second.data)}
    both = Vault.read(second.steward / "vault.jsonl")
    assert (
        Vault.read(first.steward / "vault.jsonl").entries[("", "", "")].items()
        <= both.entries[("", "", "")].items()
    )


def test_two_releases_join_only_when_asked(tmp_path: Path) -> None:
    def names(folder: str, more: str, mask: str = "keyed-pseudonym") -> set[str]:
        text = recipe(f"role: identifier, mask: {mask}", f"masking: {{keyFrom: MASKING_TEST_KEY, {more}}}")
        return {row["name"] for row in rows_of(sf.run(write(tmp_path / folder, text)).data)}

    first = names("a", "recipient: A, purpose: P")
    assert names("b", "recipient: A, purpose: P") == first
    assert not names("c", "recipient: B, purpose: P") & first
    asked = "recipient: B, purpose: P, join: {recipient: A, purpose: P}"
    assert names("d", asked) == first
    assert not names("e", "recipient: A, purpose: P", "reversible-pseudonym") & first


def test_a_person_can_be_released_as_a_code(tmp_path: Path) -> None:
    """Rows of one person stay together, the promise still counts people, and the report warns."""
    rows = people(20) + people(20)
    text = recipe(person="role: person, mask: pseudonym")
    released = sf.run(write(tmp_path, text, rows))
    counts = Counter(row["id"] for row in rows_of(released.data))
    assert len(counts) == 20
    assert {*counts.values()} == {2}
    assert any("are the same person's" in warning for warning in released.evidence.warnings)
    assert released.evidence.risk_before.persons == 20


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("role: person, mask: {mask: {keep_last: 2}}", "does not keep people apart"),
        ("role: person, mask: year", "give it the role quasi-identifier"),
    ],
)
def test_a_person_needs_a_code_of_their_own(tmp_path: Path, field: str, said: str) -> None:
    with pytest.raises(sf.BadInput, match=said):
        sf.run(write(tmp_path, recipe(person=field)))


@pytest.mark.parametrize("role", ["weight", "guard"])
def test_weights_and_guards_have_no_masked_form(tmp_path: Path, role: str) -> None:
    with pytest.raises(sf.BadInput, match=f"it has the role {role}, which has no masked form"):
        sf.run(write(tmp_path, recipe(ill=f"role: {role}, mask: pseudonym")))


def test_a_column_of_few_values_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(sf.BadInput, match=r"column 'ill': 'pseudonym' cannot hide it: 2 values .*frequency"):
        sf.run(write(tmp_path, recipe(ill="role: identifier, mask: pseudonym")))
    assert not (tmp_path / "release").exists()
    assert not (tmp_path / "steward").exists()


def test_a_pseudonymised_quasi_identifier_stays_a_quasi_identifier(tmp_path: Path) -> None:
    text = recipe(born="role: quasi-identifier, mask: pseudonym")
    rows = [row.replace("1950-01-11", f"1950-01-{i + 10}") for i, row in enumerate(people(20))]
    rows = [
        ",".join([*r.split(",")[:5], f"1950-01-{10 + i // 2}", *r.split(",")[6:]]) for i, r in enumerate(rows)
    ]
    with pytest.raises(sf.BadInput, match="frequency"):
        sf.run(write(tmp_path / "few", text, rows))
    rows = [
        ",".join([*r.split(",")[:5], f"1950-01-{10 + i}", *r.split(",")[6:]])
        for i, r in enumerate(people(19))
    ]
    released = sf.run(write(tmp_path / "many", text, rows))
    assert {c.name: c.role for c in released.evidence.columns}["born"] == "quasi-identifier"
    assert smallest_class(rows_of(released.data), ["age", "zip", "born"]) >= 2


def test_revealing_gives_the_values_back(tmp_path: Path) -> None:
    text = recipe(
        "role: identifier, mask: pseudonym", KEYED, email="role: identifier, mask: reversible-pseudonym"
    )
    released = sf.run(write(tmp_path, text))
    scope = Scope("The clinic", "A study")
    names = tmp_path / "names.csv"
    reveal(released.data, "name", names, vault=released.steward / "vault.jsonl", scope=scope)
    assert stat.S_IMODE(names.stat().st_mode) == 0o600
    assert {row["name"] for row in rows_of(names)} == {row.split(",")[1] for row in people()}
    both = tmp_path / "both.csv"
    reveal(names, "email", both, key=KeySource("MASKING_TEST_KEY"), scope=scope)
    true = {tuple(row.split(",")[1:3]) for row in people()}
    assert {(row["name"], row["email"]) for row in rows_of(both)} == true


def test_a_mask_that_is_no_name_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(sf.BadInput, match=r"line 8: .*mask must be a name, or a name with its parameters"):
        sf.run(write(tmp_path, recipe("role: identifier, mask: [pseudonym]")))


def test_the_report_says_who_can_still_tell(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, recipe("role: identifier, mask: pseudonym")))
    assert "Who is behind a code" in (released.release / "report.html").read_text()


def test_dates_of_a_person_move_together(tmp_path: Path) -> None:
    """Every person has two stays; the days between them stay what they were."""
    rows = [row.replace("-11,yes", "-21,yes") for row in people(15)] + people(15)
    text = recipe(
        more=KEYED,
        person="role: person, mask: pseudonym",
        born="role: insensitive, confirmed: true, mask: {date-shift: {days: 40}}",
    )
    released = sf.run(write(tmp_path, text, rows))
    stays: dict[str, list[date]] = {}
    for row in rows_of(released.data):
        stays.setdefault(row["id"], []).append(date.fromisoformat(row["born"]))
    assert {abs((a - b).days) for a, b in stays.values()} == {10}
    assert not released.evidence.truthful
    true = {row.split(",")[5] for row in rows}
    assert {day.isoformat() for days in stays.values() for day in days} != true


def test_dates_are_not_shifted_without_a_person(tmp_path: Path) -> None:
    text = recipe(more=KEYED, person="role: identifier", born="role: sensitive, mask: date-shift")
    with pytest.raises(sf.BadInput, match="no column names the person"):
        sf.run(write(tmp_path, text))


def test_surrogates_make_the_release_untruthful(tmp_path: Path) -> None:
    released = sf.run(write(tmp_path, recipe("role: identifier, mask: surrogate", KEYED)))
    assert not released.evidence.truthful
    assert not {row["name"] for row in rows_of(released.data)} & {row.split(",")[1] for row in people()}


def test_missing_values_stay_missing(tmp_path: Path) -> None:
    rows = [row.replace("Person Number3,", ",") for row in people()]
    released = sf.run(write(tmp_path, recipe("role: identifier, mask: pseudonym"), rows))
    assert sum(not row["name"] for row in rows_of(released.data)) == 1


@pytest.mark.parametrize(
    "value",
    [
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA",
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
        "/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAMCAgMCAgMDAwM",
        "0x" + "89504e470d0a1a0a" * 20,
        "q9Zk+" * 80,
        "." * 128 + "DICM",
    ],
)
def test_columns_of_images_and_binary_data_are_refused(tmp_path: Path, value: str) -> None:
    rows = [row.rsplit(",", 1)[0] + f',"{value}"' for row in people()]
    with pytest.raises(sf.BadInput, match="column 'ill': it holds images, binary or DICOM data") as caught:
        sf.run(write(tmp_path, recipe(), rows))
    assert value[:8] not in str(caught.value)
    sf.run(write(tmp_path, recipe(ill="role: identifier"), rows))


def test_bytes_of_a_frame_are_refused() -> None:
    frame = pa.table({"age": [1, 2, 3, 4], "scan": [b"\x89PNG"] * 4})
    with pytest.raises(sf.BadInput, match="column 'scan'"):
        sf.protect(frame, quasi=["age"], models=[sf.KAnonymity(2)], method=sf.Mondrian())


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError])
def test_a_failure_leaves_no_vault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: type[BaseException]
) -> None:
    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(release_module, "write_report", fail)
    with pytest.raises(failure):
        sf.run(write(tmp_path, recipe("role: identifier, mask: pseudonym")))
    assert {path.name for path in tmp_path.iterdir()} == {"people.csv", "recipe.yaml"}
