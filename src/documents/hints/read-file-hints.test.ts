import { describe, expect, it } from 'vitest';
import { readFileHints } from './read-file-hints.ts';

const value = { type: 'string' };
const person = { type: 'object', properties: { name: value, address: value } };
const properties = {
  total: { type: 'number' },
  invoice_number: value,
  orderNumber: value,
  iban: value,
  due_date: value,
  customer: person,
  seller: person,
  items: { type: 'array', items: { type: 'object', properties: { price: value } } },
};
const FILES = ['a.pdf', 'b.pdf', 'invoice[1].pdf'];

/** The hints by part; `*` for the general one. */
function hints(user: string, names: readonly string[] = FILES): Readonly<Record<string, string>> {
  const read = readFileHints({
    user,
    schema: { type: 'object', properties },
    documents: names.map((name) => ({ name })),
  });
  const paths = [
    ...['total', 'invoice_number', 'orderNumber', 'iban', 'due_date', 'items'].map((name) => [name]),
    ...['customer', 'seller'].flatMap((name) => [
      [name, 'name'],
      [name, 'address'],
    ]),
  ];
  const said = paths.flatMap((path) => {
    const choice = read.choiceFor(path);
    return choice?.isNamed ? [[path.join('.'), Array.from(choice.files).sort().join(',')]] : [];
  });
  const others = read.choiceFor(['something else'])?.files;
  return Object.fromEntries([
    ...said,
    ...(others === undefined ? [] : [['*', Array.from(others).sort().join(',')]]),
  ]);
}

describe('a hint at the file of a field', () => {
  it.each([
    ['The total is in file 2, b.pdf', { total: '2' }],
    ['The total is in file 2, b.pdf.', { total: '2' }],
    ['total: file 2', { total: '2' }],
    ['Total -> b.pdf', { total: '2' }],
    ['{"total": "b.pdf", "iban": "a.pdf"}', { total: '2', iban: '1' }],
    ['The IBAN is in "invoice[1].pdf"!', { iban: '3' }],
    ['Use the last document for the invoice number', { invoice_number: '3' }],
    ['For the total, use file 2.', { total: '2' }],
    ['From the second file, take the total and the IBAN', { total: '2', iban: '2' }],
    ['File #2 has the total, the IBAN and the due date.', { total: '2', iban: '2', due_date: '2' }],
    ['invoice_number is in document no. 2', { invoice_number: '2' }],
    ['The Invoice No. is in the 2nd PDF', { invoice_number: '2' }],
    ['orderNumber: file two', { orderNumber: '2' }],
    ['The order number is in the second-to-last file', { orderNumber: '2' }],
    ['The items are in A.PDF', { items: '1' }],
    ['I need the total. Take it from file 2.', { total: '2' }],
    ['The total is\nin file 2', { total: '2' }],
    ['The total is in file 1 or file 2', { total: '1,2' }],
    ['The total is in files 1 and 2', { total: '1,2' }],
    ['The total is in file 1 or 2', { total: '1,2' }],
    ['The total is in files 1 to 3', { total: '1,2,3' }],
    ['The total is in the first or second file', { total: '1,2' }],
  ])('%s', (user, expected) => {
    expect(hints(user)).toEqual(expected);
  });

  it.each([
    [
      'The total is in file 2, the IBAN in file 1 and the due date in b.pdf',
      { total: '2', iban: '1', due_date: '2' },
    ],
    [
      'The total and the IBAN are in file 2 and the due date in file 1',
      { total: '2', iban: '2', due_date: '1' },
    ],
    ['File 2 has the total and the IBAN, file 1 the due date', { total: '2', iban: '2', due_date: '1' }],
    ['file 1: total, iban; file 2: due date', { total: '1', iban: '1', due_date: '2' }],
    ['total: file 1\niban: file 2', { total: '1', iban: '2' }],
    ['Take the total from file 2 and everything else from file 1', { total: '2', '*': '1' }],
    ['See a.pdf for the total. The rest is in b.pdf.', { total: '1', '*': '2' }],
    ['Use the last document for the IBAN, a.pdf for the rest', { iban: '3', '*': '1' }],
  ])('tells several apart: %s', (user, expected) => {
    expect(hints(user)).toEqual(expected);
  });

  it.each([
    ['Der Gesamtbetrag steht in der zweiten Datei.', { total: '2' }],
    [
      'Die Rechnungsnummer findest du in Datei 2, die IBAN im letzten Dokument',
      { invoice_number: '2', iban: '3' },
    ],
    ['Nimm alles aus der 2. Datei', { '*': '2' }],
    ['Der Gesamtbetrag steht in Datei 1 oder 2', { total: '1,2' }],
    [
      'Le total se trouve dans le deuxième fichier, l’IBAN dans le premier document',
      { total: '2', iban: '1' },
    ],
    ['Le numéro de facture est dans le fichier n° 2', { invoice_number: '2' }],
    ['El total está en el segundo archivo y el IBAN en el último documento', { total: '2', iban: '3' }],
  ])('is read in other languages: %s', (user, expected) => {
    expect(hints(user)).toEqual(expected);
  });

  it.each([
    ['The customer is in file 2', { 'customer.name': '2', 'customer.address': '2' }],
    ['The customer name is in file 2', { 'customer.name': '2' }],
    ['The address of the seller is in file 2', { 'seller.address': '2' }],
    ['The address is in file 2', { 'customer.address': '2', 'seller.address': '2' }],
    ['The due day is in file 2', { due_date: '2' }],
    ['The invoice is in file 1, the order in file 2', { invoice_number: '1', orderNumber: '2' }],
    ['The number is in file 2', {}],
  ])('names what it is part of, or half of it where that is clear: %s', (user, expected) => {
    expect(hints(user)).toEqual(expected);
  });
});

