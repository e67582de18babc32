import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { parseResponseStream, rebuildOutput } from '../../testing/text/response-stream.ts';
import { responsesBody, responsesCorpus } from '../../testing/text/responses-corpus.ts';
import { TextGateway } from '../../testing/text/text-gateway.ts';

const callers = {
  'sk-a': makeCaller({ stack: { models: ['local-model'] } }),
  'sk-none': makeCaller({ stack: { id: 'none', models: ['local-model'], storesResponses: false } }),
};
const RESPONSES = '/v1/responses';
const asked = { model: 'local-model', input: 'Say hello.' };

let gateway: TextGateway;
beforeAll(async () => {
  gateway = await TextGateway.start({ callers });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

async function answerTo(body: object) {
  const { status, body: text } = await gateway.post(RESPONSES, body).answer();
  return { status, text };
}

describe('POST /v1/responses', () => {
  it('says the same as a stream and in one piece', async () => {
    const whole = JSON.parse((await answerTo(asked)).text);
    expect(whole).toMatchObject({ object: 'response', status: 'completed', store: true });
    const events = parseResponseStream((await answerTo({ ...asked, stream: true })).text);
    const [item] = rebuildOutput(events);
    const unnamed = ({ id, ...rest }: Record<string, unknown>) => rest;
    expect(whole.output.map(unnamed)).toEqual([unnamed(item as Record<string, unknown>)]);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { usage: whole.usage } });
  });

  it('sends a recorded request of Codex to the server as a chat', async () => {
    const { status } = await answerTo({ ...responsesBody('codex-reasoning'), model: 'local-model' });
    expect(status).toBe(200);
    expect(gateway.lastBody).toMatchObject({
      max_tokens: 16_000,
      messages: [
        { role: 'system', content: expect.stringContaining('<16979 characters of prompt>') },
        { role: 'user' },
        { role: 'user', content: 'test' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_rec_1', function: { name: 'exec_command' } }],
          reasoning_content: 'Let me think.',
        },
        { role: 'tool', tool_call_id: 'call_rec_1' },
      ],
    });
  });

  it('counts what the same response reads', async () => {
    const { usage } = JSON.parse((await answerTo(asked)).text);
    const counted = await gateway.post(`${RESPONSES}/input_tokens`, asked).answer();
    expect(JSON.parse(counted.body)).toEqual({
      object: 'response.input_tokens',
      input_tokens: usage.input_tokens,
    });
  });

  it.each(responsesCorpus.filter((name) => name !== 'agents-previous'))(
    'counts what a recorded request reads: %s',
    async (name) => {
      const body = { ...responsesBody(name), model: 'local-model', stream: false };
      const counted = await gateway.post(`${RESPONSES}/input_tokens`, body, 'sk-none').answer();
      const answer = await gateway.post(RESPONSES, body, 'sk-none').answer();
      expect([counted.status, answer.status]).toEqual([200, 200]);
      expect(JSON.parse(counted.body).input_tokens).toBe(JSON.parse(answer.body).usage.input_tokens);
    },
  );

  it.each([
    [{ previous_response_id: 'resp_1' }, 400, 'previous_response_not_found'],
    [{ model: 'other' }, 404, 'model_not_found'],
  ])('refuses %j in the shape of chat', async (fields, status, code) => {
    const answer = await answerTo({ ...asked, ...fields });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code } });
  });
});
