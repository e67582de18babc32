"""Takes all-MiniLM-L6-v2 apart: word pieces in Latin letters plus stems of our own, and weights as the trainer wants them.

    python prepare_weights.py <folder with model.safetensors and vocab.txt> data

Writes data/vocab.txt and data/start.npz (int8 with a scale per row where matrices are large: it travels to the training machine).
"""

import json
import struct
import sys

import numpy as np

from word_pieces import WordPieces

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
SIGNS = "€£¥₹₽₩™•–—‘’“”„…′″°№ß"
# Signs that forms are ticked with and MiniLM does not know.
EXTRA_SIGNS = "☐☒☑✓✔✗✘□■●○▢₱→"
# Stems of labels: an English vocabulary cuts such words into single syllables. Each is added as a beginning and as a continuation.
STEMS = """
rechnung nummer datum betrag gesamt netto brutto steuer mehrwert umsatz kunde kunden liefer lieferung schein bestell bestellung auftrag preis einzel menge
anzahl bezeichnung leistung zahlung zahlbar fällig konto bank vertrag miete versicherung geburt name straße ort plz telefon summe zwischen rabatt versand
angebot gültig beleg kasse zeichen fahrzeug zähler stand verbrauch abrechnung zeitraum gehalt arbeit geber nehmer stunden urlaub kündigung frist prüf sitzung
protokoll empfänger absender anschrift adresse artikel einheit position rückgeld gegeben mwst ust
facture numéro montant échéance livraison commande quantité désignation unitaire paiement règlement remise acompte solde client fournisseur adresse naissance
contrat loyer assurance salaire période référence compte banque téléphone destinataire réunion
factura número fecha vencimiento importe cantidad descripción precio pedido entrega cliente proveedor dirección pago descuento base imponible nacimiento contrato
alquiler seguro salario período cuenta teléfono destinatario
fattura numero scadenza importo quantità descrizione prezzo ordine consegna fornitore indirizzo pagamento sconto imponibile totale nascita contratto affitto
assicurazione stipendio periodo conto telefono destinatario imposta aliquota partita
factuur nummer vervaldatum bedrag aantal omschrijving prijs bestelling levering klant leverancier betaling korting totaal geboorte huur verzekering salaris
periode rekening telefoon ontvanger btw excl incl
fatura vencimento montante quantidade descrição preço encomenda entrega fornecedor morada pagamento desconto total nascimento renda seguro período conta contribuinte
faktura numer data termin płatności kwota ilość nazwa cena wartość zamówienie dostawa klient sprzedawca nabywca adres zapłaty rabat razem suma urodzenia umowa
czynsz ubezpieczenie wynagrodzenie okres rachunek netto brutto stawka
gst sdn bhd jalan taman selangor invoice subtotal qty vat iban bic swift
""".split()


def read_safetensors(path: str) -> dict[str, np.ndarray]:
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    types = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            start, end = entry["data_offsets"]
            tensors[name] = np.frombuffer(data[8 + size + start : 8 + size + end], dtype=types[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def is_latin(piece: str) -> bool:
    letters = piece[2:] if piece.startswith("##") and len(piece) > 2 else piece
    return all(ord(c) < 0x250 or c in SIGNS for c in letters)


def extra_pieces(known: WordPieces) -> list[str]:
    plain = {"".join(known.letters(stem)) for stem in STEMS}
    pieces = [*EXTRA_SIGNS]
    for stem in sorted(plain):
        pieces += [p for p in (stem, "##" + stem) if p not in known.ids]
    return pieces


def main(model: str, folder: str) -> None:
    tensors = read_safetensors(f"{model}/model.safetensors")
    with open(f"{model}/vocab.txt", encoding="utf8") as file:
        vocabulary = file.read().split("\n")
    keep = [i for i, piece in enumerate(vocabulary) if piece in SPECIAL or (piece and not piece.startswith("[unused") and is_latin(piece))]
    known = WordPieces([vocabulary[i] for i in keep])
    words = tensors["embeddings.word_embeddings.weight"][keep]
    extra = extra_pieces(known)
    # A new piece begins as the mean of what it was cut into before.
    rows = [words[[p.id for p in known.cut(piece.removeprefix("##"))]].mean(0) for piece in extra]
    with open(f"{folder}/vocab.txt", "w", encoding="utf8") as file:
        file.write("\n".join([*known.pieces, *extra]) + "\n")
    out = {}
    for name, tensor in tensors.items():
        if "pooler" in name or "position_ids" in name:
            continue
        if name == "embeddings.word_embeddings.weight":
            tensor = np.concatenate([words, np.stack(rows)])
        if tensor.ndim == 2 and tensor.size > 5000:
            scale = np.abs(tensor).max(1, keepdims=True) / 127
            out[name + ".int8"], out[name + ".scale"] = np.round(tensor / scale).astype(np.int8), scale.astype(np.float32)
        else:
            out[name] = tensor.astype(np.float32)
    np.savez_compressed(f"{folder}/start.npz", **out)
    print(f"{len(known.pieces)} pieces of MiniLM, {len(extra)} of our own")


if __name__ == "__main__":
    main(*sys.argv[1:])
