"""ICD codes are recognised however they are written; what is doubtful is counted."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.codes.icd import recognise
from sfumato.codes.reading import Long, read_codes
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput
from sfumato.hierarchy import Icd
from sfumato.hierarchy.icd import icd_table

KEPT_ZERO = "0010"
"""a text that shows that zeros were not lost"""


def _codes(system: str) -> list[str]:
    return sorted(icd_table(system).number)


class TestWriting:
    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("4019", "401.9"),
            ("401.9", "401.9"),
            (" 401.9 ", "401.9"),
            ("E8120", "E812.0"),
            ("e812.0", "E812.0"),
            ("V3000", "V30.00"),
            ("v30 00", "V30.00"),
            ("038.9", "038.9"),
            ("0389", "038.9"),
            ("38.9", "038.9"),
            ("8.45", "008.45"),
            ("401", "401"),
            ("401.", "401"),
        ],
    )
    def test_icd_9_codes_are_written_the_right_way(self, text: str, code: str) -> None:
        assert recognise([text, KEPT_ZERO], "icd9cm").codes[0] == code

    @pytest.mark.parametrize(
        ("text", "code"), [("E119", "E11.9"), ("e11.9", "E11.9"), ("S61331A", "S61.331A"), ("I10", "I10")]
    )
    def test_icd_10_codes_are_written_the_right_way(self, text: str, code: str) -> None:
        assert recognise([text], "icd10cm").codes == (code,)

    @settings(max_examples=200, deadline=None)
    @given(st.data())
    def test_lost_dots_small_letters_and_blanks_change_no_code(self, data: st.DataObject) -> None:
        system = data.draw(st.sampled_from(["icd9cm", "icd10cm"]))
        codes = data.draw(st.lists(st.sampled_from(_codes(system)), min_size=1, max_size=20, unique=True))
        texts = [f" {code.replace('.', '').lower()}" for code in codes]
        found = recognise([*texts, *([KEPT_ZERO] if system == "icd9cm" else [])], system)
        assert list(found.codes[: len(codes)]) == codes
        assert not found.ambiguous
        assert not found.unknown

    def test_unknown_texts_stay_as_they_are(self) -> None:
        found = recognise(["4019", "what", "999999", ""], "icd9cm")
        assert found.codes == ("401.9", "what", "999999", "")
        assert found.unknown == (1, 2, 3)

    def test_other_systems_are_left_alone(self) -> None:
        assert recognise(["4019"], "none").codes == ("4019",)
        with pytest.raises(BadInput, match="there is no code system 'icd9'; did you mean 'icd9cm'"):
            recognise(["4019"], "icd9")


class TestLostZeros:
    def test_one_text_with_a_zero_shows_that_none_were_lost(self) -> None:
        found = recognise(["389", "4019", "0010"], "icd9cm")
        assert found.codes == ("389", "401.9", "001.0")
        assert found.ambiguous == ()

    def test_texts_of_three_digits_are_categories(self) -> None:
        found = recognise(["389", "401", "250"], "icd9cm")
        assert found.codes == ("389", "401", "250")
        assert found.ambiguous == ()

    def test_else_a_code_goes_before_a_category_and_is_counted(self) -> None:
        found = recognise(["389", "4019"], "icd9cm")
        assert found.codes == ("038.9", "401.9")
        assert found.ambiguous == (0,)

    def test_between_two_codes_the_one_as_written_is_taken(self) -> None:
        found = recognise(["311", "4019"], "icd9cm")
        assert found.codes == ("311", "401.9")
        assert found.ambiguous == (0,)

    def test_a_text_with_a_dot_has_one_reading(self) -> None:
        found = recognise(["38.9", "8.45", "401.9"], "icd9cm")
        assert found.codes == ("038.9", "008.45", "401.9")
        assert found.ambiguous == ()

    def test_notes_give_counts_and_never_codes(self) -> None:
        notes = " ".join(recognise(["389", "4019", "what"], "icd9cm").notes())
        assert "1 of 3 distinct codes could be read in more than one way" in notes
        assert "1 of 3 distinct codes are not known" in notes
        assert "389" not in notes
        assert "what" not in notes


class TestReading:
    def test_texts_of_one_code_become_one_code(self) -> None:
        data = pa.table({"who": [1, 1, 2], "code": ["4019", "401.9", "0389"]})
        found = read_codes(data, Long("who", "code"), system="icd9cm")
        assert list(found.sets) == [("401.9",), ("038.9",)]
        assert found.counts.repeated == 1

    @pytest.mark.golden
    def test_the_diagnoses_of_mimic_are_recognised_completely(self, shared: Path) -> None:
        path = shared / "data" / "codes" / "clinical" / "MIMIC3demo_DIAGNOSES_ICD.csv.gz"
        found = read_codes(path, Long("SUBJECT_ID", "ICD9_CODE", "HADM_ID"), system="icd9cm")
        assert found.recognised is not None
        assert (found.recognised.unknown, found.recognised.ambiguous) == ((), ())
        assert found.visits is not None
        assert (len(found.sets), len(found.visits.owner), len(found.sets.domain)) == (100, 129, 581)
        assert found.counts.repeated == 1761 - found.sets.occurrences
        assert CodeTree.of(Icd("icd9cm"), found.sets.domain).leaves == 581

    @pytest.mark.golden
    def test_the_dictionary_of_mimic_is_recognised_completely(self, shared: Path) -> None:
        path = shared / "data" / "codes" / "clinical" / "MIMIC3_D_ICD_DIAGNOSES.csv.gz"
        as_text = pa.csv.ConvertOptions(column_types={"ICD9_CODE": pa.string()})
        texts = pa.csv.read_csv(path, convert_options=as_text)["ICD9_CODE"].to_pylist()
        found = recognise(texts, "icd9cm")
        assert (found.unknown, found.ambiguous) == ((), ())
        assert [code.replace(".", "") for code in found.codes] == texts
