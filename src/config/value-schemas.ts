import { isIP } from 'node:net';
import * as z from 'zod';

// The error text of every schema here is the expectation as a phrase: "a whole number from 0 to 65535". describe-issue.ts turns
// it into messages; for an unknown key it is the list of known ones.

export function wholeNumber({ minimum = 1, maximum = Number.MAX_SAFE_INTEGER } = {}): z.ZodInt {
  const isBounded = maximum !== Number.MAX_SAFE_INTEGER;
  const expected = isBounded
    ? `a whole number from ${minimum} to ${maximum}`
    : `a whole number of at least ${minimum}`;
  return z.int(expected).min(minimum, expected).max(maximum, expected);
}

export function decimal({
  minimum,
  maximum,
}: {
  readonly minimum: number;
  readonly maximum: number;
}): z.ZodNumber {
  const expected = `a number from ${minimum} to ${maximum}`;
  return z.number(expected).min(minimum, expected).max(maximum, expected);
}

/** A non-empty text. */
export function text(expected = 'a text that is not empty'): z.ZodString {
  return z.string(expected).min(1, expected);
}

/** A text, possibly empty. */
export function prose(): z.ZodString {
  return z.string('a text');
}

export function flag(): z.ZodBoolean {
  return z.boolean('true or false');
}

export function choice<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `one of ${words.join(', ')}`);
}

/** The id of an account, stack or key. */
export function identifier(): z.ZodString {
  return z.string(identifierExpected).regex(/^[a-z0-9][a-z0-9-]{0,62}$/, identifierExpected);
}
const identifierExpected = '1 to 63 lower-case letters, digits or "-", not beginning with "-"';

/**
 * The name of an engine. It must start with a letter: JavaScript moves numeric keys to the front, which would lose the file's
 * order.
 */
export function engineName(): z.ZodString {
  return z.string(engineNameExpected).regex(/^[A-Za-z][A-Za-z0-9._-]{0,62}$/, engineNameExpected);
}
const engineNameExpected = 'a name of 1 to 63 letters, digits, ".", "_" or "-" that begins with a letter';

/** Credentials in the URL would show up in logs, so they are rejected. */
export function httpUrl() {
  const expected = 'a URL that begins with http:// or https://, without user name and password';
  return z.string(expected).refine(isPlainHttpUrl, expected);
}

function isPlainHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** An IP address or range. */
export function addressOrRange() {
  const expected = 'an IP address or a range such as 10.0.0.0/8';
  return z.string(expected).refine(isAddressOrRange, expected);
}

/** Whether a text is an IP address or a range. */
export function isAddressOrRange(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** A web origin, or `*`. */
export function webOrigin() {
  const expected = 'an origin such as https://app.example.com, or "*"';
  return z.string(expected).refine((value) => value === '*' || isOrigin(value), expected);
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

/** A list; an empty one may be blank. */
export function list<Element extends z.ZodType>(element: Element) {
  return z.preprocess((value) => value ?? [], z.array(element, 'a list')).prefault([]);
}

/** A non-empty list. */
export function fullList<Element extends z.ZodType>(element: Element) {
  const expected = 'a list with at least one entry';
  return z.array(element, expected).min(1, expected);
}

/** A mapping with known keys. */
export function mapping<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : 'a mapping'),
  });
}

/** A mapping that may be absent or blank; both mean its defaults. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => value ?? {}, mapping(shape)).prefault({});
}
