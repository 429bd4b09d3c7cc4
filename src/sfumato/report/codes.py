"""The report on released sets of codes: what an item is, how codes were generalised, risk, loss, limits."""

from __future__ import annotations

from sfumato.core.evidence_codes import CodesEvidence, SizeBin, StewardCodesEvidence
from sfumato.report import sections, steward
from sfumato.report.answer import answer_box, in_words
from sfumato.report.attacks import adversary_of_codes
from sfumato.report.codes_risk import before_and_after, risk_section
from sfumato.report.markup import Markup, element, facts, table, together
from sfumato.report.plots import Series, figure, lying_bars, standing_bars
from sfumato.report.sections import learned_section, section
from sfumato.report.words import bin_label, capital, count, names, number, percent

_LAYOUTS = {
    "cells": "one record on each row, its items in one cell with a blank between them",
    "lists": "one record on each row, its items as a list",
    "long": "one item on each row, beside a number that was drawn for its record",
    "chunks": "one cluster on each line, its chunks as lists of sub-records",
}


def above(evidence: CodesEvidence) -> Markup:
    """Build the answer box and the handful of numbers that people look for first."""
    shown = evidence.shown
    counted = f"The file holds {count(shown.records, 'record')}" + (
        f", {number(shown.empty)} of which show no item." if shown.empty else "."
    )
    sentences = [in_words(verdict) for verdict in evidence.verdicts]
    if isinstance(evidence, StewardCodesEvidence) and evidence.keeps_more:
        counted = f"{capital(evidence.keeps_more)}. {counted}"
    pairs = [
        ("records in the file", number(shown.records)),
        ("different items", number(shown.items)),
        ("items shown in all", number(shown.occurrences)),
    ]
    if shown.clusters is not None:
        pairs.append(("clusters", number(shown.clusters)))
    elif shown.occurrences:
        exact = sum(one.occurrences for one in shown.sizes if one.low == 1 and one.high == 1)
        pairs.append(("shown as they were", percent(exact / shown.occurrences)))
    if isinstance(evidence, StewardCodesEvidence):
        if evidence.became is not None:
            pairs.append(("occurrences left out", number(evidence.became.suppressed)))
        pairs += [(title, f"{was} → {is_}") for title, was, is_ in before_and_after(evidence)[:2]]
    box = answer_box(evidence, sentences, counted, "what is told of codes here")
    return together(box, facts(pairs, class_="figures"))


def body(evidence: CodesEvidence) -> Markup:
    """Build the sections, those for the steward only where the evidence is the steward's."""
    kept = evidence if isinstance(evidence, StewardCodesEvidence) else None
    return together(
        sections.promises(evidence),
        _learned(evidence),
        _items(evidence),
        None
        if kept is None
        else together(
            _became(kept), risk_section(kept), adversary_of_codes(kept), _loss(kept), _search(kept)
        ),
        sections.verify(evidence),
        None if kept is None else _source(kept),
        sections.provenance(evidence),
        None if kept is None else steward.signature(kept),
    )


def _learned(evidence: CodesEvidence) -> Markup:
    """Say honestly what the promises do not cover."""
    kept = {one for verdict in evidence.verdicts if verdict.holds for one in verdict.protects_from}
    items = []
    if "attribute" not in kept:
        items.append(
            together(
                element("strong", "A code that all candidates share. "),
                "If everybody who shows what is known of a person shows another item, too, then it is "
                "learned, however many they are.",
            )
        )
    if "identity" not in kept:
        items.append(
            together(element("strong", "Which record is a person’s. "), "No promise here bounds how well.")
        )
    if "membership" not in kept:
        items.append(
            together(element("strong", "That somebody is in the file at all. "), "No promise here hides it.")
        )
    items.append(
        together(
            element("strong", "What is known besides codes. "),
            together(
                "Other facts than ",
                names(evidence.quasi),
                " are not covered: dates or texts about the same people, in this or another file.",
            )
            if evidence.quasi
            else "Demographics, dates or texts about the same people, in this or another file, are not "
            "covered.",
        )
    )
    items.append(
        together(
            element("strong", "Several releases together. "),
            "The promises are about this file alone. Another release about the same people can break them.",
        )
    )
    return learned_section(evidence, items)


