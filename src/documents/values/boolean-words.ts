/** Words and signs for yes and no in eight languages, as regular expression alternatives. */
export const YES_WORDS = 'yes|true|ja|s[iíì]|oui|sim|tak|y|x|✓|✔|☒|☑';
export const NO_WORDS =
  'no|false|nein|non|nee|n[ãa]o|nie|n|none|keine?|ninguno|aucun|nessuno|geen|nenhum|brak';

/** A ticked box. */
const TICKED = String.raw`[[(]\s?[xX✓✔✗✘×]\s?[\])]|[☒☑✓✔■⊠]`;
/** An empty box. */
const UNTICKED = String.raw`[[(]\s*[\])]|[☐□⬜]`;
const IS_TICKED = new RegExp(TICKED);
const IS_YES = new RegExp(`^(?:${YES_WORDS})$`, 'iu');
const BOX = new RegExp(String.raw`(?:(${TICKED})|(${UNTICKED}))\s*([^[\]()☐☒☑✓✔□■⬜⊠\n]*)`, 'g');
const ANSWER = new RegExp(
  String.raw`(?<![\p{L}\d])(?:(${YES_WORDS}|included|inbegriffen|inklusive|inkl|compris[e]?|inclus[eo]?|incluid[oa]|incluído|inbegrepen|wliczone)|(${NO_WORDS}|not|nicht|sans|sin|senza|zonder|sem|bez|without|-))(?![\p{L}\d°º])`,
  'iu',
);

/** A checkbox, whether it is ticked, and the words after it. */
export interface Checkbox {
  readonly isTicked: boolean;
  readonly label: string;
  readonly start: number;
  readonly text: string;
}

/** Two boxes, one for yes and one for no, of which one is ticked. */
export interface AnswerPair {
  readonly value: boolean;
  readonly start: number;
  readonly text: string;
}

const ANY_BOX = `(?:${TICKED}|${UNTICKED})`;
const [PAIR_YES, PAIR_NO] = [YES_WORDS, NO_WORDS].map(
  (words) => String.raw`(?<!\p{L})(?:${words.replaceAll(/\|[xyn✓✔☒☑](?=\||$)/g, '')})(?!\p{L})`,
);
const PAIRS = [
  [PAIR_YES, PAIR_NO],
  [PAIR_NO, PAIR_YES],
].flatMap(([one, other]) => [
  String.raw`(?<box>${ANY_BOX})\s*(?<word>${one})\s+(?<second>${ANY_BOX})\s*${other}`,
  String.raw`(?<word>${one})\s*(?<box>${ANY_BOX})\s+${other}\s*(?<second>${ANY_BOX})`,
]);

/** Pairs of boxes for yes and no in a text, with the words before or behind the boxes. */
export function findAnswerPairs(text: string): readonly AnswerPair[] {
  return PAIRS.flatMap((pattern) =>
    Array.from(text.matchAll(new RegExp(pattern, 'giu')), ({ 0: pair, index, groups = {} }) => {
      const [first, second] = [groups.box, groups.second].map((box) => IS_TICKED.test(box ?? ''));
      const isYesFirst = IS_YES.test(groups.word ?? '');
      return first === second ? [] : [{ value: first === isYesFirst, start: index, text: pair }];
    }).flat(),
  );
}

/** The checkboxes of a text, in order. */
export function findCheckboxes(text: string): readonly Checkbox[] {
  return Array.from(text.matchAll(BOX), (match) => ({
    isTicked: match[1] !== undefined,
    label: (match[3] ?? '').trim(),
    start: match.index,
    text: match[0],
  }));
}

/** Yes or no as a text says it: by a word, a box, or the ticked one of two boxes. */
export function readBoolean(text: string): boolean | undefined {
  const [pair] = findAnswerPairs(text);
  if (pair !== undefined) return pair.value;
  const boxes = findCheckboxes(text);
  // A ✓ alone is an answer of its own and no box beside a word.
  const ticked = boxes.find(({ isTicked }) => isTicked);
  if (ticked !== undefined) return wordAnswer(ticked.label) ?? true;
  const [box] = boxes;
  if (box === undefined) return /^\s*[-–—]\s*$/.test(text) ? false : wordAnswer(text);
  // Of the boxes "yes" and "no" one is ticked; an empty "no" alone says nothing else than an empty box.
  return boxes.length === 1 || boxes.every(({ label }) => wordAnswer(label) === undefined)
    ? false
    : undefined;
}

function wordAnswer(text: string): boolean | undefined {
  const match = ANSWER.exec(text);
  if (match === null) return undefined;
  return match[1] !== undefined;
}
