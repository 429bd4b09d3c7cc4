"""The measures of exposure by sequences as figures of the steward's evidence: numbers alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.core.evidence import RiskFigure
from sfumato.core.verdict import Threat

if TYPE_CHECKING:
    from sfumato.dna.risk.exposure import DnaRisk

_KNOWN = {
    "random": "SNPs by chance",
    "most telling first": "the SNPs that tell most",
    "rarest first": "their rarest values",
}


def figures_of(risk: DnaRisk) -> list[RiskFigure]:
    """Return identity first, then the phenotype."""
    found = [
        _identity(
            "sequence-unique",
            "Whole row, unique",
            risk.unique / risk.people,
            "people with a row that nobody else's is like",
        ),
        _identity(
            "sequence-below-k",
            f"Whole row, fewer than {risk.k}",
            risk.below / risk.people,
            f"people with a row that fewer than {risk.k} people have",
        ),
    ]
    for one in risk.needed:
        found.append(
            _identity(
                f"singled-out-{one.order.replace(' ', '-')}",
                f"Singled out, {one.order}",
                1 - one.never / one.people,
                f"people whom somebody can single out who knows {_KNOWN[one.order]}",
                "nobody is singled out" if one.fewest is None else _half(one.median, one.five_per_cent),
            )
        )
    for chosen in risk.sets:
        number = len(chosen.columns)
        found.append(
            _identity(
                f"set-of-{number}-unique",
                f"{number} SNP{'s' * (number != 1)} chosen to tell most, unique",
                chosen.unique / chosen.people,
                "people whom these SNPs single out",
                "other sets of as many may single out more",
            )
        )
    told = risk.phenotype
    if told is not None:
        for name, title, count, meaning in (
            ("phenotype-told", "Phenotype, surely", told.told, "people whose likes all have one phenotype"),
            (
                "phenotype-told-in-company",
                "Phenotype, surely, not alone",
                told.in_company,
                "people of whom the same is true though they do not stand alone",
            ),
        ):
            found.append(
                RiskFigure(
                    name=name,
                    title=title,
                    threat=Threat.ATTRIBUTE.value,
                    value=count / told.people,
                    meaning=meaning,
                    said=f"a blind guess is right for {100 * told.most_frequent / told.people:.1f} %",
                )
            )
    return found


def numbers_of(risk: DnaRisk) -> dict[str, int | float | None]:
    """Return every figure by a plain name."""
    found: dict[str, int | float | None] = {
        "people": risk.people,
        "rows": risk.rows,
        "positions": risk.positions,
        "varying": risk.varying,
        "k": risk.k,
        "unique": risk.unique,
        "below_k": risk.below,
        "entropy_mean": risk.entropy,
        "entropy_largest": risk.largest,
        "independent": risk.independent,
    }
    for one in risk.needed:
        name = f"needed_{one.order.replace(' ', '_')}"
        found |= {
            f"{name}_people": one.people,
            f"{name}_fewest": one.fewest,
            f"{name}_five_per_cent": one.five_per_cent,
            f"{name}_median": one.median,
            f"{name}_most": one.most,
            f"{name}_never": one.never,
        }
    for chosen in risk.sets:
        found[f"set_of_{len(chosen.columns)}_unique"] = chosen.unique
    if risk.phenotype is not None:
        found |= {
            "phenotype_told": risk.phenotype.told,
            "phenotype_told_in_company": risk.phenotype.in_company,
            "phenotype_most_frequent": risk.phenotype.most_frequent,
        }
    return found


def _identity(name: str, title: str, value: float, meaning: str, said: str = "") -> RiskFigure:
    return RiskFigure(
        name=name, title=title, threat=Threat.IDENTITY.value, value=value, meaning=meaning, said=said
    )


def _half(median: int | None, few: int | None) -> str:
    some = "" if few is None else f"5 % by {few:,}, "
    return some + ("more than half never are" if median is None else f"half by {median:,}")
