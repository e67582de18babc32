import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shippedFinderFolder } from '../reading/fields/finder-weights.ts';
import { checkFieldFinder } from './field-finder-check.ts';

describe('the check of the field finder', () => {
  it('accepts the weights that are shipped', async () => {
    expect(await checkFieldFinder()).toMatchObject({ check: 'field finder', result: 'ok' });
  });

  it('names a file that is damaged, and says what to do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stackgate-finder-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(join(shippedFinderFolder(), 'checksums.json'), join(folder, 'checksums.json'));
    await writeFile(join(folder, 'calibration.json'), '{}');
    expect(await checkFieldFinder(folder)).toMatchObject({
      result: 'failure',
      message: expect.stringContaining('models/reader/calibration.json is damaged'),
      remedy: expect.stringContaining('Install the gateway again'),
    });
  });
});
