"""The people of the demo catalogue: who they truly are, and how a paper prints their names.

A person is a pure function of the seed, the field, the research group and the place in the group, so that a catalogue
of any size needs no table of them. Family names have a long tail, as they have in the world: many are borne by few.
Namesakes arise by themselves all the same, and one person in eighty gets one of a few names.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from wovepaper.demo.chance import Chance
from wovepaper.demo.registry import invented_orcid
from wovepaper.demo.vocabulary import EPONYMS, eponym

Style = Literal["full", "initials", "first", "middle", "plain"]


@dataclass(frozen=True, slots=True)
class Person:
    """One true person. ``key`` is unique within a seed; two persons may share every part of the name."""

    key: str
    given: str
    family: str
    suffix: str
    usual_style: Style
    orcid: str = ""
    """Empty where they have none."""

    @property
    def name(self) -> str:
        """The full name."""
        return " ".join(part for part in (self.given, self.family, self.suffix) if part)


@dataclass(frozen=True, slots=True)
class PrintedName:
    """A name as one paper prints it; ``forenames`` is empty for a single name."""

    forenames: str
    keyname: str
    suffix: str = ""

    @property
    def text(self) -> str:
        """The name on one line."""
        return " ".join(part for part in (self.forenames, self.keyname, self.suffix) if part)


@dataclass(frozen=True, slots=True)
class Region:
    """Names that occur together, the commoner ones first."""

    weight: float
    families: tuple[str, ...]
    givens: tuple[str, ...]
    second_given: float = 0.0
    """How often a second given name follows."""
    second_family: float = 0.0
    suffixes: float = 0.0
    particles: tuple[str, ...] = ()
    single: float = 0.0
    """How often somebody has one name only."""
    joined: str = ""
    """Second syllables that are joined to the given name, separated by |; the joint itself comes first."""
    few_families: bool = False
    """Everybody bears one of a few family names, and given names tell people apart."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


