"""Attacks on t-plausibility: counts that promise more texts than there are, and terms that slip through."""

from __future__ import annotations

import os

import pytest

from sfumato.masking.contract import Secrets
from sfumato.text.finder import Finder
from sfumato.text.kinds import Kind
from sfumato.text.methods.sanitise import Sanitise
from sfumato.text.models.contract import Handled
from sfumato.text.models.t_plausibility import LABEL, TPlausibility
from sfumato.text.note import Found, Record
from sfumato.text.ontology import from_pairs, icd_names, wordnet
from sfumato.text.ontology.counting import counted
from sfumato.text.ontology.ontology import Ontology
from sfumato.text.replace import Change, Tags
from sfumato.text.span import Span
from sfumato.text.stream.handling import Handler


def texts(ontology: Ontology, above: int) -> set[str]:
    """Return the words that could have stood where a concept is shown, other than its own."""
    under = {spelt for one in ontology.under(above) - {above} for spelt in ontology.spellings_of(one)}
    return under - {*ontology.spellings_of(above)}


@pytest.mark.parametrize(
    "name", ["candelabrum", "phase of cell division", "bonsai", "infectious disease", "drug"]
)
def test_no_more_texts_are_promised_than_can_be_written(name: str) -> None:
    nouns = wordnet()
    for above in nouns.senses_of(name):
        for sense in sorted(nouns.under(above) - {above})[:5]:
            for rule in ("descendants", "leaves"):
                assert counted(nouns, sense, above, rule) <= max(1, len(texts(nouns, above)))


def test_two_meanings_that_are_spelt_alike_are_one_text() -> None:
    text = "A menorah stood there."
    change = Change(Span(2, 9, Kind.OTHER, LABEL), "candelabrum")
    assert TPlausibility(2).factors(text, [change]) == [1]


def test_method_and_promise_count_alike_where_codes_share_a_name() -> None:
    names = icd_names()
    above = names.one("actinomycosis")
    for sense in sorted(names.under(above) - {above}):
        shown = names.labels[above]
        before = names.labels[sense]
        change = Change(Span(0, len(before), Kind.OTHER, LABEL), shown)
        [factor] = TPlausibility(2, ontology=names).factors(before, [change])
        assert factor <= counted(names, sense, above, "descendants") <= len(texts(names, above))


def test_a_term_in_a_span_that_the_policy_keeps_is_sanitised_all_the_same() -> None:
    found = Found(
        Record.of("Born in California, seen by Dr. Clark."),
        ((Span(8, 18, Kind.LOCATION, "state"), Span(32, 37, Kind.NAME)),),
    )
    handler = Handler(Finder(()), Tags(), (), Secrets(), Sanitise(20, subtrees=("American state",)))
    handled, _ = handler.replaced(found)
    assert "California" not in handled.released[0]
    assert "**NAME[" in handled.released[0]
    model = TPlausibility(20)
    assert model.verdict(model.counted(handled)).holds


def test_the_check_looks_into_what_identifiers_left_as_it_was() -> None:
    text = "Has tuberculosis. Tuberculosis ward."
    record = Record.of(text)
    kept = Change(Span(18, 35, Kind.LOCATION, "room"), "Tuberculosis ward", "kept")
    hidden = Change(Span(4, 16, Kind.OTHER, LABEL), "infectious disease")
    handled = Handled(record, ("Has infectious disease. Tuberculosis ward.",), ((hidden, kept),))
    model = TPlausibility(20)
    assert not model.verdict(model.counted(handled)).holds


@pytest.mark.parametrize(
    "changes",
    [
        ((4, 16, "infectious disease"), (4, 16, "infectious disease")),
        ((4, 16, "infectious disease"), (10, 16, "disease")),
        ((4, 99, "infectious disease"),),
    ],
)
def test_changes_that_overlap_or_reach_beyond_the_text_fail(
    changes: tuple[tuple[int, int, str], ...],
) -> None:
    text = "Has tuberculosis."
    made = tuple(Change(Span(low, high, Kind.OTHER, LABEL), after) for low, high, after in changes)
    forged = text[:4] + "".join(change.after for change in made) + text[changes[-1][1] :]
    model = TPlausibility(20)
    assert not model.verdict(model.counted(Handled(Record.of(text), (forged,), (made,)))).holds


def test_a_cycle_and_a_term_above_itself_are_refused() -> None:
    from sfumato.core.errors import BadInput

    for pairs in ([("a", "a")], [("a", "b"), ("b", "c"), ("c", "a")], [("a", "b"), ("A ", "a")]):
        with pytest.raises(BadInput, match="cycle"):
            from_pairs(pairs)


def test_a_concept_on_two_ways_is_counted_once() -> None:
    diamond = from_pairs([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d")])
    low, high = diamond.one("a"), diamond.one("d")
    assert counted(diamond, low, high, "descendants") == 3
    assert counted(diamond, low, high, "leaves") == 1
    assert counted(diamond, low, high, "paths") == 4


def test_the_same_note_is_replaced_and_sanitised_alike_whatever_the_seed_of_hashes() -> None:
    import subprocess
    import sys

    program = (
        "from sfumato.text.methods.sanitise import Sanitise\n"
        "from sfumato.text.note import Record\n"
        "m = Sanitise(10**6, subtrees=('ill health', 'drug', 'city'))\n"
        "r = Record.of('Tuberculosis, asthma, gout and flu; heroin, aspirin; from Paris, to Rome.')\n"
        "print([c.after for cs in m.changes(r) for c in cs])\n"
        "import sfumato as sf\n"
        "print(sf.scrub('Dr. Ada Lovelace-King of Ovid, NY saw Bob King, 93, on 1/17/2003 in Lodi.', "
        "model='none', replace='surrogates', policy='shifted-dates', key='HOUSE_KEY', recipient='r', "
        "purpose='p', person='P'))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "HOUSE_KEY": "one key of thirty-two characters"},
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(said) == 1
