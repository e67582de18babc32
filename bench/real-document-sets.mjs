// Real documents with known answers: {set, name, route, bytes, schema, expected, lists}. Nothing of them is trained on, and rules are made after misses of development sets only.
import { inflateSync } from 'node:zlib';
import { openCheckout } from './real-document-checkouts.mjs';
import { goldOfInvoice } from './zugferd-gold.mjs';

const string = (description, more = {}) => ({ type: ['string', 'null'], description, ...more });
const number = (description) => ({ type: ['number', 'null'], description });
const date = (description) => string(description, { format: 'date' });

/**
 * Fields that no receipt or invoice has. Of some documents two are asked, in a request of their own: what they take would else be
 * missing from the others.
 */
const ABSENT = [
  ['passport_number', string('Number of the passport')],
  ['blood_group', string('Blood group of the patient')],
  ['flight_number', string('Number of the flight')],
  ['date_of_birth', date('Date of birth')],
  ['engine_power', number('Power of the engine in kilowatts')],
  ['diploma', string('Title of the diploma')],
];

const ASKED_FOR_ABSENT = 4;

const RECEIPT_FIELDS = {
  company: string('Name of the shop or company that issued the receipt'),
  date: string('Date of the receipt, as printed'),
  address: string('Address of the shop'),
  total: number('Total amount to pay'),
};

const INVOICE_FIELDS = {
  invoice_number: string('Number of the invoice'),
  date: date('Date of the invoice'),
  date_due: date('Date by which it is to be paid'),
  amount: number('Total to pay, tax included'),
  amount_untaxed: number('Total without tax'),
  amount_tax: number('Amount of tax'),
  currency: string('Currency as a three-letter code'),
  issuer: string('Company that issued the invoice'),
  vat: string('VAT number of the issuer'),
  iban: string('IBAN of the issuer'),
  bic: string('BIC of the issuer'),
  telephone: string('Telephone of the issuer'),
  partner_zip: string('Postcode of the issuer'),
  partner_city: string('City of the issuer'),
  payment_method: string('How it was paid'),
};
const INVOICES =
  'AmazonWebServices AzureInterior FlipkartInvoice NetpresseInvoice QualityHosting coolblue1 coolblue2 free_fiber oyo saeco';

const ZUGFERD_FIELDS = {
  invoice_number: string('Number of the invoice'),
  invoice_date: date('Date of the invoice'),
  due_date: date('Date by which it is to be paid'),
  currency: string('Currency as a three-letter code'),
  'seller.name': string('Name of the company that issued the invoice'),
  'buyer.name': string('Name of the customer'),
  net_amount: number('Total without tax'),
  tax_amount: number('Amount of tax'),
  total: number('Total to pay, tax included'),
};
const [ZUGFERD_DOCUMENTS, MOST_PAGES, COMPARED_LETTERS] = [60, 6, 400];

/** The sets. Of those that are held out only figures may be shown. */
export const SETS = [
  { name: 'receipts 0-499', isHeldOut: false, read: (every) => receipts({ from: 0, to: 499, every }) },
  { name: 'receipts 500-625', isHeldOut: true, read: (every) => receipts({ from: 500, to: 625, every }) },
  { name: 'invoices (invoice2data)', isHeldOut: true, read: async () => invoices() },
  { name: 'invoices (ZUGFeRD)', isHeldOut: true, read: zugferd },
];

function receipts({ from, to, every }) {
  const files = openCheckout({ repository: 'zzzDavid/ICDAR-2019-SROIE', variable: 'STACKGATE_SROIE' });
  if (files === undefined) return [];
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return numbers
    .filter((_, index) => index % every === 0)
    .map((number, place) => {
      const name = String(number).padStart(3, '0');
      const gold = files.json(`data/key/${name}.json`);
      const known = Object.keys(RECEIPT_FIELDS).filter((field) => gold[field]);
      const expected = Object.fromEntries(known.map((field) => [field, gold[field]]));
      return documentOf({
        name,
        place,
        route: 'images',
        bytes: files.read(`data/img/${name}.jpg`),
        fields: RECEIPT_FIELDS,
        expected,
      });
    });
}

