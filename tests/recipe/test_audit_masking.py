"""What an auditor of masks, chance and tiers tried, and what must hold against it."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import json
import os
import stat
from collections.abc import Callable
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.findings import Status
from sfumato.engine.duckdb import DuckEngine
from sfumato.hierarchy import HierarchyTable
from sfumato.masking import Agreement, Vault, mask, masking_plan
from sfumato.masking.repair import mended
from sfumato.masking.reveal import reveal
from sfumato.masking.tiers import shown
from sfumato.release.pipeline import Released
from sfumato.table.methods.safepub import SafePub
from tests.masking.examples import KEY, kinds, people, recipe, rows_of, write
from tests.recipe.examples import files_in, forge_report

WARD = pd.DataFrame(
    {"sex": ["f", "m"] * 30, "age": [30 + i % 3 for i in range(60)], "ill": ["flu", "cold", None] * 20}
)


def randomised(step: dict[str, Any], model: dict[str, Any], data: pd.DataFrame = WARD) -> sf.Release:
    return sf.protect(
        data, quasi=["sex", "age"], sensitive="ill", models=[model], perturb=[step], method="mondrian"
    )


def forge(release: Path, change: Callable[[Any], None], file: str = "evidence.json") -> None:
    found = json.loads((release / file).read_text())
    change(found)
    (release / file).write_text(json.dumps(found))


class TestChance:
    def test_a_missing_value_that_stays_missing_breaks_every_bound(self) -> None:
        """Whoever shows a missing value has one: PRAM never replaces it."""
        with pytest.raises(PromiseNotMet, match="γ is unbounded"):
            randomised({"pram": {"columns": ["ill"]}}, {"gamma-amplification": {"gamma": 9}})
        listed = {
            "values": ["flu", "cold", None],
            "matrix": [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]],
        }
        found = randomised({"pram": {"columns": ["ill"], **listed}}, {"gamma-amplification": {"gamma": 9}})
        assert found.verdicts[0].achieved == "γ = 8"

    def test_an_invariant_matrix_is_made_of_the_data_and_bounds_nothing(self) -> None:
        """Who knows all rows but one reads the last one off the frequencies in the matrix."""
        step = {"pram": {"columns": ["ill"], "invariant": True}}
        with pytest.raises(PromiseNotMet, match="computed from the values"):
            randomised(step, {"gamma-amplification": {"gamma": 1000}}, WARD.fillna("none"))

    @pytest.mark.parametrize(
        "before",
        [
            {"microaggregation": {"columns": ["age"], "k": 5, "strata": ["ill"]}},
            {"microaggregation": {"columns": ["age", "ill"], "k": 5}},
            {"value-swapping": {"columns": ["age"], "strata": ["ill"]}},
            {"record-swapping": {"columns": ["age"], "match": ["ill"]}},
            {"synthetic": {"columns": ["ill", "age", "sex"]}},
        ],
    )
    def test_no_other_column_was_changed_by_the_true_value(self, before: dict[str, Any]) -> None:
        """Ages that were averaged among the ill show who is ill, however their illness is randomised."""
        data = WARD.fillna("none")
        hide = {"retention-replacement": {"column": "ill", "values": ["flu", "cold", "none"], "gamma": 3}}
        asked: dict[str, Any] = {"quasi": ["sex", "age"], "sensitive": "ill", "method": "mondrian"}
        model = {"gamma-amplification": {"gamma": 3}}
        with pytest.raises(BadInput, match=r"column 'ill': other columns were changed by it"):
            sf.protect(data, models=[model], perturb=[before, hide], **asked)
        assert sf.protect(data, models=[model], perturb=[hide, before], **asked).verdicts[0].holds
        assert sf.protect(data, models=[sf.KAnonymity(1)], perturb=[before, hide], **asked).verdicts[0].holds

    def test_the_bounds_that_a_quantile_finds_are_published(self) -> None:
        step = {"top-bottom-coding": {"columns": ["age"], "top_quantile": 0.5}}
        found = randomised(step, {"k-anonymity": {"k": 2}})
        assert found.evidence.perturbation[0].published == {"top_of_age": "31"}

    @pytest.mark.parametrize(
        "step",
        [{"pram": {"columns": ["town"]}}, {"retention-replacement": {"column": "town", "keep": 0.9}}],
    )
    def test_values_below_the_released_level_are_in_no_matrix(self, step: dict[str, Any]) -> None:
        """The release shows nothing of the towns, and its evidence lists none."""
        data = WARD.fillna("none").assign(town=[f"Town{i % 20}" for i in range(60)])
        found = sf.protect(
            data,
            quasi=["town"],
            sensitive="ill",
            models=[sf.KAnonymity(60)],
            perturb=[step],
            method=sf.OptimalLattice(),
            confirmed=["sex", "age"],
        )
        assert set(found.data["town"]) == {"*"}
        assert found.public is not None
        assert "Town" not in found.public.model_dump_json()
        shown_as_is = sf.protect(
            data,
            quasi=["age"],
            sensitive="town",
            models=[sf.KAnonymity(2)],
            perturb=[step],
            method="mondrian",
            confirmed=["sex", "ill"],
        )
        assert len(shown_as_is.evidence.perturbation[0].mechanisms[0].values) == 20
        assert any("it is told which of them occur" in line for line in shown_as_is.evidence.warnings)

    def test_synthetic_records_have_no_codes_to_reveal(self, tmp_path: Path) -> None:
        text = recipe(
            more="perturb: [{synthetic: {columns: [age, zip, ill]}}]", person="role: person, mask: pseudonym"
        )
        with pytest.raises(
            BadInput, match="column 'id': its values are masked, and synthetic records are nobody's"
        ):
            sf.run(write(tmp_path, text))


class TestSafePub:
    AGES = HierarchyTable.of([[str(age), "young" if age < 45 else "old", "*"] for age in range(20, 80)])

    def release(self, ages: list[str], answers: list[str]) -> sf.Release:
        data = pd.DataFrame({"age": ages, "ok": answers})
        return sf.protect(
            data,
            quasi=["age"],
            models={"differential-privacy": {"epsilon": 1, "delta": 1e-3}},
            method=SafePub(1, 1e-3, {"age": 1}),
            hierarchies={"age": self.AGES},
            masking=masking_plan(kinds={"age": "age"}, consent=("ok", ["yes"])),
        )

    def test_nothing_public_counts_the_whole_table(self, tmp_path: Path) -> None:
        """One person more would change how many were mended, or did not agree, by exactly one."""
        ages = ["30", "52 years"] * 500
        found = self.release(ages, ["no"] * 7 + ["yes"] * 993)
        assert found.evidence.withheld_records == 7
        assert len(found.evidence.repairs) == 1
        assert found.public is not None
        assert found.public.withheld_records == 0
        assert found.public.repairs == []
        report = found.report(tmp_path / "report.html", public=True).read_text()
        assert "consent" not in report
        assert "ages were written" not in report


class TestSafeHarbor:
    def test_a_year_of_the_past_does_not_show_who_is_over_89(self, tmp_path: Path) -> None:
        past = "role: insensitive, kind: birth-date, mask: {birth-year: {this_year: 1990}}"
        with pytest.raises(BadInput, match="'this_year' lies in the past"):
            sf.run(write(tmp_path, kinds(born=past)))
        this_year = dt.date.today().year
        now = f"role: insensitive, kind: birth-date, mask: {{birth-year: {{this_year: {this_year + 1}}}}}"
        assert sf.run(write(tmp_path, kinds(born=now))).verdicts[0].holds

    def test_dates_do_not_pass_as_something_else(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match=r"column 'born'.*look like dates, and its kind is 'other'"):
            sf.run(write(tmp_path, kinds(born="role: insensitive, confirmed: true, kind: other")))

    def test_three_digits_that_may_be_a_whole_code_are_not_shown(self) -> None:
        """601 is a part of Illinois, or 00601 without its zeros, where 17,000 people live."""
        assert mended("zip", ["601", "602", "988"]).broken == [0, 1, 2]
        assert mended("zip", ["601", "021"]).values == ["601", "021"]
        assert mended("zip", ["601", "02135"]).values == ["00601", "02135"]

    @pytest.mark.parametrize(("label", "closed"), [("90-94", True), ("90+", False), ("90 or older", False)])
    def test_nobody_of_104_is_shown_as_90_to_94(self, label: str, closed: bool) -> None:
        data = pd.DataFrame({"age": [30, 104] * 20, "ill": ["flu", "cold"] * 20})
        ages = HierarchyTable.of([["30", "30-34", "*"], ["90", label, "*"]])
        asked: dict[str, Any] = {"quasi": "age", "sensitive": "ill", "models": sf.KAnonymity(3)}
        asked |= {"hierarchies": {"age": ages}, "masking": masking_plan({"age": "age-90"})}
        if closed:
            with pytest.raises(BadInput, match="its label at level 1 does not say so"):
                sf.protect(data, **asked)
        else:
            assert sf.protect(data, **asked).evidence.truthful

    @pytest.mark.parametrize("age", ["45M", "91 w", "38d"])
    def test_a_letter_after_an_age_may_be_a_sex(self, age: str) -> None:
        assert mended("age", [age]).broken == [0]

    def test_no_agreement_is_used_past_its_last_day_or_for_somebody_else(self) -> None:
        day = dt.timedelta(days=1)
        old = Agreement("A", "B", dt.date.today() - day)
        with pytest.raises(BadInput, match="the agreement expired"):
            masking_plan(policy="limited-data-set", agreement=old)
        new = Agreement("A", "B", dt.date.today() + day)
        with pytest.raises(BadInput, match="the recipient is not the one of the agreement"):
            masking_plan(policy="limited-data-set", agreement=new, recipient="C")
        assert masking_plan(policy="limited-data-set", agreement=new, recipient="A").scope.purpose == "B"


class TestDatesAndCovers:
    @pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
    def test_a_day_that_stands_for_none_is_not_moved(self, day: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Everybody knows what it was, so it would tell by how many days the others were moved."""
        monkeypatch.setenv("MASKING_TEST_KEY", KEY)
        data = pd.DataFrame({"p": ["a", "a"], "day": ["2024-05-01", day]})
        with pytest.raises(BadInput, match=r"1 row has no date.*\(first row 2\)"):
            mask(data, {"day": "date-shift"}, person="p", key="MASKING_TEST_KEY", recipient="A", purpose="B")

    def test_what_a_cover_leaves_is_told(self, tmp_path: Path) -> None:
        found = sf.run(
            write(tmp_path, recipe("role: identifier, confirmed: true, mask: {mask: {keep_last: 4}}"))
        )
        assert any("a part of every covered value is shown (name)" in w for w in found.evidence.warnings)
        covered = sf.run(write(tmp_path, recipe("role: identifier, mask: mask")), replace=True)
        assert not any("covered" in warning for warning in covered.evidence.warnings)


