/** One symbol of an alternative: characters, or another rule some number of times. */
export type GbnfSymbol =
  | { readonly type: 'set'; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly type: 'rule'; readonly name: string; readonly min: number; readonly max: number };

/** The alternatives of every rule, by name. */
export type GbnfGrammar = ReadonlyMap<string, readonly (readonly GbnfSymbol[])[]>;

const TOKEN =
  /\s*(?:("(?:[^"\\]|\\.)*")|(\[(?:[^\]\\]|\\.)*\])|([a-z][a-z0-9-]*)([*+?]|\{\d+(?:,\d*)?\})?|(\|))/uy;

/** Parses the subset of llama.cpp's notation that the compiler writes: one rule per line, no groups. */
export function parseGbnf(text: string): GbnfGrammar {
  const grammar = new Map<string, readonly (readonly GbnfSymbol[])[]>();
  for (const line of text.trimEnd().split('\n')) {
    const [, name, body] = /^([a-z][a-z0-9-]*) ::= (.*)$/u.exec(line) ?? [];
    if (name === undefined || body === undefined) throw new Error(`not a rule: ${line}`);
    if (grammar.has(name)) throw new Error(`${name} is defined twice`);
    grammar.set(name, parseAlternatives(body));
  }
  for (const symbol of [...grammar.values()].flat(2)) {
    if (symbol.type === 'rule' && !grammar.has(symbol.name)) throw new Error(`${symbol.name} is not defined`);
  }
  return grammar;
}

function parseAlternatives(body: string): readonly (readonly GbnfSymbol[])[] {
  const alternatives: GbnfSymbol[][] = [[]];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < body.length) {
    const [token, literal, set, name, count, bar] = TOKEN.exec(body) ?? [];
    if (token === undefined) throw new Error(`cannot read: ${body}`);
    const current = alternatives.at(-1);
    if (bar) alternatives.push([]);
    else if (literal) current?.push(...readCharacters(literal.slice(1, -1)).map(({ code }) => single(code)));
    else if (set) current?.push({ type: 'set', ranges: readSet(set.slice(1, -1)) });
    else if (name) current?.push({ type: 'rule', name, ...readCount(count) });
  }
  return alternatives;
}

function single(code: number): GbnfSymbol {
  return { type: 'set', ranges: [[code, code]] };
}

function readCharacters(text: string): { readonly code: number; readonly isEscaped: boolean }[] {
  const pattern = /\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})|\\(["\\])|(.)/gsu;
  return [...text.matchAll(pattern)].map(([, byte, short, long, escaped, plain]) => {
    const hexadecimal = byte ?? short ?? long;
    if (hexadecimal !== undefined) return { code: Number.parseInt(hexadecimal, 16), isEscaped: true };
    return { code: (escaped ?? plain ?? '').codePointAt(0) ?? 0, isEscaped: escaped !== undefined };
  });
}

function readSet(text: string): readonly (readonly [number, number])[] {
  const members = readCharacters(text);
  const ranges: [number, number][] = [];
  for (let index = 0; index < members.length; index++) {
    const low = members[index]?.code ?? 0;
    const hyphen = members[index + 1];
    const isRange = hyphen?.code === 0x2d && !hyphen.isEscaped;
    ranges.push([low, isRange ? (members[index + 2]?.code ?? low) : low]);
    if (isRange) index += 2;
  }
  return ranges;
}

function readCount(count: string | undefined): { readonly min: number; readonly max: number } {
  if (count === undefined) return { min: 1, max: 1 };
  if (count === '?') return { min: 0, max: 1 };
  if (count === '*') return { min: 0, max: Infinity };
  if (count === '+') return { min: 1, max: Infinity };
  const [min = '0', max] = count.slice(1, -1).split(',');
  return { min: Number(min), max: max === undefined ? Number(min) : max === '' ? Infinity : Number(max) };
}
