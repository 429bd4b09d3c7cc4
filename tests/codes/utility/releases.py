"""Small originals and releases of them, drawn at random: what the tests of utility and risk share."""

from __future__ import annotations

from hypothesis import strategies as st

from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets

CODES = "abcdefg"
Records = list[frozenset[str]]
Release = list[frozenset[frozenset[str]]]

records = st.lists(st.frozensets(st.sampled_from(CODES), max_size=5), min_size=1, max_size=9)
filled_records = records.filter(any)
itemsets = st.frozensets(st.sampled_from(CODES), min_size=1, max_size=3)


@st.composite
def truthful_pairs(draw: st.DrawFn, codes: str = CODES) -> tuple[Records, Release]:
    """An original with at least one code and a truthful release: items may overlap and differ by record."""
    originals = draw(filled_records)
    release = []
    for record in originals:
        shown = set()
        for code in sorted(record):
            if draw(st.integers(0, 4)):
                wider = draw(st.frozensets(st.sampled_from(codes), max_size=3))
                shown.add(frozenset({code} | wider))
        release.append(frozenset(shown))
    return originals, release


@st.composite
def any_pairs(draw: st.DrawFn) -> tuple[Records, Release]:
    """An original and a release that need not be true."""
    originals = draw(filled_records)
    items = st.frozensets(st.sampled_from(CODES), min_size=1, max_size=4)
    release = [draw(st.frozensets(items, max_size=4)) for _ in originals]
    return originals, release


def sets_of(originals: Records) -> CodeSets:
    return CodeSets.of(originals)


def published_of(release: Release, sensitive: str = "") -> PublishedSets:
    return PublishedSets.of(release, domain=CODES, sensitive=sensitive)
