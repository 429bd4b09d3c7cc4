"""The case study as a page for data stewards, in Markdown, and its pictures.

Every figure comes from the studies; the same files give the same bytes. The page holds counts and shares,
no code and no person. It is computed from raw data and is the steward's until somebody decides otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sfumato.codes.sets import CodeSets
from sfumato.core.system import could_not
from sfumato.recipe.case_study import sections
from sfumato.recipe.case_study.figures import cell, counted, unique_by_all, unique_by_visit
from sfumato.recipe.case_study.pictures import pictures_of
from sfumato.recipe.case_study.source import Source
from sfumato.recipe.case_study.study import Study
from sfumato.recipe.story.words import table, wrapped


def places_of_pictures(out: Path, studies: int) -> tuple[Path, ...]:
    """Return where the pictures of a page are written."""
    return tuple(
        out.parent / "pictures" / _name(out, number, suffix)
        for number in range(1, studies + 1)
        for suffix in ("unique", "kept")
    )


def _name(out: Path, number: int, suffix: str) -> str:
    return f"{out.stem}-{number}-{suffix}.svg"


def write_case_study(studies: Sequence[Study], out: Path) -> tuple[Path, tuple[Path, ...]]:
    """Write the page, and its pictures into a folder ``pictures`` beside it; return where all are."""
    places = places_of_pictures(out, len(studies))
    drawn = [picture.svg for study in studies for picture in pictures_of(study)]
    try:
        for place, svg in zip(places, drawn, strict=True):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(svg.encode())
        out.write_bytes(page_of(studies, out).encode())
    except OSError as problem:
        raise could_not(
            problem,
            "the case study cannot be written",
            where=str(out),
            remedy="choose a folder that can be written to",
        ) from None
    return out, places


def page_of(studies: Sequence[Study], out: Path) -> str:
    """Write the page; ``out`` says how its pictures are called."""
    said = [_beginning(studies), _glance(studies), _reading(studies)]
    for number, study in enumerate(studies, 1):
        unique, kept = (
            (f"pictures/{_name(out, number, one.suffix)}", one.alternative) for one in pictures_of(study)
        )
        said += [
            sections.the_data(study),
            sections.as_released(study, *unique),
            sections.leaving_out(study),
            sections.remedies(study, *kept) if study.policy.privacy else "",
            sections.variants(study),
        ]
    return wrapped("\n".join(said))


def _beginning(studies: Sequence[Study]) -> str:
    commands = "\n".join(f"$ {command_of(study.source)}" for study in studies)
    return f"""
# A case study: diagnosis codes

Names are gone from a file of diagnoses. Can patients still be found by their codes, and what is left for
research when they cannot? Two papers asked this of the records of one hospital: G. Loukides, J. C. Denny and
B. Malin, "The disclosure of diagnosis codes can breach research participants' privacy" (JAMIA 2010), and
G. Loukides, A. Gkoulalas-Divanis and B. Malin, "Anonymization of electronic medical records for validating
genome-wide association studies" (PNAS 2010). Here the same questions are asked of other data, and what is
found stands here, whether or not it is what they found. Every release is really made and checked. The page
holds counts and shares, no code and no person. It is written, with every number on it, by

