import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { call, jsonCall } from '../../testing/http-call.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { FakeImageEngine } from '../../testing/images/fake-image-engine.ts';
import { imageService } from '../../testing/images/image-service.ts';
import { MemoryGallery } from '../../testing/images/memory-gallery.ts';
import { MemoryImageQueue } from '../../testing/images/memory-image-queue.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';
import { Fault } from '../faults/fault.ts';
import { ImageGenerationTool } from '../images/wire/image-generation-tool.ts';
import type { TextEvent } from '../text/text-event.ts';

const PNG = Uint8Array.of(1, 2, 3);
const model = new FakeTextEngine();
const painter = new FakeImageEngine();
const queue = new MemoryImageQueue();
const gallery = new MemoryGallery();
let gateway: HttpGateway;

beforeAll(async () => {
  const directory = new FakeCallerDirectory();
  directory.add('sk-a', makeCaller());
  directory.add('sk-text', makeCaller({ key: { models: ['tiny'] } }));
  directory.add('sk-other', makeCaller({ stack: { id: 'other' } }));
  painter.bytes = PNG;
  // Pictures are verified in a process of their own, which has tests of its own.
  const verify = async (png: Uint8Array, size: { width: number; height: number }) =>
    ({ type: 'clean', png, ...size }) as const;
  const images = imageService([['flux', painter]], {
    queue,
    gallery,
    pictures: { verify, clean: () => Promise.reject(new Error('there are no references')) },
  });
  gateway = await HttpGateway.start({
    directory,
    images,
    gallery,
    engines: [['gpu', model]],
    hostedTools: [new ImageGenerationTool(images)],
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});
beforeEach(() => {
  model.scriptFor = ({ turns }) =>
    turns.at(-1)?.role === 'tool' ? textAnswer('There.') : [callFor('a fox in snow')];
});

function callFor(prompt: string): readonly TextEvent[] {
  return [
    { type: 'start', promptTokens: undefined },
    { type: 'block-start', block: { type: 'tool-call', id: 'call_1', name: 'image_generation' } },
    { type: 'block-delta', text: JSON.stringify({ prompt }) },
    { type: 'block-end' },
    {
      type: 'finish',
      reason: 'tool-calls',
      stopSequence: undefined,
      usage: { promptTokens: 1, completionTokens: 1 },
    },
  ];
}

async function respond(key = 'sk-a') {
  const tools = [{ type: 'image_generation', size: '1536x1024' }];
  const body = JSON.stringify({ model: 'tiny', input: 'Paint', tools });
  const answer = await call(gateway, jsonCall('/v1/responses', key, body));
  const last = model.asked.at(-1)?.turns.at(-1);
  const told = last?.role === 'tool' ? last.parts : [];
  return { ...JSON.parse(answer.body), told };
}
const read = async (path: string, key = 'sk-a') => JSON.parse((await call(gateway, { path, key })).body);
const submissions = async () => (await queue.standing('shop')).submissions;

it('an image of a response is in the gallery of its stack alone, and counts as any other', async () => {
  const before = await submissions();
  const { status, output } = await respond();
  expect(status).toBe('completed');
  const result = Buffer.from(PNG).toString('base64');
  expect(output[0]).toMatchObject({ status: 'completed', result, size: '1536x1024' });
  expect((await read('/v1/images')).data).toMatchObject([
    { prompt: 'a fox in snow', width: 1536, height: 1024, model: 'fake-painter' },
  ]);
  expect((await read('/v1/images', 'sk-other')).data).toEqual([]);
  expect([(await submissions()) - before, queue.held]).toEqual([1, 0]);
  expect(gateway.usage.ended).toContainEqual(
    expect.objectContaining({ endpoint: '/v1/responses', images: 1, outcome: 'ok' }),
  );
});

it('the tool is left out for a key that may not use the image model', async () => {
  model.scriptFor = undefined;
  const { output } = await respond('sk-text');
  expect([output.length, model.asked.at(-1)?.tools]).toEqual([1, []]);
});

it.each([
  ['image-rate-limited', 'The stack may submit 30 images a minute.'],
  ['image-queue-full', 'The stack has 3 images in the queue.'],
  ['image-queue-timeout', 'No place came free in time.'],
] as const)(
  'a refusal by the queue is a failed call, told to the model in words: %s',
  async (code, words) => {
    queue.failure = new Fault(code, words);
    const { length } = (await read('/v1/images')).data;
    const { status, output, told } = await respond();
    queue.failure = undefined;
    expect(output).toMatchObject([
      { type: 'image_generation_call', status: 'failed', result: null },
      { type: 'message', content: [{ text: 'There.' }] },
    ]);
    expect([status, told]).toMatchObject(['completed', [{ text: `The call failed: ${words}` }]]);
    expect((await read('/v1/images')).data).toHaveLength(length);
  },
);

it('a call without a prompt is a failed call, and takes no place in the queue', async () => {
  model.scriptFor = ({ turns }) => (turns.at(-1)?.role === 'tool' ? textAnswer('There.') : [callFor('')]);
  const before = await submissions();
  const { output, told } = await respond();
  expect(output[0]).toMatchObject({ status: 'failed', result: null });
  expect(told).toMatchObject([{ text: expect.stringMatching(/^The call failed: .*prompt/i) }]);
  expect(await submissions()).toBe(before);
});
