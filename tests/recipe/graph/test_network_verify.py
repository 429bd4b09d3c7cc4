"""Whatever is changed in a released network, verification finds it, also where fingerprints were forged."""

from __future__ import annotations

import gzip
import shutil
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.findings import Status
from tests.recipe.dna.rows_examples import edit_data, edit_json, refuted
from tests.recipe.graph.network_examples import csv, forge, gml, released

NOTHING_ELSE = "the files hold the network and nothing else"
WARNED = "the evidence tells what the promises leave open"
KINDS = ("csv", "csv.gz", "parquet", "txt", "gml", "graphml", "labels")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One release of each kind, which tests copy before they tamper with it."""
    found = {}
    for kind in KINDS:
        folder = tmp_path_factory.mktemp("made")
        suffix = "csv" if kind == "labels" else kind
        options = {"graph": "label: job"} if kind == "labels" else {}
        source = csv(folder) if kind == "csv" else gml(folder)
        found[kind] = released(folder, source, more=f"output: {{format: {suffix}}}", **options).release
    return found


@pytest.fixture
def copy(made: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    def copied(name: str) -> Path:
        return Path(shutil.copytree(made[name], tmp_path / "release"))

    return copied


@pytest.mark.parametrize("kind", KINDS)
def test_an_untouched_release_is_confirmed(made: dict[str, Path], kind: str) -> None:
    found = {one.claim: one.status for one in sf.verify(made[kind]).findings}
    assert Status.REFUTED not in found.values()
    assert found["k-degree with k = 3"] is Status.CONFIRMED
    assert found[NOTHING_ELSE] is Status.CONFIRMED
    assert [claim for claim, status in found.items() if status is Status.NOT_CHECKED] == [
        "every edge of the network is there"
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_byte_is_found_by_the_fingerprint(copy: Callable[[str], Path], kind: str) -> None:
    release = copy(kind)
    file = next(release.glob("data.*"))
    file.write_bytes(file.read_bytes() + b"\n")
    assert "the data are those that were released" in refuted(release)


def edges_of(release: Path) -> list[tuple[int, int]]:
    lines = (release / "data.csv").read_text().splitlines()[1:]
    return [(int(one), int(other)) for one, other in (line.split(",") for line in lines)]


def degrees_of(edges: list[tuple[int, int]]) -> list[int]:
    return sorted(Counter(end for pair in edges for end in pair).values())


def free_pair(edges: list[tuple[int, int]]) -> tuple[int, int]:
    """Return two nodes that are not connected."""
    return next(pair for pair in combinations(range(1, 19), 2) if pair not in edges)


def breaking(edges: list[tuple[int, int]], k: int) -> list[tuple[int, int]]:
    """Return the edges but for one, without which some degree occurs fewer than k times."""
    for at in range(len(edges)):
        left = edges[:at] + edges[at + 1 :]
        ends = Counter(end for pair in left for end in pair)
        if min(Counter(ends[node] for node in range(1, 19)).values()) < k:
            return left
    raise AssertionError("some edge matters")


def with_edges(release: Path, edges: list[tuple[int, int]]) -> None:
    """Write other edges as the house would, and count them in the evidence as a forger would."""
    lines = ["source,target", *(f"{one},{other}" for one, other in sorted(edges))]
    (release / "data.csv").write_text("\n".join(lines) + "\n")
    edit_json(release / "evidence.json", lambda e: e["data"].update(rows=len(edges)))
    forge(release)


def test_an_edge_more_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("csv")
    edges = edges_of(release)
    with_edges(release, [*edges, free_pair(edges)])
    assert "18 nodes and" in refuted(release)


def test_an_edge_fewer_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("csv")
    with_edges(release, edges_of(release)[1:])
    assert "18 nodes and" in refuted(release)


def test_edges_that_were_moved_are_found(copy: Callable[[str], Path]) -> None:
    release = copy("csv")
    edges = edges_of(release)
    # An edge that moves between nodes of the same degrees may leave every claim true: take one that does not.
    free = [pair for pair in combinations(range(1, 19), 2) if pair not in edges]
    moved = next(
        found for found in ([pair, *edges[1:]] for pair in free) if degrees_of(found) != degrees_of(edges)
    )
    with_edges(release, moved)
    assert "18 nodes and" in refuted(release)


def test_edges_that_break_the_promise_are_found_whatever_else_was_forged(
    copy: Callable[[str], Path],
) -> None:
    from sfumato.graph.reading import read_network
    from sfumato.recipe.graph.network_shown import network_shown

    release = copy("csv")
    with_edges(release, breaking(edges_of(release), 3))
    network = network_shown(read_network(release / "data.csv", release / "nodes.csv"))
    edit_json(release / "evidence.json", lambda e: e.update(network=network.model_dump()))
    forge(release)
    assert network.smallest < 3
    assert refuted(release) == "k-degree with k = 3"


@pytest.mark.parametrize(
    ("kind", "file", "old", "new", "claim"),
    [
        pytest.param("csv", "nodes.csv", "\n18\n", "\n", "", id="a node less"),
        pytest.param("csv", "nodes.csv", "\n18\n", "\n18\n19\n", "18 nodes", id="a node more"),
        pytest.param("csv", "nodes.csv", "\n18\n", "\n20\n", "", id="a gap in the numbers"),
        pytest.param("csv", "nodes.csv", "node\n1\n2\n", "node\n2\n1\n", NOTHING_ELSE, id="another order"),
        pytest.param(
            "csv", "data.csv", "source,target\n", "source,target\n\n", NOTHING_ELSE, id="a blank line"
        ),
        pytest.param("csv", "data.csv", "source", "ada", "", id="another column name"),
        pytest.param("txt", "data.txt", "1\t", "# of ada\n1\t", NOTHING_ELSE, id="a comment"),
        pytest.param("txt", "data.txt", "1\t", "01\t", "", id="a zero in front"),
        pytest.param("gml", "data.gml", "directed 0", "directed 1", "", id="a direction"),
        pytest.param(
            "gml", "data.gml", "directed 0", 'comment "ada"\n  directed 0', NOTHING_ELSE, id="words"
        ),
        pytest.param("gml", "data.gml", "    id 1\n", '    id 1\n    job "cook"\n', NOTHING_ELSE, id="a job"),
        pytest.param("gml", "data.gml", "graph", "# ada\ngraph", NOTHING_ELSE, id="a remark"),
        pytest.param(
            "graphml", "data.graphml", "<graph ", "<!-- ada -->\n<graph ", NOTHING_ELSE, id="XML remark"
        ),
        pytest.param(
            "graphml", "data.graphml", '<node id="1"/>', '<node id="1" n="a"/>', "", id="an attribute"
        ),
        pytest.param("labels", "nodes.csv", "cook", "nurse", "19 nodes", id="another label"),
        pytest.param("labels", "nodes.csv", "cook", "ada.xu", "19 nodes", id="a name for a label"),
    ],
)
def test_a_forged_file_is_refuted(
    copy: Callable[[str], Path], kind: str, file: str, old: str, new: str, claim: str
) -> None:
    release = copy(kind)
    edit_data(release, old, new, file)
    forge(release)
    found = refuted(release)
    assert found
    assert claim in found


def test_a_column_beside_the_edges_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("csv")
    first, *rest = (release / "data.csv").read_text().splitlines()
    (release / "data.csv").write_text(
        "\n".join([f"{first},since", *(f"{line},2020" for line in rest)]) + "\n"
    )
    forge(release)
    assert NOTHING_ELSE in refuted(release)


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        (lambda e: e["verdicts"][0]["parameters"].update(k=4), "k-degree with k = 4"),
        (lambda e: e["verdicts"][0].update(achieved="k = 9"), "k-degree with k = 3"),
        (lambda e: e["verdicts"][0].update(meaning="nobody can be found"), "k-degree with k = 3"),
        (lambda e: e["verdicts"][0].update(protects_from=["identity", "membership"]), "k-degree with k = 3"),
        (lambda e: e["verdicts"].clear(), "the network keeps a promise"),
        (lambda e: e["warnings"].pop(), WARNED),
        (lambda e: e["warnings"].append("nobody can be found"), WARNED),
        (lambda e: e.update(people="distinct persons were counted"), WARNED),
        (lambda e: e["network"].update(smallest=9), "18 nodes and"),
        (lambda e: e["network"].update(components=9), "18 nodes and"),
        (lambda e: e["network"]["labels"].update(ada=1), "18 nodes and"),
        (lambda e: e["data"].update(rows=1), "the file has 1 row"),
        (lambda e: e.update(method="k-neighbourhood"), "tell of the same release"),
        (lambda e: e.update(truthful=True), "tell of the same release"),
        (lambda e: e.update(order="kept"), "tell of the same release"),
        (lambda e: e.update(stripped=[]), "tell of the same release"),
        (lambda e: e.update(stripped=["names of nodes", "ada"]), "tell of the same release"),
        (lambda e: e["recipe"]["method"]["k-degree"].update(realise="swap"), WARNED),
        (lambda e: e["recipe"]["models"][0]["k-degree"].update(k=9), "promises of the recipe"),
        (lambda e: e["recipe"]["output"].update(format="gml"), "tell of the same release"),
        (lambda e: e["recipe"].update(population="ada"), "tell of the same release"),
        (lambda e: e["recipe"].update(title="Safe"), "tell of the same release"),
        (lambda e: e["recipe"]["resources"][0].update(path="ada.csv"), "tell of the same release"),
        (lambda e: e["recipe"]["resources"][0]["graph"].update(name="ada"), "tell of the same release"),
    ],
)
def test_forged_evidence_is_refuted(
    copy: Callable[[str], Path], change: Callable[[Any], None], claim: str
) -> None:
    release = copy("csv")
    edit_json(release / "evidence.json", change)
    forge(release)
    assert claim in refuted(release)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.update(labelled=True),
        lambda s: s.update(file="data.txt"),
        lambda s: s.update(form="grouping"),
        lambda s: s.update(numbering="the numbers of the house"),
        lambda s: s["columns"].update({"nodes.csv": ["node", "name"]}),
        lambda s: s.update(more={}),
    ],
)
def test_a_forged_schema_is_refuted(copy: Callable[[str], Path], change: Callable[[Any], None]) -> None:
    release = copy("csv")
    edit_json(release / "schema.json", change)
    assert "what belongs to the data is as it was released" in refuted(release)
    forge(release)
    assert refuted(release)


def test_a_changed_table_of_nodes_is_found_by_its_fingerprint(copy: Callable[[str], Path]) -> None:
    release = copy("csv")
    edit_data(release, "18", "19", "nodes.csv")
    assert "what belongs to the data is as it was released" in refuted(release)


def test_a_file_beside_the_release_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("gml")
    (release / "names.csv").write_text("ada,1\n")
    assert "the folder holds the release and nothing else" in refuted(release)


def test_a_report_that_says_something_else_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("csv")
    edit_data(release, "k-degree", "k-anything", "report.html")
    assert "the report is that of the evidence" in refuted(release)


def test_remarks_and_other_types_in_parquet_are_found(copy: Callable[[str], Path]) -> None:
    release = copy("parquet")
    table = pq.read_table(release / "data.parquet")
    for changed in (
        table.replace_schema_metadata({"owner": "Ada"}),
        table.set_column(0, "source", table.column(0).cast(pa.string())),
        table.append_column("since", pa.nulls(len(table), pa.int64())),
    ):
        pq.write_table(changed, release / "data.parquet")
        forge(release)
        assert NOTHING_ELSE in refuted(release)


def test_what_is_hidden_in_a_packed_file_is_found(copy: Callable[[str], Path]) -> None:
    release = copy("csv.gz")
    path = release / "data.csv.gz"
    content = gzip.decompress(path.read_bytes())
    path.write_bytes(path.read_bytes() + gzip.compress(b"1,2\n", mtime=0))
    forge(release)
    assert refuted(release)
    with path.open("wb") as file, gzip.GzipFile("ada.xu", "wb", fileobj=file, mtime=0) as packed:
        packed.write(content)
    forge(release)
    assert refuted(release) == NOTHING_ELSE


def test_a_release_that_is_not_whole_is_refused(copy: Callable[[str], Path]) -> None:
    release = copy("csv")
    (release / "nodes.csv").unlink()
    with pytest.raises(BadInput, match="not all there"):
        sf.verify(release)


def test_the_folder_of_the_steward_is_refused(made: dict[str, Path]) -> None:
    with pytest.raises(BadInput, match="steward"):
        sf.verify(made["csv"].parent / "steward")


def test_a_link_that_leads_elsewhere_is_refused(copy: Callable[[str], Path], tmp_path: Path) -> None:
    release = copy("csv")
    (release / "nodes.csv").rename(tmp_path / "nodes.csv")
    (release / "nodes.csv").symlink_to(tmp_path / "nodes.csv")
    with pytest.raises(BadInput, match="no plain file"):
        sf.verify(release)