function invoices() {
  const files = openCheckout({ repository: 'invoice-x/invoice2data', variable: 'STACKGATE_INVOICE2DATA' });
  if (files === undefined) return [];
  return INVOICES.split(' ').map((name, place) => {
    const [gold] = files.json(`tests/compare/${name}.json`);
    const rows = (gold.lines ?? [])
      .filter((line) => line.name && Number(line.price_unit))
      .map((line) => ({ name: line.name.split('\n')[0], price_unit: Number(line.price_unit) }));
    return documentOf({
      name,
      place,
      route: 'documents',
      bytes: files.read(`tests/compare/${name}.pdf`),
      fields: INVOICE_FIELDS,
      expected: Object.fromEntries(
        Object.keys(INVOICE_FIELDS).flatMap((field) => (field in gold ? [[field, gold[field]]] : [])),
      ),
      list: { name: 'lines', columns: { name: string('Name'), price_unit: number('Price of one') }, rows },
    });
  });
}

/** The first by path, without those that begin with the same text. The right answers are the embedded XML, which a page need not print word by word. */
async function zugferd() {
  const files = openCheckout({ repository: 'ZUGFeRD/corpus', variable: 'STACKGATE_ZUGFERD' });
  if (files === undefined) return [];
  const { defaultPdfWorkers, PdfWorkers } = await import('../dist/reading/pdf/pdf-workers.js');
  const pdf = new PdfWorkers(defaultPdfWorkers);
  const { signal } = new AbortController();
  const [found, seen] = [[], new Set()];
  try {
    const paths = files.paths().filter((path) => /\.pdf$/i.test(path) && !/fail/i.test(path));
    for (const path of paths.sort()) {
      if (found.length === ZUGFERD_DOCUMENTS) break;
      const bytes = files.read(path);
      const gold = embeddedXml(bytes).map(goldOfInvoice).find(Boolean);
      if (gold === undefined) continue;
      const text = await firstLetters(pdf, bytes, signal);
      if (text === '' || seen.has(text)) continue;
      seen.add(text);
      const list = { name: 'items', columns: { name: string('Name'), total: number('Total of the line') } };
      found.push(
        documentOf({
          name: path,
          place: found.length,
          route: 'documents',
          bytes,
          fields: ZUGFERD_FIELDS,
          expected: gold.fields,
          list: { ...list, rows: gold.rows },
        }),
      );
    }
  } finally {
    await pdf.stop(signal);
  }
  return found;
}

/** The beginning of a PDF's text; empty if it cannot be read or has too many pages. */
async function firstLetters(pdf, bytes, signal) {
  try {
    const pages = [];
    for await (const { text } of pdf.read(bytes, { stackId: 'bench', signal })) pages.push(text);
    return pages.length > MOST_PAGES ? '' : pages[0].replace(/\s/g, '').slice(0, COMPARED_LETTERS);
  } catch {
    return '';
  }
}

/** Every stream of a PDF that is an invoice in XML. */
function embeddedXml(bytes) {
  const text = bytes.toString('latin1');
  return Array.from(text.matchAll(/stream\r?\n/g)).flatMap(({ index, 0: mark }) => {
    if (text.slice(index - 3, index) === 'end') return [];
    const end = text.indexOf('endstream', index);
    const data = bytes.subarray(index + mark.length, end);
    const xml = inflated(data) ?? data.toString('utf8');
    return /CrossIndustry(?:Invoice|Document)/.test(xml.slice(0, 2_000)) ? [xml] : [];
  });
}

function inflated(data) {
  try {
    return inflateSync(data).toString('utf8');
  } catch {
    return undefined;
  }
}

function documentOf({ name, place, route, bytes, fields, expected, list }) {
  const asked = Object.entries(fields).filter(
    ([field]) => expected[field] !== undefined && expected[field] !== null,
  );
  const absent = [0, 1].map((more) => ABSENT[(2 * place + more) % ABSENT.length]);
  const hasRows = (list?.rows ?? []).length > 0;
  const rows = hasRows
    ? [
        [
          list.name,
          { type: 'array', description: 'The positions of the invoice', items: objectOf(list.columns) },
        ],
      ]
    : [];
  return {
    name,
    route,
    bytes,
    schema: nested([...asked, ...rows]),
    schemaWithAbsent: place % ASKED_FOR_ABSENT === 0 ? nested([...asked, ...absent, ...rows]) : undefined,
    expected: Object.fromEntries(asked.map(([field]) => [field, expected[field]])),
    absent: absent.map(([field]) => field),
    list: hasRows ? list : undefined,
  };
}

/** An object schema of fields with dotted names. */
function nested(fields) {
  const properties = {};
  for (const [name, schema] of fields) {
    const [first, ...rest] = name.split('.');
    if (rest.length === 0) properties[first] = schema;
    else properties[first] = objectOf({ ...properties[first]?.properties, [rest.join('.')]: schema });
  }
  return objectOf(properties);
}

function objectOf(properties) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
