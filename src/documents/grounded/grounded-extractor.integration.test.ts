import { afterAll, describe, expect, it } from 'vitest';
import { FakeRanker } from '../../../testing/documents/fake-ranker.ts';
import { makeCaller } from '../../../testing/fake-callers.ts';
import { FakeMeter } from '../../../testing/fake-meter.ts';
import { FakeTextEngine, textAnswer } from '../../../testing/text/fake-text-engine.ts';
import { textService } from '../../../testing/text/text-service.ts';
import { cacheScopeOf } from '../../access/cache-scope.ts';
import { emptyPage } from '../../reading/page-text.ts';
import { SchemaService } from '../../schema/service/schema-service.ts';
import type { CandidateRanker } from '../../text/candidate-ranker.ts';
import type { Conversation } from '../../text/conversation.ts';
import { DirectExtractor } from '../direct/direct-extractor.ts';
import { plainConversation } from '../extraction-conversation.ts';
import type { ExtractionJob, Extractor } from '../extractor.ts';
import { extractorFor } from '../extractor-choice.ts';
import { readFileHints } from '../hints/read-file-hints.ts';
import { GroundedExtractor } from './grounded-extractor.ts';

const never = new AbortController().signal;
const schemas = new SchemaService();
afterAll(() => schemas.stop(AbortSignal.timeout(5_000)));

function setUp(ranker: CandidateRanker = new FakeRanker()) {
  const engine = Object.assign(new FakeTextEngine(), { ranker });
  engine.script = [new Error('nothing is to be written')];
  const meter = new FakeMeter();
  const text = textService([['gpu', engine]]);
  const direct = new DirectExtractor({ text, schemas });
  const grounded = new GroundedExtractor({ text, schemas, direct, readHints: readFileHints });
  const extract = (
    properties: object,
    lines: readonly string[],
    changes: object = {},
    signal = never,
    job: Partial<ExtractionJob> = {},
    extractor: Extractor = grounded,
  ) =>
    extractor.extract(
      {
        caller: makeCaller({ stack: { systemPrompt: 'stack' } }),
        meter,
        engine,
        documents: [{ name: 'a.pdf', ocrUsed: false, pages: [{ ...emptyPage, text: lines.join('\n') }] }],
        schema: { type: 'object', properties, required: Object.keys(properties), ...changes },
        system: undefined,
        user: 'About the order.',
        maxTokens: 100,
        showsSchema: true,
        leisure: never,
        hurry: never,
        ...job,
      },
      signal,
    );
  return { engine, meter, direct, grounded, extract };
}

const text = { type: 'string' };

