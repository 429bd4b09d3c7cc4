"""Evidence: what a release claims, in a form that anyone can re-check. Published as JSON Schema.

Two audiences, two documents. ``PublicEvidence`` goes out with the data and holds only what the
released bytes show anyway, or what says nothing about single people. ``StewardEvidence`` stays in
the house: it adds what was computed from the raw data. Those of other kinds of data have the same two
parents, ``ReleaseEvidence`` and ``HouseEvidence`` (for sets of codes: ``core/evidence_codes.py``).
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sfumato.core.errors import BadInput, nearest
from sfumato.core.formulas import formulas_in_words

EVIDENCE_VERSION = 1


Parameter = bool | int | float | str | list[Any] | dict[str, Any]
"""a parameter of a model, method or step, as plain data"""


class Part(BaseModel):
    """A part of the evidence: fixed, and with no room for fields that nobody decided on."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class VerdictEvidence(Part):
    """The outcome of one check."""

    model: str
    parameters: dict[str, Parameter]
    holds: bool
    required: str
    achieved: str
    basis: str = Field(description="what the promise was checked from")
    protects_from: list[str]
    does_not_protect_from: list[str]
    note: str = ""
    meaning: str = Field(default="", description="the promise in one sentence, without its full stop")


class Bin(Part):
    """Classes of similar size; ``high`` is None in the last, open bin."""

    low: int
    high: int | None
    classes: int
    records: int


class ClassesEvidence(Part):
    """Sizes of the classes: groups of records that look alike on the quasi-identifiers."""

    number: int
    smallest: int
    largest: int
    mean: float
    bins: list[Bin]


class ColumnEvidence(Part):
    """What a column shows in the release."""

    name: str
    role: str
    type: str
    treatment: str = Field(description="in words: unchanged, generalised to level 2 of 4, …")
    level: int | None = None
    height: int | None = None
    distinct: int | None = Field(default=None, description="different values in the release")
    example_path: list[str] = Field(
        default=[], description="labels of one made-up or hierarchy value from precise to coarse; never data"
    )


class ColumnExposure(Part):
    """What becomes of people's candidates when a column that is no quasi-identifier is known, too.

    The candidates of a person are the people who show the same quasi-identifiers and the same value.
    """

    column: str
    role: str
    k: int = Field(description="candidates that everybody should have: k of the promise, otherwise 5")
    people: int = Field(description="people in the table")
    fewer: int = Field(description="those with fewer than k candidates when the column is known, too")
    added: int = Field(description="those of them who have more by the quasi-identifiers alone")
    singles: int | None = Field(
        default=None, description="of sensitive columns: values that a single person has"
    )
    amounts: bool = Field(
        default=False, description="numbers, of which it is usual that many are a single person's"
    )
    why: list[str] = Field(default=[], description="why it is warned of; empty where it is only reported")
    confirmed: bool = Field(default=False, description="a person vouches for the column")
    basis: str = Field(default="release", description="what it was counted from, as of promises")


class DataEvidence(Part):
    """The released file."""

    file: str
    sha256: str
    rows: int
    bytes: int
    formulas: dict[str, int] | None = Field(
        default=None,
        description="cells that a spreadsheet would run, by column; missing where they were not counted",
    )


class PolicyLineEvidence(Part):
    """One identifier that a policy lists: which columns hold it, and what was done with each."""

    key: str
    title: str
    done: dict[str, str] = Field(description="by column; empty when no column was declared to hold it")


class PolicyEvidence(Part):
    """The transformations that a policy asked for. Whether a law is satisfied is for people to decide."""

    name: str
    title: str
    source: str
    lines: list[PolicyLineEvidence]
    attestation: str = Field(description="what the steward has to attest, which no program can know")


class AgreementEvidence(Part):
    """The data use agreement under which a release was made."""

    recipient: str
    purpose: str
    expires: str


