import { describe, expect, it } from 'vitest';
import { fieldWords, labelTokens, similarity } from './label-words.ts';

const likeness = (label: string, name: string, description = '') =>
  similarity(labelTokens(label), fieldWords(name, description));

describe('a label', () => {
  it.each([
    ['Invoice No.', 'invoice_number'],
    ['Rechnungsnummer', 'invoiceNumber'],
    ['Factura N.º', 'invoice_number'],
    ['Facture n°', 'numero_facture'],
    ['Kundennummer', 'customer_number'],
    ['Date of birth', 'geburtsdatum'],
    ['Artikelnr.', 'artikelnummer'],
    ['E-Mail', 'email'],
  ])('%s names %s', (label, name) => {
    expect(likeness(label, name)).toBeGreaterThanOrEqual(0.5);
  });

  it.each([
    ['Carrier', 'invoice_number'],
    ['Order number', 'customer_name'],
    ['', 'total'],
  ])('%j does not name %s', (label, name) => {
    expect(likeness(label, name)).toBe(0);
  });

  it('matches best the field that it names completely', () => {
    expect(likeness('Invoice date', 'invoice_date')).toBeGreaterThan(
      likeness('Invoice date', 'invoice_number'),
    );
    expect(likeness('Zahlbar bis', 'due_date')).toBeGreaterThan(likeness('Rechnungsdatum', 'carrier'));
    expect(likeness('Total TTC', 'total_ttc')).toBeGreaterThan(likeness('Total HT', 'total_ttc'));
  });

  it('is matched by the description if the name says nothing', () => {
    expect(likeness('Expiry', 'field_7', 'When the card expires')).toBeGreaterThan(0);
  });
});
