const RULE_NAME = /[A-Za-z0-9-]+/y;

/** Prefixes every rule name of a grammar, so that it can be combined with others; its root becomes `<prefix>root`. */
export function renameRules(grammar: string, prefix: string): string {
  let renamed = '';
  let at = 0;
  while (at < grammar.length) {
    const end = endOfSymbol(grammar, at);
    const symbol = grammar.slice(at, end);
    renamed += isRuleName(grammar, at) ? prefix + symbol : symbol;
    at = end;
  }
  return renamed;
}

function isRuleName(grammar: string, at: number): boolean {
  return nameEnd(grammar, at) > at;
}

/** The end of the literal, character set, repetition, name or single character at this position. */
function endOfSymbol(grammar: string, at: number): number {
  switch (grammar[at]) {
    case '"':
      return afterClosing(grammar, at, '"');
    case '[':
      return afterClosing(grammar, at, ']');
    case '{':
      return afterClosing(grammar, at, '}');
    default:
      return Math.max(at + 1, nameEnd(grammar, at));
  }
}

function afterClosing(grammar: string, at: number, closing: string): number {
  for (let index = at + 1; index < grammar.length; index += 1) {
    if (grammar[index] === '\\') index += 1;
    else if (grammar[index] === closing) return index + 1;
  }
  return grammar.length;
}

function nameEnd(grammar: string, at: number): number {
  const name = new RegExp(RULE_NAME);
  name.lastIndex = at;
  return name.test(grammar) ? name.lastIndex : at;
}
