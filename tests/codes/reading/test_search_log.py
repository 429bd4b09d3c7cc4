"""Search logs become words and places; what names somebody is removed first."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from sfumato.codes.reading import SearchLog, read_codes
from sfumato.codes.reading.search_log import address_items, query_items
from sfumato.core.errors import BadInput
from sfumato.demo._searches import generate_searches
from sfumato.demo.hospital import generate

NUMBERS = "telephone, card and other long numbers"
HARMLESS = {"mail", "refund", "calls", "born", "account", "card", "router", "reset", "dentist", "hello"}


class TestQueries:
    @pytest.mark.parametrize(
        ("query", "words"),
        [
            ("Landscapers in Lilburn, GA", ["landscapers", "lilburn", "ga"]),
            ("how to cook a TURKEY?", ["cook", "turkey"]),
            ("mother's day 2024", ["mother", "day", "2024"]),
            ("größe_und gewicht", ["grösse", "und", "gewicht"]),
            ("windows 95 vs 98", ["windows", "95", "vs", "98"]),
            ("deadbeef feedback", ["deadbeef", "feedback"]),
            ("-", []),
        ],
    )
    def test_words_are_small_without_stop_words(self, query: str, words: list[str]) -> None:
        assert query_items(query) == (words, {})

    @pytest.mark.parametrize(
        ("query", "kind"),
        [
            ("mail mary.jones@example.org", "e-mail addresses"),
            ("mail mary at example dot org", "e-mail addresses"),
            ("refund 123-45-6789", "social security numbers"),
            ("refund 123 45 6789", "social security numbers"),
            ("who calls 555-867-5309", NUMBERS),
            ("who calls +49 (0)89 1234567", NUMBERS),
            ("born 03/04/1971", "dates"),
            ("born 1971-04-03", "dates"),
            ("account 00123456", NUMBERS),
            ("card 4111 1111 1111 1111", NUMBERS),
            ("card 4111-1111-1111-1111", NUMBERS),
            ("router 192.168.1.17", "network addresses"),
            ("reset 9f86d081884c7d65", "tokens"),
            ("reset 550e8400-e29b-41d4-a716-446655440000", "tokens"),
            ("who is @mary_jones", "handles"),
            ("dentist dr. jones", "announced names"),
            ("hello my name is mary jones", "announced names"),
        ],
    )
    def test_what_has_the_form_of_an_identifier_is_removed_and_counted(self, query: str, kind: str) -> None:
        words, removed = query_items(query)
        assert removed == {kind: 1}
        assert {*words} <= HARMLESS


class TestAddresses:
    def test_the_host_and_the_words_of_the_path_are_items(self) -> None:
        items, removed = address_items("https://WWW.Clinic.org:8080/health/hand%2Dtremors.html")
        assert (items, removed) == (["clinic.org", "health", "hand", "tremors"], {})

    @pytest.mark.parametrize(
        ("address", "items", "kind"),
        [
            ("http://a.org/x?user=mary&sid=77", ["a.org"], "query parts of addresses"),
            ("http://a.org/asthma;jsessionid=AB12", ["a.org", "asthma"], "query parts of addresses"),
            ("http://a.org/asthma#mary", ["a.org", "asthma"], "query parts of addresses"),
            ("ftp://mary:secret@a.org/asthma", ["a.org", "asthma"], "users of addresses"),
            ("http://a.org/users/maryjones/asthma", ["a.org", "asthma"], "owners of pages"),
            ("http://a.org/~maryjones/asthma", ["a.org", "asthma"], "handles"),
            ("http://a.org/s/9f86d081884c7d65/asthma", ["a.org", "asthma"], "tokens"),
            ("http://10.0.0.1/asthma", ["asthma"], "network addresses"),
        ],
    )
    def test_names_and_tokens_inside_addresses_are_removed(
        self, address: str, items: list[str], kind: str
    ) -> None:
        assert address_items(address) == (items, {kind: 1})


class TestLogs:
    def test_a_log_in_the_form_of_aol_becomes_one_set_for_each_searcher(self) -> None:
        log = pa.table(
            {
                "AnonID": [7, 7, 3, 5],
                "Query": ["dry mouth", "dry cleaner", "numb fingers 123-45-6789", None],
                "QueryTime": ["2006-03-01"] * 4,
                "ItemRank": [1, None, 2, None],
                "ClickURL": ["http://www.teeth.org/mouth", None, "http://nerves.org/?q=mary", None],
            }
        )
        found = read_codes(log, SearchLog())
        assert [set(record) for record in found.sets] == [
            {"numb", "fingers", "nerves.org"},
            set(),
            {"dry", "mouth", "cleaner", "teeth.org"},
        ]
        assert "social security numbers removed: 1" in found.notes
        assert "query parts of addresses removed: 1" in found.notes
        assert any("names that stand for themselves are not found" in note for note in found.notes)

    def test_removals_are_counted_by_row(self) -> None:
        log = pa.table({"AnonID": [1, 2, 2], "Query": ["a@b.org"] * 3})
        assert "e-mail addresses removed: 3" in read_codes(log, SearchLog()).notes

    def test_addresses_alone_will_do(self) -> None:
        log = pa.table({"who": [1], "url": ["http://a.org/x1/yy"]})
        assert list(read_codes(log, SearchLog("who", None, "url")).sets) == [("a.org", "x1", "yy")]

    def test_a_log_without_queries_or_addresses_is_refused(self) -> None:
        with pytest.raises(BadInput, match="needs a column"):
            SearchLog(query=None, url=None)
        with pytest.raises(BadInput, match="there is no column 'Query'"):
            read_codes(pa.table({"AnonID": [1], "words": ["x"]}), SearchLog())

    def test_the_searches_of_the_demo_are_read(self, tmp_path: Path) -> None:
        generate(tmp_path, 300, 7)
        made = generate_searches(tmp_path / "voters.csv", tmp_path, people=40)
        found = read_codes(made.log, SearchLog("searcher", "query", None))
        assert found.counts.records == 40
        assert found.counts.distinct > 50
        assert not any(word in {"the", "of", "in"} for word in found.sets.domain)
