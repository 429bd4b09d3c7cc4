"""The measures of exposure by codes as figures of the steward's evidence, grouped by threat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.core.attack import in_per_cent
from sfumato.core.evidence import RiskFigure
from sfumato.core.verdict import Threat

if TYPE_CHECKING:
    from sfumato.codes.risk.exposure import CodesRisk

_WHERE = {
    "file": "in the file",
    "population": "in the list of the population",
    "release by codes": "in the release, known by codes as they were",
    "release as shown": "in the release, known by what it shows",
}
ITS_OWN_POPULATION = "no population was given: the file is taken for all of it, as for the prosecutor"

_NOTHING = "the whole set of {} people nobody on the list has: of them it says nothing"
TOO_LARGE = "the items of the release are too wide to look for everything in every record"


def figures_of(risk: CodesRisk) -> list[RiskFigure]:
    """Return identity first, then sensitive codes."""
    return [*_of_whole_sets(risk), *_of_subsets(risk), *_of_visits(risk), *_coarser(risk), *_sensitive(risk)]


def _identity(name: str, title: str, value: float | None, meaning: str, said: str = "") -> RiskFigure:
    return RiskFigure(
        name=name, title=title, threat=Threat.IDENTITY.value, value=value, meaning=meaning, said=said
    )


def _share(number: int | None, found: int | None) -> float | None:
    return number / found if number is not None and found else None


def _of_whole_sets(risk: CodesRisk) -> list[RiskFigure]:
    where = _WHERE[risk.searched]
    said = ITS_OWN_POPULATION if risk.searched == "file" else ""
    same = held = ""
    if risk.searched == "population":
        lost = risk.people + risk.unmatched - risk.alike_found
        same = _NOTHING.format(f"{lost:,}") if lost else ""
        lost = risk.people + risk.unmatched - (risk.held_found or 0)
        held = _NOTHING.format(f"{lost:,}") if lost else ""
    if risk.held_found is None:
        held = TOO_LARGE
    return [
        _identity(
            "unique-set",
            "Whole set of codes, unique",
            _share(risk.alike_unique, risk.alike_found),
            f"people with exactly whose codes nobody else is {where}",
            same or said,
        ),
        _identity(
            "set-below-k",
            f"Whole set of codes, fewer than {risk.k}",
            _share(risk.alike_below, risk.alike_found),
            f"people with exactly whose codes fewer than {risk.k} are {where}",
            same,
        ),
        _identity(
            "held-set-unique",
            "All codes held by nobody else",
            _share(risk.held_unique, risk.held_found),
            f"people all of whose codes, alone or among others, nobody else holds {where}",
            held,
        ),
        _identity(
            "held-set-below-k",
            f"All codes held by fewer than {risk.k}",
            _share(risk.held_below, risk.held_found),
            f"people all of whose codes, alone or among others, fewer than {risk.k} hold {where}",
            held,
        ),
    ]


def _of_subsets(risk: CodesRisk) -> list[RiskFigure]:
    where = _WHERE[risk.searched]
    found = []
    for subset in risk.subsets:
        codes = "1 code" if subset.known == 1 else f"{subset.known} codes"
        missing = "" if subset.unique is not None else "there are too many sets of codes to look at all"
        few = f"fewer than {risk.k}"
        kinds = (("unique", "unique", "nobody else holds"), ("below-k", few, f"{few} hold"))
        for (name, what, who), count in zip(kinds, (subset.unique, subset.below), strict=True):
            found.append(
                _identity(
                    f"worst-{subset.known}-{name}",
                    f"Worst {codes}, {what}",
                    None if count is None else count / subset.people,
                    f"people with up to {codes} that {who} {where}",
                    missing,
                )
            )
        if subset.random is None:
            continue
        error = "" if subset.random.error is None else f"drawn, standard error {subset.random.error:.4f}"
        for (name, what, who), share in zip(kinds, (subset.random.unique, subset.random.below), strict=True):
            found.append(
                _identity(
                    f"random-{subset.known}-{name}",
                    f"Random {codes}, {what}",
                    share,
                    f"chance that {who} what was drawn from a person's codes {where}",
                    error,
                )
            )
    return found


def _of_visits(risk: CodesRisk) -> list[RiskFigure]:
    visits = risk.visits
    if visits is None:
        return []
    return [
        _identity(
            "visit-unique",
            "One visit, unique",
            visits.unique / visits.visits,
            "visits whose codes one history alone holds",
        ),
        _identity(
            "visit-below-k",
            f"One visit, fewer than {risk.k}",
            visits.below / visits.visits,
            f"visits whose codes fewer than {risk.k} histories hold",
        ),
        _identity(
            "visit-people-unique",
            "People with a unique visit",
            visits.people_unique / visits.people,
            "people with a visit whose codes no other history holds",
        ),
    ]


def _coarser(risk: CodesRisk) -> list[RiskFigure]:
    found = []
    for place, (name, coarse) in enumerate(risk.coarser, 1):
        found += [
            figure.model_copy(
                update={"name": f"coarser-{place}-{figure.name}", "title": f"{figure.title} ({name})"}
            )
            for figure in coarse.figures()
        ]
    return found


def _sensitive(risk: CodesRisk) -> list[RiskFigure]:
    told = risk.sensitive
    if told is None:
        return []
    codes = "1 public code" if told.known == 1 else f"up to {told.known} public codes"

    def figure(name: str, title: str, count: int, how: str) -> RiskFigure:
        return RiskFigure(
            name=name,
            title=title,
            threat=Threat.ATTRIBUTE.value,
            value=count / told.people,
            meaning=f"people of whom a sensitive code follows from {codes} {how}",
            said=f"{in_per_cent(told.concerned / told.people)} of the people have a sensitive code",
        )

    limit = f"{float(told.threshold):g}"
    return [
        figure("sensitive-certain", "Sensitive code, surely", told.certain, "with confidence 1"),
        figure(
            "sensitive-above",
            f"Sensitive code, confidence above {limit}",
            told.above,
            f"with a confidence above {limit}",
        ),
    ]
