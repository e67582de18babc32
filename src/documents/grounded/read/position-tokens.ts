import type { SourceText } from './source-text.ts';

const CLOSING =
  /^(?:yours|kind|best|warm)?\s*(?:sincerely|faithfully|truly|regards|wishes)|^(?:mit|viele|beste)\s+(?:freundlichen|herzlichen|besten)?\s*gr(?:ü|ue)(?:ß|ss)|^atentamente|^saludos|^un\s+(?:cordial\s+)?saludo|^cordialement|^(?:bien\s+)?sinc[eè]rement|^veuillez agr|^cordiali\s+saluti|^distinti\s+saluti|^atenciosamente|^met\s+vriendelijke\s+groet|^z\s+poważaniem/i;
const SALUTATION =
  /^(?:dear|hello|sehr geehrte|liebe|estimad|querid|cher|ch[eè]re|madame|monsieur|gentil|egregi|spettabil|prezad|exm[oa]|geachte|beste\s|szanown)/i;
const MAX_BLOCK_LINES = 6;

const LETTERHEAD = ['=seller|=sender|=company|=store|=provider|=employer|=person', '=name'];
const ADDRESSEE = ['=recipient|=customer|=tenant|=employee|=person', '=name'];
const SIGNATURE = ['=signature'];
const SUBJECT = ['=subject'];
const MOST_SUBJECT_WORDS = 12;

/** Roles inferred from a line's position where there is no label: letterhead, addressee, subject, signature; by line number. */
export function positionTokens({ lines }: SourceText): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  const texts = lines.map((line) => line.text.trim());
  const [head, addressee] = unlabelledBlocks(texts);
  if (head !== undefined) found.set(head, LETTERHEAD);
  if (addressee !== undefined) found.set(addressee, ADDRESSEE);
  const subject = unlabelledSubject(texts);
  if (subject !== undefined) found.set(subject, SUBJECT);
  texts.forEach((text, index) => {
    if (!closingAbove(text)) return;
    const signed = texts.findIndex((other, at) => at > index && other !== '');
    if (signed > 0) found.set(signed, SIGNATURE);
  });
  return found;
}

/** Whether a line is a letter's closing, which a name follows. */
function closingAbove(text: string): boolean {
  return CLOSING.test(text);
}

/** A short line that stands alone directly below the salutation, or else above it. */
function unlabelledSubject(texts: readonly string[]): number | undefined {
  const salutation = texts.findIndex((text) => SALUTATION.test(text));
  if (salutation < 0) return undefined;
  const below = texts.findIndex((text, index) => index > salutation && text !== '');
  const above = texts.findLastIndex((text, index) => index < salutation && text !== '');
  return [below, above].find(
    (index) => isAlone(texts, index) && !/[.:;,]$|:\s|\s{2,}/.test(texts[index] ?? ''),
  );
}

function isAlone(texts: readonly string[], index: number): boolean {
  const [before = '', text = '', after = ''] = [texts[index - 1], texts[index], texts[index + 1]];
  return before === '' && after === '' && text !== '' && text.split(/\s+/).length <= MOST_SUBJECT_WORDS;
}

/** The first lines of the first two unlabelled blocks before the salutation. */
function unlabelledBlocks(texts: readonly string[]): readonly number[] {
  const salutation = texts.findIndex((text) => SALUTATION.test(text));
  const end = salutation < 0 ? texts.length : salutation;
  const opening = texts.flatMap((text, index) => {
    const opensBlock = text !== '' && (index === 0 || texts[index - 1] === '');
    return opensBlock && index < end ? [index] : [];
  });
  const [first, ...others] = opening;
  if (first === undefined) return [];
  const second = others.find((index) => isAddressBlock(texts, index));
  return [first, ...(second === undefined ? [] : [second])];
}

/** Two to six unlabelled lines, a later one with a digit: street or postal code. */
function isAddressBlock(texts: readonly string[], start: number): boolean {
  const blank = texts.findIndex((text, index) => index > start && text === '');
  const block = texts.slice(start, blank < 0 ? texts.length : blank);
  if (block.length < 2 || block.length > MAX_BLOCK_LINES) return false;
  const plain = block.every((text) => !/:(?:\s|$)|\s{2,}/.test(text));
  return plain && !/\d/.test(block[0] ?? '') && block.slice(1).some((text) => /\d/.test(text));
}
