import { describe, expect, it } from 'vitest';
import { Fault } from '../../faults/fault.ts';
import { openGenerateRequest } from './generate-request.ts';

function refusal(body: unknown): { readonly status: number; readonly message: string } {
  try {
    openGenerateRequest(body);
  } catch (error) {
    if (error instanceof Fault) return { status: error.status, message: error.message };
    throw error;
  }
  throw new Error('it was taken');
}

describe('a request to generate a PDF', () => {
  it('is direct with html, and then nothing else is looked at', () => {
    const body = { html: ' <p>Hi', system: 7, max_tokens: 'many', other: true };
    expect(openGenerateRequest(body)).toEqual({ mode: 'direct', html: ' <p>Hi' });
  });

  it('is an instruction with user, with 8000 tokens unless said', () => {
    expect(openGenerateRequest({ user: 'A letter' })).toEqual({
      mode: 'instruction',
      user: 'A letter',
      system: undefined,
      maxTokens: 8000,
    });
    expect(openGenerateRequest({ user: 'A letter', system: '', max_tokens: 1 })).toMatchObject({
      system: '',
      maxTokens: 1,
    });
    expect(openGenerateRequest({ user: 'x', max_tokens: 16_000 })).toMatchObject({ maxTokens: 16_000 });
  });

  it('takes null and blank for not sent', () => {
    expect(openGenerateRequest({ html: 'x', user: null })).toEqual({ mode: 'direct', html: 'x' });
    expect(openGenerateRequest({ html: ' \n\t', user: 'x', system: null, max_tokens: null })).toMatchObject({
      mode: 'instruction',
      system: undefined,
      maxTokens: 8000,
    });
  });

  it.each([
    { html: 'x', user: 'y' },
    { html: 'x', user: 'y', max_tokens: 0 },
    {},
    { html: '' },
    { user: '   ' },
    { html: ' ', user: '\n' },
    { html: null, user: null },
    { html: 5 },
    { html: ['x'] },
    { user: { text: 'x' } },
    { html: 'x', user: 5 },
    { user: 'x', system: 5 },
    { system: 'x', max_tokens: 5 },
    [],
    'html',
    5,
    null,
  ])('is refused with 400 as %j', (body) => {
    expect(refusal(body).status).toBe(400);
  });

  it.each([0, -1, 16_001, 1.5, '8000', true, [], {}, 1e300])(
    'is refused with 422 for max_tokens %j',
    (tokens) => {
      expect(refusal({ user: 'x', max_tokens: tokens }).status).toBe(422);
    },
  );

  it('says what was wrong and what is accepted, and repeats no text', () => {
    expect(refusal({ user: 'x', max_tokens: 16_001 }).message).toBe(
      '`max_tokens` must be an integer from 1 to 16000, got 16001.',
    );
    expect(refusal({ html: ['secret'] }).message).toBe('`html` must be a string, got an array.');
    expect(refusal({ html: 'secret', user: 'secret' }).message).toMatch(
      /^Both `html` and `user` were sent; /,
    );
  });
});
