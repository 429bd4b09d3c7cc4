"""What a reader did, counted, in sentences: nothing is dropped in silence, and nobody is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sfumato.core.errors import BadInput

_SENTENCES = {
    "comments": ("1 line was a comment", "{} lines were comments"),
    "header": ("the first line was taken as the names of the columns",) * 2,
    "counted": ("the first line was taken as a number of nodes: {}",) * 2,
    "both_ways": (
        "1 edge was listed in both directions, and is one",
        "{} edges were listed in both directions, and are one each",
    ),
    "one_way": ("1 edge lost its direction", "{} edges lost their direction"),
    "loops": ("1 loop was dropped", "{} loops were dropped"),
    "repeated": ("1 repeated edge was merged", "{} repeated edges were merged"),
    "columns": (
        "1 column beside the ends of the edges was left out",
        "{} columns beside the ends of the edges were left out",
    ),
    "skipped": (
        "1 entry that holds no node or edge was skipped",
        "{} entries that hold no node or edge were skipped",
    ),
    "isolated": ("1 node has no edges", "{} nodes have no edges"),
    "alike": (
        "1 node has a name that differs from another only in zeros in front, blanks, case or the form of "
        "letters, and is a node of its own",
        "{} nodes have names that differ from others only in zeros in front, blanks, case or the form of "
        "letters, and are nodes of their own",
    ),
    "rows_added": (
        "1 row of the node table is a node without edges",
        "{} rows of the node table are nodes without edges",
    ),
    "rows_dropped": (
        "1 row of the node table belongs to no node and was dropped",
        "{} rows of the node table belong to no node and were dropped",
    ),
    "nodes_without_row": ("1 node has no row in the node table", "{} nodes have no row in the node table"),
    "unlabelled": ("1 node has no label", "{} nodes have no label"),
}


@dataclass(frozen=True)
class Told:
    """Counts by what they count; prints as sentences.

    >>> print(Told({"loops": 12, "isolated": 1}))
    12 loops were dropped; 1 node has no edges.
    >>> print(Told())
    Nothing was dropped, merged or added.
    """

    counts: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = set(self.counts) - set(_SENTENCES)
        if unknown:
            raise AssertionError("a reader counts only what it has a sentence for")
        object.__setattr__(self, "counts", {name: int(many) for name, many in self.counts.items() if many})

    def __getitem__(self, name: str) -> int:
        if name not in _SENTENCES:
            raise BadInput(f"readers do not count '{name}'", remedy=f"known are: {', '.join(_SENTENCES)}")
        return self.counts.get(name, 0)

    def and_also(self, more: Mapping[str, int]) -> Told:
        """Return these counts and others; what is counted again replaces what was."""
        return Told({**self.counts, **more})

    def sentences(self) -> list[str]:
        """Return one sentence for each count, without its full stop."""
        return [_SENTENCES[name][many != 1].format(f"{many:,}") for name, many in self.counts.items()]

    def __str__(self) -> str:
        said = self.sentences()
        return f"{'; '.join(said)}." if said else "Nothing was dropped, merged or added."
