"""Ontologies from pairs, files, hierarchies and the ICD, and words added to WordNet."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.core.errors import BadInput
from sfumato.hierarchy import HierarchyTable, Tree
from sfumato.text.ontology import extended, from_csv, from_hierarchy, from_pairs, wordnet


def test_a_concept_with_two_parents_is_counted_once() -> None:
    ours = from_pairs([("d", "b"), ("d", "c"), ("b", "a"), ("c", "a")])
    assert [int(ours.descendants[ours.one(term)]) for term in "abcd"] == [3, 1, 1, 0]
    assert [int(ours.leaves[ours.one(term)]) for term in "abcd"] == [1, 1, 1, 1]
    assert ours.above(ours.one("d")) == {
        ours.one(term): steps for term, steps in zip("dbca", (0, 1, 1, 2), strict=True)
    }


def test_a_cycle_is_refused() -> None:
    with pytest.raises(BadInput, match="among 3 of 4 concepts: the ontology has a cycle"):
        from_pairs([("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")])


def test_a_cycle_through_wordnet_is_refused() -> None:
    with pytest.raises(BadInput, match="cycle"):
        extended(wordnet(), [("disease", "tuberculosis")])


def test_pairs_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "terms.csv"
    path.write_text('child,parent\nPercocet,"opioid"\n\nopioid,drug\n', encoding="utf-8-sig")
    ours = from_csv(path)
    assert [ours.labels[one] for one in ours.above(ours.one("percocet"))] == ["Percocet", "opioid", "drug"]


def test_a_line_that_is_no_pair_is_named(tmp_path: Path) -> None:
    path = tmp_path / "terms.csv"
    path.write_text("a,b\nsecret\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 2") as caught:
        from_csv(path)
    assert "secret" not in str(caught.value)
    with pytest.raises(BadInput, match=r"absent.csv: there is no such file"):
        from_csv(tmp_path / "absent.csv")


def test_an_empty_list_of_terms_is_refused() -> None:
    with pytest.raises(BadInput, match="needs terms"):
        from_pairs([])


def test_a_hierarchy_of_a_column_is_an_ontology() -> None:
    tree = Tree({"any illness": {"infection": ["HIV", "flu"], "accident": None}})
    ours = from_hierarchy(tree)
    assert [int(ours.leaves[ours.one(term)]) for term in ("any illness", "infection")] == [3, 2]
    table = HierarchyTable.of([("flu", "infection", "*"), ("HIV", "infection", "*")])
    top = from_hierarchy(table)
    assert [top.labels[one] for one in top.above(top.one("flu"))] == ["flu", "infection", "something"]


def test_words_are_added_to_wordnet_without_touching_it() -> None:
    nouns = wordnet()
    ours = extended(nouns, [("Percocet", "opioid"), ("opioid", "analgesic"), ("aspirin", "house remedy")])
    assert "percocet" not in nouns.terms
    assert len(ours) == len(nouns) + 3
    assert ours.descendants[ours.one("analgesic")] == nouns.descendants[nouns.one("analgesic")] + 2
    assert ours.one("house remedy") in ours.above(ours.one("aspirin"))
    assert nouns.one("analgesic") in ours.above(ours.one("aspirin"))
