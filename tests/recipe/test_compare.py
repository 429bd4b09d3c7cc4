"""Comparisons: the sweep, the front, the questions, the cache, and what is written."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.evidence import ComparisonEvidence
from sfumato.recipe import compare_cache, compare_run
from sfumato.recipe.api import protect
from sfumato.recipe.compare import CSV, HTML, JSON, compare
from sfumato.recipe.compare_ask import Point, ask, front
from sfumato.recipe.compare_run import run_all
from sfumato.recipe.compare_worker import Outcome, attribute_risk
from sfumato.table.methods import METHODS
from sfumato.table.methods.mondrian import Mondrian
from sfumato.table.models import KAnonymity
from tests.oracles.html_document import read
from tests.oracles.pareto import not_beaten
from tests.recipe.examples import RECIPE, ward

PEOPLE = pd.DataFrame(
    {
        "age": [20 + (7 * i) % 41 for i in range(60)],
        "zip": [f"021{(3 * i) % 29:02d}" for i in range(60)],
        "ill": [("flu", "cold", "rare")[i % 3] for i in range(60)],
    }
)
ROLES: dict[str, Any] = {"quasi": ["age", "zip"], "sensitive": "ill", "models": KAnonymity(2)}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results of other runs must not be found here; compiled kernels stay where they are."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr(compare_cache.Cache, "of_the_house", classmethod(lambda cls: cls(folder / "compare")))


def small(**changed: Any) -> Any:
    given: dict[str, Any] = {"methods": ["mondrian"], "vary": {"k": [2, 5]}, "workers": 1, **ROLES, **changed}
    return compare(PEOPLE, **given)


coordinates = st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.5, 1.0])
points = st.lists(st.tuples(coordinates, coordinates), max_size=12)


def as_points(pairs: list[tuple[float, float]]) -> list[Point]:
    return [Point(i, f"c{i}", risk, loss) for i, (risk, loss) in enumerate(pairs)]


@given(points)
def test_the_front_is_what_no_other_point_beats(pairs: list[tuple[float, float]]) -> None:
    found = front(as_points(pairs))
    assert {point.position for point in found} == not_beaten(pairs)
    assert [point.risk for point in found] == sorted(point.risk for point in found)


@given(points, st.none() | coordinates, st.none() | coordinates)
def test_an_answer_is_the_best_of_those_that_keep_the_bounds(
    pairs: list[tuple[float, float]], risk: float | None, loss: float | None
) -> None:
    answer = ask(as_points(pairs), risk_at_most=risk, loss_at_most=loss)
    if risk is None and loss is None:
        assert answer is None
        return
    assert answer is not None
    within = [(r, u) for r, u in pairs if (risk is None or r <= risk) and (loss is None or u <= loss)]
    assert answer.met == bool(within)
    if within:
        assert answer.best is not None
        chosen = pairs[answer.best]
        assert chosen in within
        assert (
            chosen[0] == min(r for r, _ in within) if risk is None else chosen[1] == min(u for _, u in within)
        )
    elif pairs:
        assert answer.best is None
        assert answer.nearest is not None


def test_a_risk_of_one_in_ten_keeps_a_bound_of_a_tenth() -> None:
    answer = ask([Point(0, "k 10", 1 / 10, 0.3)], risk_at_most=0.1)
    assert answer is not None
    assert answer.met


def test_a_bound_that_cannot_be_kept_is_named_with_the_nearest() -> None:
    found = as_points([(0.5, 0.1), (0.2, 0.4)])
    assert ask(found, risk_at_most=0.1, risk="highest risk", loss="gcp").said == (  # type: ignore[union-attr]
        "No configuration keeps highest risk ≤ 0.1: the highest risk is 0.2 or more (c1). "
        "Nearest: c1, highest risk 0.2, gcp 0.4."
    )
    assert "No configuration keeps loss ≤ 0.05" in ask(found, loss_at_most=0.05).said  # type: ignore[union-attr]
    both = ask(found, risk_at_most=0.3, loss_at_most=0.2)
    assert both is not None
    assert both.said.startswith(
        "Each bound can be kept, but not both: with risk ≤ 0.3 the loss is 0.4 or more (c1)"
    )
    neither = ask(found, risk_at_most=0.1, loss_at_most=0.05)
    assert neither is not None
    assert neither.said.count("No configuration keeps") == 2


@pytest.mark.parametrize("bound", [-0.1, float("nan"), float("inf")])
def test_bounds_that_are_no_bounds_are_refused(bound: float) -> None:
    with pytest.raises(BadInput, match="must be a number of at least 0"):
        ask([], risk_at_most=bound)


def test_a_comparison_says_of_each_configuration_what_protect_says() -> None:
    found = small().evidence.configurations
    assert [one.name for one in found] == ["mondrian, k 2", "mondrian, k 5"]
    for one, k in zip(found, (2, 5), strict=True):
        alone = protect(PEOPLE, **{**ROLES, "models": KAnonymity(k)}, method=Mondrian()).evidence
        assert one.risk["highest"] == alone.risk_after.highest_risk
        assert one.risk["average"] == alone.risk_after.average_risk
        assert one.loss == {measure.name: measure.value for measure in alone.utility}
        assert one.models == [{"k-anonymity": {"k": k}}]


def test_without_a_word_every_method_is_tried_with_the_usual_k() -> None:
    found = compare(PEOPLE, workers=1, **ROLES).evidence.configurations
    assert {one.method for one in found} >= {"optimal-lattice", "mondrian"}
    assert {one.method for one in found} <= set(METHODS)
    assert {one.parameters["k"] for one in found} == {2, 3, 5, 10, 20, 50}


def test_a_list_as_a_parameter_tries_each_of_it_and_names_tell_them_apart() -> None:
    found = small(methods=[{"mondrian": {"strict": [True, False]}}, "mondrian"], vary={"k": [3]})
    names = [one.name for one in found.evidence.configurations]
    assert names == ["mondrian (strict True), k 3", "mondrian (strict False), k 3"]


def test_a_parameter_can_be_meant_for_one_model() -> None:
    found = small(vary={"k-anonymity.k": [4]}).evidence.configurations
    assert found[0].models == [{"k-anonymity": {"k": 4}}]


def test_what_fails_is_a_row_and_no_crash() -> None:
    found = small(vary={"k": [2, 100]})
    good, bad = found.evidence.configurations
    assert not good.failed
    assert "100" in bad.failed
    assert "60" in bad.failed
    assert bad.risk == {}
    assert "100" in str(found)
    everything = small(vary={"k": [100]}, risk_at_most=0.5)
    assert everything.answer.met is False
    assert everything.answer.said == "No configuration gave a release."
    assert everything.front == []


@dataclass(frozen=True)
class Broken:
    """A method with a bug, whose message quotes data."""

    name = "broken"
    needs_hierarchies = False
    classes_overlap = False

    def search(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("Alice has HIV")


def test_a_bug_in_a_method_is_told_without_its_message() -> None:
    found = small(methods=[Broken(), "mondrian"], vary={"k": [2]})
    broken, sound = found.evidence.configurations
    assert "RuntimeError at test_compare.py" in broken.failed
    assert "Alice" not in found.evidence.model_dump_json()
    assert not sound.failed


def test_the_three_questions() -> None:
    safe = small(vary={"k": [2, 5, 10]}, risk_at_most=0.2)
    assert safe.best.name == "mondrian, k 5"
    bound = safe.evidence.configurations[1].loss["gcp"]
    useful = small(vary={"k": [2, 5, 10]}, loss_at_most=bound)
    assert useful.best.name == "mondrian, k 5"
    both = small(vary={"k": [2, 5, 10]}, risk_at_most=0.2, loss_at_most=bound)
    assert both.best.name == "mondrian, k 5"
    neither = small(vary={"k": [2, 5, 10]}, risk_at_most=0.1, loss_at_most=bound / 2)
    assert neither.best is None
    assert neither.answer.nearest is not None


def test_another_risk_and_another_loss_can_be_chosen() -> None:
    found = small(risk="average", utility="discernibility")
    assert list(found.evidence.risks) == ["average"]
    assert found.evidence.utility_title == "discernibility (DM)"
    assert all(one.front in (["average"], []) for one in found.evidence.configurations)


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from(["x", "y", None])),
        min_size=1,
        max_size=20,
    )
)
def test_attribute_risk_is_the_largest_share_of_one_value_in_a_group(rows: list[tuple[Any, Any]]) -> None:
    shares = [
        sum(row == (group, value) for row in rows) / sum(q == group for q, _ in rows)
        for group, value in rows
        if value is not None
    ]
    table = pa.table(
        {"q": pa.array([q for q, _ in rows], pa.string()), "s": pa.array([s for _, s in rows], pa.string())}
    )
    assert attribute_risk(table, ["q"], ["s"]) == (pytest.approx(max(shares)) if shares else None)
    assert attribute_risk(table, ["q"], []) is None


def test_a_map_can_show_how_surely_a_sensitive_value_is_guessed() -> None:
    found = small(risk="attribute", risk_at_most=0.9, vary={"k": [2, 10]})
    assert found.evidence.risks == {"attribute": "highest share of a sensitive value"}
    alone = protect(PEOPLE, **{**ROLES, "models": KAnonymity(10)}, method=Mondrian()).data
    shares = alone.groupby(["age", "zip"])["ill"].agg(lambda group: group.value_counts().max() / len(group))
    assert found.evidence.configurations[1].risk["attribute"] == pytest.approx(shares.max())
    with pytest.raises(BadInput, match="no column is sensitive"):
        small(risk="attribute", sensitive=())


def test_requested_measures_can_be_the_loss() -> None:
    found = small(measures={"query-error": {"queries": 10}}, utility="query-error")
    first, second = found.evidence.configurations
    assert 0 < first.loss["query-error"] != second.loss["query-error"]


def test_a_cached_comparison_is_the_same_and_nothing_is_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = small()
    monkeypatch.setattr(compare_run, "evaluate", lambda *_: pytest.fail("it was run again"))
    again = small()
    assert again.evidence == first.evidence


@pytest.mark.parametrize(
    "changed",
    [{"vary": {"k": [3]}}, {"methods": [{"mondrian": {"strict": False}}]}, {"hierarchies": {"zip": "mask"}}],
)
def test_another_configuration_is_not_found_in_the_cache(
    changed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    small()
    seen: list[str] = []
    real = compare_run.evaluate
    monkeypatch.setattr(compare_run, "evaluate", lambda job, *_: seen.append(job.method.name) or real(job))
    small(**changed)
    assert seen


def test_other_data_are_not_found_in_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    small()
    seen: list[int] = []
    real = compare_run.evaluate
    monkeypatch.setattr(compare_run, "evaluate", lambda job, *_: seen.append(1) or real(job))
    other = PEOPLE.assign(ill="flu")
    compare(other, methods=["mondrian"], vary={"k": [2]}, workers=1, **ROLES)
    assert seen == [1]
    small(cache=False)
    assert seen == [1, 1, 1]


def test_the_cache_is_for_its_owner_alone_and_names_no_content(tmp_path: Path) -> None:
    cache = compare_cache.Cache(tmp_path / "deep" / "compare")
    assert stat.S_IMODE((tmp_path / "deep" / "compare").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "deep" / "compare" / "key").stat().st_mode) == 0o600
    outcome = Outcome(protect(PEOPLE, **ROLES, method=Mondrian()).evidence, attribute_risk=0.5)
    cache.keep("a" * 64, outcome)
    kept = tmp_path / "deep" / "compare" / f"{'a' * 64}.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert cache.find("a" * 64) == outcome
    kept.write_text("not JSON")
    assert cache.find("a" * 64) is None


def test_the_oldest_results_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_cache, "MOST_RESULTS", 2)
    for age in range(4):
        (tmp_path / f"{age}.json").write_text("{}")
        os.utime(tmp_path / f"{age}.json", (1000 + age, 1000 + age))
    compare_cache.Cache(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"2.json", "3.json", "key"}


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = compare_cache.Cache(tmp_path / "file" / "compare")
    cache.keep("name", Outcome(protect(PEOPLE, **ROLES, method=Mondrian()).evidence))
    assert cache.find("name") is None


def test_processes_find_what_one_process_finds() -> None:
    alone = small(vary={"k": [2, 3, 4]}, cache=False)
    together = small(vary={"k": [2, 3, 4]}, cache=False, workers=2)

    def figures(found: Any) -> Any:
        return [(one.name, one.risk, one.loss) for one in found.evidence.configurations]

    assert figures(together) == figures(alone)


def test_a_worker_that_dies_is_a_row_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    # The worker ends itself over its first job and answers the later ones.
    work = (
        "import os; from sfumato.recipe import compare_worker as w\n"
        "def evaluate(job_, threads, memory):\n"
        "    if job_ == 'deadly': os._exit(9)\n"
        "    return w.Outcome(None, job_)\n"
        "w.evaluate = evaluate; w.work()"
    )
    monkeypatch.setattr(compare_run, "_WORK", work)
    found = dict(compare_run._in_processes(["deadly", "a", "b"], 1, 1, "1GB"))  # type: ignore[list-item]
    assert found == {
        0: Outcome(None, "the process ended (code 9); memory may be short"),
        1: Outcome(None, "a"),
        2: Outcome(None, "b"),
    }


def test_workers_are_stopped_when_the_caller_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    work = (
        "import time; from sfumato.recipe import compare_worker as w\n"
        "def evaluate(job, threads, memory):\n"
        "    if job == 'slow': time.sleep(60)\n"
        "    return w.Outcome(None, job)\n"
        "w.evaluate = evaluate; w.work()"
    )
    monkeypatch.setattr(compare_run, "_WORK", work)
    started: list[Any] = []
    real = compare_run.subprocess.Popen
    monkeypatch.setattr(
        compare_run.subprocess, "Popen", lambda *a, **k: started.append(real(*a, **k)) or started[-1]
    )
    running = compare_run._in_processes(["quick", "slow", "slow"], 2, 1, "1GB")  # type: ignore[list-item]
    assert next(running) == (0, Outcome(None, "quick"))
    running.close()
    assert started
    assert all(process.poll() is not None for process in started)


def test_what_a_script_defines_itself_is_not_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Broken, "__module__", "__main__")
    monkeypatch.setattr(compare_run, "_in_processes", lambda *_: pytest.fail("it was sent away"))
    job = compare_jobs()
    assert [outcome.failed != "" for _, outcome in run_all([job, job], 2)] == [True, True]


def compare_jobs() -> Any:
    from sfumato.engine import open_engine
    from sfumato.recipe.api import job_for

    engine = open_engine("duckdb")
    try:
        return job_for(PEOPLE, engine, **ROLES, method=Broken())
    finally:
        engine.close()


def test_a_recipe_says_what_to_compare(tmp_path: Path) -> None:
    told = (
        RECIPE
        + "compare:\n  methods: [mondrian]\n  models: {k: [2, 3]}\nmeasures: [query-error: {queries: 5}]\n"
    )
    found = compare(ward(tmp_path, told), workers=1)
    assert [one.name for one in found.evidence.configurations] == ["mondrian, k 2", "mondrian, k 3"]
    assert "query-error" in found.evidence.configurations[0].loss
    other = compare(ward(tmp_path, told), methods=["mondrian"], vary={"k": [4]}, workers=1)
    assert [one.name for one in other.evidence.configurations] == ["mondrian, k 4"]


def test_maps_table_and_evidence_are_written_for_the_owner_alone(tmp_path: Path) -> None:
    found = small(risk_at_most=0.2)
    folder = found.write(tmp_path / "map")
    assert {path.name for path in folder.iterdir()} == {HTML, CSV, JSON}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    rows = list(csv.DictReader(io.StringIO((folder / CSV).read_text())))
    assert [row["configuration"] for row in rows] == ["mondrian, k 2", "mondrian, k 5"]
    assert float(rows[1]["risk highest"]) == found.evidence.configurations[1].risk["highest"]
    assert ComparisonEvidence.model_validate(json.loads((folder / JSON).read_text())) == found.evidence
    document = (folder / HTML).read_text()
    read(document)
    assert "mondrian, k 5" in document
    assert "<script" not in document
    with pytest.raises(BadInput, match="it is there already"):
        found.write(folder)
    found.write(folder, replace=True)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="what is no comparison"):
        found.write(folder, replace=True)
    assert (folder / "notes.txt").read_text() == "mine"


def test_no_value_of_the_data_is_in_what_is_written(tmp_path: Path) -> None:
    secret = PEOPLE.assign(ill="Zygomycosis")
    found = compare(secret, methods=["mondrian"], vary={"k": [2, 99]}, workers=1, **ROLES)
    folder = found.write(tmp_path / "map")
    for path in folder.iterdir():
        assert "Zygomycosis" not in path.read_text()


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"methods": ["mondrain"]}, "did you mean 'mondrian'"),
        ({"methods": [7]}, "a method is a int"),
        ({"vary": {"kk": [2]}}, "no model of the recipe has a parameter 'kk'"),
        ({"vary": {"k": []}}, "no value was given for 'k'"),
        ({"vary": {"k": ["two"]}}, "not of its type"),
        ({"vary": {"k": [0]}}, "k"),
        ({"risk": "highst"}, "did you mean 'highest'"),
        ({"risk": []}, "no risk was named"),
        ({"utility": "gpc"}, "did you mean 'gcp'"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"models": []}, "no model was given"),
        ({"colour": "red"}, "not the arguments of 'protect'"),
    ],
)
def test_bad_input_is_one_clear_sentence(changed: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        small(**changed)


def test_a_recipe_takes_no_roles_besides(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a recipe says 'quasi' itself"):
        compare(ward(tmp_path), quasi=["age"])


def test_a_path_that_nothing_is_said_about_is_a_recipe(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    data.write_text("age,ill\n30,flu\n")
    with pytest.raises(BadInput, match="this is no recipe"):
        compare(data)
