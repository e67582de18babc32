import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

/** The one file that gives statements to a connection. Its functions take what the `sql` tag makes, and no text. */
const SENDER = 'src/store/query.ts';
/** A call of a connection's `query`. */
const SENDS = /\.query\s*[(<]/;
/** SQL in a text that is not tagged: its values could be in the text. */
const UNTAGGED =
  /(?<!\bsql)(['"`])\s*(?:select\s|insert into\s|update \w+ set\s|delete from\s|with \w+ as\s|truncate\s|begin\b(?!\w))/;

// PostgreSQL in the process speaks the protocol itself, below any query.
const files = [...sourceFiles(), ...storeTests()];

it('sends every query through query.ts', () => {
  expect(pathsOf(({ text }) => SENDS.test(text))).toEqual([SENDER]);
});

it('writes every query with the sql tag', () => {
  expect(pathsOf(({ path, text }) => path.startsWith('src/store/') && UNTAGGED.test(text))).toEqual([]);
});

it('makes SQL of a text in migrate.ts only', () => {
  expect(pathsOf(({ text }) => /\bscript\(/.test(text) && /\/sql\.ts'|class Sql/.test(text))).toEqual([
    'src/store/migrate.ts',
    'src/store/sql.ts',
  ]);
});

it('knows no other way to a database', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const others = /drizzle|kysely|knex|prisma|typeorm|sequelize|mikro-orm|slonik|pg-promise|^postgres$/;
  expect(Object.keys(dependencies).filter((name) => others.test(name))).toEqual([]);
});

it('knows how a query is written', () => {
  for (const text of ["pool.query('x')", 'client.query<Row>(', 'this.#pool.query({'])
    expect(SENDS.test(text), text).toBe(true);
  for (const text of ["'select 1'", '`update stacks set x = $', '(`\n  with task as ('])
    expect(UNTAGGED.test(text), text).toBe(true);
  for (const text of ['sql`select 1`', 'sql`begin`', "'update it'", "'selected'"])
    expect(UNTAGGED.test(text), text).toBe(false);
});

function storeTests(): readonly { readonly path: string; readonly text: string }[] {
  const folder = new URL('../../src/store/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  return names.map((name) => ({
    path: `src/store/${name}`,
    text: readFileSync(new URL(name, folder), 'utf8'),
  }));
}

function pathsOf(isMeant: (file: { path: string; text: string }) => boolean): readonly string[] {
  return files
    .filter(isMeant)
    .map(({ path }) => path)
    .sort();
}
