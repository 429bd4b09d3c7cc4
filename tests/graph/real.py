"""The real networks of the golden folder, read in the plainest way, and what is known of them."""

from __future__ import annotations

import functools
import gzip
import re
from pathlib import Path

import numpy as np

from sfumato.graph.network import Network

KNOWN = {
    "karate.edges.gz": (34, 78, 6, 23, 16),
    "dolphins.gml.gz": (62, 159, 1, 55, 34),
    "polbooks.gml.gz": (105, 441, 4, 105, 76),
    "hamsterster.gml.gz": (1858, 12534, 31, 1206, 687),
    "facebook_combined.txt.gz": (4039, 88234, 30, 3764, 3281),
    "ca-GrQc.txt.gz": (5242, 14484, 18, 1868, 689),
    "p2p-Gnutella08.txt.gz": (6301, 20777, 33, 3306, 322),
    "email-Enron.txt.gz": (36692, 183831, 127, 16132, 6865),
}
"""nodes, edges, and nodes alone in their class by degree, by H2 and by neighbourhood"""


@functools.cache
def real_network(folder: Path, name: str) -> Network:
    with gzip.open(folder / "data" / "graph" / name, "rt") as file:
        text = file.read()
    ids: list[int] = []
    if ".gml" in name:
        ids = [int(found) for found in re.findall(r"node\s*\[\s*id\s+(-?\d+)", text)]
        ends = re.findall(r"source\s+(-?\d+)\s+target\s+(-?\d+)", text)
    else:
        lines = [line.replace(",", " ").split() for line in text.splitlines() if line[:1] != "#"]
        ends = [(line[0], line[1]) for line in lines if len(line) > 1]
    edges = np.array(ends).astype(np.int64)
    numbers = np.unique(np.concatenate([np.array(ids, np.int64), edges.ravel()]))
    edges = np.sort(np.searchsorted(numbers, edges), axis=1)
    edges = np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0)
    return Network.of_edges(len(numbers), edges)
