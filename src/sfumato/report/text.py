"""The report on released notes: what was found and replaced, how much may have been missed."""

from __future__ import annotations

from collections import Counter

from sfumato.core.evidence_text import MeasuredEvidence, StewardTextEvidence, TextEvidence
from sfumato.report import sections, steward
from sfumato.report.answer import answer_box, in_words
from sfumato.report.attacks import adversary_of_notes
from sfumato.report.markup import Child, Markup, element, facts, table, together
from sfumato.report.plots import Series, figure, lying_bars
from sfumato.report.sections import ORDERS, learned_section, section
from sfumato.report.words import capital, count, name, number, percent

KINDS = {
    "NAME": "names",
    "DATE": "dates",
    "AGE": "ages",
    "LOCATION": "places and organisations",
    "PHONE": "telephone, fax and pager numbers",
    "EMAIL": "e-mail addresses",
    "URL": "web addresses",
    "IP": "addresses of machines",
    "SSN": "social security numbers",
    "ID": "other numbers and codes",
    "PROFESSION": "professions",
    "SEX": "sex",
    "OTHER": "others",
}


CLUES = {
    "age": "an age",
    "sex": "the sex",
    "year": "a year",
    "month": "a month of a year",
    "day": "a full date",
    "month-day": "a day without its year",
}


def above(evidence: TextEvidence) -> Markup:
    """Build the answer box and the handful of numbers that people look for first."""
    sentences = [in_words(verdict) for verdict in evidence.verdicts]
    found = sum(one.number for one in evidence.replaced)
    pairs: list[tuple[str, Child]] = [
        ("notes", number(evidence.notes)),
        ("things found in them", number(found)),
    ]
    if evidence.measured is not None:
        pairs += [
            ("of such things found, as measured", percent(evidence.measured.recall)),
            ("annotated notes without a miss", _leak_free(evidence.measured)),
        ]
    else:
        pairs.append(("how much was missed", "not measured"))
    if isinstance(evidence, StewardTextEvidence):
        pairs.append(("people", number(evidence.read.people)))
    held = f"The release holds {count(evidence.notes, 'note')} in which what was found was replaced."
    box = answer_box(evidence, sentences, held, "what was found in the notes")
    return together(box, facts(pairs, class_="figures"))


def body(evidence: TextEvidence) -> Markup:
    """Build the sections, those for the steward only where the evidence is the steward's."""
    kept = evidence if isinstance(evidence, StewardTextEvidence) else None
    return together(
        sections.promises(evidence),
        _learned(evidence),
        _replaced(evidence),
        _measured(evidence),
        _columns(evidence),
        None if kept is None else together(adversary_of_notes(kept), _singled_out(kept)),
        None if kept is None else together(_read(kept), _notes(kept)),
        sections.verify(evidence),
        None if kept is None else steward.source(kept, _secrets(kept)),
        sections.provenance(evidence),
        None if kept is None else steward.signature(kept),
    )


def _leak_free(measured: MeasuredEvidence) -> str:
    share = measured.leak_free / measured.notes if measured.notes else None
    return f"{percent(share)} of {number(measured.notes)}"


def _learned(evidence: TextEvidence) -> Markup:
    items = [
        together(element("strong", "What was not found. "), evidence.not_promised),
        together(element("strong", "That somebody is in the notes at all. "), "No promise here hides it."),
        together(
            element("strong", "Several releases together. "),
            "With one key the same person has the same surrogates and the same shift of dates for one "
            "recipient and purpose: such releases can be put together.",
        ),
    ]
    return learned_section(evidence, items)


def _replaced(evidence: TextEvidence) -> Markup:
    """Show what was found by kind, and what was done with it."""
    totals: Counter[str] = Counter()
    for one in evidence.replaced:
        totals[one.kind] += one.number
    words = [KINDS.get(kind, kind) for kind, _ in totals.most_common()]
    title = "Share of the things found, by kind"
    rows = [(KINDS.get(one.kind, one.kind), one.how, number(one.number)) for one in evidence.replaced]
    numbers = table(
        "What was found and what was done with it", ("Kind", "What was done", "How often"), rows, numbers=[2]
    )
    drawn: Markup = numbers
    if totals:
        shares = [amount / totals.total() for _, amount in totals.most_common()]
        series = [Series("found", shares, "after")]
        spoken = "; ".join(f"{word} {percent(share)}" for word, share in zip(words, shares, strict=True))
        drawn = figure(lying_bars("found", title, spoken, words, series), title, series, numbers)
    searched = evidence.searched
    known = ", ".join(searched.known) or "none"
    return section(
        "replaced",
        "What was found, and what was done with it",
        element("p", evidence.transformations),
        drawn if evidence.replaced else element("p", "Nothing was found in the notes."),
        facts(
            [
                ("Method", evidence.method),
                ("Replaced by", evidence.replacement),
                ("Language", searched.language),
                ("Learned model", searched.model),
                ("Certainty from which on it is replaced", number(searched.threshold)),
                ("Columns that were searched for in the notes", known),
                ("Order of rows", ORDERS.get(evidence.order, evidence.order)),
                ("Who was counted", evidence.people),
            ]
        ),
        _again(evidence),
    )


