"""Documents with known answers, as {set, id, pages, fields, gold, lists}. Nothing of this is trained on.

    python sets.py development <SROIE git> <file>      receipts 0 to 499 and written documents of bench/extraction
    python sets.py held-out <SROIE git> <invoice2data git> <ZUGFeRD git> <file>

The held-out sets are for the last run only: evaluate.py prints figures for them and no text.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import yaml

BENCH = Path(__file__).parent.parent.parent.parent / "bench" / "extraction"


def show(git: str, path: str) -> bytes:
    return subprocess.run(["git", "-C", git, "show", f"HEAD:{path}"], capture_output=True, check=True).stdout


# ---- receipts

RECEIPT_FIELDS = [
    {"name": "company", "type": "string", "description": "Name of the shop or company that issued the receipt"},
    {"name": "date", "type": "string", "description": "Date of the receipt, as printed"},
    {"name": "address", "type": "string", "description": "Address of the shop"},
    {"name": "total", "type": "number", "description": "Total amount to pay"},
]


def receipt_words(git: str, number: int) -> list[tuple]:
    """The data set's boxes are lines of words: a word's place is found by counting characters."""
    out = []
    for line in show(git, f"data/box/{number:03d}.csv").decode("utf8", "replace").split("\n"):
        cells = line.rstrip("\r").split(",", 8)
        if len(cells) < 9 or not all(c.strip().isdigit() for c in cells[:8]) or not cells[8].strip():
            continue
        places, text = [int(c) for c in cells[:8]], cells[8].strip()
        x0, x1, y0, y1 = min(places[::2]), max(places[::2]), min(places[1::2]), max(places[1::2])
        step = (x1 - x0) / max(1, len(text))
        out += [(m.group(), x0 + m.start() * step, y0, x0 + m.end() * step, y1) for m in re.finditer(r"\S+", text)]
    return out


def receipts(git: str, numbers: range, name: str) -> list[dict]:
    out = []
    for number in numbers:
        gold = json.loads(show(git, f"data/key/{number:03d}.json"))
        gold = {k: gold.get(k) or None for k in ("company", "date", "address", "total")}
        words = receipt_words(git, number)
        if len(words) >= 5:
            fields = [f for f in RECEIPT_FIELDS if gold[f["name"]]]
            out.append({"set": name, "id": f"{number:03d}", "pages": [words], "fields": fields, "gold": gold, "lists": []})
    return out


# ---- written documents


def schema_of(short, path: list[str]) -> tuple[list[dict], list[dict]]:
    """The short schemas of bench/extraction: fields and lists with dotted names."""
    fields, lists = [], []
    for name, member in short.items():
        here = ".".join([*path, name])
        if isinstance(member, dict):
            inner = schema_of(member, [*path, name])
            fields, lists = fields + inner[0], lists + inner[1]
        elif isinstance(member, list):
            columns = [field_of(n, m) for n, m in member[0].items()] if isinstance(member[0], dict) else None
            lists.append({"name": here, "columns": columns})
        elif member.startswith("["):
            lists.append({"name": here, "columns": None})
        else:
            fields.append(field_of(here, member))
    return fields, lists


def field_of(name: str, short: str) -> dict:
    kind, _, description = short.partition(" -- ")
    field: dict = {"name": name, **({"description": description} if description else {})}
    if kind.startswith("enum "):
        return {**field, "type": "string", "enum": kind[5:].split("|")}
    kind = kind.replace("?", "")
    return {**field, **({"type": "string", "format": "date"} if kind == "date" else {"type": kind})}


def value_at(gold, path: str):
    for key in path.split("."):
        gold = gold.get(key) if isinstance(gold, dict) else None
    return gold


class WrittenLoader(yaml.SafeLoader):
    """As YAML 1.2 has it: `no` and `on` are names, and days are texts."""


WrittenLoader.yaml_implicit_resolvers = {first: [(tag, form) for tag, form in entries if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")] for first, entries in yaml.SafeLoader.yaml_implicit_resolvers.items()}
WrittenLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))


def written(parts: list[str], name: str) -> list[dict]:
    out = []
    for path in sorted(p for part in parts for p in (BENCH / part).glob("*.yaml")):
        entry = yaml.load(path.read_text(encoding="utf8"), WrittenLoader)
        words = [(m.group(), m.start() * 8, row * 18, m.end() * 8, row * 18 + 14) for row, line in enumerate(entry["text"].split("\n")) for m in re.finditer(r"\S+", line)]
        fields, lists = schema_of(entry["fields"], [])
        gold = {f["name"]: value_at(entry["expected"], f["name"]) for f in fields}
        lists = [{**l, "gold": value_at(entry["expected"], l["name"]) or []} for l in lists]
        out.append({"set": name, "id": path.stem, "pages": [words], "fields": fields, "gold": gold, "lists": lists})
    return out


# ---- invoices


def pdf_pages(data: bytes) -> list[list[tuple]]:
    import pypdfium2

    pages = []
    for page in pypdfium2.PdfDocument(data):
        text, height = page.get_textpage(), page.get_height()
        words: list[list] = []
        word: list | None = None
        for i in range(text.count_chars()):
            c = text.get_text_range(i, 1)
            if not c.strip():
                word = None
                continue
            left, bottom, right, top = text.get_charbox(i, loose=True)
            y0, y1 = height - top, height - bottom
            tall = max(0.1, y1 - y0)
            if word and abs((word[2] + word[4] - y0 - y1) / 2) < 0.5 * tall and -0.5 * tall <= left - word[3] < 0.25 * tall:
                word[0], word[2], word[3], word[4] = word[0] + c, min(word[2], y0), right, max(word[4], y1)
            else:
                word = [c, left, y0, right, y1]
                words.append(word)
        pages.append([tuple(w) for w in words])
    return pages


INVOICE_FIELDS = {
    "issuer": {"type": "string", "description": "Company that issued the invoice"},
    "invoice_number": {"type": "string", "description": "Number of the invoice"},
    "date": {"type": "string", "format": "date", "description": "Date of the invoice"},
    "date_due": {"type": "string", "format": "date", "description": "Date by which it is to be paid"},
    "amount": {"type": "number", "description": "Total to pay, tax included"},
    "amount_untaxed": {"type": "number", "description": "Total without tax"},
    "amount_tax": {"type": "number", "description": "Amount of tax"},
    "currency": {"type": "string", "description": "Currency as a three-letter code"},
    "vat": {"type": "string", "description": "VAT number of the issuer"},
    "iban": {"type": "string", "description": "IBAN of the issuer"},
    "bic": {"type": "string", "description": "BIC of the issuer"},
    "telephone": {"type": "string", "description": "Telephone of the issuer"},
    "partner_zip": {"type": "string", "description": "Postcode of the issuer"},
    "partner_city": {"type": "string", "description": "City of the issuer"},
    "payment_method": {"type": "string", "description": "How it was paid"},
}
INVOICES = ["AmazonWebServices", "AzureInterior", "FlipkartInvoice", "NetpresseInvoice", "QualityHosting", "coolblue1", "coolblue2", "free_fiber", "oyo", "saeco"]


def invoices(git: str) -> list[dict]:
    out = []
    for name in INVOICES:
        gold = json.loads(show(git, f"tests/compare/{name}.json"))[0]
        fields = [{"name": k, **f} for k, f in INVOICE_FIELDS.items() if k in gold]
        lines = [{"name": line["name"].split("\n")[0], "price_unit": float(line["price_unit"])} for line in gold.get("lines", []) if line.get("name") and float(line.get("price_unit") or 0)]
        columns = [{"name": "name", "type": "string"}, {"name": "price_unit", "type": "number"}]
        lists = [{"name": "lines", "description": "The positions of the invoice", "columns": columns, "gold": lines, "unordered": "name"}] if lines else []
        out.append({"set": "invoices (invoice2data)", "id": name, "pages": pdf_pages(show(git, f"tests/compare/{name}.pdf")), "fields": fields, "gold": {k: gold[k] for k in INVOICE_FIELDS if k in gold}, "lists": lists})
    return out


ZUGFERD_FIELDS = [
    {"name": "invoice_number", "type": "string", "description": "Number of the invoice"},
    {"name": "invoice_date", "type": "string", "format": "date", "description": "Date of the invoice"},
    {"name": "due_date", "type": "string", "format": "date", "description": "Date by which it is to be paid"},
    {"name": "currency", "type": "string", "description": "Currency as a three-letter code"},
    {"name": "seller.name", "type": "string", "description": "Name of the company that issued the invoice"},
    {"name": "buyer.name", "type": "string", "description": "Name of the customer"},
    {"name": "net_amount", "type": "number", "description": "Total without tax"},
    {"name": "tax_amount", "type": "number", "description": "Amount of tax"},
    {"name": "total", "type": "number", "description": "Total to pay, tax included"},
]


def zugferd_gold(xml: bytes) -> tuple[dict, list[dict]] | None:
    root = ElementTree.fromstring(xml)
    for element in root.iter():
        element.tag = element.tag.split("}")[-1]
    text = lambda path, at=root: (found.text or "").strip() or None if (found := at.find(f".//{path}")) is not None and found.text else None
    days = lambda value: f"{value[:4]}-{value[4:6]}-{value[6:8]}" if value and len(value) == 8 else None
    amount = lambda path, at=root: float(value) if (value := text(path, at)) else None
    document = root.find("ExchangedDocument") if root.find("ExchangedDocument") is not None else root.find("HeaderExchangedDocument")
    if document is None:
        return None
    sums = next((e for e in root.iter() if e.tag in ("SpecifiedTradeSettlementHeaderMonetarySummation", "SpecifiedTradeSettlementMonetarySummation") and e.find("GrandTotalAmount") is not None), root)
    gold = {
        "invoice_number": text("ID", document), "invoice_date": days(text("IssueDateTime/DateTimeString", document)), "due_date": days(text("SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString")), "currency": text("InvoiceCurrencyCode"),
        "seller.name": text("SellerTradeParty/Name"), "buyer.name": text("BuyerTradeParty/Name"), "net_amount": amount("TaxBasisTotalAmount", sums), "tax_amount": amount("TaxTotalAmount", sums), "total": amount("GrandTotalAmount", sums),
    }  # fmt: skip
    lines = []
    for line in root.iter("IncludedSupplyChainTradeLineItem"):
        name, total = text("SpecifiedTradeProduct/Name", line), amount("LineTotalAmount", line)
        if name and total is not None:
            lines.append({"name": name.split("\n")[0], "total": total})
    return gold, lines


def zugferd(git: str, most: int = 60) -> list[dict]:
    import pypdfium2

    listed = subprocess.run(["git", "-C", git, "ls-tree", "-r", "HEAD", "--name-only"], capture_output=True, check=True, text=True).stdout.split("\n")
    out, seen = [], set()
    for path in sorted(p for p in listed if p.lower().endswith(".pdf") and "fail" not in p.lower()):
        try:
            data = show(git, path)
            pdf = pypdfium2.PdfDocument(data)
            xml = next(bytes(a.get_data()) for a in (pdf.get_attachment(i) for i in range(pdf.count_attachments())) if a.get_name().lower().endswith(".xml"))
            found = zugferd_gold(xml)
            pages = pdf_pages(data)
        except Exception:
            continue
        key = "".join(w[0] for w in pages[0])[:400] if pages else ""
        if found is None or not key or key in seen or len(pages) > 6:
            continue
        seen.add(key)
        gold, lines = found
        fields = [f for f in ZUGFERD_FIELDS if gold[f["name"]] is not None]
        columns = [{"name": "name", "type": "string"}, {"name": "total", "type": "number"}]
        lists = [{"name": "items", "description": "The positions of the invoice", "columns": columns, "gold": lines, "unordered": "name"}] if lines else []
        out.append({"set": "invoices (ZUGFeRD)", "id": path, "pages": pages, "fields": fields, "gold": gold, "lists": lists})
        if len(out) == most:
            break
    return out


def main(part: str, sroie: str, *rest: str) -> None:
    if part == "development":
        out = receipts(sroie, range(500), "receipts 0-499") + written(["dev", "lists-dev"], "written") + written(["varied-dev", "wild-dev"], "texts by others")
    else:
        out = receipts(sroie, range(500, 626), "receipts 500-625") + written(["held-out", "lists-held-out"], "written (held out)") + invoices(rest[0]) + zugferd(rest[1])
    with open(rest[-1], "w", encoding="utf8") as file:
        json.dump(out, file, ensure_ascii=False)
    print(f"{len(out)} documents")


if __name__ == "__main__":
    main(*sys.argv[1:])
