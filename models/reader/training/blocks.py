"""Blocks of a page: labels with values, tables, sums, footers, prose. Each is drawn at a place and gives the y below."""

import re

from chance import DICE, chance, digits, pick, some, weighted
from document import Document, ListOf, Part
from language import COLUMNS, FACTS, LABELS, SENTENCES, WORDS
from parties import CONTACTS, Party
from values import identifier

Pair = tuple[str, list[Part]]  # a label and its value

BANK = ["bank_name", "iban", "bic", "account_number", "sort_code", "account_holder"]
SMALL_PRINT = ["managing_director", "mandate_reference", "creditor_id"]


def fact_pair(document: Document, concept: str) -> Pair:
    return document.label(concept), document.value(concept)


# ---- labels that are in no list


def open_pair(document: Document) -> Pair:
    """A label made of a noun and a head, or a single word, and what a schema would call it."""
    style = document.style
    language = style.label_language
    if chance(0.3):
        entry = pick(LABELS["singles"])
        label, kind = entry["labels"][language], entry["kind"]
        names = [entry["name"]] * 2 + [label]
        descriptions = [label, f"The {entry['name']}", entry["name"].capitalize()]
        words = (entry["name"],)
    else:
        noun, head = pick(LABELS["nouns"]), pick(LABELS["heads"])
        pattern = pick(head["labels"][language])
        label = pattern.replace("{}", noun[language].title() if language == "en" else noun[language])
        label = label[:1].upper() + label[1:]
        if language in ("de", "nl") and not pattern.startswith("{} "):
            label = label[0] + label[1:].lower().replace("-nr", "-Nr")
        kind = head["kind"]
        names = [f"{noun['en']}_{pick(head['names'])}"] * 2 + [label]
        descriptions = [f"{head['key'].capitalize()} of the {noun['en']}", f"The {head['key']} of the {noun['en']}", label]
        words = (noun["en"], head["key"])
    if chance(0.1):
        label = label.upper()
    number = document.fact("open", None, None, kind, {"names": names, "descriptions": descriptions, "words": words})
    here = document.mark(number)
    if kind == "money":
        return label, document.money(round(DICE.lognormvariate(4, 1.6), 2), here)
    text = style.text(kind)
    document.facts[number].text = text
    if kind == "bool" and chance(0.3):
        return label, tick_boxes(WORDS["yes_no"][language], here)
    return label, [(text, here)]


def tick_boxes(options: list[str], here: tuple) -> list[Part]:
    """[x] Yes [ ] No: the value is the word that is ticked."""
    empty, full = pick([("[ ]", "[x]"), ("[]", "[X]"), ("☐", "☒"), ("☐", "☑"), ("( )", "(x)"), ("□", "■"), ("○", "●"), ("o", "x")])
    options = list(options)
    chosen = pick(options)
    after = chance(0.25)
    parts: list[Part] = []
    for option in options:
        box = full if option == chosen else empty
        word = (option, here if option == chosen else ())
        parts += [word, (" " + box, ())] if after else [(box + " ", ()), word]
        parts.append(("  ", ()))
    return parts


def ticked_pair(document: Document) -> Pair:
    """A choice among a few, ticked."""
    style = document.style
    concept, options = pick([("gender", ["male", "female", "other"]), ("gender", ["männlich", "weiblich", "divers"]), ("marital_status", ["single", "married", "divorced"]), ("marital_status", ["ledig", "verheiratet", "geschieden"]), ("marital_status", ["célibataire", "marié", "divorcé"]), ("payment_method", WORDS["payment_methods"][style.language][:3]), ("travel_class", ["1st", "2nd"]), ("consent", WORDS["yes_no"][style.language]), ("newsletter", WORDS["yes_no"][style.language]), ("result_overall", ["Passed", "Failed"])])
    number = document.find(concept)
    if number is not None:
        return open_pair(document)
    number = document.fact(concept)
    parts = tick_boxes(options, document.mark(number))
    document.facts[number].text = next((text for text, marks in parts if marks), None)
    document.facts[number].asked = {"options": options}
    return document.label(concept), parts


# ---- labels with values