REGIONS: tuple[Region, ...] = (
    Region(
        12,
        _words(
            "Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng Liang Xie Tang "
            "Deng Feng Han Cao Zeng Peng Xiao Cai Pan Tian Dong Yuan Yu Ye Jiang Du Su Wei Cheng Ding Shen Ren Lu Yao"
        ),
        _words("Wei Ming Jian Xiao Yu Jing Hao Lei Yan Li Jun Hui Xin Ting Zhi Bo Rui Yi Chen Fei Kai Lin Qi Tao Ying"),
        joined="|ming|hua|yu|wei|lin|feng|jie|ping|xin|yang|hong|jun|na|liang|qiang|chun|rong|zhen|bin|ying|kun|tong|",
        few_families=True,
    ),
    Region(
        5,
        _words("Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon Hwang Ahn Song Ryu Hong"),
        _words("Min Ji Seung Hyun Sung Young Dong Jae Soo Eun Kyung Tae Jin Woo"),
        joined="-|jae|hyun|woo|soo|young|ho|hee|jin|kyung|min|seok|won|chul|mi|sook|beom|yeon|gyu",
        few_families=True,
    ),
    Region(
        6,
        _words(
            "Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki "
            "Matsumoto Inoue Kimura Shimizu Hayashi Saito Mori Ikeda Hashimoto Ogawa Okada Fujita Goto Murakami "
            "Kondo Ōta Ōno"
        ),
        _words("Hiroshi Takashi Kenji Yuki Satoshi Akira Naoki Yoko Kazuo Shōta Haruka Makoto Ryō Tomoko Daisuke Emi"),
    ),
    Region(
        9,
        _words(
            "Kumar Singh Sharma Gupta Patel Das Banerjee Mukherjee Ghosh Rao Reddy Iyer Nair Menon Joshi Mehta Bose "
            "Sen Chatterjee Mishra Pandey Verma Agarwal Krishnan Subramanian Chakraborty Pillai Desai Kulkarni "
            "Srinivasan"
        ),
        _words(
            "Amit Rahul Priya Anil Sanjay Ravi Neha Suresh Deepak Anjali Vikram Arun Kavita Rajesh Meera Sandeep Pooja "
            "Manoj Lakshmi Harish Nandini Prakash Divya Ashok"
        ),
        second_given=0.15,
        single=0.02,
    ),
    Region(
        17,
        _words(
            "Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Moore Martin Thompson White "
            "Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Hill Green Adams Baker Nelson Carter "
            "Mitchell Turner Phillips Campbell Parker Evans Edwards Collins Stewart Morris Murphy Cook Rogers Morgan "
            "Bell Bailey O'Brien O'Connor MacLeod McCarthy Fitzgerald Whitfield Ashworth Pemberton Thornbury "
            "Holloway Lockhart"
        ),
        _words(
            "James John Robert Michael William David Mary Richard Thomas Sarah Daniel Emily Matthew Anna Andrew "
            "Laura Christopher Rachel Joseph Hannah Benjamin Alice Samuel Claire Peter Helen Edward Grace Simon Ruth "
            "Alan Jane"
        ),
        second_given=0.45,
        suffixes=0.04,
    ),
    Region(
        8,
        _words(
            "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter "
            "Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Krause Vogel Böhm "
            "Jäger Groß"
        ),
        _words(
            "Thomas Michael Andreas Stefan Anna Christian Martin Julia Markus Katharina Jürgen Sabine Jörg Björn Lena "
            "Wolfgang Ulrike Matthias Günter Hans Karl Eva"
        ),
        second_given=0.12,
        particles=("von", "von der"),
    ),
    Region(
        6,
        _words(
            "Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefèvre Michel Garcia "
            "David Bertrand Roux Vincent Fournier Girard Bonnet Dupont Lambert Fontaine Rousseau Blanc Guérin Béranger"
        ),
        _words(
            "Jean Marie Pierre Michel Anne François Philippe Hélène Étienne Sophie René Céline Benoît Zoé Jérôme Noël"
        ),
        second_given=0.12,
        joined="-|Pierre|Luc|Paul|Claude|Marc",
        particles=("de", "de la", "d'"),
    ),
    Region(
        8,
        _words(
            "García Rodríguez Martínez Fernández López González Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz "
            "Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Serrano Núñez Peña"
        ),
        _words(
            "José María Antonio Carmen Juan Ana Francisco Lucía Javier Elena Ángel Andrés Inés Raúl Sofía Óscar Marta"
        ),
        second_given=0.2,
        second_family=0.45,
    ),
    Region(
        5,
        _words(
            "Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti De_Luca Costa "
            "Giordano Mancini Rizzo Lombardi Moretti Barbieri Fontana Santoro Mariani Rinaldi Caruso D'Amico Dell'Acqua"
        ),
        _words("Giuseppe Maria Giovanni Anna Marco Francesca Luca Elena Andrea Chiara Paolo Giulia Niccolò Alessandro"),
        second_given=0.06,
        particles=("Di", "De"),
    ),
    Region(
        4,
        _words(
            "Silva Santos Oliveira Souza Pereira Costa Rodrigues Almeida Nascimento Lima Araújo Conceição Guimarães"
        ),
        _words("João Maria Paulo Ana Carlos Luís Antônio Márcia Fábio Inês Gonçalo Tomás Sílvia Patrícia"),
        second_given=0.25,
        second_family=0.35,
        particles=("da", "dos", "de"),
    ),
    Region(
        5,
        _words(
            "Ivanov Smirnov Kuznetsov Popov Vasiliev Petrov Sokolov Mikhailov Novikov Fedorov Morozov Volkov "
            "Alekseev Lebedev Semenov Egorov Pavlov Kozlov Stepanov Nikolaev Orlov Andreev Makarov Zakharov "
            "Shevchenko Bondarenko"
        ),
        _words(
            "Alexander Sergey Dmitry Elena Andrey Olga Alexey Tatiana Ivan Natalia Mikhail Irina Vladimir Anna Nikolai"
        ),
        second_given=0.5,
    ),
    Region(
        6,
        _words(
            "Nowak Kowalski Wiśniewski Wójcik Kamiński Lewandowski Zieliński Dąbrowski Novák Dvořák Černý Svoboda "
            "Procházka Horváth Kovács Tóth Szabó Nagy Popescu Ionescu Horvat Marković Petrović Jovanović Šimić Łukasik"
        ),
        _words(
            "Jan Anna Piotr Katarzyna Tomáš Jiří Łukasz Małgorzata István László Zoltán Éva Ştefan Ana Marko Željko"
        ),
        second_given=0.1,
    ),
    Region(
        4,
        _words(
            "Hansen Johansen Olsen Larsen Andersen Nielsen Jensen Pedersen Sørensen Rasmussen Johansson Lindström "
            "Åberg Öberg Nyström Virtanen Korhonen Mäkinen Nieminen Hämäläinen Jónsson Bjørnstad Ødegård"
        ),
        _words("Lars Anna Erik Ingrid Søren Karin Jørgen Åsa Björn Kirsten Mikko Päivi Håkon Sigrún Henrik Maja"),
        second_given=0.15,
    ),
    Region(
        3,
        _words("Jong Vries Berg Dijk Bakker Visser Smit Meijer Boer Mulder Groot Bos Vos Peters Hendriks Dekker Broek"),
        _words("Jan Johannes Maria Pieter Anna Hendrik Willem Sanne Daan Femke Joost Maarten Lotte Jeroen"),
        second_given=0.2,
        particles=("van", "van der", "de", "van den"),
    ),
    Region(
        4,
        _words("Yılmaz Kaya Demir Çelik Şahin Yıldız Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Koç Güneş"),
        _words("Mehmet Ayşe Mustafa Fatma Ahmet Zeynep Ali Elif Hüseyin Emine İbrahim Özge Gökhan Çağla"),
    ),
    Region(
        5,
        _words("Ahmed Hassan Ali Khan Hussain Rahman El-Sayed Al-Rashid Haddad Khoury Mansour Farouk Hosseini Ahmadi"),
        _words("Mohammad Ahmed Fatima Ali Maryam Hassan Omar Zahra Reza Sara Youssef Leila Karim Nour Amir"),
        second_given=0.15,
        particles=("Al", "Ben"),
    ),
    Region(
        3,
        _words("Nguyễn Trần Lê Phạm Hoàng Vũ Đặng Bùi Đỗ Hồ Ngô Dương"),
        _words("Minh Anh Hùng Linh Tuấn Hương Đức Lan Thành Mai Quang Thảo"),
        second_given=0.6,
    ),
    Region(
        2,
        _words("Papadopoulos Georgiou Nikolaidis Papageorgiou Vlachos Antoniou Karagiannis Economou Makris Oikonomou"),
        _words("Georgios Maria Dimitrios Eleni Konstantinos Katerina Ioannis Sofia Nikolaos Vasiliki"),
        second_given=0.1,
    ),
    Region(
        2,
        _words("Okafor Adeyemi Mensah Mwangi Abebe Diallo Traoré Ndiaye Osei Kamau Chukwu Banda Dlamini Tesfaye"),
        _words("Chinedu Amina Kwame Wanjiru Bekele Fatou Moussa Ngozi Tunde Abena Thabo Selam"),
        second_given=0.15,
    ),
    Region(
        1, _words("Suharto Wijaya Santoso Gunawan Sukarman Hartono"), _words("Budi Siti Agus Dewi Eko Rini"), single=0.5
    ),
)
_REGION_WEIGHTS: list[float] = []
for _region in REGIONS:
    _REGION_WEIGHTS.append((_REGION_WEIGHTS[-1] if _REGION_WEIGHTS else 0.0) + _region.weight)

