import { randomBytes } from 'node:crypto';

const MARK_BYTES = 12;
// Longer ones take longer to parse than the rest of a body.
const MAXIMUM_DIGITS = 400;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Like `JSON.parse`, but integers without point and exponent become bigints, so that no digits are lost. */
export function parseExactJson(text: string): unknown {
  // Integers are parsed as strings with an unpredictable prefix.
  const mark = randomBytes(MARK_BYTES).toString('base64url');
  try {
    return JSON.parse(markIntegers(text, mark), (name, value: unknown) => {
      if (name.startsWith(mark)) throw new SyntaxError('a number is no name of a member');
      return typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value;
    });
  } catch (error) {
    // Reports the position in the original text.
    JSON.parse(text);
    throw error;
  }
}

function markIntegers(text: string, mark: string): string {
  const pieces: string[] = [];
  let position = 0;
  while (position < text.length) {
    const quote = text.indexOf('"', position);
    const outside = text.slice(position, quote === -1 ? text.length : quote);
    pieces.push(outside.replace(NUMBER, (number) => (isInteger(number) ? `"${mark}${number}"` : number)));
    if (quote === -1) break;
    position = endOfString(text, quote);
    pieces.push(text.slice(quote, position));
  }
  return pieces.join('');
}

function isInteger(number: string): boolean {
  return number.length <= MAXIMUM_DIGITS && !/[.eE]/.test(number);
}

/** The position after the string at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text[first - 1] === '\\') first--;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return text.length;
}
