import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventLists } from '../../testing/text/event-lists.ts';
import { parseResponseStream } from '../../testing/text/response-stream.ts';
import { conversationOf, readResponse } from '../text/wire/responses/read-response.ts';
import { openResponse } from '../text/wire/responses/responses-wire.ts';
import { checkResponsesStream } from './responses-grammar.ts';

it('accepts every stream that the gateway writes', () => {
  fc.assert(
    fc.property(eventLists(), fc.boolean(), (events, summarises) => {
      const reasoning = summarises ? { summary: 'auto' } : {};
      const read = readResponse({ model: 'm', input: 'hi', reasoning });
      const asked = conversationOf(read, { history: [], input: read.input });
      const writer = openResponse(read, asked, { answerId: '1', created: 1, stored: false }).writer();
      const counted = events.map((event) =>
        event.type === 'finish' ? { ...event, usage: { promptTokens: 3, completionTokens: 2 } } : event,
      );
      const text = counted.map(
        (event) => writer.write(event) + (event.type === 'block-start' ? writer.ping() : ''),
      );
      const sent = parseResponseStream(text.join('')).map((event) => ({
        name: event.type,
        data: JSON.stringify(event),
      }));
      expect(checkResponsesStream(sent)).toEqual({ inputTokens: 3, outputTokens: 2 });
    }),
    { seed: 2_026, numRuns: 60 },
  );
});
