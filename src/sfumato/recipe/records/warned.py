"""What a release of a table and codes warns of, from what everybody knows of it."""

from __future__ import annotations

from collections.abc import Iterable

from sfumato.recipe.codes.warned import made_of_data
from sfumato.record.relational_codes.k_km_anonymity import KKmAnonymity


def warnings_of_records(model: KKmAnonymity, hierarchy: object) -> Iterable[str]:
    """Say what a promise leaves open, one sentence each, without its full stop.

    ``hierarchy`` is that of the codes, as recipes spell it.
    """
    many = "one code" if model.m == 1 else f"{model.m} codes"
    yield (
        f"people are protected from those who know their quasi-identifiers and up to {many} of theirs: "
        "whoever knows more may find their record"
    )
    yield "no code was declared sensitive: what all who look alike share is learned of each of them"
    if made_of_data(hierarchy):
        yield (
            "the hierarchy was made of the codes that occur: schema.json names all of them under the items "
            "that are shown, also those that hardly anybody has"
        )
    if model.k == 1:
        yield "k = 1 promises nothing: everybody may stand alone"
