"""Words of affiliations in one spelling: abbreviations written out, the common ones of other languages in English."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import lru_cache

from institutions.matching.folding import fold

_SPELLINGS = {
    "university": "univ univs universitat universitaet universite universites universita universidad universidade "
    "universitatea universiteit universitet universitetet univerzita univerzitet univerza uniwersytet egyetem "
    "universitas universiti universitesi universitate yliopisto ulikool universitari universitario universitaria "
    "universitaire universitair universities universty univeristy unversity univercity universitaires universitatis "
    "sveuciliste sveucilista uniwersytetu universitat universitats univerzity univeristaire universitats",
    "institute": "inst institut instituto istituto institutes institutet instytut institutul instituut "
    "insitut insitute "
    "intitute institution instituts institutt institutions",
    "center": "centre centro centrum zentrum ctr centers centres centar sentrum",
    "college": "coll colleges colegio collegio kolleg",
    "hospital": "hosp hopital hopitaux ospedale hospitals hospitalier hospitalar hospitalario hospitales krankenhaus "
    "ospedaliera ospedaliero sykehus sjukhus klinikum ziekenhuis szpital hastanesi hospitalo",
    "technology": "tech technol technologie technologies tecnologia tecnologias technologiczny teknologi",
    "technological": "tecnologico tecnologica technologique tecnologicas",
    "technical": "technische technischen technischer technique tecnica tecnico teknik tekniska techniczna tekniske "
    "technicka technicke tecnologico-",
    "science": "sci sciences scis scien wissenschaft wissenschaften wissenschaftliche ciencia ciencias scienze scienza "
    "nauk vetenskap tieteiden",
    "scientific": "scientifique scientifica cientifica cientificas cientificos scientifiques",
    "medical": "med medizinische medizinischen medico medicale medica medicales medycznych medyczny medizinischer",
    "medicine": "medizin medicina medecine medicines tip",
    "department": "dept dep departement departamento dipartimento departments depts dpto deptartment",
    "school": "sch schools escuela escola ecole scuola hochschule skola",
    "faculty": "fac facultad faculdade facolta fakultat faculte fakultet fakultesi faculties",
    "national": "nat natl nacional nationale nazionale nationales nationaux narodowy nacionales natnl",
    "academy": "acad academia akademie academie akademia accademia akad akademi academies",
    "research": "res recherche ricerca investigacion investigaciones forschung forschungszentrum recherches pesquisa "
    "pesquisas ricerche onderzoek forskning",
    "laboratory": "lab labs laboratories laboratoire laboratorio laboratoires laboratorium laboratori",
    "engineering": "eng engn engg ingenieria engenharia ingegneria ingenierie",
    "agricultural": "agr agric agricola agraria agrarian agronomique agricoles agricole",
    "agriculture": "agricultura agronomy agronomia",
    "international": "int intl internacional internationale internazionale",
    "general": "gen generale generalen",
    "polytechnic": "polytech politecnico polytechnique politecnica polytechnische politechnika politehnica "
    "polytechnical "
    "politechnic politeknik polytechnics politecnic",
    "federal": "fed federale feder",
    "state": "estadual estatal",
    "central": "cent centrale centraal zentral",
    "catholic": "catolica cattolica catholique katholieke katholische katolicki catolic",
    "autonomous": "autonoma autonome autonomo",
    "free": "libre libera freie vrije",
    "theoretical": "theoretische theoretischen theorique theoriques teorica",
    "physics": "phys fisica physique physik fizyki",
    "chemistry": "chem quimica chimie chemie chimica",
    "biology": "biol biologia biologie",
    "health": "hlth salud saude sante gesundheit salute",
    "public": "publique publica pubblica",
    "foundation": "fondation fundacion fundacao fondazione stiftung fdn fundacio",
    "ministry": "ministerio ministere ministerstvo bakanligi",
    "association": "assoc associacao asociacion association",
    "society": "gesellschaft societe sociedad",
    "royal": "real royale",
    "clinic": "klinik clinica clinique kliniken klinika clinics",
    "veterinary": "vet veterinaire veterinaria",
    "northern": "norte", "saint": "st ste sankt sainte santo szent sao", "mount": "mt",
    "company": "co compagnie compania", "corporation": "corp corporacion",
    "superior": "superiore superieure superieur superiores", "applied": "angewandte appliquees aplicadas appl",
    "munich": "munchen muenchen", "vienna": "wien", "cologne": "koln koeln", "rome": "roma", "milan": "milano",
    "turin": "torino", "naples": "napoli", "florence": "firenze", "venice": "venezia", "padua": "padova",
    "genoa": "genova", "prague": "praha praze", "warsaw": "warszawa warszawski", "cracow": "krakow kracow krakowie",
    "moscow": "moskva", "lisbon": "lisboa", "seville": "sevilla", "geneva": "geneve genf",
    "brussels": "bruxelles brussel",
    "copenhagen": "kobenhavn koebenhavn", "gothenburg": "goteborg goeteborg", "bucharest": "bucuresti",
    "belgrade": "beograd", "athens": "athinai", "beijing": "peking", "guangzhou": "canton", "basel": "basle",
    "bern": "berne", "lyon": "lyons", "marseille": "marseilles", "hanover": "hannover", "brunswick": "braunschweig",
    "antwerp": "antwerpen anvers", "ghent": "gent gand", "leuven": "louvain", "istanbul": "constantinople",
    "kyiv": "kiev", "kharkiv": "kharkov", "lviv": "lvov", "mumbai": "bombay", "kolkata": "calcutta",
    "chennai": "madras", "bangalore": "bengaluru", "zaragoza": "saragossa",
    "germany": "deutschland allemagne", "spain": "espana", "italy": "italia", "brazil": "brasil",
    "bavaria": "bayern", "catalonia": "catalunya cataluna", "andalusia": "andalucia",
    "netherlands": "holland nederland", "switzerland": "schweiz suisse svizzera", "austria": "osterreich",
    "czech": "ceska ceske cvut", "polish": "polska polskiej", "russian": "rossiiskaya", "chinese": "chin",
}  # fmt: skip
CANONICAL = {
    spelling: word for word, spellings in _SPELLINGS.items() for spelling in spellings.split() if spelling != word
}
DROPPED = frozenset(
    "a an and the of for at in on to by from with de la le les des du der die das dem den fur et und y e di del della "
    "dei delle degli dell dello da do dos o os i en el los las und van von voor het te ve og och na im zu zur zum sur "
    "al studi d l s b c f g h j k m n p q r t u v w x z ".split()
)
_LINKS = frozenset("of for de des du di do da der van av".split())
_ADJECTIVES = frozenset(
    "universitari universitario universitaria universitaire universitaires universitair univeristaire".split()
)
_INITIALS = re.compile(r"\b(?:[A-Za-z]\.\s?){2,}")
_PIECE = re.compile(r"\w+|[^\w\s]+|\n", re.UNICODE)
_WIDE = re.compile("[ \xa0]{2,}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
_ELIDED = re.compile(r"\b([dl]|dell|dall|nell|sull|all)['’ʼ`´‘](?=\w)", re.IGNORECASE)
_APOSTROPHES = re.compile("['’ʼ`´‘ʻ·\xad]")
# Words that lost the space between them: "University of LeedsLeeds", "1Kyungpook". Not the Mc and Mac of names.
_GLUED = re.compile(
    r"(?<=[a-zà-ÿ])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bLe)(?=[A-ZÀ-Þ][a-zà-ÿ])"
    r"|(?<=[a-zà-ÿ]{3})(?=[A-Z]{2,3}\b)"
    r"|(?<=[a-zà-ÿ])(?=[0-9])|(?<=[0-9])(?=[A-ZÀ-Þ][a-zà-ÿ])"
)
_BREAKS = ",;()[]|\n/:"
"""What parts stand between; two spaces had a comma between them once."""
_AMPERSAND = re.compile(r"\b([A-Z]{1,2})\s?&\s?([A-Z])\b")


@dataclass(frozen=True, slots=True)
class Words:
    """A text in canonical words. ``parts`` numbers the piece between commas and the like that each stands in,
    ``shouted`` tells which are printed in capitals, ``linked`` which hang on the word before them by an "of", and
    ``adjectival`` which say that another thing is a university's: Hospital Universitario."""

    words: tuple[str, ...]
    parts: tuple[int, ...]
    shouted: tuple[bool, ...]
    linked: tuple[bool, ...] = ()
    adjectival: tuple[bool, ...] = ()


