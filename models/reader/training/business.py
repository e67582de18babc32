"""Invoices, orders, statements, reports and forms: a head, a middle and a foot, put together from blocks."""

from chance import DICE, chance, pick, some, weighted
from blocks import BANK, Pair, Sums, Table, bullet_list, fact_pair, footer, open_pair, pairs, paragraph, prose, sentences, ticked_pair
from document import Document
from language import AGREEMENTS, COMMON_COLUMNS, COMPOUND_COLUMNS, TABLES, TITLES, WORDS
from parties import Party, party_block
from values import Style

LEFT, WIDTH = 60.0, 880.0

# kind: (facts that are nearly always there, facts that may be, columns of its table)
KINDS: dict[str, tuple[list[str], list[str], list[str]]] = {
    "invoice": (["invoice_number", "invoice_date"], "due_date order_number po_number customer_number reference delivery_date payment_terms contact_person delivery_note_number order_date payment_method project currency billing_period contract_number status vehicle_plate incoterms carrier buyer_vat_id salesperson tax_number department".split(), "position sku description quantity unit unit_price discount tax_rate net_amount tax_amount amount".split()),
    "credit": (["invoice_number", "invoice_date"], "order_number customer_number reference contact_person order_date buyer_vat_id".split(), "sku description quantity unit_price amount".split()),
    "order": (["order_number", "order_date"], "delivery_date po_number quote_number payment_terms carrier incoterms contact_person customer_number reference project currency delivery_time salesperson".split(), "position sku description quantity unit unit_price amount".split()),
    "delivery": (["delivery_note_number", "delivery_date"], "order_number order_date customer_number weight packages tracking_number carrier po_number contact_person incoterms".split(), "position sku description serial quantity ordered unit weight".split()),
    "quote": (["quote_number", "invoice_date"], "valid_until customer_number contact_person project payment_terms delivery_date reference delivery_time".split(), "position description quantity unit unit_price amount".split()),
    "statement": (["account_number", "billing_period"], "iban bic opening_balance closing_balance bank_name customer_number currency sort_code report_date account_holder".split(), "date text debit credit balance amount".split()),
    "payslip": (["person_name", "billing_period"], "employee_number gross_pay net_pay deductions department job_title ssn iban date_of_birth start_date vacation_days tax_number".split(), "text hours amount".split()),
    "utility": (["invoice_number", "invoice_date"], "due_date customer_number contract_number meter_number meter_reading previous_reading consumption billing_period account_number payment_method previous_balance mandate_reference".split(), "description quantity unit_price amount".split()),
    "reminder": (["invoice_number", "due_date"], "invoice_date customer_number reference balance_due report_date deadline contact_person".split(), "date text amount".split()),
    "lab": (["person_name", "report_date"], "date_of_birth gender patient_id doctor sample_date diagnosis laboratory_number status specimen insurer age".split(), "test result lab_unit ref_range".split()),
    "ticket": (["booking_reference", "person_name"], "flight_number seat gate departure_city arrival_city departure_time arrival_time start_date ticket_price order_date travel_class status".split(), []),
    "ticket_event": (["event", "start_date"], "start_time location seat ticket_price order_number person_name booking_reference".split(), []),
    "hotel": (["booking_reference", "check_in"], "check_out nights room person_name guests payment_method invoice_number invoice_date status".split(), "date description amount".split()),
    "form": (["person_name"], "date_of_birth place_of_birth nationality gender marital_status first_name last_name license_number job_title department policy_number valid_until start_date end_date serial_number model vehicle_plate grade notes status warranty reference report_date salary phone email contact_person ssn doctor subject project iban premium weight age children income id_card emergency_contact allergies is_insured has_licence consent newsletter employer degree university brand colour mileage insurer deadline".split(), []),
    "claim": (["policy_number", "damage_date"], "claim_number person_name vehicle_plate model brand location phone email iban is_insured insurer notes mileage start_time".split(), []),
    "insurance": (["policy_number", "start_date"], "end_date premium person_name date_of_birth vehicle_plate model payment_method iban reference customer_number insurer renewal brand".split(), []),
    "inspection": (["checked_date", "inspector"], "result_overall serial_number model brand location project contact_person notes order_number license_number valid_until mileage weekly_hours signed_by".split(), "position task result owner due".split()),
    "certificate": (["person_name", "report_date"], "certificate_subject license_number valid_until issued_by issue_place grade date_of_birth place_of_birth signed_by start_date end_date".split(), []),
    "transcript": (["person_name", "report_date"], "date_of_birth university degree graduation_year license_number grade place_of_birth".split(), "course mark credits".split()),
    "timesheet": (["person_name", "billing_period"], "department project employee_number customer_number weekly_hours employer".split(), "date employee text hours".split()),
    "contract": (["contract_number", "start_date"], "end_date rent deposit salary job_title payment_terms iban person_name date_of_birth notes notice_period probation weekly_hours vacation_days hourly_rate governing_law renewal pets purchase_price brand model vehicle_plate mileage location signed_by".split(), []),
    "table": ([], "report_date issued_by department project location valid_until reference contact_person notes".split(), ["open"]),
}  # fmt: skip
BILLED = {"invoice", "credit", "order", "delivery", "quote", "utility", "statement", "hotel", "insurance", "reminder", "contract"}
SUMMED = {"invoice", "credit", "order", "quote", "utility", "hotel"}
PRIVATE = {"utility", "statement", "hotel", "insurance", "contract"}

