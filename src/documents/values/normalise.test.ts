import { describe, expect, it } from 'vitest';
import { readContext } from './document-context.ts';
import { normalise, type ValueForm } from './normalise.ts';

const none = readContext('');
const form = (kind: ValueForm['kind'], choices: readonly unknown[] = []): ValueForm => ({ kind, choices });

describe('a number', () => {
  it.each([
    ['1.234,56', 1234.56],
    ['1 234.56', 1234.56],
    ['1\u202f234,56 €', 1234.56],
    ["1'234.50", 1234.5],
    ['CHF 1’234.50', 1234.5],
    ['RM53.60', 53.6],
    ['RM 53.60', 53.6],
    ['-RM1.73', -1.73],
    ['-1.73', -1.73],
    ['− 1,73 EUR', -1.73],
    ['(12.00)', -12],
    ['(£12.00)', -12],
    ['12.00-', -12],
    ['12,5 %', 12.5],
    ['19%', 19],
    ['zł 12,50', 12.5],
    ['12,50 zł', 12.5],
    ['1.250,- €', 1250],
    ['R$ 1.234,00', 1234],
    ['12 kg', 12],
    ['4 szt.', 4],
    ['0.180', 0.18],
    ['12 .50', 12.5],
    ['2 x 5.00', 5],
    ['Total: 1,200', 1200],
  ])('%s is %d', (text, value) => {
    expect(normalise(text, form('number'), none)).toBe(value);
  });

  it.each(['', 'none', 'INV-2024', 'A4'])('is not %j', (text) => {
    expect(normalise(text, form('number'), none)).toBeUndefined();
  });

  it('has the decimal sign of its document where three digits follow', () => {
    const english = readContext('Price 12.50\nTotal 1,250.00');
    const german = readContext('Preis 12,50\nSumme 1.250,00');
    const read = (text: string, context = none) => normalise(text, form('number'), context);
    expect([read('1.125', english), read('1,125', english)]).toEqual([1.125, 1125]);
    expect([read('1.125', german), read('1,125', german)]).toEqual([1125, 1.125]);
    expect([read('1.125'), read('1,125')]).toEqual([1125, 1125]);
  });

  it('is an integer where one is wanted', () => {
    expect(normalise('4 Stück', form('integer'), none)).toBe(4);
    expect(normalise('4,5', form('integer'), none)).toBeUndefined();
  });
});

describe('a date', () => {
  it.each([
    ['25/MAR/2018', '2018-03-25'],
    ['25-Mar-18', '2018-03-25'],
    ['3 JAN 2018 14:22', '2018-01-03'],
    ['12. März 2024', '2024-03-12'],
    ['12. 3. 2024', '2024-03-12'],
    ['le 1er août 2024', '2024-08-01'],
    ['21 de junio de 2024', '2024-06-21'],
    ['5 maggio 2023', '2023-05-05'],
    ['3 mei 2024', '2024-05-03'],
    ['14 mrt. 2024', '2024-03-14'],
    ['7 de fevereiro de 2023', '2023-02-07'],
    ['12 października 2024 r.', '2024-10-12'],
    ['9 wrz 2024', '2024-09-09'],
    ['20240312', '2024-03-12'],
    ['2024.03.12', '2024-03-12'],
    ['Mon, March 12, 2024', '2024-03-12'],
  ])('%s is %s', (text, value) => {
    expect(normalise(text, form('date'), none)).toBe(value);
  });

  it.each([
    ['another date that has one reading', 'Paid 25/03/2024', '2024-04-03'],
    ['another date that has the other reading', 'Paid 03/25/2024', '2024-03-04'],
    ['the United States', 'Order 03/04/2024\nAustin, TX 78701', '2024-03-04'],
    ['a country with VAT', 'Order 03/04/2024\nVAT 20%\nAustin, TX 78701', '2024-04-03'],
    ['nothing', 'Order 03/04/2024', '2024-04-03'],
  ])('of 03/04/2024 is decided by %s', (_, document, value) => {
    expect(normalise('03/04/2024', form('date'), readContext(document))).toBe(value);
  });

  it('has a time where one is wanted', () => {
    const read = (text: string) => normalise(text, form('date-time'), none);
    expect(read('12/03/2024 14:05')).toBe('2024-03-12T14:05:00Z');
    expect(read('12/03/2024 2:05:09 PM')).toBe('2024-03-12T14:05:09Z');
    expect(read('12.03.2024')).toBe('2024-03-12T00:00:00Z');
  });
});

