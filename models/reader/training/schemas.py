"""Questions: what a schema's field would be called and how it would be described, for facts that are there and for facts that are not."""

import re
import unicodedata
from dataclasses import dataclass

from chance import DICE, chance, pick, some
from document import Document, Fact
from language import COLUMNS, FACTS, LABELS, WORDS
from locales import LANGUAGES

MOST_CHOICES = 6
TYPES = {"money": "number", "percent": "number", "int": "integer", "bool": "boolean", "qty": "number", "labval": "number", "year": "integer", "pos": "integer"}
DOCUMENTS = {"credit": "credit note", "delivery": "delivery note", "utility": "bill", "lab": "report", "hotel": "booking", "insurance": "policy", "ticket_event": "ticket", "transcript": "transcript"}

ROLE_NAMES = {
    "seller": "seller vendor supplier issuer company merchant biller store shop partner sender from creditor provider".split(),
    "buyer": "buyer customer client bill_to recipient billing receiver to invoice_to addressee".split(),
    "ship": "ship_to delivery shipping consignee deliver_to".split(),
    "person": ["candidate", "person", "applicant", ""],
}
ROLE_TEXTS = {
    "seller": ["issuer", "seller", "supplier", "shop", "company that issued it", "vendor", "merchant", "sender", "store", "company"],
    "buyer": ["customer", "buyer", "recipient", "client", "company that is billed", "payer"],
    "ship": ["delivery address", "place of delivery", "consignee", "recipient of the goods"],
    "person": ["candidate", "person", "applicant"],
}
NATIVE_ROLES = {
    "seller": {"de": ["verkaeufer", "lieferant", "absender", "aussteller", "firma"], "fr": ["vendeur", "emetteur", "fournisseur", "expediteur"], "es": ["emisor", "proveedor", "vendedor", "remitente"], "it": ["fornitore", "mittente", "venditore"], "nl": ["leverancier", "verkoper", "afzender"], "pt": ["fornecedor", "emitente", "vendedor"], "pl": ["sprzedawca", "wystawca"]},
    "buyer": {"de": ["kunde", "empfaenger", "kaeufer", "rechnungsempfaenger"], "fr": ["client", "destinataire", "acheteur"], "es": ["cliente", "comprador", "destinatario"], "it": ["cliente", "destinatario"], "nl": ["klant", "ontvanger"], "pt": ["cliente", "destinatario"], "pl": ["nabywca", "klient"]},
}
NATIVE_ATTRIBUTES = {
    "name": {"de": "name", "fr": "nom", "es": "nombre", "it": "nome", "nl": "naam", "pt": "nome", "pl": "nazwa"},
    "address": {"de": "adresse", "fr": "adresse", "es": "direccion", "it": "indirizzo", "nl": "adres", "pt": "morada", "pl": "adres"},
    "street": {"de": "strasse", "fr": "rue", "es": "calle", "it": "via", "nl": "straat", "pt": "rua", "pl": "ulica"},
    "zip": {"de": "plz", "fr": "code_postal", "es": "codigo_postal", "it": "cap", "nl": "postcode", "pt": "codigo_postal", "pl": "kod_pocztowy"},
    "city": {"de": "ort", "fr": "ville", "es": "ciudad", "it": "citta", "nl": "plaats", "pt": "cidade", "pl": "miasto"},
}
# What shops are called on receipts.
NATIVE_SHOPS = {"de": ["geschaeft", "laden", "haendler", "markt", "filiale", "firma"], "fr": ["magasin", "commerce", "enseigne", "etablissement", "boutique"], "es": ["establecimiento", "tienda", "comercio", "negocio"], "it": ["negozio", "esercente", "esercizio"], "nl": ["winkel", "zaak"], "pt": ["loja", "estabelecimento", "comerciante"], "pl": ["sklep", "sprzedawca"]}
ATTRIBUTE_NAMES = {"name": ["name", "company_name", "name", "full_name"], "address": ["address", "full_address", "postal_address", "address"], "street": ["street", "street_address", "address_line_1"], "zip": ["zip", "postcode", "postal_code", "zip_code"], "city": ["city", "town", "place"], "country": ["country"], "state": ["state", "region", "province"], "phone": ["phone", "telephone", "tel", "phone_number"], "fax": ["fax", "fax_number"], "email": ["email", "e_mail"], "website": ["website", "web", "url"], "vat_id": ["vat_id", "vat", "tax_id", "vat_number"], "company_reg": ["registration_number", "company_number"], "tax_number": ["tax_number"]}
ATTRIBUTE_TEXTS = {"name": ["Name", "Company name", "Name"], "address": ["Address", "Full address", "Postal address", "Complete address"], "street": ["Street", "Street and house number"], "zip": ["Postcode", "Postal code", "ZIP code"], "city": ["City", "Town"], "country": ["Country"], "state": ["State", "Region", "Province"], "phone": ["Telephone", "Phone number", "Phone"], "fax": ["Fax", "Fax number"], "email": ["E-mail", "Email address"], "website": ["Website"], "vat_id": ["VAT number", "Tax id", "VAT id"], "company_reg": ["Registration number"], "tax_number": ["Tax number"]}
# Names that mean the issuer without saying so.
SOLO = {"name": "company vendor issuer merchant seller supplier store_name company_name shop store merchant_name vendor_name issuer_name firm business_name".split(), "address": "address store_address company_address shop_address address location".split()}

