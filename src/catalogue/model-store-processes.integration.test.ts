import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { type FileAnswer, honest, ModelServer, stallAfter } from '../../testing/models/model-server.ts';
import { hub, pinnedEntry, testModel } from '../../testing/models/test-catalogue.ts';

const script = fileURLToPath(new URL('../../testing/models/install-model.mjs', import.meta.url));
const PROCESSES_MS = 60_000;

async function serve(...answers: FileAnswer[]): Promise<ModelServer> {
  const server = await ModelServer.open(testModel, ...answers);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** An install in a process of its own. */
class Installer {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  out = '';
  readonly #wakers = new Set<() => void>();

  constructor(dataDir: string, url: string) {
    const catalogue = JSON.stringify([pinnedEntry(hub(url))]);
    this.child = spawn(process.execPath, [script, dataDir, catalogue], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
      for (const wake of this.#wakers) wake();
    });
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  /** Waits for matching output. */
  async printed(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.out)) {
      await new Promise<void>((resolve) => {
        this.#wakers.add(resolve);
      });
    }
  }
}

it('two processes fetch a model once: the second waits, is told how far the first is, and finds it', {
  timeout: PROCESSES_MS,
}, async () => {
  let goOn: () => void = () => {};
  const server = await serve((exchange) => {
    stallAfter(100_000)(exchange);
    goOn = () => exchange.response.end(exchange.content.subarray(100_000));
  });
  const dataDir = makeDataFolder();
  const first = new Installer(dataDir, server.url);
  await first.printed(/progress/);
  const second = new Installer(dataDir, server.url);
  await second.printed(new RegExp(`"source":"process ${first.child.pid}","receivedBytes":[1-9]`));
  goOn();
  expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
  expect(second.out).toContain('"model"');
  expect(server.seen).toHaveLength(1);
  expect(readdirSync(join(dataDir, 'models'))).toEqual(['tiny']);
});

it('a fetch that is killed midway goes on in the next process, and nothing half-done has a name', {
  timeout: PROCESSES_MS,
}, async () => {
  const server = await serve(stallAfter(100_000), honest);
  const dataDir = makeDataFolder();
  const killed = new Installer(dataDir, server.url);
  const part = join(dataDir, 'models', 'tiny.part', 'model.gguf.part');
  await killed.printed(/progress/);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(readdirSync(join(dataDir, 'models')).sort()).toEqual(['tiny.lock', 'tiny.part']);
  const received = statSync(part).size;
  expect(received).toBeGreaterThan(0);

  const next = new Installer(dataDir, server.url);
  expect(await next.ended).toBe(0);
  expect(server.seen[1]?.range).toBe(`bytes=${received}-`);
  expect(readFileSync(join(dataDir, 'models', 'tiny', 'model.gguf')).equals(testModel)).toBe(true);
  expect(readdirSync(join(dataDir, 'models'))).toEqual(['tiny']);
});
