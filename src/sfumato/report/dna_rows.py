"""The sections on released sequences and genotypes: how open cells are, who is alike, who could be found."""

from __future__ import annotations

import math

from sfumato.core.evidence import Bin, ClassesEvidence, RiskFigure
from sfumato.core.evidence_dna import DnaEvidence, RowsEvidence, StewardDnaEvidence
from sfumato.report.dna_file import file_facts, promised
from sfumato.report.dna_plots import along_positions
from sfumato.report.groups import sizes_figure
from sfumato.report.markup import Child, Markup, element, facts, table
from sfumato.report.plots import Series, figure, lying_bars
from sfumato.report.risk_pairs import paired, risk_section, value
from sfumato.report.sections import section
from sfumato.report.words import capital, count, number, percent

UNIQUE = "sequence-unique"
_K_ANONYMITY = "sequence-k-anonymity"
_LINKAGE = "sequence-linkage"
_SHORT = {
    "Whole row, unique": "row of their own",
    "Singled out, random": "SNPs at random",
    "Singled out, most telling first": "most telling SNPs",
    "Singled out, rarest first": "rarest SNPs",
    "Phenotype, surely": "phenotype",
    "Phenotype, surely, not alone": "phenotype (group)",
}
"""titles of risks as they fit before a bar"""
_CELLS = {
    "sequences": ("one base", "one of some bases, such as R for A or G", "nothing: N"),
    "genotypes": ("one genotype", "one of two genotypes, such as 0/.", "nothing: ./."),
}


def held(evidence: DnaEvidence) -> str:
    """Say in a sentence what the file holds."""
    rows = evidence.rows
    if rows is None:
        return "What the rows show was not counted."
    what = ("sequence", "sequences") if evidence.form == "sequences" else ("person", "people")
    wide = "of different lengths" if rows.positions is None else f"with {count(rows.positions, 'position')}"
    told = "with their genotypes, " if evidence.form == "genotypes" else ""
    return f"The file holds {count(rows.rows, *what)} {told}{wide}."


def key_figures(evidence: DnaEvidence) -> list[tuple[str, Child]]:
    """Return the numbers that people look for first."""
    rows = evidence.rows
    if rows is None:
        return [("rows in the file", number(evidence.data.rows))]
    pairs: list[tuple[str, Child]] = [
        ("rows in the file", number(rows.rows)),
        ("lengths of rows", "differ") if rows.positions is None else ("positions", number(rows.positions)),
        ("smallest group that looks alike", number(rows.smallest)),
        ("cells that are still exact", percent(_share(rows.exact, rows))),
    ]
    if isinstance(evidence, StewardDnaEvidence):
        pairs += [
            ("people with a row of their own", f"{value(one)} → {value(other)}")
            for one, other in pairs_of(evidence)
            if one.name == UNIQUE
        ]
        for attack in evidence.attacks:
            if attack.name == _LINKAGE and attack.before is not None and attack.after is not None:
                found = f"{percent(attack.before.success)} → {percent(attack.after.success)}"
                pairs.append(("found by linkage", found))
                break
    return pairs


def _share(cells: int, rows: RowsEvidence) -> float:
    of = rows.exact + rows.partly + rows.open
    return cells / of if of else math.nan


def shown(evidence: DnaEvidence) -> Markup:
    """Explain what a cell says, and how open the cells are."""
    truth = (
        "Cells were only said less precisely; none was invented."
        if evidence.truthful
        else "Some cells were changed and need not be true of the person of that row."
    )
    rows = evidence.rows
    return section(
        "shown",
        "What the file shows",
        element(
            "p",
            "Every cell is a set: a base or genotype as it was, one of some of them, or nothing at all. The "
            "more a cell leaves open, the more people it fits.",
        ),
        None if rows is None else _cells(evidence, rows),
        None if rows is None or not rows.letters else _letters(rows),
        facts(file_facts(evidence, truth)),
    )


def _cells(evidence: DnaEvidence, rows: RowsEvidence) -> Markup:
    title = "Cells, by how much they say"
    meaning = _CELLS.get(evidence.form, _CELLS["sequences"])
    amounts = (rows.exact, rows.partly, rows.open)
    labels = ("exact", "partly open", "open")
    shares = [_share(amount, rows) for amount in amounts]
    series = [Series("cells", shares)]
    spoken = ", ".join(f"{label} {percent(share)}" for label, share in zip(labels, shares, strict=True))
    listed = table(
        title,
        ("Cell", "Says", "Cells", "Share"),
        [
            (capital(label), said, number(amount), percent(share))
            for label, said, amount, share in zip(labels, meaning, amounts, shares, strict=True)
        ],
        numbers=[2, 3],
    )
    return figure(lying_bars("cells", title, spoken, labels, series), title, series, listed)


