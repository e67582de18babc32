"""Countries: language, money, how an address, a number and a day are written."""

from dataclasses import dataclass

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")


@dataclass(frozen=True)
class Locale:
    language: str
    weight: float
    currencies: tuple[tuple[str, str], ...]  # code and sign
    countries: tuple[str, ...]
    code: str
    address: str  # zip-first, zip-last or lots (several lines of a shop in Asia)
    numbers: tuple[str, ...]  # point, comma, space or apostrophe: what separates thousands from the rest
    dates: tuple[str, ...]
    rates: tuple[float, ...]  # usual rates of the value added tax


def _locale(language, weight, currencies, countries, code, address, numbers, dates, rates) -> Locale:
    money = tuple(tuple(pair.split(" ", 1)) for pair in currencies.split(";"))
    return Locale(language, weight, money, tuple(countries.split(";")), code, address, tuple(numbers.split(";")), tuple(dates.split(";")), rates)


EURO = "EUR €;EUR €;EUR €;EUR EUR;EUR Euro"
BRITISH = "d/m/Y;d/m/Y;D M Y;D B Y;d-m-Y;d/m/y;Y-m-d;d-M-Y;d.m.Y;d M y;Do B Y"
GERMAN = "d.m.Y;d.m.Y;d.m.Y;D. B Y;d.m.y;Y-m-d;D.m.Y"
FRENCH = "d/m/Y;d/m/Y;d/m/Y;D B Y;d/m/y;Y-m-d;d.m.Y"
SPANISH = "d/m/Y;d/m/Y;D de B de Y;d-m-Y;Y-m-d;d/m/y"

LOCALES: dict[str, Locale] = {
    "en_US": _locale("en", 9, "USD $;USD $;USD USD;USD US$", "USA;United States;US", "US", "zip-last", "point", "m/d/Y;m/d/Y;B D, Y;M D, Y;m/d/y;Y-m-d;m-d-Y;D M Y", (8.25, 7, 6, 10, 5)),
    "en_GB": _locale("en", 8, "GBP £;GBP £;GBP GBP", "United Kingdom;UK;England", "GB", "zip-last", "point", BRITISH, (20, 5)),
    "en_IE": _locale("en", 2, EURO, "Ireland", "IE", "zip-last", "point", BRITISH, (23, 13.5)),
    "en_AU": _locale("en", 3, "AUD $;AUD A$;AUD AUD", "Australia", "AU", "zip-last", "point", BRITISH, (10,)),
    "en_CA": _locale("en", 2, "CAD $;CAD C$;CAD CAD", "Canada", "CA", "zip-last", "point", "Y-m-d;m/d/Y;B D, Y;M D, Y;d/m/Y", (5, 13)),
    "en_IN": _locale("en", 4, "INR Rs.;INR ₹;INR INR;INR Rs", "India", "IN", "zip-last", "point", "d-m-Y;d/m/Y;D M Y;d-M-Y;d.m.Y", (18, 12, 5)),
    "en_MY": _locale("en", 11, "MYR RM;MYR RM;MYR MYR", "Malaysia", "MY", "lots", "point", "d/m/Y;d/m/Y;d-m-Y;d/m/y;d-m-y;D M Y;d-M-Y;Y-m-d;d.m.Y", (6, 10)),
    "id_ID": _locale("en", 2, "IDR Rp;IDR Rp.;IDR IDR", "Indonesia", "ID", "zip-last", "comma;point", "d/m/Y;d-m-Y;D M Y", (10, 11)),
    "en_PH": _locale("en", 1, "PHP PHP;PHP P;PHP ₱", "Philippines", "PH", "zip-last", "point", "m/d/Y;B D, Y;d/m/Y", (12,)),
    "de_DE": _locale("de", 12, EURO, "Deutschland;Germany", "DE", "zip-first", "comma", GERMAN, (19, 19, 7)),
    "de_AT": _locale("de", 2, EURO, "Österreich;Austria", "AT", "zip-first", "comma", GERMAN, (20, 10)),
    "de_CH": _locale("de", 2, "CHF CHF;CHF Fr.;CHF SFr.", "Schweiz;Switzerland", "CH", "zip-first", "apostrophe;point", GERMAN, (8.1, 7.7, 2.6)),
    "fr_FR": _locale("fr", 11, EURO + ";EUR Euros", "France", "FR", "zip-first", "space;space;comma", FRENCH, (20, 20, 5.5, 10)),
    "fr_CH": _locale("fr", 1, "CHF CHF;CHF Fr.", "Suisse", "CH", "zip-first", "apostrophe;space", "d.m.Y;D B Y;d/m/Y", (8.1, 2.6)),
    "fr_CA": _locale("fr", 1, "CAD $;CAD $ CA", "Canada", "CA", "zip-last", "space", "Y-m-d;D B Y;d/m/Y", (5, 14.975)),
    "es_ES": _locale("es", 7, EURO, "España;Spain", "ES", "zip-first", "comma", SPANISH, (21, 10)),
    "es_MX": _locale("es", 2, "MXN $;MXN MXN", "México", "MX", "zip-first", "point", SPANISH, (16,)),
    "it_IT": _locale("it", 7, EURO, "Italia;Italy", "IT", "zip-first", "comma", "d/m/Y;d/m/Y;D B Y;d-m-Y;d.m.Y", (22, 10, 4)),
    "nl_NL": _locale("nl", 7, EURO, "Nederland;The Netherlands", "NL", "zip-first", "comma", "d-m-Y;d-m-Y;D B Y;d/m/Y;d-m-y;Y-m-d", (21, 9)),
    "nl_BE": _locale("nl", 2, EURO, "België;Belgium", "BE", "zip-first", "comma", "d/m/Y;d-m-Y;D B Y;d.m.Y", (21, 6)),
    "pt_PT": _locale("pt", 4, EURO, "Portugal", "PT", "zip-first", "comma;space", "d/m/Y;D de B de Y;d-m-Y;Y-m-d", (23, 6)),
    "pt_BR": _locale("pt", 2, "BRL R$;BRL R$;BRL BRL", "Brasil;Brazil", "BR", "zip-last", "comma", "d/m/Y;D de B de Y;d-m-Y", (18, 12)),
    "pl_PL": _locale("pl", 5, "PLN zł;PLN PLN", "Polska;Poland", "PL", "zip-first", "space;comma", "d.m.Y;d-m-Y;Y-m-d;D B Y;d.m.Y", (23, 8, 5)),
}
