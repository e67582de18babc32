import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream/fake-upstream.mjs';
import { multipartBody, multipartType } from '../testing/multipart.ts';
import { PdfWriter, writtenLines } from '../testing/reading/pdf-writer.ts';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import type { HttpAnswer } from './http-answer.ts';
import { WorkFolder } from './work-folder.ts';

const key = 'sk-editor-0123456789abcdef';
const keyWithout = 'sk-plain-0123456789abcdef';
const keyOfOther = 'sk-other-0123456789abcdef';
const CHAT = '/v1/chat/completions';
const INDEXING_BOUND_MS = 120_000;

const returns = '# Returns\n\nShoes can be sent back within 30 days of delivery.';
const questions = [
  [
    'returns.md',
    'Within how many days can shoes be sent back?',
    '[returns.md › Returns]\n> Shoes can be sent',
  ],
  [
    'museum.pdf',
    'When does the museum open on Saturdays?',
    '[museum.pdf, page 1]\n> The museum opens at nine',
  ],
] as const;

interface Document {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

describe('answers from the knowledge of a stack', () => {
  let folder: WorkFolder;
  let upstream: FakeUpstream;
  let gateway: GatewayProcess;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    folder = await WorkFolder.withDatabase();
    configure();
    gateway = await startGateway(folder);
    await eventually('the model is ready', isModelReady);
    const museum = Buffer.from('The museum opens at nine on Saturdays and at ten on Sundays.');
    await add(keyOfOther, { 'returns.md': Buffer.from(returns), 'museum.txt': museum });
    ids = await add(key, { 'returns.md': Buffer.from(returns), 'museum.pdf': museumPdf() });
  }, 2 * INDEXING_BOUND_MS);
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await upstream?.close();
    folder?.[Symbol.dispose]();
  });

  it.each(questions)('quote %s, and name it', async (name, question, quotation) => {
    for (const stream of [false, true]) {
      const answer = await chat(question, { stream });
      expect(answer.headers['x-knowledge-sources']).toBe(ids[name]);
      expect(systemTold()).toMatch(/^Be kind\.\n\nExcerpts from the knowledge base follow\./);
      expect(systemTold()).toContain(quotation);
    }
  });

  it.each(questions)('cost what was counted before: %s', async (_, question) => {
    const messages = [{ role: 'user', content: question }];
    const counted = await post('/v1/messages/count_tokens', { messages });
    const { input_tokens: count } = counted.json() as { input_tokens: number };
    const whole = await post('/v1/messages', { model: 'any', max_tokens: 8000, messages });
    expect(whole.json()).toMatchObject({ usage: { input_tokens: count } });
    expect((await chat(question)).json()).toMatchObject({ usage: { prompt_tokens: count } });
    const plain = await post('/v1/messages/count_tokens', { messages }, keyWithout);
    expect(plain.json()).not.toEqual({ input_tokens: count });
  });

  it('quote nothing to a key without retrieval, nor where no document has an answer', async () => {
    const [, question] = questions[0];
    const unrelated = 'Who composed the opera about a magic flute?';
    for (const answer of [await chat(question, { key: keyWithout }), await chat(unrelated)]) {
      expect(answer.headers['x-knowledge-sources']).toBeUndefined();
      expect(systemTold()).toBe('Be kind.');
    }
  });

  it('quote a removed document no more, whatever another stack has', async () => {
    for (const [name, question] of questions) {
      const removal = await gateway.request(`/v1/knowledge/${ids[name]}`, { method: 'DELETE', key });
      expect(removal.json()).toMatchObject({ deleted: true });
      const answer = await chat(question);
      expect(answer.headers['x-knowledge-sources']).toBeUndefined();
      expect(systemTold()).toBe('Be kind.');
    }
  });

  function send(path: string, body: unknown, asKey = key): Promise<HttpAnswer> {
    const headers = { 'content-type': 'application/json' };
    return gateway.request(path, { method: 'POST', key: asKey, headers, body: JSON.stringify(body) });
  }

  async function post(path: string, body: unknown, asKey = key): Promise<HttpAnswer> {
    const answer = await send(path, body, asKey);
    expect(answer.status, answer.text).toBe(200);
    return answer;
  }

  /** A gateway listens before it has probed its model. */
  async function isModelReady(): Promise<true | undefined> {
    const body = { messages: [{ role: 'user', content: 'Are you there?' }] };
    return (await send('/v1/messages/count_tokens', body)).status === 200 || undefined;
  }

  function chat(content: string, { stream = false, key: asKey = key } = {}): Promise<HttpAnswer> {
    return post(CHAT, { model: 'm', stream, messages: [{ role: 'user', content }] }, asKey);
  }

  /** The last system prompt sent to the upstream. */
  function systemTold(): string {
    const { body } = upstream.requests.findLast(({ path }) => path === CHAT) ?? {};
    const { messages } = (body ?? {}) as { messages?: readonly { role: string; content: string }[] };
    return messages?.find(({ role }) => role === 'system')?.content ?? '';
  }

  /** Adds documents and resolves with their ids by name when they are ready. */
  async function add(asKey: string, files: Readonly<Record<string, Buffer>>) {
    const parts = Object.entries(files).map(([fileName, bytes]) => ({ name: 'file', fileName, bytes }));
    const headers = { 'content-type': multipartType };
    const form = { method: 'POST', key: asKey, headers, body: multipartBody(parts) };
    expect((await gateway.request('/v1/knowledge', form)).status).toBe(200);
    const areReady = async () => {
      const { data } = (await gateway.request('/v1/knowledge', { key: asKey })).json() as {
        data: Document[];
      };
      expect(data.filter(({ state }) => state === 'failed')).toEqual([]);
      return data.every(({ state }) => state === 'ready') ? data : undefined;
    };
    const ready = await eventually('the documents are ready', areReady, INDEXING_BOUND_MS);
    return Object.fromEntries(ready.map(({ id, name }) => [name, id]));
  }

  function configure(): void {
    folder.configure(`
engines:
  text:
    gpu: { kind: openai, base_url: "${upstream.url}/v1", model: ${upstream.model}, context_window: 65536 }
stacks:
  - id: shop
    account: acme
    text: gpu
    models: [m]
    system_prompt: Be kind.
    keys:
      - { id: editor, secret: ${key}, retrieval: true, knowledge: write }
      - { id: plain, secret: ${keyWithout} }
  - id: other
    account: acme
    text: gpu
    models: [m]
    keys: [{ id: editor, secret: ${keyOfOther}, retrieval: true, knowledge: write }]
`);
  }
});

function museumPdf(): Buffer {
  const writer = new PdfWriter();
  const lines = ['The museum opens at nine on Saturdays', 'and at ten on Sundays.'];
  writer.addPage({ content: writtenLines(lines), fonts: { F: writer.standardFont() } });
  return writer.build();
}