LIST_NAMES = ["items", "lines", "line_items", "positions", "products", "articles", "rows", "entries", "invoice_lines", "order_lines", "lineItems", "services", "details"]
NAMES_OF_KIND = {"statement": ["transactions", "bookings", "entries", "movements", "lines"], "payslip": ["earnings", "components", "lines", "items"], "lab": ["results", "tests", "values", "parameters", "analyses"], "timesheet": ["entries", "days", "hours", "rows"], "hotel": ["charges", "items", "lines"], "transcript": ["courses", "subjects", "grades", "modules", "marks"], "inspection": ["checks", "points", "findings", "tasks", "items"], "reminder": ["invoices", "open_items", "entries", "items"]}
NATIVE_LIST_NAMES = {"de": ["positionen", "artikel", "posten", "zeilen"], "fr": ["lignes", "articles", "postes"], "es": ["lineas", "articulos", "conceptos", "partidas"], "it": ["righe", "articoli", "voci"], "nl": ["regels", "artikelen", "posten"], "pt": ["linhas", "artigos", "itens"], "pl": ["pozycje", "artykuly"]}

# The head of a page: rows by "/", side by side by "|", below each other by "+".
# S seller, B buyer, D delivery, M numbers and days, N the rest of them, T title, L slogan, P prose.
HEADS = """
S|TM / B ; S / B|M / T ; T / S|B / M ; S|M / T / B|D ; T|S / B|M ; L+S / B|M / T ; S / T / M / B ; B|S / T+M ; B|SM / T ; S|T / B|D|M ; T+M|S / B
S / BT|M ; T / M / S|B|D ; T / SB|M ; L|S / T / B / M ; M|S / B / T ; S|L / T|M / B ; T / M|N / S|B ; S / B / T / MN ; S|B / T / M|N ; T|M / S|B / N
T / B|M ; B|M / T ; T+M / B ; S|D / T / B|M ; B / T|M ; LS|M / B / T / N ; S / P / B|M / T ; S|B|M / T ; T / S / B / M ; TM|S / B|D
""".replace("\n", ";").split(";")  # fmt: skip
HEADS = [head.strip() for head in HEADS if head.strip()]


