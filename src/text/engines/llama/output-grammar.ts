/** What bounds an answer: grammars in llama.cpp's notation. */
export interface OutputGrammar {
  /** Holds from the first token on; absent: the answer is free. */
  readonly whole?: string;
  /** Present where tools may be called; the rules hold from the mark of a call on. */
  readonly calls?: CallGrammar;
}

/** What may follow the mark of a tool call. */
export interface CallGrammar {
  /** Rules, among them one for what follows `callOpening` and one for further calls. */
  readonly rules: string;
  /** The rule for the rest of a call, from the name of the tool to its end mark. */
  readonly rest: string;
  /** The rule for the calls after the first; absent: there is one call only. */
  readonly more?: string;
}

/** How a tool call is written: as models of the Hermes and Qwen families were taught. */
export const callMark = '<tool_call>';
export const callEndMark = '</tool_call>';
/** What stands between the mark and the name of the tool. */
export const callOpening = '\n{"name": "';
/** What stands between the name of the tool and its arguments. */
export const callMiddle = '", "arguments": ';

/** The grammar of everything after the mark, when some of it was written before the grammar began; undefined: that is no call. */
export function grammarAfterMark(calls: CallGrammar, written: string): string | undefined {
  const opening = [callOpening, callOpening.slice(1)].find((text) => text.startsWith(written));
  if (opening === undefined) return undefined;
  const more = calls.more === undefined ? '' : ` ${calls.more}`;
  return `root ::= ${grammarText(opening.slice(written.length))} ${calls.rest}${more}\n${calls.rules}`;
}

/** A text as a literal of a grammar. */
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