class MaskingEvidence(Part):
    """What the steward needs to mask alike or to reveal: names of places, never a secret."""

    recipient: str
    purpose: str
    key: str = Field(description="where the key lies, not the key")
    vault: str = Field(description="where the vault lies, if codes came from one")
    codes: int = Field(description="codes in the vault")


class MechanismEvidence(Part):
    """How one column was randomised: entry (u, v) of the matrix is the chance that value u became v."""

    column: str
    values: list[str | None]
    matrix: list[list[str]] = Field(description="exact fractions such as 4/5, one row for each value")
    where: tuple[str, str | None] | None = Field(
        default=None,
        description="a column and the value of the rows it was applied to; all rows when missing",
    )
    from_data: bool = Field(
        default=False, description="the probabilities were computed from the values and tell of them"
    )


class PerturbationEvidence(Part):
    """A step that changed single records before anything was counted."""

    name: str
    columns: list[str]
    parameters: dict[str, Parameter]
    truthful: bool = Field(description="every value that is left is still true")
    published: dict[str, int | float | str] = Field(default={}, description="what analysts need besides")
    mechanisms: list[MechanismEvidence] = []


class TierEvidence(Part):
    """The public tier: counts of people, small ones left out. Written beside the counts."""

    format: Literal["sfumato-tier"] = "sfumato-tier"
    version: int = EVIDENCE_VERSION
    title: str
    created: str
    by: list[str]
    counted: str = Field(description="who was counted: persons, or rows taken as persons")
    smallest: int = Field(description="counts below are left out, and others so that these stay hidden")
    data: DataEvidence
    left_out: int | None = Field(default=None, description="counts left out; for the steward alone")


class ReleaseEvidence(Part):
    """What every release says of itself, whatever kind of data it holds."""

    format: Literal["sfumato-evidence"] = "sfumato-evidence"
    edition: Literal["public", "steward"] = "public"
    version: int = EVIDENCE_VERSION
    title: str
    created: str
    software: dict[str, str]
    recipe: dict[str, object] = Field(description="the recipe without paths, addresses and secrets")
    data: DataEvidence
    verdicts: list[VerdictEvidence]
    people: str = Field(description="who was counted: persons, or rows taken as persons")
    order: str
    truthful: bool = Field(description="generalised and suppressed only: no value was invented")
    method: str
    warnings: list[str]

    @property
    def cautions(self) -> list[str]:
        """What a reader is warned of: what the promises leave open, and what the files may do."""
        told = (formulas_in_words(file.formulas) for file in self.written)
        return [*self.warnings, *(said for said in told if said is not None)]

    @property
    def written(self) -> list[DataEvidence]:
        """The files with data, each once."""
        return [self.data]


class PublicEvidence(ReleaseEvidence):
    """What everybody may see of a released table."""

    kind: Literal["table"] = "table"
    columns: list[ColumnEvidence]
    classes: ClassesEvidence
    missing: str = Field(description="how missing values were read")
    suppressed_records: int = Field(ge=0)
    suppressed_policy: str
    policy: PolicyEvidence | None = None
    repairs: list[str] = Field(default=[], description="damaged values that were mended, counted by column")
    withheld_records: int = Field(default=0, description="rows of people who did not consent, left out first")
    perturbation: list[PerturbationEvidence] = Field(
        default=[], description="steps that changed single records, in their order"
    )
    unsampled_records: int = Field(default=0, description="rows that were not drawn into the sample")
    exposure: list[ColumnExposure] = Field(
        default=[], description="of every released column that is no quasi-identifier, when it is known, too"
    )


class RiskFigure(Part):
    """One more measure of risk, and what an adversary who succeeds by it learns."""

    name: str
    title: str
    threat: str = Field(description="identity, attribute, membership or inference")
    column: str | None = Field(default=None, description="the sensitive column that it is about")
    value: float | None = Field(description="missing where it could not be computed; 'said' tells why")
    people: bool = Field(default=False, description="the value counts people; else it is a share")
    meaning: str = Field(default="", description="the measure in a few words")
    said: str = Field(default="", description="what a reader must know to take it rightly")

    def __str__(self) -> str:
        value = "not known"
        if self.value is not None:
            value = f"{self.value:,.1f}" if self.people else f"{100 * self.value:.1f} %"
        said = f" ({self.said})" if self.said else ""
        return f"{self.title}: {value}, {self.meaning}{said}"


