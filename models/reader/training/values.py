"""What stands in documents: days, amounts, numbers, names, in the manner of one country and one issuer."""

from chance import DICE, chance, digits, letters, pick, weighted
from language import NAMES, WORDS
from locales import LANGUAGES, LOCALES

SYLLABLES = "ba be bo bra ca ce co cra da de di dor du el en er fa fe fi gar ge gi gra ha he hol in ja jo ka ke kir la le li lo lu ma mar me mi mo na ne ni no nor or pa pe pi po pra ra re ri ro ru sa se si sol ta te ti to tra tu va ve vi vo wa we win ya za zo".split()
UNITS = "kWh;kg;m³;m3;kg;lbs;km;l;g;t;cm;mm;°C;bar;V;kW;m²;h;%;ml;".split(";")


def invented_word() -> str:
    """A name that no list has."""
    return "".join(pick(SYLLABLES) for _ in range(DICE.choice([2, 2, 3, 3, 4]))).capitalize() + pick(["", "", "", "s", "n", "x", "r"])


def domain() -> str:
    return (invented_word().lower() if chance(0.5) else pick(["northline", "greenleaf", "bluewave", "kontor", "maison", "delta", "orion", "nova", "atlas", "urban"])) + pick(["", "-shop", "group", "tech", "24", "-online", digits(2)]) + pick([".com", ".de", ".fr", ".nl", ".es", ".it", ".co.uk", ".pt", ".eu", ".net", ".com.my", ".org", ".io", ".pl", ".example"])


def identifier(year: int, short: bool = False) -> str:
    """A number of a document, an order, a thing."""
    y = str(year)
    if short:
        return pick([lambda: digits(DICE.randint(3, 7)), lambda: letters(2) + digits(4), lambda: letters(1) + "-" + digits(4), lambda: digits(3) + "." + digits(3), lambda: letters(3) + "-" + digits(3), lambda: digits(13), lambda: letters(2) + digits(3) + "/" + digits(2), lambda: letters(2) + "-" + digits(2)])()
    forms = [
        lambda: digits(DICE.randint(4, 10)), lambda: digits(DICE.randint(5, 9)), lambda: y + "-" + digits(4), lambda: "INV-" + digits(5), lambda: letters(2) + "-" + digits(5),
        lambda: letters(2) + digits(6), lambda: y + digits(5), lambda: letters(2) + "-" + y + "-" + digits(3), lambda: digits(3) + "/" + y, lambda: letters(1) + y[2:] + "-" + digits(4),
        lambda: letters(3) + digits(4) + letters(1), lambda: digits(4) + "-" + digits(4), lambda: letters(1) + digits(7), lambda: "#" + digits(5), lambda: digits(2) + "/" + digits(5),
        lambda: letters(4) + digits(2) + "-" + digits(5), lambda: digits(6) + "-" + letters(1), lambda: letters(2) + digits(8), lambda: letters(5) + digits(1), lambda: letters(6),
        lambda: digits(3) + " " + digits(3) + " " + digits(3), lambda: digits(1) + letters(2) + digits(4), lambda: digits(12), lambda: letters(2) + "/" + digits(4) + "/" + y, lambda: letters(2) + " " + digits(4),
        lambda: letters(3) + "-" + digits(2) + "-" + digits(4), lambda: digits(2) + letters(1) + digits(5), lambda: letters(1) + digits(3) + "/" + digits(3), lambda: y[2:] + "." + digits(4) + "." + digits(2), lambda: digits(17),
    ]  # fmt: skip
    return pick(forms)()