class TestFiles:
    @pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet"])
    def test_revealed_names_are_never_readable_for_others(
        self, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Engines write through files of their own; these lie in a folder that only the owner can enter."""
        vault = Vault()
        codes = mask(pd.DataFrame({"name": ["Ada", "Bo"]}), {"name": "pseudonym"}, vault=vault)
        codes.to_csv(tmp_path / "codes.csv", index=False)
        vault.write(tmp_path / "vault.jsonl")
        modes = []
        plain = DuckEngine.write

        def watched(engine: DuckEngine, table: Any, path: Path, **how: Any) -> int:
            modes.append(stat.S_IMODE(path.parent.stat().st_mode))
            return plain(engine, table, path, **how)

        monkeypatch.setattr(DuckEngine, "write", watched)
        out = tmp_path / f"names.{suffix}"
        reveal(tmp_path / "codes.csv", "name", out, vault=tmp_path / "vault.jsonl")
        assert modes == [0o700]
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
        assert sorted(os.listdir(tmp_path)) == sorted(["codes.csv", "vault.jsonl", out.name])

    @pytest.mark.parametrize("moves", range(8))
    @pytest.mark.parametrize("replaced", [False, True])
    def test_both_tiers_appear_together_or_not_at_all(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int, replaced: bool
    ) -> None:
        text = recipe("role: identifier, mask: pseudonym", "tiers: {public: {by: [ill], smallest: 2}}")
        path = write(tmp_path, text)
        if replaced:
            sf.run(path)
        before = files_in(tmp_path)
        done, plain = 0, os.rename

        def broken_off(source: str, target: str) -> None:
            nonlocal done
            if done == moves:
                done += 1
                raise KeyboardInterrupt
            done += 1
            plain(source, target)

        monkeypatch.setattr(os, "rename", broken_off)
        if moves < (8 if replaced else 4):
            with pytest.raises(KeyboardInterrupt):
                sf.run(path, replace=replaced)
            assert files_in(tmp_path) == before
        else:
            sf.run(path, replace=replaced)
            assert (tmp_path / "public" / "release" / "data.csv").exists()


class TestVaultAndTiers:
    def test_codes_of_a_replaced_release_are_not_lost(self, tmp_path: Path) -> None:
        """Who was given the first release may ask tomorrow who is behind a code."""
        text = recipe("role: identifier, mask: pseudonym")
        first = sf.run(write(tmp_path, text))
        Vault().write(tmp_path / "other.jsonl")
        other = write(tmp_path, f"{text}\nmasking: {{vault: other.jsonl}}")
        before = files_in(tmp_path)
        with pytest.raises(BadInput, match="they would be lost"):
            sf.run(other, replace=True)
        assert files_in(tmp_path) == before
        (first.steward / "vault.jsonl").rename(tmp_path / "kept.jsonl")
        Vault.read(tmp_path / "kept.jsonl").write(first.steward / "vault.jsonl")
        again = sf.run(write(tmp_path, f"{text}\nmasking: {{vault: kept.jsonl}}"), replace=True)
        assert {row["name"] for row in rows_of(again.data)} == {
            code for codes in Vault.read(tmp_path / "kept.jsonl").entries.values() for code in codes.values()
        }

    def test_a_code_that_stands_for_two_values_reveals_neither(self, tmp_path: Path) -> None:
        vault = Vault({("", "", "a"): {"Ada": "A" * 16}, ("", "", "b"): {"Bo": "A" * 16}})
        vault.write(tmp_path / "vault.jsonl")
        with pytest.raises(BadInput, match=r"line 3: the entry is there twice"):
            Vault.read(tmp_path / "vault.jsonl")

    @given(st.lists(st.integers(1, 25), min_size=2, max_size=6), st.integers(3, 8))
    def test_no_hidden_count_follows_from_the_total_and_the_rule(
        self, counts: list[int], smallest: int
    ) -> None:
        """Try all counts that would have been hidden alike: the least of them can be more than one number."""
        kept = shown(counts, smallest)
        hidden = [number for number, keep in zip(counts, kept, strict=True) if not keep]
        seen = [number for number, keep in zip(counts, kept, strict=True) if keep]
        if not hidden or not seen:
            return
        assert min(seen) >= smallest
        possible = {
            min(guess)
            for guess in combinations_with_replacement(range(1, min(seen) + 1), len(hidden))
            if sum(guess) == sum(hidden) and min(guess) < smallest
        }
        assert len(possible) > 1


class TestVerify:
    @pytest.fixture
    def covered(self, tmp_path: Path) -> Released:
        return sf.run(
            write(tmp_path, recipe("role: identifier, confirmed: true, mask: {mask: {keep_last: 2}}"))
        )

    def test_a_name_beside_a_cover_is_no_covered_name(self, covered: Released) -> None:
        """The whole name and eight stars: a cover, but nothing is covered."""
        rows = rows_of(covered.data)
        rows[0]["name"] = "Ada Lovelace********"
        with covered.data.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        digest = hashlib.sha256(covered.data.read_bytes()).hexdigest()
        forge(covered.release, lambda found: found["data"].update(sha256=digest))
        forge_report(covered.release)
        wrong = [finding.claim for finding in sf.verify(covered.release).refuted]
        assert wrong == ["the values of name are masked (mask, keep last 2)"]

    def test_mended_values_are_not_taken_for_invented_ones(self, tmp_path: Path) -> None:
        rows = [row.replace(",0213", ",213") if i % 2 else row for i, row in enumerate(people(40))]
        text = recipe(postcode="role: quasi-identifier, kind: zip").replace("k: 2", "k: 1")
        found = sf.run(write(tmp_path, text, rows))
        assert {c.name: c.treatment for c in found.evidence.columns}["zip"].startswith("mended")
        assert not sf.verify(found.release, original=tmp_path / "people.csv").refuted

    @pytest.fixture
    def perturbed(self, tmp_path: Path) -> Released:
        step = "retention-replacement: {column: ill, values: [flu, cold], gamma: 4}"
        text = recipe(more=f"perturb:\n  - {step}").replace(
            "  - k-anonymity: {k: 2}", "  - k-anonymity: {k: 2}\n  - gamma-amplification: {gamma: 4}"
        )
        return sf.run(write(tmp_path, text))

    def test_a_promise_about_persons_is_not_confirmed_from_rows(self, perturbed: Released) -> None:
        found = {str(f.claim): f.status for f in sf.verify(perturbed.release).findings}
        claim = "gamma-amplification with gamma = 4.0, of the mechanism that is published"
        assert found[claim] is Status.CONFIRMED
        assert found[f"{claim}, counted in persons"] is Status.NOT_CHECKED

    @pytest.mark.parametrize(
        "change",
        [
            lambda found: found.update(truthful=True),
            lambda found: found["perturbation"].clear(),
            lambda found: found["recipe"].pop("perturb"),
            lambda found: found["perturbation"][0].update(columns=["age"]),
            lambda found: found["perturbation"][0]["parameters"].update(gamma=2.0),
            lambda found: found["perturbation"][0]["mechanisms"][0].update(matrix=[["1/2"] * 2] * 2),
            lambda found: found["perturbation"][0]["mechanisms"][0].update(column="age"),
        ],
    )
    def test_steps_are_told_as_the_recipe_has_them(
        self, perturbed: Released, change: Callable[[Any], None]
    ) -> None:
        assert not sf.verify(perturbed.release).refuted
        forge(perturbed.release, change)
        wrong = [finding.claim for finding in sf.verify(perturbed.release).refuted]
        assert any(claim.startswith("the evidence tells of every step") for claim in wrong)

    def test_made_up_values_are_not_told_to_be_true(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MASKING_TEST_KEY", KEY)
        text = recipe(
            more="masking: {keyFrom: MASKING_TEST_KEY, recipient: A, purpose: B}",
            born="role: insensitive, confirmed: true, mask: date-shift",
        )
        found = sf.run(write(tmp_path, text))
        assert not sf.verify(found.release).refuted
        forge(found.release, lambda told: told.update(truthful=True))
        wrong = [finding.claim for finding in sf.verify(found.release).refuted]
        assert any(claim.endswith("whether values are still true") for claim in wrong)

    def test_a_promise_of_a_mechanism_says_what_it_protects_from(self, perturbed: Released) -> None:
        forge(perturbed.release, lambda found: found["verdicts"][1].update(protects_from=["identity"]))
        wrong = [str(finding) for finding in sf.verify(perturbed.release).refuted]
        assert any("it means something else than the evidence says" in line for line in wrong)

    def test_a_mechanism_for_some_rows_does_not_cover_the_others(self, perturbed: Released) -> None:
        def only_some(found: Any) -> None:
            found["perturbation"][0]["mechanisms"][0]["where"] = ["age", "31"]

        forge(perturbed.release, only_some)
        wrong = [str(finding) for finding in sf.verify(perturbed.release).refuted]
        assert any("not published as it was" in line for line in wrong)
