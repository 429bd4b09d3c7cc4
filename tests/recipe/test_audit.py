"""What an auditor tried, and what must hold against it."""

from __future__ import annotations

import datetime as dt
import json
import os
import random
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.findings import Status
from sfumato.recipe.verify_columns import CLAIM
from sfumato.release import folders
from sfumato.table import protect as protect_module
from tests.recipe.examples import RECIPE, files_in, forge_report, ward

NAN = float("nan")


class TestGuarantees:
    def test_nan_in_a_parquet_file_is_no_person(self, tmp_path: Path) -> None:
        """The statistics of the file leave NaN out, and an optimiser would believe them."""
        pq.write_table(
            pa.table({"p": pa.array([1.0, 2.0, NAN, NAN]), "x": ["a"] * 4}), tmp_path / "f.parquet"
        )
        with pytest.raises(sf.BadInput, match="2 of 4 rows do not say whose they are"):
            sf.protect(tmp_path / "f.parquet", person="p", quasi="x", models=sf.KAnonymity(3))
        assert sf.risk(tmp_path / "f.parquet", quasi="p").classes.number == 3

    def test_both_zeros_are_published_as_one(self) -> None:
        data = pa.table({"x": [0.0, -0.0, 0.0, -0.0]})
        shown = sf.protect(data, quasi="x", models=sf.KAnonymity(4), order="kept").data["x"]
        assert [str(value) for value in shown.to_pylist()] == ["0.0"] * 4

    def test_one_number_written_in_two_ways_has_true_regions(self) -> None:
        data = pd.DataFrame({"a": ["0", "0", "07", "7", "7", "9"]})
        method = sf.Mondrian(output="region")
        shown = sf.protect(data, quasi="a", models=sf.KAnonymity(3), method=method, order="kept").data["a"]
        assert shown.tolist() == ["[0-07]"] * 3 + ["[7-9]"] * 3

    def test_numbers_that_share_a_float_are_sets_and_not_ranges(self) -> None:
        low, high = -9007199254740993, -9007199254740992
        data = pd.DataFrame({"x": [high, low] * 3 + [-9007199254740990]})
        shown = sf.protect(data, quasi="x", models=sf.KAnonymity(4), method="mondrian").data["x"]
        assert all(str(low) in label for label in shown)

    def test_decimals_of_many_digits_keep_their_order(self) -> None:
        values = [Decimal("0.12345678901234567891"), Decimal("0.12345678901234567890")] * 2
        data = pa.table({"x": pa.array(values, pa.decimal128(30, 20))})
        shown = sf.protect(data, quasi="x", models=sf.KAnonymity(4), method="mondrian").data["x"].to_pylist()
        assert set(shown) == {"[0.12345678901234567890-0.12345678901234567891]"}

    @pytest.mark.parametrize("seed", range(12))
    def test_hidden_values_do_not_lead_the_cuts_astray(self, seed: int) -> None:
        """They are one group at the lowest level; a cut below it would read another column's tree."""
        dice = random.Random(seed)
        n = dice.randint(20, 60)
        data = pa.table(
            {
                "z": [f"v{dice.randint(0, 50)}" for _ in range(n)],
                "q": [dice.choice("ABCDEFGH") for _ in range(n)],
                "row": [str(i) for i in range(n)],
            }
        )
        hierarchies = {"z": "flat", "q": {"rows": [["A", "g", "*"]], "others": "root"}}
        for strict in (True, False):
            for output in ("tight", "region", "hierarchy"):
                method = sf.Mondrian(strict=strict, output=output)
                shown = sf.protect(
                    data,
                    quasi=["z", "q"],
                    sensitive="row",
                    models=sf.KAnonymity(2),
                    method=method,
                    hierarchies=hierarchies,
                ).data.to_pylist()
                assert len(shown) == n
                assert min(Counter((row["z"], row["q"]) for row in shown).values()) >= 2
                original = dict(zip(data["row"].to_pylist(), data["q"].to_pylist(), strict=True))
                assert all(row["q"] in ("*", "g", original[row["row"]]) for row in shown)
                assert {row["q"] for row in shown} <= {"A", "g", "*"}

    @pytest.mark.parametrize("form", ["csv", "parquet"])
    def test_a_folder_name_never_stands_in_for_a_column(self, tmp_path: Path, form: str) -> None:
        recipe = RECIPE.replace("k: 2", "k: 1") + f"output: {{format: {form}}}\n"
        released = sf.run(ward(tmp_path, recipe), out=tmp_path / "zip=1" / "age=2")
        assert released.evidence.classes.number == 7
        assert not sf.verify(released.release).refuted
        (tmp_path / "q=7").mkdir()
        pq.write_table(pa.table({"q": ["a", "a", "b"]}), tmp_path / "q=7" / "in.parquet")
        (tmp_path / "q=7" / "in.csv").write_text("q\na\na\nb\n")
        assert sf.risk(tmp_path / "q=7" / "in.parquet", quasi="q").uniques == 1
        assert sf.risk(tmp_path / "q=7" / "in.csv", quasi="q").uniques == 1

    def test_values_that_an_engine_takes_for_equal_cannot_be_quasi_identifiers(self) -> None:
        data = pa.table({"q": pa.array([pa.MonthDayNano([1, 0, 0]), pa.MonthDayNano([0, 30, 0])])})
        with pytest.raises(sf.BadInput, match="column 'q': its values are neither texts"):
            sf.protect(data, quasi="q", models=sf.KAnonymity(2))

    def test_the_last_moment_of_a_year_belongs_to_it(self) -> None:
        moments = [dt.datetime(2020, 12, 31, 23, 59, 59, 999999), dt.datetime(2020, 5, 1)]
        years = {"q": {"dates": {"levels": ["year"]}}}
        for values in (moments, [moment.isoformat() for moment in moments]):
            release = sf.protect(
                pa.table({"q": values}), quasi="q", models=sf.KAnonymity(2), hierarchies=years
            )
            assert release.data["q"].to_pylist() == ["2020", "2020"]

    def test_nothing_is_said_of_people_whose_value_is_missing(self) -> None:
        data = pa.table({"q": ["A", "B", None]})
        hierarchies = {"q": {"tree": {"any illness": ["A", "B"]}}}
        with pytest.raises(sf.PromiseNotMet, match="hierarchies that end in"):
            sf.protect(
                data, quasi="q", models=sf.KAnonymity(3), method=sf.OptimalLattice(), hierarchies=hierarchies
            )

    def test_hidden_values_stay_hidden_when_the_search_starts_high(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(protect_module, "half_of_memory", lambda: 3500)
        data = pd.DataFrame({"q": [str(i % 3) for i in range(60)], "z": [str(10 + i) for i in range(60)]})
        data.loc[3, "q"] = "SECRET"
        hierarchies = {"q": {"intervals": {"widths": [10]}, "others": "root"}, "z": "mask"}
        release = sf.protect(data, quasi=["q", "z"], models=sf.KAnonymity(2), hierarchies=hierarchies)
        assert "SECRET" not in release.data.to_string()

    def test_the_people_who_remain_are_counted_once(self) -> None:
        data = pd.DataFrame({"p": [1, 1, 2, 2, 3, 4, 5, 6, 7], "q": list("abababcde")})
        method = sf.OptimalLattice(suppress=0.4)
        release = sf.protect(
            data, quasi="q", person="p", models=sf.KAnonymity(2), method=method, hierarchies={"q": "flat"}
        )
        assert release.suppressed == 3
        assert release.evidence.risk_after.persons == 4


class TestSwap:
    def test_what_sfumato_did_not_write_is_not_replaced(self, tmp_path: Path) -> None:
        recipe = ward(tmp_path)
        released = sf.run(recipe)
        (released.release / "thesis.txt").write_text("three years of work")
        with pytest.raises(sf.BadInput, match="'release' holds what Sfumato did not write"):
            sf.run(recipe, replace=True)
        assert (released.release / "thesis.txt").exists()

    def test_the_input_may_not_lie_where_the_release_goes(self, tmp_path: Path) -> None:
        (tmp_path / "release").mkdir()
        recipe = ward(tmp_path, RECIPE.replace("people.csv", "release/data.csv"))
        (tmp_path / "people.csv").rename(tmp_path / "release" / "data.csv")
        with pytest.raises(sf.BadInput, match="the data lie in the folder 'release'"):
            sf.run(recipe, replace=True)
        assert (tmp_path / "release" / "data.csv").exists()

    def write(self, target: Path, *, replace: bool = False, meanwhile: Any = None) -> None:
        with folders.all_or_nothing(target, replace=replace) as new:
            (new.release / "report.html").write_text("new")
            (new.steward / "report.html").write_text("new")
            if meanwhile:
                meanwhile()

    @pytest.mark.parametrize("after", [1, 2, 3, 4])
    def test_an_interrupt_between_two_renames_brings_the_old_release_back(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
    ) -> None:
        for name in ("release", "steward"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "report.html").write_text("old")
        rename, calls = os.rename, [0]

        def interrupted(source: str, target: str) -> None:
            rename(source, target)
            calls[0] += 1
            if calls[0] == after:
                raise KeyboardInterrupt

        monkeypatch.setattr(os, "rename", interrupted)
        with pytest.raises(KeyboardInterrupt):
            self.write(tmp_path, replace=True)
        assert files_in(tmp_path) == {"release/report.html", "steward/report.html"}
        assert (tmp_path / "release" / "report.html").read_text() == "old"
        assert (tmp_path / "steward" / "report.html").read_text() == "old"

    def test_a_release_that_appeared_meanwhile_is_not_replaced(self, tmp_path: Path) -> None:
        with pytest.raises(sf.BadInput, match="already a folder"):
            self.write(tmp_path, meanwhile=lambda: (tmp_path / "release").mkdir())
        assert not list((tmp_path / "release").iterdir())
        assert not (tmp_path / "steward").exists()


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return sf.run(ward(tmp_path)).release


def tamper(release: Path, change: Any, file: str = "evidence.json") -> None:
    content = json.loads((release / file).read_text())
    change(content)
    (release / file).write_text(json.dumps(content))


class TestForgedReleases:
    def test_missing_values_cannot_be_redefined(self, release: Path) -> None:
        tamper(release, lambda schema: schema.update(missingValues=["30-34"]), "schema.json")
        with pytest.raises(sf.BadInput, match=r"schema.json: 'missingValues.* is not as it should be"):
            sf.verify(release)

    @pytest.mark.parametrize("basis", ["release and population", "mechanism", "release and original"])
    def test_a_promise_cannot_be_moved_out_of_reach(self, release: Path, basis: str) -> None:
        if basis == "release and original":
            tamper(release, lambda e: e.update(columns=[c for c in e["columns"] if c["role"] != "person"]))
        tamper(release, lambda e: e["verdicts"][0].update(basis=basis))
        assert sf.verify(release).refuted

    def test_a_release_without_a_promise_that_can_be_checked_is_refuted(self, release: Path) -> None:
        tamper(release, lambda e: (e.update(verdicts=[]), e["recipe"].update(models=[])))
        forge_report(release)
        # Without a promise, five candidates would have been asked for, not two.
        assert [found.claim for found in sf.verify(release).refuted] == ["the release keeps a promise", CLAIM]

    def test_an_unknown_model_is_no_promise(self, release: Path) -> None:
        tamper(release, lambda e: e["verdicts"][0].update(model="magic"))
        tamper(release, lambda e: e["recipe"].update(models=[{"magic": {"k": 2}}]))
        assert "the release keeps a promise" in [found.claim for found in sf.verify(release).refuted]

    def test_roles_are_those_of_the_recipe(self, release: Path) -> None:
        tamper(release, lambda e: e["columns"][3].update(role="insensitive"))
        tamper(release, lambda s: s["fields"][1].update(role="insensitive"), "schema.json")
        assert any("columns and roles" in found.claim for found in sf.verify(release).refuted)

    @pytest.mark.parametrize(
        "change",
        [
            lambda e: e["classes"].update(smallest=4),
            lambda e: e["verdicts"][0].update(required="k ≥ 9"),
            lambda e: e["verdicts"][0].update(protects_from=["identity", "attribute"]),
        ],
    )
    def test_numbers_and_words_are_checked(self, release: Path, change: Any) -> None:
        tamper(release, change)
        assert sf.verify(release).refuted

    def test_a_stray_file_is_found(self, release: Path) -> None:
        (release / "raw.csv").write_text("name\nAda\n")
        assert [found.claim for found in sf.verify(release).refuted] == [
            "the folder holds the release and nothing else"
        ]

    @pytest.mark.parametrize("name", ["", "..", "../people.csv", "evidence.json"])
    def test_the_data_have_one_of_three_names(self, release: Path, name: str) -> None:
        tamper(release, lambda e: e["data"].update(file=name))
        with pytest.raises(sf.BadInput, match="strange name"):
            sf.verify(release)

    @pytest.mark.parametrize("file", ["evidence.json", "schema.json", "data.csv"])
    def test_only_plain_files_are_read(self, release: Path, tmp_path: Path, file: str) -> None:
        for make in (lambda p: p.mkdir(), os.mkfifo, lambda p: p.symlink_to(tmp_path / "people.csv")):
            path = release / file
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
            make(path)
            with pytest.raises(sf.BadInput, match="no plain file"):
                sf.verify(release)

    @pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5_000, '{"edition": 5}', "[]", "\x00"])
    def test_strange_json_is_met_with_a_sentence(self, release: Path, text: str) -> None:
        (release / "evidence.json").write_text(text)
        with pytest.raises(sf.BadInput):
            sf.verify(release)
        (release / "evidence.json").write_text(text)

    def test_empty_paths_are_refused(self, release: Path) -> None:
        tamper(release, lambda s: s["fields"][0]["hierarchy"].update(paths=[[]]), "schema.json")
        with pytest.raises(sf.BadInput, match="not as it should be"):
            sf.verify(release)


