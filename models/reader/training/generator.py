"""Invents one document after the other."""

from chance import weighted
from business import KINDS, Business
from document import Document
from passages import passage
from personal import curriculum, letter, minutes
from receipts import Receipt
from written_page import written_document

SHARES = {
    "receipt": 26, "invoice": 26, "credit": 1.5, "order": 4, "delivery": 4, "quote": 2.5, "statement": 3, "payslip": 3, "utility": 4, "reminder": 1.5, "lab": 3, "ticket": 2,
    "ticket_event": 1, "hotel": 2.5, "form": 8, "claim": 1.5, "insurance": 1.5, "inspection": 2, "certificate": 1.5, "transcript": 1, "timesheet": 1, "contract": 4.5,
    "table": 5, "letter": 7, "minutes": 3, "cv": 4, "written": 110, "passage": 14,
}  # fmt: skip
OTHERS = {"receipt": lambda: Receipt().draw(), "letter": letter, "minutes": minutes, "cv": curriculum, "written": written_document, "passage": passage}


def invent(kind: str | None = None) -> Document:
    kind = kind or weighted(SHARES)
    return Business(kind).draw() if kind in KINDS else OTHERS[kind]()
