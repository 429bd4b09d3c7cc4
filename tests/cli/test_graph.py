"""``sfumato graph`` and the other commands on networks, as a person would type them."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from sfumato.cli.app import app
from sfumato.graph.network import Network
from sfumato.graph.reading import open_network, read_grouped, read_network
from sfumato.graph.worlds import grouped_of
from sfumato.graph.writing import write_network
from sfumato.recipe.load import load
from sfumato.recipe.prepared import prepared, released
from tests.cli.commands import Run, runner

NAMES = ("Mallory", "Trent", "Peggy", "Victor", "00420099", "Zoë Q")
"""some people of the network, as the files call them"""
RECIPE = """sfumato: 1
title: Friends
resources:
  - name: friends
    kind: graph
    path: {}
models:
  - {}
"""


def friends() -> list[tuple[str, str]]:
    """Return a small world of 40 people with hubs, some of whom have telling names."""
    chance = np.random.default_rng(5)
    called = [*NAMES, *(f"p{number}" for number in range(len(NAMES), 40))]
    pairs = {(v, (v + 1) % 40) for v in range(40)} | {(0, v) for v in range(2, 20, 2)}
    pairs |= {(int(one), int(other)) for one, other in chance.integers(0, 40, (40, 2)) if one != other}
    return sorted({(called[min(pair)], called[max(pair)]) for pair in pairs})


def write(path: Path, edges: list[tuple[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("source", "target"), *edges])


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network of friends, released with other edges, as groups and as figures."""
    folder = tmp_path_factory.mktemp("kitchen")
    write(folder / "friends.csv", friends())
    models = {
        "edges": "k-degree: {k: 3}",
        "groups": "k-grouping: {k: 4}",
        "figures": "differential-privacy: {epsilon: 1}\nmethod: dp-degree-sequence",
    }
    # A list does not tell who has no edge, which figures must count.
    write_network(open_network(folder / "friends.csv").network, folder / "everybody.gml")
    for name, model in models.items():
        recipe = folder / f"{name}.yaml"
        file = "everybody.gml" if name == "figures" else "friends.csv"
        recipe.write_text(RECIPE.format(file, model), encoding="utf-8")
        released(prepared(load(recipe), folder), folder / name)
    return folder


