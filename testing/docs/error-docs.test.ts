import { describe, expect, test } from 'vitest';
import { faultTable } from '../../src/faults/fault-table.ts';
import { errorDocs } from './error-docs.ts';

describe('docs/errors.md', () => {
  test('is what the fault table says', async () => {
    await expect(errorDocs()).toMatchFileSnapshot('../../docs/errors.md');
  });

  test('has every fault and no other', () => {
    const documented = [...errorDocs().matchAll(/^\| `([a-z-]+)` /gm)].map(([, code]) => code);
    expect(documented.sort()).toEqual(Object.keys(faultTable).sort());
  });

  test('shows six bodies, each of another shape', () => {
    const bodies = [...errorDocs().matchAll(/```json\n(.*?)```/gs)].map(([, text]) => JSON.parse(text ?? ''));
    const shapes = bodies.map((body) => JSON.stringify([Object.keys(body), Object.keys(body.error ?? {})]));
    expect(new Set(shapes).size).toBe(6);
  });
});
