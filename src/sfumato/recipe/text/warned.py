"""What a release of notes warns of. All of it follows from what everybody can read."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.core.evidence_text import MeasuredEvidence
from sfumato.core.schema import Role

NOT_PROMISED = (
    "No search finds everything. What was not recognised as pointing at somebody still stands in the notes, "
    "and a story can give a person away without a name in it: a rare disease, an unusual accident, a known "
    "day. Whoever reads the notes must be bound not to look for anybody."
)
NOT_MEASURED = (
    "how much was missed was not measured on notes of this house: published figures come from other notes "
    "and are better than what a new place sees"
)


def warnings_of(
    *,
    roles: list[tuple[str, Role, bool]],
    measured: MeasuredEvidence | None,
    promised: bool,
    shifted: bool,
    invents: bool,
    order: str,
) -> Iterator[str]:
    """Say what a reader must know, one sentence each, without its full stop.

    ``roles`` are the columns with their role and whether they are masked.
    """
    if not promised:
        yield "nothing is promised about who can be found in the notes: read what was measured"
    if measured is None:
        yield NOT_MEASURED
    if not any(role is Role.PERSON for _, role, _ in roles):
        yield (
            "no column names the person: every note was taken as another person's, so that one person has "
            "several names and shifts of dates"
        )
    if shifted:
        yield (
            "dates were moved, which Safe Harbor does not know: such a release needs an expert's "
            "determination, and whoever knows one true date of a person knows all of that person's dates"
        )
    if invents:
        yield "values that look true stand where something was found, and are made up"
    plain = [name for name, role, masked in roles if role is Role.QUASI_IDENTIFIER and not masked]
    if plain:
        yield (
            f"quasi-identifiers stand beside the notes as they are ({', '.join(plain)}): no promise bounds "
            "whom they single out"
        )
    if order == "kept":
        yield "the order of the source was kept, which may link notes to people"
