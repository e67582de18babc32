import { afterAll, describe, expect, it } from 'vitest';
import { FakeRanker } from '../../../testing/documents/fake-ranker.ts';
import { makeCaller } from '../../../testing/fake-callers.ts';
import { FakeTextEngine, textAnswer } from '../../../testing/text/fake-text-engine.ts';
import { textService } from '../../../testing/text/text-service.ts';
import { emptyPage } from '../../reading/page-text.ts';
import { SchemaService } from '../../schema/service/schema-service.ts';
import type { CandidateRanker } from '../../text/candidate-ranker.ts';
import { DirectExtractor } from '../direct/direct-extractor.ts';
import { extractorFor } from '../extractor-choice.ts';
import { GroundedExtractor } from './grounded-extractor.ts';

const never = new AbortController().signal;
const schemas = new SchemaService();
afterAll(() => schemas.stop(AbortSignal.timeout(5_000)));

function setUp(ranker: CandidateRanker = new FakeRanker()) {
  const engine = Object.assign(new FakeTextEngine(), { ranker });
  engine.script = [new Error('nothing is to be written')];
  const text = textService([['gpu', engine]]);
  const direct = new DirectExtractor({ text, schemas });
  const grounded = new GroundedExtractor({ text, schemas, direct });
  const extract = (properties: object, lines: readonly string[], changes: object = {}, signal = never) =>
    grounded.extract(
      {
        caller: makeCaller({ stack: { systemPrompt: 'stack' } }),
        engine,
        documents: [{ name: 'a.pdf', ocrUsed: false, pages: [{ ...emptyPage, text: lines.join('\n') }] }],
        schema: { type: 'object', properties, required: Object.keys(properties), ...changes },
        system: undefined,
        user: 'About the order.',
        maxTokens: 100,
      },
      signal,
    );
  return { engine, direct, grounded, extract };
}

const text = { type: 'string' };

describe('a grounded extraction', () => {
  it('writes nothing where rules find everything', async () => {
    const { engine, extract } = setUp();
    const { data } = await extract({ order_number: text, total: { type: 'number' } }, [
      'Order no: A-17',
      'Total: 3,50 €',
    ]);
    expect(data).toEqual({ order_number: 'A-17', total: 3.5 });
    expect(engine.asked).toEqual([]);
  });

  it('asks the model where rules cannot decide, and counts what it read', async () => {
    const ranker = new FakeRanker('Bob Lake');
    const { extract } = setUp(ranker);
    const { data, usage } = await extract({ winner: text }, ['Ann Hill', '', 'Bob Lake', '', 'Cy Moor']);
    expect(data).toEqual({ winner: 'Bob Lake' });
    expect(ranker.asked).toHaveLength(1);
    expect(ranker.asked[0]).toMatchObject({ prefix: 'Winner: ', conversation: { system: 'stack' } });
    expect(JSON.stringify(ranker.asked[0]?.conversation.turns)).toContain('About the order.');
    expect(usage.promptTokens).toBe(10);
  });

  it('shows the model only passages of a long text', async () => {
    const ranker = new FakeRanker();
    const filler = Array.from(
      { length: 2_000 },
      (_, index) => `Sentence ${index} says something of no interest to anybody.`,
    );
    const { extract } = setUp(ranker);
    await extract({ winner: text }, [...filler, 'The winner Ann', 'The winner Bob']);
    expect(ranker.asked).toHaveLength(1);
    expect(JSON.stringify(ranker.asked[0]?.conversation.turns).length).toBeLessThan(2_500);
  });

  it('lets the model write what stands nowhere, with the rest fixed', async () => {
    const { engine, extract } = setUp();
    engine.script = textAnswer('{"total": 3.5, "summary": "An order of nails."}');
    const { data, usage } = await extract({ total: { type: 'number' }, summary: text }, [
      'Nails',
      'Total: 3,50 €',
    ]);
    expect(data).toEqual({ total: 3.5, summary: 'An order of nails.' });
    expect(JSON.stringify(engine.asked[0]?.output)).toContain('"total":{"const":3.5}');
    expect(usage.completionTokens).toBe(2);
  });

  it('lets the model write what the schema refuses of what was found', async () => {
    const { engine, extract } = setUp();
    engine.script = textAnswer('{"code": "XX"}');
    const { data } = await extract({ code: { type: 'string', pattern: '^[A-Z]{2}$' } }, ['Code: 12345']);
    expect(data).toEqual({ code: 'XX' });
  });

  it('writes everything where the schema asks for more than values in places', async () => {
    const { engine, extract } = setUp();
    engine.script = textAnswer('{"a": 1, "b": 2}');
    const { data } = await extract({ a: { type: 'integer' } }, ['A: 1'], { required: ['a', 'b'] });
    expect(data).toEqual({ a: 1, b: 2 });
  });

  it('is refused with the numbers where the documents do not fit the window', async () => {
    const { engine, extract } = setUp();
    engine.contextWindow = 1_000;
    engine.tokens = 5_000;
    const fault = extract({ total: { type: 'number' } }, ['Total: 3']);
    await expect(fault).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('5000 tokens > 900'),
    });
  });

  it('stops where it is when the client leaves', async () => {
    const leaving = new AbortController();
    const ranker: CandidateRanker = {
      rank: async (_, signal) => {
        leaving.abort(new Error('left'));
        signal.throwIfAborted();
        return [];
      },
    };
    const { extract } = setUp(ranker);
    await expect(extract({ winner: text }, ['Ann', '', 'Bob'], {}, leaving.signal)).rejects.toThrow('left');
  });
});

describe('the way to extract', () => {
  it('is grounded only where the engine can rank and is told to', () => {
    const { engine, direct, grounded } = setUp();
    const choice = (isGrounded: boolean) => ({ direct, grounded, isGrounded: () => isGrounded });
    expect(extractorFor(engine, choice(true))).toBe(grounded);
    expect(extractorFor(engine, choice(false))).toBe(direct);
    expect(extractorFor(new FakeTextEngine(), choice(true))).toBe(direct);
  });
});
