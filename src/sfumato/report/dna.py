"""The report on released DNA: what is promised, what it shows, who could be found, what was lost."""

from __future__ import annotations

from sfumato.core.evidence_dna import DnaEvidence, StewardDnaEvidence
from sfumato.report import dna_rows, dna_statistics, sections, steward
from sfumato.report.answer import answer_box, in_words
from sfumato.report.attacks import adversary_of_dna
from sfumato.report.markup import Child, Markup, element, facts, together
from sfumato.report.sections import learned_section, section
from sfumato.report.words import capital, number


def above(evidence: DnaEvidence) -> Markup:
    """Build the answer box and the handful of numbers that people look for first."""
    sentences = [in_words(verdict) for verdict in evidence.verdicts]
    statistics = evidence.form == "statistics"
    held = dna_statistics.held(evidence) if statistics else dna_rows.held(evidence)
    pairs = dna_statistics.key_figures(evidence) if statistics else dna_rows.key_figures(evidence)
    about = "the figures of these sites" if statistics else f"these {evidence.form}"
    return together(answer_box(evidence, sentences, held, about), facts(pairs, class_="figures"))


def body(evidence: DnaEvidence) -> Markup:
    """Build the sections, those for the steward only where the evidence is the steward's."""
    kept = evidence if isinstance(evidence, StewardDnaEvidence) else None
    statistics = evidence.form == "statistics"
    return together(
        sections.promises(evidence),
        dna_statistics.meaning(evidence) if statistics else None,
        _learned(evidence),
        dna_statistics.shown(evidence) if statistics else dna_rows.shown(evidence),
        None if statistics or kept is None else dna_rows.positions(kept),
        None if statistics else dna_rows.groups(evidence),
        None
        if kept is None
        else together(
            dna_rows.risk(kept),
            dna_statistics.curves(kept),
            adversary_of_dna(kept),
            steward.loss_by_measures(kept.utility),
            _read(kept),
            steward.how_made(kept.method, kept.search, kept.seconds),
        ),
        sections.verify(evidence),
        None if kept is None else steward.source(kept),
        sections.provenance(evidence),
        None if kept is None else steward.signature(kept),
    )


def _learned(evidence: DnaEvidence) -> Markup:
    """Say honestly what no promise covers; the warnings of the release come first."""
    items = [
        together(
            element("strong", "What DNA foretells. "),
            "Origin, looks and the risk of diseases can be read from what is published, of everybody whom it "
            "describes: science gets better at it after the release.",
        )
        if evidence.form != "statistics"
        else together(
            element("strong", "What is true of everybody. "),
            "That an allele and a disease go together is what such figures are for: it is learned of "
            "everybody who carries the allele, in the study or not.",
        ),
        together(
            element("strong", "What is known besides DNA. "),
            "Demographics, dates or diagnoses of the same people, in this or another file, are not covered.",
        ),
        together(
            element("strong", "Several releases together. "),
            "The promises are about this file alone. Another release about the same people, or a Beacon that "
            "answers about them, can break them.",
        ),
    ]
    if not any("relative" in warning for warning in evidence.warnings):
        items.append(
            together(
                element("strong", "Relatives. "),
                "Parents, children and siblings share half of their DNA: the promises count single people, "
                "and families together are protected less.",
            )
        )
    return learned_section(evidence, items)


def _read(evidence: StewardDnaEvidence) -> Markup:
    """Count what was read, and what was left out of it and why."""
    read = evidence.read
    what = "People with genotypes" if evidence.form != "sequences" else "Sequences"
    pairs: list[tuple[str, Child]] = [
        (what, number(read.rows)),
        ("People", number(read.persons)),
        ("Positions", number(read.positions)),
    ]
    if read.varying is not None:
        pairs.append(("Positions where at least two rows differ", number(read.varying)))
    if read.different is not None:
        pairs.append(("Different rows", number(read.different)))
    pairs.append(("Cells that were not known", number(read.missing)))
    pairs += [(f"Left out: {reason}", number(amount)) for reason, amount in read.left_out.items()]
    return section(
        "read",
        "What was read",
        facts(pairs),
        element("ul", [element("li", capital(note), ".") for note in evidence.notes])
        if evidence.notes
        else None,
    )