def _items(evidence: CodesEvidence) -> Markup:
    """Explain what the file shows, and how far items were generalised."""
    if evidence.form == "disassociated":
        told = (
            "Codes are shown as they were, but which of them belong to one person is hidden: records lie in "
            "clusters, and each cluster in chunks. A chunk lists parts of records; the parts of one person "
            "in different chunks are not joined. Codes of the term chunk occur in the cluster; it is not "
            "said how often."
        )
    else:
        told = (
            "A record shows items. An item is a code as it was, a set of codes such as (401.2,401.4), or a "
            "group of a hierarchy; it says that the person has at least one of its codes. schema.json lists "
            "the codes of each, unless only the steward’s hierarchy knows them."
        )
    truth = (
        "Codes were only said less precisely or left out; none was invented."
        if evidence.truthful
        else "Some codes were changed and need not be true of the person of that record."
    )
    return section(
        "items",
        "What the file shows",
        element("p", told),
        _sizes(evidence.shown.sizes) if evidence.shown.sizes else None,
        facts(
            [
                ("Method", evidence.method),
                *([("Quasi-identifiers beside the items", names(evidence.quasi))] if evidence.quasi else []),
                ("Truthfulness", truth),
                ("Layout", _LAYOUTS.get(evidence.layout, evidence.layout)),
                *_sensitive(evidence),
                ("Who was counted", evidence.people),
                ("Order of records", sections.ORDERS.get(evidence.order, evidence.order)),
            ]
        ),
    )


def _sensitive(evidence: CodesEvidence) -> list[tuple[str, str]]:
    """Count the sensitive items; in chunks codes are not marked, and none is counted."""
    return [] if evidence.form == "disassociated" else [("Sensitive items", number(evidence.shown.sensitive))]


def _sizes(bins: list[SizeBin]) -> Markup:
    """Draw for how many codes the shown items stand."""
    total = sum(one.occurrences for one in bins)
    labels = [bin_label(one.low, one.high) for one in bins]
    shares = [one.occurrences / total if total else 0.0 for one in bins]
    series = [Series("in this release", shares)]
    title = "Items that are shown, by the number of codes that they stand for"
    spoken = ", ".join(f"{label} {percent(share)}" for label, share in zip(labels, shares, strict=True))
    rows = [
        (label, number(one.items), number(one.occurrences), percent(share))
        for label, one, share in zip(labels, bins, shares, strict=True)
    ]
    header = ("Codes that an item stands for", "Different items", "Times shown", "Share")
    plot = standing_bars("sizes", title, spoken, labels, series, axis="codes that an item stands for")
    return figure(plot, title, series, table(title, header, rows, numbers=[1, 2, 3]))


def _became(evidence: StewardCodesEvidence) -> Markup:
    """Count what became of the codes that people had."""
    had, became = evidence.original, evidence.became
    pairs = [
        ("People", number(had.records)),
        ("People without any code", number(had.empty)),
        ("Different codes", number(had.codes)),
        ("Occurrences of codes", number(had.occurrences)),
    ]
    if had.visits is not None:
        pairs.append(("Visits", number(had.visits)))
    drawn = None
    if became is not None and had.occurrences:
        parts = (
            ("as they were", became.kept),
            ("generalised", became.generalised),
            ("left out", became.suppressed),
        )
        labels, shares = [name for name, _ in parts], [amount / had.occurrences for _, amount in parts]
        series = [Series("occurrences", shares)]
        title = "What became of the codes that people had"
        spoken = ", ".join(f"{name} {percent(share)}" for name, share in zip(labels, shares, strict=True))
        rows = [(name, number(amount), percent(amount / had.occurrences)) for name, amount in parts]
        drawn = figure(
            lying_bars("became", title, spoken, labels, series),
            title,
            series,
            table(title, ("Codes", "Occurrences", "Share"), rows, numbers=[1, 2]),
        )
        pairs.append(("Codes that are shown nowhere", number(became.codes_suppressed)))
        pairs.append(("Records that lost all of their codes", number(became.emptied)))
    return section(
        "became",
        "What became of the codes",
        drawn,
        facts(pairs),
        element("p", capital(evidence.truth), ".") if evidence.truth else None,
        element("ul", [element("li", capital(note), ".") for note in evidence.notes])
        if evidence.notes
        else None,
    )


def _loss(evidence: StewardCodesEvidence) -> Markup:
    return section(
        "loss",
        "What was lost",
        steward.measures_table(evidence.utility),
        steward.measures_made_of(evidence.utility),
    )


def _search(evidence: StewardCodesEvidence) -> Markup:
    pairs = [(capital(key.replace("_", " ")), steward.told(value)) for key, value in evidence.search.items()]
    if evidence.seconds:
        steps = ", ".join(f"{step} {number(seconds)}" for step, seconds in evidence.seconds.items())
        pairs.append(("Seconds", steps))
    return section("search", "How this was chosen", facts([("Method", evidence.method), *pairs]))


def _source(evidence: StewardCodesEvidence) -> Markup:
    """Say where the input and the policies lie."""
    policies = [
        (capital(one.what), f"{number(one.constraints)}, in steward/{one.file}") for one in evidence.policies
    ]
    return steward.source(
        evidence,
        element(
            "p",
            "Policies that were used are kept beside this report. They name rare combinations that exist: "
            "they are never to be shared.",
        )
        if policies
        else None,
        facts(policies) if policies else None,
    )
