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

/** Inserts a response with the places of its items, in one statement. */
export function insertResponse(
  { owner, response, input, previousId, conversationId }: NewResponse,
  { echo, input: inputPart, output, contextBytes, sizeBytes }: ResponseColumns,
  retentionDays: number,
): Sql {
  const places = placesOf(response, input);
  return prepared(
    'insert_response',
    sql`with saved as (
        insert into responses (id, account_id, stack_id, key_id, model, status, background, previous_id, conversation_id,
          echo, input, output, context_bytes, size_bytes, created_at, expires_at)
        values (${response.id}, ${owner.accountId}, ${owner.stackId}, ${owner.keyId}, ${response.model},
          ${response.status}, ${response.isBackground}, ${previousId ?? null}, ${conversationId ?? null},
          ${echo}, ${inputPart}, ${output}, ${contextBytes}, ${sizeBytes},
          date_trunc('milliseconds', now()), now() + make_interval(days => ${retentionDays}))
        returning id, stack_id)
      insert into response_items (response_id, in_output, position, stack_id, item_id)
        select id, in_output, position, stack_id, item_id
        from saved, unnest(${places.inOutput}::boolean[], ${places.positions}::integer[], ${places.ids}::text[])
          as place (in_output, position, item_id)`,
  );
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

function placesOf({ output }: WrittenResponse, input: readonly KeptItem[]) {
  return {
    ids: [...input, ...output].map(({ id }) => id),
    inOutput: [...input.map(() => false), ...output.map(() => true)],
    positions: [...input.keys(), ...output.keys()],
  };
}
