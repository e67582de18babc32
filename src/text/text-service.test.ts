import { beforeEach, describe, expect, test } from 'vitest';
import { makeCaller as caller } from '../../testing/fake-callers.ts';
import { FakeMeter } from '../../testing/fake-meter.ts';
import { conversation } from '../../testing/text/conversations.ts';
import { AnswerBatches } from '../../testing/text/engine-answers.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';
import { textService } from '../../testing/text/text-service.ts';
import { Fault } from '../faults/fault.ts';
import { unreadConversation } from './passthrough.ts';
import type { AnswerSink, TextAnswer } from './text-engine.ts';
import type { TextEvent } from './text-event.ts';
import type { TextService } from './text-service.ts';

let gpu: FakeTextEngine;
let spare: FakeTextEngine;
let service: TextService;
const controller = new AbortController();
let meter: FakeMeter;
const ask = {
  conversation: conversation(),
  countFirst: false,
  signal: controller.signal,
  get meter() {
    return meter;
  },
};
const failed = new Fault('engine-failed', 'The model server failed.');

beforeEach(() => {
  meter = new FakeMeter();
  gpu = new FakeTextEngine();
  spare = new FakeTextEngine();
  service = textService([
    ['gpu', gpu],
    ['spare', spare],
  ]);
});

const answered = (who = caller(), what = ask) => service.reply(who, what);
const silent: AnswerSink = { onEvents: () => {}, onFailure: () => {} };

/** An admitted answer and its batches. */
async function begun(who = caller(), what = ask): Promise<[TextAnswer, AnswerBatches]> {
  const { signal, ...rest } = what;
  let sink = silent;
  const told: AnswerSink = {
    onEvents: (events) => sink.onEvents(events),
    onFailure: (error) => sink.onFailure(error),
  };
  const answer = await service.answer(who, { ...rest, request: { signal } }, told);
  const batches = new AnswerBatches((reader) => {
    sink = reader;
    return answer;
  }, signal);
  return [answer, batches];
}

test('the stack’s prompt and temperature reach the engine', async () => {
  const { blocks } = await answered(caller({ stack: { systemPrompt: 'Be kind.', temperature: 0.1 } }));
  expect(blocks).toEqual([{ block: { type: 'text' }, text: 'Hello' }]);
  expect(gpu.asked).toMatchObject([{ system: 'Be kind.', sampling: { temperature: 0.1, topP: undefined } }]);
});

test('the chat prompt replaces a missing prompt of the stack, in chats only', async () => {
  const plain = caller({ stack: { chatPrompt: 'Be brief.' } });
  await answered(plain);
  await service.count(plain, ask);
  expect([...gpu.asked, ...gpu.counted]).toMatchObject([{ system: 'Be brief.' }, { system: 'Be brief.' }]);
  await service.reply(plain, { ...ask, retrieval: false });
  expect(gpu.asked.at(-1)?.system).toBeUndefined();
  await answered(caller({ stack: { chatPrompt: 'Be brief.', systemPrompt: 'Be kind.' } }));
  expect(gpu.asked.at(-1)?.system).toBe('Be kind.');
});

test('counting and answering use the same conversation', async () => {
  const who = caller({ stack: { systemPrompt: 'Be kind.' } });
  await answered(who);
  expect(await service.count(who, ask)).toBe(10);
  expect(gpu.counted).toEqual(gpu.asked);
});

test('the engine gets the id of the stack', async () => {
  const who = caller({ stack: { id: 'bakery' } });
  await answered(who);
  await service.count(who, ask);
  expect(gpu.stacks).toEqual(['bakery', 'bakery']);
});

