import { describe, expect, test } from 'vitest';
import { planTable } from '../../src/access/plan-limits.ts';
import { limitsDocs } from './limits-docs.ts';

describe('docs/limits.md', () => {
  test('is what the code says', async () => {
    await expect(limitsDocs()).toMatchFileSnapshot('../../docs/limits.md');
  });

  test('has a row for every limit of a plan', () => {
    const { extraction, pdf, images, ...ceilings } = planTable.go;
    const limits = [extraction, pdf, images, ceilings].flatMap((group) => Object.keys(group));
    const plans = limitsDocs().split('## Bodies')[0] ?? '';
    // The head and the line under it come on top.
    expect(plans.match(/^\|/gm)).toHaveLength(limits.length + 2);
  });
});
