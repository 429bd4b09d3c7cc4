"""Whoever changes released statistics, or what is told of them, is found out from the bytes alone."""

from __future__ import annotations

import functools
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.dna.contract import Statistics
from sfumato.dna.methods.association import Association
from sfumato.dna.sites import numbered
from sfumato.recipe.dna.statistics_figures import disagreeing, in_order, outside
from sfumato.recipe.dna.statistics_schema import figures_declared
from sfumato.recipe.verify import verify
from tests.oracles.dna_statistics_release import tail_of_chi_squared
from tests.recipe.dna.rows_examples import report_again
from tests.recipe.dna.statistics_examples import ARMS, PURE, study

Evidence = dict[str, Any]


_FOLDERS: list[Path] = []
"""releases that are made once for all tests of this file"""


@functools.cache
def _made(method: str, model: str, dna: str, more: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="sfumato-test-"))
    _FOLDERS.append(folder)
    sf.run(study(folder, method=method, model=model, dna=dna, more=more))
    return folder


@pytest.fixture(scope="module", autouse=True)
def _tidied() -> Iterator[None]:
    yield
    for folder in _FOLDERS:
        shutil.rmtree(folder)
    _FOLDERS.clear()
    _made.cache_clear()


REFERENCED = "{reference: outside.vcf}"
EXACT = (
    "{association: {columns: [frequency, minor_frequency, case_frequency, control_frequency, chi2, p, "
    "log10_p]}}",
    "membership-bound: {auc: 0.95}",
    ARMS,
    "",
)
NOISY = ("dp-frequencies", PURE, REFERENCED, "")
PACKED = ("safe-snps", "membership-bound: {auc: 0.75}", REFERENCED, "output: {format: parquet}\n")


def copied(arguments: tuple[str, str, str, str], folder: Path) -> Path:
    """Return a copy of a release that may be changed."""
    target = folder / "release"
    shutil.copytree(_made(*arguments) / "release", target)
    return target


def signed(release: Path, change: Callable[[Evidence], None] = lambda evidence: None) -> None:
    """Change the evidence, and make all fingerprints right again, as somebody who cheats would."""
    path = release / "evidence.json"
    evidence = json.loads(path.read_text())
    change(evidence)
    data = release / evidence["data"]["file"]
    evidence["data"]["sha256"] = hashlib.sha256(data.read_bytes()).hexdigest()
    evidence["data"]["bytes"] = data.stat().st_size
    evidence["schema_sha256"] = hashlib.sha256((release / "schema.json").read_bytes()).hexdigest()
    path.write_text(json.dumps(evidence))
    report_again(release)


def refuted(release: Path) -> str:
    return "\n".join(str(one) for one in verify(release).refuted)


def edited(release: Path, column: str, row: int, text: str) -> None:
    """Write something else into one cell of data.csv."""
    lines = (release / "data.csv").read_text().splitlines()
    cells = lines[row].split(",")
    cells[lines[0].split(",").index(column)] = text
    lines[row] = ",".join(cells)
    (release / "data.csv").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("arguments", [EXACT, NOISY, PACKED])
def test_what_was_not_touched_is_not_refuted(arguments: tuple[str, str, str, str], tmp_path: Path) -> None:
    release = copied(arguments, tmp_path)
    assert refuted(release) == ""
    signed(release)
    assert refuted(release) == ""


def test_a_changed_figure_is_found_by_the_fingerprint(tmp_path: Path) -> None:
    release = copied(EXACT, tmp_path)
    edited(release, "frequency", 1, "0.5")
    assert "the fingerprint is another" in refuted(release)


CELLS = {
    "a p-value that does not follow": ("p", "0.04", "p and chi2"),
    "a logarithm that does not follow": ("log10_p", "-3.0", "log10_p"),
    "a rarer allele that does not follow": ("minor_frequency", "0.01", "minor_frequency and frequency"),
    "a frequency outside of both arms": ("frequency", "0.9999", "frequency"),
    "a share above 1": ("case_frequency", "1.5", "others in case_frequency"),
    "a negative χ²": ("chi2", "-1.0", "others in chi2"),
    "a χ² larger than can be": ("chi2", "500.0", "others in chi2"),
    "infinity": ("chi2", "inf", "others in chi2"),
    "another spelling of the same figure": ("p", "1e0", "written once more"),
    "a word": ("chi2", "many", "not a number"),
    "a name for a site": ("id", "Mona_Lisa", "under public names"),
    "a position before the others": ("pos", "1", "in the order of the genome"),
    "a position that is none": ("pos", "-4", "not a whole number"),
    "an allele with a remark": ("alt", "Mona Lisa", "not written in letters"),
}


@pytest.mark.parametrize("what", CELLS)
def test_a_cell_that_cannot_be_is_refuted_even_with_a_new_fingerprint(what: str, tmp_path: Path) -> None:
    column, text, words = CELLS[what]
    release = copied(EXACT, tmp_path)
    edited(release, column, 7, text)
    signed(release)
    assert words in refuted(release)


