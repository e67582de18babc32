import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { lazyWasm } from './testing/lazy-wasm.ts';
import { StuckWorkers } from './testing/stuck-workers.ts';

// A worker of the integration and end-to-end tests may have a browser, a model and a database beside it.
const WORKER_BYTES = 2 * 1024 ** 3;

// A container may have less memory than its machine; Node says 0 where it does not know.
const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || totalmem());
const mostWorkers = Math.max(2, Math.floor(memoryBytes / WORKER_BYTES));
const cores = Math.max(2, availableParallelism());
// Unit tests compute; the others wait for a process, a lease or a disk for a third of their time.
const unitWorkers = Math.min(cores, mostWorkers);
const waiting = {
  maxWorkers: Math.min(Math.ceil(cores * 1.5), mostWorkers),
  sequence: { groupOrder: 1 },
  execArgv: [lazyWasm],
  // Tests that load ONNX Runtime themselves; the gateway's children are always started with it.
  env: { ORT_DISABLE_TELEMETRY: '1' },
};

// Time-outs are for tests that hang. A test that works ends long before, also on a machine that is taken away for most of the time.
// Most polls wait for a packet on the loopback: vitest's 50 ms between two looks would be most of the time of many tests.
const unitPatience = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  expect: { poll: { timeout: 10_000, interval: 5 } },
};
const integrationPatience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
};
// Installs packages and clones repositories.
const e2ePatience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

const INTEGRATION = '{src,testing,packages}/**/*.integration.test.ts';
const globalSetup = ['testing/build-once.ts', 'testing/real-postgres/global-setup.ts'];

// The packages of this repository are tested as they are written, not as they were built.
const sources = fileURLToPath(new URL('./packages/', import.meta.url));
const resolve = { alias: [{ find: /^@stackgate\/([\w-]+)$/, replacement: `${sources}$1/src/index.ts` }] };

export default defineConfig({
  test: {
    // Compiled files are cached in node_modules/.experimental-vitest-cache, by their hash.
    experimental: { fsModuleCache: true },
    reporters: ['default', new StuckWorkers()],
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          include: ['{src,console,testing,packages}/**/*.test.ts'],
          exclude: [INTEGRATION, '**/node_modules/**'],
          setupFiles: ['testing/unit-bounds.ts'],
          // Files share what their worker has loaded and compiled. No state at module scope stands in the way: a rule forbids it.
          isolate: false,
          maxWorkers: unitWorkers,
          sequence: { groupOrder: 0 },
          ...unitPatience,
        },
      },
      {
        resolve,
        test: {
          name: 'integration',
          include: [INTEGRATION],
          globalSetup,
          ...waiting,
          ...integrationPatience,
        },
      },
      {
        resolve,
        test: { name: 'e2e', include: ['e2e/**/*.test.ts'], globalSetup, ...waiting, ...e2ePatience },
      },
    ],
  },
});
