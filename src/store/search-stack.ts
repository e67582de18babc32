import { z } from 'zod';
import { type Connection, queryRow, queryRows, wholeNumber } from './query.ts';
import { WORDS } from './search-filler.ts';
import { sql } from './sql.ts';

const stackRow = z.object({
  searchable: wholeNumber,
  here: wholeNumber,
  passages: wholeNumber,
  terms: wholeNumber,
  languages: z.array(z.string()),
  hidden: z.array(z.number()),
  hiddenVectors: z.array(z.number()),
});
const spaceRow = z.object({
  number: z.number(),
  model: z.string(),
  dimensions: z.number().nullable(),
  isLarge: z.boolean(),
  analysedPassages: z.number(),
});
/** Beyond, questions wait for indexes: reading all passages would take too long. */
const MOST_UNINDEXED = 20_000;

/** A stack as it is in the tables of the search. */
export type AskedStack = z.infer<typeof stackRow> & {
  readonly spaces: readonly z.infer<typeof spaceRow>[];
};

/** Whether all documents of the stack are in the tables, with indexes if they need them. */
export function isSearchable({ here, searchable, passages, spaces }: AskedStack): boolean {
  return here >= searchable && (passages <= MOST_UNINDEXED || spaces.every(({ isLarge }) => isLarge));
}

/** Reads what questions need to know of a stack whose vectors are of this model. */
export async function readStack(connection: Connection, stackId: string, model: string): Promise<AskedStack> {
  const stack = await queryRow(
    connection,
    stackRow,
    sql`select (select count(*) from knowledge_documents
          where stack_id = ${stackId} and searchable_version is not null) as searchable,
        count(*) filter (where is_live and (model is distinct from ${model} or filled_model = ${model})) as here,
        coalesce(sum(passages) filter (where is_live), 0)::bigint as passages,
        coalesce(sum(terms) filter (where is_live), 0)::bigint as terms,
        coalesce(array_agg(distinct language) filter (where is_live and language is not null), '{}') as languages,
        coalesce(array_agg(number) filter (where not is_live), '{}') as hidden,
        coalesce(array_agg(number) filter (where not is_live or model is distinct from ${model}), '{}') as hidden_vectors
      from knowledge_search.documents where stack_id = ${stackId}`,
  );
  const spaces = await queryRows(
    connection,
    spaceRow,
    sql`select number, model, dimensions, is_large, analysed_passages from knowledge_search.spaces
      where stack_id = ${stackId} and model in (${WORDS}, ${model})`,
  );
  return { ...stack, spaces };
}
