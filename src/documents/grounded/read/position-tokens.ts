import { firstProse } from './prose.ts';
import type { Segment, SourceLine, SourceText } from './source-text.ts';

const CLOSING =
  /^(?:yours|kind|best|warm)?\s*(?:sincerely|faithfully|truly|regards|wishes)|^(?:mit|viele|beste)\s+(?:freundlichen|herzlichen|besten)?\s*gr(?:ü|ue)(?:ß|ss)|^atentamente|^saludos|^un\s+(?:cordial\s+)?saludo|^cordialement|^(?:bien\s+)?sinc[eè]rement|^veuillez agr|^cordiali\s+saluti|^distinti\s+saluti|^atenciosamente|^met\s+vriendelijke\s+groet|^z\s+poważaniem/i;
const SALUTATION =
  /^(?:dear|hello|sehr geehrte|liebe|estimad|querid|cher|ch[eè]re|madame|monsieur|gentil|egregi|spettabil|prezad|exm[oa]|geachte|beste\s|szanown)/i;
const MAX_BLOCK_LINES = 6;
/** How far left edges of a block may stand apart. */
const MOST_SHIFT = 2;

/** The role of who writes a letter. */
export const LETTERHEAD = ['=seller|=sender|=company|=store|=provider|=employer|=person', '=name'];
const ADDRESSEE = ['=recipient|=customer|=tenant|=employee|=person', '=name'];
const SIGNATURE = ['=signature'];
/** The role of the line below a signature. */
export const SIGNER_ROLE = ['=position', '=signature'];
const MOST_ROLE_WORDS = 6;
const SUBJECT = ['=subject'];
const MOST_SUBJECT_WORDS = 12;
const TIME = /^(?:(?:ab|an|abf\.?|ank\.?|dep\.?|arr\.?|od|prz\.?)\s)?(?:[01]?\d|2[0-3])[:.h][0-5]\d$/;
const [LEAVES, ARRIVES] = [/^(?:ab|abf\.?|dep\.?|od)\s/, /^(?:an|ank\.?|arr\.?|prz\.?)\s/];
/** Words before a name that stand alone in their line. */
const HONORIFIC =
  /^(?:(?:an(?: die| den| das| herrn| frau)?|herrn?|frau|firma|familie|mrs?|ms|to|m\.|mme|mlle|monsieur|madame|sr\.?|sra\.?|don|doña|a|al|spett(?:\.le|abile)|gent\.(?:mo|ma)|egr\.|ditta|aan|de heer|mevrouw|exm[oa]\.?(?: sr[a.]*)?|szanown[ay] pani?|pan|pani)[.:]?)$/i;
const POSTCODE_LINE = /^(?:[A-Z]{1,2}-)?(?:\d{4,5}|\d{2}-\d{3}|\d{4} ?[A-Z]{2}|\d{4}-\d{3})\s+\p{Lu}/u;

type Roles = Map<Segment, readonly string[]>;

/** Roles inferred from position where there is no label: letterhead, addressee, subject, signature. */
export function positionTokens(
  { lines }: SourceText,
  datelines: ReadonlyMap<Segment, unknown>,
): ReadonlyMap<Segment, readonly string[]> {
  const found: Roles = new Map();
  const texts = lines.map((line) => line.text.trim());
  const salutation = texts.findIndex((text) => SALUTATION.test(text));
  const blocks = blocksOf(lines.slice(0, salutation < 0 ? lines.length : salutation)).filter(
    ([first]) => first !== undefined && !datelines.has(first),
  );
  const addressee = setParties(found, blocks);
  const subject = unlabelledSubject(texts, salutation) ?? (addressee ? subjectAboveProse(lines) : undefined);
  setFirst(found, lines[subject ?? -1], SUBJECT);
  texts.forEach((text, index) => {
    if (!CLOSING.test(text)) return;
    const signed = texts.findIndex((other, at) => at > index && other !== '');
    setFirst(found, lines[signed], SIGNATURE);
    if (isRole(texts[signed + 1] ?? '')) setFirst(found, lines[signed + 1], SIGNER_ROLE);
  });
  setJourney(found, lines);
  return found;
}