def _again(evidence: TextEvidence) -> Markup | None:
    again = evidence.found_again
    if again is None:
        return None
    found = ", ".join(f"{number(amount)} {KINDS.get(kind, kind)}" for kind, amount in again.kinds.items())
    return element(
        "p",
        f"The first {count(again.characters, 'character')} of the release were read again with patterns "
        f"alone, for the plainest identifiers: {found or 'none'} found. It measures no misses.",
    )


def _measured(evidence: TextEvidence) -> Markup:
    """Say what annotated notes say, or that nobody asked them."""
    measured = evidence.measured
    if measured is None:
        return section(
            "measured",
            "How much was missed",
            element(
                "p",
                "It is not known: no annotated notes were given. Annotate some hundred notes of the house, "
                "name them under 'annotated', and make the release again.",
                class_="warning",
            ),
        )
    residual = evidence.residual
    return section(
        "measured",
        "How much was missed",
        element(
            "p",
            f"The same search was run on {count(measured.notes, 'annotated note')}. With 95 % confidence it "
            f"finds at least {percent(measured.recall_at_least)} of what points at people in such notes.",
        ),
        facts(
            [
                ("Found of what was annotated", percent(measured.recall)),
                ("Of what was taken, annotated", percent(measured.precision)),
                ("Notes without a miss", _leak_free(measured)),
                *(
                    [
                        (
                            "Words that may still stand in the release",
                            f"about {number(residual.expected)}, at most {number(residual.at_most)}",
                        ),
                        (
                            "Notes with such a word",
                            f"about {number(residual.notes_expected)}, at most "
                            f"{number(residual.notes_at_most)}",
                        ),
                    ]
                    if residual is not None
                    else []
                ),
            ]
        ),
        table(
            "By kind, in words and numbers",
            ("Kind", "Annotated", "Found", "Rightly"),
            [
                (
                    KINDS.get(one.kind, one.kind),
                    number(one.tokens),
                    percent(one.recall),
                    percent(one.precision),
                )
                for one in measured.kinds
            ],
            numbers=[1, 2, 3],
        ),
        element("ul", [element("li", capital(said), ".") for said in measured.said]),
    )


def _columns(evidence: TextEvidence) -> Markup:
    rows = [(name(column.name), column.role, column.treatment) for column in evidence.columns]
    withheld = evidence.withheld_records
    return section(
        "columns",
        "Columns beside the notes",
        table("Columns, their roles and what was done to them", ("Column", "Role", "Treatment"), rows),
        element("p", f"{count(withheld, 'row')} of people who did not consent had been taken out before.")
        if withheld
        else None,
        element("ul", [element("li", capital(one), ".") for one in evidence.repairs])
        if evidence.repairs
        else None,
    )


def _read(evidence: StewardTextEvidence) -> Markup:
    read = evidence.read
    seconds = ", ".join(f"{step} {number(spent)}" for step, spent in evidence.seconds.items())
    return section(
        "read",
        "What was read",
        facts(
            [
                ("Rows", number(read.rows)),
                ("People", number(read.people)),
                ("Characters", number(read.characters)),
                ("Notes in which something was replaced", number(read.touched)),
                ("Rows without a text", number(read.missing)),
                ("Lines or files that were not UTF-8, read as Windows-1252", number(read.other_encoding)),
                ("Values with half a character, mended", number(read.lone_surrogates)),
                *([("Seconds", seconds)] if seconds else []),
            ]
        ),
        steward.measures_table(evidence.utility) if evidence.utility else None,
    )


def _singled_out(evidence: StewardTextEvidence) -> Markup | None:
    """Show whom ages, dates and the sex single out, before and after."""
    before, after = evidence.singled_out_before, evidence.singled_out_after
    if before is None or after is None:
        return None
    people = [
        ("are alone with the combination of it", before.unique, after.unique),
        ("share it with fewer than four others", before.few, after.few),
        ("tell nothing of it", before.silent, after.silent),
    ]
    read = [
        (f"of whom {words} can be read", before.told.get(clue, 0), after.told.get(clue, 0))
        for clue, words in CLUES.items()
        if before.told.get(clue) or after.told.get(clue)
    ]
    rows = [(words, number(was), number(is_)) for words, was, is_ in (*read, *people)]
    return section(
        "singled-out",
        "Whom the rest singles out",
        element(
            "p",
            "Ages, dates and the sex that stand in the notes of a person, as a plain reading finds them. "
            "Moved dates are read like true ones: they set people apart, and lead nobody to them.",
        ),
        table("People", ("People", "Before", "After"), rows, numbers=[1, 2]),
    )


def _notes(evidence: StewardTextEvidence) -> Markup | None:
    if not evidence.sampled:
        return None
    return section(
        "notes",
        "Notes before and after",
        element(
            "p",
            f"notes.html beside this report shows {count(evidence.sampled, 'note')}, drawn by chance, before "
            "and after, with everything that was found marked. Read them: nothing else shows as fast what is "
            "missed. They are the raw notes of people, so keep them in the house.",
        ),
    )


def _secrets(evidence: StewardTextEvidence) -> Markup | None:
    masking = evidence.masking
    if masking is None:
        return None
    return facts(
        [
            ("Recipient", masking.recipient or "not named"),
            ("Purpose", masking.purpose or "not named"),
            ("Key", masking.key),
            ("Vault", masking.vault),
        ]
    )
