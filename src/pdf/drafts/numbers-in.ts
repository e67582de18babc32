const NUMBER = /\d+(?:[.,:’']\d+)*/g;
const THOUSANDS = /[.,’'](?=\d{3}(?!\d))/g;
const FRACTION = /^\d{1,15}\.\d{1,15}$/;
const LAST_ZEROS = /\.?0+$/;
const SMALL = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** The numbers of a text, each in one form, so that `1,310.00` equals `1310`. */
export function numbersIn(text: string): readonly string[] {
  return Array.from(text.matchAll(NUMBER), ([number]) => plainNumber(number));
}

/** The same, and small numbers that are written as words. */
export function saidNumbersIn(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const said = words.map((word) => SMALL.indexOf(word)).filter((number) => number >= 0);
  return new Set([...numbersIn(text), ...said.map(String)]);
}

function plainNumber(number: string): string {
  const joined = number.replaceAll(THOUSANDS, '').replaceAll(',', '.');
  return FRACTION.test(joined) ? joined.replace(LAST_ZEROS, '') : joined;
}
