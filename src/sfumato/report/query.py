"""The report on a release under differential privacy: what it costs, what that means, how far off it is."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context

from sfumato.core.evidence_query import MarginalEvidence, QueryEvidence, StewardQueryEvidence
from sfumato.dp.identifiability import at_most
from sfumato.report import sections, steward
from sfumato.report.answer import answer_box, in_words
from sfumato.report.markup import Markup, element, facts, table, together
from sfumato.report.plots import Series, figure, standing_bars
from sfumato.report.sections import learned_section, section
from sfumato.report.words import capital, chance, count, name, names, number, percent

_NEIGHBOURS = {
    "add-remove": "one person more or less, with all that is theirs: the number of people is protected, too",
    "substitution": "one person replaced by another: the number of people is public",
}
_MOST_STEPS = 200
_FOUR_DIGITS = Context(prec=4, rounding=ROUND_CEILING)


def above(evidence: QueryEvidence) -> Markup:
    """Build the answer box and the handful of numbers that people look for first."""
    sentences = [in_words(verdict) for verdict in evidence.verdicts]
    spent = evidence.spent
    pairs = [
        ("ε" if spent.epsilon is not None else "ρ", spent.epsilon or spent.rho or "not known"),
        ("δ", _short(spent.delta)),
        ("records drawn", number(evidence.data.rows))
        if evidence.form != "tables"
        else ("noisy counts", number(sum(one.cells for one in evidence.tables))),
    ]
    if evidence.tables:
        pairs.append(("tables of counts", number(len(evidence.tables))))
    if evidence.expected_error:
        worst = max(evidence.expected_error, key=lambda one: one.people)
        pairs.append(("expected error of a count", f"± {number(worst.people)} people"))
    if isinstance(evidence, StewardQueryEvidence):
        pairs.append(("people read", number(evidence.read.people)))
    box = answer_box(evidence, sentences, _made_of(evidence), "what one person changes in this release")
    return together(box, facts(pairs, class_="figures"))


def _made_of(evidence: QueryEvidence) -> str:
    counted = count(len(evidence.tables), "table of noisy counts", "tables of noisy counts")
    drawn = count(evidence.data.rows, "record that was drawn", "records that were drawn")
    parts = {
        "records": f"The release holds {drawn} from noisy counts.",
        "tables": f"The release holds {counted}.",
        "records and tables": f"The release holds {drawn} from noisy counts, and {counted}.",
    }
    return parts[evidence.form]


def body(evidence: QueryEvidence) -> Markup:
    """Build the sections, those for the steward only where the evidence is the steward's."""
    kept = evidence if isinstance(evidence, StewardQueryEvidence) else None
    return together(
        sections.promises(evidence),
        _meaning(evidence),
        _learned(evidence),
        _budget(evidence),
        _error(evidence),
        None if kept is None else together(_marginals(kept), _loss(kept), _read(kept)),
        _domains(evidence),
        sections.verify(evidence),
        None if kept is None else steward.source(kept),
        sections.provenance(evidence),
        None if kept is None else steward.signature(kept),
    )


def _meaning(evidence: QueryEvidence) -> Markup:
    """Say what ε means: for one person among many, and for people who live together."""
    among = [
        (number(line.among), chance(1 / line.among), f"at most {at_most(line.at_most)}")
        for line in evidence.meaning
    ]
    homes = [
        (
            number(home.people),
            home.epsilon if home.epsilon is not None else "nothing is promised",
            "–" if home.delta is None else _short(home.delta),
        )
        for home in evidence.households
    ]
    delta = evidence.spent.delta
    return section(
        "meaning",
        "What the price means",
        element(
            "p",
            "Somebody knows everybody in the data but one, has narrowed that one down to a few people, and "
            "thinks all of them equally likely. How sure can this release make them?",
        ),
        table(
            "Picking the right person out",
            ("People that it may be", "By a blind guess", "With this release"),
            among,
            numbers=[0, 1, 2],
        )
        if among
        else element("p", "The price is known as ρ alone, which says nothing about single guesses."),
        element(
            "p",
            f"With δ = {_short(delta)}, which is counted in, these bounds hold on average over all that "
            "could have been released: a rare release may tell more.",
        )
        if delta != "0"
        else None,
        element(
            "p",
            "People who live together, or are close relatives, have one secret together: for them the price "
            "is higher.",
        ),
        table("Households and relatives", ("People together", "ε", "δ"), homes, numbers=[0, 1, 2]),
    )


def _learned(evidence: QueryEvidence) -> Markup:
    items = [
        together(element("strong", "What is true of everybody. "), evidence.not_promised),
        together(
            element("strong", "Several releases together. "),
            "Prices add up: whoever holds two releases about the same people holds both prices.",
        ),
    ]
    return learned_section(evidence, items)


