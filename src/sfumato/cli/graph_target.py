"""What an attack on a network is aimed at, and who is who: a release, or any file of a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.cli.graph_read import Reading, places_of
from sfumato.core.errors import BadInput
from sfumato.core.evidence_graph import GraphEvidence
from sfumato.core.named import build
from sfumato.graph.contract import Problem, Publishable
from sfumato.graph.grouped import Grouped
from sfumato.graph.methods import METHODS
from sfumato.graph.models import MODELS
from sfumato.graph.network import Network
from sfumato.graph.reading import Read, read_grouped
from sfumato.graph.reading.published import GROUPS
from sfumato.graph.reading.tables import table_of
from sfumato.recipe.graph.on_disk import NetworkOnDisk
from sfumato.recipe.on_disk import kind_of, release_folder

NAME = "name"
TRUTH = "truth.csv"
STEWARD = "steward"
Truth = NDArray[np.int64]
"""the published node, or group, of each node of another network; −1 for nobody"""


@dataclass(frozen=True, eq=False)
class Target:
    """A network or a grouping that is attacked."""

    published: Network | Grouped
    names: pa.StringArray = field(repr=False)
    """of nodes, or of groups; those of a release are its numbers"""
    release: Path | None = None
    evidence: GraphEvidence | None = field(default=None, repr=False)

    @property
    def named(self) -> str:
        """The column of a truth that says where somebody is."""
        return "group" if isinstance(self.published, Grouped) else "node"

    def house(self) -> Callable[[Network], Publishable] | None:
        """Return how the house publishes a network, as the release tells it; None where it does not."""
        if self.evidence is None:
            return None
        told = self.evidence.recipe
        listed: Any = told.get("models", [])
        named: Any = told.get("method", "")
        models = tuple(
            build(MODELS, spec, "model", "the recipe of the release")
            for spec in listed
            if (spec if isinstance(spec, str) else next(iter(spec), "")) in MODELS
        )
        method = build(METHODS, named, "method", "the recipe of the release")
        return lambda network: method.protect(Problem(network, models)).published


def target_of(path: Path, reading: Reading) -> Target:
    """Read a release, the folder of a grouping, or a file of a network."""
    if not path.is_dir():
        read = reading.read(path)
        return Target(read.network, read.names)
    if _is_bare_grouping(path):
        return _numbered(read_grouped(path))
    folder = release_folder(path)
    if kind_of(folder) != "graph":
        raise BadInput("this is no release of a network", where=str(path), remedy="use 'sfumato attack'")
    found = NetworkOnDisk.read(folder)
    return _numbered(found.published(), folder, found.evidence)


def grouping_of(path: Path) -> Grouped:
    """Read a grouping, whether a release or the two files alone."""
    found = target_of(path, Reading()).published if path.is_dir() else None
    if not isinstance(found, Grouped):
        raise BadInput(
            "this holds no groups", where=str(path), remedy="give a release that promises k-grouping"
        )
    return found


def _is_bare_grouping(folder: Path) -> bool:
    """Say whether a folder holds groups and links, and nobody's evidence."""
    return not (folder / "evidence.json").exists() and any(folder.glob(f"{GROUPS}.*"))


def _numbered(
    published: Network | Grouped, release: Path | None = None, evidence: GraphEvidence | None = None
) -> Target:
    many = len(published.sizes) if isinstance(published, Grouped) else published.nodes
    return Target(published, pa.array(np.arange(1, many + 1)).cast(pa.string()), release, evidence)


@dataclass(frozen=True, eq=False)
class Who:
    """Which published node, or group, is whose, by the names of another file."""

    names: pa.StringArray = field(repr=False)
    node: Truth = field(repr=False)
    said: str
    """where it was taken from, in words"""

    def of(self, read: Read, where: str) -> Truth:
        """Return the published node of each node that was read; refuse files that share nobody."""
        place = places_of(read.names, self.names).fill_null(-1).to_numpy(zero_copy_only=False)
        found = np.where(place >= 0, self.node[place.astype(np.int64)], -1) if len(self.node) else place
        if not (found >= 0).any():
            raise BadInput(
                "nobody of this network is in the target by name",
                where=where,
                remedy="give names as the truth spells them",
            )
        return found.astype(np.int64)


def who_of(target: Target, truth: Path | None, same_names: bool) -> Who | None:
    """Read who is who from a file, from names that are the same, or from the steward's folder beside."""
    if truth is not None and same_names:
        raise BadInput("there are --truth and --same-names", remedy="give one of them")
    if truth is not None:
        return _of_file(truth, target, "--truth")
    if same_names:
        if target.release is not None or isinstance(target.published, Grouped):
            raise BadInput(
                "a release has new numbers, which are nobody's names",
                where="--same-names",
                remedy="give the steward's truth.csv with --truth",
            )
        everybody = np.arange(len(target.names), dtype=np.int64)
        return Who(target.names, everybody, "nodes of the same name were taken as the same person")
    beside = None if target.release is None else target.release.parent / STEWARD / TRUTH
    if beside is None or not beside.is_file():
        return None
    return _of_file(beside, target, str(beside))


def pairs_of(path: Path, target: Target, option: str) -> tuple[pa.StringArray, Truth]:
    """Read names, and the published node or group of each; refuse those that are not in the target."""
    table = table_of(path)
    for column in (NAME, target.named):
        if column not in table.column_names:
            raise BadInput(
                f"there is no column '{column}'",
                where=f"{option}, {path}",
                remedy=f"give a table with the columns {NAME} and {target.named}",
            )
    names, nodes = (table.column(column).cast(pa.string()) for column in (NAME, target.named))
    place = places_of(nodes, target.names).combine_chunks()
    if place.null_count:
        raise BadInput(
            f"{place.null_count:,} rows lead to a {target.named} that the target does not have",
            where=f"{option}, {path}",
            remedy="give the truth about this target",
        )
    if names.null_count or len(names.unique()) < len(names):
        raise BadInput(
            "a name is missing or stands twice", where=f"{option}, {path}", remedy="give each name once"
        )
    node = place.to_numpy(zero_copy_only=False).astype(np.int64)
    if target.named == "node" and len(np.unique(node)) < len(node):
        raise BadInput(
            "two names have the same node", where=f"{option}, {path}", remedy="give each node once"
        )
    return names.combine_chunks(), node


def _of_file(path: Path, target: Target, option: str) -> Who:
    names, node = pairs_of(path, target, option)
    return Who(names, node, f"who is who was taken from {path.name}")
