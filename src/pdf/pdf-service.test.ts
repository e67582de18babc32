import { describe, expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { makeCaller } from '../../testing/fake-callers.ts';
import { FakeMeter } from '../../testing/fake-meter.ts';
import { FakePdfEngine } from '../../testing/pdf/fake-pdf-engine.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';
import { hold } from '../../testing/text/held.ts';
import { textService } from '../../testing/text/text-service.ts';
import type { Caller } from '../access/caller.ts';
import { limitsInForce } from '../access/plan-limits.ts';
import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import { systemClock } from '../lib/clock.ts';
import { Tracer } from '../telemetry/tracer.ts';
import { PdfService, type PdfServiceParts } from './pdf-service.ts';
import type { GenerateOrder } from './wire/generate-request.ts';

const alive = { signal: new AbortController().signal, meter: new FakeMeter() };
const direct = (html: string): GenerateOrder => ({ mode: 'direct', html });
const instruction = (fields: { system?: string; maxTokens?: number } = {}): GenerateOrder => ({
  mode: 'instruction',
  user: 'A letter to Zoë',
  system: undefined,
  maxTokens: 8000,
  ...fields,
});

type Bounds = Required<Pick<PdfServiceParts, 'maxInFlight' | 'cores' | 'hasOthers' | 'clock'>>;

function setUp({
  maxInFlight = 4,
  cores = 4,
  hasOthers = () => false,
  clock = systemClock,
}: Partial<Bounds> = {}) {
  const engine = new FakePdfEngine();
  const model = new FakeTextEngine();
  model.script = textAnswer('<p>Dear Zoë');
  const service = new PdfService({
    engine,
    text: textService([['gpu', model]]),
    maxInFlight,
    cores,
    hasOthers,
    clock,
  });
  return { engine, model, service };
}

function cutOff(text: string): FakeTextEngine['script'] {
  const usage = { promptTokens: 1, completionTokens: 1 };
  return [
    ...textAnswer(text).slice(0, -1),
    [{ type: 'finish', reason: 'length', stopSequence: undefined, usage }],
  ];
}

async function codeOf(work: Promise<unknown>): Promise<FaultCode | undefined> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error !== undefined && !(error instanceof Fault)) throw error;
  return error?.code;
}

describe.each(['go', 'pro', 'max', 'enterprise'] as const)('on plan %s', (plan) => {
  const { htmlBytes, pages } = limitsInForce(plan).pdf;
  const caller = makeCaller({ plan });
  // Two bytes per character: bytes are counted, not characters.
  const exactly = `${'ö'.repeat(htmlBytes / 2 - 1)}ab`;

  it(`HTML of ${htmlBytes} bytes is printed, sent or written by the model`, async () => {
    const { engine, model, service } = setUp();
    await service.generate(caller, direct(exactly), alive);
    model.script = textAnswer(exactly);
    await service.generate(caller, instruction(), alive);
    expect(engine.jobs.map(({ html }) => Buffer.byteLength(html))).toEqual([htmlBytes, htmlBytes]);
    expect(engine.jobs.map(({ maxPages }) => maxPages)).toEqual([pages, pages]);
  });

  it('one byte more is not', async () => {
    const { engine, model, service } = setUp();
    expect(await codeOf(service.generate(caller, direct(`${exactly}c`), alive))).toBe('html-too-large');
    model.script = textAnswer(`${exactly}c`);
    expect(await codeOf(service.generate(caller, instruction(), alive))).toBe('html-too-large');
    expect(engine.jobs).toEqual([]);
    expect(service.inFlight).toBe(0);
  });
});

