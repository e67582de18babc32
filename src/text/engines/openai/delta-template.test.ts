import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../testing/fuzz/any-character.ts';
import { DeltaTemplate } from './delta-template.ts';

function chunkOf(delta: object, others: object = {}) {
  return { id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...others };
}

function taught(chunk: Record<string, unknown>): DeltaTemplate {
  const template = new DeltaTemplate();
  template.learn(JSON.stringify(chunk), chunk);
  return template;
}

function textOf(template: DeltaTemplate, chunk: object | string): string | undefined {
  const data = typeof chunk === 'string' ? chunk : JSON.stringify(chunk);
  return template.eventAt(Buffer.from(`data: ${data}\n\n`).toString('latin1'), 0);
}

describe('the template of deltas', () => {
  it('reads the text of a chunk that is otherwise equal', () => {
    const template = taught(chunkOf({ content: 'Hello' }));
    expect(textOf(template, chunkOf({ content: ' wörld 😀' }))).toBe(' wörld 😀');
  });

  it('reads the same text as the parser', () => {
    const template = taught(chunkOf({ role: 'assistant', content: 'a' }));
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (content) => {
        const text = textOf(template, chunkOf({ role: 'assistant', content }));
        expect([undefined, content]).toContain(text);
      }),
    );
  });

  it('finds the text even if the same characters occur elsewhere', () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'm' } }], model: 'm' };
    const template = taught(chunk);
    expect(textOf(template, { ...chunk, model: 'other' })).toBeUndefined();
  });

  it.each(['},', '}', ',', ':', '[{', '":"'])(
    'learns nothing wrong from text that looks like JSON: %s',
    (content) => {
      const chunk = chunkOf({ content });
      expect([undefined, 'b']).toContain(textOf(taught(chunk), chunkOf({ content: 'b' })));
    },
  );

  it.each([
    ['a finish', { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] }],
    ['reasoning', chunkOf({ content: 'a', reasoning: 'b' })],
    ['two choices', { choices: [{ delta: { content: 'a' } }, { delta: { content: 'b' } }] }],
    ['another choice', { choices: [{ index: 1, delta: { content: 'a' } }] }],
  ])('learns nothing from a chunk with %s', (_name, chunk) => {
    expect(textOf(taught(chunk), chunk)).toBeUndefined();
  });

  it('skips a chunk whose text is not one plain string', () => {
    const data = JSON.stringify(chunkOf({ content: 'a' }));
    const template = taught(chunkOf({ content: 'a' }));
    for (const literal of ['"a","content":"b"', '"\\n"', '""', 'null', '"a\nb"']) {
      expect(textOf(template, data.replace('"content":"a"', `"content":${literal}`))).toBeUndefined();
    }
  });

  it('reads events like the parser, or not at all', () => {
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

  it('ignores running token counts, and compares every other number', () => {
    const usage = { prompt_tokens: 10, total_tokens: 12, completion_tokens: 2, cached: 3 };
    const template = taught(chunkOf({ content: 'a' }, { usage }));
    const rest = (counts: object) => {
      const event = `data: ${JSON.stringify(chunkOf({ content: 'b' }, { usage: { ...usage, ...counts } }))}\n\n`;
      return template.eventAt(event, 0) === undefined ? undefined : template.end - event.length;
    };
    expect(rest({})).toBe(0);
    expect(rest({ total_tokens: 1_013, completion_tokens: 1_003 })).toBe(0);
    expect(rest({ cached: 4 })).toBeUndefined();
    expect(rest({ completion_tokens: null })).toBeUndefined();
    expect(rest({ completion_tokens: -1 })).toBeUndefined();
    expect(rest({ more: 1 })).toBeUndefined();
  });
});
