import { describe, expect, it } from 'vitest';
import { fieldWords, labelTokens, similarity } from './label-words.ts';

const fit = (label: string, name: string, description = '') =>
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
    expect(fit(label, name)).toBeGreaterThanOrEqual(0.5);
  });

  it.each([
    ['Carrier', 'invoice_number'],
    ['Order number', 'customer_name'],
    ['', 'total'],
  ])('%j does not name %s', (label, name) => {
    expect(fit(label, name)).toBe(0);
  });

  it('names best the field that it names wholly', () => {
    expect(fit('Invoice date', 'invoice_date')).toBeGreaterThan(fit('Invoice date', 'invoice_number'));
    expect(fit('Zahlbar bis', 'due_date')).toBeGreaterThan(fit('Rechnungsdatum', 'carrier'));
    expect(fit('Total TTC', 'total_ttc')).toBeGreaterThan(fit('Total HT', 'total_ttc'));
  });

  it('is found by the description where the name says nothing', () => {
    expect(fit('Expiry', 'field_7', 'When the card expires')).toBeGreaterThan(0);
  });
});
