"""The International Classification of Diseases as a hierarchy: code, category, block, chapter.

ICD-9-CM (edition of 2015) and ICD-10-CM (April 2026), the clinical modifications of the United States; see
``data/NOTICE.md`` for where they come from. A file of ``data`` is text packed by LZMA: a line ``@001-139``
begins a chapter, ``>001-009`` a block, and any other line is a code without its dot, in tabular order, as the
number of letters that it shares with the code before it and the letters that follow. A code lies under the
longest code that begins it.
"""

from __future__ import annotations

import functools
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput, nearest
from sfumato.hierarchy.build import Level, assemble, present_values, root_level
from sfumato.hierarchy.ladder import Ladder, UncoveredValues

SYSTEMS = ("icd9cm", "icd10cm")
_NOBODY = -1


@dataclass(frozen=True)
class IcdTable:
    """All nodes of a classification: chapters and blocks, then codes, parents before children.

    ``leaves[v]`` counts the codes under v that have none under them (1 for such a code itself).
    ``depth`` is how many codes lie above each other at most.
    """

    labels: tuple[str, ...]
    parent: NDArray[np.int64]
    leaves: NDArray[np.int64]
    number: dict[str, int]
    """where each code stands, by its text with the dot"""
    depth: int

    @property
    def size(self) -> int:
        """How many codes have none under them."""
        return int(self.leaves[self.parent == _NOBODY].sum())

    def chain(self, node: int) -> list[int]:
        """Return a node and what lies above it, up to the chapter."""
        found = [node]
        while self.parent[found[-1]] != _NOBODY:
            found.append(int(self.parent[found[-1]]))
        return found

    def is_leaf(self, code: str) -> bool:
        """Say whether a known code has no code under it."""
        node = self.number[code]
        return bool(self.leaves[node] == 1) and node not in self._parents

    @functools.cached_property
    def _parents(self) -> frozenset[int]:
        return frozenset(self.parent.tolist())


def dotted(code: str, system: str) -> str:
    """Put the dot into a code: after the third letter, in E codes of ICD-9-CM after the fourth.

    >>> dotted("4019", "icd9cm"), dotted("E8120", "icd9cm"), dotted("E119", "icd10cm")
    ('401.9', 'E812.0', 'E11.9')
    """
    place = 4 if system == "icd9cm" and code.startswith("E") else 3
    return f"{code[:place]}.{code[place:]}" if len(code) > place else code


@functools.cache
def icd_table(system: str) -> IcdTable:
    """Read a classification."""
    packed = files("sfumato.hierarchy").joinpath("data", f"{system}.xz").read_bytes()
    labels: list[str] = []
    parent: list[int] = []
    place: dict[str, int] = {}
    chapter = block = _NOBODY
    code, depth, deep = "", 0, {_NOBODY: 0}
    for line in lzma.decompress(packed).decode().split("\n"):
        if line[0] == "@":
            chapter = len(labels)
            labels.append(line[1:])
            parent.append(_NOBODY)
            continue
        if line[0] == ">":
            block = len(labels)
            labels.append(line[1:])
            parent.append(chapter)
            continue
        code = code[: int(line[0])] + line[1:]
        above = next((place[code[:end]] for end in range(len(code) - 1, 2, -1) if code[:end] in place), None)
        place[code] = len(labels)
        deep[len(labels)] = deep.get(above if above is not None else _NOBODY, 0) + 1
        depth = max(depth, deep[len(labels)])
        labels.append(dotted(code, system))
        parent.append(block if above is None else above)
    parents = np.array(parent, np.int64)
    leaves = np.ones(len(labels), np.int64)
    leaves[parents[parents != _NOBODY]] = 0
    for node in range(len(labels) - 1, -1, -1):
        if parents[node] != _NOBODY:
            leaves[parents[node]] += leaves[node]
    leaves.flags.writeable = parents.flags.writeable = False
    number = {labels[node]: node for node in place.values()}
    return IcdTable(tuple(labels), parents, leaves, number, depth)


@dataclass(frozen=True)
class Icd:
    """A classification laid over codes written with their dots: 401.9, E812.0, E11.9.

    The levels are the code, the codes above it, its category, block and chapter, and ``*``. Codes that lie
    higher than others stay themselves at the lowest levels, so that all paths are equally long. A chapter of
    ICD-9-CM that is not cut into blocks is its own block.

    A category that stands in the data itself (401, when nobody wrote which hypertension it is) is a leaf
    of its own right under the group of the same name, and adds one to the number of leaves.

    >>> ladder = Icd("icd9cm").ladder(Domain.of("diagnosis", ["401.1", "401.9", "V30.00", "401"]))
    >>> [ladder.labels[level][ladder.rungs[level, 1]] for level in range(ladder.height + 1)]
    ['401.1', '401.1', '401', '401-405', '390-459', '*']
    >>> ladder.size
    14568
    """

    system: str

    def __post_init__(self) -> None:
        if self.system not in SYSTEMS:
            raise BadInput(
                f"there is no classification '{self.system}'",
                where="hierarchy",
                remedy=nearest(str(self.system), SYSTEMS),
            )

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the classification over the values of a column."""
        table = icd_table(self.system)
        present = present_values(domain)
        texts = domain.texts[:present]
        nodes = [table.number.get(text or "", _NOBODY) for text in texts]
        if _NOBODY in nodes:
            strange = tuple(code for code, node in enumerate(nodes) if node == _NOBODY)
            raise UncoveredValues(domain.name, strange)
        inner = [node for node in dict.fromkeys(nodes) if node in table._parents]
        leaves = table.leaves.copy()
        for node in inner:
            leaves[table.chain(node)] += 1
        size = table.size + len(inner)
        paths = [_path(table, node) for node in nodes]
        levels = [
            _level([path[level] for path in paths], table, leaves) for level in range(1, table.depth + 2)
        ]
        return assemble(domain, [*levels, root_level(present, size)], size)


def _path(table: IcdTable, node: int) -> list[tuple[int, bool]]:
    """Return what a code shows at each level: a node, and whether only as the code that it is."""
    chain = table.chain(node)
    below = table.depth + 2 - len(chain)
    return [(node, True)] * below + [(above, False) for above in chain]


def _level(shown: Sequence[tuple[int, bool]], table: IcdTable, leaves: NDArray[np.int64]) -> Level:
    """Number what codes show at a level, and count the leaves of each group."""
    number = {group: place for place, group in enumerate(dict.fromkeys(shown))}
    return Level(
        np.array([number[group] for group in shown], np.int64),
        [table.labels[node] for node, _ in number],
        np.array([1 if alone else leaves[node] for node, alone in number], np.float64),
    )
