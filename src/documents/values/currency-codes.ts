/** ISO 4217 codes that documents print, as a regular expression alternative. */
export const CURRENCY_CODES =
  'EUR|USD|GBP|CHF|JPY|CAD|AUD|NZD|SGD|HKD|MYR|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|ILS|ZAR|BRL|MXN|ARS|CLP|COP|PEN|CNY|TWD|KRW|INR|IDR|THB|PHP|VND|AED|SAR';

/** Signs and abbreviations of one currency each; longer ones first, since some contain others. */
const SIGNS: readonly (readonly [sign: string, code: string])[] = [
  ['US$', 'USD'],
  ['CA$', 'CAD'],
  ['AU$', 'AUD'],
  ['NZ$', 'NZD'],
  ['HK$', 'HKD'],
  ['NT$', 'TWD'],
  ['MX$', 'MXN'],
  ['C$', 'CAD'],
  ['A$', 'AUD'],
  ['S$', 'SGD'],
  ['R$', 'BRL'],
  ['SFr', 'CHF'],
  ['Fr', 'CHF'],
  ['RM', 'MYR'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
  ['Ft', 'HUF'],
  ['Rs', 'INR'],
  ['Rp', 'IDR'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['₺', 'TRY'],
  ['₽', 'RUB'],
  ['₴', 'UAH'],
  ['₩', 'KRW'],
  ['₪', 'ILS'],
  ['฿', 'THB'],
  ['₫', 'VND'],
  ['₱', 'PHP'],
];

/** Names of currencies in eight languages, without accents. */
const NAMES: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/\beuros?\b/, 'EUR'],
  [/\b(?:pounds?|sterling|libras esterlinas|livres? sterling)\b/, 'GBP'],
  [/\b(?:zlot(?:y|ych|e)|pln)\b/, 'PLN'],
  [/\b(?:swiss francs?|schweizer franken|franken|francs? suisses?|franchi svizzeri)\b/, 'CHF'],
  [/\b(?:ringgit|myr)\b/, 'MYR'],
  [/\b(?:reais|real brasileiro)\b/, 'BRL'],
  [/\brupees?\b/, 'INR'],
  [/\b(?:swedish kronor|kronor|svenska kronor)\b/, 'SEK'],
  [/\bnorske kroner\b/, 'NOK'],
  [/\bdanske kroner\b/, 'DKK'],
  [/\byen\b/, 'JPY'],
  [/\b(?:yuan|renminbi|rmb)\b/, 'CNY'],
];

/** Countries whose currency has a sign that others have too: the first with a mark on the document is meant. */
const DOLLARS: readonly (readonly [marks: RegExp, code: string])[] = [
  [/\b(?:canada|ontario|qu[eé]bec|toronto|vancouver|HST|CAD)\b|\bGST\/HST\b/i, 'CAD'],
  [/\b(?:australia|ABN|AUD|sydney|melbourne)\b|\b(?:NSW|QLD|VIC) \d{4}\b/i, 'AUD'],
  [/\b(?:new zealand|NZD|auckland)\b/i, 'NZD'],
  [/\b(?:singapore|SGD)\b/i, 'SGD'],
  [/\b(?:hong kong|HKD)\b/i, 'HKD'],
  [/\b(?:m[eé]xico|MXN|CFDI|pesos mexicanos)\b/i, 'MXN'],
  [/\b(?:argentina|ARS|CUIT)\b/i, 'ARS'],
  [/\b(?:chile|CLP)\b/i, 'CLP'],
  [/\b(?:colombia|COP)\b/i, 'COP'],
];
const KRONE: readonly (readonly [marks: RegExp, code: string])[] = [
  [/\b(?:norge|norway|norwegen|noruega|oslo|bergen|mva|NOK)\b|\+47\b|\bNO ?\d{9}\b/i, 'NOK'],
  [/\b(?:danmark|denmark|dänemark|dinamarca|k[øo]benhavn|CVR|DKK)\b|\+45\b|\bDK ?\d{8}\b/i, 'DKK'],
  [/\b(?:sverige|sweden|schweden|suecia|stockholm|SEK)\b|\+46\b|\bSE ?\d{12}\b/i, 'SEK'],
  [/\b(?:ísland|iceland|ISK)\b|\+354\b/i, 'ISK'],
];
const YEN: readonly (readonly [marks: RegExp, code: string])[] = [
  [/\b(?:china|CNY|RMB|beijing|shanghai|shenzhen)\b|元|中国/i, 'CNY'],
];

const ALL_CODES: ReadonlySet<string> = new Set(CURRENCY_CODES.split('|'));
const CODE = new RegExp(`(?<![A-Za-z])(?:${CURRENCY_CODES})(?![A-Za-z])`);
/** A sign of letters stands alone or at a figure, so that it is no part of a word. */
const SIGN_PATTERNS = SIGNS.map(
  ([sign, code]) =>
    [
      /\p{L}/u.test(sign)
        ? new RegExp(
            String.raw`(?<!\p{L})${escaped(sign)}(?=[.:]?\s?[-−]?\d|[.)\]]?\s*$)|(?<=\d\s?)${escaped(sign)}(?!\p{L})`,
            'u',
          )
        : new RegExp(escaped(sign), 'u'),
      code,
    ] as const,
);
/** How signs are written before a figure, as a regular expression alternative. */
export const CURRENCY_MARKS = String.raw`(?:${CURRENCY_CODES}|${SIGNS.map(([sign]) => escaped(sign)).join('|')}|[$¥]|[Kk]r)\.?`;

/** Whether it is one of the codes above. */
export function isCurrencyCode(value: unknown): boolean {
  return typeof value === 'string' && ALL_CODES.has(value);
}

/** The currency that a text names: by its code, a sign or a word. `document` decides what a shared sign such as `$` stands for. */
export function currencyIn(text: string, document: string): string | undefined {
  const code = CODE.exec(text)?.[0];
  if (code !== undefined) return code;
  const sign = SIGN_PATTERNS.find(([pattern]) => pattern.test(text))?.[1];
  if (sign !== undefined) return sign;
  if (text.includes('$')) return marked(DOLLARS, document) ?? 'USD';
  if (/[¥￥]/.test(text)) return marked(YEN, document) ?? 'JPY';
  if (/(?<!\p{L})kr(?!\p{L})/iu.test(text)) return marked(KRONE, document) ?? 'SEK';
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').toLowerCase();
  const named = NAMES.find(([pattern]) => pattern.test(plain))?.[1];
  if (named !== undefined) return named;
  return /\bdollars?\b|\bd[oó]lares\b/.test(plain) ? (marked(DOLLARS, document) ?? 'USD') : undefined;
}

function marked(
  countries: readonly (readonly [marks: RegExp, code: string])[],
  document: string,
): string | undefined {
  return countries.find(([marks]) => marks.test(document))?.[1];
}

function escaped(text: string): string {
  return text.replace(/[$.]/g, String.raw`\$&`);
}