@pytest.fixture
def run(
    kitchen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    shutil.copytree(kitchen, tmp_path, dirs_exist_ok=True)
    return runner(tmp_path, monkeypatch, capsys)


def no_names(*said: str) -> bool:
    return not any(name in text for name in NAMES for text in said)


def test_risk_counts_who_is_unique_and_names_nobody(run: Run) -> None:
    done = run("graph", "risk", "friends.csv", "--json")
    told = json.loads(done.out)
    degrees: dict[str, int] = {}
    for pair in friends():
        for name in pair:
            degrees[name] = degrees.get(name, 0) + 1
    alone = sum(list(degrees.values()).count(degree) == 1 for degree in degrees.values())
    assert (done.code, told["nodes"], told["edges"]) == (0, 40, len(friends()))
    assert told["degree_unique"] == alone
    plain = run("graph", "risk", "friends.csv")
    assert "degrees of the neighbours (H2)" in plain.out
    assert "edges among the neighbours" in plain.out
    assert no_names(done.out, plain.out, plain.err)
    without = run("graph", "risk", "friends.csv", "--no-neighbourhood")
    assert "neighbourhoods were not looked at" in without.out


def test_a_bound_on_unique_people_leaves_with_one(run: Run) -> None:
    assert run("graph", "risk", "friends.csv", "--no-neighbourhood", "--at-most", 0).code == 1
    assert run("graph", "risk", "friends.csv", "--no-neighbourhood", "--at-most", 1).code == 0
    assert run("graph", "risk", "friends.csv", "--at-most", 3).code == 2


@pytest.mark.parametrize(
    ("lines", "option", "value"),
    [
        (["Mallory,Mallory", "Mallory,Trent"], "--loops", "drop"),
        (["Mallory,Trent", "Mallory,Trent"], "--repeated", "merge"),
        (["Mallory,Trent", "Trent,Mallory", "Peggy,Trent"], "--directed", "ignore"),
        (["Mallory,Trent,Secret", "Trent,Peggy,Other"], "--weights", "drop"),
    ],
    ids=["loops", "repeated", "directed", "weights"],
)
def test_what_a_network_cannot_hold_is_refused_with_the_option_that_allows_it(
    run: Run, tmp_path: Path, lines: list[str], option: str, value: str
) -> None:
    (tmp_path / "odd.csv").write_text("\n".join(["source,target" + ",w" * (option == "--weights"), *lines]))
    refused = run("graph", "risk", "odd.csv", "--no-neighbourhood")
    assert refused.code == 2
    assert f"{option} {value}" in refused.sentence
    assert no_names(refused.out, refused.err)
    assert "Secret" not in refused.err
    allowed = run("graph", "risk", "odd.csv", "--no-neighbourhood", option, value)
    assert allowed.code == 0
    assert no_names(allowed.out, allowed.err)


def test_columns_are_named_together_or_not_at_all(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("day,caller,callee\n1,a,b\n2,b,c\n")
    ends = ("--source", "caller", "--target", "callee")
    told = json.loads(run("graph", "risk", "t.csv", *ends, "--weights", "drop", "--json").out)
    assert (told["nodes"], told["edges"]) == (3, 2)
    assert run("graph", "risk", "t.csv", "--source", "caller").code == 2
    assert run("graph", "risk", "friends.csv", "--people", "t.csv").code == 2
    assert run("graph", "risk", "nowhere.csv").code == 2


def test_rows_of_a_table_without_an_edge_are_people_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("source,target\na,b\nb,c\n")
    (tmp_path / "who.csv").write_text("id,job\na,cook\nb,smith\nc,cook\nd,cook\n")
    about = ("--people", "who.csv", "--person", "id", "--label", "job")
    told = json.loads(run("graph", "risk", "pairs.csv", *about, "--no-neighbourhood", "--json").out)
    assert (told["nodes"], told["isolated"]) == (4, 1)
    assert told["degree_and_label_unique"] == 2


def test_other_commands_point_to_those_for_networks(run: Run, tmp_path: Path) -> None:
    for name in ("friends.csv", "friends.gml"):
        if name.endswith("gml"):
            (tmp_path / name).write_text("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]")
        done = run("risk", name)
        assert done.code == 2
        assert f"sfumato graph risk {name}" in done.sentence
    # Whoever names columns means a table.
    assert run("risk", "friends.csv", "--quasi", "source").code == 0
    (tmp_path / "table.csv").write_text("age,town\n31,x\n32,y\n33,x\n")
    assert run("risk", "table.csv").code == 0


def test_a_file_is_attacked_as_if_it_were_published_as_it_is(run: Run) -> None:
    done = run("graph", "attack", "friends.csv", "--json")
    told = json.loads(done.out)
    found = {one["attack"]: one for one in told["attacks"]}
    assert done.code == 0
    assert {"degree", "vertex-refinement", "neighbourhood", "subgraph", "active"} <= set(found)
    assert found["degree"]["scored"] == "measured"
    assert found["active"]["success"] == 1
    assert [one["attack"] for one in told["not_run"]] == ["seed-and-propagate"]
    assert any("as it is" in note for note in told["notes"])
    plain = run("graph", "attack", "friends.csv", "--attack", "degree")
    assert "candidates at the median" in plain.words
    assert no_names(done.out, plain.out, plain.err)


def test_of_a_release_alone_success_is_expected_and_said_to_be(run: Run, tmp_path: Path) -> None:
    shutil.move(tmp_path / "edges" / "release", tmp_path / "alone")
    told = json.loads(run("graph", "attack", "alone", "--json").out)
    found = {one["attack"]: one for one in told["attacks"]}
    assert {one["scored"] for one in found.values()} == {"expected"}
    assert found["degree"]["highest"] <= 1 / 3
    assert {one["attack"] for one in told["not_run"]} == {"active", "seed-and-propagate"}
    assert any("expected, not measured" in note for note in told["notes"])
    for attack in ("active", "seed-and-propagate", "degree: {knows: original}"):
        refused = run("graph", "attack", "alone", "--attack", attack)
        assert refused.code == 2, attack


def test_with_the_original_and_the_truth_success_is_measured(run: Run, tmp_path: Path) -> None:
    beside = json.loads(run("graph", "attack", "edges", "--original", "friends.csv", "--json").out)
    shutil.move(tmp_path / "edges" / "steward" / "truth.csv", tmp_path / "truth.csv")
    told = json.loads(
        run("graph", "attack", "edges", "--original", "friends.csv", "--truth", "truth.csv", "--json").out
    )
    found = {one["attack"]: one for one in told["attacks"]}
    assert found["degree"]["scored"] == found["active"]["scored"] == "measured"
    assert found["degree"]["details"]["people whose own node does not agree"] == 0
    assert told["attacks"] == beside["attacks"]
    true = ("--attack", "degree: {knows: original}")
    options = ("--original", "friends.csv", "--truth", "truth.csv", "--json")
    (known,) = json.loads(run("graph", "attack", "edges", *options, *true).out)["attacks"]
    assert known["success"] <= found["degree"]["success"] + 1e-9


def test_a_truth_of_something_else_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "edges" / "steward" / "truth.csv").rename(tmp_path / "truth.csv")
    rows = list(csv.DictReader((tmp_path / "truth.csv").open(encoding="utf-8")))
    assert "00420099" in {row["name"] for row in rows}
    tries = {
        "other numbers": [{**row, "node": str(int(row["node"]) + 900)} for row in rows],
        "a name twice": [*rows, rows[0]],
        "one node twice": [{**row, "node": "1"} for row in rows],
        "somebody left out": rows[1:],
        "other columns": [{"who": row["name"], "node": row["node"]} for row in rows],
    }
    for what, changed in tries.items():
        with (tmp_path / "wrong.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(changed[0]))
            writer.writeheader()
            writer.writerows(changed)
        done = run("graph", "attack", "edges", "--original", "friends.csv", "--truth", "wrong.csv")
        assert done.code == 2, what
        assert no_names(done.err), what


def test_another_network_is_laid_over_the_target(run: Run, tmp_path: Path) -> None:
    made = run("graph", "simulate", "--nodes", 300, "--edges", 1800, "--copies", 0.9, "--out", "two.csv")
    assert made.code == 0
    asked = ("--with", "two-other.csv", "--attack", "{seed-and-propagate: {seeds: 20}}")
    told = json.loads(run("graph", "attack", "two-one.csv", *asked, "--same-names", "--json").out)
    (found,) = told["attacks"]
    assert found["scored"] == "measured"
    assert found["success"] > 0.5
    assert run("graph", "attack", "two-one.csv", *asked).code == 2
    (tmp_path / "seeds.csv").write_text("name,node\n" + "".join(f"{n},{n}\n" for n in range(1, 31)))
    first = (tmp_path / "two-one.csv").read_text()
    known = [n for n in range(1, 31) if f"\n{n}," in first or f",{n}\n" in first]
    second = (tmp_path / "two-other.csv").read_text()
    known = [n for n in known if f"\n{n}," in second or f",{n}\n" in second]
    (tmp_path / "seeds.csv").write_text("name,node\n" + "".join(f"{n},{n}\n" for n in known))
    (claims,) = json.loads(
        run("graph", "attack", "two-one.csv", *asked, "--seeds", "seeds.csv", "--json").out
    )["attacks"]
    assert claims["scored"] == "claimed"
    assert run("graph", "attack", "two-one.csv", "--seeds", "seeds.csv").code == 2


def test_people_found_by_another_network_in_a_release_are_measured_with_the_truth(run: Run) -> None:
    asked = ("--with", "friends.csv", "--attack", "{seed-and-propagate: {seeds: 8}}", "--json")
    (found,) = json.loads(run("graph", "attack", "edges", *asked).out)["attacks"]
    assert (found["scored"], found["attempts"]) == ("measured", 32)
    assert run("graph", "attack", "groups", *asked).code == 2


def test_groups_are_attacked_as_groups(run: Run, tmp_path: Path) -> None:
    told = json.loads(run("graph", "attack", "groups", "--json").out)
    assert {one["scored"] for one in told["attacks"]} == {"expected"}
    assert all(one["success"] <= 1 / 4 for one in told["attacks"])
    assert {one["attack"] for one in told["not_run"]} == {"coalition", "seed-and-propagate"}
    options = ("--original", "friends.csv", "--attack", "degree: {knows: original}", "--json")
    (found,) = json.loads(run("graph", "attack", "groups", *options).out)["attacks"]
    assert found["scored"] == "measured"


def test_figures_under_differential_privacy_have_nobody_to_find(run: Run) -> None:
    for command in (("graph", "attack", "figures"), ("attack", "figures")):
        done = run(*command)
        assert done.code == 2
        assert "statistics" in done.sentence


def test_the_common_attack_command_knows_networks(run: Run) -> None:
    told = json.loads(run("attack", "edges", "--original", "friends.csv", "--json").out)
    assert "active" in {one["attack"] for one in told["attacks"]}
    refused = run("attack", "edges", "--quasi", "age")
    assert refused.code == 2
    assert "graph attack" in refused.sentence
    assert run("attack", "edges", "--at-most", 0.01).code == 1


def test_victims_are_numbers_and_never_lie_in_a_release(run: Run, tmp_path: Path) -> None:
    asked = ("graph", "attack", "friends.csv", "--attack", "degree", "--victims")
    assert run(*asked, "edges/release/hit.csv").code == 2
    done = run(*asked, "hit.csv")
    assert done.code == 0
    rows = list(csv.DictReader((tmp_path / "hit.csv").open(encoding="utf-8")))
    assert all(1 <= int(row["row"]) <= 40 for row in rows)
    assert no_names(done.out, (tmp_path / "hit.csv").read_text())


def test_an_original_of_another_network_is_refused(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "strangers.csv", [("x", "y"), ("y", "z")])
    assert run("graph", "attack", "edges", "--original", "strangers.csv").code == 2
    shutil.rmtree(tmp_path / "edges" / "steward")
    done = run("graph", "attack", "edges", "--original", "strangers.csv")
    assert done.code == 2
    assert "3 nodes and the release 40" in done.sentence
    refused = run("graph", "attack", "friends.csv", "--original", "strangers.csv")
    assert refused.code == 2
    assert "--truth" in refused.sentence
    assert run("graph", "attack", "edges", "--original", "friends.csv", "--same-names").code == 2


def test_worlds_have_the_counts_of_the_groups(run: Run, tmp_path: Path) -> None:
    done = run("graph", "worlds", "groups", "--count", 3, "--out", "worlds", "--seed", 2)
    assert done.code == 0
    released_groups = read_grouped(tmp_path / "groups" / "release")
    told = list(csv.DictReader((tmp_path / "worlds" / "nodes.csv").open(encoding="utf-8")))
    group = np.array([int(row["group"]) - 1 for row in told])
    for number in (1, 2, 3):
        world = read_network(tmp_path / "worlds" / f"world-{number}.csv", tmp_path / "worlds" / "nodes.csv")
        again = grouped_of(world, group)
        assert np.array_equal(again.sizes, released_groups.sizes)
        assert np.array_equal(again.inside, released_groups.inside)
        assert sorted(again.between.tolist()) == sorted(released_groups.between.tolist())
    assert run("graph", "worlds", "groups", "--count", 2, "--out", "worlds").code == 2
    assert run("graph", "worlds", "groups", "--count", 2, "--out", "worlds", "--replace").code == 0
    assert len(list((tmp_path / "worlds").iterdir())) == 3
    assert run("graph", "worlds", "groups", "--out", ".", "--replace").code == 2
    assert (tmp_path / "friends.csv").exists()


def test_statistics_are_estimated_over_worlds(run: Run) -> None:
    asked = ("--estimate", "clustering,triangles,components,highest-degree,mean-distance,transitivity")
    told = json.loads(run("graph", "worlds", "groups", "--count", 4, *asked, "--json").out)
    assert set(told) == set(asked[1].split(","))
    for one in told.values():
        assert one["lowest"] <= one["mean"] <= one["highest"]
        assert one["worlds"] == 4
    assert "spread" in run("graph", "worlds", "groups", *asked).out
    for wrong in ((), ("--estimate", "clusters"), ("--out", "w", "--format", "docx")):
        assert run("graph", "worlds", "groups", *wrong).code == 2
    assert run("graph", "worlds", "edges", *asked).code == 2
    assert run("graph", "worlds", "friends.csv", *asked).code == 2


@pytest.mark.parametrize("model", ["barabasi-albert", "erdos-renyi", "watts-strogatz", "communities"])
def test_made_up_networks_are_the_same_by_seed(run: Run, tmp_path: Path, model: str) -> None:
    options = ("graph", "simulate", "--nodes", 60, "--edges", 240, "--model", model, "--out")
    for name in ("one.gml", "two.gml"):
        assert run(*options, name).code == 0
    assert (tmp_path / "one.gml").read_bytes() == (tmp_path / "two.gml").read_bytes()
    made: Network = read_network(tmp_path / "one.gml")
    assert made.nodes == 60
    assert abs(made.edges - 240) <= 20
    assert run(*options, "one.gml").code == 2
    assert run(*options, "one.gml", "--replace", "--seed", 4).code == 0
    assert run(*options, "one.docx").code == 2


def test_what_cannot_be_made_up_is_an_error(run: Run) -> None:
    assert (
        run("graph", "simulate", "--nodes", 5, "--edges", 2, "--model", "bogus", "--out", "x.csv").code == 2
    )
    too_many = ("--nodes", 5, "--edges", 90, "--model", "erdos-renyi")
    assert run("graph", "simulate", *too_many, "--out", "x.csv").code == 2
    assert run("graph", "simulate", "--nodes", 9, "--edges", 9, "--copies", 0.5, "--out", "x.gml").code == 2
    assert run("graph", "simulate", "--nodes", 9, "--edges", 9, "--copies", 7, "--out", "x.csv").code == 2


def test_loss_is_compared_node_by_node_where_it_is_known_who_is_who(run: Run, tmp_path: Path) -> None:
    told = json.loads(run("graph", "compare", "friends.csv", "edges", "--json").out)
    changed = told["measures"]["edges-changed"]["details"]
    assert changed["removed"] == 0
    written = read_network(*(tmp_path / "edges" / "release" / name for name in ("data.csv", "nodes.csv")))
    assert changed["added"] == written.edges - len(friends())
    assert not told["not_measured"]
    shutil.rmtree(tmp_path / "edges" / "steward")
    without = json.loads(run("graph", "compare", "friends.csv", "edges", "--json").out)
    assert {"edges-changed", "betweenness-ranks", "communities"} == set(without["not_measured"])
    assert without["measures"]["degree-distance"] == told["measures"]["degree-distance"]
    itself = json.loads(run("graph", "compare", "friends.csv", "friends.csv", "--same-names", "--json").out)
    assert itself["measures"]["edges-changed"]["value"] == 0


def test_loss_of_groups_and_of_some_measures(run: Run, tmp_path: Path) -> None:
    told = json.loads(run("graph", "compare", "friends.csv", "groups", "--json").out)
    assert "possible-worlds" in told["measures"]
    plain = run("graph", "compare", "friends.csv", "groups", "--measure", "degree-distance,clustering")
    assert "degree-distance" in plain.out
    assert "path-lengths" not in plain.out
    assert run("graph", "compare", "friends.csv", "groups", "--measure", "beauty").code == 2
    write(tmp_path / "strangers.csv", [("x", "y"), ("y", "z")])
    assert run("graph", "compare", "strangers.csv", "groups").code == 2
    assert run("graph", "compare", "friends.csv", "figures").code == 2


def test_protect_and_verify_print_what_a_release_of_a_network_holds(run: Run, tmp_path: Path) -> None:
    done = run("protect", "edges.yaml", "--out", "again")
    assert done.code == 0
    assert "40 nodes" in done.words
    assert "unique by degree" in done.words
    assert no_names(done.out, done.err)
    checked = run("verify", "again/release")
    assert checked.code == 0
    assert "0 refuted" in checked.words


def test_every_command_has_an_example_in_its_help(run: Run) -> None:
    group = next(one for one in app.registered_groups if one.name == "graph")
    assert group.typer_instance is not None
    for command in group.typer_instance.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        done = run("graph", name, "--help")
        assert done.code == 0
        assert f"Example: sfumato graph {name} " in done.words
