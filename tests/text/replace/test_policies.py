"""Policies: what they keep, what they claim, and that keys are asked for only where they are needed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sfumato.core.errors import BadInput
from sfumato.masking.contract import Secrets
from sfumato.text.policy import SAFE_HARBOR, TEXT_POLICIES, TextPolicy, text_policy_named
from sfumato.text.replace import REPLACEMENTS, Surrogates, Tags
from tests.text.replace.examples import marked, replaced


def test_states_countries_professions_and_sexes_stay_but_under_everything(key: Secrets) -> None:
    note = "{LOCATION/state TN}, {LOCATION/country Peru}, {PROFESSION nurse}, {SEX woman}"
    assert replaced(marked(note), Tags(), key) == ["TN, Peru, nurse, woman"]
    assert replaced(marked(note), Tags(policy="everything"), key) == [
        "**STATE, **COUNTRY, **PROFESSION, **SEX"
    ]
    made = replaced(marked(note), Surrogates(policy="everything"), key)[0].split(", ")
    assert made[0] != "TN"
    assert made[1:] == ["[country]", "[profession]", "[sex]"]


def test_a_policy_of_ones_own_keeps_what_it_says(key: Secrets) -> None:
    policy = replace(SAFE_HARBOR, name="ours", kept=frozenset({"LOCATION/hospital", "ID"}))
    found = marked("{LOCATION/hospital Mercy Clinic}, {ID 7}, {LOCATION/city Ovid}")
    assert replaced(found, Tags(policy=policy), key) == ["Mercy Clinic, 7, **CITY"]


def test_a_policy_refuses_kinds_that_do_not_exist() -> None:
    with pytest.raises(BadInput, match="no kind of thing"):
        replace(SAFE_HARBOR, kept=frozenset({"PLACE/city"}))


def test_an_unknown_policy_is_refused_where_it_is_named() -> None:
    with pytest.raises(BadInput, match="there is no policy 'safe-harbour'"):
        text_policy_named("safe-harbour")
    with pytest.raises(BadInput, match="did you mean 'safe-harbor'"):
        Tags(policy="safe-harbr")


@pytest.mark.parametrize("policy", TEXT_POLICIES.values(), ids=lambda policy: policy.name)
@pytest.mark.parametrize("kind", REPLACEMENTS.values(), ids=lambda kind: kind.name)
def test_words_say_what_was_applied_and_claim_nothing_more(policy: TextPolicy, kind: type) -> None:
    said = kind(policy=policy).describe()
    assert "Transformations applied" in said
    assert "complian" not in said.lower()
    assert "anonymous" not in said.lower()
    if policy.dates == "shifted":
        assert "expert's determination" in said
    else:
        assert "what was not found still stands in the notes" in said


def test_the_two_modes_are_named_apart() -> None:
    assert "needs an expert" not in SAFE_HARBOR.describe()
    assert "not on the list of Safe Harbor" in TEXT_POLICIES["shifted-dates"].describe()


def test_only_what_draws_on_a_key_needs_one() -> None:
    found = marked("{NAME Ada Lovelace} on {DATE 1/5/2011}, {ID 12345}")
    kinds: dict[str, Any] = {**REPLACEMENTS}
    for name, kind in kinds.items():
        for policy in TEXT_POLICIES:
            replacement = kind(policy=policy)
            if replacement.needs_key:
                with pytest.raises(BadInput, match="needs a key"):
                    replacement.changes(found, Secrets())
            else:
                assert replacement.changes(found, Secrets()), name


def test_nothing_that_was_found_stands_in_a_representation(key: Secrets) -> None:
    found = marked("{NAME Ada Lovelace} on {DATE 1/5/2011}")
    shown = repr(Surrogates(policy="shifted-dates").changes(found, key))
    assert "Lovelace" not in shown
    assert "2011" not in shown
    assert "after" not in shown
