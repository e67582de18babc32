import { expect, it } from 'vitest';
import type { ClientGateway } from './client-gateway.ts';
import { type ClientWorld, describeClients } from './describe-clients.ts';
import type { ClientRow } from './run-client.ts';

const requestId = expect.stringMatching(/^req_/);
const said = 'Hello from the model.';
const calls = [
  ['call_rome', 'weather', '{"city":"Rome"}'],
  ['call_oslo', 'weather', '{"city":"Oslo"}'],
];
const results = 'The tools say: 21 in Rome, 9 in Oslo';

const rows = ['openai-4', 'openai-5', 'openai-6', 'openai-7'].map(
  (alias): ClientRow => ({ alias, script: 'openai-chat.mjs', credential: 'apiKey' }),
);

/** OpenAI’s clients, on chat completions. */
export function describeChat(world: ClientWorld, gateway: () => ClientGateway): Promise<void> {
  return describeClients(world, { title: 'chat completions', rows }, (report, row) => {
    const expectReported = (name: string, value: unknown) => expect(report()).toHaveProperty(name, value);

    it('come whole, with usage and the id of the request', () => {
      const usage = expect.objectContaining({ prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 });
      const whole = { model: 'other', role: 'assistant', text: said, finish: 'stop', usage, requestId };
      expectReported('whole', whole);
    });

    it('are asked of the model once by a client that lost the answer and retries', () => {
      expectReported('retried', { ids: 1, replayed: [null, 'true'] });
    });

    it('come as a stream, with usage only when asked for', () => {
      const streamed = { role: 'assistant', text: said, finishes: ['stop'], ids: 1 };
      expectReported('streamed', { ...streamed, usages: [], emptyChunks: 0 });
      const usage = expect.objectContaining({ prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 });
      expectReported('streamedWithUsage', { ...streamed, usages: [usage], emptyChunks: 1 });
      expectReported('helper', expect.objectContaining({ role: 'assistant', text: said, finish: 'stop' }));
    });

    it('call tools side by side, also when the model mixes their fragments', () => {
      const called = expect.objectContaining({ text: null, calls, finish: 'tool_calls' });
      expectReported('toolCalls', called);
      expectReported('streamedToolCalls', called);
    });

    it('take the results of tools that the client runs by itself', () => {
      expectReported('runTools', results);
      expectReported('streamedRunTools', results);
    });

    it('parse an answer that follows a schema', () => {
      expectReported('parsed', { city: 'Rome', degrees: 21 });
    });

    it('come with the passages that were quoted, whole and as a stream', () => {
      expectReported('shown', [['handbook.md'], ['handbook.md']]);
    });

    it('end before a stop sequence, also when it is cut in two', () => {
      expectReported('stopped', expect.objectContaining({ text: 'one two ', finish: 'stop' }));
      expectReported('streamedStopped', expect.objectContaining({ text: 'one two ', finishes: ['stop'] }));
    });

    it('say the answer and not the thought', () => {
      expectReported('thoughts', expect.objectContaining({ text: 'Hello after a thought.' }));
    });

    it('that fail before the first byte are an HTTP error', () => {
      const failed = { error: 'InternalServerError', status: 502, requestId };
      expectReported('failed', expect.objectContaining(failed));
      expectReported('streamedFailed', expect.objectContaining(failed));
    });

    it('that break midway throw', () => {
      expectReported('broken', expect.objectContaining({ error: 'APIError' }));
      expectReported('helperBroken', expect.objectContaining({ error: 'APIError' }));
    });

    it('that ask for what there is not are refused', () => {
      const unknown = { error: 'NotFoundError', status: 404, code: 'model_not_found', requestId };
      expectReported('unknownModel', expect.objectContaining(unknown));
      expectReported('badField', expect.objectContaining({ error: 'BadRequestError', status: 400 }));
    });

    it('that the client leaves end at the model too', async () => {
      const question = `Never end ${row.alias}`;
      expectReported('left', { question, hasText: true });
      expect(await gateway().endOf(question)).toBe('client-gone');
    });
  });
}
