"""A Spanish note from end to end: found, replaced, dates moved, everything else byte for byte."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.app import app
from sfumato.masking.contract import Scope, Secrets
from sfumato.masking.keys import KeySource
from sfumato.text.dates import read_date, write_date
from sfumato.text.finders import finder_of
from sfumato.text.kinds import Kind
from sfumato.text.languages.es.calendar import CALENDAR, HOLIDAYS, MONTHS
from sfumato.text.languages.es.known import Checked
from sfumato.text.note import Found, Record
from sfumato.text.page import Page
from sfumato.text.policy import text_policy_named
from sfumato.text.replace.ages import age_of
from sfumato.text.replace.apply import applied
from sfumato.text.replace.surrogates import Surrogates
from sfumato.text.replace.tags import Tags
from sfumato.text.span import DOUBTFUL, Span
from sfumato.text.word_list import word_list

NOTE = """Nombre: Ernesto.
Apellidos: Rivera Bueno.
NHC: 368503. DNI: 12345678Z
Domicilio: Calle Miguel Benítez 90, 2º dcha.
Localidad/Provincia: Toledo. CP: 45003.
Fecha de nacimiento: 03/03/1946. Edad: 70 años. Sexo: H.
Médico: Ignacio Navarro Cuéllar NºCol: 28 28 70973.
Paciente de 70 años con enfermedad de Dupuytren. Su madre falleció a los noventa y tres años.
En marzo de 2016 ingresó en el Hospital Virgen del Prado; alta el 20 de diciembre de 2016.
El Sr. Rivera acude con su hija Carmen. TA 128/74, glucemia 169 mg/dl.
Tel. 918 038 014, e-mail: nnavcu@hotmail.com.
"""
FINDER = finder_of("es")
IDENTIFYING = (
    *("Ernesto", "Rivera", "Bueno", "368503", "12345678Z", "Benítez", "90, 2", "Toledo", "45003"),
    *("450", "03/03/1946", "Navarro", "Cuéllar", "70973", "noventa", "Virgen del Prado", "diciembre"),
    *("Carmen", "918 038 014", "nnavcu"),
)
STAYS = (
    "Paciente de 70 años con enfermedad de Dupuytren. Su madre falleció a los",
    "TA 128/74, glucemia 169 mg/dl.",
    "Sexo: H.",
    "acude con su hija",
)


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("key") / "house.key"
    path.write_text("7c" * 32)
    return path


def test_tags_replace_what_identifies_and_leave_the_rest() -> None:
    scrubbed = sf.scrub(NOTE, language="es")
    assert not [value for value in IDENTIFYING if value in scrubbed]
    assert all(value in scrubbed for value in STAYS)
    assert "**AGE[over 89] años" in scrubbed
    assert "**DATE[2016]" in scrubbed
    assert sf.scrub(scrubbed, language="es") == scrubbed


def test_surrogates_are_spanish_and_dates_keep_their_intervals(key: Path) -> None:
    written = sf.scrub(
        NOTE, language="es", replace="surrogates", policy="shifted-dates", key=key, recipient="r", purpose="p"
    )
    assert not [value for value in IDENTIFYING if value in written and value not in ("diciembre", "450")]
    assert all(value in written for value in STAYS)
    assert re.search(r"Domicilio: (?:Calle|Avenida|Plaza|Paseo|Camino|Ronda|Travesía|Carretera) ", written)
    born = re.search(r"nacimiento: (\d\d/\d\d/\d{4})", written)
    left = re.search(rf"alta el (\d+ de (?:{'|'.join(names[0] for names in MONTHS)}) de \d{{4}})", written)
    assert born is not None
    assert left is not None
    first, last = read_date(born[1], "es"), read_date(left[1], "es")
    assert first is not None
    assert last is not None
    start, end = first.standing_for(), last.standing_for()
    assert start is not None
    assert end is not None
    assert end - start == date(2016, 12, 20) - date(1946, 3, 3)
    assert start != date(1946, 3, 3)


def test_the_command_scrubs_spanish(tmp_path: Path) -> None:
    file = tmp_path / "nota.txt"
    file.write_text(NOTE, encoding="utf-8")
    outcome = CliRunner().invoke(app, ["text", "scrub", "--language", "es", str(file)])
    assert outcome.exit_code == 0
    assert outcome.stdout == sf.scrub(NOTE, language="es")


def test_no_part_of_a_spanish_postal_code_is_shown() -> None:
    """Which three digits may be shown is known for the United States alone."""
    text = "CP 37064 Salamanca"
    found = Found(Record.of(text), ((Span(3, 8, Kind.LOCATION, "zip"),),))
    english, spanish = (
        applied(text, Tags(language=code).changes(found, Secrets())[0])[0] for code in ("en", "es")
    )
    assert "370" in english or "ZIP" in english
    assert "37" not in spanish


def test_what_policies_keep_must_be_known() -> None:
    """A model that takes a name for a country, a sex or a relative does not let it stay."""
    told = {
        "Marruecos": (Kind.LOCATION, "country"),
        "Costa Rica": (Kind.LOCATION, "country"),
        "esposa marta": (Kind.LOCATION, "country"),
        "varón": (Kind.SEX, ""),
        "Carmen": (Kind.SEX, ""),
        "abuela materna": (Kind.OTHER, "kinship"),
        "madre Teresa": (Kind.OTHER, "kinship"),
        "enfermera": (Kind.PROFESSION, ""),
        "Rivera": (Kind.PROFESSION, ""),
    }
    policy = text_policy_named("safe-harbor")
    checked = Checked(finder_of("es", "none").detectors[0], word_list("es"))
    kept = {
        text
        for text, (kind, label) in told.items()
        if policy.keeps(checked.checked(Span(0, len(text), kind, label), text))
    }
    assert kept == {"Marruecos", "Costa Rica", "varón", "abuela materna", "enfermera"}


def test_ordinary_words_in_small_letters_are_doubtful_places() -> None:
    checked = Checked(FINDER.detectors[0], word_list("es"))
    told = {
        text: checked.checked(Span(0, len(text), Kind.LOCATION, "city", 0.93), text).certainty
        for text in ("profesora", "toledo", "F", "calle larga 3")
    }
    assert told == {"profesora": DOUBTFUL, "toledo": 0.93, "F": DOUBTFUL, "calle larga 3": 0.93}


def test_a_date_that_the_model_cuts_is_one() -> None:
    class Cuts:
        name = "learned"

        def find(self, page: Page) -> list[Span]:
            return [Span(8, 13, Kind.DATE, "", 0.8), Span(14, 31, Kind.DATE, "", 0.9)]

    text = "Alta el 20 de diciembre de 2016"
    assert {span.of(text) for span in Checked(Cuts(), word_list("es")).find(Page(text))} == {text[8:]}


@pytest.mark.parametrize(
    ("written", "years"),
    [("93 años", 93), ("noventa y tres años", 93), ("siete años", 7), ("18 meses", 1), ("cien años", 100),
     ("veintidós años", 22), ("treinta y un años", 31)],
)  # fmt: skip
def test_spanish_ages_are_read(written: str, years: int) -> None:
    assert age_of(written) == years


@given(
    st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    st.integers(-400, 400),
    st.sampled_from(
        ("{0:02d}/{1:02d}/{2}", "{0} de {3} de {2}", "{0}-{1}-{2}", "{0} {3} {2}", "{0} de {4} del {2}")
    ),
)
def test_a_spanish_date_is_read_and_written_in_its_form(day: date, shift: int, form: str) -> None:
    # 10/11/2000 does not say whether other days of that month are written as 09 or as 9.
    assume("02d" not in form or min(day.day, day.month) < 10)

    def spelt(one: date) -> str:
        names = MONTHS[one.month - 1]
        return form.format(one.day, one.month, one.year, names[0], names[0].capitalize())

    read = read_date(spelt(day), CALENDAR)
    assert read is not None
    assert read.standing_for() == day
    assert write_date(read, day + timedelta(days=shift)) == spelt(day + timedelta(days=shift))


def test_holidays_fall_on_their_days() -> None:
    assert HOLIDAYS["viernes santo"](2016) == (3, 25)
    assert HOLIDAYS["domingo de ramos"](None) == (4, None)
    read = read_date("Nochebuena de 2014", CALENDAR)
    assert read is not None
    assert read.standing_for() == date(2014, 12, 24)


@given(st.text(st.sampled_from("aáñ1 .,:/\n-ºC"), max_size=60), st.sampled_from(NOTE.splitlines()))
def test_text_outside_what_was_found_is_unchanged(around: str, line: str) -> None:
    text = f"{around}\n{line}\n{around}"
    spans = FINDER.find(Record.of(text)).spans[0]
    changed = applied(text, Tags(language="es").changes(Found(Record.of(text), (spans,)), Secrets())[0])[0]
    pieces, last = [], 0
    for span in spans:
        pieces.append(re.escape(text[last : span.start]))
        last = span.end
    pieces.append(re.escape(text[last:]))
    assert re.fullmatch(r"[\s\S]*?".join(pieces), changed)


def test_a_page_without_words_has_nothing() -> None:
    for detector in FINDER.detectors:
        assert list(detector.find(Page(""))) == list(detector.find(Page(" \n\t "))) == []


def test_surrogates_of_two_notes_of_a_person_agree(key: Path) -> None:
    secrets = Secrets(KeySource(file=key), Scope("r", "p"))
    record = Record.of("Dra. Lucía Ortiz Vega.", "Vista por la Dra. Ortiz Vega.", person="7")
    found = finder_of("es", "none").find(record)
    one, two = (
        applied(note.text, changes)[0]
        for note, changes in zip(record.notes, Surrogates(language="es").changes(found, secrets), strict=True)
    )
    assert one.split()[2:] == two.split()[4:]
    assert "Ortiz" not in one + two