def _letters(rows: RowsEvidence) -> Markup:
    of = sum(rows.letters.values())
    listed = sorted(rows.letters.items(), key=lambda pair: -pair[1])
    return element(
        "details",
        element("summary", "How often each value is written"),
        table(
            "Values of the cells",
            ("Value", "Cells", "Share"),
            [
                (element("code", letter), number(amount), percent(amount / of if of else None))
                for letter, amount in listed
            ],
            numbers=[1, 2],
        ),
    )


def positions(evidence: StewardDnaEvidence) -> Markup | None:
    """Draw how exact cells are along the positions."""
    exact, nothing = evidence.by_position, evidence.open_by_position
    if not exact:
        return None
    nothing = nothing if len(nothing) == len(exact) else []
    title = "Cells along the positions"
    series = [Series("exact", exact, "after")]
    if nothing:
        series.append(Series("partly open", [], "before"))
    width = evidence.rows.positions if evidence.rows is not None else None
    width = evidence.read.positions if width is None else width
    rows = [
        (
            _stretch(place, len(exact), width),
            percent(share),
            *([percent(nothing[place])] if nothing else []),
        )
        for place, share in enumerate(exact)
    ]
    header = ("Positions", "Exact", *(["Open"] if nothing else []))
    listed = table(title, header, rows, numbers=range(1, len(header)))
    rest = "white is what says nothing" if nothing else "white is what is partly or fully open"
    return section(
        "positions",
        "Where precision was lost",
        element("p", f"Each bar is a stretch of neighbouring positions; {rest}."),
        figure(along_positions("along", title, exact, nothing, width), title, series, listed),
    )


def _stretch(place: int, pieces: int, width: int | None) -> str:
    """Name the positions of one of some stretches of about equal length.

    >>> _stretch(1, 2, 5), _stretch(0, 3, 3), _stretch(0, 3, None)
    ('3–5', '1', 'stretch 1')
    """
    if width is None or width < pieces:
        return f"stretch {place + 1:,}"
    first, last = place * width // pieces + 1, (place + 1) * width // pieces
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def groups(evidence: DnaEvidence) -> Markup | None:
    """Show how many rows lie in groups of which size, for the steward before and after."""
    rows = evidence.rows
    if rows is None:
        return None
    after = _classes(rows.groups)
    sides = [("in this release", after)]
    if isinstance(evidence, StewardDnaEvidence) and evidence.sizes_before:
        sides = [("before", _classes(evidence.sizes_before)), ("after", after)]
    k = promised(evidence, _K_ANONYMITY, "k")
    return section(
        "groups",
        "How large the groups are",
        element(
            "p",
            f"Rows that look alike form a group: there are {count(rows.different, 'group')}, the smallest of "
            f"{number(rows.smallest)}. Whoever knows DNA of a person finds all rows of a group or none.",
        ),
        sizes_figure(sides, None if k is None else int(k), "rows"),
    )


def _classes(bins: list[Bin]) -> ClassesEvidence:
    """Describe groups of which only the bins are known: nothing else of it is shown."""
    number_of, rows = sum(one.classes for one in bins), sum(one.records for one in bins)
    lows = [one.low for one in bins if one.classes]
    return ClassesEvidence(
        number=number_of,
        smallest=min(lows, default=0),
        largest=max(lows, default=0),
        mean=rows / number_of if number_of else 0.0,
        bins=bins,
    )


def pairs_of(evidence: StewardDnaEvidence) -> list[tuple[RiskFigure, RiskFigure]]:
    """Put figures of risk of the same name together, before and after."""
    return paired(evidence.risk_before, evidence.risk_after)


def risk(evidence: StewardDnaEvidence) -> Markup | None:
    """Compare how exposed people were and are."""
    if evidence.form == "statistics" and not (
        evidence.risk_before or evidence.risk_after or evidence.risk_said
    ):
        return None
    return risk_section(
        evidence.risk_before,
        evidence.risk_after,
        evidence.risk_said,
        told="Shares of the people whom somebody could find who knows their DNA, or some SNPs of it: in the "
        "data as they were read, and in what is released.",
        label=_short,
    )


def _short(title: str) -> str:
    """Return a title that fits before a bar.

    >>> _short("3 SNPs chosen to tell most, unique"), _short("Singled out, most telling first")
    ('best 3 SNPs', 'most telling SNPs')
    >>> _short("Whole row, fewer than 12"), _short("Phenotype, surely, not alone")
    ('row of under 12', 'phenotype (group)')
    """
    size, chosen, _ = title.partition(" chosen to tell most")
    if chosen:
        return f"best {size}"
    return _SHORT.get(title, title.replace("Whole row, fewer than ", "row of under "))
