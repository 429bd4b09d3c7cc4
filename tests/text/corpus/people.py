"""Names of people from all over the world: common, rare, ambiguous, and some that stand in no list."""

from __future__ import annotations

import random
from dataclasses import dataclass

WOMEN = (
    "Mary Patricia Linda Susan Karen Nancy Donna Ruth Sharon Deborah Shirley Amanda Melissa Brenda Amy Ashley "
    "Latoya Keisha Shanice Tamika Ebony Guadalupe Xiomara Yesenia Marisol Itzel Graciela Rocío Ximena Inés "
    "Aoife Siobhán Niamh Gráinne Ffion Eilidh Björk Sigríður Astrid Ingeborg Maj-Britt Käthe Jürgine Anneliese "
    "Françoise Geneviève Maëlle Océane Giulia Ornella Fiammetta Małgorzata Bożena Agnieszka Jadwiga Světlana "
    "Olena Oksana Lyudmila Nadezhda Ioana Ștefania Zsófia Ildikó Eleni Despina Ayşe Gülşen Elif Fatemeh Shirin "
    "Parisa Noor Aaliyah Khadija Zainab Rania Yael Shoshana Tzipora Ngozi Chiamaka Adaeze Funmilayo Abena "
    "Akosua Wanjiku Nomvula Thandiwe Makena Lakshmi Priyanka Deepika Sunita Harpreet Gurleen Nasreen Thuy Ngọc "
    "Hằng Mei-Ling Xiaoyan Yuki Haruka Sakura Ji-woo Soo-Jin Leilani Moana Kalea Aroha Tallulah Aponi"
).split()
MEN = (
    "James Robert John David William Richard Thomas Charles Daniel Kenneth Kevin Brian Ronald Gary Larry "
    "Jerome Tyrone DeShawn Jamal Darnell Terrell Jesús Ángel Gonzalo Efraín Ezequiel Íñigo Joaquín Baltasar "
    "Cillian Pádraig Tadhg Eoin Gethin Rhodri Lachlan Þór Leif Søren Torbjörn Jørgen Günther Wolfgang Horst "
    "Thibault Loïc Gaëtan Étienne Luca Gianfranco Ottavio Wojciech Grzegorz Zbigniew Mirosław Václav Bohuslav "
    "Oleksandr Volodymyr Dmitri Yevgeny Radu Bogdan László Gergő Stavros Panagiotis Mehmet Oğuz Cem Reza "
    "Farhad Behrouz Omar Abdulrahman Youssef Tariq Hassan Moshe Eitan Chaim Chukwuemeka Oluwaseun Kwabena "
    "Kofi Mwangi Sipho Themba Tendai Rajesh Venkatesh Suresh Manpreet Jaswinder Imran Quang Đức Minh Wei "
    "Jianguo Zhiyong Kenji Hiroshi Takumi Min-jun Dong-hyun Kamaka Keoni Wiremu Tane Dakota Nahuel"
).split()
FAMILIES = (
    "Smith Johnson Williams Brown Miller Davis Anderson Thompson Moore Jackson Harris Robinson Washington "
    "Jefferson Okafor Nwosu Adeyemi Olatunji Mensah Asante Kamau Odhiambo Ndlovu Mkhize Chikwanda Traoré "
    "Diallo Ouédraogo Garcia Hernández Gutiérrez Villanueva Echeverría Zúñiga Quispe Mamani Ñáñez Peñaloza "
    "Figueiredo Guimarães da_Silva van_der_Berg de_la_Cruz Von_Trapp O'Sullivan O’Shaughnessy McAllister "
    "MacGregor FitzGerald St._Clair D'Angelo Dell'Acqua Al-Masri el-Haddad Ben-David Abu_Bakr "
    "Jónsdóttir Þorvaldsson Lindqvist Østergaard Bjørnstad Håkansson Kowalczyk Wiśniewska Szczepański "
    "Brzezińska Dvořák Novotná Horváth Szabó Popescu Ionescu Ţepeş Papadopoulos Hatzidakis Yıldırım Öztürk "
    "Çelik Hosseini Rahmani Khoury Nasrallah Haddad Goldstein Rosenzweig Finkelstein Patel Krishnamurthy "
    "Venkataraman Subramanian Chatterjee Gill Dhaliwal Siddiqui Chowdhury Nguyễn Phạm Huỳnh Đoàn Zhang Huang "
    "Ouyang Xu Ng Ho Wu Li Takahashi Watanabe Fujimoto Ishikawa Kim Park Choi Bae Kealoha Kahananui Ngata "
    "Müller Schäfer Großmann Weißenberger Zimmermann Lefèvre Beaulieu Desrosiers Thériault Marchetti "
    "Quattrocchi Bianchi Esposito Shevchenko Kovalenko Ivanova Sokolov Petrosyan Gelashvili Rasmussen Vuković "
    "Blažević Kovačević Jankauskas Ozoliņš Virtanen Mäkinen"
)
AMBIGUOUS_GIVEN = (
    "Will Rose May Hope Grace Faith Mark Art Bill Drew Dale Pat Summer Autumn Ivy Olive Ray Guy".split()
)
AMBIGUOUS_FAMILY = (
    "Lane Parkinson Foley White Green Black Young Long Short Price Wood Stone Banks Church Hill Field Rivers "
    "Cook Baker Bishop King Knight Page Pope Best Day Hodgkin Crohn Graves Down Cushing Bell Babinski Murphy "
    "March August Fall Winter Love Strong Wise Read Bond Sharp Payne Hand Head Chin Temple Downs Major Sargent"
).split()
_FIRST = (
    "Bra Cel Dro Fen Gal Hes Jov Kel Lun Mar Nor Ost Pir Quil Rav Sel Tam Urs Vel Wex Yar Zim Ash Tol".split()
)
_MIDDLE = "a e i o u an er il on ar".split()
_LAST = "beck din dorf gren hask jak kova lund mond neth quist rick sby tane vane wick xley zar ström szky".split()

FAMILY_NAMES = tuple(name.replace("_", " ") for name in FAMILIES.split())


@dataclass(frozen=True)
class Person:
    """Somebody who does not exist."""

    first: str
    last: str
    middle: str
    female: bool

    @property
    def full(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def initials(self) -> str:
        return self.first[0].upper() + self.last[0].upper()


def invented(chance: random.Random) -> str:
    """Put a name together that stands in no list."""
    return chance.choice(_FIRST) + chance.choice(_MIDDLE) + chance.choice(_LAST)


def family(chance: random.Random) -> str:
    """Draw a family name: one in eight ambiguous, one in nine invented, one in twelve double."""
    draw = chance.random()
    if draw < 0.125:
        return chance.choice(AMBIGUOUS_FAMILY)
    if draw < 0.236:
        return invented(chance)
    if draw < 0.32:
        return "-".join(chance.choice(FAMILY_NAMES).replace(" ", "") for _ in range(2))
    return chance.choice(FAMILY_NAMES)


def given(chance: random.Random, female: bool) -> str:
    """Draw a given name."""
    draw = chance.random()
    if draw < 0.1:
        return chance.choice(AMBIGUOUS_GIVEN)
    if draw < 0.16:
        return invented(chance)
    return chance.choice(WOMEN if female else MEN)


def person(chance: random.Random) -> Person:
    """Draw a person."""
    female = chance.random() < 0.5
    return Person(given(chance, female), family(chance), chance.choice("ABCDEFGHJKLMNPRSTVW"), female)