class AttributeRiskEvidence(Part):
    """How well one quasi-identifier tells people apart, all by itself."""

    name: str
    distinct: int
    distinction: float = Field(description="different values / rows")
    separation: float | None = Field(description="share of the pairs of rows that differ")
    unique_share: float = Field(description="people who are alone with their value")
    contribution: float | None = Field(
        default=None, description="share of the SUDA scores that it takes part in"
    )


class GrowthEvidence(Part):
    """What an adversary who knows so many columns finds: over all combinations of so many."""

    columns: int
    least: float = Field(description="share of the people who are unique, by the best-hiding combination")
    mean: float
    greatest: float
    mean_risk: float = Field(description="average prosecutor risk, the mean over the combinations")


class IdentifyingEvidence(Part):
    """A smallest combination of columns by which a large share of the people is unique."""

    columns: list[str]
    unique_share: float
    average_risk: float


class RiskEvidence(Part):
    """How exposed the people are: each number is about identity, on the declared quasi-identifiers.

    ``figures`` hold the other measures, each with the disclosure that it is about.
    """

    records: int
    persons: int
    classes: ClassesEvidence
    uniques: int
    unique_share: float
    highest_risk: float = Field(description="prosecutor: 1 / smallest class")
    average_risk: float = Field(description="prosecutor: classes / records")
    threshold: float
    records_at_risk: float = Field(description="share of records with a risk above the threshold")
    quasi: list[str] = Field(default=[], description="the columns that an adversary is taken to know")
    people: str = Field(default="", description="who was counted: persons, or rows taken as persons")
    figures: list[RiskFigure] = []
    attributes: list[AttributeRiskEvidence] = Field(
        default=[], description="single quasi-identifiers, the one that tells most people apart first"
    )
    growth: list[GrowthEvidence] = Field(default=[], description="how risk grows with what is known")
    identifying: list[IdentifyingEvidence] = Field(
        default=[], description="smallest combinations by which half of the people or more are unique"
    )
    said: list[str] = Field(default=[], description="what holds for all of it")
    exposure: list[ColumnExposure] = Field(
        default=[], description="of every other column, when it is known beside the quasi-identifiers"
    )

    def figure(self, name: str, column: str | None = None) -> RiskFigure:
        """Return a measure by its name; of several sensitive columns, the one of ``column`` or the first."""
        for figure in self.figures:
            if figure.name == name and column in (None, figure.column):
                return figure
        raise BadInput(f"there is no figure '{name}'", remedy=nearest(name, {f.name for f in self.figures}))

    def __str__(self) -> str:
        lines = [
            f"{self.persons:,} persons in {self.classes.number:,} classes: {self.uniques:,} unique "
            f"({100 * self.unique_share:.1f} %), highest risk {100 * self.highest_risk:.1f} %, average "
            f"{100 * self.average_risk:.1f} %, {100 * self.records_at_risk:.1f} % above {self.threshold:g}"
        ]
        for kind in dict.fromkeys(one.threat for one in self.figures):
            lines.append(kind)
            lines += [f"  {one}" for one in self.figures if one.threat == kind]
        return "\n".join([*lines, *self.said])


class MeasureEvidence(Part):
    """One measure of utility: lower is better."""

    name: str
    title: str
    value: float | list[float]
    range: str
    meaning: str
    details: dict[str, int | float | str] = Field(default={}, description="figures that the value is made of")