class Style:
    """One issuer's way of writing: country, signs, letters, and how wide they are."""

    def __init__(self, locale: str | None = None):
        self.locale_name = locale or weighted({name: entry.weight for name, entry in LOCALES.items()})
        self.locale = LOCALES[self.locale_name]
        self.language = self.locale.language
        self.label_language = self.language if chance(0.93) else pick(LANGUAGES)
        self.names = NAMES[self.locale_name]
        self.currency = pick(self.locale.currencies) if chance(0.93) else pick(pick(list(LOCALES.values())).currencies)
        self.separator = pick(self.locale.numbers) if chance(0.95) else pick(["point", "comma", "space", "apostrophe"])
        self.grouped = chance(0.85)
        self.money_form = weighted({"bare": 34, "sign": 17, "sign apart": 12, "sign after": 13, "code": 12, "code after": 12})
        if self.language == "en" and self.money_form == "sign after" and chance(0.7):
            self.money_form = "sign"
        self.date_form = pick(self.locale.dates)
        self.other_date_form = pick(self.locale.dates) if chance(0.15) else self.date_form
        self.year = DICE.randint(2005, 2026)
        self.colon = pick([":", ":", ":", "", " :", ":"])
        self.size = 16.0
        self.upper = False
        self.mono = False
        self.wide = DICE.uniform(0.42, 0.6)
        self.space = DICE.uniform(0.2, 0.4)

    def words(self, key: str) -> str:
        """One of a list of words, in the language of the labels."""
        return pick(WORDS[key][self.label_language])

    def width_of(self, character: str, size: float, bold: bool = False) -> float:
        if self.mono:
            return size * self.wide
        if character == " ":
            return size * self.space
        factor = 0.55 if character in "ilI.,:;'|!1jt()" else 1.3 if character in "mwMW@" else 1.12 if character.isupper() else 1.0
        return size * self.wide * factor * (1.08 if bold else 1.0)

    def date(self, form: str | None = None, year: int | None = None) -> str:
        form = form or self.date_form
        year = year or self.year + DICE.choice([0, 0, 0, 1, -1])
        day, month = DICE.randint(1, 28), DICE.randint(1, 12)
        name = WORDS["months"][self.language][month - 1]
        short = name[:3] + ("." if self.language in ("de", "fr") and len(name) > 3 else "")
        ordinal = f"{day}{'st' if day in (1, 21) else 'nd' if day in (2, 22) else 'rd' if day in (3, 23) else 'th'}"
        text = {"Y": f"{year}", "y": f"{year % 100:02d}", "B": name, "M": short, "D": f"{day}", "d": f"{day:02d}", "m": f"{month:02d}"}
        out, i = "", 0
        while i < len(form):
            if form.startswith("Do", i):
                out, i = out + ordinal, i + 2
            elif form.startswith("de ", i):
                out, i = out + "de ", i + 3
            else:
                out, i = out + text.get(form[i], form[i]), i + 1
        return out

    def number(self, value: float, decimals: int = 2) -> str:
        text = f"{value:,.{decimals}f}"
        if self.currency[0] == "IDR" and decimals == 2 and chance(0.8):
            text = f"{value * 1000:,.0f}"
        if not self.grouped:
            text = text.replace(",", "")
        if self.separator == "point":
            return text
        thousands = {"comma": ".", "space": " ", "apostrophe": "'"}[self.separator]
        point = "." if self.separator == "apostrophe" else ","
        return text.replace(",", "\0").replace(".", point).replace("\0", thousands)

    def company(self) -> str:
        if chance(0.3) and self.names["company"]:
            return pick(self.names["company"])
        person = lambda: pick(self.names["person"]).split()[-1]
        base = pick([
            person, lambda: pick(self.names["city"]), lambda: f"{person()} & {person()}", invented_word, invented_word,
            lambda: f"{pick(['Northern', 'Blue', 'Golden', 'Royal', 'Happy', 'Global', 'Star', 'Sun', 'Lucky', 'Evergreen', 'Ocean', 'City', 'Alpha', 'Omega', 'First', 'United', 'New', 'Grand', '99', '7', 'Mr', 'Super', 'My'])} {pick(['World', 'Star', 'Dragon', 'Harbour', 'Hill', 'Garden', 'Point', 'Valley', 'House', 'Sky', 'Bridge', 'Corner', 'Leaf', 'Mart', 'Wave'])}",
            lambda: f"{invented_word()} {invented_word()}", lambda: letters(DICE.randint(2, 4)), lambda: f"{letters(1)} {letters(1)} {person()}",
        ])()  # fmt: skip
        trade = pick(WORDS["trades"][self.language])
        if chance(0.55):
            base = f"{trade} {base}" if self.language != "en" and chance(0.5) else f"{base} {trade}"
        if chance(0.6):
            base += " " + pick(WORDS["legal"][self.language])
        if chance(0.08):
            base += f" ({pick(self.names['city'])})" + (" " + pick(WORDS["legal"][self.language]) if chance(0.5) else "")
        return base

    def person(self) -> str:
        name = pick(self.names["person"])
        if chance(0.15):
            name = f"{name.split()[0]} {invented_word()}"
        return name if chance(0.92) else ", ".join(reversed(name.split(" ", 1)))

    def item(self) -> str:
        text = pick(WORDS["items"][self.language]) if chance(0.72) else pick(WORDS["items"]["en"]) if chance(0.4) else f"{invented_word()} {pick(WORDS['items'][self.language]).lower()}" if chance(0.5) else " ".join(invented_word() for _ in range(DICE.randint(1, 3)))
        if chance(0.25):
            text = pick(WORDS["brands"]) + " " + text
        if chance(0.28):
            text += " " + pick(["XL", "500ml", "2 pcs", "black", "10kg", "(new)", "Type B", "2x", "No. " + digits(2), digits(4), identifier(self.year, short=True), "12x1", "A/C", "75cl", "15,4''", "128 GB", "blue", "M", "250G", "1.5L", "20 l", "3.5mm", "- " + pick(WORDS["items"][self.language]), f"({invented_word()})", self.date()])
        return text

    def street(self) -> str:
        street = pick(self.names["street"])
        if self.locale.address == "lots":
            return street
        chunks = street.split(", ")
        # "12, rue du Moulin" is one street.
        return ", ".join(chunks[:2]) if len(chunks[0]) < 6 else chunks[0]

    def zip(self) -> str:
        if self.locale_name == "nl_NL" and chance(0.65):
            return digits(4) + pick([" ", " ", ""]) + letters(2)
        return pick(self.names["zip"])

    def city(self) -> str:
        return pick(self.names["city"]) if chance(0.85) else invented_word()

    def phrase(self) -> str:
        sentence = pick(WORDS["filler"][self.language]).rstrip(".").split(" ")
        count = DICE.randint(1, min(7, len(sentence)))
        start = DICE.randint(0, len(sentence) - count)
        text = " ".join(sentence[start : start + count]).strip(",;:")
        return text[:1].upper() + text[1:]

    def phone(self) -> str:
        if chance(0.5):
            return pick(self.names["phone"])
        return pick([f"0{digits(1)}-{digits(8)}", f"0{digits(2)}-{digits(7)}", f"0{digits(2)} {digits(7)}", f"({digits(3)}) {digits(3)}-{digits(4)}", f"+{digits(2)} {digits(2)} {digits(3)} {digits(4)}", f"0{digits(1)}-{digits(4)} {digits(4)}", f"0{digits(2)}.{digits(2)}.{digits(2)}.{digits(2)}", f"{digits(4)} {digits(4)}", f"1-800-{digits(3)}-{digits(4)}", f"0{digits(3)} / {digits(6)}", f"+{digits(2)} (0){digits(2)} {digits(7)}", f"{digits(3)}-{digits(4)}"])

    def iban(self) -> str:
        text = pick(self.names["iban"]) if self.names["iban"] else pick(["DE", "FR", "GB", "NL"]) + digits(2) + (letters(4) if chance(0.4) else "") + digits(DICE.choice([14, 18, 20]))
        return text if chance(0.4) else " ".join(text[i : i + 4] for i in range(0, len(text), 4))

    def vat_id(self) -> str:
        code = self.locale.code
        return pick([f"{code}{digits(9)}", f"{code} {digits(3)} {digits(3)} {digits(3)}", f"{code}{digits(11)}", f"{code}{digits(9)}B01", digits(12), f"{code}X{digits(7)}X", digits(9), f"{digits(2)}-{digits(7)}", f"{code} {digits(9)}", f"{digits(2)}AAB{letters(1)}{digits(4)}R1Z{digits(1)}", f"B{digits(8)}", f"CHE-{digits(3)}.{digits(3)}.{digits(3)} MWST", f"{code}{digits(2)} {digits(9)}", f"{digits(3)}-{digits(3)}-{digits(2)}-{digits(2)}", f"{digits(8)}{letters(1)}"])

    def time(self) -> str:
        h, m, s = DICE.randint(0, 23), DICE.randint(0, 59), DICE.randint(0, 59)
        half = "AM" if h < 12 else "PM"
        return pick([f"{h:02d}:{m:02d}", f"{h:02d}:{m:02d}:{s:02d}", f"{h % 12 or 12}:{m:02d} {half}", f"{h:02d}:{m:02d}:{s:02d}", f"{h % 12 or 12}:{m:02d}:{s:02d} {half}", f"{h:02d}h{m:02d}", f"{h:02d}.{m:02d}", f"{h % 12 or 12}:{m:02d}{half}", f"{h}:{m:02d}", f"{h % 12 or 12} {half.lower()}"])

    def duration(self) -> str:
        unit = {"en": ("months", "weeks", "days"), "de": ("Monate", "Wochen", "Tage"), "fr": ("mois", "semaines", "jours"), "es": ("meses", "semanas", "días"), "it": ("mesi", "settimane", "giorni"), "nl": ("maanden", "weken", "dagen"), "pt": ("meses", "semanas", "dias"), "pl": ("miesięcy", "tygodni", "dni")}[self.language]
        words = {"en": ["two", "three", "six"], "de": ["zwei", "drei", "sechs"], "fr": ["deux", "trois", "six"], "es": ["dos", "tres", "seis"]}.get(self.language, ["2", "3"])
        return f"{DICE.randint(2, 36) if chance(0.75) else pick(words)} {pick(unit)}"

    def percent(self) -> str:
        rate = pick(self.locale.rates) if chance(0.7) else DICE.randint(1, 99)
        return pick([f"{rate:g}%", f"{rate:g} %", f"{self.number(rate, 2)} %", f"{self.number(rate, 1)}%"])

    def years(self) -> str:
        start = self.year - DICE.randint(1, 20)
        end = pick([str(start + DICE.randint(1, 6)), {"en": "present", "de": "heute", "fr": "aujourd'hui", "es": "actualidad", "it": "oggi", "nl": "heden", "pt": "presente", "pl": "obecnie"}[self.language]])
        month = lambda: pick([pick(WORDS["months"][self.language])[:3] + " ", f"{DICE.randint(1, 12):02d}/", pick(WORDS["months"][self.language]) + " "]) if chance(0.3) else ""
        return f"{month()}{start}{pick([' - ', '-', ' – ', ' ' + pick(WORDS['to_words'][self.language]) + ' '])}{end}"

    def text(self, kind: str) -> str:
        maker = MAKERS.get(kind)
        return maker(self) if maker else self.city()