def pairs(document: Document, items: list[Pair], x: float, y: float, width: float, form: str | None = None, size: float | None = None) -> float:
    size = size or document.style.size
    form = form or weighted({"inline": 28, "columns": 27, "right": 11, "above": 9, "grid": 14, "dots": 3, "boxed": 5, "beside": 8})
    if form == "beside" and len(items) > 1 and width >= 320:
        return _beside(document, items, x, y, width, size)
    if form in ("grid", "boxed") and (len(items) < 2 or width < 320):
        form = "columns"
    if form == "columns" and width < 200:
        form = "inline"
    if form in ("grid", "boxed"):
        return _grid(document, items, x, y, width, size, tight=form == "boxed")
    lead = pick([1.25, 1.3, 1.5, 1.8])
    colon = document.style.colon
    widest = max((len(label) for label, _ in items), default=0)
    offset = min(width * 0.6, widest * size * document.style.wide * 1.05 + size * pick([0.8, 1.2, 3]))
    for label, value in items:
        if form == "inline":
            y = document.wrap(x, y, [(label + (colon or pick(["", ":"])) + " ", ()), *value], width, size, lead)
            continue
        if form == "above":
            below = chance(0.08)
            first, second = (value, [(label, ())]) if below else ([(label + pick(["", "", ":"]), ())], value)
            document.put(x, y, first, size * (1 if below else pick([0.8, 0.9, 1])))
            y += size * 1.15
            document.put(x, y, second, size * (0.8 if below else 1))
            y += size * lead
            continue
        if form == "dots":
            document.put(x, y, [(f"{label} {'.' * DICE.randint(3, 20)} ", ()), *value], size)
        else:
            document.put(x, y, [(label + (colon if chance(0.8) else ""), ())], size)
            if form == "columns":
                document.put(x + offset, y, ([(": ", ())] if chance(0.06) else []) + value, size)
            else:
                document.put(x + width, y, value, size, "right")
        y += size * lead
    return y


def _beside(document: Document, items: list[Pair], x: float, y: float, width: float, size: float) -> float:
    """Two or three labels with their values in one line, as in typed forms."""
    across = pick([2, 2, 2, 3])
    colon = document.style.colon or pick(["", ":"])
    aligned = chance(0.5)
    gap = pick(["  ", "   ", "      ", " | ", " "])
    lead = pick([1.25, 1.4, 1.8])
    for start in range(0, len(items), across):
        group = [[(label + colon + " ", ()), *value] for label, value in items[start : start + across]]
        if aligned:
            bottom = y
            for k, parts in enumerate(group):
                step = width / across
                bottom = max(bottom, document.wrap(x + k * step, y, parts, step - size * 0.6, size, 1.2) - size * 1.2)
            y = bottom + size * lead
        else:
            line = [part for k, parts in enumerate(group) for part in ([(gap, ())] if k else []) + parts]
            y = document.wrap(x, y, line, max(width, 700 if x < 200 else 0), size, lead)
    return y