class AttackFigures(Part):
    """What one adversary learned from one table."""

    attempts: int = Field(description="people who were attacked")
    success: float = Field(description="share of them about whom the adversary is right")
    baseline: float = Field(description="share about whom the same adversary is right without their data")
    guessing: float = Field(description="share about whom a blind guess is right")
    certain: int = Field(description="people about whom the adversary is sure")
    highest: float = Field(description="the greatest confidence about anybody")
    scored: str = Field(description="measured, expected, or claimed: how it is known who was right")
    note: str = ""
    compared: float | None = Field(
        default=None,
        description="share of the people whom the adversary compared at all; None where it has no limits",
    )
    not_compared: int | None = Field(
        default=None,
        description="people whom limits of the adversary kept from being compared; bounds take them as found",
    )


class AttackEvidence(Part):
    """An adversary that was run on the original without identifiers, and on the release."""

    name: str
    title: str
    threat: str = Field(description="what is learned when it succeeds")
    column: str | None = Field(default=None, description="the sensitive column that was attacked")
    parameters: dict[str, Parameter] = {}
    knows: str = Field(default="", description="what the adversary holds beside the class of a person")
    before: AttackFigures | None = None
    after: AttackFigures | None = None
    bounds: dict[str, float] = Field(default={}, description="what the recipe allows at most")
    held: bool | None = Field(default=None, description="whether the bounds held; None without bounds")
    not_run: str = Field(default="", description="why there are no figures; empty if there are")


class AttributeLoss(Part):
    """How much one column lost: 0 nothing, 1 everything."""

    name: str
    loss: float


class InputEvidence(Part):
    """The input, fingerprinted with a key so that nobody can test guesses against it."""

    rows: int
    fingerprint: str
    key: str = Field(description="where the key lies, not the key")


class SearchEvidence(Part):
    """What the search found."""

    score: float | list[float] | None
    bound: float | list[float] | None
    optimal: bool
    levels: dict[str, int] | None
    details: dict[str, int | float | str]


class HouseEvidence(Part):
    """What the steward keeps of every kind of release: it was computed from the raw data."""

    edition: Literal["public", "steward"] = "steward"
    input: InputEvidence
    utility: list[MeasureEvidence]
    seconds: dict[str, float]
    attacks: list[AttackEvidence] = Field(default=[], description="adversaries that were run")


class StewardEvidence(HouseEvidence, PublicEvidence):
    """What the steward keeps of a released table."""

    risk_before: RiskEvidence
    risk_after: RiskEvidence
    attribute_loss: list[AttributeLoss]
    search: SearchEvidence
    withheld_persons: int = Field(default=0, description="people who did not consent")
    perturbation_details: list[dict[str, int | float | str]] = Field(
        default=[], description="what each step did to the raw data"
    )
    randomness: str = Field(default="", description="where the chance of the steps came from")
    agreement: AgreementEvidence | None = None
    masking: MaskingEvidence | None = None
    expert_determination: bool = Field(default=False, description="asked for by the recipe")


class ComparedEvidence(Part):
    """One configuration of a comparison: what it is, what it risks, what it loses."""

    name: str
    method: str
    parameters: dict[str, Parameter] = Field(description="those that differ between configurations")
    models: list[dict[str, dict[str, Parameter]]]
    risk: dict[str, float] = {}
    loss: dict[str, float] = {}
    suppressed_records: int = 0
    seconds: float = 0.0
    front: list[str] = Field(default=[], description="the risks for which nothing is better in both")
    failed: str = Field(default="", description="why it gave no release; empty if it did")


class AnswerEvidence(Part):
    """The answer to a question about risk and loss; positions are those of the configurations."""

    question: str
    met: bool
    best: int | None
    nearest: int | None
    said: str


class ComparisonEvidence(Part):
    """A comparison of methods and parameters. It was made from the raw data: for the steward alone."""

    format: Literal["sfumato-comparison"] = "sfumato-comparison"
    version: int = EVIDENCE_VERSION
    title: str
    created: str
    software: dict[str, str]
    records: int
    risks: dict[str, str] = Field(description="the risks on the maps, with their titles")
    utility: str
    utility_title: str
    risk_at_most: float | None = None
    loss_at_most: float | None = None
    before: dict[str, float] = Field(description="the risks of the original")
    configurations: list[ComparedEvidence]
    answer: AnswerEvidence | None = None
