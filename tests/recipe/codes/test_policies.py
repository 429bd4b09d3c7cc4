"""Policies of the steward: listed, in a file, or extracted; never in the release."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from sfumato.core.errors import BadInput
from sfumato.recipe.api import run
from sfumato.recipe.verify import verify
from tests.recipe.codes.examples import files_in, ward, with_models

LISTED = "privacy-constraints: {k: 3, constraints: [[a1, b1, c1], [s1]]}"
FROM_VISITS = "privacy-constraints: {k: 3, constraints: {extract: {from: visits}}}"


def everything_in(folder: Path) -> str:
    return "".join((folder / name).read_text() for name in sorted(files_in(folder)))


@pytest.mark.parametrize("extract", ["{from: visits}", "{from: history}", "{from: history, size: 2}"])
def test_constraints_are_extracted_before_the_model_is_built(extract: str, tmp_path: Path) -> None:
    model = f"privacy-constraints: {{k: 3, constraints: {{extract: {extract}}}}}"
    made = run(ward(tmp_path, with_models(model, method="cba")))
    kept = (made.steward / "privacy-constraints.txt").read_text()
    assert kept
    assert made.evidence.policies[0].constraints == len(kept.splitlines())
    assert not verify(made.release).refuted


def test_policies_are_files_that_only_the_steward_can_read(tmp_path: Path) -> None:
    recipe = with_models(FROM_VISITS, method="ugaclip") + "utility-constraints: [[a1, a2], ['B']]\n"
    made = run(ward(tmp_path, recipe))
    for name in ("privacy-constraints.txt", "utility-constraints.txt"):
        assert stat.S_IMODE((made.steward / name).stat().st_mode) == 0o600
    assert (made.steward / "utility-constraints.txt").read_text() == "a1 a2\nb1 b2\n"
    assert not {"privacy-constraints.txt", "utility-constraints.txt"} & files_in(made.release)


def test_everybody_reads_that_constraints_are_kept_and_not_which(tmp_path: Path) -> None:
    recipe = with_models(LISTED, method="coat") + "utility-constraints: [[a1, a2], [b1, b2, c1]]\n"
    made = run(ward(tmp_path, recipe))
    public = json.loads((made.release / "evidence.json").read_text())
    parameters = {"k": 3, "wording": "strict", "constraints": "kept by the steward"}
    assert public["recipe"]["models"] == [{"privacy-constraints": parameters}]
    assert public["recipe"]["utility-constraints"] == "kept by the steward"
    assert public["verdicts"][0]["parameters"] == parameters
    assert public["verdicts"][0]["achieved"] == "checked in the house"
    assert public["verdicts"][0]["meaning"] == "what the steward's policy lists is protected"
    steward = json.loads((made.steward / "evidence.json").read_text())
    assert steward["verdicts"][0]["parameters"]["constraints"] == "2"
    assert (made.steward / "privacy-constraints.txt").read_text() == "a1 b1 c1\ns1\n"


@pytest.mark.parametrize(
    "boast", [{"achieved": "k = 30"}, {"meaning": "nobody is found"}, {"protects_from": ["attribute"]}]
)
def test_a_boast_about_what_nobody_else_can_check_is_found(boast: dict[str, object], tmp_path: Path) -> None:
    release = run(ward(tmp_path, with_models(LISTED, method="coat"))).release
    evidence = json.loads((release / "evidence.json").read_text())
    evidence["verdicts"][0].update(boast)
    (release / "evidence.json").write_text(json.dumps(evidence))
    assert any("privacy-constraints" in one.claim for one in verify(release).refuted)


def test_how_many_constraints_there_are_is_not_told(tmp_path: Path) -> None:
    listed = ", ".join(f"[a1, zz{n}]" for n in range(4321))
    model = f"privacy-constraints: {{k: 3, constraints: [{listed}]}}"
    made = run(ward(tmp_path, with_models(model, method="cba")))
    assert made.evidence.policies[0].constraints == 4321
    told = everything_in(made.release)
    assert "4321" not in told.replace(made.evidence.data.sha256, "").replace(made.evidence.schema_sha256, "")
    assert "4,321" not in told


def test_what_only_a_policy_names_is_nowhere_in_the_release(tmp_path: Path) -> None:
    model = "privacy-constraints: {k: 3, constraints: [[a1, zz-rare]]}"
    made = run(ward(tmp_path, with_models(model, method="cba") + "utility-constraints: [[b1, yy-rare]]\n"))
    told = everything_in(made.release)
    assert "zz-rare" not in told
    assert "yy-rare" not in told
    assert "zz-rare" in (made.steward / "privacy-constraints.txt").read_text()


def test_a_policy_may_lie_in_a_file_and_name_nodes(tmp_path: Path) -> None:
    (tmp_path / "policy.txt").write_text("# rare together\na1 b1 c1\ns1\n")
    (tmp_path / "wanted.txt").write_text("A\nB\n")
    model = "privacy-constraints: {k: 3, constraints: policy.txt}"
    recipe = with_models(model, method="ugaclip") + "utility-constraints: wanted.txt\n"
    made = run(ward(tmp_path, recipe))
    assert (made.steward / "utility-constraints.txt").read_text() == "a1 a2\nb1 b2\n"
    assert any(one.name == "constraints-broken" for one in made.evidence.utility)


def test_diseases_become_utility_constraints(tmp_path: Path) -> None:
    wanted = "utility-constraints: {extract: {diseases: {first: A, second: [b1, b2], third: zz}}}\n"
    made = run(ward(tmp_path, with_models(LISTED, method="ugaclip") + wanted))
    assert (made.steward / "utility-constraints.txt").read_text() == "a1 a2\nb1 b2\n"
    assert any("1 do not occur" in note for note in made.evidence.notes)


@pytest.mark.parametrize(
    ("spelt", "said"),
    [
        ("{k: 3, constraints: {extract: {form: visits}}}", "there is no option 'form'"),
        ("{k: 3, constraints: {extract: {from: visit}}}", "'from' must be visits or history"),
        ("{constraints: {extract: {}}}", "needs the parameter 'k'"),
        ("{k: 3, constraints: {extracted: {}}}", "constraints are lists of codes"),
        ("{k: 3, constraints: nowhere.txt}", "nowhere.txt: there is no such file"),
        ("{k: 3, constraints: [[401.10]]}", "write codes in quotes"),
        ("{k: 3, constraints: [a1]}", "a constraint is a list of codes"),
        ("{k: 3, constraints: {extract: {codes: [1]}}}", "'codes' must be a list of texts"),
    ],
)
def test_a_policy_that_cannot_be_read_is_refused(spelt: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=said):
        run(ward(tmp_path, with_models(f"privacy-constraints: {spelt}", method="cba")))
    assert not (tmp_path / "release").exists()


def test_a_policy_that_protects_nothing_is_refused_rather_than_kept_in_vain(tmp_path: Path) -> None:
    people = ["a1 b1"] * 5
    recipe = with_models(FROM_VISITS, method="cba").replace(", sensitive: [s1, s2]", "")
    with pytest.raises(BadInput, match="there is nothing to protect"):
        run(ward(tmp_path, recipe, people))


def test_visits_are_needed_to_extract_from_visits(tmp_path: Path) -> None:
    recipe = with_models(FROM_VISITS, method="cba").replace("role: visit", "role: identifier")
    with pytest.raises(BadInput, match="no column has the role visit"):
        run(ward(tmp_path, recipe))
