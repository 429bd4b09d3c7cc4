"""Evidence of releases that never were: made up, but consistent in itself."""

from __future__ import annotations

from typing import Any

from sfumato.core.evidence import (
    AttributeLoss,
    Bin,
    ClassesEvidence,
    ColumnEvidence,
    DataEvidence,
    InputEvidence,
    MeasureEvidence,
    PublicEvidence,
    RiskEvidence,
    SearchEvidence,
    StewardEvidence,
    VerdictEvidence,
)

EDGES: tuple[tuple[int, int | None], ...] = (
    (1, 1),
    (2, 4),
    (5, 9),
    (10, 19),
    (20, 49),
    (50, 99),
    (100, 999),
    (1000, None),
)


def classes(sizes: dict[int, int]) -> ClassesEvidence:
    """Describe classes from how many there are of each size."""
    number, records = sum(sizes.values()), sum(size * many for size, many in sizes.items())
    bins = []
    for low, high in EDGES:
        inside = {
            size: many for size, many in sizes.items() if low <= size and (high is None or size <= high)
        }
        bins.append(
            Bin(
                low=low,
                high=high,
                classes=sum(inside.values()),
                records=sum(size * many for size, many in inside.items()),
            )
        )
    return ClassesEvidence(
        number=number,
        smallest=min(sizes, default=0),
        largest=max(sizes, default=0),
        mean=records / number if number else 0.0,
        bins=bins,
    )


def risk(sizes: dict[int, int], threshold: float = 0.2) -> RiskEvidence:
    """Compute the risks of classes from how many there are of each size."""
    described = classes(sizes)
    records = sum(size * many for size, many in sizes.items())
    exposed = sum(size * many for size, many in sizes.items() if 1 / size > threshold)
    return RiskEvidence(
        records=records,
        persons=records,
        classes=described,
        uniques=sizes.get(1, 0),
        unique_share=sizes.get(1, 0) / records if records else 0.0,
        highest_risk=1 / described.smallest if records else 0.0,
        average_risk=described.number / records if records else 0.0,
        threshold=threshold,
        records_at_risk=exposed / records if records else 0.0,
    )


BEFORE = {1: 4211, 2: 1316, 3: 877, 7: 612, 14: 233, 31: 119, 77: 41, 313: 6}
AFTER = {7: 409, 13: 388, 37: 171, 83: 83, 211: 20}


def column(name: str, role: str = "quasi-identifier", **more: Any) -> ColumnEvidence:
    """Describe a column that was generalised to level 2 of 4."""
    told: dict[str, Any] = {
        "type": "string",
        "treatment": "generalised to level 2 of 4",
        "level": 2,
        "height": 4,
        "distinct": 12,
    }
    return ColumnEvidence(name=name, role=role, **(told | more))


def columns() -> list[ColumnEvidence]:
    """The columns of a small hospital table."""
    return [
        ColumnEvidence(name="patient", role="person", type="integer", treatment="removed"),
        ColumnEvidence(name="surname", role="identifier", type="string", treatment="removed"),
        column(
            "age",
            type="integer",
            treatment="generalised to intervals of 10 years",
            distinct=9,
            example_path=["37", "35–39", "30–39", "20–59", "*"],
        ),
        column(
            "zip",
            treatment="generalised to its first 3 digits",
            distinct=44,
            example_path=["47677", "4767*", "476**", "47***", "4****", "*****"],
            height=5,
        ),
        column("sex", treatment="unchanged", level=0, height=1, distinct=2, example_path=["female", "*"]),
        ColumnEvidence(
            name="diagnosis", role="sensitive", type="string", treatment="unchanged", distinct=118
        ),
        ColumnEvidence(name="ward", role="insensitive", type="string", treatment="unchanged", distinct=23),
    ]


def verdict(*, holds: bool = True, k: int = 5, achieved: int = 7) -> VerdictEvidence:
    """A verdict on k-anonymity."""
    return VerdictEvidence(
        model="k-anonymity",
        parameters={"k": k},
        holds=holds,
        required=f"k ≥ {k}",
        achieved=f"k = {achieved}",
        basis="release",
        protects_from=["identity"],
        does_not_protect_from=["attribute", "membership", "inference"],
    )


