/** The grammars of an answer, in llama.cpp's notation. */
export interface OutputGrammar {
  /** Applies from the first token on; absent: free text. */
  readonly whole?: string;
  /** Set if tools may be called; applies after the mark of a call. */
  readonly calls?: CallGrammar;
}

/** The grammar after the mark of a tool call. */
export interface CallGrammar {
  /** Rules, including those named by `rest` and `more`. */
  readonly rules: string;
  /** The rule for the rest of a call, from the name of the tool to its end mark. */
  readonly rest: string;
  /** The rule for the calls after the first; absent: only one call. */
  readonly more?: string;
}

/** The format of a tool call in models of the Hermes and Qwen families. */
export const callMark = '<tool_call>';
export const callEndMark = '</tool_call>';
/** The text between the mark and the tool's name. */
export const callOpening = '\n{"name": "';
/** The text between the tool's name and its arguments. */
export const callMiddle = '", "arguments": ';

/** The grammar after the mark, given the text already written after it; `undefined` if that cannot be a call. */
export function grammarAfterMark(calls: CallGrammar, written: string): string | undefined {
  const opening = [callOpening, callOpening.slice(1)].find((text) => text.startsWith(written));
  if (opening === undefined) return undefined;
  const more = calls.more === undefined ? '' : ` ${calls.more}`;
  return `root ::= ${grammarText(opening.slice(written.length))} ${calls.rest}${more}\n${calls.rules}`;
}

/** A text as a literal in a grammar. */
export function grammarText(text: string): string {
  const escaped = [...text].map((character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    const codePoint = character.codePointAt(0) ?? 0;
    return codePoint < 0x20 || codePoint === 0x7f
      ? `\\x${codePoint.toString(16).padStart(2, '0')}`
      : character;
  });
  return `"${escaped.join('')}"`;
}
