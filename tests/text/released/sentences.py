"""Sentences that name somebody beside what policies keep: a relative, a profession, a state, a country.

Names are of 24 origins. Some are relatives, professions, states, countries or ordinary words as well
(Virginia, Jordan, Cook, Paz): that they are names is said by the sentence alone.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

NAMES = {
    "English": "Harold Edith Virginia Mason|Whitfield Cook Baker Penrose",
    "Irish": "Siobhan Cormac Grace Niall|Gallagher Kinsella O'Dowd Tierney",
    "Scottish": "Fergus Morag Hamish Isla|Abercrombie MacLeod Buchanan Gow",
    "Welsh": "Rhiannon Emrys Cerys Gethin|Prosser Gwilym Bevan Llewellyn",
    "Spanish": "Rocío Ángel Paz Consuelo|Rivera Cuéllar Pineda Bueno",
    "Basque": "Ainhoa Iker Nekane Unai|Etxeberria Goikoetxea Ibarra Zubiri",
    "Portuguese": "Joaquim Graça Inês Tiago|Figueiredo Carvalho Sequeira Pinto",
    "French": "Thibault Odile Gaston Margaux|Lefebvre Beaumont Chevalier Roux",
    "Italian": "Ottavio Fiorella Gennaro Rosa|Respighi Bellucci Mancuso Conti",
    "German": "Brunhilde Jürgen Wolfram Heike|Schumacher Vogel Kessler Weiß",
    "Dutch": "Joost Marijke Sander Femke|Hoekstra Vermeulen Dijkstra Bakker",
    "Swedish": "Torbjörn Ulrika Gunnar Astrid|Lindqvist Bergström Nyberg Sjö",
    "Polish": "Jarek Bogumiła Zbigniew Halina|Nowak Wiśniewski Kowalczyk Zając",
    "Russian": "Dmitri Lyudmila Fyodor Oksana|Sokolov Petrova Morozov Volkova",
    "Greek": "Stavros Eleni Kostas Despina|Papadopoulos Economou Vlahos Kazan",
    "Turkish": "Emre Gülşen Cemal Nazlı|Yıldırım Demirci Öztürk Kaya",
    "Arabic": "Bashir Layla Jordan Nadia|Al-Hakim Haddad Khoury Mansour",
    "Hebrew": "Yael Israel Shlomo Chaya|Rosenblum Ben-Ami Katz Shapira",
    "Persian": "Farrokh Shirin Dariush Parvaneh|Hosseini Tehrani Jalili Ahmadi",
    "Indian": "Arjun Lakshmi India Vikram|Chatterjee Iyer Subramanian Rao",
    "Chinese": "Weiming Xiaoling An Long|Zhao Huang Qiu Ouyang",
    "Japanese": "Haruto Sakura Kenji Midori|Watanabe Fujimoto Okada Mori",
    "Vietnamese": "Linh Thuý Bảo Quang|Nguyễn Trần Phạm Đặng",
    "Nigerian": "Chidi Ngozi Tunde Amara|Okonkwo Adeyemi Okafor Chad",
}
RELATIVES = {
    "en": "daughter son wife husband mother father sister brother aunt uncle niece grandmother cousin",
    "es": "hija hijo esposa marido madre padre hermana hermano tía tío sobrina abuela primo pareja",
}
PROFESSIONS = {
    "en": "nurse teacher carpenter lawyer engineer farmer plumber cook mason baker",
    "es": "enfermera profesor carpintero abogada ingeniero agricultor fontanero cocinera albañil panadera",
}
PLACES = {
    "en": "Texas|Georgia|Virginia|New York|Washington|North Carolina|Ohio|Jordan|Mexico|Spain",
    "es": "España|México|Marruecos|Costa Rica|Chile|Jordania|Israel|Georgia|Francia|Cuba",
}
FORMS = {
    "en": (
        "She came with her {relative} {name}.",
        "Her {relative}, {name}, is the contact.",
        "His {relative} {given} called twice.",
        "{name} ({relative}) was present.",
        "Lives with {relative} {given} in {place}.",
        "Works as a {profession} with {name}.",
        "The {profession} {name} called.",
        "{name}, a retired {profession}, was seen.",
        "Her {relative} {name} is a {profession} in {place}.",
        "Moved from {place} with {name}.",
        "Referred by the {profession}, {name}, of {place}.",
        "{relative}: {name}",
    ),
    "es": (
        "Acudió con su {relative} {name}.",
        "Su {relative}, {name}, es el contacto.",
        "Su {relative} {given} llamó dos veces.",
        "{name} ({relative}) estaba presente.",
        "Vive con su {relative} {given} en {place}.",
        "Trabaja como {profession} con {name}.",
        "Llamó la {profession} {name}.",
        "{name}, {profession} de profesión, fue atendida.",
        "Su {relative} {name} es {profession} en {place}.",
        "Vino de {place} con {name}.",
        "Remitida por {profession}, {name}, de {place}.",
        "{relative}: {name}",
    ),
}
_SYLLABLES = ["ev", "ric", "cal", "van", "mor", "tez", "ul", "bra", "kin", "dor", "sha", "fel", "nim", "qua"]


@dataclass(frozen=True)
class Sentence:
    """A sentence, and where in it the name stands."""

    text: str
    language: str
    start: int
    end: int

    def words(self) -> Iterator[tuple[int, int]]:
        """Yield where each word of the name stands."""
        at = self.start
        for word in self.text[self.start : self.end].split():
            at = self.text.index(word, at)
            yield at, at + len(word)


def sentences(number: int, seed: int = 18, *, invented: float = 0.25) -> Iterator[Sentence]:
    """Yield sentences in turn of both languages and all forms; a share of the names is made up."""
    rng = random.Random(seed)
    origins = itertools.cycle(NAMES.values())
    turns = itertools.cycle([(code, form) for code in FORMS for form in FORMS[code]])
    for (code, form), origin in itertools.islice(zip(turns, origins, strict=False), number):
        given, family = _invented(rng) if rng.random() < invented else _borne(rng, origin)
        written = rng.choice(("{0} {1}", "{0} {1}", "{0}", "{1}")).format(given, family)
        name = given if "{given}" in form else written
        told = {
            "relative": rng.choice(RELATIVES[code].split()),
            "profession": rng.choice(PROFESSIONS[code].split()),
            "place": rng.choice(PLACES[code].split("|")),
        }
        before, _, after = form.replace("{given}", "{name}").partition("{name}")
        start = before.format(**told)
        start = start[:1].upper() + start[1:] if before.endswith(": ") else start
        yield Sentence(start + name + after.format(**told), code, len(start), len(start) + len(name))


def _borne(rng: random.Random, origin: str) -> tuple[str, str]:
    given, family = origin.split("|")
    return rng.choice(given.split()), rng.choice(family.split())


def _invented(rng: random.Random) -> tuple[str, str]:
    def word() -> str:
        return "".join(rng.choices(_SYLLABLES, k=rng.choice((2, 2, 3)))).capitalize()

    return word(), word()
