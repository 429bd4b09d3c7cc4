"""``sfumato graph``: risk of networks, attacks on what is released, possible worlds, made-up networks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.options import Replace, consoles, listed

graph = typer.Typer(
    help="Networks: risk, attacks, possible worlds of groups, what was lost, made-up networks.",
    no_args_is_help=True,
)

Source = Annotated[str | None, typer.Option(help="The column of one end of an edge (default: the first).")]
Target = Annotated[str | None, typer.Option(help="The column of its other end (default: the second).")]
Header = Annotated[
    bool | None,
    typer.Option("--header/--no-header", help="Whether the first line of a list names columns; guessed."),
]
Delimiter = Annotated[str | None, typer.Option(help="What parts the columns of a list; found if not given.")]
Name = Annotated[str | None, typer.Option(help="Of GML and GraphML: the attribute that names a node, or id.")]
Label = Annotated[str | None, typer.Option(help="The attribute of nodes that is known besides their edges.")]
Loops = Annotated[str, typer.Option(help="Edges from a node to itself: error or drop.")]
Repeated = Annotated[str, typer.Option(help="Edges that are listed again: error or merge.")]
Directed = Annotated[str, typer.Option(help="Edges that lead one way: error or ignore (their direction).")]
Weights = Annotated[str, typer.Option(help="Columns beside the ends of edges: error or drop.")]
Edgeless = Annotated[str, typer.Option(help="A network without any edge: error or keep.")]
People = Annotated[
    Path | None, typer.Option(help="A table about the nodes: its rows without an edge are nodes, too.")
]
Person = Annotated[str | None, typer.Option(help="Its column with the names of nodes.")]
Truth = Annotated[
    Path | None,
    typer.Option(help="Who is who: a table of name and node (or group); the steward's truth.csv."),
]
SameNames = Annotated[
    bool, typer.Option("--same-names", help="People have the same names in TARGET and in the other files.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seed = Annotated[int, typer.Option(min=0, help="Another seed, another draw.")]


@graph.command()
def risk(
    data: Annotated[Path, typer.Argument(help="An edge list (CSV, TSV, text, Parquet), GML or GraphML.")],
    neighbourhood: Annotated[
        bool | None,
        typer.Option(
            "--neighbourhood/--no-neighbourhood",
            help="Compare neighbourhoods, however long it takes, or do not (default: if it is quick).",
        ),
    ] = None,
    source: Source = None,
    target: Target = None,
    header: Header = None,
    delimiter: Delimiter = None,
    name: Name = None,
    label: Label = None,
    people: People = None,
    person: Person = None,
    loops: Loops = "error",
    repeated: Repeated = "error",
    directed: Directed = "error",
    weights: Weights = "error",
    edgeless: Edgeless = "error",
    at_most: Annotated[
        float | None, typer.Option(help="Leave with 1 if a larger share of people is unique by anything.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """How exposed are people by their place in a network: by degree, by what is around them?

    Example: sfumato graph risk friends.csv --repeated merge
    """
    from sfumato.cli.graph_read import Reading
    from sfumato.cli.graph_risk import show_graph_risk

    reading = Reading(
        source,
        target,
        header,
        delimiter,
        name,
        label,
        loops,
        repeated,
        directed,
        weights,
        edgeless,
        people,
        person,
    )
    if not show_graph_risk(data, reading, neighbourhood, at_most, as_json, *consoles()):
        raise typer.Exit(1)


@graph.command()
def attack(
    target: Annotated[Path, typer.Argument(help="A release of a network or of groups, or any network file.")],
    attacks: Annotated[
        list[str] | None,
        typer.Option("--attack", help="An attack, spelt as in a recipe; may be given several times."),
    ] = None,
    original: Annotated[
        Path | None, typer.Option(help="The network before it was protected: everybody is looked for.")
    ] = None,
    truth: Truth = None,
    with_: Annotated[
        Path | None, typer.Option("--with", help="Another network of the same people, with names.")
    ] = None,
    same_names: SameNames = False,
    seeds: Annotated[
        Path | None,
        typer.Option(help="People who are known from the start: a table of name (in --with) and node."),
    ] = None,
    source: Source = None,
    end: Annotated[
        str | None, typer.Option("--target", help="The column of its other end (default: the second).")
    ] = None,
    header: Header = None,
    delimiter: Delimiter = None,
    name: Name = None,
    label: Label = None,
    loops: Loops = "error",
    repeated: Repeated = "error",
    directed: Directed = "error",
    weights: Weights = "error",
    victims: Annotated[
        Path | None, typer.Option(help="Write which nodes were hit to this file; never into a release.")
    ] = None,
    at_most: Annotated[
        float | None, typer.Option(help="Leave with 1 if an attack succeeds for a larger share of people.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What would somebody learn who knows edges, creates accounts, or holds another network?

    Example: sfumato graph attack release/ --original friends.csv --truth steward/truth.csv
    """
    from sfumato.cli.graph_attack import run_graph_attack
    from sfumato.cli.graph_known import Held
    from sfumato.cli.graph_read import Reading
    from sfumato.cli.progress import TerminalProgress

    console, errors = consoles()
    reading = Reading(source, end, header, delimiter, name, label, loops, repeated, directed, weights)
    held = Held(original, with_, truth, same_names, seeds, reading)
    with TerminalProgress(errors) as progress:
        kept = run_graph_attack(
            target,
            held,
            attacks or [],
            victims=victims,
            at_most=at_most,
            as_json=as_json,
            console=console,
            progress=progress,
        )
    if not kept:
        raise typer.Exit(1)