@lru_cache(maxsize=200_000)
def canonical(printed: str) -> tuple[str, ...]:
    """A printed word in the spelling that stands for all of them; several for a run of Han, none for a small word."""
    folded = fold(printed)
    if _CJK.search(folded):
        return tuple(folded.replace(" ", ""))
    words = (CANONICAL.get(word, word) for word in folded.split())
    return tuple(word for word in words if word and word not in DROPPED)


def read_words(text: str) -> Words:
    """Take a text apart."""
    if "&" in text:
        text = _AMPERSAND.sub(r"\1\2", html.unescape(text))
    text = _GLUED.sub(" ", _WIDE.sub("\n", text))
    text = _APOSTROPHES.sub("", _ELIDED.sub(" ", text))
    if "." in text:
        text = _INITIALS.sub(lambda match: match[0].replace(".", "").replace(" ", "") + " ", text)
    words: list[str] = []
    parts: list[int] = []
    shouted: list[bool] = []
    linked: list[bool] = []
    adjectival: list[bool] = []
    part = 0
    link = False
    for piece in _PIECE.findall(text):
        first = piece[0]
        if first.isalnum():
            read = canonical(piece)
            small = piece.casefold()
            for word in read:
                words.append(word)
                parts.append(part)
                shouted.append(len(piece) > 1 and piece[1:].isupper())
                linked.append(link)
                adjectival.append(word == "university" and small in _ADJECTIVES)
            link = small in _LINKS or (link and not read)
        elif first in _BREAKS:
            part += 1
    return Words(tuple(words), tuple(parts), tuple(shouted), tuple(linked), tuple(adjectival))