/** Of lines with a time and a place, the first is the departure and the last the arrival. */
function setJourney(found: Roles, lines: readonly SourceLine[]): void {
  const stops = lines.flatMap(({ segments }) => {
    const [time, ...times] = segments.filter(({ text }) => TIME.test(text));
    const place = segments.find(({ text }) => /^\p{Lu}\p{L}[^\d:]*$/u.test(text));
    return time === undefined || times.length > 0 || place === undefined ? [] : [{ time, place }];
  });
  const [first, last] = [stops[0], stops.at(-1)];
  if (first === undefined || last === undefined || first === last) return;
  // With changes on the way, words tell the first stop from the last.
  if (stops.length > 2 && !(LEAVES.test(first.time.text) && ARRIVES.test(last.time.text))) return;
  for (const { time, place } of [first, last]) {
    const role = time === first.time ? '=departure' : '=arrival';
    found.set(time, [role, '=time']);
    found.set(place, [role, '=station|=city']);
  }
}

/** Whether a text greets its reader, as letters do. */
export function hasSalutation({ lines }: SourceText): boolean {
  return lines.some(({ text }) => SALUTATION.test(text.trim()));
}

/** Whether the line below a name may say what the person is. */
function isRole(text: string): boolean {
  return /^\p{Lu}[^\d:@]*$/u.test(text) && text.split(/\s+/).length <= MOST_ROLE_WORDS;
}

function setFirst(found: Roles, line: SourceLine | undefined, role: readonly string[]): void {
  const [first] = line?.segments ?? [];
  if (first !== undefined) found.set(first, role);
}

/** The first block is the letterhead's, the next with an address the addressee's; whether there is one. */
function setParties(found: Roles, [head, ...others]: readonly Block[]): boolean {
  if (head?.[0] !== undefined) found.set(head[0], LETTERHEAD);
  const addressed = others.find(isAddressBlock);
  const name = addressed?.find(({ text }) => !HONORIFIC.test(text));
  if (name === undefined) return false;
  found.set(name, ADDRESSEE);
  return true;
}

/** Segments below each other, with the same left edge. */
type Block = readonly Segment[];

function blocksOf(lines: readonly SourceLine[]): readonly Block[] {
  const blocks: Segment[][] = [];
  let above: Segment[][] = [];
  for (const { segments } of lines) {
    above = segments.map((segment) => {
      const open = above.find(
        (block) => Math.abs((block.at(-1)?.column ?? 0) - segment.column) <= MOST_SHIFT,
      );
      const block = open ?? [];
      if (open === undefined) blocks.push(block);
      block.push(segment);
      return block;
    });
  }
  return blocks;
}

/** A short line that stands alone directly below the salutation, or else above it. */
function unlabelledSubject(texts: readonly string[], salutation: number): number | undefined {
  if (salutation < 0) return undefined;
  const below = texts.findIndex((text, index) => index > salutation && text !== '');
  const above = texts.findLastIndex((text, index) => index < salutation && text !== '');
  return [below, above].find((index) => isSubject(texts, index));
}

/** The same above the first prose of a letter without a salutation. */
function subjectAboveProse(lines: readonly SourceLine[]): number | undefined {
  const texts = lines.map(({ text }) => text.trim());
  const prose = firstProse(lines);
  const above = texts.findLastIndex((text, index) => index < prose && text !== '');
  return isSubject(texts, above) ? above : undefined;
}

function isSubject(texts: readonly string[], index: number): boolean {
  return isAlone(texts, index) && !/[.:;,]$|:\s|\s{2,}/.test(texts[index] ?? '');
}

function isAlone(texts: readonly string[], index: number): boolean {
  const [before = '', text = '', after = ''] = [texts[index - 1], texts[index], texts[index + 1]];
  return before === '' && after === '' && text !== '' && text.split(/\s+/).length <= MOST_SUBJECT_WORDS;
}

/** Two to six unlabelled lines, a later one with a digit: street or postal code. */
function isAddressBlock(block: Block): boolean {
  if (block.length < 2 || block.length > MAX_BLOCK_LINES) return false;
  const [first, ...others] = block.map(({ text }) => text);
  const plain = block.every(({ text }) => !/:(?:\s|$)/.test(text));
  if (!plain || first === undefined || !others.some((text) => /\d/.test(text))) return false;
  return !/\d/.test(first) || others.some((text) => POSTCODE_LINE.test(text));
}
