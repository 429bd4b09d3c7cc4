"""Evidence about released networks: what everybody may see, and what the steward keeps.

Public is what the released bytes show: nodes, edges and degrees, groups and the edges between them, or
figures and what was spent on noise. Names of nodes, how many edges were read, added or taken away, and how
well an attacker does is the steward's.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.core.evidence import Bin, ColumnExposure, HouseEvidence, Part, ReleaseEvidence, RiskFigure


class NetworkEvidence(Part):
    """What a released network shows, counted from its bytes."""

    nodes: int
    edges: int
    isolated: int = Field(description="nodes without an edge")
    components: int = Field(description="connected parts, isolated nodes among them")
    highest: int = Field(description="the most edges of a node")
    different: int = Field(description="different degrees")
    smallest: int = Field(description="nodes of the smallest group with one degree")
    degrees: list[Bin] = Field(description="nodes by their degree: classes are degrees, records nodes")
    labels: dict[str, int] = Field(default={}, description="how often each label is written")


class GroupingEvidence(Part):
    """What a released grouping shows."""

    groups: int
    nodes: int
    edges: int
    smallest: int
    largest: int
    links: int = Field(description="pairs of groups with edges between them")
    log_worlds: float = Field(description="natural logarithm of the number of networks with these counts")
    certain: int = Field(
        default=0,
        description="edges that are certain: in or between groups where every pair is connected",
    )
    sizes: list[Bin] = Field(default=[], description="sizes of the groups")


class GraphFiguresEvidence(Part):
    """What released statistics of a network show."""

    statistic: str
    columns: list[str]
    rows: int
    epsilon: str | None = Field(default=None, description="of differential privacy, as a decimal")
    delta: str | None = None
    nodes: int | None = Field(
        default=None, description="how many nodes there are, where the promise does not hide it"
    )
    neighbours: str = Field(default="", description="what neighbouring networks differ by: an edge or a node")
    meaning: list[str] = Field(default=[], description="what the price leaves to an adversary")
    randomness: str = Field(default="", description="where noise came from")


class PeopleTableEvidence(Part):
    """The table of what is published about nodes beside their edges."""

    file: str
    rows: int
    columns: list[str]
    blanked: int = Field(default=0, description="nodes about which nothing is said")
    sha256: str
    exposure: list[ColumnExposure] = Field(
        default=[], description="of every column that is no quasi-identifier, when it is known, too"
    )


class GraphEvidence(ReleaseEvidence):
    """What everybody may see of a released network."""

    kind: Literal["graph"] = "graph"
    form: Literal["network", "grouping", "statistics"]
    network: NetworkEvidence | None = None
    grouping: GroupingEvidence | None = None
    figures: GraphFiguresEvidence | None = None
    table: PeopleTableEvidence | None = None
    schema_sha256: str = Field(description="fingerprint of schema.json, which says how the files are read")
    stripped: list[str] = Field(
        default=[], description="what of the input is not released, such as names of nodes and weights"
    )


class ReadNetworkEvidence(Part):
    """The network as it was read."""

    nodes: int
    edges: int
    isolated: int = 0
    components: int | None = None
    left_out: dict[str, int] = Field(default={}, description="loops, repeats and so on, by the reason")


class Curve(Part):
    """One line of a plot: points (x, y)."""

    title: str
    x: list[float]
    y: list[float]


class StewardGraphEvidence(HouseEvidence, GraphEvidence):
    """What the steward keeps of a released network."""

    read: ReadNetworkEvidence
    notes: list[str] = Field(default=[], description="what was mended, left out or guessed in reading")
    risk_before: list[RiskFigure] = Field(default=[], description="the network as it was read")
    risk_after: list[RiskFigure] = Field(default=[], description="the network as it is released")
    risk_said: list[str] = Field(default=[], description="what holds for all figures of risk")
    search: dict[str, int | float | str] = Field(default={}, description="figures of the search")
    degrees: list[Curve] = Field(default=[], description="share of nodes of a degree or a higher one")
    candidates: list[Curve] = Field(
        default=[], description="share of people with at most so many candidates, by what is known of them"
    )
