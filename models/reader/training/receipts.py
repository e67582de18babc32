"""Receipts: narrow, mostly capitals, sums with many near misses."""

import math

from chance import DICE, chance, digits, letters, pick, some, weighted
from blocks import Table, tax_label
from business import LIST_NAMES
from document import Document, ListOf, Part
from language import COLUMNS, TITLES, WORDS
from parties import Party
from values import Style

LEFT, RIGHT, MIDDLE = 30.0, 970.0, 500.0
NEAR_TOTALS = {
    "en": ["Total Sales", "Total before rounding", "Total Excl. Tax", "Total Discount", "Total Savings", "Item Total", "Total Tax", "Total Qty", "Total Supplies", "Gross Amount", "Total Points", "Total Sales Excl."],
    "de": ["Summe Rabatte", "Zwischensumme", "Summe MwSt.", "Gesamt netto", "Summe Punkte"],
    "fr": ["Total remises", "Sous-total", "Total TVA", "Total HT"],
    "es": ["Total descuentos", "Suma", "Total IVA"],
    "it": ["Totale sconti", "Subtotale", "di cui IVA"],
    "nl": ["Totaal korting", "Subtotaal", "Totaal BTW"],
    "pt": ["Total descontos", "Total IVA"],
    "pl": ["Suma rabatów", "Suma PTU"],
}

# A total before the rounding is not what is paid.
UNROUNDED = ["Total", "TOTAL", "Total Sales", "Total Amount", "Total (Incl. GST)", "Total Sales (Inclusive of GST)", "Total Inclusive Tax", "Sub Total"]
ROUNDED = ["Total Rounded", "Rounded Total", "Total after Rounding", "Net Total", "Nett Total", "Total Payable", "Amount Payable", "Grand Total", "Amount Due", "Total after Adj", "Rounded Total (RM)", "Total Due"]


def round_up(value: float, step: float) -> float:
    return float(math.ceil(value / step) * step)


