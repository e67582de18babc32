import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import type { ReplyPlan } from '../../testing/fake-upstream/fake-upstream.mjs';
import { hold } from '../../testing/text/held.ts';
import { parseResponseStream, rebuildOutput } from '../../testing/text/response-stream.ts';
import { TextGateway } from '../../testing/text/text-gateway.ts';
import { Fault } from '../faults/fault.ts';
import { FileSearchTool } from '../knowledge/excerpt/file-search-tool.ts';
import type { FoundChunk } from '../knowledge/knowledge-search.ts';
import type { HostedTool } from '../text/hosted-tool.ts';

const RESPONSES = '/v1/responses';
const stack = { models: ['m'] };
const callers = {
  'sk-a': makeCaller({ stack, key: { retrieval: true } }),
  'sk-plain': makeCaller({ stack: { ...stack, imagePlan: false } }),
  'sk-scoped': makeCaller({
    stack,
    key: {
      retrieval: true,
      restrictions: { scopes: ['responses'], allowedIps: undefined, readOnly: false },
    },
  }),
};
const chunk = (position: number, page: number, relevance = 0.9): FoundChunk => ({
  position,
  page,
  relevance,
  text: `Passage ${position}`,
  headings: ['Leave'],
  documentId: 'doc_1',
  documentName: 'handbook.pdf',
  score: 1,
  words: 1,
  meaning: 1,
});
const searched: string[] = [];
const fileSearch = new FileSearchTool(
  {
    search: async (_stackId, question) => {
      searched.push(question);
      return [chunk(0, 3), chunk(1, 4), chunk(2, 5, 0.01)];
    },
  },
  0.5,
);
/** Paints at once, is refused, or waits until the caller is gone. */
const painter: HostedTool = {
  kind: 'image-generation',
  scope: 'images',
  isForReaders: false,
  isOpenTo: ({ stack: { imagePlan } }) => imagePlan,
  run: async (_caller, { arguments: { prompt }, settings }, { signal }) => {
    if (prompt === 'too many') throw new Fault('image-rate-limited', 'There were too many images.');
    if (prompt === 'forever')
      await new Promise((_, reject) => {
        painting.release();
        signal.addEventListener('abort', () => {
          left.release();
          reject(signal.reason);
        });
      });
    const size = settings.imageSize ?? '1024x1024';
    return { outcome: { type: 'painted', base64: 'UE5H', prompt: String(prompt), size }, told: 'Painted.' };
  },
};
const painting = hold();
const left = hold();

const searchTool = { type: 'file_search', vector_store_ids: ['vs_ignored'] };
const asked = { model: 'm', input: 'How many days?', store: false };
const search = (query: string, id = 'call_1') => ({ id, name: 'file_search', arguments: { query } });
const paint = (prompt: string) => ({ id: 'call_p', name: 'image_generation', arguments: { prompt } });
const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };

