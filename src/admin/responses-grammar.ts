import { z } from 'zod';
import { parseJson, type StreamEvent } from './client-connection.ts';
import { match, type StreamSummary } from './stream-grammar.ts';

const item = z.looseObject({ id: z.string(), type: z.string() });
const usage = z.object({
  input_tokens: z.int().positive(),
  output_tokens: z.int(),
  total_tokens: z.int(),
});

/** A whole response with the members that clients need. */
export const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  status: z.enum(['completed', 'incomplete']),
  output: z.array(item),
  usage,
});

const eventSchema = z.looseObject({
  type: z.string(),
  sequence_number: z.int(),
  output_index: z.int().optional(),
  item_id: z.string().optional(),
  item: item.optional(),
  response: z.looseObject({ id: z.string(), output: z.array(item) }).optional(),
});

type ResponseEvent = z.infer<typeof eventSchema>;

// One letter per kind, by the first pattern that matches: created, in progress, item added, part added, delta, text done, part done, item done (z), end, steps of a hosted tool (h).
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^keepalive$/, ''],
  [/^response\.created$/, 'c'],
  [/^response\.in_progress$/, 'p'],
  [/^response\.output_item\.added$/, 'a'],
  [/^response\.(?:content_part|reasoning_summary_part)\.added$/, 'b'],
  [/^response\.(?:content_part|reasoning_summary_part)\.done$/, 'q'],
  [/^response\.output_text\.annotation\.added$/, 'n'],
  [/^response\.(?:file_search_call|image_generation_call)\.\w+$/, 'h'],
  [/^response\.output_item\.done$/, 'z'],
  [/^response\.\w+\.delta$/, 'd'],
  [/^response\.\w+\.done$/, 't'],
  [/^response\.(?:completed|incomplete)$/, 'e'],
];
const GRAMMAR = /^cp(?:a(?:(?:bd*n*tq)*|d*t|h+)z)*e$/;

/** Checks a stream of the responses format; throws what would break a client. */
export function checkResponsesStream(events: readonly StreamEvent[]): StreamSummary {
  const parsed = events.map(({ name, data }) => {
    const event = match(eventSchema, parseJson(data));
    if (event.type !== name) throw new Error(`an event is named "${name}" but is a ${event.type}`);
    if (event.type === 'response.failed') throw new Error(`the stream failed: ${data}`);
    return event;
  });
  const letters = parsed.map(({ type }) => letterOf(type)).join('');
  if (!GRAMMAR.test(letters)) throw new Error(`the events are out of order: ${orderOf(parsed)}`);
  for (const [index, { type, sequence_number: given }] of parsed.entries())
    if (given !== index) throw new Error(`a ${type} has the number ${given} and not ${index}`);
  checkItems(parsed);
  const end = match(responseSchema, parsed.at(-1)?.response);
  checkEnd(parsed, end);
  return { inputTokens: end.usage.input_tokens, outputTokens: end.usage.output_tokens };
}

function letterOf(type: string): string {
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? '?';
}

/** All events of an item have its id and index. */
function checkItems(events: readonly ResponseEvent[]): void {
  let [index, id] = [-1, ''];
  for (const event of events) {
    const { type, item: whole, item_id: part, output_index: at } = event;
    if (type === 'response.output_item.added') {
      index += 1;
      id = whole?.id ?? '';
    }
    if (at !== undefined && at !== index) throw new Error(`a ${type} has index ${at} in item ${index}`);
    const named = whole?.id ?? part;
    if (named !== undefined && named !== id) throw new Error(`a ${type} has the id ${named} in item ${id}`);
  }
}

function checkEnd(events: readonly ResponseEvent[], end: z.infer<typeof responseSchema>): void {
  const ids = new Set(events.flatMap(({ response }) => (response === undefined ? [] : [response.id])));
  if (ids.size !== 1) throw new Error('the events differ in the id of the response');
  const done = events.flatMap(({ type, item: whole }) =>
    type === 'response.output_item.done' && whole !== undefined ? [whole] : [],
  );
  if (JSON.stringify(done) !== JSON.stringify(end.output))
    throw new Error('the last event has other items than the events before it');
}

function orderOf(events: readonly ResponseEvent[]): string {
  const types = events.map(({ type }) => type.replace('response.', ''));
  return types.filter((type, position) => type !== types[position - 1]).join(', ');
}
