"""The way of records of two kinds: join, lay hierarchies over both, protect, lay side by side, check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from sfumato.codes.reading import ReadCodes, SetLayout, read_codes, read_published
from sfumato.codes.reading.unknown import tree_over
from sfumato.codes.utility.truthful import Truthfulness, truthful
from sfumato.codes.writing import CODES, published_table
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import Random
from sfumato.core.verdict import Verdict
from sfumato.engine.contract import Order, Table
from sfumato.hierarchy.ladder import Hierarchy
from sfumato.record.relational_codes.contract import RecordsProblem, RecordsSolution
from sfumato.record.relational_codes.joined import Joined, Strangers, cells_of, join, ladders_of
from sfumato.record.relational_codes.k_km_anonymity import KKmAnonymity
from sfumato.record.relational_codes.method import RelationalCodes
from sfumato.record.relational_codes.published import PublishedRecords

_BUG = "nothing was published; please report this as a bug"


@dataclass(frozen=True)
class RecordsAsked:
    """What is to be done with a table and codes about the same people."""

    person: str
    quasi: tuple[str, ...]
    model: KKmAnonymity
    method: RelationalCodes
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    code_hierarchy: Hierarchy | None = None
    system: str | None = None
    unknown: str = "error"
    """what becomes of codes that the hierarchy does not know: error, prefix, root or suppress"""
    strangers: Strangers = "error"

    def __post_init__(self) -> None:
        for name in self.quasi:
            # Databases do not tell "Codes" from "codes".
            if name.casefold() == CODES:
                raise BadInput(
                    "the released codes get this name", where=f"column '{name}'", remedy="rename the column"
                )
        if self.code_hierarchy is None and self.method.set_method.needs_hierarchy:
            raise BadInput(
                f"{self.method.set_method.name} generalises along a hierarchy, and the codes have none",
                remedy="give them one, such as 'icd9cm', or 'balanced' for want of another",
            )


@dataclass(frozen=True)
class Found:
    """What was read."""

    read: ReadCodes
    joined: Joined
    problem: RecordsProblem


def look_at(asked: RecordsAsked, table: Table, codes: Table, layout: SetLayout) -> Found:
    """Read both parts, join them by the person, and lay hierarchies over them."""
    read = read_codes(codes, layout, system=asked.system)
    hierarchy = asked.code_hierarchy
    if asked.unknown == "suppress" and hierarchy is not None:
        read = read.known_to(hierarchy)
    joined = join(table, asked.quasi, asked.person, read, asked.strangers)
    cells, cell_of = cells_of(joined.quasi)
    ladders = ladders_of(cells, asked.hierarchies, infer_missing=asked.method.output == "hierarchy")
    tree = None
    if hierarchy is not None and joined.sets.domain:
        tree = tree_over(hierarchy, joined.sets.domain, asked.unknown, read)
    return Found(read, joined, RecordsProblem(cells, cell_of, ladders, joined.sets, asked.model, tree))


def side_by_side(published: PublishedRecords, layout: str, order: Order, random: Random) -> pa.Table:
    """Lay both parts side by side, in an order that says nothing unless it is to be kept."""
    items = published_table(published.sets, layout, order=Order.KEPT).column(CODES)
    data = published.quasi.append_column(CODES, items)
    return data.take(pa.array(random.permutation(len(published)))) if order is Order.SHUFFLED else data


def held(data: pa.Table, layout: str, solution: RecordsSolution, model: KKmAnonymity) -> Verdict:
    """Check what goes out by reading it; raise where the promise does not hold."""
    again = read_published(data.select([CODES]), layout, solution.published.sets.items)
    verdict = model.check(PublishedRecords(data.drop_columns([CODES]), again))
    if not verdict.holds:
        raise PromiseNotMet(f"the check of the release failed: {verdict}", remedy=_BUG)
    return verdict


def true(joined: Joined, solution: RecordsSolution) -> Truthfulness:
    """Compare every record with the codes of its person; raise where something was invented."""
    truth = truthful(joined.sets, solution.published.sets)
    if not truth.holds:
        raise PromiseNotMet(f"the release is {truth}", remedy=_BUG)
    return truth


def left_out(solution: RecordsSolution) -> tuple[str, ...]:
    """Say how many codes were left out: for want of people who have any, or by the method for sets."""
    alone = int(solution.details["codes without holders"])
    chosen = int(solution.details["codes left out"]) - alone
    told = []
    for number, why in (
        (alone, "fewer than k people of their class have any code"),
        (chosen, "the method for sets chose so"),
    ):
        many = "1 occurrence of a code was" if number == 1 else f"{number:,} occurrences of codes were"
        told += [f"{many} left out: {why}"] if number else []
    return tuple(told)
