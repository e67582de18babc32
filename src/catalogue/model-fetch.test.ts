import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { type FileAnswer, ModelServer, stallAfter, status } from '../../testing/models/model-server.ts';
import { hub, pinnedEntry, testModel } from '../../testing/models/test-catalogue.ts';
import type { FetchWatcher } from './fetch-watcher.ts';
import { ModelFetch } from './model-fetch.ts';
import { ModelStore } from './model-store.ts';

const times = { stallMs: 20_000, firstPauseMs: 1, maxPauseMs: 5, lookMs: 10 };
const { signal } = new AbortController();

/** Records events, and lets a test wait for them. */
class Told implements FetchWatcher {
  readonly words: string[] = [];
  readonly #wakers: (() => void)[] = [];

  progressed(model: string): void {
    this.#tell(`progress ${model}`);
  }

  arrived(model: string): void {
    this.#tell(`arrived ${model}`);
  }

  failed(model: string, reason: string): void {
    this.#tell(`failed ${model}: ${reason}`);
  }

  /** Waits for a matching event. */
  async hears(pattern: RegExp): Promise<void> {
    while (!this.words.some((word) => pattern.test(word))) {
      await new Promise<void>((resolve) => this.#wakers.push(resolve));
    }
  }

  #tell(word: string): void {
    this.words.push(word);
    for (const wake of this.#wakers.splice(0)) wake();
  }
}

interface Setting {
  readonly script?: readonly FileAnswer[];
  readonly models?: readonly string[];
  readonly retry?: { readonly firstMs: number; readonly maxMs: number; readonly lookMs: number };
}

async function open({ script = [], models = ['tiny'], retry }: Setting = {}) {
  const server = await ModelServer.open(testModel, ...script);
  const dataDir = makeDataFolder();
  const store = new ModelStore({
    dataDir,
    environment: {},
    catalogue: [pinnedEntry(hub(server.url))],
    times,
  });
  const watcher = new Told();
  const fetch = new ModelFetch({ store, models, watcher, ...(retry && { times: retry }) });
  onTestFinished(async () => {
    await fetch.close();
    await server[Symbol.asyncDispose]();
  });
  return { server, dataDir, store, watcher, fetch };
}

const soon = { firstMs: 1, maxMs: 5, lookMs: 5 };
const hours = { firstMs: 3_600_000, maxMs: 3_600_000, lookMs: 5 };

describe('the fetch of models in the background', () => {
  it('installs a model and informs the operator', async () => {
    const { fetch, watcher } = await open();
    expect(fetch.stateOf('tiny')).toMatchObject({ state: 'absent' });
    expect(fetch.faultOf('tiny')).toMatchObject({ code: 'model-not-ready', retryAfterSeconds: 10 });
    fetch.start();
    expect(await fetch.ready('tiny', signal)).toMatchObject({ name: 'tiny' });
    expect(fetch.stateOf('tiny')).toMatchObject({ state: 'ready', model: { name: 'tiny' } });
    expect(fetch.faultOf('tiny')).toBeUndefined();
    expect(watcher.words.at(-1)).toBe('arrived tiny');
  });

  it('needs no network for installed models', async () => {
    const { fetch, store, server } = await open();
    await store.install('tiny', { signal });
    fetch.start();
    await fetch.ready('tiny', signal);
    expect(server.seen).toHaveLength(1);
  });

  it('shows clients its progress', async () => {
    const { fetch, watcher } = await open({ script: [stallAfter(120_000)] });
    fetch.start();
    await watcher.hears(/^progress/);
    expect(fetch.faultOf('tiny')?.message).toMatch(/^The model tiny is being fetched: \d+ of 300 kB\.$/);
    expect(fetch.faultOf('tiny')?.status).toBe(503);
  });

  it('says what to do when no source can be reached, and keeps trying', async () => {
    const { fetch, watcher } = await open({ script: [status(404), status(404)], retry: soon });
    fetch.start();
    await watcher.hears(
      /^failed tiny: The model tiny could not be fetched\. 127\.0\.0\.1:\d+: the server answered 404/,
    );
    await fetch.ready('tiny', signal);
    expect(watcher.words.filter((word) => word.startsWith('failed'))).toHaveLength(2);
  });

  it('shows clients neither addresses nor reasons of a failure', async () => {
    const { fetch, watcher } = await open({ script: [status(404)], retry: hours });
    fetch.start();
    await watcher.hears(/^failed/);
    expect(fetch.stateOf('tiny')).toEqual({
      state: 'failed',
      message:
        'The model tiny is not on the gateway\'s machine and could not be fetched. The operator can run "stackgate models pull tiny", or set the path of a .gguf file as the model; the gateway keeps trying.',
    });
  });

  it('finds a model installed by another process within moments', async () => {
    const { fetch, watcher, store } = await open({ script: [status(404)], retry: hours });
    fetch.start();
    await watcher.hears(/^failed/);
    await store.install('tiny', { signal });
    expect(await fetch.ready('tiny', signal)).toMatchObject({ name: 'tiny' });
  });

  it('continues with the others if one fails', async () => {
    const { fetch, watcher } = await open({ models: ['unknown', 'tiny'], retry: hours });
    fetch.start();
    await fetch.ready('tiny', signal);
    await watcher.hears(/^failed unknown: There is no model "unknown" in the catalogue/);
    expect(fetch.faultOf('unknown')?.message).toContain('There is no model "unknown"');
  });

  it('takes a file of the operator, once it is there', async () => {
    const folder = makeDataFolder();
    const path = join(folder, 'own.gguf');
    const { fetch, watcher } = await open({ models: [path], retry: hours });
    fetch.start();
    await watcher.hears(/^failed .*own\.gguf is missing or is no GGUF file/);
    expect(fetch.faultOf(path)?.message).toContain('The file of the model own is missing');
    expect(fetch.faultOf(path)?.message).not.toContain(folder);
    writeFileSync(path, testModel);
    expect(await fetch.ready(path, signal)).toMatchObject({ name: 'own' });
  });
});

describe('its end', () => {
  it('stops the transfer, keeps the part and frees the lock', async () => {
    const { fetch, watcher, dataDir } = await open({ script: [stallAfter(120_000)] });
    fetch.start();
    await watcher.hears(/^progress/);
    const waiting = fetch.ready('tiny', signal);
    const ended = expect(waiting).rejects.toThrow();
    await fetch.close();
    await ended;
    expect(existsSync(join(dataDir, 'models', 'tiny.part', 'model.gguf.part'))).toBe(true);
    expect(existsSync(join(dataDir, 'models', 'tiny.lock'))).toBe(false);
    expect(watcher.words.filter((word) => word.startsWith('failed'))).toEqual([]);
  });

  it('does not wait for the next attempt', async () => {
    const { fetch, watcher } = await open({ script: [status(404)], retry: hours });
    fetch.start();
    await watcher.hears(/^failed/);
    await fetch.close();
  });

  it('of one request does not affect others', async () => {
    const { fetch } = await open({ script: [stallAfter(120_000)] });
    fetch.start();
    await expect(fetch.ready('tiny', AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