class Business:
    def __init__(self, kind: str):
        style = Style()
        style.size = float(pick([12, 13, 14, 15, 16, 17, 18, 20]))
        style.upper, style.mono = chance(0.04), chance(0.15)
        self.document = document = Document(kind, style)
        self.kind, self.size = kind, style.size
        self.seller = Party(document, "seller", person=kind == "contract" and chance(0.4) or chance(0.03))
        has_buyer = kind in BILLED and chance(0.9)
        self.buyer = Party(document, "buyer", person=chance(0.85 if kind in PRIVATE else 0.35)) if has_buyer else None
        must, may, self.columns = KINDS[kind]
        wanted = [c for c in must if chance(0.95)] + some(may, pick([1, 2, 4, 6, 8]))
        if kind in ("form", "claim"):
            wanted += some(may, 12, 4)
        wanted = list(dict.fromkeys(wanted))
        if chance(0.5):
            DICE.shuffle(wanted)
        self.items: list[Pair] = [self.pair(c) for c in wanted]
        self.items += [open_pair(document) for _ in range(pick([0, 0, 0, 1, 2]) if kind not in ("form", "claim", "inspection") else pick([0, 1, 2, 4, 8]))]
        if kind in ("form", "claim", "ticket") and chance(0.35):
            self.items.append(ticked_pair(document))
        self.title = pick((TABLES["titles"] if kind == "table" else TITLES[kind])[style.label_language])
        self.agreement = pick(list(AGREEMENTS["parties"].values())) if kind == "contract" and self.buyer and chance(0.75) else None
        if self.agreement:
            own = self.agreement["labels"][style.language]
            document.roles = {role: (self.agreement["names"][k], own[k]) for k, role in enumerate(("seller", "buyer"))}
        self.seller_done = False

    def pair(self, concept: str) -> Pair:
        return fact_pair(self.document, concept)

    # ---- head

    def draw_seller(self, x: float, y: float, width: float) -> float:
        document, size = self.document, self.size
        self.seller_done = True
        form = weighted({"head": 58, "block": 20, "line": 12, "brand": 10})
        if form == "line":
            parts = self.seller.name_parts() + [(pick([" - ", ", ", " · ", " | ", " • "]), ()), *self.seller.one_line()]
            return document.wrap(x, y, parts, max(width, 500) if x < 100 else width, size * pick([0.7, 0.8, 0.9])) + size * 0.6
        if form == "block":
            return party_block(document, self.seller, x, y, width, chance(0.5))
        big = size * pick([1, 1.2, 1.5, 1.8, 2.2, 1.4])
        align, at = ("center", x + width / 2) if chance(0.2) else ("right", x + width) if chance(0.12) else ("left", x)
        if form == "brand":
            # The brand in large letters is not the firm: it is named below in full.
            document.put(at, y, [(self.seller.name.split()[0] if chance(0.5) else pick(WORDS["brands"]), ())], big * 1.5, align, True)
            y += big * 2
        if chance(0.12):
            slogan = pick(WORDS["slogans"][document.style.language]).replace("{}", document.style.company().split()[0])
            document.put(at, y, [(slogan, ())], size * pick([0.8, 1]), align)
            y += size * 1.5
        y = document.wrap(at, y, self.seller.name_parts(), width, big, 1.2, align, True)
        if chance(0.1):
            document.put(at, y, [(pick(WORDS["slogans"][document.style.language]).replace("{}", document.style.city()), ())], size * 0.9, align)
            y += size * 1.4
        lead = pick([1.2, 1.3, 1.4])
        for parts in self.seller.address_parts() if chance(0.85) else [self.seller.one_line()]:
            y = document.wrap(at, y, parts, width, size, lead, align)
        contacts = self.seller.contacts(5)
        while contacts:
            parts = contacts.pop()
            if contacts and chance(0.2):
                parts = parts + [(pick(["  ", " | ", " - "]), ()), *contacts.pop()]
            y = document.wrap(at, y, parts, width, size, lead, align)
        return y + size * 0.5

    def draw_block(self, letter: str, x: float, y: float, width: float) -> float:
        document, size = self.document, self.size
        if letter == "S":
            return self.draw_seller(x, y, width)
        if letter == "B" and self.buyer:
            return party_block(document, self.buyer, x, y, min(width, 420), chance(0.7)) + size
        if letter == "D" and self.buyer and chance(0.6):
            return party_block(document, Party(document, "ship", chance(0.3)), x, y, min(width, 380), True) + size
        if letter == "L":
            text = pick([pick(WORDS["slogans"][document.style.language]).replace("{}", document.style.city()), pick(WORDS["trades"][document.style.language]), "LOGO"])
            document.put(x, y, [(text, ())], size * pick([0.9, 1.2]))
            return y + size * 2
        if letter == "T" and chance(0.93):
            return self.draw_title(x, y, width)
        if letter in "MN" and self.items:
            items = self.items[: len(self.items) // 2 + 1] if letter == "M" and self.halved else self.items
            self.items = self.items[len(items) :]
            return pairs(document, items, x, y, width if width < 600 or chance(0.4) else 440) + size
        if letter == "P":
            return prose(document, x, y, width, 1) + size
        return y

    def draw_title(self, x: float, y: float, width: float) -> float:
        document = self.document
        big = self.size * pick([1, 1.3, 1.8, 2.4])
        parts = [(" ".join(self.title.upper()) if chance(0.03) else self.title, ())]
        number = {"invoice": "invoice_number", "credit": "invoice_number", "order": "order_number", "quote": "quote_number", "delivery": "delivery_note_number", "utility": "invoice_number"}.get(self.kind)
        if number and document.find(number) is not None and chance(0.2):
            joint = pick([" ", " ", " Nr. ", " n° ", " # ", " No. ", ": ", " Nr "])
            parts = [(self.title + joint, ()), *document.value(number)]
            if chance(0.3) and document.find("invoice_date") is not None:
                parts += [(pick([" vom ", " du ", " of ", " - ", " del ", " dated "]), ()), *document.value("invoice_date")]
        align = pick(["left", "left", "left", "center"])
        return document.wrap(x + (width / 2 if align == "center" else 0), y, parts, width, big, 1.3, align, True) + big * 0.5

    def draw_head(self, y: float) -> float:
        head = pick(HEADS)
        self.halved = "N" in head
        for row in head.split("/"):
            cells = row.strip().split("|")
            shares = [1.0] if len(cells) == 1 else [DICE.uniform(0.4, 0.62)] if len(cells) == 2 else [0.36, 0.34]
            shares.append(1 - sum(shares) if len(cells) > 1 else 0)
            at, bottom = LEFT, y
            for cell, share in zip(cells, shares):
                below = y
                for letter in cell.replace("+", "").strip():
                    below = self.draw_block(letter, at, below, WIDTH * share - 20)
                bottom = max(bottom, below)
                at += WIDTH * share
            y = bottom + self.size * pick([0.2, 0.6, 1.2])
        if self.items and ("M" not in head or self.halved):
            y = pairs(self.document, self.items, LEFT, y, WIDTH if chance(0.4) else 460) + self.size
            self.items = []
        return y

    # ---- middle and foot

    def draw_agreement(self, y: float) -> float:
        """Who is who in a contract: with labels or in a sentence."""
        document, style = self.document, self.document.style
        words = self.agreement["labels"][style.language]
        lower = style.language in ("en", "fr", "es", "it", "nl", "pt") and chance(0.5)
        first, second = (w.lower() for w in words) if lower else words
        if chance(0.45):
            named = [(words[0], self.seller.name_parts()), (words[1], self.buyer.name_parts())]
            for k, party in enumerate((self.seller, self.buyer)):
                if chance(0.4):
                    named[k] = (named[k][0], [*named[k][1], (", ", ()), *party.one_line()])
            if chance(0.15):
                named.reverse()
            return pairs(document, named, LEFT, y, WIDTH, pick(["inline", "inline", "columns", "above"]))
        parts: list = []
        for k, chunk in enumerate(pick(AGREEMENTS["between"][style.language]).replace("}", "{").split("{")):
            if k % 2 == 0:
                parts.append((chunk, ()))
            elif chunk in "ab":
                party = self.seller if chunk == "a" else self.buyer
                parts += party.name_parts() + ([(", ", ()), *party.one_line()] if chance(0.35) else [])
            else:
                parts.append((first if chunk == "A" else second, ()))
        return document.wrap(LEFT, y, [part for part in parts if part[0]], WIDTH)

    def draw_table(self, y: float) -> float:
        document, kind = self.document, self.kind
        free = kind == "table" or chance(0.03)
        count = weighted({1: 14, 2: 15, 3: 15, 4: 13, 5: 11, 6: 9, 8: 8, 10: 7, 14: 5, 20: 3, 34: 2})
        if free:
            compounds = chance(0.25)
            columns = some(COMPOUND_COLUMNS if compounds else COMMON_COLUMNS, 6, 2)
            kind = "table"
        elif kind == "statement" and chance(0.8):
            columns = ["date", "text", *(["debit", "credit"] if chance(0.5) else ["amount"]), *(["balance"] if chance(0.5) else [])]
        else:
            need = "description" if "description" in self.columns else self.columns[0]
            rare = ("net_amount", "tax_amount", "serial", "ordered", "weight")
            columns = [c for c in self.columns if c == need or chance(0.12 if c in rare else 0.62)]
            if len(columns) < 2:
                columns = self.columns[:3]
            if chance(0.08):
                columns.append(pick(COMMON_COLUMNS))
        if chance(0.08):
            DICE.shuffle(columns)
        native = NATIVE_LIST_NAMES.get(document.style.language)
        names = native if native and chance(0.25) and kind not in NAMES_OF_KIND else NAMES_OF_KIND.get(kind, LIST_NAMES)
        if free:
            names = TABLES["native"].get(document.style.language, TABLES["names"]) if chance(0.3) else TABLES["names"]
        table = Table(document, columns, LEFT, pick([WIDTH, WIDTH, WIDTH, 640.0]) if free else WIDTH, pick(names))
        y = table.draw(y, count, chance(0.94), break_at=pick([1100.0, 1300.0]) if count > 5 and chance(0.7) else None) + self.size
        if kind in SUMMED and chance(0.94):
            x, width = pick([(560.0, 380.0), (600.0, 340.0), (60.0, 420.0), (60.0, 880.0), (500.0, 440.0), (560.0, 380.0)])
            y = Sums(document, table.total).draw(x, y, width) + self.size
        return y

    def draw_foot(self, y: float) -> float:
        document, size = self.document, self.size
        if chance(0.4) and self.kind not in ("form", "lab", "certificate"):
            wanted = some([*BANK, "payment_terms", "payment_method", "reference", "due_date"], 5, 1)
            y = pairs(document, [self.pair(c) for c in wanted], LEFT, y, 520) + size
        elif chance(0.1):
            parts = [(document.label("iban") + " ", ()), *document.value("iban"), ("  ", ()), (document.label("bic") + " ", ()), *document.value("bic")]
            y = document.wrap(LEFT, y, parts, WIDTH) + size
        for _ in range(pick([0, 1, 1, 2])):
            if chance(0.15):
                prose(document, LEFT, y, 420, None, size * 0.8)
                y = prose(document, 520, y, 420, None, size * 0.8) + size * 0.5
            else:
                y = prose(document, LEFT, y, WIDTH, None, size * pick([0.8, 1])) + size * 0.5
        if chance(0.12):
            document.put(pick([LEFT, 560.0]), y, [(document.style.words("closings"), ())])
            document.put(pick([LEFT, 560.0]), y + size * 2, [(document.style.person(), ())])
            y += size * 4
        if not self.seller_done or chance(0.38):
            y = footer(document, self.seller, y + size * pick([1, 3]))
        if chance(0.3):
            text = document.style.words("pages").replace("{}", str(document.page + 1), 1).replace("{}", str(document.page + 1))
            document.put(pick([LEFT, 500.0, 850.0]), y + size, [(text, ())], size * 0.8)
        return y

    def draw(self) -> Document:
        document, size = self.document, self.size
        y = self.draw_head(pick([30.0, 40.0, 60.0, 90.0]))
        if chance(0.3):
            y = prose(document, LEFT, y, WIDTH, pick([1, 1, 2])) + size
        if self.agreement:
            y = self.draw_agreement(y) + size
        if self.kind == "contract" or self.kind == "insurance" and chance(0.3):
            y = paragraph(document, sentences(document, "contract", DICE.randint(2, 6), self.seller, self.buyer), LEFT, y, WIDTH, numbered=chance(0.6)) + size
        if self.kind == "certificate" and chance(0.7):
            y = paragraph(document, sentences(document, "certificate", DICE.randint(1, 2)), LEFT, y, WIDTH, 0.1) + size
        if self.kind == "reminder" and chance(0.6):
            y = paragraph(document, sentences(document, "letter", 2, self.seller, self.buyer), LEFT, y, WIDTH) + size
        if self.columns and chance(0.92):
            y = self.draw_table(y)
        if self.kind in ("form", "inspection", "order") and chance(0.12):
            values = some(WORDS["list_values"]["attachments"], 5, 2)
            y = bullet_list(document, values, LEFT, y, WIDTH, pick(["attachments", "enclosures", "documents"]), pick(["Attachments", "Enclosures", "Anlagen", "Pièces jointes", "Anexos", "Allegati", "Bijlagen", "Załączniki"])) + size
        self.draw_foot(y)
        return document
