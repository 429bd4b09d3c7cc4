"""schema.json of a released network or grouping: which files there are, and how they are read."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sfumato.graph.reading.published import EDGE_COLUMNS, GROUP_COLUMNS, LABEL, LINK_COLUMNS, NODE
from sfumato.recipe.released_schema import ReleasedSchema

NUMBERING = "nodes and groups are numbered from 1, at random: numbers mean nothing"


class ReleasedNetwork(BaseModel):
    """What a release of a network holds."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    format: Literal["sfumato-schema"] = "sfumato-schema"
    kind: Literal["graph"] = "graph"
    version: Literal[1] = 1
    form: Literal["network", "grouping"]
    file: str = Field(description="the edges, or the groups")
    directed: Literal[False] = False
    labelled: bool = Field(default=False, description="whether nodes have labels beside their numbers")
    numbering: str = NUMBERING
    columns: dict[str, list[str]] = Field(
        default={}, description="of tables: their columns by the name of the file, in their order"
    )
    more: dict[str, str] = Field(
        default={}, description="files that belong to the released one, and their fingerprints (SHA-256)"
    )
    people: ReleasedSchema | None = Field(default=None, description="the table about the nodes")

    @property
    def suffix(self) -> str:
        """The format as the name of the file tells it."""
        return self.file.partition(".")[2]


def files_of(form: str, format_: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of the released file, and those that belong to it.

    >>> files_of("network", "csv"), files_of("grouping", "parquet"), files_of("network", "gml")
    (('data.csv', ('nodes.csv',)), ('groups.parquet', ('links.parquet',)), ('data.gml', ()))
    """
    if form == "grouping":
        return f"groups.{format_}", (f"links.{format_}",)
    if format_ in ("gml", "graphml"):
        return f"data.{format_}", ()
    return f"data.{format_}", ("nodes.parquet" if format_ == "parquet" else "nodes.csv",)


def columns_of(form: str, format_: str, *, labelled: bool) -> dict[str, list[str]]:
    """Return the columns of the tables that are written."""
    file, more = files_of(form, format_)
    if form == "grouping":
        return {file: list(GROUP_COLUMNS), more[0]: list(LINK_COLUMNS)}
    if not more:
        return {}
    return {file: list(EDGE_COLUMNS), more[0]: [NODE, LABEL] if labelled else [NODE]}
