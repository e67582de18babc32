import pg from 'pg';

/** A value of a statement. It is sent as a parameter, never as text. JSON is given as `JSON.stringify` writes it. */
export type SqlValue = string | number | bigint | boolean | null | Date | Uint8Array | readonly SqlValue[];

/** A statement, or a part of one. Only this file makes them, so their text holds no value. */
class Sql {
  readonly #texts: readonly string[];
  readonly #parts: readonly (Sql | SqlValue)[];
  readonly name: string | undefined;

  constructor(texts: readonly string[], parts: readonly (Sql | SqlValue)[] = [], name?: string) {
    this.#texts = texts;
    this.#parts = parts;
    this.name = name;
  }

  /** The text with `$1`, `$2` … for its values, which are added to the list. */
  render(values: SqlValue[]): string {
    let text = this.#texts[0] ?? '';
    for (const [index, part] of this.#parts.entries()) {
      text += part instanceof Sql ? part.render(values) : `$${values.push(part)}`;
      text += this.#texts[index + 1];
    }
    return text;
  }
}

export type { Sql };

/** SQL as it is written: a value becomes a parameter, another piece of SQL is inserted. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Sql | SqlValue)[]): Sql {
  return new Sql(texts, parts);
}

/** A statement that each connection parses once. Its text must be the same at every call; the values may differ. */
export function prepared(name: string, statement: Sql): Sql {
  return new Sql(['', ''], [statement], name);
}

/** Pieces of SQL with a separator between them. */
export function joined(pieces: readonly Sql[], separator: ', ' | ' and ' | ' || ' | ' + '): Sql {
  const between = pieces.slice(1).map(() => separator);
  return new Sql(['', ...between, ''], pieces);
}

/** The name of a table or column, quoted. */
export function identifier(name: string): Sql {
  return new Sql([pg.escapeIdentifier(name)]);
}

/** The statements of a migration file. */
export function script(text: string): Sql {
  return new Sql([text]);
}

/** A whole number as text, where PostgreSQL takes no parameter: in a type, or in the condition of an index. */
export function wholeLiteral(value: number): Sql {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('a whole number was expected');
  return new Sql([String(value)]);
}
