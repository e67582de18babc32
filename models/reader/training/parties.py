"""Who issues, who is billed, where it goes: names, addresses, ways to reach them."""

from chance import DICE, chance, digits, letters, pick, some
from document import Document, Part
from language import WORDS
from values import invented_word

CONTACTS = ["phone", "fax", "email", "website", "vat_id", "company_reg", "tax_number"]

# A line of an address: [(text, attribute or None)].
AddressLine = list[tuple[str, str | None]]


def address_lines(document: Document) -> list[AddressLine]:
    style = document.style
    if style.locale.address == "lots":
        return _lot_lines(document)
    street = style.street()
    if chance(0.15):
        street = pick([f"Unit {DICE.randint(1, 40)}, ", f"No. {DICE.randint(1, 300)}, ", f"Lot {DICE.randint(1, 3000)}, ", f"Suite {DICE.randint(1, 900)}, ", f"{DICE.randint(1, 12)}th Floor, ", f"Block {letters(1)}, ", f"{invented_word()} House, "]) + street
    lines: list[AddressLine] = [[(street, "street")]]
    if chance(0.12):
        lines.append([(pick(["Industrial Park", "Business Centre", "Gewerbepark", "ZI Nord", "Polígono Industrial", "Shopping Mall", "Postbus " + digits(4), "Appt " + digits(2), "Bat. " + letters(1), "Postfach " + digits(4), "BP " + digits(3), "P.O. Box " + digits(3)]), None)])
    city, code = (style.city(), "city"), (style.zip(), "zip")
    states = style.names["state"]
    if style.locale.address == "zip-last":
        state = [(pick(states), "state"), (" ", None)] if states and chance(0.45) else []
        town: AddressLine = [city, (pick([", ", " "]), None), *state, code]
    else:
        town = [code, (" ", None), city]
        if chance(0.08):
            town[0] = (f"{style.locale.code}-{code[0]}", "zip")
        if states and chance(0.1):
            town += [(f" ({pick(states)[:2].upper()})", None)]
    lines += [[city], [code]] if chance(0.06) else [town]
    if chance(0.35):
        lines.append([(pick(style.locale.countries), "country")])
    for probability in (0.25, 0.12):
        if chance(probability) and len(lines) > 1:
            lines = [lines[0] + [(", ", None)] + lines[1]] + lines[2:]
    return lines


def _lot_lines(document: Document) -> list[AddressLine]:
    """Shops in Asia: place, road, quarter, town and state, broken anywhere."""
    style = document.style
    chunks: AddressLine = [(chunk, "street" if i < 2 else None) for i, chunk in enumerate(style.street().split(", "))]
    code, city, state = (style.zip(), "zip"), (style.city(), "city"), (pick(style.names["state"]), "state")
    lines: list[AddressLine] = [[]]
    for i, chunk in enumerate(chunks):
        if lines[-1] and chance(0.5):
            lines.append([])
        if lines[-1]:
            lines[-1].append((" ", None))
        lines[-1].append((chunk[0] + ("," if chance(0.85) else ""), chunk[1]))
    town: AddressLine = [code, (" ", None), city]
    if chance(0.7):
        if chance(0.35):
            lines += [town + [(",", None)] if chance(0.6) else town, [state]]
        else:
            lines.append(town + [(pick([", ", " ", ","]), None), state])
    else:
        lines.append(town)
    if chance(0.2):
        lines[-1] = lines[-1] + [(", " if chance(0.7) else " ", None), ("Malaysia", "country")]
    if chance(0.3):
        lines[-1] = lines[-1] + [(".", None)]
    return lines


class Party:
    def __init__(self, document: Document, role: str, person: bool = False):
        self.document, self.role, self.is_person = document, role, person
        self.name = document.style.person() if person else document.style.company()
        self.lines = address_lines(document)
        self.name_fact = document.fact("party.name", self.name, role)
        self.address_fact = document.fact("party.address", None, role)
        self.attributes: dict[str, int] = {}
        for line in self.lines:
            for text, attribute in line:
                if attribute and attribute not in self.attributes:
                    self.attributes[attribute] = document.fact("party." + attribute, text, role)

    def name_parts(self) -> list[Part]:
        return [(self.name, self.document.mark(self.name_fact))]

    def address_parts(self) -> list[list[Part]]:
        here = self.document.mark(self.address_fact)
        written: set[str] = set()
        out = []
        for line in self.lines:
            parts = []
            for text, attribute in line:
                own = ()
                if attribute and attribute not in written:
                    own = self.document.mark(self.attributes[attribute])
                    written.add(attribute)
                elif attribute == "street":
                    # the street goes on in the next part
                    own = ()
                parts.append((text, here + own))
            if chance(0.08) and not parts[-1][0].endswith((",", ".")):
                parts.append((",", here))
            out.append(parts)
        return out

    def one_line(self) -> list[Part]:
        here: list[Part] = []
        for i, line in enumerate(self.address_parts()):
            if i:
                gap = " " if here[-1][0].endswith(",") else pick([", ", " ", ", ", " · ", " - "])
                here.append((gap, line[0][1][:1]))
            here += line
        return here

    def contact(self, concept: str) -> list[Part]:
        """One way to reach the party, with its label."""
        document = self.document
        number = document.find(concept, self.role)
        if number is None:
            kind = {"phone": "phone", "fax": "phone", "email": "email", "website": "web", "vat_id": "vatid", "company_reg": "id", "tax_number": "taxno"}[concept]
            number = document.fact(concept, document.style.text(kind), self.role, kind)
        value = (document.facts[number].text, document.mark(number))
        if concept in ("email", "website") and chance(0.45) or concept == "phone" and chance(0.06):
            return [value]
        if concept == "company_reg" and chance(0.2):
            return [("(", ()), value, (")", ())]
        gap = pick([": ", " : ", " ", ":", ": ", ". "]) if document.style.colon else " "
        label = document.label(concept)
        return [(label + (" " if gap == ". " and label.endswith(".") else gap), ()), value]

    def contacts(self, most: int, least: int = 0, among: list[str] | None = None) -> list[list[Part]]:
        return [self.contact(concept) for concept in some(among or CONTACTS, most, least)]


def party_block(document: Document, party: Party, x: float, y: float, width: float, labelled: bool, size: float | None = None) -> float:
    """A party as a block of lines; gives the y below."""
    style = document.style
    size = size or style.size
    lead = pick([1.2, 1.3, 1.45])
    if labelled:
        document.put(x, y, [(style.words(party.role) + pick(["", ":", ""]), ())], size, bold=chance(0.5))
        y += size * pick([1.3, 1.5, 1.9])
    attention = WORDS["attention"][style.label_language]
    if chance(0.06):
        document.put(x, y, [(pick(attention).replace("{}", style.person()), ())], size)
        y += size * lead
    y = document.wrap(x, y, party.name_parts(), width, size, lead)
    if chance(0.12):
        document.put(x, y, [(pick(attention).replace("{}", style.person()), ())], size)
        y += size * lead
    for line in party.address_parts() if chance(0.88) else [party.one_line()]:
        y = document.wrap(x, y, line, width, size, lead)
    if chance(0.3):
        for line in party.contacts(2, 1, ["phone", "email", "vat_id"] if party.role != "seller" else CONTACTS):
            y = document.wrap(x, y, line, width, size, lead)
    return y
