import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A worker of the integration and end-to-end tests may have a browser, a model and a database beside it.
const WORKER_BYTES = 2 * 1024 ** 3;

// Most tests wait for a process or a disk now and then, so two run at once also where there are fewer cores or less memory.
// A container may have less memory than its machine; Node says 0 where it does not know.
const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || totalmem());
const maxWorkers = Math.max(2, Math.min(availableParallelism(), Math.floor(memoryBytes / WORKER_BYTES)));

// Time-outs are for tests that hang. A test that works ends long before, also on a machine that is taken away for most of the time.
const unitPatience = { testTimeout: 30_000, hookTimeout: 30_000, expect: { poll: { timeout: 10_000 } } };
const integrationPatience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
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
    maxWorkers,
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          include: ['{src,testing,packages}/**/*.test.ts'],
          exclude: [INTEGRATION, '**/node_modules/**'],
          setupFiles: ['testing/unit-bounds.ts'],
          // Files share what their worker has loaded and compiled. No state at module scope stands in the way: a rule forbids it.
          isolate: false,
          ...unitPatience,
        },
      },
      { resolve, test: { name: 'integration', include: [INTEGRATION], globalSetup, ...integrationPatience } },
      { resolve, test: { name: 'e2e', include: ['e2e/**/*.test.ts'], globalSetup, ...e2ePatience } },
    ],
  },
});
