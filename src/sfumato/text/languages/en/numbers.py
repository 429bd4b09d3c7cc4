"""Numbers and codes in English notes that point at a person: by the words beside them, and by their form.

Social security numbers follow the rules of 20 CFR 422.103 where nothing announces them; announced, any nine
digits and the last four count. Everything else is an identifier because of its label (``Acct: 7260303760``),
its form (``SH-02-22222``, ``CEU198768573``), its check digit (DEA, NPI), or for being a run of six or more
digits that no unit, laboratory word or code system claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.patterns.checks import drug_registration, provider_number, social_security
from sfumato.text.detectors.patterns.labels import LabelForms, any_label
from sfumato.text.detectors.patterns.machinery import begins_number, compiled, words_after, words_before
from sfumato.text.kinds import Kind
from sfumato.text.languages.en.number_labels import STRONG, WEAK
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL, LIKELY, PROBABLE, SURE, Span

_SIGN = r"(?:\s{0,2}(?:number|numbers|no\b\.?|nos\b\.?|num\b\.?|nbr\b\.?|id\b|code\b|\#))"
_JOINT = rf"""(?P<sign>{_SIGN}{{0,3}}(?:\s{{0,2}}\([a-z]{{1,6}}\))?
    (?:\s{{0,2}}(?:is|was|ending(?:\sin)?|ends\sin)\b)?
    \s{{0,3}}(?P<mark>[:=\#|\t.-]{{0,2}}|\s:)\s{{0,6}}\#?)"""
_VALUE = r"""(?P<v>
    [0-9]{2,4}(?:\s[0-9]{2,4}){1,4}(?![0-9a-z]|[/.:-][0-9])
    |[0-9]{5,9}\s[0-9](?![0-9a-z./:%-])
    |[a-z0-9]{1,24}(?:[-/._:][a-z0-9]{1,16}){0,5}
)"""


def _number_form(labels: tuple[str, ...]) -> re.Pattern[str]:
    return compiled(rf"(?P<label>{any_label(labels)})(?:'?s\b)?(?![a-z0-9]){_JOINT}{_VALUE}")


_STRONG, _WEAK = LabelForms(STRONG, _number_form), LabelForms(WEAK, _number_form)
_SSN = compiled(r"[0-9]{3}(?P<s>\s?[-\u2013.]\s?|\s)[0-9]{2}(?P=s)[0-9]{4}(?![0-9]|[-/.][0-9])")
_SSN_WORDS = listed("ssn ss ssno social soc ssa")
_SSN_SAID = compiled(
    r"""(?:ssn|ss\s?(?:\#|no\b\.?|number)|ssno|soc(?:ial|\.)?\s?sec(?:urity|\.)?|social|ssa)\b
    (?:\s{0,2}(?:account|number|no\b\.?|num\b\.?|\#|id))*
    (?:\s?\(?(?:last\s(?:four|4)(?:\sdigits)?)\)?)?
    (?:\s(?:is|was|ends|ending)(?:\s(?:in|with))?)?\s{0,3}[:=\#|\t]{0,2}\s{0,6}
    (?:[x*\#\u2022]{3}[-\s]?[x*\#\u2022]{2}[-\s]?)?
    (?P<v>[0-9]{3}[-\s.\u2013]{0,3}[0-9]{2}[-\s.\u2013]{0,3}[0-9]{4}|[0-9]{4})(?![0-9])"""
)
_LAST_FOUR = compiled(
    r"last\s(?:four|4)(?:\sdigits)?(?:\sof\s(?:the\s|his\s|her\s|their\s)?(?:ssn|social(?:\ssecurity(?:\snumber)?)?))?\s?(?:is|are|:|\#|of)?\s?(?P<v>[0-9]{4})\b"
)
_CARD_WORDS = listed("visa mastercard amex discover card debit credit acct account checking savings")
_ENDING = compiled(
    r"""(?:visa|mastercard|amex|american\sexpress|discover|card|debit|credit|acct|account|checking|savings)\b\.?
    (?:\s(?:card|account|acct|no\.?|number|\#))?\s?[,:(]?\s?
    (?:ending(?:\s(?:in|with))?|ends\s(?:in|with)|last\s(?:four|4)(?:\sdigits)?|(?:[x*\u2022]{4}[-\s]?){1,3})
    \s?[:\#]?\s?(?P<v>[0-9]{4})(?![0-9])"""
)
_PLATE_WORDS = listed("tag tags plate plates")
_PLATE = compiled(
    r"""(?:tags?|plates?)\b\s?(?:no\b\.?|number|\#|:|is|was){0,2}\s?
    (?P<v>(?=[a-z0-9 -]{0,5}[0-9])[a-z0-9]{1,4}[ -]?[a-z0-9]{2,5})(?![a-z0-9]|[./][0-9])"""
)
_INSURED = re.compile(r"[A-Z]{2}(?P<s>[ .-]?)[0-9]{2}(?P=s)[0-9]{2}(?P=s)[0-9]{2}(?P=s)[A-D](?![A-Za-z0-9])")
"""a National Insurance number of the United Kingdom, written in pairs"""
_VEHICLE_WORDS = listed("registration reg vehicle car truck motorcycle vrm vrn")
_REGISTERED = re.compile(
    r"(?:[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[A-Z]{3}[ -]?(?!19|20)[0-9]{4}|[0-9][A-Z]{3}[0-9]{3})"
    r"(?![A-Za-z0-9]|[-/.][0-9])"
)
"""plates as they are written in Britain and in the United States"""
_MASKED = re.compile(r"[xX*#\u2022]{3}-[xX*#\u2022]{2}-$")
_CASE_FORM = re.compile(
    r"(?:[A-Z]{1,4}-?[0-9]{2}-[0-9]{3,7}|[A-Z]{1,4}-(?:19|20)[0-9]{2}-[0-9]{3,7}|[A-Z]{2,4}-[0-9]{4,9}|[0-9]{2}-?[A-Z]{1,3}-?[0-9]{3,7}|[A-Z]{1,3}[0-9]{2}:[0-9]{3,7})(?:-[0-9A-Z]{1,3})?(?![\w]|-[0-9])"
)
_PLAN_FORM = re.compile(
    r"(?:[A-Z]{2,5}[0-9]{5,14}[A-Z]{0,2}|[A-Z][0-9]{7,14}|[0-9]{6,12}[A-Z]{1,2}[0-9]{0,4})(?![\w]|[-/][0-9])"
)
_JOINED_FORM = re.compile(
    r"(?:[A-Z]{1,4}[0-9]{0,9}|[0-9]{1,9})[A-Z]?(?:[-/.:][A-Z]{0,2}[0-9]{1,9}[A-Z]?){1,4}(?![\w]|[-/.:][0-9A-Za-z])"
)
"""groups of capitals and digits: believed with a letter and six digits in all"""
_MIXED_FORM = re.compile(r"[A-Z0-9]{8,12}(?![\w]|[-/.:][0-9A-Za-z])")
"""capitals and digits that take turns: 7PNUBN2N"""
_DIAGNOSES = re.compile(r"(?:[A-Z][0-9]{2}(?:\.[0-9A-Z]{1,4})?[/-]?){1,5}")
"""codes of diseases: C34.90/E11.65"""
_TURNS = re.compile(r"[A-Z](?=[0-9])|[0-9](?=[A-Z])")
_MEDICARE = re.compile(
    r"[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]-?[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]-?[AC-HJKMNP-RT-Y]{2}[0-9]{2}(?!\w)"
)
_GROUPS = re.compile(r"[0-9]{1,5}(?:-[0-9]{1,8}){1,4}(?![0-9A-Za-z]|[-/.][0-9]|\s?%)")
_CLOCK = re.compile(r"(?:[01][0-9]|2[0-4])[0-5][0-9]")
"""times of day: of the shift 2300-0700 neither points at anybody"""
_RUN = re.compile(r"[0-9]{6,40}(?![0-9A-Za-z]|\s?%|[.,/][0-9])")
_HASHED = re.compile(r"[0-9]{4,5}(?![0-9A-Za-z]|[-/.,][0-9])")
_NOT_IDS = listed(
    "platelet platelets plt wbc rbc count counts copies load cfu cpt icd icd9 icd10 snomed loinc ndc rxnorm "
    "cui hcpcs drg umls mesh code codes vol volume dilution titer units dose pmid doi"
)
_UNITS_AFTER = listed(
    "mg mcg ml cc units unit iu u copies cells cfu per g kg l mm cm k x meq kcal steps dollars usd cu ul "
    "hpf eos ng pg mmol"
)
_PREFIXES_KEPT = re.compile(
    r"(?:HLA|CD|IL|SARS|COVID|BRCA|HPV|PD|CA|TNF|GLP|SGLT|COX|HER|MRSA|NYHA|ICD|CPT|DSM|RFC|ISO|BI|TI|LR|PI|AJCC|PSA|OMIM|NCT)-?[0-9-]*$"
)
_SAYS_PROVIDER = listed("npi provider identifier")


@dataclass(frozen=True)
class Numbers:
    """Proposes social security numbers and all other numbers and codes that identify."""

    name: str = "en.numbers"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at words that announce numbers, and at numbers and codes."""
        text, starts, words = page.text, page.tokens.starts, page.tokens.words
        for table, forms, strong in ((STRONG, _STRONG, True), (WEAK, _WEAK, False)):
            for word in page.places.keys() & forms.words:
                for place in page.places[word]:
                    yield from self._labelled(text, starts[place], forms.of(word), table, strong)
        for word in page.places.keys() & _SSN_WORDS:
            for place in page.places[word]:
                found = _SSN_SAID.match(text, starts[place])
                if found is not None:
                    yield Span(*found.span("v"), Kind.SSN, "", SURE, self.name)
        for place in page.places.get("last", ()):
            found = _LAST_FOUR.match(text, starts[place])
            if found is not None:
                yield Span(*found.span("v"), Kind.SSN, "", PROBABLE, self.name)
        for word in page.places.keys() & _CARD_WORDS:
            for place in page.places[word]:
                found = _ENDING.match(text, starts[place])
                if found is not None:
                    yield self._span(*found.span("v"), "card", LIKELY)
        for word in page.places.keys() & _PLATE_WORDS:
            for place in page.places[word]:
                found = _PLATE.match(text, starts[place])
                if found is not None and _is_plate(found["v"]):
                    yield self._span(*found.span("v"), "vehicle", PROBABLE)
        for word in page.places.keys() & _VEHICLE_WORDS:
            for place in page.places[word]:
                yield from self._registered(page, place)
        for place in page.numbers:
            yield from self._at_number(text, starts[place])
        for place, word in enumerate(words):
            if word[0].isupper() and (len(word) < 5 or not word.isalpha()):
                yield from self._coded(text, starts[place], word)

    def _span(self, start: int, end: int, label: str, certainty: float) -> Span:
        return Span(start, end, Kind.ID, label, certainty, self.name)

    def _labelled(
        self, text: str, start: int, form: re.Pattern[str], table: dict[str, str], strong: bool
    ) -> Iterator[Span]:
        found = form.match(text, start)
        if found is None or (start and text[start - 1] in "@/_"):
            return
        value, sign = found["v"], found["sign"]
        first, end = found.span("v")
        if end < len(text) and text[end].isalnum():
            return
        if value[-1] in "._-/":
            end, value = end - 1, value[:-1]
        digits = sum(letter.isdigit() for letter in value)
        if "\n" in sign and ":" not in sign:
            return
        label = table.get(" ".join(found["label"].lower().replace("\u2019", "'").split()), "other")
        if not _is_code(value, digits, strong, bool(found["mark"]) or _signed(sign)):
            return
        if _measured(text, start, end, value):
            return
        sure = strong and (found["mark"] or _signed(sign) or digits > 4)
        yield self._span(first, end, label, SURE if sure else LIKELY)

    def _at_number(self, text: str, start: int) -> Iterator[Span]:
        if _MASKED.search(text[max(0, start - 7) : start]) and re.match(
            r"[0-9]{4}\b", text[start : start + 5]
        ):
            yield Span(start, start + 4, Kind.SSN, "", LIKELY, self.name)
            return
        if not begins_number(text, start):
            return
        found = _SSN.match(text, start)
        if found is not None:
            fits = social_security(re.sub(r"\D", "", found.group()))
            certainty = (LIKELY if fits else 0.8) if "-" in found["s"] else (PROBABLE if fits else DOUBTFUL)
            yield Span(start, found.end(), Kind.SSN, "", certainty, self.name)
            return
        for form, label in ((_CASE_FORM, "accession"), (_MEDICARE, "plan"), (_PLAN_FORM, "other")):
            found = form.match(text, start)
            if found is not None:
                yield self._span(start, found.end(), label, PROBABLE)
                return
        yield from self._joined(text, start)
        yield from self._bare(text, start)

    def _bare(self, text: str, start: int) -> Iterator[Span]:
        found = _HASHED.match(text, start)
        if found is not None and text[max(0, start - 2) : start].rstrip().endswith("#"):
            yield self._span(start, found.end(), "other", 0.6)
            return
        found = _RUN.match(text, start)
        if found is not None:
            digits = found.group()
            if _claimed(text, start, found.end()):
                return
            if len(digits) == 10 and provider_number(digits):
                said = _SAYS_PROVIDER.intersection(words_before(text, start, 2))
                yield self._span(start, found.end(), "licence", SURE if said else LIKELY)
            else:
                yield self._span(start, found.end(), "other", PROBABLE if len(digits) > 6 else 0.6)
            return
        found = _GROUPS.match(text, start)
        if found is not None:
            parts = found.group().split("-")
            digits = "".join(parts)
            if len(digits) < 6 or _claimed(text, start, found.end()) or all(map(_CLOCK.fullmatch, parts)):
                return
            if len(parts) == 2:
                ordered = int(parts[0]) < int(parts[1]) and len(parts[0]) in (
                    len(parts[1]),
                    len(parts[1]) - 1,
                )
                yield self._span(start, found.end(), "other", 0.3 if ordered else 0.55)
            else:
                yield self._span(start, found.end(), "other", PROBABLE)

    def _registered(self, page: Page, place: int) -> Iterator[Span]:
        """Propose a plate among the words behind a vehicle: ``registration of his car: AB12 CDE``."""
        text, tokens = page.text, page.tokens
        for at in range(place + 1, min(place + 8, len(tokens))):
            start = tokens.starts[at]
            if "\n" in text[tokens.ends[at - 1] : start] or tokens.words[at] in (".", ";"):
                return
            found = _REGISTERED.match(text, start) if tokens.words[at][0].isalnum() else None
            if found is not None and not _PREFIXES_KEPT.match(found.group()):
                yield self._span(start, found.end(), "vehicle", LIKELY)
                return

    def _coded(self, text: str, start: int, word: str) -> Iterator[Span]:
        if start and text[start - 1] in "-/_.@" and start > 1 and text[start - 2].isalnum():
            return
        found = _INSURED.match(text, start)
        if found is not None:
            yield self._span(start, found.end(), "national", LIKELY)
            return
        found = _PLAN_FORM.match(text, start)
        if found is not None:
            if not _PREFIXES_KEPT.match(found.group()):
                sure = drug_registration(found.group())
                yield self._span(start, found.end(), "licence" if sure else "other", LIKELY)
            return
        found = _CASE_FORM.match(text, start)
        if found is not None and not _PREFIXES_KEPT.match(found.group()):
            yield self._span(
                start, found.end(), "accession", LIKELY if found.group().count("-") > 1 else PROBABLE
            )
            return
        yield from self._joined(text, start)

    def _joined(self, text: str, start: int) -> Iterator[Span]:
        """Propose codes that no form of ours knows, for how capitals and digits stand in them."""
        found = _JOINED_FORM.match(text, start) or _MIXED_FORM.match(text, start)
        if found is None or _PREFIXES_KEPT.match(found.group()) or _claimed(text, start, found.end()):
            return
        shown = found.group()
        if _DIAGNOSES.fullmatch(shown):
            return
        digits = sum(letter.isdigit() for letter in shown)
        letters = sum(letter.isalpha() for letter in shown)
        if found.re is _MIXED_FORM:
            believed = digits > 1 and letters > 2 and len(_TURNS.findall(shown)) > 2
        else:
            believed = digits > 5 and letters > 0
        if believed:
            yield self._span(start, found.end(), "other", PROBABLE)


def _signed(sign: str) -> bool:
    """Say whether a number is announced: by #, No., number, ID or a word such as "is"."""
    return re.search(r"#|\b(?:no|number|num|nbr|id|ending|ends)\b", sign, re.IGNORECASE) is not None


def _is_plate(value: str) -> bool:
    """Say whether letters and digits are those of a number plate: QHG 5546, 7ABC123, not "1 cm"."""
    digits = sum(letter.isdigit() for letter in value)
    letters = [letter for letter in value if letter.isalpha()]
    return 5 <= digits + len(letters) <= 8 and digits >= 2 and bool(letters) and "".join(letters).isupper()


def _is_code(value: str, digits: int, strong: bool, signed: bool) -> bool:
    """Say whether a value beside a label can be what the label says."""
    if digits == 0:
        return False
    letters = sum(letter.isalpha() for letter in value)
    if re.match(r"[A-Za-z]+:|[0-9]{1,2}:[0-9]{2}(?!\w)", value):
        return False
    if re.fullmatch(
        r"[0-9]+(?:st|nd|rd|th|s|x|mg|ml|cm|mm|yo|y|d|h|hrs?|days?|weeks?|min)", value, re.IGNORECASE
    ):
        return False
    if re.fullmatch(r"[0-9]{1,2}[/.-][0-9]{1,2}(?:[/.-][0-9]{2,4})?", value) and digits < 7 + signed:
        return False
    if not signed and re.fullmatch(r"(?:19|20)[0-9]{2}", value):
        return False
    if strong:
        return digits >= (2 if signed else 4) and letters <= digits + 6
    return digits >= (4 if signed else 5) and letters <= digits + 3 and (signed or letters > 0 or digits > 5)


def _claimed(text: str, start: int, end: int) -> bool:
    """Say whether a laboratory word, a code system or a unit claims a number."""
    if _NOT_IDS.intersection(words_before(text, start, 2, 24)):
        return True
    after = words_after(text, end, 1)
    return bool(after and after[0] in _UNITS_AFTER and re.match(r"\s?[\w/]", text[end : end + 2]))


def _measured(text: str, start: int, end: int, value: str) -> bool:
    """Say whether a labelled value is an amount after all ("plan 2000 kcal")."""
    after = words_after(text, end, 1)
    amount = value.isdecimal() and bool(after) and after[0] in _UNITS_AFTER
    return amount and re.match(r"\s?\w", text[end : end + 2]) is not None
