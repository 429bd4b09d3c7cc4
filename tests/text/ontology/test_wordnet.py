"""The nouns that are shipped: what there is, and the counts of the lecture's example."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from math import prod

import pytest

from sfumato.text.ontology import Ontology, wordnet
from sfumato.text.ontology.counting import between

EXAMPLE = (
    ("Sacramento", "state capital"),
    ("marijuana", "drug"),
    ("lumbar pain", "pain"),
    ("liver cancer", "carcinoma"),
)


@pytest.fixture(scope="module")
def nouns() -> Ontology:
    return wordnet()


def senses(nouns: Ontology, term: str, above: str) -> tuple[int, int]:
    """Return the sense of a term that lies under a sense of another, and that one."""
    (pair,) = [
        (low, high)
        for low in nouns.senses_of(term)
        for high in nouns.senses_of(above)
        if high in nouns.above(low)
    ]
    return pair


def test_all_nouns_and_all_their_meanings_are_there(nouns: Ontology) -> None:
    assert (len(nouns), len(nouns.terms), len(nouns.senses)) == (82_115, 117_798, 146_312)
    (root,) = [concept for concept in range(len(nouns)) if not nouns.parents_of(concept)]
    assert nouns.labels[root] == "entity"
    assert nouns.descendants[root] == 82_114


def test_the_file_is_small_and_carries_its_licence() -> None:
    data = files("sfumato.text.ontology").joinpath("data")
    assert len(data.joinpath("wordnet.xz").read_bytes()) <= 3_000_000
    licence = data.joinpath("LICENSE.wordnet.txt").read_text(encoding="utf-8")
    assert licence.startswith("This software and database is being provided to you, the LICENSEE")
    assert "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved." in licence


@pytest.mark.parametrize(
    ("term", "above"), [*EXAMPLE, ("tuberculosis", "infectious disease"), ("backache", "ache")]
)
def test_the_terms_of_the_lecture_lie_under_what_they_are_generalised_to(
    nouns: Ontology, term: str, above: str
) -> None:
    low, high = senses(nouns, term, above)
    assert high in nouns.above(low)
    assert low in nouns.under(high)


@pytest.mark.parametrize(
    ("rule", "product"),
    [
        ("direct hyponyms", 1_175_552),
        ("all descendants", 67_562_880),
        ("all descendants and self", 73_382_085),
        ("leaves", 39_805_920),
        ("first path", 64),
        ("all paths", 96),
    ],
)
def test_every_rule_of_counting_gives_its_product_for_the_lecture_text(
    nouns: Ontology, rule: str, product: int
) -> None:
    def first_path(low: int, high: int) -> int:
        """Return the length of the first way that leads there, parents taken in their order; 0 for none."""
        if low == high:
            return 1
        ways = (first_path(parent, high) for parent in nouns.parents_of(low))
        return next((way + 1 for way in ways if way), 0)

    count = {
        "direct hyponyms": lambda low, high: len(nouns.children_of(high)),
        "all descendants": lambda low, high: int(nouns.descendants[high]),
        "all descendants and self": lambda low, high: len(nouns.under(high)),
        "leaves": lambda low, high: int(nouns.leaves[high]),
        "first path": first_path,
        "all paths": lambda low, high: len(between(nouns, low, high)),
    }[rule]
    assert prod(count(*senses(nouns, term, above)) for term, above in EXAMPLE) == product


def test_the_ninety_six_texts_of_the_lecture_are_two_by_six_by_four_by_two(nouns: Ontology) -> None:
    assert [len(between(nouns, *senses(nouns, *pair))) for pair in EXAMPLE] == [2, 6, 4, 2]


def test_a_term_is_found_however_it_is_written(nouns: Ontology) -> None:
    assert nouns.senses_of("Liver_Cancer") == nouns.senses_of("liver  cancer") != ()
    assert nouns.senses_of("Parkinson’s disease") == nouns.senses_of("parkinson's disease") != ()
    assert set(nouns.senses_of("vertebra")) <= set(nouns.readings("vertebrae"))
    assert nouns.senses_of("no such thing") == ()


def test_senses_stand_in_the_order_of_frequency_with_their_counts(nouns: Ontology) -> None:
    place = nouns.terms["condition"]
    first, last = nouns.sense_starts[place], nouns.sense_starts[place + 1]
    counts = nouns.tagged[first:last].tolist()
    assert counts[0] == 72
    assert counts == sorted(counts, reverse=True)


def test_capitals_are_known_for_each_sense(nouns: Ontology) -> None:
    capitals = [nouns.is_capital("turkey", sense) for sense in nouns.senses_of("turkey")]
    assert capitals[0] is False
    assert True in capitals


def test_counts_of_all_concepts_are_those_of_walking_down(nouns: Ontology) -> None:
    for concept in range(5, len(nouns), 1733):
        under = nouns.under(concept) - {concept}
        assert nouns.descendants[concept] == len(under)
        leaves = sum(not nouns.children_of(one) for one in under)
        assert nouns.leaves[concept] == (leaves if under else 1)


def test_reading_it_pulls_in_nothing_heavy() -> None:
    code = (
        "import sys; from sfumato.text.ontology.wordnet import wordnet; wordnet();"
        "print([name for name in ('numba', 'scipy', 'sklearn', 'pandas') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True, timeout=120) == "[]\n"
