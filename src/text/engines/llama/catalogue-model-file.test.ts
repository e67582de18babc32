import { describe, expect, it } from 'vitest';
import { catalogueData } from '../../../catalogue/catalogue-data.ts';
import type { InstalledModel } from '../../../catalogue/installed-model.ts';
import { ModelFetch } from '../../../catalogue/model-fetch.ts';
import { CatalogueModelFile } from './catalogue-model-file.ts';

const never = new AbortController().signal;
const quiet = { progressed: () => {}, arrived: () => {}, failed: () => {} };
const weights = { role: 'weights', path: '/models/small.gguf', sizeBytes: 1 } as const;

function fileOf(model: string, find: () => Promise<InstalledModel | undefined>, isAdapted = false) {
  const install = () => Promise.reject(new Error('no network'));
  const times = { firstMs: 10, maxMs: 10, lookMs: 5 };
  const fetch = new ModelFetch({ store: { find, install }, models: [model], watcher: quiet, times });
  const entry = catalogueData.find(({ name }) => name === model);
  return { fetch, file: new CatalogueModelFile({ model, entry, fetch, isAdapted }) };
}

describe('a model file of the catalogue', () => {
  it('is waited for, with a message about its progress, and then there', async () => {
    let installed: InstalledModel | undefined;
    const { fetch, file } = fileOf('smollm2-135m-instruct', async () => installed);
    expect(file).toMatchObject({ wait: expect.stringContaining('not loaded yet'), hasFailed: false });
    fetch.start();
    const path = file.path(never);
    await new Promise<void>((resolve) => {
      const look = () => (file.hasFailed ? resolve() : setImmediate(look));
      look();
    });
    expect(file.wait).toContain('stackgate models pull');
    installed = { name: 'smollm2-135m-instruct', files: [weights] };
    expect(await path).toBe('/models/small.gguf');
    expect(file).toMatchObject({ wait: undefined, hasFailed: false });
    await fetch.close();
  });

  it('has the settings of its model: sampling, window, limit for rambling', () => {
    const { file } = fileOf('smollm2-135m-instruct', async () => undefined);
    expect(file).toMatchObject({ sampling: { temperature: 0.3 }, longestContext: 16_384, rambleTokens: 400 });
    expect(file.documentDrafts).toBeUndefined();
  });

  it('has other settings with the built-in adapter: documents may be written again', () => {
    const { file } = fileOf('smollm2-135m-instruct', async () => undefined, true);
    expect(file).toMatchObject({ sampling: { markupTemperature: 0 }, rambleTokens: 400, documentDrafts: 3 });
  });

  it("has plain sampling if it is the operator's own", () => {
    const { file } = fileOf('/models/own.gguf', async () => undefined);
    expect(file.sampling).toEqual({ temperature: 0.7 });
    expect([file.longestContext, file.rambleTokens]).toEqual([undefined, undefined]);
  });
});