def _budget(evidence: QueryEvidence) -> Markup:
    """List what was spent on what; the steps add up exactly."""
    steps = evidence.steps
    unit = "ε" if steps and steps[0].epsilon is not None else "ρ"
    rows = [(step.what, step.epsilon or step.rho or "–") for step in steps[:_MOST_STEPS]]
    left = len(steps) - len(rows)
    spent = evidence.spent
    total = spent.epsilon if unit == "ε" else spent.rho
    return section(
        "budget",
        "What was spent on what",
        facts(
            [
                ("Neighbours", _NEIGHBOURS.get(evidence.neighbours, evidence.neighbours)),
                ("Spent in all", f"{unit} = {total}"),
                *([("Which is", f"ε = {spent.epsilon} at δ = {_short(spent.delta)}")] if unit == "ρ" else []),
                ("Method", evidence.method),
                *[
                    (capital(key.replace("_", " ")), steward.told(value))
                    for key, value in evidence.published.items()
                    if key != "neighbours"
                ],
                ("Noise", capital(evidence.randomness)),
            ]
        ),
        element(
            "details",
            element("summary", f"The {count(len(steps), 'step')}"),
            table("Steps of the budget", ("Step", unit), rows, numbers=[1]),
            element("p", f"And {count(left, 'further step')}, listed in the evidence.") if left else None,
        ),
    )


def _error(evidence: QueryEvidence) -> Markup:
    """Say what error was to be expected; the steward sees beside it what was measured."""
    rows = [(one.what, f"± {number(one.people)}") for one in evidence.expected_error]
    expected = table(
        "Expected error of one count, in people", ("Counts of", "Root mean square"), rows, numbers=[1]
    )
    tables = None
    if isinstance(evidence, StewardQueryEvidence) and evidence.measured:
        tables = table(
            "Tables of counts: expected and measured error of a cell, in people",
            ("Table", "Cells", "Expected", "Measured"),
            [
                (names(one.columns), number(one.cells), number(one.expected), number(one.measured))
                for one in evidence.measured
            ],
            numbers=[1, 2, 3],
        )
    elif evidence.tables:
        tables = table(
            "Tables of counts",
            ("Table", "File", "Cells", "Expected error of a cell"),
            [
                (
                    names(one.columns),
                    element("bdi", one.data.file),
                    number(one.cells),
                    "not known" if one.error is None else f"± {number(one.error)}",
                )
                for one in evidence.tables
            ],
            numbers=[2, 3],
        )
    return section(
        "error",
        "How far counts may be off",
        element(
            "p",
            "Every count has noise whose size follows from the price alone. Two counts of three lie closer "
            "to the truth than this, nearly all within three times as much.",
        ),
        expected if rows else None,
        tables,
    )


def _marginals(evidence: StewardQueryEvidence) -> Markup | None:
    """Draw single columns before and after."""
    if not evidence.marginals:
        return None
    return section(
        "marginals",
        "Single columns, before and after",
        element(
            "p", "Shares of people in the data and in the release. For the steward alone: the first are true."
        ),
        [_drawn(one, place) for place, one in enumerate(evidence.marginals)],
    )


def _drawn(one: MarginalEvidence, place: int) -> Markup:
    series = [Series("in the data", one.before, "before"), Series("in the release", one.after, "after")]
    title = f"Share of people by {one.name}"
    lines = list(zip(one.labels, one.before, one.after, strict=True))
    spoken = "; ".join(f"{label} {percent(b)} before, {percent(a)} after" for label, b, a in lines)
    rows = [(label, percent(b), percent(a)) for label, b, a in lines]
    plot = standing_bars(f"marginal-{place}", title, spoken, one.labels, series, axis=one.name)
    return figure(
        plot, title, series, table(title, ("Value", "In the data", "In the release"), rows, numbers=[1, 2])
    )


def _loss(evidence: StewardQueryEvidence) -> Markup:
    return section(
        "loss",
        "What was lost",
        steward.measures_table(evidence.utility),
        steward.measures_made_of(evidence.utility),
        element("ul", [element("li", capital(note), ".") for note in evidence.notes])
        if evidence.notes
        else None,
    )


def _read(evidence: StewardQueryEvidence) -> Markup:
    read = evidence.read
    mended = ", ".join(f"{column} {number(amount)}" for column, amount in read.made_missing.items())
    seconds = ", ".join(f"{step} {number(spent)}" for step, spent in evidence.seconds.items())
    return section(
        "read",
        "What was read",
        facts(
            [
                ("Rows", number(read.rows)),
                ("People", number(read.people)),
                ("Further rows of the same people, left out", number(read.beyond_one_row)),
                ("Rows that name nobody, left out", number(read.without_person)),
                ("Values that fit no declaration, made missing", mended or "none"),
                *([("Seconds", seconds)] if seconds else []),
            ]
        ),
    )


def _domains(evidence: QueryEvidence) -> Markup:
    rows = [(name(one.name), one.type, number(one.positions)) for one in evidence.domains]
    return section(
        "domains",
        "What was public before",
        element(
            "p",
            "Bounds, lists of values and bins were declared, not looked up in the data. A value outside was "
            "moved to the nearest bound, or counted as missing.",
        ),
        table("Columns and their public domains", ("Column", "Type", "Values or bins"), rows, numbers=[2]),
        facts(
            [
                ("Data set", evidence.data_set),
                ("Fingerprint of the declaration", element("code", evidence.metadata_sha256 or "in memory")),
                ("Who was counted", evidence.people),
            ]
        ),
    )


def _short(amount: str) -> str:
    """Write a small decimal with four digits, rounded up, so that it can be read.

    >>> _short("0.000000001"), _short("0"), _short("0.0000000037182818"), _short("?")
    ('1e-9', '0', '3.719e-9', '?')
    """
    try:
        return f"{_FOUR_DIGITS.create_decimal(amount).normalize():g}"
    except ArithmeticError:
        return amount