SHARED_NAMES: tuple[tuple[str, str], ...] = (
    ("Wei", "Wang"),
    ("Wei", "Zhang"),
    ("Jing", "Li"),
    ("Ming", "Li"),
    ("Yu", "Chen"),
    ("Ji-hyun", "Kim"),
    ("John", "Smith"),
    ("Anna", "Müller"),
    ("Ravi", "Kumar"),
    ("María", "García"),
    ("Ivan", "Petrov"),
    ("Hiroshi", "Tanaka"),
)
"""Names that many of the invented people share, the first ones more than all others."""

_HAVE_ORCID = 0.45
_RARE_FAMILY = 0.7
_STYLES: tuple[Style, ...] = ("full", "initials", "middle", "first", "plain")
_STYLE_WEIGHTS = (58.0, 82.0, 94.0, 97.0, 100.0)


@lru_cache(maxsize=100_000)
def person(seed: int, field: str, group: int, member: int) -> Person:
    """The person at a place of a research group."""
    key = f"{field}/{group}/{member}"
    someone = _named(Chance(seed, "person", field, group, member), key)
    # By a chance of their own, so that the names do not depend on it.
    has_orcid = Chance(seed, "has an orcid", key).happens(_HAVE_ORCID)
    return replace(someone, orcid=invented_orcid(seed, key)) if has_orcid else someone