describe('the context window', () => {
  const long = conversation({ turns: [{ role: 'user', parts: [{ type: 'text', text: 'x'.repeat(5000) }] }] });

  test('needs no count if the bytes show that the prompt fits', async () => {
    gpu.contextWindow = 32_768;
    await answered(caller(), { ...ask, conversation: long });
    expect(gpu.counted).toHaveLength(0);
  });

  test.each([
    [4384, true],
    [4385, false],
  ])('accepts a prompt of %i tokens: %s', async (tokens, fits) => {
    gpu.contextWindow = 12_384;
    gpu.tokens = tokens;
    const attempt = answered(caller(), { ...ask, conversation: long });
    if (fits) await expect(attempt).resolves.toBeDefined();
    else {
      await expect(attempt).rejects.toMatchObject({
        code: 'context-length-exceeded',
        message: 'prompt is too long: 4385 tokens > 4384 maximum',
      });
      expect(gpu.asked).toHaveLength(0);
    }
  });

  test('refuses a prompt many times too long without reading or counting it', async () => {
    gpu.contextWindow = 16_384;
    const read = () => expect.unreachable('the turns were parsed');
    const lists = { messages: Buffer.alloc(30_000_000), tools: Buffer.alloc(0), isLasting: true, read };
    await expect(
      answered(caller(), { ...ask, ...unreadConversation(conversation(), lists) }),
    ).rejects.toMatchObject({
      code: 'context-length-exceeded',
      message: 'prompt is too long: 19531 tokens > 8384 maximum (or more: it was not counted)',
    });
    expect(gpu.counted).toHaveLength(0);
  });

  test('tells from how many bytes on turns need no parsing: every such prompt is refused', async () => {
    gpu.contextWindow = 16_384;
    const least = service.unparsedFrom(caller()) ?? 0;
    const read = () => expect.unreachable('the turns were parsed');
    const lists = { messages: Buffer.alloc(least), tools: Buffer.alloc(0), isLasting: true, read };
    const { sampling, ...rest } = conversation();
    const asked = unreadConversation({ ...rest, sampling: { ...sampling, maxTokens: 1 } }, lists);
    const refused = { code: 'context-length-exceeded' };
    await expect(answered(caller(), { ...ask, ...asked })).rejects.toMatchObject(refused);
    expect(service.unparsedFrom(caller({ limits: { contextWindow: 9_000 } }))).toBeLessThan(least);
    // The question of a search is taken from the turns.
    expect(service.unparsedFrom(caller({ key: { retrieval: true } }))).toBeUndefined();
    Object.assign(gpu, { takesPassthrough: true });
    expect(service.unparsedFrom(caller())).toBe(0);
  });

  test('is the plan’s if that is smaller', async () => {
    gpu.contextWindow = 100_000;
    gpu.tokens = 1001;
    await expect(
      answered(caller({ limits: { contextWindow: 9000 } }), { ...ask, conversation: long }),
    ).rejects.toMatchObject({ message: 'prompt is too long: 1001 tokens > 1000 maximum' });
  });
});

describe('a second engine', () => {
  const two = caller({ stack: { textEngines: ['gpu', 'spare'] } });

  test('answers if the first fails before its first block, under its own model name', async () => {
    gpu.script = [[{ type: 'start', promptTokens: 10 }], failed];
    spare.script = textAnswer('from the spare');
    const events: TextEvent[] = [];
    const [, batches] = await begun(two);
    for await (const batch of batches) events.push(...batch);
    expect(events.filter((event) => event.type === 'start')).toEqual([
      { type: 'start', promptTokens: 10 },
      { type: 'start', promptTokens: 10, standIn: 'fake' },
    ]);
    expect(events).toContainEqual({ type: 'block-delta', text: 'from the spare' });
  });

  test('does not answer after the first block of the first', async () => {
    gpu.script = [...textAnswer('Hel').slice(0, 3), failed];
    await expect(answered(two)).rejects.toBe(failed);
    expect(spare.asked).toHaveLength(0);
  });

  test('does not answer a request that the first refused', async () => {
    gpu.script = [new Fault('engine-refused', 'No.')];
    await expect(answered(two)).rejects.toMatchObject({ code: 'engine-refused' });
    expect(spare.asked).toHaveLength(0);
  });

  test('is asked alone while the first is degraded', async () => {
    gpu.state = 'degraded';
    await answered(two);
    expect(gpu.asked).toHaveLength(0);
    expect(spare.asked).toHaveLength(1);
  });

  test('counts for an answer that has to begin meanwhile', async () => {
    gpu.script = [failed];
    spare.script = [failed];
    const [answer, batches] = await begun(two);
    expect(await answer.start(ask.signal)).toEqual({ type: 'start', promptTokens: 10, standIn: undefined });
    spare.tokens = 12;
    await expect(batches.next()).rejects.toBe(failed);
    expect(await answer.start(ask.signal)).toEqual({ type: 'start', promptTokens: 12, standIn: 'fake' });
  });
});