# One of a set is there: the others cannot be told from it, so they are not asked as missing.
ALIKE = [
    {"total", "balance_due", "purchase_price", "ticket_price"}, {"subtotal"}, {"net_pay", "total"}, {"invoice_number", "receipt_number"}, {"reference", "claim_number", "mandate_reference"}, {"order_number", "po_number"},
    {"invoice_date", "receipt_date", "report_date", "letter_date", "meeting_date"}, {"end_date", "valid_until", "check_out"}, {"start_date", "check_in", "delivery_date"}, {"due_date", "deadline"}, {"customer_number", "employee_number", "patient_id"},
    {"person_name", "first_name", "last_name", "contact_person"}, {"salary", "gross_pay", "income"}, {"model", "brand"}, {"subject", "project", "certificate_subject", "event"}, {"vat_id", "tax_number", "company_reg", "ssn", "buyer_vat_id"}, {"iban", "account_number"}, {"gate", "terminal"},
    {"payment_terms", "payment_method"}, {"meter_reading", "consumption", "previous_reading"}, {"paid", "deposit_paid", "deposit"}, {"opening_balance", "previous_balance"}, {"location", "departure_city", "issue_place"}, {"signed_by", "managing_director", "minutes_by", "sender", "inspector"},
    {"notes", "diagnosis", "result_overall", "status", "grade"}, {"license_number", "id_card", "serial_number"}, {"insurer", "issued_by", "employer", "university", "account_holder"}, {"cashier", "salesperson", "contact_person"}, {"start_time", "time", "departure_time"}, {"end_time", "arrival_time"}, {"shipping", "service_charge"},
]  # fmt: skip
PARTY_ATTRIBUTES = {"phone", "fax", "email", "website", "vat_id", "company_reg", "tax_number"}


@dataclass
class Question:
    text: str
    mode: str  # single, list, column or items
    target: object  # fact number, list number, (list number, column) or None where there is no answer


def words_of(path: str) -> str:
    """The words of a name: underscores, dots and humps apart, small letters."""
    path = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", path)
    return re.sub(r"[_\-./]+", " ", path).lower().strip()


def field_text(name: str, kind: str, description: str | None = None, choices: list[str] | None = None, parent: str | None = None) -> str:
    """How a field is told to the network. The runtime builds the same text."""
    text = (f"{words_of(parent)} > " if parent else "") + f"{words_of(name)} : {kind}"
    if choices:
        text += " ( " + " , ".join(choices[:MOST_CHOICES]) + " )"
    return text + (f" : {description}" if description else "")


def slug(label: str) -> str:
    """A label as a name: as programmers write it, umlauts spelt out or dropped."""
    if chance(0.5):
        label = label.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("ß", "ss").replace("Ä", "Ae").replace("Ö", "Oe").replace("Ü", "Ue")
    label = "".join(c for c in unicodedata.normalize("NFKD", label.replace("ß", "ss").replace("ł", "l")) if not unicodedata.combining(c))
    return re.sub(r"[^a-zA-Z0-9]+", "_", label).strip("_").lower()


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


