"""Networks: who is connected to whom, released with other edges, as groups, or as figures with noise.

The window of the room: ``from sfumato import graph`` and then ``graph.KDegreeMethod(realise="swap")``. Names
are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.core.window import window

if TYPE_CHECKING:
    from sfumato.graph.attacks import (
        ActiveAttack,
        Attack,
        Candidates,
        Coalition,
        Degree,
        Knowledge,
        Matching,
        Neighbourhood,
        Planted,
        Recovered,
        SeedAndPropagate,
        Subgraph,
        VertexRefinement,
        accounts_needed,
        candidate_sizes,
        plant,
        propagate,
        recover,
    )
    from sfumato.graph.canonical import (
        Components,
        connected_components,
        degree_classes,
        form,
        neighbourhood_forms,
        vertex_refinement,
    )
    from sfumato.graph.contract import (
        Demand,
        Method,
        Model,
        Problem,
        Solution,
        Statistics,
    )
    from sfumato.graph.grouped import (
        Grouped,
    )
    from sfumato.graph.methods import (
        DpCounts,
        DpDegreeHistogram,
        DpDegreeSequence,
        KDegreeMethod,
        KGroupingMethod,
        KNeighbourhoodMethod,
        RandomAddDelete,
        RandomSwitch,
    )
    from sfumato.graph.models import (
        DifferentialPrivacy,
        KAutomorphism,
        KDegree,
        KGrouping,
        KIsomorphism,
        KNeighbourhood,
    )
    from sfumato.graph.network import (
        Network,
    )
    from sfumato.graph.reading import (
        Policy,
        Read,
        Told,
        of_pairs,
        open_network,
        read_grouped,
        read_network,
        read_statistics,
        with_labels,
        with_nodes,
    )
    from sfumato.graph.risk import (
        CandidateSets,
        Exposure,
        Hubs,
        exposure,
    )
    from sfumato.graph.simulate import (
        Copies,
        barabasi_albert,
        erdos_renyi,
        planted_communities,
        power_law,
        two_copies,
        watts_strogatz,
        with_degrees,
    )
    from sfumato.graph.statistics import (
        average_clustering,
        clustering,
        components,
        degree_histogram,
        distance_histogram,
        distances,
        sampled_sources,
        transitivity,
        triangle_count,
        triangles,
        wedges,
    )
    from sfumato.graph.utility import (
        BetweennessRanks,
        ClusteringChange,
        Communities,
        DegreeDistance,
        EdgesChanged,
        GraphMeasure,
        PathLengths,
        PossibleWorlds,
        SpectralGap,
    )
    from sfumato.graph.worlds import (
        Certain,
        Estimate,
        certain,
        estimate,
        expected_degree_distribution,
        expected_degrees,
        group_of_world,
        grouped_of,
        log_worlds,
        number_of_worlds,
        sample,
    )
    from sfumato.graph.writing import (
        Regrouped,
        Renumbered,
        edges_table,
        grouped_tables,
        nodes_table,
        publish,
        publish_grouped,
        statistics_table,
        to_igraph,
        to_networkx,
        to_scipy,
        write_grouped,
        write_network,
        write_statistics,
    )

_HOMES = {
    "sfumato.graph.attacks": (
        "ActiveAttack Attack Candidates Coalition Degree Knowledge Matching Neighbourhood Planted "
        "Recovered SeedAndPropagate Subgraph VertexRefinement accounts_needed candidate_sizes plant "
        "propagate recover"
    ),
    "sfumato.graph.canonical": (
        "Components connected_components degree_classes form neighbourhood_forms vertex_refinement"
    ),
    "sfumato.graph.contract": "Demand Method Model Problem Solution Statistics",
    "sfumato.graph.grouped": "Grouped",
    "sfumato.graph.methods": (
        "DpCounts DpDegreeHistogram DpDegreeSequence KDegreeMethod KGroupingMethod "
        "KNeighbourhoodMethod RandomAddDelete RandomSwitch"
    ),
    "sfumato.graph.models": (
        "DifferentialPrivacy KAutomorphism KDegree KGrouping KIsomorphism KNeighbourhood"
    ),
    "sfumato.graph.network": "Network",
    "sfumato.graph.reading": (
        "Policy Read Told of_pairs open_network read_grouped read_network read_statistics with_labels "
        "with_nodes"
    ),
    "sfumato.graph.risk": "CandidateSets Exposure Hubs exposure",
    "sfumato.graph.simulate": (
        "Copies barabasi_albert erdos_renyi planted_communities power_law two_copies watts_strogatz "
        "with_degrees"
    ),
    "sfumato.graph.statistics": (
        "average_clustering clustering components degree_histogram distance_histogram distances "
        "sampled_sources transitivity triangle_count triangles wedges"
    ),
    "sfumato.graph.utility": (
        "BetweennessRanks ClusteringChange Communities DegreeDistance EdgesChanged GraphMeasure "
        "PathLengths PossibleWorlds SpectralGap"
    ),
    "sfumato.graph.worlds": (
        "Certain Estimate certain estimate expected_degree_distribution expected_degrees "
        "group_of_world grouped_of log_worlds number_of_worlds sample"
    ),
    "sfumato.graph.writing": (
        "Regrouped Renumbered edges_table grouped_tables nodes_table publish publish_grouped "
        "statistics_table to_igraph to_networkx to_scipy write_grouped write_network write_statistics"
    ),
}

__all__ = [
    "ActiveAttack",
    "Attack",
    "BetweennessRanks",
    "CandidateSets",
    "Candidates",
    "Certain",
    "ClusteringChange",
    "Coalition",
    "Communities",
    "Components",
    "Copies",
    "Degree",
    "DegreeDistance",
    "Demand",
    "DifferentialPrivacy",
    "DpCounts",
    "DpDegreeHistogram",
    "DpDegreeSequence",
    "EdgesChanged",
    "Estimate",
    "Exposure",
    "GraphMeasure",
    "Grouped",
    "Hubs",
    "KAutomorphism",
    "KDegree",
    "KDegreeMethod",
    "KGrouping",
    "KGroupingMethod",
    "KIsomorphism",
    "KNeighbourhood",
    "KNeighbourhoodMethod",
    "Knowledge",
    "Matching",
    "Method",
    "Model",
    "Neighbourhood",
    "Network",
    "PathLengths",
    "Planted",
    "Policy",
    "PossibleWorlds",
    "Problem",
    "RandomAddDelete",
    "RandomSwitch",
    "Read",
    "Recovered",
    "Regrouped",
    "Renumbered",
    "SeedAndPropagate",
    "Solution",
    "SpectralGap",
    "Statistics",
    "Subgraph",
    "Told",
    "VertexRefinement",
    "accounts_needed",
    "average_clustering",
    "barabasi_albert",
    "candidate_sizes",
    "certain",
    "clustering",
    "components",
    "connected_components",
    "degree_classes",
    "degree_histogram",
    "distance_histogram",
    "distances",
    "edges_table",
    "erdos_renyi",
    "estimate",
    "expected_degree_distribution",
    "expected_degrees",
    "exposure",
    "form",
    "group_of_world",
    "grouped_of",
    "grouped_tables",
    "log_worlds",
    "neighbourhood_forms",
    "nodes_table",
    "number_of_worlds",
    "of_pairs",
    "open_network",
    "plant",
    "planted_communities",
    "power_law",
    "propagate",
    "publish",
    "publish_grouped",
    "read_grouped",
    "read_network",
    "read_statistics",
    "recover",
    "sample",
    "sampled_sources",
    "statistics_table",
    "to_igraph",
    "to_networkx",
    "to_scipy",
    "transitivity",
    "triangle_count",
    "triangles",
    "two_copies",
    "vertex_refinement",
    "watts_strogatz",
    "wedges",
    "with_degrees",
    "with_labels",
    "with_nodes",
    "write_grouped",
    "write_network",
    "write_statistics",
]

__getattr__, __dir__ = window(__name__, _HOMES, __all__)
