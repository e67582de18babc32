import { expect, it } from 'vitest';
import type { ClientGateway } from './client-gateway.ts';
import { type ClientWorld, describeClients } from './describe-clients.ts';
import type { ClientRow } from './run-client.ts';

const said = 'Hello from the model.';
const grammar = [
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
];

const rows = ['anthropic-0.27', 'anthropic-0.137', 'anthropic-1'].flatMap((alias) =>
  (['apiKey', 'authToken'] as const).map(
    (credential): ClientRow => ({ alias, script: 'anthropic-messages.mjs', credential }),
  ),
);

/** Anthropic’s clients, on messages. */
export function describeMessages(world: ClientWorld, gateway: () => ClientGateway): Promise<void> {
  return describeClients(world, { title: 'messages', rows }, (report, row) => {
    const expectReported = (name: string, value: unknown) => expect(report()).toHaveProperty(name, value);

    it('come whole and by the helper alike, named after the first model', () => {
      const message = {
        type: 'message',
        role: 'assistant',
        model: 'org/model-x',
        text: said,
        types: ['text'],
        stop: 'end_turn',
        sequence: null,
        input: 9,
        output: 6,
      };
      expectReported('whole', message);
      expectReported('helper', message);
    });

    it('come as events in their order, with the true input at the start', () => {
      expectReported('iterated', {
        types: grammar,
        text: said,
        start: expect.objectContaining({ input_tokens: 9, output_tokens: 0 }),
        end: expect.objectContaining({ input_tokens: 9, output_tokens: 6 }),
      });
    });

    it('say the thought apart from the answer', () => {
      expectReported('thoughts', expect.objectContaining({ text: 'Hello after a thought.' }));
    });

    it('come with the passages that were quoted, whole and as a stream', () => {
      expectReported('shown', [['handbook.md'], ['handbook.md']]);
    });

    it('end before a stop sequence and name it', () => {
      const stopped = { text: 'one two ', stop: 'stop_sequence', sequence: 'END' };
      expectReported('stopped', expect.objectContaining(stopped));
    });

    it.each(['counted', 'countedWithTools'])('cost what was counted before: %s', (name) => {
      expect(report()).toHaveProperty(`${name}.counted`, expect.any(Number));
      const { counted } = Object(Object(report())[name]);
      expectReported(name, { counted, whole: counted, start: counted });
    });

    it('call tools and take their results', () => {
      const uses = [
        ['call_rome', 'weather', { city: 'Rome' }],
        ['call_oslo', 'weather', { city: 'Oslo' }],
      ];
      const roundTrip = { uses, stop: 'tool_use', text: 'The tools say: 21 in Rome, 9 in Oslo' };
      expectReported('roundTrip', roundTrip);
      expectReported('streamedRoundTrip', roundTrip);
    });

    it('call the tool that the client insists on', () => {
      expectReported('forced', { city: 'Rome', degrees: 21 });
    });

    it('that fail are an HTTP error, or an event of a stream', () => {
      const error = { error: 'InternalServerError', status: 502, type: 'api_error' };
      expectReported('failed', expect.objectContaining(error));
      expectReported('streamedFailed', expect.objectContaining({ error: 'APIError', type: 'api_error' }));
      expectReported('broken', expect.objectContaining({ error: 'APIError', type: 'api_error' }));
      expectReported('helperBroken', expect.objectContaining({ error: 'APIError', type: 'api_error' }));
    });

    it('of an overloaded model say so', () => {
      expectReported('overloaded', expect.objectContaining({ status: 502, type: 'overloaded_error' }));
      const streamed = { error: 'APIError', type: 'overloaded_error' };
      expectReported('streamedOverloaded', expect.objectContaining(streamed));
    });

    it('that cannot be are refused', () => {
      const bad = { error: 'BadRequestError', status: 400, type: 'invalid_request_error' };
      expectReported('badField', expect.objectContaining(bad));
      const wrong = { error: 'AuthenticationError', status: 401, type: 'authentication_error' };
      expectReported('wrongKey', expect.objectContaining(wrong));
      expectReported('wrongKeyToCount', expect.objectContaining(wrong));
    });

    it('that the client leaves end at the model too', async () => {
      const question = `Never end ${row.alias} ${row.credential}`;
      expectReported('left', { question, hasText: true });
      expect(await gateway().endOf(question)).toBe('client-gone');
    });
  });
}
