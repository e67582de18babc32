import { z } from 'zod';
import { quotedTerm, writtenVector } from '../knowledge/search/passage-rows.ts';
import { type Connection, queryRows } from './query.ts';
import { joined, type Sql, sql, wholeLiteral } from './sql.ts';

/** The place of a passage: the number of its version, and its position there. */
export interface PassageKey {
  readonly document: number;
  readonly ordinal: number;
}

/** A passage with how often it has each term that was asked for. */
export interface CountedRow extends PassageKey {
  readonly length: number;
  readonly counts: readonly number[];
}

/** A passage with the cosine of its closest vector. */
export interface NearRow extends PassageKey {
  readonly cosine: number;
}

/** A space as questions see it. */
export interface AskedSpace {
  readonly number: number;
  /** Versions that are not to be found. */
  readonly hidden: readonly number[];
}

const countedRow = z.object({
  document: z.number(),
  ordinal: z.number(),
  length: z.number(),
  ranks: z.array(z.number()),
});
const nearRow = z.object({ document: z.number(), ordinal: z.number(), cosine: z.number() });

/** Passages with any of the terms; or, with `all`, with one of each group. */
export async function passagesWith(
  connection: Connection,
  { number, hidden }: AskedSpace,
  { terms, match, limit }: { terms: readonly string[]; match: string; limit: number | null },
): Promise<readonly CountedRow[]> {
  return counted(
    connection,
    sql`select document, ordinal, length, ${ranks(terms)} as ranks from knowledge_search.passages
      where space = ${wholeLiteral(number)} and words @@ ${match}::tsquery
        and document <> all (${[...hidden]}::integer[]) limit ${limit}`,
  );
}

/** The counts of these passages. */
export async function passagesAt(
  connection: Connection,
  { number }: AskedSpace,
  { terms, keys }: { terms: readonly string[]; keys: readonly PassageKey[] },
): Promise<readonly CountedRow[]> {
  if (keys.length === 0) return [];
  return counted(
    connection,
    sql`select document, ordinal, length, ${ranks(terms)} as ranks from ${given(keys)} cross join lateral (
      select length, words from knowledge_search.passages
      where space = ${wholeLiteral(number)} and passages.document = given.document
        and passages.ordinal = given.ordinal) passage`,
  );
}

/** Every passage of a space, by exact comparison. */
export function allNear(
  connection: Connection,
  { number, hidden }: AskedSpace,
  vector: Float32Array,
): Promise<readonly NearRow[]> {
  return queryRows(
    connection,
    nearRow,
    sql`select document, ordinal, max(-(vector <#> ${writtenVector(vector)}::halfvec)) as cosine
      from knowledge_search.vectors where space = ${wholeLiteral(number)}
        and document <> all (${[...hidden]}::integer[])
      group by document, ordinal`,
  );
}

/** The closest vectors by the index of the space; a passage may come several times. */
export function nearest(
  connection: Connection,
  { number, hidden }: AskedSpace,
  { vector, limit }: { vector: Float32Array; limit: number },
): Promise<readonly NearRow[]> {
  const type = sql`halfvec(${wholeLiteral(vector.length)})`;
  const distance = sql`(vector::${type}) <#> ${writtenVector(vector)}::${type}`;
  return queryRows(
    connection,
    nearRow,
    sql`select document, ordinal, -(${distance}) as cosine from knowledge_search.vectors
      where space = ${wholeLiteral(number)} and document <> all (${[...hidden]}::integer[])
      order by ${distance} limit ${limit}`,
  );
}

/** The cosines of these passages; those without vectors are left out. */
export async function nearAt(
  connection: Connection,
  { number }: AskedSpace,
  { vector, keys }: { vector: Float32Array; keys: readonly PassageKey[] },
): Promise<readonly NearRow[]> {
  if (keys.length === 0) return [];
  return queryRows(connection, nearRow, cosines(number, vector, given(keys)));
}

/** The cosines of the sample of a space. */
export function nearSample(
  connection: Connection,
  { number, hidden }: AskedSpace,
  vector: Float32Array,
): Promise<readonly NearRow[]> {
  const sample = sql`(select document, ordinal from knowledge_search.samples
    where space = ${wholeLiteral(number)} and document <> all (${[...hidden]}::integer[])) given`;
  return queryRows(connection, nearRow, cosines(number, vector, sample));
}

/** A match of any of the terms. */
export function anyOf(terms: readonly string[]): string {
  return terms.map(quotedTerm).join(' | ');
}

/** A match of one term of each group. */
export function allOf(groups: readonly (readonly string[])[]): string {
  return groups.map((terms) => `(${anyOf(terms)})`).join(' & ');
}

function cosines(space: number, vector: Float32Array, keys: Sql): Sql {
  return sql`select document, ordinal, cosine from ${keys} cross join lateral (
      select max(-(vector <#> ${writtenVector(vector)}::halfvec)) as cosine from knowledge_search.vectors
      where space = ${wholeLiteral(space)} and vectors.document = given.document
        and vectors.ordinal = given.ordinal) best
    where cosine is not null`;
}

function given(keys: readonly PassageKey[]): Sql {
  const documents = keys.map(({ document }) => document);
  const ordinals = keys.map(({ ordinal }) => ordinal);
  return sql`unnest(${documents}::integer[], ${ordinals}::integer[]) as given (document, ordinal)`;
}

/**
 * The rank of each term by itself. PostgreSQL sums up 1/n² over the n positions of a term, so that its rank tells how many
 * there are.
 */
function ranks(terms: readonly string[]): Sql {
  const each = terms.map((term) => sql`ts_rank('{1,1,1,1}', words, ${quotedTerm(term)}::tsquery)`);
  return sql`array[${joined(each, ', ')}]::real[]`;
}

/** What PostgreSQL divides a rank by: the sum of 1/n² over all n. */
const ALL_POSITIONS = 1.64493406685;

async function counted(connection: Connection, statement: Sql): Promise<readonly CountedRow[]> {
  const rows = await queryRows(connection, countedRow, statement);
  return rows.map(({ ranks: found, ...row }) => ({ ...row, counts: found.map(countOf) }));
}

function countOf(rank: number): number {
  let rest = rank * ALL_POSITIONS;
  let count = 0;
  // Half of the next step: a rank has seven digits.
  while (rest > 0.5 / (count + 1) ** 2) {
    count += 1;
    rest -= 1 / count ** 2;
  }
  return count;
}