test('an answer that has to begin without a count estimates a token per four bytes of the prompt', async () => {
  gpu.countTokens = async () => {
    throw failed;
  };
  const turns = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'x'.repeat(400) }] }];
  const [answer] = await begun(caller(), { ...ask, meter, conversation: conversation({ turns }) });
  expect(await answer.start(ask.signal)).toMatchObject({ promptTokens: 100 });
});

describe('the meter', () => {
  const budgeted = caller({ limits: { tokensPerDay: 1_000 } });

  test('gets the tokens of an answer and its model', async () => {
    await answered();
    expect(meter.used).toMatchObject({ promptTokens: 10, completionTokens: 2 });
    expect(meter.models).toEqual(['tiny']);
    expect(meter.reserved).toEqual([]);
  });

  test('gets the model of a replacing engine', async () => {
    gpu.script = [failed];
    await answered(caller({ stack: { textEngines: ['gpu', 'spare'] } }));
    expect(meter.models.at(-1)).toBe('fake');
    expect(meter.used).toMatchObject({ promptTokens: 10, completionTokens: 2 });
  });

  test('reserves the maximum of prompt and answer if there is a budget', async () => {
    const eight = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'x'.repeat(4_000) }] }];
    await answered(budgeted, { ...ask, meter, conversation: conversation({ turns: eight }) });
    const [reserved = 0] = meter.reserved;
    const { maxTokens } = ask.conversation.sampling;
    expect(reserved).toBeGreaterThanOrEqual(maxTokens + 1_000);
    expect(reserved).toBeLessThan(maxTokens + 1_100);
  });

  test('refuses before the engine is asked or a check passes', async () => {
    meter.failure = new Fault('rate-limited', 'Nothing is left.');
    await expect(answered(budgeted)).rejects.toBe(meter.failure);
    await expect(service.check(budgeted, ask)).rejects.toBe(meter.failure);
    expect(gpu.asked).toEqual([]);
  });

  test('gets nothing for a count', async () => {
    await service.count(budgeted, ask);
    expect([meter.reserved, meter.used.promptTokens, meter.models]).toEqual([[], 0, []]);
  });

  test.each([
    ['a count', () => service.count(budgeted, ask)],
    ['a measure', () => service.measure(budgeted, ask)],
    ['an answer', () => answered(budgeted)],
  ])('knows the model before a probe is reserved or paid for: %s', async (_what, work) => {
    gpu.isProbed = true;
    gpu.contextWindow = 8_001;
    gpu.tokens = 1;
    meter.failure = new Fault('budget-exceeded', 'Nothing is left.');
    await expect(work()).rejects.toBe(meter.failure);
    expect([meter.models, gpu.counted]).toEqual([['tiny'], []]);
  });

  test('lets no key that only reads pay for a probe', async () => {
    const restrictions = { scopes: undefined, allowedIps: undefined, readOnly: true };
    const reader = caller({ key: { restrictions } });
    expect(await service.count(reader, ask)).toBe(10);
    gpu.isProbed = true;
    gpu.contextWindow = 8_001;
    await expect(service.count(reader, ask)).rejects.toMatchObject({ code: 'key-read-only' });
    await expect(service.measure(reader, ask)).rejects.toMatchObject({ code: 'key-read-only' });
    expect([gpu.counted.length, meter.reserved]).toEqual([1, []]);
  });

  test('counts the text of an answer that is stopped or fails', async () => {
    gpu.script = [...textAnswer('a long text of thirty letters.').slice(0, 3), failed];
    await expect(answered()).rejects.toBe(failed);
    expect(meter.used).toMatchObject({ promptTokens: 10, completionTokens: 8 });
    const [, batches] = await begun();
    for await (const batch of batches) {
      if (batch.some(({ type }) => type === 'block-delta')) break;
    }
    expect(meter.used).toMatchObject({ promptTokens: 20, completionTokens: 16 });
  });

  test('counts nothing of an answer that never began', async () => {
    const [, batches] = await begun();
    await batches.return();
    expect(meter.used.promptTokens).toBe(0);
  });

  test('estimates a prompt that was not counted', async () => {
    gpu.script = [[{ type: 'start', promptTokens: undefined }], ...textAnswer('Hi').slice(1, 3), failed];
    await expect(answered()).rejects.toBe(failed);
    expect(meter.used.promptTokens).toBeGreaterThan(0);
    expect(meter.used.completionTokens).toBe(1);
  });
});

