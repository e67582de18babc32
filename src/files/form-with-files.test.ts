import { expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { fileService } from '../../testing/files/file-service.ts';
import { Fault } from '../faults/fault.ts';
import type { Form } from '../lib/form.ts';
import { formWithFiles } from './form-with-files.ts';

const { signal } = new AbortController();
const files = fileService();
const sent = { field: 'file', fileName: 'sent.txt', bytes: Buffer.from('sent') };

it('puts stored files behind those that were sent, in the order of their ids, also one named twice', async () => {
  const [one, two] = [await stored('one'), await stored('two')];
  const form = await read({ file_id: [two, '', one, two] });
  expect(form.files.map(({ field, fileName, bytes }) => [field, fileName, String(bytes)])).toEqual([
    ['file', 'sent.txt', 'sent'],
    ['file', 'two', 'two'],
    ['file', 'one', 'one'],
    ['file', 'two', 'two'],
  ]);
  expect((await read({ 'file_id[]': [one] })).files).toHaveLength(2);
});

it('leaves a form alone that names none', async () => {
  const form = formOf({});
  expect(await formWithFiles(form, files, reading({}))).toBe(form);
});

it('counts bytes before it reads any, and holds memory for them', async () => {
  const [one, two] = [await stored('one'), await stored('two')];
  const held: number[] = [];
  const request = { signal, holdMemory: (bytes: number) => held.push(bytes) };
  const tooMuch = read({ file_id: [one, two] }, { mostBytes: 5, request });
  await expect(tooMuch).rejects.toThrow('have 6 bytes together; at most 5 are read');
  expect(held).toEqual([]);
  await read({ file_id: [one, two, two] }, { mostBytes: 6, request });
  expect(held).toEqual([3, 3]);
});

it('refuses a file that the stack does not have, and more than it takes', async () => {
  const { id } = await files.add(
    makeCaller({ stack: { id: 'other' } }),
    { name: 'a', purpose: 'x', bytes: Buffer.from('a') },
    signal,
  );
  for (const ids of [[id], ['x'], Array.from({ length: 101 }, (_, index) => `file_${index}`)]) {
    const thrown = await read({ file_id: ids }).catch((error: unknown) => error);
    expect(thrown instanceof Fault && [thrown.code, thrown.param]).toEqual(['invalid-request', 'file_id']);
  }
});

async function stored(name: string): Promise<string> {
  const file = { name, purpose: 'user_data', bytes: Buffer.from(name) };
  return (await files.add(makeCaller(), file, signal)).id;
}

function read(
  lists: Readonly<Record<string, readonly string[]>>,
  more: Partial<ReturnType<typeof reading>> = {},
): Promise<Form> {
  return formWithFiles(formOf(lists), files, reading(more));
}

function reading(more: object) {
  return { stackId: 'shop', mostBytes: 1_000, request: { signal }, field: 'file', ...more };
}

function formOf(lists: Readonly<Record<string, readonly string[]>>): Form {
  return { fields: new Map(), lists: new Map(Object.entries(lists)), cutFields: new Set(), files: [sent] };
}
