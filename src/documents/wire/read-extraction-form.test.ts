import { describe, expect, it } from 'vitest';
import { Fault } from '../../faults/fault.ts';
import type { Form } from '../../lib/form.ts';
import { readExtractionForm } from './read-extraction-form.ts';

const pdf = { field: 'file', fileName: 'a.pdf', bytes: Buffer.from('%PDF') };

function form(
  fields: Readonly<Record<string, string>>,
  files: Form['files'] = [pdf],
  cutFields: readonly string[] = [],
): Form {
  const lists = new Map(Object.entries(fields).map(([name, value]) => [name, [value]]));
  return { fields: new Map(Object.entries(fields)), lists, cutFields: new Set(cutFields), files };
}

function refusal(of: Form): string {
  try {
    readExtractionForm(of, 'documents');
    return 'accepted';
  } catch (error) {
    return error instanceof Fault ? `${error.status} ${error.message}` : String(error);
  }
}

describe('the form of an extraction', () => {
  it('has defaults for what is absent or blank', () => {
    expect(readExtractionForm(form({ schema: '{}', system: '  ', user: '' }), 'documents')).toEqual({
      route: 'documents',
      files: [{ name: 'a.pdf', bytes: pdf.bytes }],
      schema: '{}',
      system: undefined,
      user: undefined,
      maxTokens: 4000,
      citations: false,
      confidence: false,
    });
  });

  it('combines `file` and `files` in the order sent, and names the nameless by their place', () => {
    const files = ['files', 'file', 'other', 'files[]', 'file'].map((field, index) => ({
      field,
      fileName: index === 1 ? '' : `${index}.pdf`,
      bytes: Buffer.from([index]),
    }));
    const { files: read } = readExtractionForm(form({ schema: '{}' }, files), 'images');
    expect(read.map(({ name, bytes }) => [name, bytes[0]])).toEqual([
      ['0.pdf', 0],
      ['file-2', 1],
      ['3.pdf', 3],
      ['4.pdf', 4],
    ]);
  });

  it.each([
    ['1', 1],
    ['16000', 16000],
    ['4.0', 4],
    [' 12 ', 12],
  ])('takes max_tokens %s', (text, expected) => {
    expect(readExtractionForm(form({ schema: '{}', max_tokens: text }), 'documents').maxTokens).toBe(
      expected,
    );
  });

  it.each(['0', '16001', '-1', '1.5', 'many', '1e3', '0x10', 'NaN'])(
    'refuses max_tokens %s with 422',
    (text) => {
      expect(refusal(form({ schema: '{}', max_tokens: text }))).toMatch(
        /^422 `max_tokens` must be an integer from 1 to 16000/,
      );
    },
  );

  it('says first that there is no file, then no schema, then what is wrong with max_tokens', () => {
    expect(refusal(form({ max_tokens: '0' }, []))).toMatch(/^422 Send at least one file/);
    expect(refusal(form({ max_tokens: '0' }))).toMatch(/^422 Send the field `schema`/);
    expect(refusal(form({ schema: ' ', max_tokens: '0' }))).toMatch(/^422 Send the field `schema`/);
    expect(refusal(form({ schema: '{', max_tokens: '0' }))).toMatch(/^422 `max_tokens`/);
  });

  it.each(['schema', 'system', 'user'])('refuses a `%s` that was too long to be kept whole', (name) => {
    const fields = { schema: '{}', [name]: 'long' };
    expect(refusal(form(fields, [pdf], [name]))).toMatch(`413 \`${name}\` has more than`);
    expect(refusal(form({ ...fields, max_tokens: '0' }, [pdf], [name]))).toMatch(/^422 `max_tokens`/);
    expect(refusal(form(fields, [pdf], ['other']))).toBe('accepted');
  });

  it('takes a schema that is sent as a file', () => {
    const schema = { field: 'schema', fileName: 'schema.json', bytes: Buffer.from('{"type": "object"}') };
    const read = readExtractionForm(form({}, [pdf, schema]), 'documents');
    expect(read.schema).toBe('{"type": "object"}');
    expect(read.files.map(({ name }) => name)).toEqual(['a.pdf']);
  });

  it.each(['citations', 'confidence'] as const)('reads %s as true or false', (name) => {
    const read = (text: string) => readExtractionForm(form({ schema: '{}', [name]: text }), 'images')[name];
    expect(['true', '1', 'TRUE', 'false', ''].map(read)).toEqual([true, true, true, false, false]);
    expect(refusal(form({ schema: '{}', [name]: 'maybe' }))).toMatch(`422 \`${name}\` must be true or false`);
  });
});
