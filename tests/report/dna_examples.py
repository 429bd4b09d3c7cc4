"""Evidence of releases of DNA that never were: made up, but consistent in itself."""

from __future__ import annotations

from typing import Any

from sfumato.core.evidence import (
    AttackEvidence,
    AttackFigures,
    Bin,
    DataEvidence,
    InputEvidence,
    MeasureEvidence,
    RiskFigure,
    VerdictEvidence,
)
from sfumato.core.evidence_dna import (
    CurveEvidence,
    CurvePoint,
    DnaEvidence,
    FiguresEvidence,
    PeakEvidence,
    ReadDnaEvidence,
    RowsEvidence,
    StewardDnaEvidence,
)

HOSTILE = "<script>alert(1)</script>"


def promise(
    model: str, required: str, achieved: str, *, holds: bool = True, **parameters: Any
) -> VerdictEvidence:
    return VerdictEvidence(
        model=model,
        parameters=parameters,
        holds=holds,
        required=required,
        achieved=achieved,
        basis="the release alone",
        protects_from=["identity"],
        does_not_protect_from=["membership"],
        meaning=f"what {model} says",
    )


def shared_fields(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "title": "Mitochondria",
        "created": "2026-11-16",
        "software": {"sfumato": "9.9"},
        "recipe": {"models": []},
        "data": DataEvidence(file="data.fasta", sha256="ab" * 32, rows=1074, bytes=70_001),
        "people": "rows were taken as persons",
        "order": "shuffled",
        "truthful": True,
        "method": "dnala",
        "warnings": ["relatives may be found"],
        "schema_sha256": "cd" * 32,
        "stripped": ["headers of the sequences"],
    }
    return fields | changes


def rows_fields(**changes: Any) -> dict[str, Any]:
    own = {
        "form": "sequences",
        "verdicts": [promise("sequence-k-anonymity", "k ≥ 2", "k = 2", k=2)],
        "rows": RowsEvidence(
            rows=1074,
            positions=2586,
            different=537,
            smallest=2,
            groups=[Bin(low=2, high=4, classes=537, records=1074)],
            exact=2_700_001,
            partly=70_123,
            open=7_240,
            letters={"A": 1_500_000, "C": 1_200_001, "R": 70_123, "N": 7_240},
        ),
    }
    return shared_fields(**(own | changes))


def steward_fields(**changes: Any) -> dict[str, Any]:
    own: dict[str, Any] = {
        "edition": "steward",
        "input": InputEvidence(rows=1075, fingerprint="hmac-sha256:77aa", key="steward/fingerprint.key"),
        "utility": [
            MeasureEvidence(
                name="lattice-loss",
                title="loss of the lattice",
                value=0.0371,
                range="0 … 1",
                meaning="how far cells rose",
                details={"levels": 9851},
            )
        ],
        "seconds": {"pairing": 12.25},
        "read": ReadDnaEvidence(
            rows=1075,
            persons=1076,
            positions=2834,
            varying=2585,
            different=979,
            missing=4711,
            left_out={"sites with three alleles": 37},
        ),
        "notes": ["1,234 sequences were aligned"],
        "search": {"exchanges": 4321},
    }
    return own | changes


def risk(name: str, value: float | None, title: str = "", **more: Any) -> RiskFigure:
    return RiskFigure(
        name=name, title=title or f"title of {name}", threat="identity", value=value, meaning="m", **more
    )


def figures_of(success: float, **changes: Any) -> AttackFigures:
    fields: dict[str, Any] = {
        "attempts": 977,
        "success": success,
        "baseline": 0.0531,
        "guessing": 0.0009,
        "certain": 3,
        "highest": 0.5,
        "scored": "measured",
    }
    return AttackFigures(**(fields | changes))


def rows(**changes: Any) -> DnaEvidence:
    return DnaEvidence(**rows_fields(**changes))


