import { beforeAll, describe, expect, it } from 'vitest';
import { installPythonClients, runPythonClient } from '../python/python-clients.ts';
import { hostedKey, type ResponsesGateway } from './responses-gateway.ts';

/** OpenAI's client for Python. */
export async function describePython(gateway: () => ResponsesGateway): Promise<void> {
  const python = await installPythonClients();
  describe('openai for Python', () => {
    if (python === undefined) {
      it.skip('is not available on this machine');
      return;
    }
    let report: unknown;

    beforeAll(async () => {
      const task = { url: gateway().url, hostedKey, model: 'other' };
      report = await runPythonClient({ python, script: 'openai_responses.py', task });
    });

    it('gets the same answer whole and by the strict helper', () => {
      const hello = { text: 'Hello from the model.', status: 'completed', usage: [9, 6] };
      expect(report).toMatchObject({ whole: hello, helper: hello });
    });

    it('calls tools and hands in their results', () => {
      const calls = [
        ['call_rome', 'Rome'],
        ['call_oslo', 'Oslo'],
      ];
      const told = { calls, text: 'The tools say: 21 in Rome, 9 in Oslo' };
      expect(report).toMatchObject({ tools: told, streamedTools: told });
    });

    it('shows thoughts as they are, and as a summary', () => {
      const thoughts = [
        ['reasoning', 'They greet me.'],
        ['message', 'Hello after a thought.'],
      ];
      expect(report).toMatchObject({ thoughts, summarised: thoughts });
    });

    it('raises what fails before the answer and in the midst of it', () => {
      expect(report).toMatchObject({
        failed: { error: 'InternalServerError', status: 502 },
        broken: { error: 'RuntimeError' },
      });
    });

    it('goes on from a response that is kept, and reads it again', () => {
      expect(report).toMatchObject({ followUp: 'Hello after a thought.' });
    });

    it('has the gateway search and paint', () => {
      const searched = { types: ['file_search_call', 'message'], cited: 'handbook.md' };
      const painted = { types: ['image_generation_call', 'message'], picture: 'iVBORw0K' };
      expect(report).toMatchObject({ searched, painted });
    });
  });
}
