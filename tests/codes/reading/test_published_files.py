"""Published sets are written, and read again as they were."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.reading import read_published
from sfumato.codes.reading.published import items_of
from sfumato.codes.spelling import spell, word
from sfumato.codes.writing import FORMATS, PublishedLayout, Written, published_table, write_published
from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.engine.contract import Engine, Order
from sfumato.engine.sources import Frame, source_of

AWKWARD = st.one_of(
    st.sampled_from(
        ["401.2", "(a,b)", "(a)", "(", ")", "a,b", "a b", " ", "", '"', '"a"', "\\", "ä\u2028", "\t"]
    ),
    st.text('ab(),"\\ ;\n\r\u00a0ß\U0001f600\u0085', max_size=6),
    st.text(max_size=4),
)
RECORDS = st.lists(st.lists(st.frozensets(AWKWARD, min_size=1, max_size=3), max_size=4), max_size=5)
LAYOUTS = st.sampled_from(list(PublishedLayout))


def _published(records: list[list[frozenset[str]]]) -> PublishedSets:
    """Publish sets of codes; labels are numbered, as sets of awkward codes may print alike."""
    groups = sorted({group for record in records for group in record}, key=sorted)
    domain = sorted({code for group in groups for code in group})
    place = {code: position for position, code in enumerate(domain)}
    printed = Counter(
        "(" + ",".join(sorted(group)) + ")" if len(group) > 1 else min(group) for group in groups
    )
    labels = []
    for number, group in enumerate(groups):
        label = "(" + ",".join(sorted(group)) + ")" if len(group) > 1 else min(group)
        labels.append(label if printed[label] == 1 else f"item {number}")
    if len({*labels}) < len(labels):
        labels = [f"item {number}" for number in range(len(groups))]
    items = Items.of_groups(domain, [[place[code] for code in group] for group in groups], labels=labels)
    shown = [sorted({groups.index(group) for group in record}) for record in records]
    starts = np.cumsum([0, *map(len, shown)])
    return PublishedSets(items, starts, np.array([item for record in shown for item in record], np.int32))


def _content(published: PublishedSets) -> list[frozenset[str]]:
    return [frozenset(published.record(r)) for r in range(len(published))]


def _groups(published: PublishedSets, r: int) -> set[frozenset[str]]:
    items = published.items
    shown = published.shown[published.starts[r] : published.starts[r + 1]].tolist()
    return {frozenset(items.domain[code] for code in items.under(item)) for item in shown}


class TestRoundTrip:
    @settings(max_examples=150, deadline=None)
    @given(records=RECORDS, layout=LAYOUTS)
    def test_with_the_items_of_the_release_sets_come_back(
        self, duck: Engine, records: list[list[frozenset[str]]], layout: PublishedLayout
    ) -> None:
        published = _published(records)
        table = duck.read(Frame(published_table(published, layout, order=Order.KEPT)))
        again = read_published(table, layout, published.items)
        expected = _content(published)
        if layout is PublishedLayout.LONG:
            expected = [record for record in expected if record]
        assert _content(again) == expected

    @settings(max_examples=150, deadline=None)
    @given(records=RECORDS, layout=LAYOUTS)
    def test_without_them_codes_and_sets_are_told_apart(
        self, duck: Engine, records: list[list[frozenset[str]]], layout: PublishedLayout
    ) -> None:
        groups = {group for record in records for group in record}
        labels = ["(" + ",".join(sorted(group)) + ")" if len(group) > 1 else min(group) for group in groups]
        assume(len({*labels}) == len(labels))
        published = PublishedSets.of(records)
        table = duck.read(Frame(published_table(published, layout, order=Order.KEPT)))
        again = read_published(table, layout)
        expected = [_groups(published, r) for r in range(len(published))]
        if layout is PublishedLayout.LONG:
            expected = [record for record in expected if record]
        assert [_groups(again, r) for r in range(len(again))] == expected

    @settings(max_examples=40, deadline=None)
    @given(
        records=RECORDS,
        form=st.sampled_from([(suffix, layout) for suffix, some in FORMATS.items() for layout in some]),
    )
    def test_files_hold_awkward_codes(
        self,
        duck: Engine,
        tmp_path_factory: pytest.TempPathFactory,
        records: list[list[frozenset[str]]],
        form: tuple[str, PublishedLayout],
    ) -> None:
        # A file of JSON lines without any line says nothing of its columns, and is refused.
        assume(records or form[0] != ".jsonl")
        published = _published(records)
        path = tmp_path_factory.getbasetemp() / f"awkward{form[0]}"
        write_published(published, path, form[1], order=Order.KEPT)
        again = read_published(duck.read(source_of(path)), form[1], published.items)
        lost = form[1] is PublishedLayout.LONG
        assert _content(again) == [record for record in _content(published) if record or not lost]

    @settings(max_examples=100, deadline=None)
    @given(groups=st.lists(st.frozensets(AWKWARD, min_size=1, max_size=3), max_size=5, unique=True))
    def test_no_two_sets_are_spelt_alike(self, groups: list[frozenset[str]]) -> None:
        spelt = [spell(sorted(group)) for group in groups]
        assert len({*spelt}) == len(groups)
        words = [word(code) for group in groups for code in group]
        assert not any(character.isspace() and character != " " for text in words for character in text)

    @pytest.mark.parametrize(
        ("suffix", "layout"), [(suffix, layout) for suffix, some in FORMATS.items() for layout in some]
    )
    def test_every_kind_of_file_holds_what_it_should(
        self, tmp_path: Path, suffix: str, layout: PublishedLayout
    ) -> None:
        published = PublishedSets.of([["295", ["401.2", "401.4"]], [], ["a b", "ä,", "(x,y)"], ['"', "295"]])
        written = write_published(published, tmp_path / f"data{suffix}", layout, order=Order.KEPT)
        again = read_published(tmp_path / f"data{suffix}", items=published.items)
        lost = int(layout is PublishedLayout.LONG)
        assert written == Written(4 - lost, lost)
        assert _content(again) == [record for record in _content(published) if record or not lost]
        assert (tmp_path / f"data{suffix}").stat().st_mode & 0o777 == 0o644

    def test_the_first_layout_of_a_file_is_taken_when_nothing_is_said(self, tmp_path: Path) -> None:
        write_published(PublishedSets.of([["b", ["a", "c"]], []]), tmp_path / "x.csv", order=Order.KEPT)
        assert (tmp_path / "x.csv").read_text() == 'codes\n"(a,c) b"\n""\n'
        write_published(PublishedSets.of([["b"], []]), tmp_path / "x.jsonl", order=Order.KEPT)
        assert (tmp_path / "x.jsonl").read_text() == '{"codes": ["b"]}\n{"codes": []}\n'
        write_published(PublishedSets.of([["b"], []]), tmp_path / "x.parquet", order=Order.KEPT)
        assert pq.read_table(tmp_path / "x.parquet").to_pylist() == [{"codes": ["b"]}, {"codes": []}]


class TestOrder:
    def test_records_are_shuffled_unless_kept(self, tmp_path: Path) -> None:
        published = PublishedSets.of([[str(number)] for number in range(200)])
        kept = published_table(published, "cells", order=Order.KEPT)["codes"].to_pylist()
        shuffled = published_table(published, "cells")["codes"].to_pylist()
        assert kept == [str(number) for number in range(200)]
        assert shuffled != kept
        assert sorted(shuffled) == sorted(kept)

    def test_a_test_may_inject_its_generator(self) -> None:
        published = PublishedSets.of([[str(number)] for number in range(50)])
        first, again = (published_table(published, "lists", random=SeededRandom(1)) for _ in range(2))
        assert first.equals(again)

    def test_items_stand_in_the_order_of_their_texts(self) -> None:
        items = Items.of_groups(["a", "b", "c"], [[2], [0], [1]])
        published = PublishedSets(items, np.array([0, 3]), np.array([0, 1, 2], np.int32))
        assert published_table(published, "cells")["codes"].to_pylist() == ["a b c"]

    def test_record_numbers_of_long_tables_have_no_gaps(self) -> None:
        published = PublishedSets.of([["a"], [], ["b", "c"], []])
        numbers = published_table(published, "long")["record"].to_pylist()
        assert sorted({*numbers}) == [1, 2]


class TestBadFiles:
    @pytest.mark.parametrize(
        "cell", ["(zz", '"zz', '"zz"y', "zz(y", '("zz)', "(zz y)", "()", "(zz,)", '"\\x"', 'zz "y" (x']
    )
    def test_a_misspelt_cell_is_refused_without_its_text(self, cell: str) -> None:
        with pytest.raises(BadInput, match=r"record 2.*spelt") as refused:
            read_published(pa.table({"codes": ["ok", cell]}), "cells")
        assert cell not in str(refused.value)

    def test_items_that_are_not_declared_are_counted(self) -> None:
        data = pa.table({"codes": [["a"], ["secret", "b"]]})
        with pytest.raises(BadInput, match="record 2: 2 items are not among") as refused:
            read_published(data, "lists", {"a": ["a"]})
        assert "secret" not in str(refused.value)

    def test_a_missing_item_is_refused(self) -> None:
        with pytest.raises(BadInput, match="record 1: an item is missing"):
            read_published(pa.table({"codes": [["a", None]]}))

    def test_the_wrong_layout_is_refused(self) -> None:
        with pytest.raises(BadInput, match="not laid out as cells"):
            read_published(pa.table({"codes": [["a"]]}), "cells")
        with pytest.raises(BadInput, match="not laid out as lists"):
            read_published(pa.table({"codes": ["a"]}), "lists")

    def test_files_that_cannot_hold_a_layout_are_refused(self, tmp_path: Path) -> None:
        published = PublishedSets.of([["a"]])
        with pytest.raises(BadInput, match="cannot hold the layout 'lists'"):
            write_published(published, tmp_path / "x.csv", "lists")
        with pytest.raises(BadInput, match="this kind of file"):
            write_published(published, tmp_path / "x.xlsx")
        with pytest.raises(BadInput, match="there is no layout 'list'; did you mean 'lists'"):
            write_published(published, tmp_path / "x.jsonl", "list")
        assert not list(tmp_path.iterdir())


class TestItems:
    def test_a_label_of_the_schema_stands_for_its_codes(self) -> None:
        spec = {"401": ["401.1", "401.9"], "295": ["295"]}
        again = read_published(pa.table({"codes": ["401 295", "295"]}), "cells", spec)
        assert _groups(again, 0) == {frozenset({"401.1", "401.9"}), frozenset({"295"})}

    def test_sizes_totals_and_sensitive_codes_are_kept(self) -> None:
        items = items_of({"401": ["401.1"], "042": ["042"]}, sizes={"401": 5}, total=99, sensitive=["042"])
        assert (items.labels, items.sizes.tolist(), items.total) == (("042", "401"), [1, 5], 99)
        assert items.sensitive.tolist() == [True, False]

    def test_of_items_that_print_alike_the_set_has_a_star(self) -> None:
        again = read_published(pa.table({"codes": ['"(a,b)" (a,b)']}), "cells")
        assert set(again.record(0)) == {"(a,b)", "(a,b)*"}
        assert _groups(again, 0) == {frozenset({"(a,b)"}), frozenset({"a", "b"})}

    def test_large_record_numbers_stay_in_their_order(self) -> None:
        data = pa.table({"record": [10, 9, 10], "codes": ["b", "a", "c"]})
        assert _content(read_published(data)) == [frozenset({"a"}), frozenset({"b", "c"})]
