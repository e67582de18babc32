import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { type Connection, execute, findRow, jsonObject, queryRow, queryRows, wholeNumber } from './query.ts';
import { identifier, joined, prepared, type SqlValue, sql } from './sql.ts';

const HOSTILE = `'; drop table accounts; -- $1 "\\`;

const allTypes = z.object({
  plainText: z.string(),
  nothing: z.null(),
  flag: z.boolean(),
  small: z.number(),
  large: wholeNumber,
  seed: z.string().transform(BigInt),
  fraction: z.number(),
  moment: z.date(),
  words: z.array(z.string()),
  document: jsonObject<{ a: string }>(),
  bytes: z.instanceof(Uint8Array),
  manyBytes: z.array(z.instanceof(Uint8Array)),
});
const nameRow = z.object({ name: z.string() });

describeOnDatabases('a query', (database) => {
  it('sends values of every type and reads them as they were', async () => {
    const moment = new Date('2999-01-01T00:00:00.123Z');
    const words = [HOSTILE, '', 'NULL', 'a,b'];
    const bytes = new Uint8Array([0, 92, 255]);
    const row = await queryRow(
      database().pool,
      allTypes,
      sql`select ${HOSTILE}::text as plain_text, ${null}::text as nothing, ${false}::boolean as flag, ${-7}::integer as small,
        ${Number.MAX_SAFE_INTEGER}::bigint as large, ${18_446_744_073_709_551_615n}::numeric(20) as seed,
        ${0.1}::double precision as fraction, ${moment}::timestamptz as moment, ${words}::text[] as words,
        ${JSON.stringify({ a: HOSTILE })}::jsonb as document, ${bytes}::bytea as bytes,
        ${[bytes, bytes]}::bytea[] as many_bytes`,
    );
    expect(row).toEqual({
      plainText: HOSTILE,
      nothing: null,
      flag: false,
      small: -7,
      large: Number.MAX_SAFE_INTEGER,
      seed: 18_446_744_073_709_551_615n,
      fraction: 0.1,
      moment,
      words,
      document: { a: HOSTILE },
      bytes: Buffer.from(bytes),
      manyBytes: [Buffer.from(bytes), Buffer.from(bytes)],
    });
  });

  it('takes names of tables and columns as they are', async () => {
    const { pool } = database();
    const table = identifier('a "strange" name');
    const query = sql`with ${table} as (select ${'x'}::text as name) select name from ${table}`;
    expect(await queryRows(pool, nameRow, query)).toEqual([{ name: 'x' }]);
  });

  it('counts the rows that a statement returns or changes', async () => {
    const { pool } = database();
    const rows = joined(
      ['a', 'b', HOSTILE].map((id) => sql`(${id})`),
      ', ',
    );
    expect(await execute(pool, sql`insert into accounts (id) values ${rows}`)).toBe(3);
    expect(await execute(pool, sql`select from accounts where id = any (${['a', 'c']})`)).toBe(1);
    expect(await execute(pool, sql`delete from accounts where id = ${HOSTILE}`)).toBe(1);
    expect(await execute(pool, sql`begin; rollback`)).toBe(0);
  });

  it('tells one row from none', async () => {
    const { pool } = database();
    const none = sql`select id as name from accounts`;
    expect(await findRow(pool, nameRow, none)).toBeUndefined();
    await expect(queryRow(pool, nameRow, none)).rejects.toThrow('a statement returned no row');
  });

  it('refuses a row that has not the expected shape, and does not repeat its values', async () => {
    const { pool } = database();
    const error = await queryRow(pool, nameRow, sql`select ${123_456}::integer as name`).catch(String);
    expect(error).toContain('a row is not as expected: name: ');
    expect(error).not.toContain('123456');
    await expect(queryRow(pool, nameRow, sql`select 1 as other`)).rejects.toThrow('name: ');
  });
});

it('sends a prepared statement under its name, with the same text whatever its values', async () => {
  const sent: unknown[] = [];
  const connection: Connection = {
    query: (statement) => {
      sent.push(statement);
      return Promise.resolve({ rows: [], rowCount: 0, fields: [] });
    },
  };
  for (const value of ['a', HOSTILE]) await execute(connection, prepared('ask', sql`values (${value})`));
  expect(sent).toEqual([
    { name: 'ask', text: 'values ($1)', values: ['a'], rowMode: 'array' },
    { name: 'ask', text: 'values ($1)', values: [HOSTILE], rowMode: 'array' },
  ]);
});

it('numbers values in the order of the text, those of nested pieces too', () => {
  const values: SqlValue[] = [];
  const condition = joined([sql`a = ${1}`, sql`b = ${'two'}`], ' and ');
  expect(sql`x = ${0} or ${condition} limit ${3}`.render(values)).toBe(
    'x = $1 or a = $2 and b = $3 limit $4',
  );
  expect(values).toEqual([0, 1, 'two', 3]);
});
