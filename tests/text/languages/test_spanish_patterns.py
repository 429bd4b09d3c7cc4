"""What Spanish patterns find by themselves, and what they leave alone."""

from __future__ import annotations

import pytest

from sfumato.text.detectors.contract import Detector
from sfumato.text.finders import NONE, finder_of
from sfumato.text.kinds import Kind
from sfumato.text.language import language_of
from sfumato.text.languages.es.addresses import SpanishAddresses
from sfumato.text.languages.es.ages import SpanishAges
from sfumato.text.languages.es.clinical import SpanishClinical
from sfumato.text.languages.es.dates import SpanishDates
from sfumato.text.languages.es.names import SpanishNames
from sfumato.text.languages.es.numbers import SpanishNumbers, identity_letter_fits
from sfumato.text.languages.es.places import SpanishPlaces
from sfumato.text.note import Record
from sfumato.text.page import Page
from sfumato.text.span import THRESHOLD
from tests.growth import grows_with_the_length

LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def found(detector: Detector, text: str) -> set[str]:
    """Return what a detector holds for certain enough."""
    return {span.of(text) for span in detector.find(Page(text)) if span.certainty >= THRESHOLD}


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("Ingresó el 03/05/2016.", {"03/05/2016"}),
        ("Nacida el 3 de mayo de 1940", {"3 de mayo de 1940"}),
        ("desde el 1º de enero del 2011", {"1º de enero del 2011"}),
        ("intervenido en mayo del 2010 y en Noviembre de 2003", {"mayo del 2010", "Noviembre de 2003"}),
        ("Fecha: 2016-05-03", {"2016-05-03"}),
        ("diagnosticado en el año 2004", {"año 2004"}),
        ("en verano de 2012", {"verano de 2012"}),
        ("fecha de nacimiento: 19/05 /1981", {"19/05 /1981"}),
        ("control el día 12/06", {"12/06"}),
        ("en 2013 y 2014", {"2013", "2014"}),
        ("TA 128/74, glucemia 2000 mg/dl, 30.02.2011 y 12.5.3", set()),
        ("Hospital Universitario 12 de Octubre", set()),
        ("3/10 en la escala, 2 de 3 biopsias", set()),
    ],
)
def test_dates_are_found_as_they_are_written(text: str, dates: set[str]) -> None:
    assert found(SpanishDates(), text) == dates


@pytest.mark.parametrize(
    ("text", "ages"),
    [
        ("Varón de 53 años", {"53 años"}),
        ("Edad: 39 Sexo: H", {"39"}),
        ("lactante de 18 meses", {"18 meses"}),
        ("niña de tres años y medio", {"tres años y medio"}),
        ("mujer de treinta y dos años", {"treinta y dos años"}),
        ("26 días de vida", {"26 días"}),
        ("su madre falleció a los 93 años", {"93 años"}),
        ("vivió noventa y tres años", {"noventa y tres años"}),
        ("desde hace 10 años, 5 años de evolución y control a los 3 meses", set()),
        ("durante 90 años", set()),
    ],
)
def test_ages_are_told_from_durations(text: str, ages: set[str]) -> None:
    assert found(SpanishAges(), text) == ages


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("NHC: 368503.", {"368503"}),
        ("CIPA: nhc-7894132.", {"7894132"}),
        ("NASS: 26 63514095 11.", {"26 63514095 11"}),
        ("Médico: A. B. NºCol: 28 28 70973.", {"28 28 70973"}),
        ("colegiado nº 281234567", {"281234567"}),
        ("con 12345678-Z y X1234567L", {"12345678-Z", "X1234567L"}),
        ("Episodio: 7235678", {"7235678"}),
        ("matrícula 1234 BCD", {"1234 BCD"}),
        ("Tlf: 918038014 / 656352534", {"918038014", "656352534"}),
        ("llamar al 91 336 87 85", {"91 336 87 85"}),
        ("móvil +34 656 352 534", {"+34 656 352 534", "656 352 534"}),
        ("Fax 973-727-223", {"973-727-223"}),
        ("hemoglobina 12,4 g/dl, plaquetas 150000", set()),
        ("historia de 20 años", set()),
        ("12345678A", set()),
    ],
)
def test_numbers_are_found_by_label_or_by_proof(text: str, numbers: set[str]) -> None:
    assert found(SpanishNumbers(), text) == numbers