NOISY_CELLS = {
    "a frequency that no whole number of alleles has": ("frequency", "0.123456789", "the people behind it"),
    "more people called than there are": ("called", "1000.0", "others in called"),
    "a missing figure": ("frequency", "", "others in frequency"),
    "half a person": ("called", "60.5", "the people behind it"),
}


@pytest.mark.parametrize("what", NOISY_CELLS)
def test_a_noisy_figure_that_cannot_be_is_refuted(what: str, tmp_path: Path) -> None:
    column, text, words = NOISY_CELLS[what]
    release = copied(NOISY, tmp_path)
    edited(release, column, 3, text)
    signed(release)
    assert words in refuted(release)


def _set(*path: str | int, to: Any) -> Callable[[Evidence], None]:
    def change(evidence: Evidence) -> None:
        place: Any = evidence
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


def _cheaper(evidence: Evidence) -> None:
    evidence["figures"]["epsilon"] = "0.1"
    evidence["verdicts"][0]["achieved"] = "ε = 0.1"


def _stricter(evidence: Evidence) -> None:
    evidence["verdicts"][0] |= {"required": "AUC ≤ 0.51", "achieved": "AUC ≤ 0.51"}


def _promises_less(evidence: Evidence) -> None:
    evidence["verdicts"][0]["parameters"]["epsilon"] = 1


NOISY_EVIDENCE: dict[str, tuple[Callable[[Evidence], None], str]] = {
    "a lower price": (_cheaper, "the price that is told"),
    "a δ that was not paid": (_set("figures", "delta", to="0.1"), "the price that is told"),
    "other neighbours": (_set("figures", "neighbours", to="nobody"), "the price that is told"),
    "a better meaning": (_set("figures", "meaning", 0, to="nothing is learned"), "the price that is told"),
    "a seeded generator": (_set("figures", "randomness", to=""), "seeded generator"),
    "a promise that the recipe does not make": (_promises_less, "recipe and verdicts disagree"),
    "a verdict in other words": (_set("verdicts", 0, "meaning", to="all is well"), "it is told otherwise"),
    "a warning struck out": (_set("warnings", to=[]), "a warning is missing"),
    "no promise": (_set("verdicts", to=[]), "makes none"),
    "exact figures": (_set("truthful", to=True), "they disagree"),
    "another method": (_set("method", to="frequencies"), "they disagree"),
    "a method that keeps nothing": (_set("recipe", "method", to={"frequencies": {}}), "does not keep"),
    "no method": (_set("recipe", "method", to=3), "names no method"),
    "an unheard-of method": (_set("recipe", "method", to={"magic": {}}), "there is no method"),
    "more sites": (_set("figures", "sites", to=1000), "they disagree"),
    "more people": (_set("figures", "people", to=100000), "they disagree"),
    "nobody": (_set("figures", "people", to=0), "they disagree"),
    "persons whom nothing names": (
        _set("people", to="distinct persons were counted"),
        "they disagree",
    ),
    "another column": (_set("figures", "columns", to=["frequency"]), "they disagree"),
}


@pytest.mark.parametrize("what", NOISY_EVIDENCE)
def test_evidence_of_noisy_figures_that_lies_is_refuted(what: str, tmp_path: Path) -> None:
    change, words = NOISY_EVIDENCE[what]
    release = copied(NOISY, tmp_path)
    signed(release, change)
    assert words in refuted(release)


EXACT_EVIDENCE: dict[str, tuple[Callable[[Evidence], None], str]] = {
    "an ε without noise": (_set("figures", "epsilon", to="0.1"), "no price is told"),
    "a bound that does not hold": (_set("verdicts", 0, "holds", to=False), "it does not hold"),
    "a better figure than promised": (_set("verdicts", 0, "achieved", to="AUC ≤ 0.5"), "told otherwise"),
    "a check by everybody": (_set("verdicts", 0, "basis", to="release"), "told otherwise"),
    "more cases than people": (_set("figures", "cases", to=120), "they disagree"),
    "a bound that was told more strictly": (_stricter, "told otherwise"),
    "more than it protects from": (_set("verdicts", 0, "protects_from", to=["identity"]), "told otherwise"),
    "nothing that is left open": (_set("verdicts", 0, "does_not_protect_from", to=[]), "told otherwise"),
    "noise that was not drawn": (_set("figures", "randomness", to="drawn in secret"), "no price is told"),
    "no number of people": (_set("figures", "people", to=None), "they disagree"),
    "a peak that is not there": (_set("figures", "peaks", 0, "highest", to=99.0), "other p-values are drawn"),
}


@pytest.mark.parametrize("what", EXACT_EVIDENCE)
def test_evidence_of_exact_figures_that_lies_is_refuted(what: str, tmp_path: Path) -> None:
    change, words = EXACT_EVIDENCE[what]
    release = copied(EXACT, tmp_path)
    signed(release, change)
    assert words in refuted(release)


def test_a_changed_schema_is_refuted(tmp_path: Path) -> None:
    release = copied(EXACT, tmp_path)
    text = (release / "schema.json").read_text()
    (release / "schema.json").write_text(text.replace('"most": 1.0', '"most": 2.0', 1))
    assert "the schema was changed" in refuted(release)
    signed(release)
    assert "they disagree" in refuted(release)