```console not-run
{commands}
```
"""


def command_of(source: Source) -> str:
    """Return the command that studies a file, by its name alone."""
    visit = f" --visit {source.visit}" if source.visit else ""
    diseases = " --diseases diseases.yaml" if source.diseases is not None else ""
    system = "" if source.system == "none" else f" --system {source.system}"
    return (
        f"sfumato case-study {source.data.name} --person {source.person}{visit} --code {source.code}"
        f"{system}{diseases}"
    )


def _glance(studies: Sequence[Study]) -> str:
    def row(name: str, published: str, cells: Sequence[str]) -> tuple[str, ...]:
        return (name, published, *cells)

    rare = [study.editions["rare codes"] for study in studies]
    left = [
        "–" if one is None else f"{study.codes - one.codes_lost:,} of {study.codes:,}"
        for study, one in zip(studies, rare, strict=True)
    ]
    rows = [
        row("people", "2,762", [f"{study.people:,}" for study in studies]),
        row("codes for each person", "–", [_each(study.read.sets) for study in studies]),
        row("codes for each visit", "–", [_each_visit(study) for study in studies]),
        row("unique by all codes", "96.5 %", [unique_by_all(study.as_released) for study in studies]),
        row("the same, three digits", "95 %", [unique_by_all(study.shorter) for study in studies]),
        row("unique by one visit", "46 %", [unique_by_visit(study.as_released) for study in studies]),
        row("codes left when the rarest are left out", "5 of about 6,000", left),
    ]
    feasible = [study.policy.feasibility for study in studies]
    reached = [f"{len(one.reachable):,} of {one.constraints:,}" for one in feasible]
    rows.append(row("constraints that generalisation alone satisfies", "–", reached))
    for name, published in (("ACLIP", "0 of 18"), ("UGACLIP", "11 of 18"), ("CBA", "14 of 18")):
        kept = [counted(study, study.editions[name]) for study in studies]
        rows.append(row(f"diseases counted after {name}", published, kept))
    return f"""
## At a glance

{table(("", "the hospital of the papers", *(cell(study.source.name) for study in studies)), rows)}

The papers looked for all codes among 1.2 million patients, this page in the file itself; CBA is from a later
paper about the same records. k = {" and ".join(sorted({str(study.k) for study in studies}))} on this page.

{table(("do their findings hold?", *(cell(study.source.name) for study in studies)), _holds(studies))}
"""


def _each(sets: CodeSets) -> str:
    return f"{sets.occurrences / len(sets):.1f}"


def _each_visit(study: Study) -> str:
    return "–" if study.read.visits is None else _each(study.read.visits.sets)


def _holds(studies: Sequence[Study]) -> list[tuple[str, ...]]:
    """Write which findings of the papers hold, by figures that stand on the page."""

    def said(holds: bool | None) -> str:
        return "–" if holds is None else "yes" if holds else "no"

    found: list[tuple[str, Sequence[bool | None]]] = [
        ("more than half are unique by all codes", [study.unique > 0.5 for study in studies]),
        ("three digits leave more than half unique", [study.unique_shorter for study in studies]),
        (
            "leaving out the rarest codes takes more than half of all codes",
            [study.share_left_out > 0.5 for study in studies],
        ),
        ("ACLIP keeps at most half of the diseases", [not study.keeps_most("ACLIP") for study in studies]),
        ("UGACLIP keeps more than half", [study.keeps_most("UGACLIP") for study in studies]),
        ("CBA keeps more than half", [study.keeps_most("CBA") for study in studies]),
    ]
    return [(finding, *(said(one) for one in answers)) for finding, answers in found]


def _reading(studies: Sequence[Study]) -> str:
    km = any(study.source.hierarchy is not None for study in studies)
    last = (
        " *k^m* is apriori anonymisation along ICD, for another promise: any two codes of a history are "
        "shared by k people; up to 5 % of what people have may be left out where that loses less. Its log2 "
        "UL is over all codes of the classification, and does not compare with that of the others."
        if km
        else ""
    )
    return f"""
## How to read it

**Who attacks.** Somebody who knows all codes of a patient, those of one visit (a discharge summary), or one
to three of them: the *worst* are those that the fewest people share, *random* ones are drawn. *Unique* counts
people whom this singles out.

**Who wants to count.** A researcher with a list of diseases. A disease is *counted* when the release tells
exactly as many cases, and so as many controls, as the data. Its constraint is *satisfied* when no item
crosses its codes and none of them was left out.

**What is tried.** *Rare codes* leaves out the rarest codes. *ACLIP* and *PCTA* join codes into sets,
whichever loses least. *COAT*, *UGACLIP* and *CBA* follow a utility policy: codes of one disease may be joined
with each other, and no others; what cannot be protected in this way is left out.{last} *log2 UL* is the loss
by the items alone, as a power of two; codes that are left out cost nothing in it, so read it beside them.
*Unique afterwards* are people whose record in the release looks like nobody else's. Times are of the
search, in CPU seconds.
"""
