import { z } from 'zod';
import { DAMPENING } from '../knowledge/search/bm25-index.ts';
import { quotedTerm, writtenVector } from '../knowledge/search/passage-rows.ts';
import { type Connection, queryRow } from './query.ts';
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

const countsRow = z.object({ counts: z.array(z.number()) });
const packedRow = z.object({ packed: z.instanceof(Uint8Array).nullable() });
/** Bytes of a whole number, and of a number of single precision. */
const NUMBER_BYTES = 4;

/** Passages that match. */
export function passagesWith(
  connection: Connection,
  { number, hidden }: AskedSpace,
  { terms, match }: { terms: readonly string[]; match: string },
): Promise<readonly CountedRow[]> {
  return counted(
    connection,
    terms,
    sql`select document, ordinal, length, words from knowledge_search.passages
      where space = ${wholeLiteral(number)} and words @@ ${match}::tsquery
        and document <> all (${[...hidden]}::integer[])`,
  );
}

/** A group of terms, and what a passage with one of them is worth. */
export interface WeighedTerms {
  readonly terms: readonly string[];
  readonly weight: number;
}

/** Passages that match, of which those are counted that would score highest if they had each of their words once. */
export function heaviestWith(
  connection: Connection,
  { number, hidden }: AskedSpace,
  {
    terms,
    match,
    weighed,
    meanLength,
    mostRead,
    limit,
  }: {
    terms: readonly string[];
    match: string;
    weighed: readonly WeighedTerms[];
    meanLength: number;
    mostRead: number;
    limit: number;
  },
): Promise<readonly CountedRow[]> {
  const weights = weighed.map(
    (word) =>
      sql`case when words @@ ${anyOf(word.terms)}::tsquery then ${word.weight}::real else 0::real end`,
  );
  return counted(
    connection,
    terms,
    sql`select document, ordinal, length, words from (
        select document, ordinal, length, words from knowledge_search.passages
        where space = ${wholeLiteral(number)} and words @@ ${match}::tsquery
          and document <> all (${[...hidden]}::integer[]) limit ${mostRead}) matching
      order by (${joined(weights, ' + ')}) / (${1 + DAMPENING.base}::real + ${DAMPENING.perLength / meanLength}::real * length) desc
      limit ${limit}`,
  );
}

/** In how many passages each term is. Counted one by one: by the index alone, without reading the words of any passage. */
export async function passageCounts(
  connection: Connection,
  { number, hidden }: AskedSpace,
  terms: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (terms.length === 0) return new Map();
  const row = await queryRow(
    connection,
    countsRow,
    sql`select array(
        select (select count(*) from knowledge_search.passages
          where space = ${wholeLiteral(number)} and words @@ term.query
            and document <> all (${[...hidden]}::integer[]))::integer
        from unnest(${terms.map(quotedTerm)}::tsquery[]) with ordinality as term (query, place) order by place) as counts`,
  );
  return new Map(terms.map((term, place) => [term, row.counts[place] ?? 0]));
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
    terms,
    sql`select document, ordinal, length, words from ${given(keys)} cross join lateral (
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
  return near(
    connection,
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
  return near(
    connection,
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
  return near(connection, cosines(number, vector, given(keys)));
}

/** The cosines of the sample of a space. */
export function nearSample(
  connection: Connection,
  { number, hidden }: AskedSpace,
  vector: Float32Array,
): Promise<readonly NearRow[]> {
  const sample = sql`(select document, ordinal from knowledge_search.samples
    where space = ${wholeLiteral(number)} and document <> all (${[...hidden]}::integer[])) given`;
  return near(connection, cosines(number, vector, sample));
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

/** PostgreSQL divides a rank by this: the sum of 1/n² over all n. */
const ALL_POSITIONS = 1.64493406685;

/**
 * Passages with the rank of each term by itself. PostgreSQL sums up 1/n² over the n positions of a term, so that its rank tells
 * how many there are.
 */
async function counted(
  connection: Connection,
  terms: readonly string[],
  passages: Sql,
): Promise<readonly CountedRow[]> {
  const ranks = terms.map(
    (term) => sql`float4send(ts_rank('{1,1,1,1}', words, ${quotedTerm(term)}::tsquery))`,
  );
  const columns = [sql`int4send(document)`, sql`int4send(ordinal)`, sql`int4send(length)`, ...ranks];
  return packedRows(connection, { columns, rows: passages }, (view, start) => ({
    document: view.getInt32(start),
    ordinal: view.getInt32(start + NUMBER_BYTES),
    length: view.getInt32(start + 2 * NUMBER_BYTES),
    counts: terms.map((_, place) => countOf(view.getFloat32(start + (place + 3) * NUMBER_BYTES))),
  }));
}

function near(connection: Connection, passages: Sql): Promise<readonly NearRow[]> {
  const columns = [sql`int4send(document)`, sql`int4send(ordinal)`, sql`float4send(cosine::real)`];
  return packedRows(connection, { columns, rows: passages }, (view, start) => ({
    document: view.getInt32(start),
    ordinal: view.getInt32(start + NUMBER_BYTES),
    cosine: view.getFloat32(start + 2 * NUMBER_BYTES),
  }));
}

/** All rows as bytes in one: a thousand take 5 ms of CPU to read, as rows of their own 8.8. */
async function packedRows<Row>(
  connection: Connection,
  { columns, rows }: { columns: readonly Sql[]; rows: Sql },
  read: (view: DataView, start: number) => Row,
): Promise<readonly Row[]> {
  const statement = sql`select string_agg(${joined(columns, ' || ')}, '') as packed from (${rows}) passage`;
  const packed = (await queryRow(connection, packedRow, statement)).packed ?? new Uint8Array();
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const rowBytes = columns.length * NUMBER_BYTES;
  return Array.from({ length: packed.byteLength / rowBytes }, (_, row) => read(view, row * rowBytes));
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
