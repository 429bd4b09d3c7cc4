"""Our decoder against the tagger of the library that trained the weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pycrfsuite
import pytest

from sfumato.text.crf.crfsuite_file import read_crfsuite
from sfumato.text.crf.decode import Decoder
from sfumato.text.crf.examples import Examples
from sfumato.text.crf.features import BEFORE_LABEL, LABEL
from sfumato.text.crf.labels import by_kind, kinds_of, names_of
from sfumato.text.crf.vocabulary import affixes_of, vocabulary_of
from sfumato.text.crf.weights import Weights, weights_of
from sfumato.text.page import Page
from tests.text.crf.small import SmallLexicon, small_notes


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Weights, dict[str, int], frozenset[str], Path]:
    notes = small_notes(120)
    vocabulary = {word: number for number, word in enumerate(vocabulary_of(notes, 3), 1)}
    affixes = affixes_of(notes, 3)
    examples = Examples(SmallLexicon(), vocabulary, affixes, by_kind)
    trainer = pycrfsuite.Trainer("lbfgs", {"c1": 0.05, "c2": 0.01, "max_iterations": 40}, verbose=False)
    for note in notes:
        for features, labels in examples.of(note):
            trainer.append(features, labels)
    path = tmp_path_factory.mktemp("crfsuite") / "model"
    trainer.train(str(path))
    kinds = kinds_of(span for note in notes for span in note.spans)
    weights = weights_of(read_crfsuite(path.read_bytes()), names_of(kinds))
    return weights, vocabulary, affixes, path


def differences(
    weights: Weights, vocabulary: dict[str, int], affixes: frozenset[str], path: Path
) -> tuple[float, int]:
    """Return the greatest difference of marginals on unseen notes, and how many words are labelled apart."""
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    examples = Examples(SmallLexicon(), vocabulary, affixes, by_kind)
    decoder = Decoder(weights, vocabulary, SmallLexicon())
    apart, greatest = 0, 0.0
    for note in small_notes(40, seed=2):
        page = Page(note.text)
        ours = np.concatenate(list(decoder.probabilities(page)))
        labels: list[str] = []
        rows = []
        for features, _ in examples.of(note):
            labels += tagger.tag(features)
            rows += [
                [
                    tagger.marginal(label, word) if label in tagger.labels() else None
                    for label in weights.labels
                ]
                for word in range(len(features))
            ]
        greatest = max(greatest, float(np.abs(ours - rows).max()))
        apart += sum(one != two for one, two in zip(decoder.labels(page), labels, strict=True))
    return greatest, apart


def test_exact_weights_give_the_tagger_s_labels_and_marginals(
    trained: tuple[Weights, dict[str, int], frozenset[str], Path],
) -> None:
    assert {*read_crfsuite(trained[3].read_bytes()).labels} == {*trained[0].labels}
    greatest, apart = differences(*trained)
    assert greatest < 1e-9
    assert apart == 0


def test_rounded_weights_give_the_same_labels_and_nearly_the_same_marginals(
    trained: tuple[Weights, dict[str, int], frozenset[str], Path],
) -> None:
    weights, *rest = trained
    assert weights.rounded().step == weights.step
    greatest, apart = differences(weights.rounded(), *rest)
    assert 0 < greatest < 1e-3
    assert apart == 0


def test_every_part_of_the_features_was_learned(
    trained: tuple[Weights, dict[str, int], frozenset[str], Path],
) -> None:
    weights = trained[0]
    assert (weights.trait_scores != 0).any(axis=(0, 2)).all(), "every slot"
    assert {LABEL, BEFORE_LABEL} == {7, 8}
    assert len({int(code) >> 58 for code in weights.codes}) == 15, "every channel"
    assert (weights.phrase_scores != 0).any()
    assert (weights.transitions != 0).any()


def test_the_weights_are_those_that_the_library_prints(
    trained: tuple[Weights, dict[str, int], frozenset[str], Path],
) -> None:
    tagger = pycrfsuite.Tagger()
    tagger.open(str(trained[3]))
    printed = tagger.info()
    read = read_crfsuite(trained[3].read_bytes())
    ours = {
        (read.attributes[attribute], read.labels[label]): weight
        for attribute, label, weight in zip(*read.states, strict=True)
    }
    assert ours.keys() == printed.state_features.keys()
    assert all(abs(ours[key] - weight) < 1e-6 for key, weight in printed.state_features.items())
    for (one, two), weight in printed.transitions.items():
        assert abs(read.transitions[read.labels.index(one), read.labels.index(two)] - weight) < 1e-6
