"""What the pages about DNA say of promises is what the code does; every key, format and tree is on them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sfumato import dna
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis
from sfumato.dna.methods import ROW_METHODS
from sfumato.dna.methods.statistics_registry import STATISTICS_METHODS
from sfumato.hierarchy.snp import TREES
from sfumato.recipe.dna.rows_attack_ask import ROW_ATTACKS
from sfumato.recipe.dna.rows_job import FORMATS, demand_of
from sfumato.recipe.dna.statistics_attack_ask import STATISTICS_ATTACKS
from sfumato.recipe.dna.statistics_methods import refuse_not_kept
from sfumato.recipe.model import DnaPart
from tests.docs.pages import page
from tests.docs.test_mentions import keys_of, spans


def kept_by(section: str) -> set[str]:
    """Return the methods that a section says a promise is kept by."""
    kept = re.search(r"^Kept by (.*?)\.\n\n", section, re.MULTILINE | re.DOTALL)
    return set(re.findall(r"\]\(#([\w-]+)\)", kept[1])) if kept else set()


@pytest.mark.parametrize(
    "model",
    [
        dna.SequenceKAnonymity(2),
        dna.Bins(across=2),
        dna.GenotypeKMap(2),
        dna.SnpExposure(2, 2),
    ],
    ids=lambda model: model.name,
)
def test_a_promise_about_rows_says_who_keeps_it_and_what_it_protects_from(model: Any) -> None:
    section = page("docs/dna-methods.md").section(model.name)
    able = {name for name, kind in ROW_METHODS.items() if kind().enforces(demand_of(model))}
    assert kept_by(section) == able
    assert {str(threat) for threat in model.protects_from} <= spans(section)
    if model.basis is not Basis.RELEASE:
        assert str(model.basis) in spans(section)


@pytest.mark.parametrize(
    "model",
    [dna.MembershipBound(auc=0.6), dna.DifferentialPrivacy(1)],
    ids=lambda model: model.name,
)
def test_a_promise_about_statistics_says_who_keeps_it_and_what_it_protects_from(model: Any) -> None:
    def keeps_it(kind: Any) -> bool:
        try:
            refuse_not_kept(kind(3) if kind is dna.DpTopSnps else kind(), [model])
        except BadInput:
            return False
        return True

    section = page("docs/dna-statistics.md").section(model.name)
    assert kept_by(section) == {name for name, kind in STATISTICS_METHODS.items() if keeps_it(kind)}
    assert {str(threat) for threat in model.protects_from} <= spans(section)
    assert str(model.basis) in spans(section)


def test_every_key_of_dna_and_every_format_and_tree_is_on_its_pages() -> None:
    overview, rows = page("docs/dna.md"), page("docs/dna-methods.md")
    assert keys_of(DnaPart) <= spans(overview.section("Keys"))
    assert {*FORMATS} <= spans(overview.section("Keys"))
    assert {*TREES} <= spans(rows.section("Trees"))
    assert {*ROW_ATTACKS, *STATISTICS_ATTACKS} <= page("docs/dna-attacks.md").code_spans