describe('in flight', () => {
  const shop = makeCaller({ stack: { id: 'shop' } });
  const bank = makeCaller({ stack: { id: 'bank' } });

  it('there are as many documents as allowed, in both modes, and the next is refused at once', async () => {
    const { engine, service } = setUp({ maxInFlight: 2 });
    const held = hold();
    engine.hold = held.until;
    const running = [
      service.generate(shop, direct('a'), alive),
      service.generate(bank, instruction(), alive),
    ];
    await expect.poll(() => service.inFlight).toBe(2);
    expect(await codeOf(service.generate(shop, direct('c'), alive))).toBe('pdf-in-flight');
    expect(await codeOf(service.generate(bank, instruction(), alive))).toBe('pdf-in-flight');
    held.release();
    await Promise.all(running);
    expect(service.inFlight).toBe(0);
  });

  it('a stack leaves the last slot to others', async () => {
    const { engine, service } = setUp({ maxInFlight: 2 });
    const held = hold();
    engine.hold = held.until;
    const first = service.generate(shop, direct('a'), alive);
    await expect(service.generate(shop, direct('b'), alive)).rejects.toThrow('The stack has taken 1 of');
    const other = service.generate(bank, direct('c'), alive);
    await expect(service.generate(bank, direct('d'), alive)).rejects.toThrow('this server has 2');
    held.release();
    await Promise.all([first, other]);
  });

  it('a stack prints as many at a time as there are cores, and a document of another goes before those of it that wait', async () => {
    const { engine, service } = setUp({ maxInFlight: 5, cores: 1 });
    const held = hold();
    engine.hold = held.until;
    const running = ['a', 'b', 'c'].map((html) => service.generate(shop, direct(html), alive));
    await expect.poll(() => engine.jobs.length).toBe(1);
    const left = new AbortController();
    const other = service.generate(bank, direct('d'), alive);
    const gone = service.generate(bank, direct('e'), { ...alive, signal: left.signal });
    left.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    await expect.poll(() => engine.jobs.length).toBe(2);
    expect(service.inFlight).toBe(4);
    held.release();
    await Promise.all([...running, other]);
    expect(engine.jobs.map(({ html }) => html)).toEqual(['a', 'd', 'b', 'c']);
    expect(service.inFlight).toBe(0);
  });

  it.each([
    [4, 3],
    [2, 1],
    [1, 1],
  ])('a stack leaves one of %i cores free while others are at work', async (cores, atOnce) => {
    const { engine, service } = setUp({ maxInFlight: 9, cores, hasOthers: () => true });
    const held = hold();
    engine.hold = held.until;
    const running = ['a', 'b', 'c', 'd', 'e'].map((html) => service.generate(shop, direct(html), alive));
    await expect.poll(() => engine.jobs.length).toBe(atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    expect([engine.jobs.length, service.inFlight]).toEqual([atOnce, 5]);
    held.release();
    await Promise.all(running);
    expect(engine.jobs).toHaveLength(5);
  });

  it('the documents of a stack that prints most of the time stand back while others are at work, and theirs do not', async () => {
    const clock = new HeldClock();
    let isBeside = true;
    const { engine, service } = setUp({ clock, hasOthers: () => isBeside });
    const print = async (caller: Caller, lastsMs: number) => {
      const held = hold();
      engine.hold = held.until;
      const work = service.generate(caller, direct('x'), alive);
      await expect.poll(() => service.inFlight).toBe(1);
      clock.pass(lastsMs);
      held.release();
      await work;
      return engine.jobs.at(-1)?.standsBack;
    };
    expect([await print(shop, 600), await print(shop, 600)]).toEqual([false, true]);
    expect(await print(bank, 100)).toBe(false);
    expect(await print(shop, 600)).toBe(true);
    isBeside = false;
    expect(await print(shop, 600)).toBe(false);
    isBeside = true;
    clock.pass(10_000);
    expect(await print(shop, 600)).toBe(false);
  });

  it('the wait for a turn is in the trace of the request, and a turn that is free is not', async () => {
    const { engine, service } = setUp({ cores: 1 });
    const held = hold();
    engine.hold = held.until;
    const waits: string[] = [];
    const tracer = new Tracer({ sampleRatio: 1, add: ({ name }) => void waits.push(name) });
    const print = (html: string) => {
      const meter = Object.assign(new FakeMeter(), {
        trace: tracer.open(undefined, { method: 'POST', path: '/v1/pdf' }),
      });
      return service.generate(shop, direct(html), { ...alive, meter });
    };
    const running = [print('a'), print('b')];
    held.release();
    await Promise.all(running);
    expect(waits).toEqual(['queue']);
  });

  it('no document is while its model writes', async () => {
    const { engine, model, service } = setUp({ maxInFlight: 1 });
    const held = hold();
    model.hold = held.until;
    const written = service.generate(shop, instruction(), alive);
    await expect.poll(() => model.asked.length).toBe(1);
    expect(service.inFlight).toBe(0);
    await service.generate(bank, direct('meanwhile'), alive);
    held.release();
    await written;
    expect(engine.jobs.map(({ html }) => html)).toEqual(['meanwhile', '<p>Dear Zoë']);
  });

  it('what is refused for its size or its cut-off answer takes no slot', async () => {
    const { engine, model, service } = setUp({ maxInFlight: 1 });
    const held = hold();
    engine.hold = held.until;
    const running = service.generate(bank, direct('a'), alive);
    const tooLong = 'x'.repeat(shop.plan.limits.pdf.htmlBytes + 1);
    expect(await codeOf(service.generate(shop, direct(tooLong), alive))).toBe('html-too-large');
    model.script = textAnswer(tooLong);
    expect(await codeOf(service.generate(shop, instruction(), alive))).toBe('html-too-large');
    model.script = cutOff('<p>Dear');
    expect(await codeOf(service.generate(shop, instruction(), alive))).toBe('model-output-truncated');
    held.release();
    await running;
  });

  it('a failed document releases its slot', async () => {
    const { engine, service } = setUp({ maxInFlight: 1 });
    engine.failure = new Fault('html-unrenderable', 'no');
    expect(await codeOf(service.generate(shop, direct('a'), alive))).toBe('html-unrenderable');
    expect(service.inFlight).toBe(0);
  });
});

describe('direct mode', () => {
  it('needs no model, wakes no stack and asks nothing', async () => {
    const engine = new FakePdfEngine();
    const model = new FakeTextEngine();
    model.state = 'paused';
    model.wake = () => Promise.reject(new Error('woken'));
    const caller = makeCaller({ stack: { paused: true } });
    for (const text of [textService([]), textService([['gpu', model]])]) {
      const service = new PdfService({ engine, text, maxInFlight: 1, cores: 1 });
      expect(await service.generate(caller, direct('<p>'), alive)).toMatchObject({ pages: 3 });
    }
    expect(model.asked).toEqual([]);
    expect(model.counted).toEqual([]);
  });
});

describe('instruction mode', () => {
  it('asks the model for self-contained HTML, with the stack’s prompt, and prints the answer', async () => {
    const { engine, model, service } = setUp();
    const caller = makeCaller({ stack: { systemPrompt: 'You are the shop.', temperature: 0.25 } });
    await service.generate(caller, instruction({ maxTokens: 5 }), alive);
    const [asked] = model.asked;
    expect(asked?.system).toBe('You are the shop.');
    expect(asked?.sampling).toMatchObject({ maxTokens: 5, temperature: 0.25 });
    expect(JSON.stringify(asked?.turns)).toMatch(/self-contained.*A letter to Zoë/s);
    expect(engine.jobs[0]?.html).toBe('<p>Dear Zoë');
  });

  it.each(['Be brief.', ''])('lets system %j replace the stack’s prompt', async (system) => {
    const { model, service } = setUp();
    const caller = makeCaller({ stack: { systemPrompt: 'You are the shop.' } });
    await service.generate(caller, instruction({ system }), alive);
    expect(model.asked[0]?.system).toBe(system);
  });

  it('retrieves nothing, also with a key that has retrieval on', async () => {
    const model = new FakeTextEngine();
    const retriever = { excerpt: () => Promise.reject(new Error('asked for an excerpt')) };
    const text = textService([['gpu', model]], { retriever });
    const service = new PdfService({ engine: new FakePdfEngine(), text, maxInFlight: 1, cores: 1 });
    const caller = makeCaller({ key: { retrieval: true } });
    expect(await service.generate(caller, instruction(), alive)).toMatchObject({ pages: 3 });
  });

  it('strips a code fence, and takes only what the model says, not what it thinks', async () => {
    const { engine, model, service } = setUp();
    const [start, ...rest] = textAnswer('```html\n<p>Hi\n```');
    const thought = [
      { type: 'block-start', block: { type: 'reasoning' } },
      { type: 'block-delta', text: '<p>thinking' },
      { type: 'block-end' },
    ] as const;
    model.script = [start ?? [], thought, ...rest];
    await service.generate(makeCaller(), instruction(), alive);
    expect(engine.jobs[0]?.html).toBe('<p>Hi');
  });

  describe('with an engine that may write several drafts', () => {
    const page = (text: string) => `<!DOCTYPE html><html><body>${text}</body></html>`;
    const complete = page('A letter to Zoë');
    const lacking = page('A letter');

    /** The drafts in their order. */
    function withDrafts(scripts: readonly FakeTextEngine['script'][]) {
      const parts = setUp();
      parts.model.documentDrafts = 3;
      parts.model.scriptFor = () =>
        scripts[parts.model.asked.length - 1] ?? [new Fault('engine-failed', 'no')];
      return parts;
    }

    it('prints the next draft of one that lacks a name, and all tokens are spent', async () => {
      const { engine, model, service } = withDrafts([textAnswer(lacking), textAnswer(complete)]);
      const meter = new FakeMeter();
      await service.generate(makeCaller(), instruction(), { ...alive, meter });
      expect(engine.jobs.map(({ html }) => html)).toEqual([complete]);
      expect(model.asked.map(({ sampling: { maxTokens } }) => maxTokens)).toEqual([8000, 1000]);
      const said = model.asked.map(({ turns }) => JSON.stringify(turns).split('A letter to Zoë').length - 1);
      expect(said).toEqual([1, 2]);
      expect(meter.used).toMatchObject({ promptTokens: 20, completionTokens: 4, pdfPages: 3 });
    });

    it('no draft is longer than the request allows', async () => {
      const { model, service } = withDrafts([textAnswer(lacking), textAnswer(complete)]);
      await service.generate(makeCaller(), instruction({ maxTokens: 77 }), alive);
      expect(model.asked.map(({ sampling: { maxTokens } }) => maxTokens)).toEqual([77, 77]);
    });

    it('prints the first one if the next is cut off, too large, or fails', async () => {
      const tooLarge = textAnswer('x'.repeat(60_000_000));
      for (const next of [cutOff(complete), tooLarge, [new Fault('engine-failed', 'no')]]) {
        const { engine, service } = withDrafts([textAnswer(lacking), next]);
        await service.generate(makeCaller(), instruction(), alive);
        expect(engine.jobs.map(({ html }) => html)).toEqual([lacking]);
      }
    });

    it('writes no second one if the first was cut off', async () => {
      const { model, service } = withDrafts([cutOff(lacking), textAnswer(complete)]);
      expect(await codeOf(service.generate(makeCaller(), instruction(), alive))).toBe(
        'model-output-truncated',
      );
      expect(model.asked).toHaveLength(1);
    });

    it('a server is asked once', async () => {
      const { engine, model, service } = withDrafts([textAnswer(lacking), textAnswer(complete)]);
      model.documentDrafts = undefined;
      await service.generate(makeCaller(), instruction(), alive);
      expect(engine.jobs.map(({ html }) => html)).toEqual([lacking]);
    });
  });

  it('says 400 when the answer was cut off', async () => {
    const { engine, model, service } = setUp();
    model.script = cutOff('<p>Dear');
    const work = service.generate(makeCaller(), instruction({ maxTokens: 77 }), alive);
    await expect(work).rejects.toMatchObject({ code: 'model-output-truncated', status: 400 });
    await expect(work).rejects.toThrow('77 tokens');
    expect(engine.jobs).toEqual([]);
  });

  it('says 413 when the answer goes on and on, and listens no longer', async () => {
    const { model, service } = setUp();
    const caller = makeCaller({ plan: 'go' });
    const [start = []] = textAnswer('x');
    const piece = [{ type: 'block-delta', text: 'x'.repeat(1_000_000) }] as const;
    model.script = [start, ...Array.from({ length: 14 }, () => piece), new Error('listened to the end')];
    expect(await codeOf(service.generate(caller, instruction(), alive))).toBe('html-too-large');
  });

  it.each(['engine-failed', 'engine-overloaded', 'engine-timeout', 'engine-refused'] as const)(
    'says 502 when the call fails with %s',
    async (code) => {
      const { model, service } = setUp();
      model.script = [new Fault(code, 'secret of the upstream')];
      const work = service.generate(makeCaller(), instruction(), alive);
      await expect(work).rejects.toMatchObject({ code: 'engine-failed', status: 502 });
      await expect(work).rejects.not.toThrow('secret');
    },
  );

  it('says 502 when the model breaks off or writes nothing', async () => {
    const { model, service } = setUp();
    for (const script of [textAnswer('<p>').slice(0, -1), textAnswer(' \n'), textAnswer('```html\n```')]) {
      model.script = script;
      expect(await codeOf(service.generate(makeCaller(), instruction(), alive))).toBe('engine-failed');
    }
  });

  it('says 503 when no model is ready, and 400 when the instruction does not fit', async () => {
    const { model, service } = setUp();
    model.state = 'starting';
    expect(await codeOf(service.generate(makeCaller(), instruction(), alive))).toBe('model-not-ready');
    model.state = 'ready';
    model.contextWindow = 100;
    expect(await codeOf(service.generate(makeCaller(), instruction(), alive))).toBe(
      'context-length-exceeded',
    );
    expect(service.inFlight).toBe(0);
  });

  it('wakes a paused stack', async () => {
    const { model, service } = setUp();
    model.state = 'paused';
    model.wake = async () => {
      model.state = 'ready';
    };
    const caller = makeCaller({ stack: { paused: true } });
    expect(await service.generate(caller, instruction(), alive)).toMatchObject({ pages: 3 });
  });

  it('ends with its caller, as what it is', async () => {
    const { service } = setUp();
    const left = new Error('left');
    const work = service.generate(makeCaller(), instruction(), { ...alive, signal: AbortSignal.abort(left) });
    await expect(work).rejects.toBe(left);
    expect(service.inFlight).toBe(0);
  });
});
