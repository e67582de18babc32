import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientKey } from '../clients/client-gateway.ts';
import { installPythonClients } from '../python/install-python-clients.ts';
import { hostedKey, type ResponsesGateway } from './responses-gateway.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../python/openai_responses.py', import.meta.url));
const CLIENT_BOUND_MS = 60_000;

/** OpenAI's client for Python. */
export async function describePython(gateway: () => ResponsesGateway): Promise<void> {
  const python = await installPythonClients();
  describe('openai for Python', () => {
    if (python === undefined) {
      it.skip('is not to be had on this machine');
      return;
    }
    let report: unknown;

    beforeAll(async () => {
      const task = { url: gateway().url, key: clientKey, hostedKey, model: 'other' };
      // No bytecode next to the sources, and no keys, addresses and proxies from the environment.
      const options = { env: { PYTHONDONTWRITEBYTECODE: '1' }, timeout: CLIENT_BOUND_MS };
      report = JSON.parse((await run(python, [script, JSON.stringify(task)], options)).stdout);
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