describe('a hint at a file alone', () => {
  it.each([
    ['b.pdf', '2'],
    ['"b.pdf"', '2'],
    ['file 2', '2'],
    ['Take it from the second file', '2'],
    ['Use the file b.pdf, please.', '2'],
    ['Only use the last document.', '3'],
    ['Read all values from page 2 of file 1', '1'],
    ['Use files 1 and 3', '1,3'],
    ['Prefer file 2', '2'],
  ])('is meant for everything: %s', (user, files) => {
    expect(hints(user)).toEqual({ '*': files });
  });

  it.each(['Use file 1, file 2 and file 3', 'Use files 1-3'])('is none where it is all files: %s', (user) => {
    expect(hints(user)).toEqual({});
  });
});

describe('what is denied', () => {
  it.each([
    ['The total is not in file 1 but in file 2', { total: '2' }],
    ['Take the total from file 2 instead of file 1', { total: '2' }],
    ['The total is in file 2, not in file 1 or file 3', { total: '2' }],
    ['The total is not in file 1 or file 2', {}],
    ['Use file 2, not file 1', { '*': '2' }],
    ['Ignore the first file.', {}],
    ['Skip file 1', {}],
    ['File 2 has the total, the IBAN is not in file 1', { total: '2' }],
    ['File 1 does not have the total.', {}],
    ['Datei 1 nicht verwenden', {}],
    ['Use everything but file 1', {}],
  ])('is no hint: %s', (user, expected) => {
    expect(hints(user)).toEqual(expected);
  });
});

describe('what is not understood', () => {
  it.each([
    'Extract the total.',
    'The total is in file 7',
    'The delivery terms are in file 2',
    'File 1 is a scan of poor quality',
    'If the total is missing in file 1, use file 2',
    'Use file 2 when in doubt',
    'Everything except the total is in file 2',
    'For all fields use the second document except the total, which is in file 1.',
    'There are two files.',
    'The total is 2.',
    'Look at page 2.',
    'The first two files are drafts',
    'PDF 1.7 is fine',
    'The document number is printed at the top',
    'b.pdfx and xb.pdf, c/b.pdf',
  ])('is no hint: %s', (user) => {
    expect(hints(user)).toEqual({});
  });

  it('leaves out what may belong to either of two files', () => {
    const user = 'File 2 has the total, the IBAN, and the due date is in file 1';
    expect(hints(user)).toEqual({ total: '2', due_date: '1' });
  });

  it('takes a name that may be a word only in quotes', () => {
    const names = ['total', 'a'];
    expect(hints('Give me a total', names)).toEqual({});
    expect(hints('The IBAN is in "a"', names)).toEqual({ iban: '2' });
  });

  it('takes a name that several files have for all of them', () => {
    expect(hints('The IBAN is in scan.pdf', ['scan.pdf', 'b.pdf', 'scan.pdf'])).toEqual({ iban: '1,3' });
  });

  it('takes the longest name', () => {
    const names = ['file 1.pdf', 'b.pdf', 'my b.pdf'];
    expect(hints('The total is in my b.pdf', names)).toEqual({ total: '3' });
    expect(hints('The total is in file 1.pdf', ['x.pdf', 'file 1.pdf'])).toEqual({ total: '2' });
  });
});

describe('a hint of one file', () => {
  it('is none', () => {
    expect(hints('The total is in file 1', ['a.pdf'])).toEqual({});
  });
});
