"""Attacks on lumped ages: what stands beside the number must not tell it."""

from __future__ import annotations

import re

import pytest

from sfumato.masking.contract import Secrets
from sfumato.text.replace import Generalisation, Masks, Pseudonyms, Surrogates, Tags
from sfumato.text.replace.ages import with_age
from sfumato.text.replace.contract import Replacement
from tests.text.replace.examples import marked, replaced

EVERY = (Tags(), Masks(), Generalisation(), Pseudonyms(), Surrogates())


@pytest.mark.parametrize("replacement", EVERY, ids=lambda replacement: replacement.name)
def test_the_ending_of_an_ordinal_does_not_tell_an_age_over_89(
    replacement: Replacement, key: Secrets
) -> None:
    shown = {
        replaced(marked(f"her {{AGE {age}}} birthday"), replacement, key)[0]
        for age in ("91st", "92nd", "93rd", "94th", "101st", "ninety-first", "one hundred and second")
    }
    assert len(shown) == 1


@pytest.mark.parametrize("age", ["early 90s", "late 90's", "mid-nineties", "90+ (93)", "low nineties"])
@pytest.mark.parametrize("replacement", EVERY, ids=lambda replacement: replacement.name)
def test_nothing_beside_a_lumped_age_narrows_it(age: str, replacement: Replacement, key: Secrets) -> None:
    [after] = replaced(marked(f"|{{AGE {age}}}|"), replacement, key)
    assert not re.search(r"early|late|mid|low|93", after)


def test_words_that_say_only_that_it_is_an_age_stay() -> None:
    assert with_age("93-year-old", "90+") == "90+-year-old"
    assert with_age("aged 93", "90+") == "aged 90+"
    assert with_age("noventa y tres años", "90+") == "90+ años"


def test_an_age_that_was_lumped_before_stays(key: Secrets) -> None:
    assert replaced(marked("{AGE 90+}-year-old"), Surrogates(), key) == ["90+-year-old"]