class TestHonestReleases:
    def test_every_type_survives_the_comparison_with_the_original(self, tmp_path: Path) -> None:
        when = pd.date_range("2024-01-01", periods=4, freq="h", tz="Europe/Berlin")
        columns = {
            "flag": pa.array([True, False, None, True]),
            "single": pa.array([0.1, 2.0, -0.0, NAN], pa.float32()),
            "double": pa.array([1e20, 0.5, 2.0, None]),
            "when": pa.array(when),
            "day": pa.array([d.date() for d in when]),
            "money": pa.array([Decimal("1.50")] * 4, pa.decimal128(10, 2)),
        }
        pq.write_table(pa.table({"q": ["a"] * 4, **columns}), tmp_path / "o.parquet")
        fields = "".join(
            f"        - {{name: {name}, role: sensitive, confirmed: true}}\n" for name in columns
        )
        for form in ("csv", "parquet"):
            (tmp_path / "r.yaml").write_text(
                "sfumato: 1\nresources:\n  - path: o.parquet\n    schema:\n      fields:\n"
                f"        - {{name: q, role: quasi-identifier, hierarchy: flat}}\n{fields}"
                f"models: [{{k-anonymity: {{k: 4}}}}]\noutput: {{format: {form}}}\n"
            )
            released = sf.run(tmp_path / "r.yaml", out=tmp_path / form)
            found = sf.verify(released.release, original=tmp_path / "o.parquet")
            assert not found.refuted, [str(one) for one in found.refuted]

    def test_declared_types_are_known_to_verify(self, tmp_path: Path) -> None:
        recipe = RECIPE.replace("{name: ill, role", "{name: ill, type: integer, role")
        people = [f"{i},N{i},30,02131,0{i % 3}" for i in range(6)]
        released = sf.run(ward(tmp_path, recipe, people))
        assert not sf.verify(released.release, original=tmp_path / "people.csv").refuted

    def test_hidden_values_are_not_called_invented(self, tmp_path: Path) -> None:
        recipe = RECIPE.replace("{mask: {}}", "{tree: {'*': ['02131', '02132']}, others: root}")
        people = [f"{i},N{i},30,{z},flu" for i, z in enumerate(["02131"] * 2 + ["02132"] * 2 + ["99999"] * 2)]
        released = sf.run(ward(tmp_path, recipe, people))
        found = sf.verify(released.release, original=tmp_path / "people.csv")
        assert not found.refuted
        assert Status.CONFIRMED in {one.status for one in found.findings}

    def test_values_of_a_hierarchy_stay_with_the_steward(self, tmp_path: Path) -> None:
        tree = (
            "{tree: {'*': {north: ['02131', '02132', '02133', '02134'], south: ['02171', '02172', '99999']}}}"
        )
        released = sf.run(ward(tmp_path, RECIPE.replace("{mask: {}}", tree)))
        everything = "".join(path.read_text() for path in released.release.iterdir())
        assert "99999" not in everything
        assert "02131" not in everything
