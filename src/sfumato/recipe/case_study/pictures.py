"""The pictures of the case study: who is unique, and which share of the diseases each remedy keeps."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.codes.risk import CodesRisk
from sfumato.core.attack import in_per_cent
from sfumato.recipe.case_study.study import Study
from sfumato.report.grouped_bars import TONES, Bars, grouped_bars


@dataclass(frozen=True)
class Picture:
    """A picture: what to add to the name of the page, what it shows in words, and its SVG."""

    suffix: str
    alternative: str
    svg: str


def pictures_of(study: Study) -> tuple[Picture, Picture]:
    """Draw both pictures of a study."""
    return _unique(study), _kept(study)


def _unique(study: Study) -> Picture:
    risks = [("codes as they are", study.as_released)]
    if study.shorter is not None:
        risks.append(("three digits", study.shorter))
    labels = [label for label, _ in _shares(study.as_released)]
    series = []
    for name, risk in risks:
        shares = [share for _, share in _shares(risk)]
        series.append(Bars(name, shares, ["" if share is None else _brief(share) for share in shares]))
    title = f"{study.source.name}: per cent of people who are unique"
    alternative = "The share of people whom all of their codes, one visit or a few codes single out"
    return Picture("unique", alternative, grouped_bars(title, f"{alternative}.", labels, series))


def _shares(risk: CodesRisk) -> list[tuple[str, float | None]]:
    """Return for each thing that may be known the share of people who are unique by it."""
    found: list[tuple[str, float | None]] = [("all codes", risk.alike_unique / risk.people)]
    if risk.visits is not None:
        found.append(("one visit", risk.visits.people_unique / risk.visits.people))
    for one in risk.subsets:
        known = "1 code" if one.known == 1 else f"{one.known} codes"
        found.append((f"{known}, at worst", None if one.unique is None else one.unique / one.people))
        found.append((f"{known}, at random", None if one.random is None else one.random.unique))
    return found


def _brief(share: float) -> str:
    """Write a share in per cent, in few characters.

    >>> _brief(1), _brief(0.125)
    ('100', '12.5')
    """
    return "100" if share == 1 else in_per_cent(share).removesuffix(" %")


def _kept(study: Study) -> Picture:
    number = len(study.diseases)
    others = [k for k in study.by_k if k != study.k]
    shown = sorted([study.k, *others[1 - TONES :]])
    series = []
    for k in shown:
        editions = [study.by_k[k][1][method] for method in study.methods]
        counted = [None if one is None else one.counted for one in editions]
        series.append(
            Bars(
                f"k = {k}",
                [None if each is None else each / number for each in counted],
                ["" if each is None else str(each) for each in counted],
            )
        )
    title = f"{study.source.name}: diseases, of {number}, that can be counted as before"
    alternative = "How many diseases each remedy leaves countable, for several k"
    return Picture("kept", alternative, grouped_bars(title, f"{alternative}.", study.methods, series))
