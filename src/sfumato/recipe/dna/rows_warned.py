"""What a release of rows warns of: what no promise covers. All of it follows from what everybody can read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sfumato.core.verdict import Basis
from sfumato.dna.contract import RowModel
from sfumato.recipe.dna.rows_job import demand_of

RELATIVES = (
    "DNA is shared: whoever has the genotypes of a relative may still find that somebody of the family is "
    "among the rows"
)
MEMBERSHIP = (
    "nothing hides who is in the release: whoever knows a person's DNA can compare it with the frequencies "
    "that the rows show, and tell that the person is among them (Homer's attack)"
)
COMMON = (
    "what all rows of a group have in common is published as it is, such as a mutation that causes a "
    "disease: it is learned of everybody in the group without finding anybody's row"
)

MEMBERS = (
    "people of a group know their own rows: all but one of them together may learn the last one's, and of "
    "two who look alike each learns the other's"
)


def warnings_of(
    models: Sequence[RowModel],
    *,
    person: bool,
    aligned: bool,
    beside: Sequence[str],
    sensitive: Sequence[str],
    order: str,
) -> Iterable[str]:
    """Say it from what everybody knows of a release, so that nobody can strike a warning out."""
    demands = [demand_of(model) for model in models]
    whole = [one for one in demands if one.people > 1 and one.positions is None and not one.mapped]
    if not any(one.people > 1 for one in demands):
        yield "no promise asks for two people who look alike: everybody may stand alone with their row"
    elif not whole:
        on_positions = any(one.positions is not None and one.people > 1 for one in demands)
        if on_positions:
            listed = max((len(_positions(model)) for model in models if _positions(model)), default=0)
            yield (
                f"linkage is bounded on {listed:,} named position{'s' * (listed != 1)} alone: the others are "
                "published too, and whoever knows them may find a person's row"
            )
        if any(one.mapped for one in demands) and not on_positions:
            yield (
                "the promise is about a population: whoever knows that a person is in the release may find "
                "their row"
            )
    elif all(one.at_a_time is not None for one in whole):
        known = max(one.at_a_time or 0 for one in whole)
        yield (
            f"people are protected from those who know up to {known:,} of their SNP{'s' * (known != 1)}: "
            "whoever knows more may find their row"
        )
    yield COMMON
    if whole:
        yield MEMBERS
    yield RELATIVES
    yield MEMBERSHIP
    if any(model.basis is Basis.POPULATION for model in models):
        yield "a list of the population that is too short, or of other people, promises nothing"
    if not person:
        yield "nothing names the person: if somebody has several rows, they count as several people"
    if not aligned:
        yield (
            "rows were released without the gaps of their alignment: places of two rows are not the same "
            "position, and how long a row is can be seen"
        )
    if beside:
        listed_columns = ", ".join(beside)
        yield (
            f"columns stand beside the rows as they are ({listed_columns}): no promise bounds whom they "
            "single out among rows that are alike"
        )
    if sensitive:
        yield (
            "k-anonymity alone does not hide a sensitive column: where all rows that are alike have the same "
            "value, it is learned of everybody in the group"
        )
    if order == "kept":
        yield "the order of the source was kept, which may link rows to people"


def _positions(model: Any) -> Sequence[Any]:
    return getattr(model, "positions", None) or ()
