"""Masks answer each value with a label: consistent, apart where they promise it, and never the value."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import re
import sys
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.masking import MASKS, KeySource, Scope, Secrets, mask_from_spec, mask_to_spec
from sfumato.masking.partial import Cover
from sfumato.masking.pseudonyms import KeyedPseudonym, ReversiblePseudonym, VaultPseudonym
from sfumato.masking.shift import DateShift, moved
from sfumato.masking.surrogates import Surrogate
from tests.masking.examples import KEY

PSEUDONYMS = [VaultPseudonym(), KeyedPseudonym(), ReversiblePseudonym()]
texts = st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=12, unique=True)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASKING_TEST_KEY", KEY)


def secrets_for(recipient: str = "clinic", purpose: str = "study", key: str = "MASKING_TEST_KEY") -> Secrets:
    return Secrets(KeySource(key), Scope(recipient, purpose))


@pytest.mark.parametrize("mask", PSEUDONYMS, ids=lambda mask: mask.name)
@given(values=texts)
@settings(max_examples=40, deadline=None)
def test_pseudonyms_are_consistent_and_apart(mask: VaultPseudonym, values: list[str]) -> None:
    secrets = secrets_for()
    first = mask.labels(values, secrets)
    assert mask.labels(values[::-1], secrets) == first[::-1]
    assert len(set(first)) == len(values)
    assert not set(first) & set(values)


@pytest.mark.parametrize("mask", [*PSEUDONYMS, Surrogate()], ids=lambda mask: mask.name)
@pytest.mark.parametrize("other", [("clinic", "other study"), ("other clinic", "study"), ("clini", "cstudy")])
def test_two_recipients_do_not_join(mask: KeyedPseudonym, other: tuple[str, str]) -> None:
    values = [f"Person {i}" for i in range(50)]
    mine, theirs = secrets_for(), secrets_for(*other)
    same = {*mask.labels(values, mine)} & {*mask.labels(values, theirs)}
    assert len(same) <= (2 if isinstance(mask, Surrogate) else 0)


@pytest.mark.parametrize("mask", PSEUDONYMS, ids=lambda mask: mask.name)
def test_a_domain_sets_columns_apart(mask: KeyedPseudonym) -> None:
    secrets = secrets_for()
    doctors = type(mask)(domain="doctors")
    assert mask.labels(["17"], secrets) != doctors.labels(["17"], secrets)


@given(values=texts)
@settings(max_examples=60, deadline=None)
def test_revealing_undoes_encrypting(values: list[str]) -> None:
    mask, secrets = ReversiblePseudonym(), secrets_for()
    codes = [str(code) for code in mask.labels(values, secrets)]
    assert mask.values(codes, secrets) == values


def test_a_wrong_key_never_reveals_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    mask = ReversiblePseudonym()
    codes = [str(code) for code in mask.labels(["Ada", "Bo"], secrets_for())]
    monkeypatch.setenv("OTHER_KEY", KEY[::-1])
    for wrong in (secrets_for(key="OTHER_KEY"), secrets_for("x"), secrets_for(purpose="x")):
        assert mask.values(codes, wrong) == [None, None]
    assert ReversiblePseudonym("x").values(codes, secrets_for()) == [None, None]
    damaged = [codes[0][:-2] + "AA", "", "ö", codes[0] + "!"]
    assert mask.values(damaged, secrets_for()) == [None] * 4


def test_an_encrypted_value_does_not_show_its_length_but_for_blocks() -> None:
    codes = ReversiblePseudonym().labels(["A", "Bartholomew"], secrets_for())
    assert len({len(str(code)) for code in codes}) == 1


def test_a_keyed_code_is_the_hmac_of_the_value() -> None:
    """Against the definition: HKDF (RFC 5869) by hand, then HMAC."""
    parts = [b"sfumato", b"keyed-pseudonym", b"clinic", b"study", b""]
    info = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    drawn = hmac.new(b"\0" * 32, KEY.encode(), hashlib.sha256).digest()
    derived = hmac.new(drawn, info + b"\x01", hashlib.sha256).digest()
    digest = hmac.new(derived, b"Ada", hashlib.sha256).digest()
    number = int.from_bytes(digest, "big") >> (256 - 24 * 5)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    expected = "".join(alphabet[number >> (5 * place) & 31] for place in reversed(range(24)))
    assert KeyedPseudonym().labels(["Ada"], secrets_for()) == [expected]


@pytest.mark.parametrize("mask", [KeyedPseudonym(), ReversiblePseudonym(), Surrogate(of="phone")])
def test_keyed_masks_need_a_key_and_a_scope(mask: KeyedPseudonym) -> None:
    with pytest.raises(sf.BadInput, match="needs a key"):
        mask.labels(["Ada"], Secrets())
    with pytest.raises(sf.BadInput, match="for whom and for what"):
        mask.labels(["Ada"], secrets_for(recipient=""))


def test_keys_are_read_from_the_environment_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key"
    path.write_text(KEY + "\n")
    assert KeySource(file=path).load() == KeySource("MASKING_TEST_KEY").load() == KEY.encode()
    path.write_text("short")
    with pytest.raises(sf.BadInput, match="fewer than 32 characters") as caught:
        KeySource(file=path).load()
    assert "short" not in str(caught.value).replace("fewer", "")
    monkeypatch.delenv("MASKING_TEST_KEY")
    with pytest.raises(sf.BadInput, match="is not set"):
        KeySource("MASKING_TEST_KEY").load()
    with pytest.raises(sf.BadInput, match="no such key file"):
        KeySource(file=tmp_path / "nothing").load()
    with pytest.raises(sf.BadInput, match="either from an environment variable or from a file"):
        KeySource()


@given(value=st.text(max_size=30), first=st.integers(0, 5), last=st.integers(0, 5))
@settings(max_examples=100, deadline=None)
def test_a_cover_shows_what_it_keeps_and_nothing_else(value: str, first: int, last: int) -> None:
    (label,) = Cover(keep_first=first, keep_last=last).labels([value], Secrets())
    assert label is not None
    if len(value) <= 2 * (first + last):
        assert label == "********"
    else:
        assert label == value[:first] + "********" + value[len(value) - last :]


def test_a_value_without_a_domain_is_covered_altogether() -> None:
    assert Cover(keep_domain=True).labels(["no address", "a@", "a@b@c.org"], Secrets()) == [
        "********",
        "********",
        "********@c.org",
    ]


@given(
    days=st.integers(1, 1000),
    person=st.text(min_size=1, max_size=10),
    dates=st.lists(st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)), min_size=2, max_size=5),
)
@settings(max_examples=80, deadline=None)
def test_shifted_dates_keep_their_intervals(days: int, person: str, dates: list[dt.date]) -> None:
    (shift,) = DateShift(days).shifts([person], secrets_for())
    assert 1 <= abs(shift) <= days
    new = [dt.date.fromisoformat(str(moved(date.isoformat(), shift))) for date in dates]
    assert [b - a for a, b in pairwise(new)] == [b - a for a, b in pairwise(dates)]


def test_all_shifts_but_zero_occur() -> None:
    shifts = DateShift(3).shifts([str(i) for i in range(300)], secrets_for())
    assert {*shifts} == {-3, -2, -1, 1, 2, 3}


@pytest.mark.parametrize("of", ["name", "first-name", "last-name", "city", "email", "phone"])
def test_surrogates_are_consistent_and_never_real(of: str) -> None:
    mask = Surrogate(of=of)  # type: ignore[arg-type]  # one of the choices
    invented = mask.labels([f"+1 (617) 555-{i:04}" for i in range(60)], secrets_for())
    real = sorted({str(label) for label in invented})
    labels = mask.labels(real, secrets_for())
    assert labels == mask.labels(real, secrets_for())
    assert not {str(label).casefold() for label in labels} & {value.casefold() for value in real}


def test_a_made_up_telephone_number_has_the_form_of_the_real_one() -> None:
    (label,) = Surrogate(of="phone").labels(["+1 (617) 555-0199"], secrets_for())
    assert re.fullmatch(r"\+[1-9] \([1-9]\d\d\) [1-9]\d\d-\d{4}", str(label))


def test_without_faker_the_part_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faker", None)
    with pytest.raises(sf.MissingPart, match=r"install sfumato\[surrogates\]"):
        Surrogate().labels(["Ada"], secrets_for())


def test_a_locale_that_faker_does_not_know_is_an_error() -> None:
    with pytest.raises(sf.BadInput, match="no locale 'xx_YY'"):
        Surrogate(locale="xx_YY").labels(["Ada"], secrets_for())


def test_a_column_of_all_made_up_values_is_refused() -> None:
    """Single digits leave nothing to make up."""
    with pytest.raises(sf.PromiseNotMet, match="no made-up value"):
        Surrogate(of="phone").labels([str(digit) for digit in range(10)], secrets_for())


@pytest.mark.parametrize("name", MASKS)
def test_every_mask_is_spelt_by_its_name(name: str) -> None:
    mask = mask_from_spec(name)
    assert mask.name == name
    assert mask.describe()
    assert mask_from_spec(mask_to_spec(mask)) == mask


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("pseudonim", "did you mean 'pseudonym'"),
        ({"mask": {"keep_lsat": 4}}, "did you mean 'keep_last'"),
        ({"mask": {"keep_last": "4"}}, "has a value that it cannot have"),
        ({"mask": {"keep_last": -1}}, "cannot be negative"),
        ({"mask": {"character": "#"}}, "choose one of: \\*, X"),
        ({"mask": {"keep_domain": True, "keep_last": 2}}, "either the domain or letters"),
        ({"keyed-pseudonym": {"letters": 8}}, "between 16 and 51"),
        ({"date-shift": {"days": 0}}, "between 1 and"),
        ({"mask": {}, "year": {}}, "one name with its parameters"),
        ({"mask": 3}, "are not a map"),
    ],
)
def test_a_misspelt_mask_is_an_error_that_helps(spec: object, said: str) -> None:
    with pytest.raises(sf.BadInput, match=said):
        mask_from_spec(spec)  # type: ignore[arg-type]  # wrong on purpose


class TestTheCommonestValue:
    """Frequency analysis: the code of a value that many share is known by its number."""

    @staticmethod
    def people(smiths: int, everybody: int) -> pd.DataFrame:
        names = ["Smith" if i < smiths else f"Name{i}" for i in range(everybody)]
        return pd.DataFrame({"key": range(everybody), "name": names})

    @pytest.mark.parametrize("mask", ["pseudonym", "keyed-pseudonym"])
    @pytest.mark.parametrize(("smiths", "everybody"), [(900, 1000), (400, 4000), (10, 200), (5, 100)])
    def test_one_value_that_many_share_is_refused(
        self, smiths: int, everybody: int, mask: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SFUMATO_TEST_KEY", "k" * 64)
        with pytest.raises(sf.BadInput, match="frequency analysis") as refused:
            sf.mask(
                self.people(smiths, everybody),
                {"name": mask},
                key="SFUMATO_TEST_KEY",
                recipient="r",
                purpose="p",
            )
        assert "Smith" not in str(refused.value)

    @pytest.mark.parametrize(("smiths", "everybody"), [(9, 200), (4, 50), (20, 4000)])
    def test_a_value_that_few_share_passes(self, smiths: int, everybody: int) -> None:
        assert len(sf.mask(self.people(smiths, everybody), {"name": "pseudonym"})) == everybody

    def test_among_people_twenty_may_share_a_value_and_no_more(self) -> None:
        assert len(sf.mask(self.people(20, 4000), {"name": "pseudonym"}, person="key")) == 4000
        with pytest.raises(sf.BadInput, match="one of them shared by 21"):
            sf.mask(self.people(21, 4000), {"name": "pseudonym"}, person="key")
