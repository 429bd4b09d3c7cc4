"""The table of columns that are no quasi-identifiers: how many people each tells apart when known."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.core.evidence import ColumnExposure
from sfumato.report.markup import Markup, element, table, together
from sfumato.report.words import name, number, percent

_ONLY_REPORTED = "reported only: that nobody knows it is taken for granted"


def known_too(found: Sequence[ColumnExposure]) -> Markup | None:
    """Show how many people have few candidates when one more column is known."""
    if not found:
        return None
    rows = [
        (
            together(name(one.column), element("span", one.role, class_="under")),
            number(one.fewer),
            percent(one.fewer / one.people) if one.people else "–",
            together("; ".join(one.why) or _ONLY_REPORTED, _notes(one)),
        )
        for one in found
    ]
    return table(
        f"People with fewer than {found[0].k} candidates when a column is known beside the quasi-identifiers",
        ("Column", "People", "Share", "Why it is warned of"),
        rows,
        numbers=[1, 2],
    )


def _notes(one: ColumnExposure) -> list[Markup]:
    """List what else must be known of a column."""
    told = []
    if one.confirmed:
        told.append("confirmed")
    if one.fewer > one.added:
        told.append(f"{number(one.fewer - one.added)} by the quasi-identifiers alone")
    if one.singles:
        told.append(f"values that a single person has: {number(one.singles)}")
    return [element("span", line, class_="under") for line in told]
