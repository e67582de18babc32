"""Text of a page against what is expected: numbers, days, and words without case, spaces and signs."""

import re
import sys
import unicodedata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "training"))

from language import WORDS  # noqa: E402

NEAR = 0.15  # share of letters that may be wrong
SIGNS = {"EUR": r"€|eur", "GBP": r"£|gbp", "INR": r"₹|rs\b|inr", "CHF": r"chf|fr\.", "MYR": r"rm|myr", "USD": r"\$|usd", "PLN": r"zł|pln"}
YES = re.compile(r"(?i)(y|ja|oui|s[iíì]|tak|true|x$|1$|paid|included)")


def plain(value) -> str:
    text = unicodedata.normalize("NFKD", str("" if value is None else value).lower().replace("ß", "ss"))
    return re.sub(r"[^a-z0-9]", "", text)


def _months() -> dict[str, int]:
    out = {}
    for names in WORDS["months"].values():
        for i, name in enumerate(names):
            out[plain(name)[:4]] = i + 1
            out.setdefault(plain(name)[:3], i + 1)
    return out


MONTHS = _months()


def day(text) -> str | None:
    """A day as 2024-03-12; day before month where both could be."""
    text = str(text or "")
    if m := re.search(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", text):
        year, month, number = map(int, m.groups())
    elif m := re.search(r"(\d{1,2})[-/. ]{1,2}(\d{1,2})[-/. ]{1,2}(\d{4}|\d{2})\b", text):
        number, month, year = map(int, m.groups())
        if month > 12:
            number, month = month, number
    elif (m := re.search(r"(\d{1,2})(?:st|nd|rd|th|er|\.)?[\s\-.]*(?:de |of )?([^\W\d]{3,})\.?,?[\s\-.]*(?:de )?(\d{4}|\d{2})\b", text)) and _month(m[2]):
        number, month, year = int(m[1]), _month(m[2]), int(m[3])
    elif (m := re.search(r"([^\W\d]{3,})\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s*(\d{4})", text)) and _month(m[1]):
        number, month, year = int(m[2]), _month(m[1]), int(m[3])
    else:
        return None
    return f"{year + 2000 if year < 100 else year:04d}-{month:02d}-{number:02d}"


def _month(word: str) -> int | None:
    word = plain(word)
    return MONTHS.get(word[:4]) or MONTHS.get(word[:3])


def number(text) -> float | None:
    m = re.search(r"-?\s?\d[\d.,'\s]*", str(text or ""))
    if not m:
        return None
    digits = re.sub(r"[\s']", "", m[0]).rstrip(".,")
    sign = -1 if digits.startswith("-") or re.search(r"\d-\s*$", str(text)) else 1
    digits = digits.lstrip("-")
    if re.search(r"[.,]\d{1,2}$", digits):
        cut = max(digits.rfind("."), digits.rfind(","))
        digits = re.sub(r"[.,]", "", digits[:cut]) + "." + digits[cut + 1 :]
    elif re.fullmatch(r"\d{1,3}([.,]\d{3})+", digits):
        digits = re.sub(r"[.,]", "", digits)
    else:
        digits = digits.replace(",", ".")
    try:
        return sign * float(digits)
    except ValueError:
        return None


def cast(text: str | None, field: dict):
    """The text as the type that the field asks for; the gateway has better readers for this."""
    if text is None:
        return None
    choices = [c for c in field.get("enum") or [] if c is not None]
    if choices:
        own = plain(text)
        for choice in choices:
            if plain(choice) == own or own and (plain(choice) in own or own in plain(choice)):
                return choice
    if choices or field["name"].split(".")[-1].lower() in ("currency", "currency_code"):
        for code, sign in SIGNS.items():
            if re.search(sign, text.lower()) and (not choices or code in choices):
                return code
    if field.get("format") == "date":
        return day(text)
    if field.get("type") in ("number", "integer"):
        return number(text)
    if field.get("type") == "boolean":
        return bool(YES.match(text.strip()))
    return text


def distance(a: str, b: str) -> int:
    before = list(range(len(b) + 1))
    for i, x in enumerate(a):
        now = [i + 1]
        for j, y in enumerate(b):
            now.append(min(now[j] + 1, before[j + 1] + 1, before[j] + (x != y)))
        before = now
    return before[-1]


def near(value, expected) -> bool:
    a, b = plain(value), plain(expected)
    return len(b) > 0 and distance(a, b) <= int(NEAR * len(b))


def same(value, expected) -> bool:
    if isinstance(expected, list):
        return any(same(value, e) for e in expected)
    if expected is None or value is None:
        return value is None and expected is None
    if isinstance(expected, bool) or isinstance(value, bool):
        return value == expected
    if isinstance(expected, (int, float)):
        return isinstance(value, (int, float)) and abs(value - expected) < 0.005
    return plain(value) == plain(expected)
