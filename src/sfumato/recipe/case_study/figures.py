"""Figures of the case study in words and cells of tables."""

from __future__ import annotations

from sfumato.codes.risk import CodesRisk
from sfumato.core.attack import in_per_cent
from sfumato.recipe.case_study.releases import Edition
from sfumato.recipe.case_study.study import Study

NOTHING = "–"
_TIMES = ((1, "< 1 s"), (10, "< 10 s"), (60, "< 1 min"))


def share(number: float | None, of: float | None = 1) -> str:
    """Write a share in per cent, a dash where it is not known.

    >>> share(1, 3), share(None)
    ('33.3 %', '–')
    """
    return NOTHING if number is None or not of else in_per_cent(number / of)


def cell(text: str) -> str:
    r"""Write a name that others chose so that it stays in its cell.

    >>> cell("a | b")
    'a \\| b'
    """
    return " ".join(text.split()).replace("|", "\\|")


def decimal(number: float | None, digits: int = 2) -> str:
    """Write a figure, a dash where there is none.

    >>> decimal(-3.125, 1), decimal(-0.001), decimal(None)
    ('−3.1', '0.00', '–')
    """
    return NOTHING if number is None else f"{number:z.{digits}f}".replace("-", "−")


def seconds(taken: float) -> str:
    """Write a time in classes, so that the same file gives the same page.

    >>> seconds(0.2), seconds(75)
    ('< 1 s', '1 min or more')
    """
    return next((said for limit, said in _TIMES if taken < limit), "1 min or more")


def many(number: int, what: str, several: str = "") -> str:
    """Write how many there are of something.

    >>> many(1, "visit"), many(1200, "visit"), many(2, "person", "people")
    ('1 visit', '1,200 visits', '2 people')
    """
    return f"{number:,} {what if number == 1 else several or f'{what}s'}"


def counted(study: Study, edition: Edition | None) -> str:
    """Write how many diseases a release leaves countable."""
    return NOTHING if edition is None else f"{edition.counted} of {len(study.diseases)}"


def unique_by_all(risk: CodesRisk | None) -> str:
    """Write who is unique by everything they have."""
    return NOTHING if risk is None else share(risk.alike_unique, risk.people)


def unique_by_visit(risk: CodesRisk | None) -> str:
    """Write who has a visit that is theirs alone."""
    if risk is None or risk.visits is None:
        return NOTHING
    return share(risk.visits.people_unique, risk.visits.people)