class Asker:
    def __init__(self, document: Document):
        self.document = document
        self.style = document.style
        self.word = DOCUMENTS.get(document.kind, document.kind)
        # Whole schemas are written in one language, with or without descriptions.
        self.native = self.style.language != "en" and chance(0.3)
        self.described = pick([0.0, 0.35, 0.7, 1.0])
        self.humps = chance(0.15)
        self.nested = chance(0.25)

    def finish(self, name: str, kind: str, descriptions: list[str], choices: list[str] | None = None, parent: str | None = None, nest: bool = True) -> str:
        name = camel(name) if self.humps else name
        description = pick(descriptions) if descriptions and chance(self.described) else None
        if description and chance(0.08):
            description += pick([", as printed", " as written in the document", f" of the {self.word}", " (if any)", ". Null if absent"])
        if nest and parent is None and self.nested and chance(0.3):
            name = f"{pick([self.word, 'document', 'data', 'header', 'summary', self.word + '_details'])}.{name}"
        return field_text(name, kind, description, choices, parent)

    # ---- facts

    def party_text(self, role: str, attribute: str) -> str:
        language = self.style.language
        if role in self.document.roles and chance(0.65):
            names, own = self.document.roles[role]
            called = slug(own) if self.native else pick(names)
            ending = "" if attribute == "name" and chance(0.7) else pick([".", "_"]) + (NATIVE_ATTRIBUTES.get(attribute, {}).get(language) if self.native and attribute in NATIVE_ATTRIBUTES else pick(ATTRIBUTE_NAMES[attribute]))
            return self.finish(called + ending, "string", [f"{pick(ATTRIBUTE_TEXTS[attribute])} of the {words_of(called)}"], nest=False)
        if self.native and role == "seller" and self.document.kind == "receipt" and attribute == "name" and chance(0.7):
            own = pick(NATIVE_SHOPS[language])
            return self.finish(own + pick(["", "", "", ".name", "_name"]), "string", [own.capitalize()], nest=False)
        if self.native and role in NATIVE_ROLES and attribute in NATIVE_ATTRIBUTES:
            own = pick(NATIVE_ROLES[role][language])
            name = own if attribute == "name" and chance(0.5) else f"{own}{pick(['.', '_'])}{NATIVE_ATTRIBUTES[attribute][language]}"
            return self.finish(name, "string", [f"{NATIVE_ATTRIBUTES[attribute][language].capitalize()}: {own}"], nest=False)
        if role == "seller" and attribute in SOLO and chance(0.5):
            name = pick(SOLO[attribute])
        elif role == "seller" and attribute not in ("name", "address") and chance(0.35) or role == "person":
            name = pick(ATTRIBUTE_NAMES[attribute])
        elif attribute == "name" and chance(0.35):
            name = pick(ROLE_NAMES[role][:5])
        else:
            middle = pick(["_", "_", ".", "_address_" if attribute in ("street", "zip", "city", "country") else "_"])
            name = pick(ROLE_NAMES[role]) + middle + pick(ATTRIBUTE_NAMES[attribute])
        who, what = pick(ROLE_TEXTS[role]), pick(ATTRIBUTE_TEXTS[attribute])
        descriptions = [f"{what} of the {who}", f"{what} of the {who}", what if role == "seller" else f"The {who}: {what.lower()}"]
        if attribute == "name" and role == "seller":
            descriptions += [f"Company that issued the {self.word}", f"Name of the company that issued the {self.word}", "Name of the shop or company", f"Who issued the {self.word}"]
        if attribute == "name" and role == "buyer":
            descriptions += ["Customer name", "Who has to pay", f"To whom the {self.word} is addressed"]
        if name in ("to", "from", "billing", "delivery", "shipping"):
            return field_text(name, "string", descriptions[0])
        return self.finish(name, "string", descriptions, nest=False)

    def fact_text(self, fact: Fact, present: bool = True) -> str:
        concept, kind = fact.concept, fact.kind
        attribute = concept.removeprefix("party.")
        if fact.role and (concept.startswith("party.") or concept in PARTY_ATTRIBUTES):
            return self.party_text(fact.role, attribute)
        type_ = TYPES.get(kind, "string")
        if kind in ("quantity", "duration", "hours") and chance(0.45):
            type_ = "number"
        if type_ in ("number", "integer") and chance(0.08):
            type_ = "string"
        if kind == "date" and chance(0.65):
            type_ = "date"
        choices = None
        if concept == "letter_date":
            names, descriptions = ["date", "letter_date", "sent_on", "date_sent", "document_date"], ["Date of the letter", "Date on which it was sent", "Date"]
        elif concept == "open":
            names, descriptions = [slug(name) or "value" for name in fact.asked["names"]], fact.asked["descriptions"]
        else:
            entry = FACTS[concept]
            names = entry["names"] + (entry["bare"] if present and self.is_main(concept) else [])
            descriptions = entry["descriptions"] + [pick(entry["labels"]["en"])]
            language = self.style.language if self.native else pick(LANGUAGES)
            if self.native or chance(0.05):
                names = [slug(label) for label in entry["labels"][language] if len(slug(label)) > 3] or names
                descriptions = entry["labels"][language] if self.native else descriptions
            if fact.asked and chance(0.8):
                choices = fact.asked["options"]
            elif concept == "currency" and chance(0.3):
                choices = ["EUR", "USD", "GBP", "CHF"]
            elif fact.text and kind in ("paymethod", "status", "gender", "marital", "class") and chance(0.2):
                choices = [fact.text.lower(), *some(WORDS["statuses"] if kind == "status" else WORDS["genders"] if kind == "gender" else ["other", "none", "card"], 2, 1)]
                DICE.shuffle(choices)
        return self.finish(pick(names), type_, descriptions, choices)

    def is_main(self, concept: str) -> bool:
        """Whether a bare name such as "date" or "number" can only mean this one."""
        kind = FACTS[concept]["kind"]
        rivals = [f for f in self.document.facts if f.count and f.kind == kind and f.concept != concept]
        main = {"invoice_number", "invoice_date", "receipt_date", "receipt_number", "total", "order_number", "order_date", "person_name", "report_date", "meeting_date", "delivery_note_number", "quote_number"}
        if kind == "money" and concept != "total" and rivals:
            return False
        return concept in main or not rivals

    # ---- lists

    def column_text(self, number: int, column: str) -> str:
        listed = self.document.lists[number]
        entry = COLUMNS[column]
        others = set(listed.columns)
        names = list(entry["names"])
        if column == "amount" and "unit_price" in others:
            names = [n for n in names if n != "price"]
        if column == "amount" and ({"net_amount", "tax_amount"} & others):
            names = ["total", "line_total", "amount"]
        if column == "quantity":
            names = [n for n in names if n not in ("amount", "number")]
        if self.native:
            names = [slug(label) for label in entry["labels"][self.style.language] if len(slug(label)) > 1] or names
        name = pick(names)
        labels = entry["labels"]
        descriptions = [words_of(name).capitalize(), pick(labels["en"]), pick(labels[self.style.language])]
        kind = TYPES.get(entry["kind"], "string")
        if entry["kind"] == "date" and chance(0.6):
            kind = "date"
        elif chance(0.06):
            kind = "string"
        return self.finish(name, kind, descriptions, None, listed.name, nest=False)

    def list_text(self, number: int) -> str:
        listed = self.document.lists[number]
        descriptions = ["Line items", f"The positions of the {self.word}", "All rows of the table", "Items", "The lines", f"List of {words_of(listed.name)}"] if listed.columns else [words_of(listed.name).capitalize(), f"All {words_of(listed.name)}"]
        if listed.description:
            descriptions = [listed.description]
        return self.finish(listed.name, "array", descriptions, nest=False)

    # ---- a whole schema

    def present(self, most: int) -> list[Question]:
        weight = {"party.name": 0.35, "party.address": 0.3, "total": 0.35, "invoice_date": 0.3, "receipt_date": 0.35, "invoice_number": 0.35, "subtotal": 0.3, "tax": 0.3, "open": 0.2, "due_date": 0.2, "iban": 0.1, "rounding": -0.2, "fax": -0.2, "website": -0.2, "party.state": -0.2, "party.country": -0.1}
        facts = [(n, f) for n, f in enumerate(self.document.facts) if f.count and f.concept not in self.document.unclear]
        facts.sort(key=lambda entry: DICE.random() - weight.get(entry[1].concept, 0) * (1 if entry[1].role in (None, "seller", "buyer") else 0))
        return [Question(self.fact_text(f), "single", n) for n, f in facts[:most]]

    def missing(self) -> Question | None:
        """A fact that is not in the document."""
        document = self.document
        there = {f.concept for f in document.facts if f.count} | document.unclear
        roll = DICE.random()
        if roll < 0.2:
            role, attribute = pick(["buyer", "ship", "seller"]), pick(["name", "address", "zip", "city", "phone", "email", "vat_id", "website", "fax", "tax_number"])
            own = {f.concept.removeprefix("party.") for f in document.facts if f.count and f.role == role}
            if attribute in own or role == "seller" and (attribute in ("name", "address", "city", "zip") or attribute in there) or document.kind in ("cv", "form", "contract", "insurance", "hotel", "ticket", "claim", "letter", "lab", "certificate"):
                return None
            if role == "ship" and any(f.role == "buyer" and f.count for f in document.facts) or role != "seller" and not own and attribute in there and chance(0.5):
                return None
            if role == "buyer" and attribute == "vat_id" and "buyer_vat_id" in there or attribute in ("vat_id", "tax_number") and {"vat_id", "tax_number"} & own:
                return None
            return Question(self.party_text(role, attribute), "single", None)
        if roll < 0.38:
            entry = pick(LABELS["singles"]) if chance(0.4) else None
            noun, head = pick(LABELS["nouns"]), pick(LABELS["heads"])
            words = {entry["name"]} if entry else {noun["en"]}
            used = {w for f in document.facts if f.concept == "open" for w in f.asked["words"]}
            if words & used or entry and (entry["kind"] in ("company", "street", "zip", "country", "address", "city", "item", "phone", "person", "bool") and document.kind not in ("receipt", "lab") or entry["name"] in ("received", "arrival", "fare")):
                return None
            if entry is None and noun["en"] in ("project", "return", "material") or document.kind == "minutes":
                return None
            name = entry["name"] if entry else f"{noun['en']}_{pick(head['names'])}"
            kind = (entry or head)["kind"]
            descriptions = [words_of(name).capitalize(), f"The {words_of(name)}"]
            return Question(self.finish(name, "date" if kind == "date" else TYPES.get(kind, "string"), descriptions), "single", None)
        concept = pick(list(FACTS))
        if concept in there or any(concept in group and group & there for group in ALIKE):
            return None
        if concept in PARTY_ATTRIBUTES and concept in {f.concept for f in document.facts if f.count}:
            return None
        if concept in ("sender", "recipient", "issued_by", "location", "employer") or concept == "currency" or concept == "subject" and document.kind == "letter":
            return None
        if concept in ("buyer_vat_id",) and any(f.concept == "vat_id" and f.role == "buyer" for f in document.facts):
            return None
        return Question(self.fact_text(Fact(concept, None, FACTS[concept]["kind"]), present=False), "single", None)

    def lists(self, number: int) -> list[Question]:
        listed = self.document.lists[number]
        if not listed.columns:
            return [Question(self.list_text(number), "items", number)]
        out = [Question(self.list_text(number), "list", number)]
        for column in some(listed.columns, 5, 1):
            out.append(Question(self.column_text(number, column), "column", (number, column)))
        if chance(0.25):
            column = pick(["unit_price", "sku", "tax_rate", "discount", "serial", "weight", "seat", "unit"])
            if column not in listed.columns and "amount" in listed.columns and column != "unit_price" and column not in ("unit", "serial"):
                out.append(Question(self.column_text(number, column), "column", (number, column)))
        return out

    def ask(self, most: int) -> list[Question]:
        lists: list[Question] = []
        if self.document.lists and chance(0.85):
            for number in some(range(len(self.document.lists)), 2, 1):
                lists += self.lists(number)
            lists = lists[:7]
        elif not self.document.lists and chance(0.08):
            lists = [Question(self.finish(pick(LIST_LIKE), "array", ["Line items", "All entries"], nest=False), "list", None)]
        missing_wanted = pick([1, 2, 3, 4, 5])
        out = lists + self.present(max(2, most - len(lists) - missing_wanted))
        for _ in range(missing_wanted * 3):
            if len(out) >= most or missing_wanted == 0:
                break
            question = self.missing()
            if question is not None:
                out.append(question)
                missing_wanted -= 1
        DICE.shuffle(out)
        return out[:most]


LIST_LIKE = ["items", "lines", "line_items", "transactions", "attendees", "skills", "results", "attachments", "passengers"]


def ask(document: Document, most: int) -> list[Question]:
    return document.asks(most) if document.asks else Asker(document).ask(most)