class Receipt:
    def __init__(self):
        style = Style()
        if chance(0.3):
            style = Style("en_MY")
        style.size = float(pick([22, 26, 30, 34, 38]))
        style.mono, style.upper = chance(0.55), chance(0.6)
        self.document = Document("receipt", style)
        self.style, self.size = style, style.size
        self.seller = Party(self.document, "seller")
        self.align, self.x = ("center", MIDDLE) if chance(0.75) else ("left", LEFT)
        self.lead = pick([1.1, 1.2, 1.35])
        self.y = 30.0
        self.gap = pick([": ", " : ", ":", " ", ": "])

    def line(self, parts: list[Part], x: float | None = None, align: str = "left", size: float | None = None) -> None:
        self.document.put(LEFT if x is None else x, self.y, parts, size, align)
        self.y += (size or self.size) * self.lead

    def centered(self, parts: list[Part], size: float | None = None) -> None:
        self.y = self.document.wrap(self.x, self.y, parts, 930, size, self.lead, self.align)

    # ---- shop

    def head(self) -> None:
        style, seller = self.style, self.seller
        if chance(0.3):
            brand = pick([f"*** {seller.name.split()[0]} ***", pick(WORDS["trades"][style.language]), seller.name.split()[0], style.person(), "WELCOME", "COPY", "*** COPY ***", "Reprint", "BILL", pick(WORDS["slogans"][style.language]).replace("{}", ""), style.date(), digits(6), "Tax Invoice"])
            self.centered([(brand, ())], self.size * pick([1, 1.4]))
        lead_in = [(pick(["Owned by: ", "Operated by ", "Trading as ", "A division of ", "Licensee: "]), ())] if chance(0.05) else []
        big = self.size * pick([1, 1, 1.2, 1.5])
        name = self.seller.name_parts()
        registered = [(digits(pick([6, 7])) + "-" + letters(1), self.document.mark(self.document.fact("company_reg", None, "seller", "id")))]
        same_line = chance(0.15)
        if same_line:
            name = name + [(" (", ()), *registered, (")", ())]
        if len(self.seller.name.split()) > 2 and chance(0.12):
            # A name over two lines.
            wide = sum(style.width_of(c, big) for c in self.seller.name)
            self.y = self.document.wrap(self.x, self.y, name, min(930, wide * DICE.uniform(0.4, 0.8)), big, self.lead, self.align)
        else:
            self.centered(lead_in + name, big)
        if not same_line and chance(0.4):
            self.centered([(pick(["(", "", "Co. Reg: ", "Reg No: ", "ROC NO: ", "Company No: ", "CO NO: ", "Reg. "]), ()), *registered, (pick([")", ""]), ())])
        contacts = self.seller.contacts(4, 0, ["phone", "fax", "email", "website", "vat_id"])
        before = contacts[:1] if chance(0.12) else []
        for parts in before:
            self.centered(parts)
        if chance(0.94):
            lines = seller.address_parts() if chance(0.75) else [seller.one_line()]
            if chance(0.05):
                lines[0] = [(pick(["Add: ", "Address: ", "Adresse: ", "Branch: "]), ()), *lines[0]]
            for parts in lines:
                self.centered(parts)
        rest = contacts[len(before) :]
        while rest:
            parts = rest.pop()
            if rest and chance(0.25):
                parts = parts + [(pick([" ", "  ", " / "]), ()), *rest.pop()]
            self.centered(parts)
        if chance(0.12):
            self.centered([(pick([style.company(), f"({style.city()})", f"{pick(['Branch', 'Outlet', 'Store', 'Filiale'])} {digits(3)}"]), ())])
        self.y += self.size * pick([0.2, 0.6])

    # ---- numbers and days

    def meta(self) -> None:
        document, style = self.document, self.style
        if chance(0.65):
            title = pick(TITLES["receipt"][style.label_language])
            here = chance(0.8)
            document.put(MIDDLE if here else LEFT, self.y, [(title, ())], self.size * pick([1, 1.2, 1.4]), "center" if here else "left")
            self.y += self.size * 1.6
        wanted = ["receipt_number"] if chance(0.9) else []
        self.date_below = chance(0.22)
        if not self.date_below:
            wanted.append("receipt_date")
        wanted += some("time cashier table_number terminal guests customer_number order_number contact_person vehicle_plate salesperson".split(), 5)
        items = []
        for concept in wanted:
            label: str | None = document.label(concept)
            parts = document.value(concept)
            if concept == "receipt_date":
                parts = self.with_time(parts)
                if chance(0.35):
                    label = None
            items.append((label, parts))
        if chance(0.6):
            DICE.shuffle(items)
        offset = pick([0, 0, 230, 300])
        while items:
            label, parts = items.pop(0)
            if offset and label:
                document.put(LEFT, self.y, [(label, ())])
                document.put(LEFT + offset, self.y, [(pick([": ", ":", ""]), ()), *parts])
            else:
                document.put(LEFT, self.y, ([(label + self.gap, ())] if label else []) + parts)
                if items and chance(0.35):
                    label, parts = items.pop(0)
                    document.put(RIGHT, self.y, ([(label + self.gap, ())] if label else []) + parts, None, "right")
            self.y += self.size * self.lead
        if chance(0.14):
            # Goods delivered to another shop: its name often stands there without a word.
            buyer = Party(document, "buyer", chance(0.2))
            document.put(LEFT, self.y, ([(style.words("buyer") + ": ", ())] if chance(0.5) else []) + buyer.name_parts())
            self.y += self.size * self.lead
            if chance(0.7):
                for parts in buyer.address_parts():
                    self.line(parts)

    def with_time(self, parts: list[Part]) -> list[Part]:
        if not chance(0.45):
            return parts
        number = self.document.find("time")
        if number is None:
            number = self.document.fact("time", self.style.time())
            self.document.facts[number].text = self.style.time()
        time = (self.document.facts[number].text or self.style.time(), self.document.mark(number))
        return parts + [(pick([" ", "  ", " - ", "   "]), ()), time]

    # ---- goods

    def goods(self) -> float:
        document, style = self.document, self.style
        count = weighted({1: 20, 2: 20, 3: 15, 4: 12, 6: 12, 8: 9, 12: 7, 18: 4})
        form = pick(["one", "one", "two", "two below", "code", "quantity first", "table", "name below"])
        name = pick(LIST_NAMES)
        if form == "table":
            columns = [c for c in ["sku", "description", "quantity", "unit_price", "amount", "tax_rate"] if c in ("description", "amount") or chance(0.6 if c not in ("sku", "tax_rate") else 0.15)]
            table = Table(document, columns, LEFT, RIGHT - LEFT, name, self.size * 0.9)
            self.y = table.draw(self.y, count, chance(0.9))
            return table.total
        columns = {"one": ["description", "amount"], "quantity first": ["quantity", "description", "amount"], "code": ["sku", "description", "quantity", "unit_price", "amount"]}.get(form, ["description", "quantity", "unit_price", "amount"])
        number = len(document.lists)
        document.lists.append(ListOf(name, columns))
        if chance(0.5):
            heads = [(LEFT, "left", "description"), (RIGHT, "right", "amount")] + ([(560.0, "left", "quantity")] if chance(0.5) else [])
            for x, align, column in heads:
                document.put(x, self.y, [(pick(COLUMNS[column]["labels"][style.label_language]), ())], None, align)
            self.y += self.size * self.lead
        suffix = pick(["", "", "", " SR", " T", " A", "*", " B", " S", " Z", " ZR"])
        times = pick([" x ", " X ", " @ ", " * ", "x ", " pcs @ "])
        total = 0.0
        for row in range(count):
            marks = (("row", number, row),)
            own = lambda column: marks + (("cell", number, column, row),)
            price, units = round(DICE.lognormvariate(1.8, 1), 2), DICE.randint(1, 6) if chance(0.5) else 1
            amount = round(price * units, 2)
            total += amount
            tail: list[Part] = [(suffix, marks)] if suffix else []
            item: list[Part] = [(style.item(), own("description"))]
            sum_parts = document.money(amount, own("amount"), "bare" if chance(0.85) else None)
            sum_parts = [(text, here or marks) for text, here in sum_parts] + tail
            count_parts: list[Part] = [(str(units), own("quantity")), (times, marks), (style.number(price), own("unit_price"))]
            at_right = lambda parts: document.put(RIGHT, self.y, parts, None, "right")
            if form == "one":
                document.put(LEFT, self.y, item)
                at_right(sum_parts)
            elif form == "two":
                self.line(item)
                document.put(pick([60.0, 100.0, 200.0]), self.y, count_parts)
                at_right(sum_parts)
            elif form == "two below":
                self.line(count_parts)
                document.put(LEFT, self.y, item)
                at_right(sum_parts)
            elif form == "name below":
                document.put(LEFT, self.y, count_parts)
                at_right(sum_parts)
                self.y += self.size * self.lead
                document.put(LEFT, self.y, item)
            elif form == "code":
                self.line([(style.text("sku"), own("sku")), (" ", marks), *item])
                document.put(300, self.y, [(str(units), own("quantity"))])
                document.put(620, self.y, [(style.number(price), own("unit_price"))], None, "right")
                at_right(sum_parts)
            else:
                document.put(LEFT, self.y, [(str(units), own("quantity")), (pick(["", "x", " x"]), marks)])
                document.put(120, self.y, item)
                at_right(sum_parts)
            self.y += self.size * self.lead
            if chance(0.06):
                self.line([(pick(["  less ", "  ", "  - "]) + pick(["Discount", "Promo", style.words("sections")]), marks)])
        return total

    # ---- sums

    def sums(self, total: float) -> None:
        document, style = self.document, self.style
        rate = pick(style.locale.rates)
        label = document.label
        rows: list[tuple[str, list[Part]]] = []
        add = lambda concept, amount, text=None: rows.append((text or label(concept), document.amount(concept, amount)))
        included = chance(0.6)
        net = total / (1 + rate / 100) if included else total
        tax = total - net if included else total * rate / 100
        gross = total if included else total + tax
        if chance(0.35):
            rows.append((label("item_count"), [(str(DICE.randint(1, 20)), document.mark(document.fact("item_count")))]))
        if chance(0.6):
            add("subtotal", net)
        if chance(0.18):
            add("discount", round(total * 0.05, 2))
        if chance(0.1):
            add("service_charge", round(total * 0.1, 2))
        if chance(0.5):
            add("tax", tax, tax_label(document, rate) if chance(0.4) else None)
        rounded = False
        methods: dict[str, tuple] = {}  # labels that say how it was paid
        if chance(0.3):
            step = DICE.choice([-0.02, -0.01, 0.01, 0.02, 0.0])
            rounded = style.label_language == "en" and step and chance(0.5)
            rows.append((pick(UNROUNDED if rounded else NEAR_TOTALS[style.label_language]), document.money(gross - step, ())))
            add("rounding", step)
        for _ in range(pick([0, 0, 0, 1, 1, 2])):
            near = pick([net, gross * 0.97, tax, total, gross - 0.02, DICE.random() * 20])
            rows.append((pick(NEAR_TOTALS[style.label_language]), document.money(near, ())))
        add("total", gross, pick(ROUNDED) if rounded else None)
        if chance(0.2):
            rows.append((label("total"), document.amount("total", gross)))
        if chance(0.62):
            given = round_up(gross, pick([1, 5, 10, 50])) if chance(0.6) else gross
            if chance(0.55):
                add("paid", given)
            else:
                number = document.find("payment_method")
                if number is None:
                    number = document.fact("payment_method", pick(WORDS["payment_methods"][style.language]))
                method = document.facts[number].text
                add("paid", given, method)
                methods[method] = document.mark(number)
            if given > gross or chance(0.4):
                add("change", given - gross)
        if chance(0.06):
            DICE.shuffle(rows)
        form = weighted({"right": 72, "inline": 12, "columns": 16})
        x = pick([LEFT, LEFT, 250.0, 400.0])
        sign_column = chance(0.12)
        for text, parts in rows:
            here = [(text, methods.get(text, ())), (style.colon if chance(0.5) else "", ())]
            size = self.size * (pick([1, 1, 1.3, 1.6]) if text == label("total") else 1)
            if form == "inline":
                document.put(x, self.y, here + [(" ", ()), *parts], size)
            else:
                document.put(x, self.y, here, size)
                if sign_column:
                    document.put(620, self.y, [(style.currency[1], ())], size)
                document.put(RIGHT if form == "right" else 650, self.y, parts, size, "right" if form == "right" else "left")
            self.y += size * self.lead * (1.2 if chance(0.15) else 1)
        self.rate, self.net, self.tax, self.gross = rate, net, tax, gross

    def foot(self) -> None:
        document, style = self.document, self.style
        if chance(0.3):
            self.y += self.size * 0.5
            for concept in some(["payment_method", "card_number", "auth_code", "terminal"], 3, 1):
                self.line([(document.label(concept) + self.gap, ()), *document.value(concept)])
        if chance(0.35):
            heads = [pick(["GST Summary", "Tax Summary", "Tax Code"]) if style.language == "en" else tax_label(document), pick(["Amount", "Amt"]) + f"({style.currency[1]})", tax_label(document) + f"({style.currency[1]})"]
            places = [(LEFT, "left"), (650.0, "right"), (RIGHT, "right")]
            for (x, align), head in zip(places, heads):
                document.put(x, self.y, [(head, ())], self.size * 0.9, align)
            self.y += self.size * self.lead
            cells = [pick([f"SR {self.rate:g}%", f"A {self.rate:g}%", f"{self.rate:g}%", f"SR @ {self.rate:g}%"]), style.number(self.net), style.number(self.tax)]
            for (x, align), cell in zip(places, cells):
                document.put(x, self.y, [(cell, ())], None, align)
            self.y += self.size * self.lead
        if self.date_below:
            parts = self.with_time(document.value("receipt_date"))
            extra = [("  " + pick([digits(4), "POS " + digits(2), "#" + digits(5), "T" + digits(1) + " R" + digits(6)]), ())] if chance(0.4) else []
            self.line(parts + extra, pick([LEFT, LEFT, 300.0]))
        elif chance(0.12):
            self.line([*document.value("receipt_date"), ("  " + style.time(), ())])
        for _ in range(DICE.randint(0, 4)):
            document.put(MIDDLE, self.y, [(pick(WORDS["thanks"][style.language]), ())], None, "center")
            self.y += self.size * self.lead
        if chance(0.1):
            self.centered(pick([lambda: self.seller.contact("phone"), lambda: self.seller.contact("website"), lambda: self.seller.name_parts()])())

    def draw(self) -> Document:
        self.head()
        self.meta()
        self.y += self.size * pick([0.2, 0.5])
        total = self.goods()
        self.y += self.size * pick([0.2, 0.5])
        self.sums(total)
        self.foot()
        return self.document
