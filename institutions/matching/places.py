"""Countries and cities in canonical words: what a printed affiliation says of where it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from institutions.matching.words import Words, read_words
from wovepaper.lib.countries import country_names

Key = tuple[str, ...]

_MORE_COUNTRIES = {
    "US": "USA|U.S.A.|United States|United States of America|Estados Unidos|Etats-Unis|EEUU|EUA",
    "GB": "UK|U.K.|United Kingdom|England|Scotland|Wales|Northern Ireland|Great Britain|Reino Unido|Royaume-Uni",
    "CN": "China|P.R. China|PR China|PRC|People's Republic of China|Chine|Cina|中国",
    "HK": "Hong Kong", "MO": "Macau|Macao",
    "KR": "Korea|South Korea|Republic of Korea|Rep. of Korea|S. Korea|Corea del Sur|대한민국",
    "KP": "North Korea", "RU": "Russia|Russian Federation|USSR|U.S.S.R.|Russie|Rusia|Россия",
    "TW": "Taiwan|Republic of China|R.O.C.|ROC", "VN": "Vietnam|Viet Nam", "IR": "Iran|Islamic Republic of Iran",
    "CZ": "Czech Republic|Czechia|Czechoslovakia|CSSR", "NL": "The Netherlands|Nederland|Pays-Bas",
    "TR": "Turkey|Turkiye",
    "DE": "Germany|Deutschland|Allemagne|Alemania|Germania|FRG|GDR|West Germany", "FR": "France|Francia|Frankreich",
    "IT": "Italy|Italia|Italie", "ES": "Spain|Espagne|Spanien", "PT": "Portugal", "BR": "Brazil|Brésil",
    "JP": "Japan|Japon|日本|Nippon", "CH": "Switzerland|Suiza", "AT": "Austria|Autriche",
    "BE": "Belgium|Belgique|Belgie|Belgien",
    "PL": "Poland|Polska|Pologne", "SE": "Sweden|Sverige", "NO": "Norway|Norge", "FI": "Finland|Suomi",
    "DK": "Denmark|Danmark", "IE": "Ireland|Republic of Ireland|Eire", "GR": "Greece|Hellas",
    "HU": "Hungary|Magyarorszag",
    "RO": "Romania", "SK": "Slovakia|Slovak Republic", "SI": "Slovenia", "HR": "Croatia|Hrvatska",
    "RS": "Serbia|Yugoslavia",
    "MK": "Macedonia|North Macedonia", "BA": "Bosnia|Bosnia and Herzegovina", "MX": "México|Mexique", "AR": "Argentina",
    "CA": "Canada|Kanada", "AU": "Australia", "NZ": "New Zealand", "IN": "India|Inde", "SA": "Saudi Arabia|KSA",
    "AE": "United Arab Emirates|UAE|U.A.E.", "SY": "Syria", "PS": "Palestine", "LA": "Laos", "TZ": "Tanzania",
    "CI": "Ivory Coast|Côte d'Ivoire", "CD": "DR Congo|Democratic Republic of the Congo", "VE": "Venezuela",
    "BO": "Bolivia",
    "MD": "Moldova", "BN": "Brunei", "CV": "Cape Verde", "SZ": "Swaziland|Eswatini", "MM": "Burma|Myanmar",
    "ID": "Indonesia", "ZA": "South Africa|RSA", "EG": "Egypt|Egypte", "MA": "Morocco|Maroc", "TN": "Tunisia|Tunisie",
    "DZ": "Algeria|Algérie", "LK": "Sri Lanka|Ceylon", "PH": "Philippines", "UA": "Ukraine", "BY": "Belarus",
    "IL": "Israel",
}  # fmt: skip
_STATES = {
    "US": "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|"
    "Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|"
    "Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|"
    "Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|"
    "West Virginia|Wisconsin|Wyoming|Calif|Mass|Conn|Penna|Ill|Mich|Minn|Wis|Tex|Fla|Ariz|Colo|Tenn",
    "CA": "Ontario|Quebec|Québec|British Columbia|Alberta|Manitoba|Saskatchewan|Nova Scotia|New Brunswick|Newfoundland",
    "AU": "New South Wales|NSW|Queensland|South Australia|Tasmania|Western Australia|Victoria",
}
_STATE_CODES = frozenset(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA "
    "RI SC SD TN TX UT VT VA WA WV WI WY DC".split()
)


@dataclass(slots=True)
class SaidPlaces:
    """Where a text says it is. ``states`` are countries told by one of their states alone: weaker than a name."""

    countries: set[str] = field(default_factory=set)
    states: set[str] = field(default_factory=set)


class Gazetteer:
    """Countries by name; states and provinces; all in canonical words."""

    def __init__(self) -> None:
        self._countries: dict[Key, str] = {}
        self._states: dict[Key, str] = {}
        for code, name in country_names().items():
            self._countries[read_words(name.replace("(", ",")).words] = code
        for code, names in _MORE_COUNTRIES.items():
            for name in names.split("|"):
                self._countries[read_words(name).words] = code
        for code, names in _STATES.items():
            for name in names.split("|"):
                self._states[read_words(name).words] = code
        self._countries.pop(("georgia",), None)  # more often the state
        self._countries.pop((), None)
        self._longest: dict[str, int] = defaultdict(int)
        for key in (*self._countries, *self._states):
            self._longest[key[0]] = max(self._longest[key[0]], len(key))

    @property
    def words(self) -> set[str]:
        """Every word of a country's or a state's name."""
        return {word for key in (*self._countries, *self._states) for word in key}

    def is_place(self, key: Key) -> bool:
        """Whether these words are a country or a state and nothing else."""
        return key in self._countries or key in self._states

    def said(self, words: Words) -> SaidPlaces:
        """The countries that a text names."""
        found = SaidPlaces()
        text = words.words
        at = 0
        while at < len(text):
            for length in range(min(self._longest.get(text[at], 0), len(text) - at), 0, -1):
                key = text[at : at + length]
                if key in self._countries:
                    found.countries.add(self._countries[key])
                    at += length - 1
                    break
                if key in self._states:
                    found.states.add(self._states[key])
                    at += length - 1
                    break
            else:
                if words.shouted[at] and text[at].upper() in _STATE_CODES and at > 0:
                    found.states.add("US")
            at += 1
        return found


def city_keys(known: Iterable[str]) -> frozenset[Key]:
    """Cities in canonical words."""
    return frozenset(key for city in known if (key := read_words(city.partition("(")[0]).words))