@graph.command()
def worlds(
    release: Annotated[Path, typer.Argument(help="A release of groups, or a folder with groups and links.")],
    count: Annotated[int, typer.Option(min=2, help="How many worlds to draw.")] = 10,
    out: Annotated[Path | None, typer.Option(help="Folder to write them to.")] = None,
    estimate: Annotated[
        str | None,
        typer.Option(
            help="Statistics to estimate, with commas: clustering, transitivity, triangles, components, "
            "highest-degree, mean-distance."
        ),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", help="How they are written: csv, tsv, txt, edges or parquet.")
    ] = "csv",
    seed: Seed = 1,
    replace: Replace = False,
    as_json: AsJson = False,
) -> None:
    """Draw possible worlds of a grouping: networks that have its counts, each as likely as the next.

    Example: sfumato graph worlds release/ --count 20 --estimate clustering,triangles
    """
    from sfumato.cli.graph_worlds import draw_worlds

    draw_worlds(release, count, out, listed(estimate), format_, seed, replace, as_json, *consoles())


@graph.command()
def compare(
    original: Annotated[Path, typer.Argument(help="The network as it was.")],
    release: Annotated[Path, typer.Argument(help="Its release, or another file of a network.")],
    measure: Annotated[
        str | None, typer.Option(help="Measures, with commas (default: all that do not take long).")
    ] = None,
    truth: Truth = None,
    same_names: SameNames = False,
    source: Source = None,
    target: Target = None,
    header: Header = None,
    delimiter: Delimiter = None,
    name: Name = None,
    loops: Loops = "error",
    repeated: Repeated = "error",
    directed: Directed = "error",
    weights: Weights = "error",
    as_json: AsJson = False,
) -> None:
    """What was lost: edges, degrees, clustering, paths, ranks, communities.

    Example: sfumato graph compare friends.csv release/ --truth steward/truth.csv
    """
    from sfumato.cli.graph_compare import compare_networks
    from sfumato.cli.graph_read import Reading

    reading = Reading(source, target, header, delimiter, name, None, loops, repeated, directed, weights)
    compare_networks(original, release, reading, truth, same_names, listed(measure), as_json, *consoles())


@graph.command()
def simulate(
    nodes: Annotated[int, typer.Option(min=2, help="How many nodes.")],
    edges: Annotated[int, typer.Option(min=1, help="How many edges, or about as many.")],
    out: Annotated[
        Path, typer.Option(help="The file to write: .csv, .tsv, .txt, .edges, .parquet, .gml or .graphml.")
    ],
    model: Annotated[
        str,
        typer.Option(help="barabasi-albert (with hubs), erdos-renyi, watts-strogatz or communities."),
    ] = "barabasi-albert",
    copies: Annotated[
        float | None,
        typer.Option(help="Write two parts that share this part of people and edges, such as 0.8."),
    ] = None,
    seed: Seed = 1,
    replace: Replace = False,
) -> None:
    """Make up a network of nobody, to try things on; with --copies two that overlap.

    Example: sfumato graph simulate --nodes 1000 --edges 5000 --out friends.csv
    """
    from sfumato.cli.graph_simulate import Simulation, simulate_network

    simulate_network(Simulation(nodes, edges, model, seed), out, copies, replace, *consoles())