def _named(chance: Chance, key: str) -> Person:
    style = chance.weighted(_STYLES, _STYLE_WEIGHTS)
    if chance.happens(1 / 80):
        given, family = SHARED_NAMES[chance.rank(len(SHARED_NAMES), shift=0.4)]
        return Person(key, given, family, "", style)
    region = chance.weighted(REGIONS, _REGION_WEIGHTS)
    family = chance.common(region.families).replace("_", " ")
    if not region.few_families and chance.happens(_RARE_FAMILY):
        family = eponym(chance.below(EPONYMS))
    if chance.happens(region.single):
        return Person(key, "", family, "", "full")
    given = _given(chance, region)
    if chance.happens(region.second_family):
        other = chance.common(region.families)
        family = f"{family}{chance.one_of((' ', '-'))}{other}" if other != family else family
    if region.particles and chance.happens(0.2):
        particle = chance.common(region.particles)
        family = f"{particle}{family}" if particle.endswith("'") else f"{particle} {family}"
    suffix = chance.one_of(("Jr.", "III", "II", "Sr.")) if chance.happens(region.suffixes) else ""
    return Person(key, given, family, suffix, style)


def _given(chance: Chance, region: Region) -> str:
    given = chance.common(region.givens)
    if region.joined and chance.happens(0.85 if region.few_families else 0.6):
        joint, *syllables = region.joined.split("|")
        given += joint + chance.one_of(syllables)
    if chance.happens(region.second_given):
        second = chance.common(region.givens)
        if second != given:
            given += f" {second[0]}." if chance.happens(0.6) else f" {second}"
    return given


def print_name(someone: Person, chance: Chance) -> PrintedName:
    """The name on one paper: mostly in the person's usual style, now and then in another."""
    style = someone.usual_style if chance.happens(0.85) else chance.weighted(_STYLES, _STYLE_WEIGHTS)
    return in_style(someone, style)


def in_style(someone: Person, style: Style) -> PrintedName:
    """The name in one of the styles: as it is, initials only, first name only, first name and initials, unaccented."""
    first, *rest = someone.given.split() or [""]
    if style == "initials":
        forenames = " ".join(_initial(part) for part in (first, *rest) if part)
    elif style == "first":
        forenames = first
    elif style == "middle":
        forenames = " ".join([first, *(_initial(part) for part in rest)]).strip()
    else:
        forenames = someone.given
    if style == "plain":
        return PrintedName(without_accents(forenames), without_accents(someone.family), someone.suffix)
    return PrintedName(forenames, someone.family, someone.suffix)


def _initial(part: str) -> str:
    return "-".join(f"{piece[0]}." for piece in part.rstrip(".").split("-") if piece)


_UNACCENTED = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "ß": "ss", "ı": "i", "đ": "d", "Đ": "D"})


def without_accents(text: str) -> str:
    """ASCII letters, as a careless typist writes the name."""
    decomposed = unicodedata.normalize("NFD", text.translate(_UNACCENTED))
    return "".join(character for character in decomposed if not unicodedata.combining(character))
