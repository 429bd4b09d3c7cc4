"""What a network cannot hold, and what a recipe cannot mean, is said in one sentence, without a name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.core.errors import BadInput, PromiseNotMet
from tests.cli.commands import runner
from tests.recipe.graph.network_examples import EDGES, NAMES, csv, gml, recipe, released, text


def edit(folder: Path, extra: str) -> str:
    name = csv(folder)
    (folder / name).write_text((folder / name).read_text() + extra)
    return name


LOOP = f"{NAMES[0]},{NAMES[0]}\n"
AGAIN = f"{NAMES[EDGES[0][0]]},{NAMES[EDGES[0][1]]}\n"
BACK = f"{NAMES[EDGES[0][1]]},{NAMES[EDGES[0][0]]}\n"


@pytest.mark.parametrize(
    ("extra", "said", "allow", "counted"),
    [
        pytest.param(LOOP, "itself|loop", "loops: drop", "loops", id="self-loops"),
        pytest.param(AGAIN, "twice|repeated", "repeated: merge", "repeated edges", id="multi-edges"),
        pytest.param(BACK, "direct", "directed: ignore", "directions", id="directed edges"),
    ],
)
def test_what_a_network_cannot_hold_is_refused_unless_allowed(
    tmp_path: Path, extra: str, said: str, allow: str, counted: str
) -> None:
    path = edit(tmp_path, extra)
    with pytest.raises(BadInput, match=said) as refused:
        released(tmp_path, path)
    assert not any(name in str(refused.value) for name in NAMES)
    assert not (tmp_path / "release").exists()
    kept = released(tmp_path, path, graph=allow).evidence
    assert kept.read.edges == len(EDGES)
    assert kept.read.left_out[counted] >= 1
    assert not sf.verify(tmp_path / "release").refuted


def test_weights_are_refused_unless_dropped(tmp_path: Path) -> None:
    lines = [f"{NAMES[one]},{NAMES[other]},{one + other}" for one, other in EDGES]
    (tmp_path / "w.csv").write_text("\n".join(["source,target,calls", *lines]) + "\n")
    with pytest.raises(BadInput, match="beside the two ends"):
        released(tmp_path, "w.csv")
    made = released(tmp_path, "w.csv", graph="weights: drop")
    assert "columns or attributes beside the ends of edges" in made.evidence.stripped
    assert b"calls" not in (made.release / "data.csv").read_bytes()


def test_ends_are_found_by_their_columns(tmp_path: Path) -> None:
    lines = [f"{at},{NAMES[one]},{NAMES[other]}" for at, (one, other) in enumerate(EDGES)]
    (tmp_path / "w.csv").write_text("\n".join(["call,caller,callee", *lines]) + "\n")
    with pytest.raises(BadInput, match="only one end"):
        released(tmp_path, "w.csv", graph="source: caller")
    made = released(tmp_path, "w.csv", graph="source: caller, target: callee, weights: drop")
    assert made.evidence.read.nodes == len(NAMES)


def test_a_first_line_that_may_be_an_edge_is_settled_by_the_recipe(tmp_path: Path) -> None:
    lines = [f"{NAMES[one]},{NAMES[other]}" for one, other in EDGES]
    (tmp_path / "plain.csv").write_text("\n".join(lines) + "\n")
    with pytest.raises(BadInput, match=r"say 'graph: \{header: false\}' if it is an edge"):
        released(tmp_path, "plain.csv")
    assert released(tmp_path, "plain.csv", graph="header: false").evidence.read.edges == len(EDGES)


def test_nodes_are_called_by_the_attribute_that_is_named(tmp_path: Path) -> None:
    path = gml(tmp_path)
    with pytest.raises(BadInput, match=r"say 'graph: \{name: id\}' to tell nodes apart"):
        released(tmp_path, path, graph="name: job")
    made = released(tmp_path, path, graph="name: id")
    assert (made.steward / "truth.csv").read_text().splitlines()[1].startswith('"0",')


def test_names_with_blanks_are_names(tmp_path: Path) -> None:
    lines = [f'"{NAMES[one].replace(".", " ")}","{NAMES[other].replace(".", " ")}"' for one, other in EDGES]
    (tmp_path / "b.csv").write_text("\n".join(["source,target", *lines]) + "\n")
    made = released(tmp_path, "b.csv")
    assert made.evidence.read.nodes == len(NAMES)


def test_networks_in_several_parts_are_released(tmp_path: Path) -> None:
    edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (6, 7)]
    made = released(tmp_path, csv(tmp_path, edges), models="k-degree: {k: 4}")
    assert made.evidence.read.components == 3
    assert made.verdicts[0].holds


def test_odd_sums_of_degrees_are_mended(tmp_path: Path) -> None:
    star = [(0, other) for other in range(1, 6)]
    for k in (2, 3, 5, 6):
        folder = tmp_path / str(k)
        folder.mkdir()
        assert released(folder, csv(folder, star), models=f"k-degree: {{k: {k}}}").verdicts[0].holds


def test_more_than_everybody_cannot_be_alike(tmp_path: Path) -> None:
    with pytest.raises(PromiseNotMet, match="100"):
        released(tmp_path, csv(tmp_path), models="k-degree: {k: 100}")
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize(
    ("models", "more", "said"),
    [
        ("k-degree: {k: 2}", "method: k-grouping", "k-grouping does not enforce k-degree.*k-degree"),
        ("k-degree: {k: 2}", "method: random-switch", "random-switch does not enforce.*choose one of"),
        ("k-degree: {k: 2} + k-grouping: {k: 2}", "", "does not enforce.*for each"),
        ("k-automorphism: {k: 2}", "", "only be checked"),
        ("k-degree: {k: 2} + differential-privacy: {epsilon: 1}", "", "two recipes"),
        ("k-anonymity: {k: 2}", "", "no model 'k-anonymity' for a network"),
        ("k-degre: {k: 2}", "", "did you mean 'k-degree'"),
        ("k-degree: {k: 2}", "method: mondrian", "no method 'mondrian' for a network"),
        ("k-degree: {k: 0}", "", "at least 1"),
        ("k-neighbourhood: {k: 2, labelled: true}", "", "none are published"),
        ("k-degree: {k: 2}", "output: {format: vcf}", "not written as vcf"),
        ("k-degree: {k: 2}", "perturb: [swap]", "'perturb' is for tables"),
        ("k-degree: {k: 2}", "output: {order: kept}", "'order' is for tables"),
        ("k-degree: {k: 2}", "attacks: [linkage]", "no attack 'linkage'"),
        ("k-degree: {k: 2}", "attacks: [seed-and-propagate]", "another network"),
        ("k-degree: {k: 2}", "measures: [loss]", "no measure 'loss'"),
        ("k-degree: {k: 2}", "engine: spark", "duckdb alone"),
    ],
)
def test_a_recipe_that_cannot_be_meant_is_refused(tmp_path: Path, models: str, more: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        released(tmp_path, csv(tmp_path), models=models, more=more)
    assert not (tmp_path / "release").exists()


def test_columns_of_a_network_are_not_declared(tmp_path: Path) -> None:
    path = recipe(tmp_path, csv(tmp_path))
    told = path.read_text().replace(
        "models:", "    schema: {fields: [{name: source, role: identifier}]}\nmodels:"
    )
    path.write_text(told)
    with pytest.raises(BadInput, match="no columns to declare"):
        sf.run(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "empty"),
        ("source,target\n", "no nodes"),
        ("source,target\nada\n", "line|row|columns"),
        ("who\nada\n", "one column"),
        ("\x00\x01", "NUL|text"),
    ],
)
def test_a_file_that_lists_no_edges_is_refused(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "x.csv").write_text(content)
    with pytest.raises(BadInput, match=said):
        released(tmp_path, "x.csv")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        released(tmp_path, "nowhere.csv")


@pytest.mark.parametrize(
    ("make", "models", "code"),
    [
        pytest.param(lambda folder: edit(folder, LOOP), "k-degree: {k: 2}", 2, id="a loop"),
        pytest.param(lambda folder: edit(folder, BACK), "k-degree: {k: 2}", 2, id="a direction"),
        pytest.param(csv, "k-degree: {k: 100}", 1, id="k > n"),
        pytest.param(csv, "k-grouping: {k: 100}", 1, id="k > n in groups"),
        pytest.param(gml, "k-degree: {k: 2}", 0, id="fine"),
    ],
)
def test_the_terminal_says_it_without_a_trace(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    make: Callable[[Path], str],
    models: str,
    code: int,
) -> None:
    path = recipe(tmp_path, make(tmp_path), models=models)
    found = runner(tmp_path, monkeypatch, capsys)("protect", path, "--out", tmp_path / "out")
    assert found.code == code
    told = found.out + found.err
    assert "Traceback" not in told
    assert not any(name in told for name in NAMES)
    assert (tmp_path / "out" / "release").exists() == (code == 0)


def test_the_input_may_not_lie_where_the_release_goes(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    text(tmp_path / "release")
    with pytest.raises(BadInput, match="lie in the folder"):
        sf.run(recipe(tmp_path, "release/friends.txt"))