def _grid(document: Document, items: list[Pair], x: float, y: float, width: float, size: float, tight: bool) -> float:
    """Labels in one row, values below, as in the boxes of forms."""
    across = min(len(items), max(2, int(width // pick([130, 180, 240]))))
    align = pick(["left", "left", "center"])
    for start in range(0, len(items), across):
        group = items[start : start + across]
        step = width / (across if tight else len(group))
        at = [x + k * step + (step / 2 if align == "center" else 0) for k in range(len(group))]
        for place, (label, _) in zip(at, group):
            document.put(place, y, [(label + pick(["", "", "", ":"]), ())], size * pick([0.8, 0.85, 1, 1]), align)
        y += size * pick([1.2, 1.4])
        for place, (_, value) in zip(at, group):
            document.put(place, y, value, size, align)
        y += size * pick([1.6, 1.9, 2.4])
    return y


# ---- tables


def column_label(document: Document, column: str) -> str:
    text = pick(COLUMNS[column]["labels"][document.style.label_language])
    if COLUMNS[column]["kind"] == "money" and chance(0.08):
        text += f" ({pick(document.style.currency)})"
    return text.upper() if chance(0.1) else text


WIDTHS = {"phone": 2, "email": 3, "phrase": 4, "city": 2, "country": 1.7, "model": 2.4, "oneword": 1.6, "dept": 2.2, "verdict": 2, "status": 1.5, "item": 5, "memo": 5, "test": 4, "person": 3, "company": 3.5, "job": 3.5, "task": 5, "course": 4, "school": 3.5, "degree": 3.5, "date": 1.7, "range": 1.8, "money": 1.6, "years": 2.2}


class Table:
    """A table with its columns, drawn row by row over as many pages as it needs."""

    def __init__(self, document: Document, columns: list[str], x: float, width: float, name: str, size: float | None = None, description: str | None = None):
        self.document, self.x, self.width = document, x, width
        # The unit may stand in the cell of the quantity.
        self.with_unit = "unit" in columns and "quantity" in columns and chance(0.3)
        self.columns = [c for c in columns if not (c == "unit" and self.with_unit)]
        self.size = size or document.style.size
        self.number = len(document.lists)
        document.lists.append(ListOf(name, columns, description))
        columns = self.columns
        weights = [WIDTHS.get(COLUMNS[c]["kind"], 1) * DICE.uniform(0.85, 1.2) for c in columns]
        self.places = []
        at = x
        for weight in weights:
            wide = width * weight / sum(weights)
            self.places.append((at, wide))
            at += wide
        numeric = ("money", "qty", "percent", "labval", "int")
        self.right = [COLUMNS[c]["kind"] in numeric and chance(0.85) for c in columns]
        if chance(0.15):
            self.right = [False] * len(columns)
        self.centered = chance(0.06)
        self.lead = pick([1.25, 1.4, 1.6, 2.2])
        self.money_form = document.style.money_form if chance(0.25) else "bare"
        self.sparse = {c: COLUMNS[c]["kind"] not in ("item", "memo", "test") and chance(0.07) for c in columns}
        self.details, self.long_names, self.discounted = chance(0.33), chance(0.1), chance(0.06)
        # Where the other cells stand beside a text of several lines.
        self.upright = weighted({"top": 86, "bottom": 7, "middle": 7})
        # Rows as lines of running text: no columns below each other.
        self.joint = pick([" | ", " | ", "; ", ", ", " - ", "  ", " ", " / "]) if chance(0.06) else None
        # Each value with its label: in one line, or below each other.
        self.labelled = pick([", ", "; ", " | ", "  ", "\n", "\n"]) if not self.joint and chance(0.06) else None
        self.labels = [column_label(document, c) for c in columns] if self.labelled else []
        # Lines of signs around the cells, as in tables of plain text.
        self.ruled = not self.joint and not self.labelled and chance(0.05)
        self.row = 0
        self.total = 0.0
        self.balance = DICE.random() * 5000

    def cell(self, k: int, y: float, parts: list[Part]) -> float:
        x, wide = self.places[k]
        document = self.document
        text = "".join(part for part, _ in parts)
        if COLUMNS[self.columns[k]]["kind"] in WIDTHS and not self.right[k] and sum(document.style.width_of(c, self.size) for c in text) > wide - 6:
            return document.wrap(x, y, parts, wide - 6, self.size, 1.15) - self.size * 1.15
        if self.centered:
            document.put(x + wide / 2, y, parts, self.size, "center")
        elif self.right[k]:
            document.put(x + wide - 8, y, parts, self.size, "right")
        else:
            document.put(x, y, parts, self.size)
        return y

    def header(self, y: float) -> float:
        bottom = y
        if self.labelled:
            return y
        if self.joint:
            labels = [column_label(self.document, column) for column in self.columns]
            return self.document.wrap(self.x, y, [(self.joint.join(labels), ())], self.width, self.size) + self.size * pick([0, 0.4])
        for k, column in enumerate(self.columns):
            if chance(0.97):
                bottom = max(bottom, self.cell(k, y, [(column_label(self.document, column), ())]))
        if self.ruled:
            self.rule(y)
            bottom += self.size * 1.3
            for x, wide in self.places:
                self.document.put(x - self.size * 0.5, bottom, [("|" + "-" * max(2, int(wide / self.size / 0.6) - 2), ())], self.size)
            return bottom + self.size * 1.3
        return bottom + self.size * pick([1.4, 1.7, 2.2])

    def rule(self, y: float) -> None:
        for x in [x - self.size * 0.5 for x, _ in self.places] + [self.x + self.width]:
            self.document.put(x, y, [("|", ())], self.size)

    def values(self, marks: tuple) -> dict[str, list[Part]]:
        document, style = self.document, self.document.style
        price = round(DICE.lognormvariate(2.8, 1.4), 2)
        count = DICE.randint(1, 10) if chance(0.8) else 1
        decimal = chance(0.1)
        if decimal:
            count = round(DICE.random() * 20, pick([1, 2]))
        amount = round(price * count, 2)
        rate = pick(style.locale.rates)
        paid_in = chance(0.5)
        self.total += amount
        self.balance += amount if paid_in else -amount
        sums = {"unit_price": price, "amount": amount, "balance": self.balance, "net_amount": amount, "tax_amount": amount * rate / 100, "debit": amount, "credit": amount}
        out = {}
        for column in self.columns:
            here = marks + (("cell", self.number, column, self.row),)
            kind = COLUMNS[column]["kind"]
            if self.sparse[column] and chance(0.5) or column == "debit" and paid_in or column == "credit" and not paid_in:
                continue
            if kind == "money":
                out[column] = [(text, own or marks) for text, own in document.money(sums[column] if column in sums else round(DICE.lognormvariate(4, 1.6), 2), here, self.money_form)]
            elif column in ("quantity", "ordered"):
                unit = "" if "unit" in self.columns or self.with_unit or chance(0.88) else pick([" x", " pcs", " Stk", "x", " h", " szt", " ea"])
                out[column] = [((style.number(count, 2 if decimal or chance(0.2) else 0)) + unit, here)]
                if self.with_unit and column == "quantity":
                    out[column] += [(" ", marks), (style.text("uom"), marks + (("cell", self.number, "unit", self.row),))]
            elif kind == "pos":
                out[column] = [(f"{self.row + 1}{pick(['', '', '.'])}", here)]
            elif column == "tax_rate":
                out[column] = [(pick([f"{rate:g}%", f"{rate:g} %", f"{rate:g}", style.number(rate, 2)]), here)]
            elif kind == "item" and self.long_names:
                out[column] = [(f"{style.item()}{pick([' ', ', ', ' - '])}{style.phrase()}", here)]
            else:
                out[column] = [(style.text(kind), here)]
        return out

    def draw_row(self, y: float) -> float:
        marks = (("row", self.number, self.row),)
        values = self.values(marks)
        if self.labelled:
            self.row += 1
            return self._labelled_row(y, values, marks)
        if self.ruled:
            self.rule(y)
        if self.joint:
            bullet = pick(["- ", "* ", "• "]) if self.joint in (", ", " - ") and chance(0.5) else ""
            line: list[Part] = [(bullet, ())] if bullet else []
            for k, column in enumerate(c for c in self.columns if c in values):
                line += ([(self.joint, marks)] if k else []) + values[column]
            self.row += 1
            return self.document.wrap(self.x, y, line, self.width, self.size) + self.size * (self.lead - 1.25)
        main = next((k for k, c in enumerate(self.columns) if COLUMNS[c]["kind"] in ("item", "memo")), None)
        bottom = y if main is None or self.columns[main] not in values else self.cell(main, y, values[self.columns[main]])
        beside = bottom if self.upright == "bottom" else (y + bottom) / 2 if self.upright == "middle" else y
        for k, column in enumerate(self.columns):
            if column in values and k != main:
                bottom = max(bottom, self.cell(k, beside, values[column]))
        if main is not None and chance(0.5 if self.details else 0.04):
            bottom = self._detail(main, bottom, marks)
        if main is not None and self.discounted and chance(0.4):
            bottom += self.size * 1.2
            label = pick(["Discount", "Rabatt", "Remise", "Descuento", "Sconto", "Korting", "Desconto", "Rabat"])
            self.document.put(self.places[main][0], bottom, [(f"{label} {self.document.style.percent()}", marks)], self.size)
            self.document.put(self.x + self.width - 8, bottom, [("-" + self.document.style.number(DICE.random() * 20), marks)], self.size, "right")
        self.row += 1
        return bottom + self.size * self.lead

    def _labelled_row(self, y: float, values: dict[str, list[Part]], marks: tuple) -> float:
        colon = self.document.style.colon or ":"
        # The row begins with its first value: the label before it belongs to none.
        pairs_ = [[(label + colon + " ", ()), *values[c]] for label, c in zip(self.labels, self.columns) if c in values]
        if self.labelled != "\n":
            line = [part for k, parts in enumerate(pairs_) for part in ([(self.labelled, ())] if k else []) + parts]
            return self.document.wrap(self.x, y, line, self.width, self.size) + self.size * (self.lead - 1.25)
        for parts in pairs_:
            y = self.document.wrap(self.x, y, parts, self.width, self.size)
        if chance(0.25):
            self.document.put(self.x, y, [(self.document.style.phrase(), marks)], self.size)
            y += self.size * 1.3
        return y + self.size * pick([0, 0.6, 1])

    def _detail(self, k: int, y: float, marks: tuple) -> float:
        """Lines below an item that belong to its row and not to its name."""
        style = self.document.style
        for _ in range(pick([1, 1, 1, 2, 3])):
            y += self.size * 1.2
            text = pick([lambda: style.phrase(), lambda: "SKU " + digits(5), lambda: f"S/N: {digits(8)}", lambda: f"{style.date()} - {style.date()}", lambda: f"{pick(['Art.-Nr.', 'Ref.', 'Code', 'HSN', 'EAN'])}: {identifier(style.year, True)}", lambda: f"({style.phrase()})", lambda: f"{pick(['incl.', 'inkl.', 'dont', 'incl'])} {style.number(DICE.random() * 5)} {pick(['levy', 'Eco-Part', 'Recycling', 'bijdrage'])}", lambda: f"- {style.item()}", lambda: f"{pick(['Discount', 'Rabatt', 'Remise', 'Descuento', 'Sconto', 'Korting'])} {style.percent()}"])()
            self.document.put(self.places[k][0] + pick([0, 0, 12]), y, [(text, marks)], self.size * pick([0.85, 0.9, 1]))
        return y

    def section(self, y: float) -> float:
        """A heading between rows: no row of its own."""
        style = self.document.style
        text = pick(["--- ", "", "* ", "", "# "]) + pick([style.words("sections"), style.words("sections"), style.date(), style.phrase(), f"{DICE.randint(1, 9)}. {style.words('sections')}"])
        self.document.put(self.x, y, [(text, ())], self.size, bold=chance(0.6))
        return y + self.size * self.lead

    def subtotal(self, y: float, label: str) -> float:
        self.document.put(self.x + pick([0, 0, self.width * 0.4]), y, [(label, ())], self.size)
        self.document.put(self.x + self.width - 8, y, [(self.document.style.number(self.total), ())], self.size, "right")
        return y + self.size * self.lead

    def draw(self, y: float, count: int, header: bool = True, break_at: float | None = None) -> float:
        document = self.document
        sections = chance(0.12)
        if header:
            y = self.header(y)
        for k in range(count):
            if sections and (k == 0 or chance(0.25)):
                if k and chance(0.3):
                    y = self.subtotal(y, document.label("subtotal"))
                y = self.section(y)
            y = self.draw_row(y)
            if break_at is not None and y > break_at and k < count - 1:
                y = self._break_page(y)
        return y

    def _break_page(self, y: float) -> float:
        document = self.document
        carried = chance(0.5)
        if carried:
            self.subtotal(y, document.style.words("carried"))
        document.next_page()
        y = pick([40.0, 80.0])
        if chance(0.6):
            number = next((c for c in ("invoice_number", "order_number", "account_number") if document.has(c)), None)
            parts: list[Part] = [(document.style.words("pages").replace("{}", str(document.page + 1), 1).replace("{}", str(document.page + 1)), ())]
            if number and chance(0.6):
                parts = [(document.label(number) + " ", ()), *document.value(number), ("   ", ()), *parts]
            document.put(60, y, parts, self.size * 0.9)
            y += self.size * 2.2
        if chance(0.75):
            y = self.header(y)
        return self.subtotal(y, document.style.words("carried")) if carried and chance(0.7) else y


# ---- sums


def tax_label(document: Document, rate: float | None = None) -> str:
    label = re.sub(r"\s*\(?\d+(,00)?\s*%\)?\s*", " ", document.label("tax")).strip() or "VAT"
    if rate is None:
        return label
    return pick([f"{label} {rate:g}%", f"{rate:g}% {label}", f"{label} ({rate:g} %)", f"{label} @ {rate:g}%", f"{label} {document.style.number(rate, 2)}%", f"{label} {rate:g} %"])


class Sums:
    """Net, tax, total and what stands around them."""

    def __init__(self, document: Document, total: float):
        self.document = document
        rates = document.style.locale.rates
        self.rates = [pick(rates)] if len(set(rates)) < 2 or chance(0.8) else some(set(rates), 2, 2)
        self.discount = round(total * pick([0.02, 0.05, 0.1]), 2) if chance(0.2) else 0.0
        self.shipping = round(DICE.random() * 20, 2) if chance(0.25) else 0.0
        base = max(0.01, total - self.discount + self.shipping)
        share = [DICE.uniform(0.2, 0.8), 0.0] if len(self.rates) == 2 else [1.0]
        if len(share) == 2:
            share[1] = 1 - share[0]
        gross_prices = chance(0.3)
        self.nets = [base * s / (1 + r / 100) if gross_prices else base * s for s, r in zip(share, self.rates)]
        self.taxes = [n * r / 100 for n, r in zip(self.nets, self.rates)]
        self.net, self.tax = sum(self.nets), sum(self.taxes)
        self.gross = self.net + self.tax

    def lines(self) -> list[Pair]:
        d = self.document
        out: list[Pair] = []
        if self.discount and chance(0.9):
            out.append((d.label("discount"), d.amount("discount", -self.discount if chance(0.6) else self.discount)))
        if self.shipping and chance(0.9):
            out.append((d.label("shipping"), d.amount("shipping", self.shipping)))
        if chance(0.85):
            out.append((d.label("subtotal"), d.amount("subtotal", self.net)))
        if len(self.rates) == 2:
            for rate, tax in zip(self.rates, self.taxes):
                out.append((tax_label(d, rate), d.money(tax, ())))
            if chance(0.4):
                out.append((tax_label(d), d.amount("tax", self.tax)))
            else:
                d.unclear.add("tax")
            d.unclear.add("tax_rate")
        elif chance(0.88):
            if chance(0.12):
                out.append((d.label("tax_rate"), [(f"{self.rates[0]:g}%", d.mark(d.fact("tax_rate", f"{self.rates[0]:g}")))]))
                out.append((tax_label(d), d.amount("tax", self.tax)))
            else:
                shown = chance(0.6)
                label = tax_label(d, self.rates[0] if shown else None)
                rate = re.search(r"\d+[.,]?\d*\s?%", label)
                if shown and rate and d.find("tax_rate") is None:
                    number = d.fact("tax_rate", rate.group())
                    parts = [(label[: rate.start()], ()), (rate.group(), d.mark(number)), (label[rate.end() :], ())]
                    out.append((parts, d.amount("tax", self.tax)))
                else:
                    out.append((label, d.amount("tax", self.tax)))
        return out

    def final(self) -> list[Pair]:
        d = self.document
        out: list[Pair] = []
        gross = self.gross
        if chance(0.08):
            step = DICE.choice([-0.02, -0.01, 0.01, 0.02, 0.04])
            out.append((d.label("rounding"), d.amount("rounding", step)))
            gross += step
        out.append((d.label("total"), d.amount("total", gross)))
        if chance(0.15):
            paid = gross if chance(0.4) else round(gross * DICE.random(), 2)
            out.append((d.label("paid"), d.amount("paid", paid)))
            out.append((d.label("balance_due"), d.amount("balance_due", gross - paid)))
        return out

    def draw_lines(self, items: list, x: float, y: float, width: float) -> float:
        """Like pairs(), for labels that hold a value themselves."""
        d = self.document
        size = d.style.size
        form = weighted({"right": 62, "columns": 22, "inline": 12, "label right": 4})
        lead = pick([1.3, 1.5, 1.8])
        for k, (label, value) in enumerate(items):
            parts = label if isinstance(label, list) else [(label + (d.style.colon if chance(0.5) else ""), ())]
            here = size * (pick([1, 1.15, 1.4]) if k == len(items) - 1 else 1)
            if form == "inline":
                d.put(x, y, [*parts, (" ", ()), *value], here)
            elif form == "label right":
                d.put(x + width * 0.6, y, parts, here, "right")
                d.put(x + width, y, value, here, "right")
            else:
                d.put(x, y, parts, here)
                d.put(x + width * (1 if form == "right" else 0.55), y, value, here, "right" if form == "right" else "left")
            y += here * lead
        return y

    def tax_table(self, x: float, y: float, width: float, alone: bool) -> float:
        """Rate, net, tax and gross as a table; alone: nowhere else."""
        d = self.document
        style = d.style
        heads = [tax_label(d) + " %", d.label("subtotal"), tax_label(d)] + ([pick(COLUMNS["amount"]["labels"][style.label_language])] if chance(0.5) else [])
        if chance(0.2):
            heads[0] = pick(["Code", "Type", "Tarif", "Satz", "Tipo"])
        align = pick(["right", "center", "left"])
        step = width / len(heads)
        at = [x + (k + (1 if align == "right" else 0.5 if align == "center" else 0)) * step for k in range(len(heads))]
        for place, head in zip(at, heads):
            d.put(place, y, [(head, ())], style.size * pick([0.85, 1]), align)
        y += style.size * 1.5
        several = len(self.rates) > 1
        for rate, net, tax in zip(self.rates, self.nets, self.taxes):
            marked = alone and not several
            rate_parts: list[Part] = [(pick([f"{rate:g}%", f"{rate:g} %", style.number(rate, 2)]), d.mark(d.fact("tax_rate")) if marked and d.find("tax_rate") is None else ())]
            cells = [rate_parts, d.amount("subtotal", net) if marked else d.money(net, ()), d.amount("tax", tax) if marked else d.money(tax, ()), d.money(net + tax, ())]
            for place, cell in zip(at, cells):
                d.put(place, y, cell, None, align)
            y += style.size * 1.4
        if several and chance(0.6):
            cells = [[(d.label("total"), ())], d.amount("subtotal", self.net), d.amount("tax", self.tax), d.money(self.gross, ())]
            for place, cell in zip(at, cells):
                d.put(place, y, cell, None, align)
            y += style.size * 1.4
        elif several and alone:
            d.unclear |= {"subtotal", "tax"}
        if several:
            d.unclear.add("tax_rate")
        return y + style.size * 0.4

    def draw(self, x: float, y: float, width: float) -> float:
        d = self.document
        form = weighted({"lines": 60, "table alone": 10, "both": 8, "sentence": 6, "row": 8, "total only": 8})
        if form == "row":
            items = [(label if isinstance(label, str) else "".join(t for t, _ in label), value) for label, value in self.lines() + self.final()]
            return _grid(d, items, x, y, max(width, 480) if x < 300 else width, d.style.size, tight=False)
        if form == "table alone":
            y = self.tax_table(x, y, width, alone=True)
            return self.draw_lines(self.final(), x, y, width)
        if form == "sentence" and len(self.rates) == 1:
            final = self.draw_lines(self.final(), x, y, width) if chance(0.6) else None
            y = final or y
            parts = [(tax_label(d, self.rates[0]) + f" {d.style.words('tax_on')} ", ()), *d.amount("subtotal", self.net), (pick([": ", " = ", " "]), ()), *d.amount("tax", self.tax)]
            d.put(x, y, parts)
            y += d.style.size * 1.6
            return y if final else self.draw_lines(self.final(), x, y, width)
        if form == "total only":
            if chance(0.5):
                included = pick(["incl. VAT", "tax included", "inkl. MwSt.", "TVA incluse", "IVA incluido", "incl. btw"])
                y = self.draw_lines(self.final(), x, y, width)
                d.put(x, y, [(included, ())], d.style.size * 0.85)
                return y + d.style.size * 1.5
            return self.draw_lines(self.final(), x, y, width)
        y = self.draw_lines(self.lines() + self.final(), x, y, width)
        if form == "both":
            y = self.tax_table(pick([60, x]), y + d.style.size, width, alone=False)
        return y


# ---- other blocks


def prose(document: Document, x: float, y: float, width: float, sentences: int | None = None, size: float | None = None) -> float:
    """Sentences that hold no fact."""
    texts = [pick(WORDS["filler"][document.style.language]) for _ in range(sentences or DICE.randint(1, 4))]
    return document.wrap(x, y, [(" ".join(texts), ())], width, size)


def sentence_parts(document: Document, template: str, seller: Party | None, buyer: Party | None) -> list[Part]:
    parts: list[Part] = []
    for k, chunk in enumerate(re.split(r"\{(\w+)\}", template)):
        if k % 2 == 0:
            parts.append((chunk, ()))
        elif chunk in ("seller", "buyer"):
            party = seller if chunk == "seller" else buyer
            parts += party.name_parts() if party else [(document.style.company(), ())]
        else:
            parts += document.value(chunk)
    return [part for part in parts if part[0]]


def sentences(document: Document, group: str, count: int, seller: Party | None = None, buyer: Party | None = None) -> list[list[Part]]:
    """Sentences with facts in them."""
    templates = SENTENCES[group][document.style.language]
    chosen = some(templates, count, min(count, len(templates)))
    return [sentence_parts(document, template, seller, buyer) for template in chosen]


def paragraph(document: Document, groups: list[list[Part]], x: float, y: float, width: float, filler: float = 0.4, numbered: bool = False) -> float:
    """Sentences as running text or as clauses of their own."""
    size = document.style.size
    if numbered:
        for k, parts in enumerate(groups):
            mark = pick([f"{k + 1}. ", f"§ {k + 1} ", f"{k + 1}) ", "- ", f"({k + 1}) "])
            y = document.wrap(x, y, [(mark, ()), *parts], width, size) + size * pick([0, 0.4])
        return y
    line: list[Part] = []
    for parts in groups:
        if chance(filler):
            line += [(pick(WORDS["filler"][document.style.language]) + " ", ())]
        line += [*parts, (" ", ())]
        if chance(0.3):
            y = document.wrap(x, y, line, width, size) + size * 0.6
            line = []
    return (document.wrap(x, y, line, width, size) if line else y) + size * 0.6


def footer(document: Document, party: Party, y: float, columns: int | None = None) -> float:
    """Small print in columns: who, how to reach, bank, register."""
    columns = columns or DICE.randint(2, 6)
    size = document.style.size * pick([0.65, 0.75, 0.8, 0.9])
    colon = pick([": ", " ", ": "])
    pool = [
        lambda: [party.name_parts(), *party.address_parts()],
        lambda: party.contacts(4, 2),
        lambda: [[(label + colon, ()), *value] for label, value in (fact_pair(document, c) for c in some(BANK, 4, 2))],
        lambda: [party.contact("vat_id"), party.contact("company_reg")],
        lambda: [[(label + colon, ()), *value] for label, value in (fact_pair(document, c) for c in some(SMALL_PRINT, 2, 1))],
        lambda: [party.contact("tax_number"), [(pick(["Amtsgericht", "Registered in", "RCS", "Registre", "KvK", "Reg. Merc."]) + " " + document.style.city(), ())]],
    ]  # fmt: skip
    DICE.shuffle(pool)
    blocks = [make() for make in pool[:columns]]
    if chance(0.2):
        flat: list[Part] = []
        for block in blocks:
            for parts in block:
                flat += [*parts, (pick([" | ", " · ", ", ", " - ", "  "]), ())]
        return document.wrap(pick([60, 60, 500]), y, flat, 880, size, align=pick(["left", "left", "center"]))
    bottom = y
    step = 880 / len(blocks)
    for k, block in enumerate(blocks):
        at = y
        for parts in block:
            at = document.wrap(60 + k * step, at, parts, step - 12, size, 1.25)
        bottom = max(bottom, at)
    return bottom


def bullet_list(document: Document, values: list[str], x: float, y: float, width: float, name: str, label: str | None, description: str | None = None) -> float:
    """A plain list: after a label with commas, or one below the other."""
    number = len(document.lists)
    document.lists.append(ListOf(name, [], description))
    size = document.style.size
    marks = [(("row", number, k),) for k in range(len(values))]
    if chance(0.55):
        parts: list[Part] = [(label + pick([": ", " : ", "  "]), ())] if label and chance(0.8) else []
        if label and not parts:
            document.put(x, y, [(label, ())], size * 1.1, bold=True)
            y += size * 1.5
        gap = pick([", ", ", ", "; ", " · ", " / ", " | "])
        for k, value in enumerate(values):
            parts += [(value, marks[k])] + ([(gap, ())] if k < len(values) - 1 else [])
        return document.wrap(x, y, parts, width, size)
    if label:
        document.put(x, y, [(label + pick(["", ":"]), ())], size * pick([1, 1.2]), bold=True)
        y += size * 1.5
    bullet = pick(["- ", "• ", "", "* ", "1"])
    for k, value in enumerate(values):
        mark = f"{k + 1}. " if bullet == "1" else bullet
        document.put(x + pick([0, 20]), y, ([(mark, ())] if mark else []) + [(value, marks[k])], size)
        y += size * 1.35
    return y


