/** A file, or part of it, as shown to the model. */
export interface FileText {
  /** From 1. */
  readonly number: number;
  readonly total: number;
  readonly name: string;
  readonly text: string;
}

const MAX_NAME_CHARACTERS = 200;
// Anything that could end the label or hide in it: quotes, control characters, line ends, lone surrogates, bidi marks.
const UNSAFE = /["\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A text in a labelled block: file number, total and name. */
export function fileBlock({ number, total, name, text }: FileText): string {
  return `[File ${number} of ${total}: "${labelName(name)}"]\n${text}\n[End of file ${number}]`;
}

/** The sender chooses the name, so it is escaped to stay within its quotes. */
function labelName(name: string): string {
  const characters = Array.from(name);
  const isCut = characters.length > MAX_NAME_CHARACTERS;
  const kept = isCut ? `${characters.slice(0, MAX_NAME_CHARACTERS).join('')}…` : name;
  return kept.replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  return SHORT_ESCAPES.get(character) ?? `\\u${code}`;
}