def steward_rows(**changes: Any) -> StewardDnaEvidence:
    own = steward_fields(
        risk_before=[
            risk("sequence-unique", 0.8234, "Whole row, unique"),
            risk("singled-out-random", 0.9012, "Singled out, random", said="half by 23"),
            risk("set-of-3-unique", 0.1213, "3 SNPs chosen to tell most, unique"),
        ],
        risk_after=[
            risk("sequence-unique", 0.0, "Whole row, unique"),
            risk("singled-out-random", 0.0, "Singled out, random", said="nobody is singled out"),
            risk("set-of-3-unique", 0.0, "3 SNPs chosen to tell most, unique"),
        ],
        risk_said=["sets were chosen among 200 positions"],
        attacks=[
            AttackEvidence(
                name="sequence-linkage",
                title="knows a few SNPs",
                threat="identity",
                knows="some SNPs of everybody",
                before=figures_of(0.8811),
                after=figures_of(0.4923),
            ),
            AttackEvidence(
                name="kinship",
                title="finds a relative",
                threat="membership",
                not_run="no relatives were given",
            ),
        ],
        sizes_before=[
            Bin(low=1, high=1, classes=903, records=903),
            Bin(low=2, high=4, classes=76, records=172),
        ],
        by_position=[0.5 + (i % 40) / 80 for i in range(400)],
        open_by_position=[(i % 40) / 411 for i in range(400)],
    )
    return StewardDnaEvidence(**rows_fields(**(own | changes)))


def statistics_fields(**changes: Any) -> dict[str, Any]:
    own = {
        "title": "Association",
        "form": "statistics",
        "data": DataEvidence(file="data.csv", sha256="ab" * 32, rows=5000, bytes=70_001),
        "method": "safe-snps",
        "stripped": ["sample names"],
        "verdicts": [promise("membership-bound", "AUC ≤ 0.62", "AUC ≤ 0.611", auc=0.62, alpha=0.05)],
        "figures": FiguresEvidence(
            sites=5000,
            columns=["frequency", "p"],
            people=400,
            cases=199,
            peaks=[
                PeakEvidence(
                    chromosome=str(1 + i // 18), sites=13, highest=(i * 37 % 50) / 10 + (i == 211) * 6
                )
                for i in range(396)
            ],
        ),
    }
    return shared_fields(**(own | changes))


def statistics(**changes: Any) -> DnaEvidence:
    return DnaEvidence(**statistics_fields(**changes))


def private(**changes: Any) -> DnaEvidence:
    own = {
        "method": "dp-frequencies",
        "truthful": False,
        "verdicts": [promise("differential-privacy", "ε ≤ 0.5", "ε = 0.5", epsilon=0.5)],
        "figures": FiguresEvidence(
            sites=100,
            columns=["frequency"],
            people=400,
            epsilon="0.5",
            neighbours="one person replaced by another",
        ),
    }
    return statistics(**(own | changes))


def steward_statistics(**changes: Any) -> StewardDnaEvidence:
    def curve(attack: str, what: str, *points: tuple[int, float]) -> CurveEvidence:
        listed = [
            CurvePoint(sites=at, auc=auc, low=auc - 0.021, high=min(1.0, auc + 0.019), power=auc / 3)
            for at, auc in points
        ]
        return CurveEvidence(attack=attack, what=what, points=listed, false_positives=0.05)

    own = steward_fields(
        attacks=[
            AttackEvidence(
                name=name,
                title="tells who is in the data",
                threat="membership",
                before=figures_of(before, baseline=0.5, guessing=0.5),
                after=figures_of(after, baseline=0.5, guessing=0.5),
            )
            for name, before, after in (("homer", 0.9122, 0.5432), ("likelihood-ratio", 0.9433, 0.5521))
        ],
        curves=[
            curve("homer", "all sites", (100, 0.644), (1000, 0.833), (10_000, 0.976), (100_000, 0.995)),
            curve("likelihood-ratio", "released sites", (100, 0.553), (1000, 0.581), (5000, 0.604)),
        ],
    )
    return StewardDnaEvidence(**statistics_fields(**(own | changes)))