describe('a grounded extraction', () => {
  it('generates nothing if rules find everything', async () => {
    const { engine, extract } = setUp();
    const { data } = await extract({ order_number: text, total: { type: 'number' } }, [
      'Order no: A-17',
      'Total: 3,50 €',
    ]);
    expect(data).toEqual({ order_number: 'A-17', total: 3.5 });
    expect(engine.asked).toEqual([]);
  });

  it('costs the prompt and the data as if a model had read and written them', async () => {
    const { engine, meter, direct, extract } = setUp();
    engine.countTokens = async (conversation) =>
      JSON.stringify([conversation.system, conversation.turns]).length;
    const properties = { order_number: text, total: { type: 'number' } };
    const found = ['Order no: A-17', 'Total: 3,50 €'];
    const { data } = await extract(properties, found);
    const escapedQuotes = JSON.stringify(data).split('"').length - 1;
    expect(meter.used.completionTokens).toBe(JSON.stringify(data).length + escapedQuotes);
    engine.script = textAnswer(JSON.stringify(data));
    await extract(properties, found, {}, never, {}, direct);
    const [asked] = engine.asked;
    if (asked === undefined) throw new Error('nothing was asked');
    expect(await engine.countTokens(asked)).toBe(meter.used.promptTokens - 10);
  });

  it('is refused with all of the data if that exceeds the requested tokens', async () => {
    const { engine, extract } = setUp();
    engine.countTokens = async (conversation) => JSON.stringify(conversation.turns).length;
    const properties = { order_number: text };
    const write = (maxTokens: number) =>
      extract(properties, ['Order no: A-17'], {}, never, { maxTokens }).catch((error: unknown) => error);
    const raw = '{"order_number":"A-17"}';
    const tokens = raw.length + 4;
    expect(await write(tokens)).toMatchObject({ data: { order_number: 'A-17' } });
    expect(await write(tokens - 1)).toMatchObject({
      status: 502,
      message: expect.stringContaining(`${tokens} tokens; \`max_tokens\` allows ${tokens - 1}`),
      bodyMembers: { raw_output: raw },
    });
  });

  it('asks the model if rules cannot decide, at no extra cost', async () => {
    const ranker = new FakeRanker('Bob Lake');
    const { meter, extract } = setUp(ranker);
    const { data } = await extract({ winner: text }, ['Ann Hill', '', 'Bob Lake', '', 'Cy Moor']);
    expect(data).toEqual({ winner: 'Bob Lake' });
    expect(ranker.asked).toHaveLength(1);
    expect(ranker.asked[0]).toMatchObject({ prefix: 'Winner: ', conversation: { system: 'stack' } });
    expect(JSON.stringify(ranker.asked[0]?.conversation.turns)).toContain('About the order.');
    expect(meter.used.promptTokens).toBe(10);
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

  it('has the model write missing values, with the others fixed', async () => {
    const { engine, meter, extract } = setUp();
    engine.countTokens = async (conversation) => JSON.stringify(conversation.turns).length;
    engine.script = textAnswer('{"summary": "An order of nails."}');
    const { data } = await extract({ total: { type: 'number' }, summary: text }, ['Nails', 'Total: 3,50 €']);
    expect(data).toEqual({ total: 3.5, summary: 'An order of nails.' });
    expect(engine.asked[0]?.output).toMatchObject({
      schema: { properties: { summary: text }, required: ['summary'] },
    });
    expect(JSON.stringify(engine.asked[0]?.output)).not.toContain('total');
    expect(meter.used.completionTokens).toBe('{"total":3.5,"summary":"An order of nails."}'.length + 6);
  });

  it('has the model write values for which the schema rejects those found', async () => {
    const { engine, extract } = setUp();
    engine.script = textAnswer('{"code": "XX"}');
    const { data } = await extract({ code: { type: 'string', pattern: '^[A-Z]{2}$' } }, ['Code: 12345']);
    expect(data).toEqual({ code: 'XX' });
  });

  it('has the model write everything if the values found cannot satisfy the schema', async () => {
    const { engine, extract } = setUp();
    engine.script = textAnswer('{"a": 1, "b": 2}');
    const { data } = await extract({ a: { type: 'integer' } }, ['A: 1'], { required: ['a', 'b'] });
    expect(data).toEqual({ a: 1, b: 2 });
  });

  it('is refused with token counts if the documents do not fit the window', async () => {
    const { engine, extract } = setUp();
    engine.contextWindow = 1_000;
    engine.tokens = 5_000;
    const fault = extract({ total: { type: 'number' } }, ['Total: 3']);
    await expect(fault).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('5000 tokens > 900'),
    });
  });

  it('stops when the client disconnects', async () => {
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

describe('several files', () => {
  const documents = (...texts: readonly string[]) =>
    texts.map((content, index) => ({
      name: `${'ab'[index]}[${index}].pdf`,
      ocrUsed: false,
      pages: [{ ...emptyPage, text: content }],
    }));
  const filler = (word: string) =>
    Array.from({ length: 100 }, (_, row) => `${word} ${row} says nothing of it.`).join('\n');

  it('reach the model in numbered blocks when it chooses, and no label is a value', async () => {
    const ranker = new FakeRanker('Bob');
    const { extract } = setUp(ranker);
    const job = { documents: documents('Ann', 'Bob') };
    const { data, origins } = await extract({ winner: text }, [], {}, never, job);
    expect(data).toEqual({ winner: 'Bob' });
    expect(origins).toEqual(new Map([['/winner', 2]]));
    const [asked] = ranker.asked;
    expect(asked?.candidates).toEqual(['Ann\n', 'Bob\n']);
    expect(asked?.conversation).toEqual(
      plainConversation(
        'About the order.\n\n[File 1 of 2: "a[0].pdf"]\nAnn\n[End of file 1]\n\n[File 2 of 2: "b[1].pdf"]\nBob\n[End of file 2]',
        { system: 'stack', cacheScope: cacheScopeOf({ account: 'acme', id: 'shop' }) },
      ),
    );
  });

  it('reach it in blocks when it reads passages of them, and when it writes', async () => {
    const ranker = new FakeRanker();
    const { engine, extract } = setUp(ranker);
    engine.script = textAnswer('{"summary": "Short."}');
    const texts = [`${filler('One')}\nThe winner Ann`, `The winner Bob\n${filler('Two')}`];
    await extract({ winner: text, summary: text }, [], {}, never, { documents: documents(...texts) });
    const [chosen, written] = [ranker.asked[0]?.conversation.turns, engine.asked[0]?.turns].map((turns) =>
      JSON.stringify(turns),
    );
    for (const read of [chosen, written]) {
      expect(read).toMatch(
        /\[File 1 of 2: .*The winner Ann.*\[End of file 1\].*\[File 2 of 2: .*The winner Bob.*\[End of file 2\]/,
      );
      expect(read).toContain('b[1].pdf');
    }
    expect(written).toMatch(/\[File 1 of 2: .*One 7.*\[File 2 of 2: .*Two 7/);
  });

  it('are shown as far as the caller says that the rest is in them', async () => {
    const { engine, extract } = setUp();
    engine.script = textAnswer('{"summary": "Short."}');
    const texts = [filler('One'), filler('Two').repeat(2)];
    const job = { documents: documents(...texts), user: 'The summary is in file 2.' };
    await extract({ summary: text }, [], {}, never, job);
    const read = JSON.stringify(engine.asked[0]?.turns);
    expect(read.split('says nothing').length).toBeGreaterThan(100);
    expect(read).toContain('Two 90');
    expect(read).not.toContain('One 50');
    expect(read).toContain('File 1 of 2');
  });
});

describe('the work of the model', () => {
  const long = Array.from(
    { length: 400 },
    (_, row) => `Note ${row} of customer ${row % 7} was filed by office ${row}`,
  );
  const manyFields = (count: number, schema: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`customer_${index}`, schema]));
  const wordsIn = (conversation: Conversation) => JSON.stringify(conversation.turns).split(/\s+/).length;

  /** An engine that counts words and gives a fixed answer. */
  function counting(ranker: CandidateRanker, answer = '{}') {
    const world = setUp(ranker);
    world.engine.countTokens = async (conversation) => wordsIn(conversation);
    world.engine.script = textAnswer(answer);
    return world;
  }

  it('ranks few fields of many, and reads little for all of them together', async () => {
    const ranker = new FakeRanker();
    const { extract } = counting(ranker);
    await extract(manyFields(40, text), long, {}, never, { maxTokens: 4_000 });
    expect(ranker.asked.length).toBeGreaterThan(0);
    expect(ranker.asked.length).toBeLessThanOrEqual(16);
    expect(ranker.asked.every(({ candidates }) => candidates.length <= 4)).toBe(true);
    const read = ranker.asked.reduce((sum, { conversation }) => sum + wordsIn(conversation), 0);
    expect(read).toBeLessThan(12_000);
  });

  it('stops ranking when it has read enough', async () => {
    const ranker = new FakeRanker();
    const { engine, extract } = counting(ranker);
    const tokens = (prompt: number, instructions: number) => async (conversation: Conversation) =>
      JSON.stringify(conversation.turns).includes('Note') ? prompt : instructions;
    engine.countTokens = tokens(4_000, 10);
    await extract(manyFields(40, text), long);
    expect(ranker.asked).toHaveLength(3);
    // Instructions are read once and counted once.
    engine.countTokens = tokens(7_999, 3_999);
    await extract(manyFields(40, text), long);
    expect(ranker.asked).toHaveLength(6);
  });

  it('leaves the choice to rules where the instructions alone are long, and reads them whole to write', async () => {
    const ranker = new FakeRanker('Bob');
    const { engine, extract } = counting(ranker, '{"summary": "Short."}');
    const user = `${'Look closely. '.repeat(2_100)} The end.`;
    const { data } = await extract({ winner: text, summary: text }, ['Ann', '', 'Bob'], {}, never, { user });
    expect(data).toEqual({ winner: 'Ann', summary: 'Short.' });
    expect(ranker.asked).toEqual([]);
    expect(JSON.stringify(engine.asked[0]?.turns)).toContain(user);
  });

  it('is three short calls at most where nothing it writes is right', async () => {
    const { engine, meter, extract } = counting(new FakeRanker(), '{"summary": 7}');
    const properties = { ...manyFields(50, { type: ['string', 'null'] }), summary: text };
    const job = {
      maxTokens: 16_000,
      user: 'Look closely. '.repeat(5_000),
      system: 'Be exact. '.repeat(5_000),
    };
    const outcome = extract(properties, long, {}, never, job);
    await expect(outcome).rejects.toMatchObject({ status: 502, code: 'extraction-invalid' });
    expect(engine.asked).toHaveLength(3);
    expect(meter.used.completionTokens).toBe(3 * 2);
    for (const asked of engine.asked) {
      expect(wordsIn(asked) - wordsIn(plainConversation(job.user, job))).toBeLessThan(2_500);
      expect(asked.system).toBe(job.system);
      expect(asked.sampling.maxTokens).toBeLessThanOrEqual(1_500);
    }
  });

  it('holds every text and list that it writes to a length', async () => {
    const { engine, extract } = counting(new FakeRanker(), '{"summary": "Short.", "parts": []}');
    const nested = { type: 'array', items: { type: 'object', properties: { of: { type: 'array' } } } };
    await extract({ summary: text, parts: nested }, ['A text.']);
    expect(engine.asked[0]?.output).toMatchObject({
      schema: { properties: { summary: { maxLength: 500 }, parts: { maxItems: 20 } } },
    });
  });

  it('reads less of a text that has many tokens for its length', async () => {
    const { engine, extract } = counting(new FakeRanker(), '{"summary": "Short."}');
    engine.countTokens = async (conversation) => JSON.stringify(conversation.turns).length;
    await extract({ summary: text }, long);
    expect(JSON.stringify(engine.asked[0]?.turns).length).toBeLessThan(3_500);
  });

  it('does not show a schema that is long', async () => {
    const { engine, extract } = counting(new FakeRanker(), '{}');
    const properties = manyFields(100, { type: 'number' });
    await extract(properties, ['No figures.']).catch(() => undefined);
    expect(JSON.stringify(engine.asked[0]?.turns)).not.toContain('JSON Schema');
  });
});

describe('when time runs short', () => {
  const hurry = AbortSignal.abort(new Error('hurry'));

  it('the model is asked nothing, and what it would have written stays empty', async () => {
    const ranker = new FakeRanker();
    const { engine, extract } = setUp(ranker);
    const properties = {
      winner: text,
      summary: { type: ['string', 'null'] },
      about: {
        type: 'object',
        properties: { summary: { anyOf: [text, { type: 'null' }] }, total: { type: 'number' } },
      },
    };
    const { data } = await extract(properties, ['Ann', '', 'Bob', '', 'Total: 3'], {}, never, {
      leisure: hurry,
      hurry,
    });
    expect(data).toEqual({ winner: 'Ann', summary: null, about: { summary: null, total: 3 } });
    expect(ranker.asked).toEqual([]);
    expect(engine.asked).toEqual([]);
  });

  it('what the model is weighing is decided by rules', async () => {
    const short = new AbortController();
    const ranker: CandidateRanker = {
      rank: async (_, signal) => {
        short.abort(new Error('hurry'));
        signal.throwIfAborted();
        return [];
      },
    };
    const { extract } = setUp(ranker);
    const { data } = await extract({ winner: text }, ['Ann', '', 'Bob'], {}, never, {
      leisure: short.signal,
    });
    expect(data).toEqual({ winner: 'Ann' });
  });

  it('what rules can decide is no longer weighed, and the rest is written', async () => {
    const ranker = new FakeRanker();
    const { engine, extract } = setUp(ranker);
    engine.script = textAnswer('{"summary": "Short."}');
    const properties = { winner: text, summary: text };
    const { data } = await extract(properties, ['Ann', '', 'Bob'], {}, never, { leisure: hurry });
    expect(data).toEqual({ winner: 'Ann', summary: 'Short.' });
    expect(ranker.asked).toEqual([]);
  });

  it('the model reads less of a long document before it writes', async () => {
    const lines = Array.from({ length: 400 }, (_, row) => `the summary of part ${row} is not here`);
    const read = async (leisure: AbortSignal) => {
      const { engine, extract } = setUp();
      engine.script = textAnswer('{"summary": "Short."}');
      await extract({ summary: text }, lines, {}, never, { leisure });
      return JSON.stringify(engine.asked[0]?.turns).length;
    };
    const [atLeisure, inHaste] = [await read(never), await read(hurry)];
    expect(atLeisure).toBeGreaterThan(4_000);
    expect(inHaste).toBeLessThan(2_500);
  });

  it('what may not be empty ends the extraction', async () => {
    const { extract } = setUp();
    const outcome = extract({ summary: text }, ['Ann'], {}, never, { leisure: hurry, hurry });
    await expect(outcome).rejects.toBe(hurry.reason);
  });
});

describe('the choice of extractor', () => {
  it('is grounded only if the engine can rank and is configured to', () => {
    const { engine, direct, grounded } = setUp();
    const choice = (isGrounded: boolean) => ({ direct, grounded, isGrounded: () => isGrounded });
    expect(extractorFor(engine, choice(true))).toBe(grounded);
    expect(extractorFor(engine, choice(false))).toBe(direct);
    expect(extractorFor(new FakeTextEngine(), choice(true))).toBe(direct);
  });
});