def _listed(key: str):
    return lambda style: pick(WORDS[key])


def _spoken(key: str):
    return lambda style: pick(WORDS[key][style.language])


MAKERS = {
    "id": lambda s: identifier(s.year),
    "sku": lambda s: identifier(s.year, short=True),
    "date": lambda s: s.date(s.other_date_form),
    "percent": Style.percent,
    "vatid": Style.vat_id,
    "taxno": lambda s: pick([f"{digits(3)}/{digits(3)}/{digits(5)}", f"{digits(2)}/{digits(3)}/{digits(5)}", f"{digits(2)} {digits(3)} {digits(5)}", digits(11), digits(10)]),
    "iban": Style.iban,
    "bic": lambda s: letters(4) + s.locale.code + pick(["2L", "21", "FF", "2U", "PP", "HH", "MM", "22", "DE"]) + pick(["", "", "XXX", "050"]),
    "bank": lambda s: pick(WORDS["banks"]).replace("{}", pick(s.names["city"])),
    "acct": lambda s: pick([digits(8), digits(10), digits(4) + " " + digits(4) + " " + digits(2), digits(3) + "-" + digits(6) + "-" + digits(1), digits(12)]),
    "sort": lambda s: pick([f"{digits(2)}-{digits(2)}-{digits(2)}", digits(8), digits(9), f"{digits(3)} {digits(3)} {digits(2)}"]),
    "terms": _spoken("payment_terms"),
    "paymethod": _spoken("payment_methods"),
    "phone": Style.phone,
    "email": lambda s: pick(["info", "sales", "contact", "office", "support", "billing", "accounts", s.person().split()[-1].lower().strip(","), s.person().split()[0].lower().strip(",") + "." + invented_word().lower()]) + "@" + domain(),
    "web": lambda s: pick(["www.", "www.", "https://www.", ""]) + domain(),
    "person": Style.person,
    "person1": lambda s: pick([s.person(), s.person().split()[0].strip(","), digits(3), "ADMIN", s.person().split()[0].upper().strip(","), s.person().split()[0].strip(",") + " " + digits(2)]),
    "first": lambda s: pick(s.names["person"]).split()[0],
    "last": lambda s: pick(s.names["person"]).split()[-1] if chance(0.8) else invented_word(),
    "time": Style.time,
    "currency": lambda s: s.currency[0],
    "int": lambda s: str(DICE.choice([DICE.randint(1, 9), DICE.randint(1, 30), DICE.randint(1, 300)])),
    "year": lambda s: str(s.year - DICE.randint(0, 30)),
    "card": lambda s: pick(["XXXX XXXX XXXX ", "************", "xxxx-xxxx-xxxx-", "**** **** **** ", "XXXXXXXXXXXX", ""]) + digits(4),
    "period": lambda s: s.date() + f" {pick(WORDS['to_words'][s.language])} " + s.date() if chance(0.8) else f"{pick(WORDS['months'][s.language])} {s.year}",
    "years": Style.years,
    "quantity": lambda s: s.number(DICE.choice([DICE.randint(1, 500), DICE.random() * 50, DICE.randint(1000, 90000)]), DICE.choice([0, 0, 1, 2])) + " " + pick(UNITS),
    "duration": Style.duration,
    "hours": lambda s: pick(["40", "38,5", "37.5", "20", "35", "39", "36"]) + pick(["", " h", {"en": " hours", "de": " Stunden", "fr": " heures", "es": " horas", "it": " ore", "nl": " uur", "pt": " horas", "pl": " godzin"}[s.language]]),
    "job": lambda s: pick(s.names["job"]),
    "dept": _listed("departments"),
    "city": Style.city,
    "zip": Style.zip,
    "street": lambda s: s.street() + pick(["", ", " + s.city()]),
    "address": lambda s: f"{s.street()}, {s.zip()} {s.city()}" if s.locale.address == "zip-first" else f"{s.street()}, {s.city()} {s.zip()}",
    "country": lambda s: pick(s.locale.countries),
    "nation": _listed("nationalities"),
    "gender": _listed("genders"),
    "marital": _listed("marital"),
    "doctor": lambda s: pick(["Dr. ", "Dr. med. ", "Dr ", "Prof. ", "Dott. ", "Dra. ", "dr "]) + s.person(),
    "plate": lambda s: pick([f"{letters(2)}-{letters(2)} {digits(3)}", f"{letters(2)}{digits(2)} {letters(3)}", f"{letters(2)}-{digits(3)}-{letters(2)}", f"W{letters(2)} {digits(4)}", f"{digits(4)} {letters(3)}", f"{letters(3)} {digits(4)}"]),
    "model": lambda s: (pick(WORDS["brands"]) if chance(0.6) else invented_word()) + " " + pick(["X", "GT", "Pro ", "Series ", "A", "MX-", ""]) + digits(DICE.randint(1, 4)),
    "brand": lambda s: pick(WORDS["brands"]) if chance(0.6) else invented_word(),
    "colour": _listed("colours"),
    "carrier": lambda s: pick(WORDS["carriers"]) if chance(0.8) else invented_word() + " Transport",
    "incoterm": lambda s: pick(["EXW", "FOB", "CIF", "DAP", "DDP", "FCA", "CPT"]) + pick(["", " " + pick(s.names["city"])]),
    "flight": lambda s: pick(["LH", "BA", "AF", "KL", "IB", "AZ", "TP", "UA", "AA", "EK", "LO", "ICE", "IC", "TGV"]) + pick(["", " "]) + digits(DICE.randint(3, 4)),
    "seat": lambda s: str(DICE.randint(1, 40)) + letters(1),
    "class": lambda s: pick(["Economy", "2nd", "1st", "2. Klasse", "Business", "Y", "2e", "Standard", "1", "2"]),
    "gate": lambda s: letters(1) + str(DICE.randint(1, 60)) if chance(0.7) else str(DICE.randint(1, 24)),
    "room": lambda s: pick([digits(3), digits(4), "Double Room", "Suite", "Doppelzimmer", "Deluxe King", "Chambre double", "Habitación doble", "Camera doppia"]),
    "phrase": Style.phrase,
    "subject": _spoken("subjects"),
    "oneword": lambda s: pick(["A", "B", "Standard", "Express", "Premium", "Internal", "External", "Primary", "Full", "Partial", "New", "Used", "Type " + letters(1), "Class " + digits(1), "Residential", "Commercial", "Manual", "Automatic", "L", "Level " + digits(1), invented_word(), "hoch", "mittel", "neuf", "usado", "gut"]),
    "status": _listed("statuses"),
    "words": lambda s: pick(["one hundred twenty", "two thousand five hundred", "forty-five and 50/100", "three hundred only", "einhundertzwanzig", "cent vingt euros", "doscientos euros"]),
    "grade": lambda s: pick(["A", "B+", "1,7", "2.0", "Pass", "sehr gut", "8.5", "92/100", "15/20", "Distinction", "2,3", "C", "18/20", "5.0"]),
    "bool": lambda s: pick(WORDS["yes_no"][s.language]) if chance(0.8) else pick(WORDS["yes_no"][s.language]).lower(),
    "item": Style.item,
    "company": Style.company,
    "party": lambda s: s.company() if chance(0.5) else s.person(),
    "law": _listed("laws"),
    "allergy": _listed("allergies"),
    "specimen": _listed("specimens"),
    "verdict": _listed("verdicts"),
    "event": _listed("events"),
    "course": _listed("courses"),
    "task": _listed("tasks"),
    "degree": _listed("degrees"),
    "school": lambda s: pick(WORDS["schools"]).replace("{}", s.city()),
    "qty": lambda s: pick([str(DICE.randint(1, 12)), str(DICE.randint(1, 12)), str(DICE.randint(1, 500)), s.number(DICE.randint(1, 40), 2), s.number(DICE.random() * 20, pick([1, 2, 3])), str(DICE.randint(1, 5)) + pick([" Stk", " pcs", "x", " h", " kg", " x", " St.", " szt."])]),
    "uom": lambda s: pick(["pcs", "Stk", "h", "kg", "m", "m²", "box", "ea", "EA", "Std", "pz", "ud", "un", "st", "l", "set", "PCS", "UNIT", "szt.", "Stück", "Sack", "Std.", "Paket", "lot", "u", "hrs"]),
    "memo": lambda s: pick([s.item, s.company, s.person, lambda: "SEPA " + s.company(), lambda: "ATM " + s.city(), lambda: "Card payment " + s.company(), lambda: "Transfer " + s.person(), lambda: pick(["Miete", "Salary", "Loyer", "Nómina", "Stipendio", "Huur"]), lambda: "Direct debit " + s.company()])(),
    "test": _listed("tests"),
    "labval": lambda s: s.number(DICE.choice([DICE.random() * 20, DICE.random() * 300]), pick([0, 1, 2])) + pick(["", "", "", " H", " L", "*", " +"]),
    "range": lambda s: (lambda low: pick(["{} - {}", "{}-{}", "{} – {}"]).format(s.number(low, 1), s.number(low + DICE.random() * 100, 1)))(DICE.random() * 50) if chance(0.8) else pick(["< ", "> ", "<"]) + str(DICE.randint(1, 300)),
    "labunit": lambda s: pick(["g/dL", "mg/dL", "mmol/L", "µg/L", "U/L", "10^9/L", "%", "mg/l", "g/l", "ng/mL", "mU/L", "fL", "G/l", "pg"]),
}