def test_every_identity_number_has_exactly_one_letter() -> None:
    for number in (0, 1, 22, 23, 12345678, 99999999):
        fitting = [letter for letter in LETTERS if identity_letter_fits(f"{number:08d}{letter}")]
        assert fitting == [LETTERS[number % 23]]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Calle Hermosillo, 23, 2, 1.", {"Calle Hermosillo, 23, 2, 1"}),
        ("C/ Verona, 16, 1 D", {"C/ Verona, 16, 1 D"}),
        ("C/. Bahía de Palma, 4B, 3.º D 28042 Madrid", {"C/. Bahía de Palma, 4B, 3.º D", "28042"}),
        ("Avda. de la Constitución s/n", {"Avda. de la Constitución s/n"}),
        ("Carrer de Joan Maragall, 26 2B", {"Carrer de Joan Maragall, 26 2B"}),
        ("Apartado de Correos 20134", {"Apartado de Correos 20134"}),
        ("CP: 28760.", {"28760"}),
        ("por vía oral 12 días, camino de la mejoría; leucocitos 12400", set()),
    ],
)
def test_addresses_have_their_number_and_door(text: str, places: set[str]) -> None:
    assert found(SpanishAddresses(), text) == places


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("ingresa en el Hospital Virgen del Rocío. Servicio", {"Hospital Virgen del Rocío"}),
        ("Hospital Universitario 12 de Octubre, Madrid", {"Hospital Universitario 12 de Octubre"}),
        ("Centro de Salud Las Calesas", {"Centro de Salud Las Calesas"}),
        ("natural de Albacete", {"Albacete"}),
        ("Localidad/ Provincia: Tres Cantos, Madrid.", {"Tres Cantos", "Madrid"}),
        ("Domicilio: Frexes 121 entre Miró y Lemus.", {"Frexes 121 entre Miró y Lemus"}),
        ("ingresa en el hospital de día por hemorragia", set()),
        ("Unidad de Nutrición Clínica y Dietética", set()),
    ],
)
def test_organisations_and_towns_are_found(text: str, places: set[str]) -> None:
    assert found(SpanishPlaces(), text) == places


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Nombre: Ernesto.\nApellidos: De Miguel Bueno.", {"Ernesto", "De Miguel Bueno"}),
        ("Médico:  Ignacio Navarro Cuéllar NºCol: 28", {"Ignacio Navarro Cuéllar"}),
        ("Remitido por: Mª José Pérez Grueso C/ Mayor 3", {"Mª José Pérez Grueso"}),
        ("la Dra. Marta Medrano San Ildefonso explora", {"Marta Medrano San Ildefonso"}),
        ("Responsable clínico: Pere Sanz-Gallén. E-mail: a@b.es", {"Pere Sanz-Gallén"}),
        ("acude con su hija Carmen", {"Carmen"}),
        ("Fdo. Lucía Ortiz", {"Lucía Ortiz"}),
        ("Informe clínico del paciente: Varón de 75 años", set()),
        ("Informe clínico: Mujer de 30 años", set()),
        ("Se realiza Tomografía Axial con Contraste", set()),
    ],
)
def test_names_are_found_where_something_announces_them(text: str, names: set[str]) -> None:
    assert found(SpanishNames(), text) == names


def test_what_is_named_after_people_in_medicine_stays() -> None:
    text = "enfermedad de Dupuytren, síndrome de Guillain-Barré, sonda de Foley; lo firma el Dr. Foley"
    finder = finder_of("es", NONE)
    assert found(SpanishClinical(), text) == {"Dupuytren", "Guillain-Barré", "Foley"}
    spans = finder.find(Record.of(text)).spans[0]
    assert [(span.start, span.kind) for span in spans] == [(text.rindex("Foley"), Kind.NAME)]


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "1",
        "-",
        " ",
        "A a ",
        "Calle ",
        "C/ A ",
        "1 de ",
        "Dr. ",
        "Hospital de ",
        "12/",
        "NHC: 1 ",
        "de la ",
    ],
)
def test_no_pattern_takes_long_on_any_text(unit: str) -> None:
    for detector in language_of("es").detectors():
        assert grows_with_the_length(lambda text, by=detector: list(by.find(Page(text))), unit), detector.name