let gateway: TextGateway;
beforeAll(async () => {
  gateway = await TextGateway.start({ callers, hostedTools: [fileSearch, painter] });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

type Item = Readonly<Record<string, unknown>>;

interface Answered {
  readonly output: readonly Item[];
  readonly usage: unknown;
  readonly bodies: readonly Sent[];
}

interface Sent {
  readonly messages: readonly Item[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
}

/** Asks twice, whole and as a stream, which must be the same; the requests to the model are those of the stream. */
async function answer(fields: object, plans: readonly ReplyPlan[], key?: string): Promise<Answered> {
  const post = async (body: object) => {
    gateway.upstream.respond(...plans);
    return (await gateway.post(RESPONSES, body, key).answer()).body;
  };
  const whole = JSON.parse(await post({ ...asked, ...fields }));
  const before = gateway.upstream.totalRequests;
  const events = parseResponseStream(await post({ ...asked, ...fields, stream: true }));
  const end = events.at(-1)?.response as { output: readonly Item[]; usage: unknown };
  expect(rebuildOutput(events)).toEqual(end.output);
  expect(end.output.map(unnamed)).toEqual(whole.output.map(unnamed));
  expect(end.usage).toEqual(whole.usage);
  const sent = gateway.upstream.requests.filter(({ serial }) => serial > before);
  return { ...end, bodies: sent.map(({ body }) => body as Sent) };
}

function unnamed({ id, ...item }: Item): Item {
  return { ...item, id: String(id).split('_')[0] };
}

describe('file_search', () => {
  const found = [
    { toolCalls: [search('vacation')], usage },
    { text: 'Twenty [2].', usage },
  ];

  it('answers from the knowledge base, and cites file and page', async () => {
    const { output, usage: summed, bodies } = await answer({ tools: [searchTool] }, found);
    expect(output.map(unnamed)).toEqual([
      { id: 'fs', type: 'file_search_call', status: 'completed', queries: ['vacation'], results: null },
      expect.objectContaining({
        content: [
          expect.objectContaining({
            text: 'Twenty [2].',
            annotations: [
              { type: 'file_citation', index: 7, file_id: 'doc_1', filename: 'handbook.pdf', page: 4 },
            ],
          }),
        ],
      }),
    ]);
    expect(summed).toMatchObject({ input_tokens: 20, output_tokens: 4, total_tokens: 24 });
    const result = bodies[1]?.messages.at(-1);
    expect(result).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
    expect(result?.content).toMatch(/\[1\] handbook.pdf › Leave, page 3\n> Passage 0\n\n\[2\] handbook/);
    expect(result?.content).not.toContain('Passage 2');
  });

  it('shows what it found if that is asked for', async () => {
    const include = ['file_search_call.results'];
    const { output } = await answer({ tools: [searchTool], include }, found);
    expect(output[0]?.results).toEqual([
      { file_id: 'doc_1', filename: 'handbook.pdf', score: 0.9, text: 'Passage 0', attributes: { page: 3 } },
      { file_id: 'doc_1', filename: 'handbook.pdf', score: 0.9, text: 'Passage 1', attributes: { page: 4 } },
    ]);
  });

  it('names every place if the model cites none, and numbers on with each search', async () => {
    const plans = [
      { reasoning: 'Two questions.', toolCalls: [search('a'), search('b', 'call_2')] },
      { text: 'Yes.' },
    ];
    const { output, bodies } = await answer({ tools: [searchTool] }, plans);
    expect(output.map(({ type }) => type)).toEqual([
      'reasoning',
      'file_search_call',
      'file_search_call',
      'message',
    ]);
    expect(output[3]?.content).toMatchObject([
      {
        annotations: [
          { page: 3, index: 4 },
          { page: 4, index: 4 },
        ],
      },
    ]);
    expect(bodies[1]?.messages.at(-1)?.content).toContain('[3] handbook.pdf');
    expect(bodies[1]?.messages.at(-3)).toMatchObject({ role: 'assistant', tool_calls: [{}, {}] });
  });

  it('is run at most as often as the request allows', async () => {
    const plans = [{ toolCalls: [search('a'), search('b', 'call_2')] }, { text: 'Enough.' }];
    const { output, bodies } = await answer({ tools: [searchTool], max_tool_calls: 1 }, plans);
    expect(output.map(({ type }) => type)).toEqual(['file_search_call', 'message']);
    expect(bodies[1]?.messages.at(-1)?.content).toContain('the limit of calls is reached');
    expect(bodies[1]?.tools).toBeUndefined();
  });

  it('may be demanded, once', async () => {
    const fields = { tools: [searchTool], tool_choice: { type: 'file_search' } };
    const { bodies } = await answer(fields, found);
    expect(bodies[0]?.tool_choice).toMatchObject({ function: { name: 'file_search' } });
    expect(bodies[1]?.tool_choice ?? 'auto').toBe('auto');
  });

  it('ends the response if the client must answer another call', async () => {
    const mine = { type: 'function', name: 'mine', parameters: {} };
    const plans = [{ toolCalls: [search('a'), { id: 'call_m', name: 'mine', arguments: {} }] }];
    const { output } = await answer({ tools: [searchTool, mine] }, plans);
    expect(output.map(({ type }) => type).sort()).toEqual(['file_search_call', 'function_call']);
  });

  it('is left out for a key without retrieval, and counted for one with it', async () => {
    searched.length = 0;
    const { bodies } = await answer({ tools: [searchTool] }, [{ text: 'Hi' }], 'sk-plain');
    expect(bodies[0]?.tools).toBeUndefined();
    expect(searched).toEqual([]);
    const count = async (tools: readonly object[]) => {
      const { body } = await gateway.post(`${RESPONSES}/input_tokens`, { ...asked, tools }).answer();
      return JSON.parse(body).input_tokens;
    };
    expect(await count([searchTool])).toBeGreaterThan(await count([]));
  });
});

describe('image_generation', () => {
  const tools = [{ type: 'image_generation', size: '1536x1024' }];

  it('paints, and the model goes on', async () => {
    const { output, bodies } = await answer({ tools }, [{ toolCalls: [paint('a fox')] }, { text: 'There.' }]);
    expect(output.map(unnamed)).toMatchObject([
      {
        id: 'ig',
        type: 'image_generation_call',
        status: 'completed',
        result: 'UE5H',
        revised_prompt: 'a fox',
        size: '1536x1024',
      },
      { type: 'message', content: [{ text: 'There.', annotations: [] }] },
    ]);
    expect(bodies[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Painted.' });
  });

  it('tells the model of a failure, and shows it in the item', async () => {
    const plans = [{ toolCalls: [paint('too many')] }, { text: 'Sorry.' }];
    const { output, bodies } = await answer({ tools }, plans);
    expect(output).toMatchObject([{ status: 'failed', result: null }, { type: 'message' }]);
    expect(bodies[1]?.messages.at(-1)?.content).toBe('The call failed: There were too many images.');
  });

  it('is left out for a stack without the image plan', async () => {
    const { bodies } = await answer({ tools }, [{ text: 'Hi' }], 'sk-plain');
    expect(bodies[0]?.tools).toBeUndefined();
  });

  it('is left out for a key without the scope, as is file_search', async () => {
    const { bodies } = await answer({ tools: [...tools, searchTool] }, [{ text: 'Hi' }], 'sk-scoped');
    expect(bodies[0]?.tools).toBeUndefined();
  });

  it('stops when the client leaves', async () => {
    gateway.upstream.respond({ toolCalls: [paint('forever')] });
    const call = gateway.post(RESPONSES, { ...asked, tools, stream: true });
    await painting.until;
    call.leave();
    await left.until;
    expect(gateway.upstream.activeRequests).toBe(0);
  });

  it('ends with a failure if the model fails after it', async () => {
    gateway.upstream.respond({ toolCalls: [paint('a fox')] }, { fail: { mode: 'status', status: 500 } });
    const { body } = await gateway.post(RESPONSES, { ...asked, tools, stream: true }).answer();
    const events = parseResponseStream(body);
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'server_error' }, output: [{ type: 'image_generation_call' }] },
    });
  });
});
