import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeltaTemplate, ShapeMemory } from './delta-template.ts';

function chunkOf(delta: object, others: object = {}) {
  return { id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...others };
}

function taught(chunk: Record<string, unknown>, memory = new ShapeMemory()): DeltaTemplate {
  const template = new DeltaTemplate(memory);
  template.learn(JSON.stringify(chunk), chunk);
  return template;
}

describe('the template of deltas', () => {
  it('reads the text of a chunk that differs in nothing else', () => {
    const template = taught(chunkOf({ content: 'Hello' }));
    expect(template.textOf(JSON.stringify(chunkOf({ content: ' wörld 😀' })))).toBe(' wörld 😀');
  });

  it('reads nothing but what parsing gives', () => {
    const template = taught(chunkOf({ role: 'assistant', content: 'a' }));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        const text = template.textOf(JSON.stringify(chunkOf({ role: 'assistant', content })));
        expect([undefined, content]).toContain(text);
      }),
    );
  });

  it('finds the place of the text where the same letters stand elsewhere', () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'm' } }], model: 'm' };
    const template = taught(chunk);
    const other = JSON.stringify({ ...chunk, model: 'other' });
    expect(template.textOf(other)).toBeUndefined();
  });

  it.each([
    ['a finish', { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] }],
    ['reasoning', chunkOf({ content: 'a', reasoning: 'b' })],
    ['two choices', { choices: [{ delta: { content: 'a' } }, { delta: { content: 'b' } }] }],
    ['another choice', { choices: [{ index: 1, delta: { content: 'a' } }] }],
  ])('learns nothing from a chunk with %s', (_name, chunk) => {
    expect(taught(chunk).textOf(JSON.stringify(chunk))).toBeUndefined();
  });

  it('leaves alone what is no single plain string in the place of the text', () => {
    const data = JSON.stringify(chunkOf({ content: 'a' }));
    const template = taught(chunkOf({ content: 'a' }));
    for (const literal of ['"a","content":"b"', '"\\n"', '""', 'null', '"a\nb"']) {
      expect(template.textOf(data.replace('"content":"a"', `"content":${literal}`))).toBeUndefined();
    }
  });

  it('reads events among bytes as parsing does, or not at all', () => {
    const template = taught(chunkOf({ content: 'a' }));
    const end = Buffer.from('"},"finish_reason":null}]}\n\n');
    const [before = ''] = JSON.stringify(chunkOf({ content: '' })).split('""}');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), fc.nat({ max: 3 }), (literal, cut) => {
        const event = Buffer.concat([Buffer.from(`data: ${before}"`), literal, end]);
        const bytes = Buffer.concat([Buffer.from('xx'), event.subarray(0, event.length - cut)]);
        const text = template.eventAt(bytes.toString('latin1'), 2);
        if (text === undefined) return;
        const data = event.toString().slice('data: '.length, -2);
        expect(JSON.parse(data)).toEqual(chunkOf({ content: text }));
        expect(template.end).toBe(bytes.length);
      }),
      { numRuns: 3_000 },
    );
    const plain = `data: ${JSON.stringify(chunkOf({ content: ' wörld' }))}\n\n`;
    expect(template.eventAt(Buffer.from(plain).toString('latin1'), 0)).toBe(' wörld');
  });

  it('heeds no number that says how many tokens there are so far, and every other one', () => {
    const usage = { prompt_tokens: 10, total_tokens: 12, completion_tokens: 2, cached: 3 };
    const template = taught(chunkOf({ content: 'a' }, { usage }));
    const textOf = (counts: object) => {
      const event = `data: ${JSON.stringify(chunkOf({ content: 'b' }, { usage: { ...usage, ...counts } }))}\n\n`;
      return template.eventAt(event, 0) === undefined ? undefined : template.end - event.length;
    };
    expect(textOf({})).toBe(0);
    expect(textOf({ total_tokens: 1_013, completion_tokens: 1_003 })).toBe(0);
    expect(textOf({ cached: 4 })).toBeUndefined();
    expect(textOf({ completion_tokens: null })).toBeUndefined();
    expect(textOf({ completion_tokens: -1 })).toBeUndefined();
    expect(textOf({ more: 1 })).toBeUndefined();
  });

  describe('that was taught by other answers', () => {
    const answerChunk = (names: object, delta: object, others: object = {}) => ({
      ...names,
      ...chunkOf(delta, others),
      ...names,
    });
    const memoryOf = (names: object) => {
      const memory = new ShapeMemory();
      taught(answerChunk(names, { content: 'Hello' }), memory);
      return memory;
    };

    it('expects what the last one looked like, with the id and time of its own answer', () => {
      const names = { id: 'two-2', created: 2 };
      const begin = answerChunk(names, { role: 'assistant', content: '' });
      const template = taught(begin, memoryOf({ id: 'one', created: 1 }));
      const textOf = (others: object, more?: object) =>
        template.textOf(JSON.stringify(answerChunk(others, { content: 'Bye' }, more)));
      expect(textOf(names)).toBe('Bye');
      expect(textOf({ id: 'one', created: 1 })).toBeUndefined();
      expect(textOf({ ...names, created: 22 })).toBeUndefined();
      expect(textOf(names, { usage: { prompt_tokens: 1 } })).toBeUndefined();
    });

    it('keeps apart those that say their usage in every chunk', () => {
      const memory = memoryOf({ id: 'one', created: 1 });
      const usage = (completion_tokens: number) => ({ usage: { prompt_tokens: 5, completion_tokens } });
      taught(answerChunk({ id: 'two', created: 2 }, { content: 'Hello' }, usage(1)), memory);
      const names = { id: 'three', created: 3 };
      const eventOf = (others: object) =>
        `data: ${JSON.stringify(answerChunk(names, { content: 'Bye' }, others))}\n\n`;
      const begin = { role: 'assistant', content: '' };
      const counted = taught(answerChunk(names, begin, usage(0)), memory);
      expect(counted.eventAt(eventOf(usage(17)), 0)).toBe('Bye');
      expect(counted.eventAt(eventOf({}), 0)).toBeUndefined();
      expect(taught(answerChunk(names, begin), memory).eventAt(eventOf({}), 0)).toBe('Bye');
    });

    it('learns anew where its answer looks otherwise', () => {
      const names = { id: 'two', created: 2, system_fingerprint: 'f' };
      const begin = answerChunk(names, { role: 'assistant', content: '' });
      const template = taught(begin, memoryOf({ id: 'one', created: 1 }));
      const chunk = answerChunk(names, { content: 'b' });
      expect(template.textOf(JSON.stringify(chunk))).toBeUndefined();
      template.learn(JSON.stringify(chunk), chunk);
      expect(template.textOf(JSON.stringify(answerChunk(names, { content: 'c' })))).toBe('c');
    });

    it.each([
      ['an id that has to be escaped', { id: 'a"b', created: 1 }],
      ['an id that stands twice', { id: 'a', created: 1, origin: { id: 'a' } }],
      ['no time', { id: 'a' }],
    ])('expects nothing after an answer with %s', (_name, names) => {
      expect(memoryOf(names).recall({ id: 'b', created: 2 })).toBeUndefined();
    });

    it('expects nothing of an answer whose id has to be escaped', () => {
      const memory = memoryOf({ id: 'one', created: 1 });
      expect(memory.recall({ id: 'b', created: 2 })).toBeDefined();
      expect(memory.recall({ id: 'b"', created: 2 })).toBeUndefined();
    });
  });
});