def public_fields(**changes: Any) -> dict[str, Any]:
    """The fields of the public evidence of the example, some of them changed."""
    released = sum(size * many for size, many in AFTER.items())
    fields: dict[str, Any] = {
        "title": "Admissions 2025",
        "created": "2026-02-03T09:05:00+00:00",
        "software": {"sfumato": "0.1.0", "duckdb": "2.0.0", "python": "3.11.9"},
        "recipe": {
            "title": "Admissions 2025",
            "fields": [
                {"name": "age", "role": "quasi-identifier"},
                {"name": "zip", "role": "quasi-identifier"},
            ],
            "models": [{"k-anonymity": {"k": 5}}],
            "method": {"optimal-lattice": {"suppress": 0.02}},
        },
        "data": DataEvidence(
            file="admissions.csv",
            sha256="9f3c1b7ae05d4482c6f1d0b9e8a77c5512340fedcba98765aa55bb66cc77dd88",
            rows=released,
            bytes=1_482_914,
        ),
        "columns": columns(),
        "verdicts": [verdict()],
        "classes": classes(AFTER),
        "people": "distinct persons were counted",
        "missing": "a missing value is a value of its own",
        "suppressed_records": sum(size * many for size, many in BEFORE.items()) - released,
        "suppressed_policy": "drop",
        "order": "shuffled",
        "truthful": True,
        "method": "optimal lattice search with record suppression",
        "warnings": ["k-anonymity alone does not protect the sensitive column 'diagnosis'"],
    }
    return fields | changes


def public(**changes: Any) -> PublicEvidence:
    """The public evidence of the example."""
    return PublicEvidence(**public_fields(**changes))


def steward_only() -> dict[str, Any]:
    """What only the steward's evidence has. The numbers are odd on purpose: they stand out."""
    return {
        "input": InputEvidence(
            rows=sum(size * many for size, many in BEFORE.items()),
            fingerprint="hmac-sha256:51c0ffee7712ab",
            key="environment variable SFUMATO_KEY",
        ),
        "risk_before": risk(BEFORE),
        "risk_after": risk(AFTER),
        "utility": [
            MeasureEvidence(
                name="gcp",
                title="Global certainty penalty",
                value=0.28417,
                range="0 to 1",
                meaning="how wide the released values are, on average over all cells",
            ),
            MeasureEvidence(
                name="discernibility",
                title="Discernibility",
                value=83_114_602.0,
                range="from the number of records upwards",
                meaning="how many records look like each record, summed",
            ),
            MeasureEvidence(
                name="height-then-loss",
                title="Height, then loss",
                value=[17.5, 0.3319],
                range="each from 0",
                meaning="steps climbed in the hierarchies, ties broken by loss",
            ),
        ],
        "attribute_loss": [
            AttributeLoss(name="age", loss=0.4127),
            AttributeLoss(name="zip", loss=0.6338),
            AttributeLoss(name="sex", loss=0.0873),
        ],
        "search": SearchEvidence(
            score=0.28417,
            bound=0.27655,
            optimal=False,
            levels={"age": 2, "zip": 2, "sex": 0},
            details={"nodes checked": 1867, "nodes in the lattice": 12960},
        ),
        "seconds": {"reading": 11.37, "searching": 24.68, "writing": 13.59},
    }


def steward(**changes: Any) -> StewardEvidence:
    """The steward's evidence of the example."""
    return StewardEvidence(**(public_fields() | steward_only() | changes))


def broken() -> dict[str, Any]:
    """Changes to the public evidence after which a promise does not hold."""
    return {"verdicts": [verdict(holds=False, achieved=1)], "classes": classes(AFTER | {1: 12, 3: 4})}


def broken_steward() -> StewardEvidence:
    """The steward's evidence of a release that breaks its promise."""
    return steward(**broken(), risk_after=risk(AFTER | {1: 12, 3: 4}))
