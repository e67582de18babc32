import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientGateway } from '../clients/client-gateway.ts';
import { describeImages } from './describe-images.ts';
import { installPythonClients, runPythonClient } from './python-clients.ts';

const rows = [
  { script: 'openai_chat.py', credential: 'api_key', finish: 'stop' },
  { script: 'anthropic_messages.py', credential: 'api_key', finish: 'end_turn' },
  { script: 'anthropic_messages.py', credential: 'auth_token', finish: 'end_turn' },
];

// One file, so that one gateway serves all of them.
describe('Python clients', async () => {
  const python = await installPythonClients();
  if (python === undefined) {
    it.skip('are not available on this machine');
    return;
  }
  let gateway: ClientGateway;

  beforeAll(async () => {
    gateway = await ClientGateway.start();
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
  });

  describe.each(rows)('$script by $credential', ({ script, credential, finish }) => {
    let report: unknown;
    const expectReported = (name: string, value: unknown) => expect(report).toHaveProperty(name, value);
    const isChat = script === 'openai_chat.py';

    beforeAll(async () => {
      const task = { url: gateway.url, wrongKey: 'sk-not-one', model: 'other', credential };
      report = await runPythonClient({ python, script, task });
    });

    it.each(isChat ? ['whole', 'streamed', 'helper'] : ['whole', 'streamed'])('get an answer: %s', (name) => {
      expectReported(name, { text: 'Hello from the model.', finish, usage: [9, 6] });
    });

    it.each(['tools', 'streamedTools'])('call tools and hand in their results: %s', (name) => {
      const calls = [
        ['call_rome', 'Rome'],
        ['call_oslo', 'Oslo'],
      ];
      expectReported(name, { calls, text: 'The tools say: 21 in Rome, 9 in Oslo' });
    });

    it('raise what fails before the answer and in the midst of it', () => {
      expectReported('failed', expect.objectContaining({ error: 'InternalServerError', status: 502 }));
      expectReported('broken', expect.objectContaining({ type: isChat ? 'upstream_error' : 'api_error' }));
    });

    it('get the passages that were quoted, whole and as a stream', () => {
      expectReported('shown', [['handbook.md'], ['handbook.md']]);
    });

    it('raise a wrong key', () => {
      const requestId = expect.stringMatching(/^req_/);
      const wrong = { error: 'AuthenticationError', status: 401, requestId };
      expectReported('wrongKey', expect.objectContaining(wrong));
    });

    if (isChat) {
      it('get an answer that follows a schema', () => {
        expectReported('facts', { city: 'Rome', degrees: 21 });
      });

      it('raise an unknown model', () => {
        expectReported('unknownModel', expect.objectContaining({ error: 'NotFoundError', status: 404 }));
      });
    } else {
      it('count what is then charged', () => {
        expectReported('countIsUsage', true);
      });

      it('raise an overloaded model', () => {
        expectReported('overloaded', expect.objectContaining({ type: 'overloaded_error' }));
      });
    }
  });

  describeImages(python, () => gateway);
});
