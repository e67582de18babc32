import { expect, it } from 'vitest';
import { type ClientWorld, describeClients } from './describe-clients.ts';
import type { ClientRow } from './run-client.ts';

const rows: readonly ClientRow[] = [
  { alias: '@ai-sdk/openai-compatible', script: 'ai-sdk.mjs', credential: 'apiKey' },
  { alias: '@ai-sdk/anthropic', script: 'ai-sdk.mjs', credential: 'apiKey' },
  { alias: '@langchain/openai', script: 'langchain.mjs', credential: 'apiKey' },
  { alias: '@langchain/anthropic', script: 'langchain.mjs', credential: 'apiKey' },
];

/** Frameworks that wrap both formats. */
export function describeFrameworks(world: ClientWorld): Promise<void> {
  return describeClients(world, { title: 'frameworks', rows }, (report, row) => {
    const expectReported = (name: string, value: unknown) => expect(report()).toHaveProperty(name, value);

    it('answer whole and as a stream, with the same usage', () => {
      const answered = expect.objectContaining({ text: 'Hello from the model.', input: 9, output: 6 });
      expectReported('whole', answered);
      expectReported('streamed', answered);
    });

    it('run tools side by side and take their results', () => {
      const calls = [
        ['call_rome', 'Rome'],
        ['call_oslo', 'Oslo'],
      ];
      const told = { text: 'The tools say: 21 in Rome, 9 in Oslo', calls };
      expectReported('tools', told);
      expectReported('streamedTools', told);
    });

    it('give a structured answer', () => {
      expectReported('facts', { city: 'Rome', degrees: 21 });
    });

    it('tell of a failure before the answer and in the midst of it', () => {
      expectReported('failed', expect.objectContaining({ error: expect.any(String), status: 502 }));
      const broken =
        row.script === 'ai-sdk.mjs' ? { hasText: true, errors: 1 } : { error: expect.any(String) };
      expectReported('broken', expect.objectContaining(broken));
    });
  });
}
