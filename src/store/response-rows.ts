import type { KeptItem, NewResponse } from '../text/responses/response-store.ts';
import type { ResponseObject, WrittenResponse } from '../text/wire/responses/response-object.ts';
import { isBlobPart, type ResponseParts } from './response-parts.ts';
import { prepared, type Sql, sql } from './sql.ts';

/** The columns of a response that hold its contents. */
export interface ResponseColumns {
  readonly echo: string;
  readonly input: string;
  readonly output: string;
  readonly contextBytes: number;
  readonly sizeBytes: number;
}

/** Writes the contents of a response as columns, large ones into the blob store. */
export async function responseColumns(
  parts: ResponseParts,
  response: WrittenResponse,
  input: readonly KeptItem[],
): Promise<ResponseColumns> {
  const inputText = JSON.stringify(input);
  const [{ echo, output, echoBytes, outputBytes }, inputPart] = await Promise.all([
    answerColumns(parts, response),
    parts.put(inputText),
  ]);
  const contextBytes = Buffer.byteLength(inputText) + outputBytes;
  return { echo, input: inputPart, output, contextBytes, sizeBytes: contextBytes + echoBytes };
}

/** The columns of a response that its answer changes, and their sizes. */
export interface AnswerColumns {
  readonly echo: string;
  readonly output: string;
  readonly echoBytes: number;
  readonly outputBytes: number;
}

/** Writes the columns that an answer changes. */
export async function answerColumns(
  parts: ResponseParts,
  response: Pick<WrittenResponse, 'echo' | 'output'>,
): Promise<AnswerColumns> {
  const echoText = response.echo;
  const outputText = JSON.stringify(response.output);
  const [echo, output] = await Promise.all([parts.put(echoText), parts.put(outputText)]);
  return {
    echo,
    output,
    echoBytes: Buffer.byteLength(echoText),
    outputBytes: Buffer.byteLength(outputText),
  };
}

/** Changes a response that was stored before its answer, with the places of its output items. */
export function updateResponse({ id, status, model }: ResponseObject, columns: AnswerColumns): Sql {
  const { echo, output, echoBytes, outputBytes } = columns;
  const more = outputBytes - NO_OUTPUT.length;
  return sql`update responses set status = ${status}, model = ${String(model)}, echo = ${echo}, output = ${output},
      context_bytes = context_bytes + ${more}, size_bytes = context_bytes + ${more} + ${echoBytes}
    where id = ${id}`;
}

/** The output of a response before its answer. */
export const NO_OUTPUT = '[]';

/** The columns that may name a blob. */
export function partsOf({ echo, input, output }: ResponseColumns): readonly string[] {
  return [echo, input, output];
}

/** Whether a blob was written for any of the columns. */
export function hasBlobs(columns: ResponseColumns): boolean {
  return partsOf(columns).some(isBlobPart);
}

/** A response with its columns, as one statement inserts any number of them. */
export interface ResponseRow {
  readonly response: NewResponse;
  readonly columns: ResponseColumns;
}

/** Inserts responses with the places of their items, in one statement. */
export function insertResponses(rows: readonly ResponseRow[], retentionDays: number): Sql {
  return prepared(
    'insert_responses',
    sql`with given as (
        select * from json_to_recordset(${JSON.stringify(rows.map(givenRow))}::json) as given (
          id text, account_id text, stack_id text, key_id text, model text, status text, background boolean,
          previous_id text, conversation_id text, echo text, input text, output text, context_bytes bigint,
          size_bytes bigint, input_ids json, output_ids json)),
      saved as (
        insert into responses (id, account_id, stack_id, key_id, model, status, background, previous_id, conversation_id,
          echo, input, output, context_bytes, size_bytes, created_at, expires_at)
        select id, account_id, stack_id, key_id, model, status, background, previous_id, conversation_id,
          echo, input, output, context_bytes, size_bytes,
          date_trunc('milliseconds', now()), now() + make_interval(days => ${retentionDays})
        from given)
      insert into response_items (response_id, in_output, position, stack_id, item_id)
        select id, in_output, position - 1, stack_id, item_id
        from given, lateral (values (false, input_ids), (true, output_ids)) as list (in_output, ids),
          lateral json_array_elements_text(ids) with ordinality as place (item_id, position)`,
  );
}

function givenRow({ response: saved, columns }: ResponseRow): object {
  const { owner, response, input } = saved;
  return {
    id: response.id,
    account_id: owner.accountId,
    stack_id: owner.stackId,
    key_id: owner.keyId,
    model: response.model,
    status: response.status,
    background: response.isBackground,
    previous_id: saved.previousId,
    conversation_id: saved.conversationId,
    echo: columns.echo,
    input: columns.input,
    output: columns.output,
    context_bytes: columns.contextBytes,
    size_bytes: columns.sizeBytes,
    input_ids: input.map(({ id }) => id),
    output_ids: response.output.map(({ id }) => id),
  };
}

/** Inserts the places of a response's output items. */
export function insertOutputItems(stackId: string, { id, output }: ResponseObject): Sql {
  return sql`insert into response_items (response_id, in_output, position, stack_id, item_id)
    select ${id}, true, position - 1, ${stackId}, item_id
    from unnest(${output.map((item) => item.id)}::text[]) with ordinality as place (item_id, position)`;
}

/** Puts a response together again: its members in the order in which they were answered. */
export function joinResponse(echo: string, output: string): ResponseObject {
  const members: ResponseObject = JSON.parse(echo);
  return { ...members, output: JSON.parse(output) };
}