describe('a key with models', () => {
  const names = { models: ['tiny', 'alias'], textEngines: ['gpu', 'spare'] };
  const limited = (...models: string[]) => caller({ stack: names, key: { models } });

  test('has its use under the first name of the stack’s model, whichever name it may use', async () => {
    await answered(limited('alias'));
    expect(meter.models).toEqual(['tiny']);
  });

  test('is refused where none of them is the stack’s, before anything is asked or counted', async () => {
    const other = limited('other');
    for (const work of [
      () => answered(other),
      () => service.count(other, ask),
      () => service.check(other, ask),
      () => service.measure(other, ask),
      () => service.readyEngine(other, ask.signal),
    ])
      await expect(work()).rejects.toMatchObject({
        code: 'model-not-allowed',
        message: 'This key may not use the text model of its stack; its `models` are "other".',
      });
    expect([gpu.asked, gpu.counted]).toEqual([[], []]);
  });

  test('gets a second engine only with a model that it may use', async () => {
    gpu.script = [failed];
    spare.model = 'small';
    await expect(answered(limited('tiny'))).rejects.toBe(failed);
    expect(spare.asked).toEqual([]);
    await answered(limited('tiny', 'small'));
    spare.model = gpu.model;
    await answered(limited('tiny'));
    expect(spare.asked).toHaveLength(2);
  });
});

describe('an engine that is not ready', () => {
  test.each(['starting', 'degraded'] as const)('is refused at once when %s', async (state) => {
    gpu.state = state;
    await expect(answered()).rejects.toMatchObject({
      code: 'model-not-ready',
      retryAfterSeconds: expect.any(Number),
    });
  });

  test('is refused with the reason for the wait', async () => {
    gpu.state = 'starting';
    gpu.wait = 'The model is being fetched: 41 of 93 MB.';
    await expect(answered()).rejects.toMatchObject({ message: 'The model is being fetched: 41 of 93 MB.' });
  });

  test('is refused if the configuration has none of that name', async () => {
    await expect(answered(caller({ stack: { textEngines: ['gone'] } }))).rejects.toMatchObject({
      code: 'model-not-ready',
    });
  });

  test('is woken when paused, once', async () => {
    let wakes = 0;
    gpu.wake = async () => {
      wakes++;
    };
    const paused = caller({ stack: { paused: true } });
    await answered(paused);
    await answered(paused);
    expect(wakes).toBe(1);
  });

  test('gives 503 when it does not wake', async () => {
    gpu.wake = async () => {
      throw new Error('still loading');
    };
    await expect(answered(caller({ stack: { paused: true } }))).rejects.toMatchObject({
      code: 'model-not-ready',
    });
  });
});