describe('a currency', () => {
  const currency = (text: string, document = text) =>
    normalise(text, { kind: 'text', choices: [], isCurrency: true }, readContext(document));

  it.each([
    ['RM', 'MYR'],
    ['RM53.60', 'MYR'],
    ['12,50 zł', 'PLN'],
    ['€', 'EUR'],
    ['Rs. 500', 'INR'],
    ['R$ 12', 'BRL'],
    ['US$ 12', 'USD'],
    ['Fr. 12.50', 'CHF'],
    ['złotych', 'PLN'],
    ['Euro', 'EUR'],
    ['PLN', 'PLN'],
  ])('%s is %s', (text, code) => {
    expect(currency(text)).toBe(code);
  });

  it.each([
    ['$', 'Total $ 12', 'USD'],
    ['$', 'ABN 51 824 753 556 Total $ 12', 'AUD'],
    ['$', 'Toronto, Ontario Total $ 12 HST', 'CAD'],
    ['kr', 'Oslo, mva 25 % kr 12', 'NOK'],
    ['kr', 'København CVR 12345678 kr 12', 'DKK'],
    ['kr', 'Stockholm moms kr 12', 'SEK'],
    ['¥', '上海 Shanghai ¥ 12', 'CNY'],
    ['¥', '¥ 12', 'JPY'],
  ])('%s in "%s" is %s', (text, document, code) => {
    expect(currency(text, document)).toBe(code);
  });

  it('is not a part of a word', () => {
    expect(currency('FORM 12')).toBe('FORM 12');
    expect(readContext('FORM RMA Frost').currency).toBeUndefined();
  });
});

describe('a choice', () => {
  const methods = ['cash', 'card', 'bank_transfer', 'direct-debit'];
  it.each([
    ['Barzahlung', methods, 'cash'],
    ['Espèces', methods, 'cash'],
    ['gotówka', methods, 'cash'],
    ['Zahlung per Überweisung', methods, 'bank_transfer'],
    ['Bank Transfers', methods, 'bank_transfer'],
    ['bonifico bancario', methods, 'bank_transfer'],
    ['SEPA-Lastschrift', methods, 'direct-debit'],
    ['automatische incasso', methods, 'direct-debit'],
    ['VISA ****1234', ['cash', 'credit_card', 'debit_card'], 'credit_card'],
    ['carta di credito', ['card', 'credit_card'], 'credit_card'],
    ['nicht bezahlt', ['paid', 'unpaid'], 'unpaid'],
    ['BETAALD', ['PAID', 'OPEN'], 'PAID'],
    ['Vollzeit', ['full-time', 'part-time'], 'full-time'],
    ['fatura', ['invoice', 'creditNote'], 'invoice'],
    ['Gutschrift Nr. 4', ['invoice', 'creditNote'], 'creditNote'],
    ['zł', ['EUR', 'PLN'], 'PLN'],
    ['3', [1, 2, 3], 3],
    ['Deutschland', ['DE', 'FR'], 'DE'],
    ['miesięcznie', ['monthly', 'yearly'], 'monthly'],
  ])('%s of %j is %j', (text, choices, value) => {
    expect(normalise(text, form('choice', choices), none)).toBe(value);
  });

  it.each([
    ['cash or card', methods],
    ['unknown', methods],
  ])('is not told by %s', (text, choices) => {
    expect(normalise(text, form('choice', choices), none)).toBeUndefined();
  });
});

describe('yes or no', () => {
  it.each([
    ['☑', true],
    ['☒ Newsletter', true],
    ['[x]', true],
    ['[ ]', false],
    ['☐', false],
    ['( ) newsletter', false],
    ['☒ Ja ☐ Nein', true],
    ['☐ Ja ☒ Nein', false],
    ['[ ] oui [X] non', false],
    ['Ja', true],
    ['sì', true],
    ['Sim', true],
    ['tak', true],
    ['Não', false],
    ['nie', false],
    ['Nee', false],
    ['inbegriffen', true],
    ['nicht enthalten', false],
    ['-', false],
  ])('%s is %s', (text, value) => {
    expect(normalise(text, form('boolean'), none)).toBe(value);
  });

  it('is not told by two empty boxes, or by other words', () => {
    expect(normalise('☐ Ja ☐ Nein', form('boolean'), none)).toBeUndefined();
    expect(normalise('perhaps', form('boolean'), none)).toBeUndefined();
  });
});

describe('a text', () => {
  it.each([
    ['Musterstraße 12\n10115 Berlin', 'Musterstraße 12 10115 Berlin'],
    ['Donaudampf-\nschifffahrt', 'Donaudampfschifffahrt'],
    ['Müller-\nLüdenscheidt', 'Müller-Lüdenscheidt'],
    ['  Acme   Ltd.  ,', 'Acme Ltd.'],
    ['soft\u00adhyphen', 'softhyphen'],
  ])('%j is %j', (text, value) => {
    expect(normalise(text, form('text'), none)).toBe(value);
  });
});
