import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { describeClients } from '../clients/describe-clients.ts';
import type { ClientRow } from '../clients/run-client.ts';
import { installResponsesClients } from './install-responses-clients.ts';
import { type RandomAnswer, randomAnswers } from './random-answers.ts';
import { hostedKey, type ResponsesGateway } from './responses-gateway.ts';

type Test = (report: () => unknown, answers: () => readonly RandomAnswer[]) => void;

interface Row extends ClientRow {
  readonly test: Test;
}

const apiKey = { credential: 'apiKey' } as const;
const openai = { ...apiKey, script: '../responses/openai-responses.mjs', test: testOpenai };
const aiSdk = {
  ...apiKey,
  alias: '@ai-sdk/openai',
  script: 'ai-sdk.mjs',
  test: (report: () => unknown) => testFramework(report, { isAiSdk: true }),
};
const format = 'responses';
const rows: readonly Row[] = [
  { ...openai, name: 'openai 6', alias: 'openai-6' },
  { ...openai, name: 'openai 7', alias: 'openai-7' },
  { ...aiSdk, name: 'the AI SDK', more: { format } },
  { ...aiSdk, name: 'the AI SDK with store: false', more: { format, store: 'false' } },
  {
    ...apiKey,
    name: 'the Agents SDK',
    alias: '@openai/agents',
    script: '../responses/agents.mjs',
    test: testAgents,
  },
  {
    ...apiKey,
    name: 'LangChain',
    alias: '@langchain/openai',
    script: 'langchain.mjs',
    more: { format },
    test: (report) => testFramework(report, { isAiSdk: false }),
  },
];

type Item = Readonly<Record<string, unknown>> & { readonly id: string };

/** The report of the openai script on one stream. */
interface Accumulated {
  readonly response: unknown;
  readonly output: readonly unknown[];
  readonly deltas: Readonly<Record<string, string>>;
}

const textOf = ({ content, arguments: given }: Item) =>
  given ?? (content as readonly { readonly text: string }[])[0]?.text;
const unnamed = ({ id, ...item }: Readonly<Record<string, unknown>>) => item;

const greeting = { text: 'Hello from the model.', input: 9, output: 6 };
const told = {
  text: 'The tools say: 21 in Rome, 9 in Oslo',
  calls: [
    ['call_rome', 'Rome'],
    ['call_oslo', 'Oslo'],
  ],
};
const facts = { city: 'Rome', degrees: 21 };

/** SDKs and frameworks of JavaScript. All run at once. */
export async function describeSdks(gateway: () => ResponsesGateway): Promise<void> {
  const clients = await installResponsesClients();
  if (clients === undefined) {
    it.skip('SDKs are not available on this machine');
    return;
  }
  let answers: readonly RandomAnswer[];
  let streams: string;

  beforeAll(async () => {
    answers = await randomAnswers();
    streams = join(gateway().process.folder.path, 'streams.json');
    writeFileSync(streams, JSON.stringify(answers.map(({ stream }) => stream)));
  });

  const world = { clients, url: () => gateway().url };
  const suite = { title: 'SDKs', rows, more: () => ({ hostedKey, streams }) };
  await describeClients(world, suite, (report, { test }) => test(report, () => answers));
}

function testOpenai(report: () => unknown, answers: () => readonly RandomAnswer[]): void {
  it('gets the same answer whole, as events and by the strict helper', () => {
    const hello = { ...greeting, model: 'other', status: 'completed' };
    expect(report()).toMatchObject({ whole: hello, streamed: hello, helper: hello, counted: 9 });
  });

  it('calls tools, hands in their results, and gets structured answers', () => {
    expect(report()).toMatchObject({ tools: told, streamedTools: told, facts });
  });

  it('shows thoughts as they are, and as a summary', () => {
    const thoughts = [
      ['reasoning', 'They greet me.'],
      ['message', 'Hello after a thought.'],
    ];
    expect(report()).toMatchObject({ thoughts, summarised: thoughts });
  });

  it('tells of a failure before the answer and in the midst of it', () => {
    expect(report()).toMatchObject({
      failed: { error: 'InternalServerError', status: 502 },
      broken: { status: 'failed', code: 'server_error' },
      unknownModel: { error: 'NotFoundError', status: 404, code: 'model_not_found' },
    });
  });

  it('adds up the events of any answer to the response that is kept, and to one in one piece', () => {
    const { accumulated } = report() as { readonly accumulated: readonly Accumulated[] };
    expect(accumulated).toHaveLength(answers().length);
    for (const [index, { stored, whole }] of answers().entries()) {
      const { response, output, deltas } = accumulated[index] ?? {};
      expect(response).toEqual(stored);
      const kept = stored.output as readonly Item[];
      expect(output?.slice(0, kept.length)).toEqual(kept);
      const texts = kept.filter(({ id }) => deltas?.[id] !== undefined);
      expect(texts.map(textOf)).toEqual(texts.map(({ id }) => deltas?.[id]));
      if (whole !== undefined) expect(kept.map(unnamed)).toEqual(whole.map(unnamed));
    }
  });

  it('goes on from a response that is kept, and reads it again', () => {
    expect(report()).toMatchObject({
      followUp: { text: 'Hello after a thought.', items: expect.arrayContaining(['message']) },
    });
  });

  it('gets the passages that were quoted, whole and by the helper', () => {
    expect(report()).toMatchObject({ shown: [['handbook.md'], ['handbook.md']] });
  });

  it('has the gateway search, with citations, and paint', () => {
    expect(report()).toMatchObject({
      searched: {
        types: ['file_search_call', 'message'],
        found: 'handbook.md',
        annotations: [{ type: 'file_citation', filename: 'handbook.md' }],
      },
      painted: { types: ['image_generation_call', 'message'], picture: 'iVBORw0K' },
    });
  });
}

function testFramework(report: () => unknown, { isAiSdk }: { readonly isAiSdk: boolean }): void {
  it('answers whole and as a stream, with the same usage', () => {
    expect(report()).toMatchObject({ whole: greeting, streamed: greeting });
  });

  it('runs tools side by side, and gives structured answers', () => {
    expect(report()).toMatchObject({ tools: told, streamedTools: told, facts });
  });

  it('tells of a failure before the answer and in the midst of it', () => {
    const broken = isAiSdk ? { hasText: true, errors: 1 } : { error: expect.any(String) };
    expect(report()).toMatchObject({ failed: { error: expect.any(String), status: 502 }, broken });
  });

  it.runIf(isAiSdk)('goes on with a conversation', () => {
    expect(report()).toMatchObject({ followUp: ['Hello after a thought.', 'Hello from the model.'] });
  });
}

function testAgents(report: () => unknown): void {
  it('runs an agent with tools, whole and as a stream', () => {
    const { text: hello } = greeting;
    const { text: tools } = told;
    expect(report()).toMatchObject({ whole: hello, streamed: hello, tools, streamedTools: tools });
  });

  it('tells of a failure', () => {
    expect(report()).toMatchObject({ failed: { status: 502 } });
  });

  it('goes on from a response that is kept', () => {
    expect(report()).toMatchObject({ followUp: told.text });
  });
}