def test_what_else_lies_in_the_folder_is_refuted(tmp_path: Path) -> None:
    release = copied(EXACT, tmp_path)
    (release / "genotypes.vcf").write_text("0/1")
    assert "1 file more" in refuted(release)


def test_a_site_that_stands_twice_is_refuted(tmp_path: Path) -> None:
    release = copied(EXACT, tmp_path)
    lines = (release / "data.csv").read_text().splitlines()
    (release / "data.csv").write_text("\n".join([*lines, lines[-1]]) + "\n")
    signed(release)
    assert "each once" in refuted(release)
    assert "it has 61" in refuted(release)


def test_a_further_column_is_refuted(tmp_path: Path) -> None:
    release = copied(EXACT, tmp_path)
    lines = (release / "data.csv").read_text().splitlines()
    lines = [f"{lines[0]},who", *(f"{line},1" for line in lines[1:])]
    (release / "data.csv").write_text("\n".join(lines) + "\n")
    signed(release)
    assert "the file has other columns" in refuted(release)


def test_a_remark_behind_the_figures_is_refuted(tmp_path: Path) -> None:
    release = copied(EXACT, tmp_path)
    with (release / "data.csv").open("a") as file:
        file.write("\n")
    signed(release)
    assert "written once more" in refuted(release)


def test_a_remark_inside_a_parquet_file_is_refuted(tmp_path: Path) -> None:
    release = copied(PACKED, tmp_path)
    table = pq.read_table(release / "data.parquet")
    pq.write_table(table.replace_schema_metadata({"who": "Mona Lisa"}), release / "data.parquet")
    signed(release)
    assert "data.parquet holds the figures and nothing else" in refuted(release)


def test_a_parquet_column_of_another_type_is_refuted(tmp_path: Path) -> None:
    release = copied(PACKED, tmp_path)
    table = pq.read_table(release / "data.parquet")
    texts = pa.array([repr(value) for value in table.column("frequency").to_pylist()])
    pq.write_table(table.set_column(5, "frequency", texts), release / "data.parquet")
    signed(release)
    assert "data.parquet holds the figures and nothing else" in refuted(release)


def test_a_file_that_is_no_table_is_refuted_and_raises_nothing(tmp_path: Path) -> None:
    release = copied(PACKED, tmp_path)
    (release / "data.parquet").write_bytes(b"PAR1 nothing PAR1")
    signed(release)
    assert "the file holds the figures that its schema declares" in refuted(release)


def test_a_folder_of_rows_is_not_taken_for_statistics(tmp_path: Path) -> None:
    release = copied(EXACT, tmp_path)
    signed(release, _set("form", to="genotypes"))
    with pytest.raises(BadInput):
        verify(release)


def test_the_original_cannot_show_who_was_counted(tmp_path: Path) -> None:
    release = copied(EXACT, tmp_path)
    found = verify(release, original=tmp_path / "study.vcf").findings
    assert "only the steward knows" in str(found[-1])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0, 500), min_size=1, max_size=8),
    st.sampled_from(["allelic", "genotypic", "trend"]),
    st.integers(1, 2),
)
def test_p_values_of_chi_squared_agree_whatever_computed_them(
    values: list[float], test: str, degrees: int
) -> None:
    chi2 = np.array(values)
    p = np.array([tail_of_chi_squared(value, degrees) for value in values])
    found = Statistics(numbered(len(values)), {"chi2": chi2, "p": p})
    apart = disagreeing(found, Association(test=test), None, None)
    alike = degrees == 1 or test == "genotypic" or bool((chi2 == 0).all())
    # Where χ² is tiny both have a p of 1, to the last digits that are compared.
    one_degree = np.array([tail_of_chi_squared(value, 1) for value in values])
    alike = alike or bool(np.allclose(p, one_degree, rtol=1e-9, atol=0))
    assert (apart == []) is alike


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("123"), st.integers(1, 9)), min_size=1, max_size=9))
def test_sites_in_order_are_those_that_sorting_leaves_alone(given_sites: list[tuple[str, int]]) -> None:
    names = [name for name, _ in given_sites]
    sites = numbered(len(names))
    sites.chromosome[:] = names
    sites.position[:] = [at for _, at in given_sites]
    rank = {name: place for place, name in enumerate(dict.fromkeys(names))}
    as_sorted = sorted(given_sites, key=lambda site: (rank[site[0]], site[1]))
    assert in_order(sites) is (as_sorted == given_sites and len(set(given_sites)) == len(given_sites))


def test_exact_figures_may_be_missing_and_noisy_ones_may_not() -> None:
    found = Statistics(numbered(2), {"frequency": np.array([0.5, np.nan])}, people=10)
    declared = figures_declared(["frequency"], Association(), 10)
    assert outside(found, declared) == []
    strict = [one.model_copy(update={"missing": False}) for one in declared]
    assert outside(found, strict) == ["frequency"]
